/* Decides whether a start satisfies its constraints, and whether a motion still does.
 *
 * A residual alone says nothing: for norm2(x) - l^2 the value 1e-8 is large if the rod is
 * a tenth of a millimetre long, and less than rounding for the orbit of a satellite. So
 * |g| is compared with the change of the constraint when coordinates change by a fraction
 * of themselves, |G W|, where W are the sizes of the coordinates (the largest of each
 * group):
 *
 *     |g| <= (1e-8 s + 1e-13) |G W| + 16 eps |G| |q|,      s = min(1, |G W| / |w g_qq w|)
 *
 * s is the length within which the constraint is curved, relative to the coordinates. It
 * is small for a short rod far from the origin, whose ends have large coordinates but a
 * small difference. 1e-13 allows for rounding in these, 16 eps (eps = 2.2e-16) for
 * rounding in a zero such as l*cos(pi/2), with |q| the largest coordinate of all.
 *
 * Rates and nonholonomic constraints are compared alike, without s: |v| is the largest
 * velocity of all, and W are the sizes of the velocities plus sqrt(a q), the velocities
 * that accelerations a give to the coordinates. Rounding of the coordinates, 16 eps q,
 * changes the gradients; the resulting change of the rates is allowed, too. */
#ifndef LV_SYSTEM_CONSISTENT_H
#define LV_SYSTEM_CONSISTENT_H

#include "system/system.h"

/* The size of each coordinate (or velocity): the largest of its group. Where that is zero
 * it is the largest of all, but at most 1, or 1 if all are zero. */
void lv_system_sizes(const lv_system *system, const double *x, double *size);

/* Largest allowed |g| of each holonomic constraint. `share` multiplies the tolerance
 * 1e-8, which is meant for starts that people write; the tolerances for rounding are not
 * multiplied. */
void lv_system_position_limits(lv_system *system, double t, const double *q, double share,
                               double *limits);

/* The same for the rate of each constraint. h is the step with which the state was
 * reached, or 0 if the velocities were given and not computed. With a step, rounding of
 * the velocities in one step is allowed: the velocities of a motion that comes to rest,
 * or never begins, are nothing else. */
void lv_system_velocity_limits(lv_system *system, double t, const double *q,
                               const double *v, double h, double share, double *limits);

/* Returns the residual that is largest relative to its limit, among those beyond `least`
 * times their limit; -1 if there is none. */
int lv_system_furthest(const double *residuals, const double *limits, int count,
                       double least);

/* Returns the constraint that is violated most, and sets *residual; -1 if none is. For
 * velocities nonholonomic constraints follow the holonomic ones. */
int lv_system_violated_position(lv_system *system, double t, const double *q,
                                double *residual);
int lv_system_violated_velocity(lv_system *system, double t, const double *q,
                                const double *v, double *residual);

#endif
