/* A small nonlinear motion, a solver for partitioned schemes and a reference of another kind,
 * to measure orders with. long double: rounding stays below the errors that are measured.
 *
 *   H = (1 + q2^2) p1^2 / 2 + p2^2 / 2 + (q1^2 + q2^2) / 2 + q1^2 q2 - q2^3 / 3
 *
 * (Henon and Heiles, with a mass that depends on the position; with moving = 0 it is constant) */
#ifndef LV_TESTS_MOTION_H
#define LV_TESTS_MOTION_H

#include "scheme/tableau.h"

#include <math.h>
#include <string.h>

typedef long double real;

typedef struct motion {
    real q[2], p[2];
} motion;

static const motion motion_start = {{0.3L, -0.2L}, {0.2L, 0.35L}};

/* velocities and forces */
static inline void motion_rates(real moving, const motion *y, motion *rate)
{
    const real *q = y->q, *p = y->p;
    rate->q[0] = (1 + moving * q[1] * q[1]) * p[0];
    rate->q[1] = p[1];
    rate->p[0] = -q[0] - 2 * q[0] * q[1];
    rate->p[1] = -q[1] - q[0] * q[0] + q[1] * q[1] - moving * q[1] * p[0] * p[0];
}

static inline void motion_add(motion *y, real factor, const motion *rate)
{
    for (int k = 0; k < 2; k++) {
        y->q[k] += factor * rate->q[k];
        y->p[k] += factor * rate->p[k];
    }
}

static inline real motion_distance(const motion *a, const motion *b)
{
    real most = 0;
    for (int k = 0; k < 2; k++) {
        most = fmaxl(most, fabsl(a->q[k] - b->q[k]));
        most = fmaxl(most, fabsl(a->p[k] - b->p[k]));
    }
    return most;
}

/* One step of the scheme, stages by fixed-point iteration. */
static inline void motion_step(const lv_tableau *t, real moving, real h, motion *y)
{
    int s = t->stages;
    motion rate[LV_RULE_MOST] = {0};
    real change = 1;
    for (int n = 0; n < 200 && change > 1e-19L; n++) {
        motion next[LV_RULE_MOST];
        change = 0;
        for (int i = 0; i < s; i++) {
            motion stage = *y;
            for (int j = 0; j < s; j++)
                for (int k = 0; k < 2; k++) {
                    stage.q[k] += h * t->a[i * s + j] * rate[j].q[k];
                    stage.p[k] += h * t->ah[i * s + j] * rate[j].p[k];
                }
            motion_rates(moving, &stage, &next[i]);
            change = fmaxl(change, motion_distance(&next[i], &rate[i]));
        }
        memcpy(rate, next, sizeof rate[0] * (size_t)s);
    }
    for (int j = 0; j < s; j++)
        motion_add(y, h * t->b[j], &rate[j]);
}

/* Kick, drift, kick, for moving = 0. */
static inline void motion_leapfrog(real h, motion *y)
{
    motion rate;
    motion_rates(0, y, &rate);
    for (int k = 0; k < 2; k++)
        y->p[k] += h / 2 * rate.p[k];
    for (int k = 0; k < 2; k++)
        y->q[k] += h * y->p[k];
    motion_rates(0, y, &rate);
    for (int k = 0; k < 2; k++)
        y->p[k] += h / 2 * rate.p[k];
}

static inline motion motion_rk4(real moving, real until, int steps)
{
    motion y = motion_start;
    real h = until / steps;
    for (int n = 0; n < steps; n++) {
        motion k1, k2, k3, k4, at = y;
        motion_rates(moving, &at, &k1);
        at = y;
        motion_add(&at, h / 2, &k1);
        motion_rates(moving, &at, &k2);
        at = y;
        motion_add(&at, h / 2, &k2);
        motion_rates(moving, &at, &k3);
        at = y;
        motion_add(&at, h, &k3);
        motion_rates(moving, &at, &k4);
        motion_add(&y, h / 6, &k1);
        motion_add(&y, h / 3, &k2);
        motion_add(&y, h / 3, &k3);
        motion_add(&y, h / 6, &k4);
    }
    return y;
}

/* Kutta's method, extrapolated once: good to about 1e-17. */
static inline motion motion_reference(real moving, real until)
{
    motion coarse = motion_rk4(moving, until, 2048),
           fine = motion_rk4(moving, until, 4096);
    motion result = fine;
    motion_add(&result, 1 / 15.0L, &fine);
    motion_add(&result, -1 / 15.0L, &coarse);
    return result;
}

#endif
