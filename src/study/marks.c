#include "study/marks.h"

#include "num/extent.h"
#include "study/extrapolation.h"

#include <math.h>
#include <string.h>

size_t lv_marks_numbers(const lv_marks *m)
{
    return 2 * (size_t)m->n * (size_t)m->count;
}

void lv_marks_measure(lv_marks *m, const lv_state *start, const double *states)
{
    m->size[0] = lv_extent(start->q, m->n);
    m->size[1] = lv_extent(start->p, m->n);
    for (int k = 0; k < 2 * m->count; k++)
        m->size[k % 2] =
            fmax(m->size[k % 2], lv_extent(states + (ptrdiff_t)k * m->n, m->n));
    for (int k = 0; k < 2; k++)
        m->size[k] = m->size[k] > 0 ? m->size[k] : 1;
}

/* The larger number; NAN if one of them is. */
static double larger(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

lv_distance lv_marks_compare(const lv_marks *m, const double *a, const double *b)
{
    double worst[2] = {0, 0}, end = 0;
    const int last = 2 * (m->count - 1);
    for (int k = 0; k < 2 * m->count; k++)
        for (int i = 0; i < m->n; i++) {
            const ptrdiff_t at = (ptrdiff_t)k * m->n + i;
            const double d = fabs(a[at] - b[at]) / m->size[k % 2];
            worst[k % 2] = larger(worst[k % 2], d);
            end = k < last ? end : larger(end, d);
        }
    return (lv_distance){worst[0], worst[1], end};
}

double lv_marks_distance(const lv_marks *m, const double *a, const double *b)
{
    const lv_distance d = lv_marks_compare(m, a, b);
    return larger(d.q, d.p);
}

static bool goes_on(const lv_marks_way *way)
{
    return !way->go_on || way->go_on(way->user);
}

/* The motion at all marks, with so many steps from one to the next. */
static lv_status extrapolate_to_marks(const lv_marks *m, lv_extrapolation *r,
                                      const lv_state *start, double *states,
                                      long long steps, const lv_marks_way *way)
{
    lv_error *err = NULL;
    lv_extrapolation_begin(r, start);
    for (int mark = 0; mark < m->count && goes_on(way);
         mark++, states += 2 * (ptrdiff_t)m->n) {
        LV_TRY(lv_extrapolation_run(r, m->span / m->count, steps, err));
        lv_extrapolation_state(r, states, NULL, states + m->n);
    }
    return LV_OK;
}

lv_status lv_marks_extrapolate(const lv_marks *m, lv_system *system,
                               const lv_state *start, double *states, double *spare,
                               lv_marks_way *way, lv_error *err)
{
    lv_extrapolation r = {0};
    way->error = (double)NAN;
    way->taken = 0;
    lv_status status = lv_extrapolation_init(&r, system, start, err);
    for (long long steps = way->first;
         status == LV_OK && steps * m->count <= way->most && goes_on(way); steps *= 2) {
        memcpy(spare, states, lv_marks_numbers(m) * sizeof *spare);
        if (extrapolate_to_marks(m, &r, start, states, steps, way) != LV_OK)
            continue;
        const bool is_first = way->taken == 0;
        way->taken = steps;
        if (is_first)
            continue;
        const double now = lv_marks_distance(m, spare, states);
        const bool resolved = way->hopeless > 0 && steps >= 8 * way->first,
                   stalls = now > 0.5 * way->error && (now < way->noise || resolved),
                   hopeless = resolved && !(now < way->hopeless);
        way->error = isfinite(now) ? now : way->error;
        if (now <= way->enough || stalls || hopeless)
            break;
    }
    lv_extrapolation_done(&r);
    return status;
}
