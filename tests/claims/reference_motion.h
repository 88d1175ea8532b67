/* A reference of another kind: Gragg's extrapolated midpoint rule on q' = v, v' = a(q, v, t),
 * with accelerations from the equations that the constraints imply for them. It solves no stage
 * equations, and does not know constraints: that they stay satisfied is a check on it. */
#ifndef LV_TESTS_REFERENCE_MOTION_H
#define LV_TESTS_REFERENCE_MOTION_H

#include "moving.h"
#include "system/system.h"

enum { REFERENCE_MOST = 16, REFERENCE_COLUMNS = 8 };

typedef struct reference_motion {
    lv_system *system;
    int n;
    long double t, y[2 * REFERENCE_MOST]; /* q, v */
} reference_motion;

static inline void reference_rates(const reference_motion *r, long double *rate,
                                   long double t, const long double *y)
{
    double q[REFERENCE_MOST], v[REFERENCE_MOST], a[REFERENCE_MOST];
    lv_error err;
    for (int i = 0; i < r->n; i++) {
        q[i] = (double)y[i];
        v[i] = (double)y[r->n + i];
    }
    if (lv_system_accelerations(r->system, a, NULL, (double)t, q, v, &err) != LV_OK)
        fail_with(&err);
    for (int i = 0; i < r->n; i++) {
        rate[i] = y[r->n + i];
        rate[r->n + i] = a[i];
    }
}

/* `count` steps of the midpoint rule over a span, smoothed at the end. */
static inline void reference_midpoint(const reference_motion *r, long double *end,
                                      long double span, int count)
{
    int n = 2 * r->n;
    long double before[2 * REFERENCE_MOST], now[2 * REFERENCE_MOST];
    long double rate[2 * REFERENCE_MOST], h = span / count;
    reference_rates(r, rate, r->t, r->y);
    for (int i = 0; i < n; i++) {
        before[i] = r->y[i];
        now[i] = r->y[i] + h * rate[i];
    }
    for (int k = 1; k < count; k++) {
        reference_rates(r, rate, r->t + k * h, now);
        for (int i = 0; i < n; i++) {
            long double next = before[i] + 2 * h * rate[i];
            before[i] = now[i];
            now[i] = next;
        }
    }
    reference_rates(r, rate, r->t + span, now);
    for (int i = 0; i < n; i++)
        end[i] = (before[i] + now[i] + h * rate[i]) / 2;
}

/* One step: 2, 4, .. midpoint steps, extrapolated to infinitely many (Aitken, Neville). */
static inline void reference_step(reference_motion *r, long double span)
{
    int n = 2 * r->n;
    long double table[REFERENCE_COLUMNS][2 * REFERENCE_MOST];
    for (int j = 0; j < REFERENCE_COLUMNS; j++) {
        reference_midpoint(r, table[j], span, 2 * (j + 1));
        for (int k = j - 1; k >= 0; k--) {
            long double ratio = (long double)(j + 1) / (k + 1),
                        f = 1 / (ratio * ratio - 1);
            for (int i = 0; i < n; i++)
                table[k][i] = table[k + 1][i] + (table[k + 1][i] - table[k][i]) * f;
        }
    }
    for (int i = 0; i < n; i++)
        r->y[i] = table[0][i];
    r->t += span;
}

/* From the start of a simulation (which may have been projected) to `until`. */
static inline void reference_run(reference_motion *r, const lv_model *model,
                                 const lv_sim *sim, double until, int steps)
{
    lv_error err;
    *r = (reference_motion){.n = lv_model_coordinate_count(model)};
    assert_in_range(r->n, 1, REFERENCE_MOST);
    if (lv_system_create(&r->system, model, &err) != LV_OK)
        fail_with(&err);
    for (int i = 0; i < r->n; i++) {
        r->y[i] = lv_sim_position(sim)[i];
        r->y[r->n + i] = lv_sim_velocity(sim)[i];
    }
    for (int k = 0; k < steps; k++)
        reference_step(r, (long double)until / steps);
}

static inline void reference_done(reference_motion *r)
{
    lv_system_free(r->system);
}

/* q and p, and the largest residual of the constraints and their rates, from a simulation of the
 * same model that is put there. */
static inline double reference_state(const reference_motion *r, lv_sim *sim, double *q,
                                     double *p)
{
    double v[REFERENCE_MOST], position = 0, velocity = 0;
    for (int i = 0; i < r->n; i++) {
        q[i] = (double)r->y[i];
        v[i] = (double)r->y[r->n + i];
    }
    move_to(sim, (double)r->t, q, v);
    memcpy(p, lv_sim_momentum(sim), (size_t)r->n * sizeof *p);
    lv_sim_residuals(sim, &position, &velocity);
    return worst_of(position, velocity);
}

#endif
