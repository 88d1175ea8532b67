/* The cheap Newton matrix of a phase (step/matrix.h): velocities are eliminated by the mass matrix. In
 *
 *     (N x M) d + B y = r,   C d = s
 *
 * N is a matrix of numbers, B and C are made of G^T and G at points of the step, and d = (N x M)^-1 (r - B y) gives
 * -C (N x M)^-1 B y = s - C (N x M)^-1 r. */
#ifndef LV_STEP_CHEAP_H
#define LV_STEP_CHEAP_H

#include "num/linear.h"
#include "step/course.h"

typedef struct lv_cheap lv_cheap;

/* *cheap stays NULL where the system or the phase has none. */
lv_status lv_cheap_create(lv_cheap **cheap, lv_course *course, int phase, lv_error *err);
bool lv_cheap_renew(lv_cheap *cheap); /* as lv_stepper_renew */
void lv_cheap_free(lv_cheap *cheap);
bool lv_cheap_build(lv_cheap *cheap, const bool *gone);

/* x has the right sides of the unknowns, and becomes the solution. In linear phases vectors that are defined by others are
 * left out. */
void lv_cheap_solve(lv_cheap *cheap, double *x);
lv_linear *lv_cheap_linear(const lv_cheap *cheap); /* NULL: there are no multipliers */

/* Rows that will be left out again and again. */
lv_status lv_cheap_expect_left_out(lv_cheap *cheap, const bool *rows, lv_error *err);

#endif
