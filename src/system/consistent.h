/* Does a start satisfy its constraints, and does a motion that should?
 *
 * A residual alone says nothing: norm2(x) - l^2 of 1e-8 is a tenth of a rod of a tenth of
 * a millimetre, and less than rounding for the orbit of a satellite. So |g| is compared
 * with what the constraint changes by when coordinates change by a part of themselves, |G
 * W| with W the sizes of the coordinates (the largest of each group):
 *
 *     |g| <= (1e-8 s + 1e-13) |G W| + 16 eps |G| |q|,      s = min(1, |G W| / |w g_qq w|)
 *
 * s is the length within which the constraint is curved, relative to the coordinates:
 * that of a short rod far from the origin, whose ends have large coordinates but a small
 * difference. 1e-13 is for rounding in these, 16 eps (of 2.2e-16) for that in a zero such
 * as l*cos(pi/2), |q| being the largest coordinate of all. Rates and nonholonomic
 * constraints are compared alike, |v| being the largest velocity of all, without s, W
 * being the sizes of the velocities and of what accelerations make of the coordinates,
 * sqrt(a q). Rounding of the coordinates, 16 eps q, changes the gradients: what that
 * makes of the rates is allowed, too. */
#ifndef LV_SYSTEM_CONSISTENT_H
#define LV_SYSTEM_CONSISTENT_H

#include "system/system.h"

/* The size of each coordinate (or velocity), that of the largest in its group. Where that
 * is zero there is nothing to go by but the others: the size of all, or 1 if that is
 * less, or if all are zero. */
void lv_system_sizes(const lv_system *system, const double *x, double *size);

/* What |g| of each holonomic constraint, and the rate of each constraint, may be. share:
 * what counts of 1e-8, which is for starts that people write; rounding counts in full. */
void lv_system_position_limits(lv_system *system, double t, const double *q, double share,
                               double *limits);

/* h: the step with which the state was reached. What rounding leaves of velocities in one
 * is then allowed: a motion that comes to rest, or never begins, has velocities that are
 * nothing else. 0: the velocities were given, not computed. */
void lv_system_velocity_limits(lv_system *system, double t, const double *q,
                               const double *v, double h, double share, double *limits);

/* The residual that is largest relative to its limit, of those beyond `least` times that;
 * -1: there is none. */
int lv_system_furthest(const double *residuals, const double *limits, int count,
                       double least);

/* The constraint that is violated most, by how much; -1: none is. With nonholonomic
 * constraints behind the others. */
int lv_system_violated_position(lv_system *system, double t, const double *q,
                                double *residual);
int lv_system_violated_velocity(lv_system *system, double t, const double *q,
                                const double *v, double *residual);

#endif
