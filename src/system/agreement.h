/* Do constraints that depend on each other agree?
 *
 * Equations of dependent constraints are solved in the least-norm sense, which satisfies all of them if they
 * are consistent and none of them if they are not. Whoever solved so has to look at what is left: here. */
#ifndef LV_SYSTEM_AGREEMENT_H
#define LV_SYSTEM_AGREEMENT_H

#include "system/system.h"

/* Fails if g(q, t), or the rates G v + g_t and Phi, are not zero beyond rounding. Names the constraints that
 * contradict each other, or the worst one if none do. */
lv_status lv_system_agree_position(lv_system *system, double t, const double *q,
                                   lv_error *err);
lv_status lv_system_agree_velocity(lv_system *system, double t, const double *q,
                                   const double *v, lv_error *err);

/* Residuals up to this part of the gradient, summed up, times positions or velocities are let pass. */
#define LV_RESIDUAL_LIMIT 1e-8

/* The first question of these, answered by numbers that a scheme has at hand: the largest residual, as a part of what is
 * let pass, of constraints at a point where gradients are these, and positions, or velocities, are as large as `size`. */
double lv_system_residual_share(const lv_pattern *pattern, const double *gradients,
                                const double *residuals, double size);

/* Fails in the first case only: whatever else is left is somebody else's concern. */
lv_status lv_system_contradiction(lv_system *system, double t, const double *q,
                                  lv_error *err);

/* How many of all constraints depend on others at a point, judged from their gradients; -1: there are too many
 * to tell. system->dependence has them. */
int lv_system_count_dependent(lv_system *system, double t, const double *q,
                              const double *v);

/* A holonomic constraint whose gradient vanishes not only at q but wherever the constraint holds, as that of
 * f^2 does: no force can keep it. -1: there is none. */
int lv_system_flat_constraint(lv_system *system, double t, const double *q);

/* The error that names it. */
lv_status lv_system_refuse_flat(const lv_system *system, int row, lv_error *err);

#endif
