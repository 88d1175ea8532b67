/* States of bodies in motions, and comparisons with numbers of other programs. */
#ifndef CLI_REPRODUCE_BODY_H
#define CLI_REPRODUCE_BODY_H

#include "cli/reproduce/motion.h"

enum { CLI_BODY = 12 };

/* The rotation matrix row by row and the angular velocity in body axes, of the body whose
 * axes begin at the coordinate `axes`. */
void cli_body_read(double x[CLI_BODY], const cli_motion *motion, int axes);

/* R J omega, for the moments of inertia J. */
void cli_body_momentum(double momentum[3], const double x[CLI_BODY], const double J[3]);

/* The state of the body after some steps. */
lv_status cli_body_reach(double x[CLI_BODY], const cli_start *start, const char *scheme,
                         int axes, long steps, lv_error *err);

/* The change of the symplectic form, relative to its size, by the second of the next two
 * steps. The derivative of the first step makes the two directions tangent. */
lv_status cli_motion_form_defect(cli_motion *motion, double *defect, lv_error *err);

/* Takes the last of some steps back with the opposite velocity; *distance: how far this
 * misses its start. */
lv_status cli_motion_return(cli_motion *motion, double *distance, lv_error *err);

/* The largest |a / b - 1|, where b are known numbers; entries with b = 0 are left out. */
double cli_largest_deviation(const double *a, const double *b, int count);

/* Writes "1.2e-03, 3.0e-04" in memory of the pool; NULL: memory is short. */
const char *cli_numbers(cli_pool *pool, const double *numbers, int count);

#endif
