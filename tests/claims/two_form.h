/* How far a step is from keeping the symplectic form, by differences. */
#ifndef LV_TESTS_TWO_FORM_H
#define LV_TESTS_TWO_FORM_H

#include "moving.h"
#include "run/sim.h"

enum { FORM_MOST = 16 };

/* Curves through the start that stay on the constraints, and their images after a step. */
enum { CURVES = 4, POINTS = 7 };

/* Points of a curve are a `spread` apart: the error of derivatives is of sixth order in it. */
typedef struct bundle {
    double q[CURVES][POINTS][FORM_MOST], p[CURVES][POINTS][FORM_MOST];
} bundle;

static inline double direction(int curve, int k)
{
    return sin(1.7 + 2.3 * curve + 1.3 * k + 0.9 * curve * k);
}

/* A point of a curve: the start, pushed by e and projected. */
static inline void make_point(lv_sim *sim, const double *q0, const double *v0, double e,
                              int curve)
{
    double q[FORM_MOST], v[FORM_MOST];
    lv_error err;
    int n = sim->system->n;
    for (int k = 0; k < n; k++) {
        q[k] = q0[k] + e * direction(curve, k);
        v[k] = v0[k] + e * direction(curve + CURVES, k);
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

/* Largest change in a step, relative to the sum of the sizes of the terms. */
static inline double two_form_defect(lv_sim *sim, double spread)
{
    static bundle before, after;
    double q0[FORM_MOST], v0[FORM_MOST], worst = 0;
    int n = sim->system->n;
    size_t bytes = (size_t)n * sizeof(double);
    memcpy(q0, lv_sim_position(sim), bytes);
    memcpy(v0, lv_sim_velocity(sim), bytes);
    for (int c = 0; c < CURVES; c++)
        for (int i = 0; i < POINTS; i++) {
            make_point(sim, q0, v0, (i - POINTS / 2) * spread, c);
            memcpy(before.q[c][i], lv_sim_position(sim), bytes);
            memcpy(before.p[c][i], lv_sim_momentum(sim), bytes);
            step_once(sim);
            memcpy(after.q[c][i], lv_sim_position(sim), bytes);
            memcpy(after.p[c][i], lv_sim_momentum(sim), bytes);
        }
    for (int a = 0; a < CURVES; a++)
        for (int b = 0; b < a; b++) {
            double size = 0, unused = 0;
            double old = two_form(&before, n, a, b, &size);
            double new = two_form(&after, n, a, b, &unused);
            worst = fmax(worst, fabs(new - old) / size);
        }
    return worst;
}

#endif
