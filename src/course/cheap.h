/* The cheap Newton matrix of a phase (course/matrix.h), from which velocities are
 * eliminated with the mass matrix. The equations
 *
 *     (N x M) d + B y = r,   C d = s
 *
 * have the corrections d of vectors and y of multipliers as unknowns. N is a matrix of
 * numbers, one for each pair of vectors; B and C consist of G^T and G at points of the
 * step. Inserting d = (N x M)^-1 (r - B y) gives
 *
 *     -C (N x M)^-1 B y = s - C (N x M)^-1 r. */
#ifndef LV_COURSE_CHEAP_H
#define LV_COURSE_CHEAP_H

#include "course/course.h"
#include "num/linear.h"

typedef struct lv_cheap lv_cheap;

/* *cheap is NULL if the system or the phase has no such matrix; that is no error. */
lv_status lv_cheap_create(lv_cheap **cheap, lv_course *course, int phase, lv_error *err);
bool lv_cheap_renew(lv_cheap *cheap); /* Like lv_stepper_renew. */
void lv_cheap_free(lv_cheap *cheap);
bool lv_cheap_build(lv_cheap *cheap, const bool *gone);

/* x has the right sides of all columns of the phase, and receives the solution. In linear
 * phases the corrections of defined vectors that nothing needs are not computed. */
void lv_cheap_solve(lv_cheap *cheap, double *x);
lv_linear *lv_cheap_linear(const lv_cheap *cheap); /* NULL if there are no multipliers. */

/* Announces constraint rows that will be left out repeatedly (lv_linear_expect_left_out).
 * rows[r] is true for such a row r. */
lv_status lv_cheap_expect_left_out(lv_cheap *cheap, const bool *rows, lv_error *err);

#endif
