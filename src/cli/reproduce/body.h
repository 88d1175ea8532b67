/* Bodies in motions, and numbers of theirs that are known from elsewhere. */
#ifndef CLI_REPRODUCE_BODY_H
#define CLI_REPRODUCE_BODY_H

#include "cli/reproduce/motion.h"

enum { CLI_BODY = 12 };

/* The rotation matrix row by row and the angular velocity in body axes, of the body whose axes begin at a
 * coordinate. */
void cli_body_read(double x[CLI_BODY], const cli_motion *motion, int axes);

/* R J omega, for the moments of inertia J. */
void cli_body_momentum(double momentum[3], const double x[CLI_BODY], const double J[3]);

/* The state of the body after some steps. */
lv_status cli_body_reach(double x[CLI_BODY], const cli_start *start, const char *scheme,
                         int axes, long steps, lv_error *err);

/* How far the next two steps are from keeping the symplectic form, relative to its size: for two directions that the
 * derivative of the first step made tangent, before and after the second one. */
lv_status cli_motion_form_defect(cli_motion *motion, double *defect, lv_error *err);

/* How far the last of some steps, taken back with the opposite velocity, misses where it began. */
lv_status cli_motion_return(cli_motion *motion, double *distance, lv_error *err);

/* The largest |a / b - 1| of numbers of which `b` are known from elsewhere; those that are 0 are left out. */
double cli_largest_deviation(const double *a, const double *b, int count);

/* "1.2e-03, 3.0e-04": numbers as one text, in memory of the pool. NULL without memory. */
const char *cli_numbers(cli_pool *pool, const double *numbers, int count);

#endif
