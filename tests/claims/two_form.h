/* How far a step is from keeping the symplectic form, by differences. */
#ifndef LV_TESTS_TWO_FORM_H
#define LV_TESTS_TWO_FORM_H

#include "moving.h"
#include "run/sim.h"

enum { FORM_MOST = 16 };

/* Curves through the start, and their images after a step. */
enum { CURVES = 4, POINTS = 7 };

/* Points of a curve are a `spread` apart: the error of derivatives is of sixth order in it. */
typedef struct bundle {
    double q[CURVES][POINTS][FORM_MOST], p[CURVES][POINTS][FORM_MOST];
} bundle;

static inline double direction(int curve, int k)
{
    return sin(1.7 + 2.3 * curve + 1.3 * k + 0.9 * curve * k);
}

/* Where all curves meet. */
typedef struct form_start {
    double q[FORM_MOST], v[FORM_MOST], p[FORM_MOST];
} form_start;

/* Makes the point of a curve at e the state of a simulation. */
typedef void form_point(lv_sim *sim, const form_start *start, double e, int curve);

/* The start, pushed by e and projected. */
static inline void point_on_constraints(lv_sim *sim, const form_start *start, double e,
                                        int curve)
{
    double q[FORM_MOST], v[FORM_MOST];
    lv_error err;
    int n = sim->system->n;
    for (int k = 0; k < n; k++) {
        q[k] = start->q[k] + e * direction(curve, k);
        v[k] = start->v[k] + e * direction(curve + CURVES, k);
    }
    if (lv_system_project_position(sim->system, q, 0, &err) != LV_OK ||
        lv_system_project_velocity(sim->system, v, 0, q, &err) != LV_OK)
        fail_with(&err);
    move_to(sim, 0, q, v);
}

/* Derivative along a curve in its middle, times the spread. */
static inline double derivative(double (*const f)[FORM_MOST], int k)
{
    return (45 * (f[4][k] - f[2][k]) - 9 * (f[5][k] - f[1][k]) + (f[6][k] - f[0][k])) /
           60;
}

/* dq_a . dp_b - dq_b . dp_a, and the sum of the sizes of its terms */
static inline double two_form(bundle *x, int n, int a, int b, double *size)
{
    double sum = 0;
    *size = 0;
    for (int k = 0; k < n; k++) {
        double one = derivative(x->q[a], k) * derivative(x->p[b], k);
        double two = derivative(x->q[b], k) * derivative(x->p[a], k);
        sum += one - two;
        *size += fabs(one) + fabs(two);
    }
    return sum;
}

static inline void record_point(bundle *x, int curve, int i, const lv_sim *sim)
{
    size_t bytes = (size_t)sim->system->n * sizeof(double);
    memcpy(x->q[curve][i], lv_sim_position(sim), bytes);
    memcpy(x->p[curve][i], lv_sim_momentum(sim), bytes);
}

/* Largest change in a step, relative to the sum of the sizes of the terms. */
static inline double two_form_defect_along(lv_sim *sim, double spread, form_point *make)
{
    static bundle before, after;
    form_start start;
    double worst = 0;
    int n = sim->system->n;
    size_t bytes = (size_t)n * sizeof(double);
    memcpy(start.q, lv_sim_position(sim), bytes);
    memcpy(start.v, lv_sim_velocity(sim), bytes);
    memcpy(start.p, lv_sim_momentum(sim), bytes);
    for (int c = 0; c < CURVES; c++)
        for (int i = 0; i < POINTS; i++) {
            make(sim, &start, (i - POINTS / 2) * spread, c);
            record_point(&before, c, i, sim);
            step_once(sim);
            record_point(&after, c, i, sim);
        }
    for (int a = 0; a < CURVES; a++)
        for (int b = 0; b < a; b++) {
            double size = 0, unused = 0;
            double old = two_form(&before, n, a, b, &size);
            double new = two_form(&after, n, a, b, &unused);
            worst = worst_of(worst, fabs(new - old) / size);
        }
    return worst;
}

static inline double two_form_defect(lv_sim *sim, double spread)
{
    return two_form_defect_along(sim, spread, point_on_constraints);
}

#endif
