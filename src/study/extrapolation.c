#include "study/extrapolation.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 8 };

lv_status lv_extrapolation_init(lv_extrapolation *r, lv_system *system,
                                const lv_state *start, lv_error *err)
{
    const size_t n = (size_t)system->n;
    *r = (lv_extrapolation){.system = system, .n = system->n};
    r->y = lv_memory_zeroed(2 * n * (4 + COLUMNS) + 1, sizeof *r->y);
    r->point = lv_memory_zeroed(4 * n + 1, sizeof *r->point);
    if (!r->y || !r->point)
        return lv_fail_memory(err);
    r->rate = r->y + 2 * n;
    r->before = r->rate + 2 * n;
    r->now = r->before + 2 * n;
    r->table = r->now + 2 * n;
    lv_extrapolation_begin(r, start);
    return LV_OK;
}

void lv_extrapolation_done(lv_extrapolation *r)
{
    lv_memory_free(r->y);
    lv_memory_free(r->point);
    *r = (lv_extrapolation){0};
}

void lv_extrapolation_begin(lv_extrapolation *r, const lv_state *start)
{
    r->t = (long double)start->t;
    for (int i = 0; i < r->n; i++) {
        r->y[i] = (long double)start->q[i];
        r->y[r->n + i] = (long double)start->v[i];
    }
    lv_system_start_turns(r->system, start->t, start->q, start->v);
}

void lv_extrapolation_state(lv_extrapolation *r, double *q, double *v, double *p)
{
    double *at = r->point;
    for (int i = 0; i < 2 * r->n; i++)
        at[i] = (double)r->y[i];
    const size_t bytes = (size_t)r->n * sizeof *at;
    if (q)
        memcpy(q, at, bytes);
    if (v)
        memcpy(v, at + r->n, bytes);
    if (p)
        lv_system_momentum(r->system, p, (double)r->t, at, at + r->n);
}

static lv_status find_rates(lv_extrapolation *r, long double t, const long double *y,
                            lv_error *err)
{
    const int n = r->n;
    double *q = r->point, *v = q + n, *a = v + n;
    for (int i = 0; i < 2 * n; i++)
        q[i] = (double)y[i];
    LV_TRY(lv_system_accelerations(r->system, a, NULL, (double)t, q, v, err));
    for (int i = 0; i < n; i++) {
        if (!isfinite(a[i]))
            return lv_fail(err, LV_ERR_NUMERIC,
                           "accelerations are not finite at t = %.6g", (double)t);
        r->rate[i] = y[n + i];
        r->rate[n + i] = (long double)a[i];
    }
    return LV_OK;
}

/* Takes `count` steps of the midpoint rule over a span, with smoothing at the end. */
static lv_status midpoint(lv_extrapolation *r, long double *end, long double span,
                          int count, lv_error *err)
{
    const int n = 2 * r->n;
    const long double h = span / count;
    LV_TRY(find_rates(r, r->t, r->y, err));
    for (int i = 0; i < n; i++) {
        r->before[i] = r->y[i];
        r->now[i] = r->y[i] + h * r->rate[i];
    }
    for (int k = 1; k < count; k++) {
        LV_TRY(find_rates(r, r->t + k * h, r->now, err));
        for (int i = 0; i < n; i++) {
            const long double next = r->before[i] + 2 * h * r->rate[i];
            r->before[i] = r->now[i];
            r->now[i] = next;
        }
    }
    LV_TRY(find_rates(r, r->t + span, r->now, err));
    for (int i = 0; i < n; i++)
        end[i] = (r->before[i] + r->now[i] + h * r->rate[i]) / 2;
    return LV_OK;
}

/* Takes one step: 2, 4, ... midpoint steps, extrapolated to infinitely many (Aitken,
 * Neville). */
static lv_status take_step(lv_extrapolation *r, long double span, lv_error *err)
{
    const int n = 2 * r->n;
    for (int j = 0; j < COLUMNS; j++) {
        LV_TRY(midpoint(r, r->table + (ptrdiff_t)j * n, span, 2 * (j + 1), err));
        for (int k = j - 1; k >= 0; k--) {
            const long double ratio = (long double)(j + 1) / (k + 1);
            const long double f = 1 / (ratio * ratio - 1);
            long double *column = r->table + (ptrdiff_t)k * n, *next = column + n;
            for (int i = 0; i < n; i++)
                column[i] = next[i] + (next[i] - column[i]) * f;
        }
    }
    memcpy(r->y, r->table, (size_t)n * sizeof *r->y);
    r->t += span;
    return LV_OK;
}

lv_status lv_extrapolation_run(lv_extrapolation *r, double span, long long steps,
                               lv_error *err)
{
    for (long long k = 0; k < steps; k++) {
        double *q = r->point;
        for (int i = 0; i < 2 * r->n; i++)
            q[i] = (double)r->y[i];
        lv_system_follow_turns(r->system, (double)r->t, q, q + r->n);
        LV_TRY(take_step(r, (long double)span / steps, err));
    }
    return LV_OK;
}
