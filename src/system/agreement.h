/* Checks whether constraints that depend on each other are consistent.
 *
 * Equations of dependent constraints are solved in the least-norm sense, which satisfies
 * all of them if they are consistent and none of them if they are not. Callers that
 * solved in this sense must check the residual with these functions. */
#ifndef LV_SYSTEM_AGREEMENT_H
#define LV_SYSTEM_AGREEMENT_H

#include "system/determined.h"
#include "system/system.h"

/* Fail if g(q, t), or the rates G v + g_t and Phi, are larger than rounding can explain.
 * The error names the constraints that contradict each other, or the worst one if none
 * do. */
lv_status lv_system_agree_position(lv_system *system, double t, const double *q,
                                   lv_error *err);
lv_status lv_system_agree_velocity(lv_system *system, double t, const double *q,
                                   const double *v, lv_error *err);

/* A residual is accepted up to this factor times the sum of the absolute values of the
 * gradient times the size of positions or velocities. */
#define LV_RESIDUAL_LIMIT 1e-8

/* The largest residual, divided by the largest one that is accepted, for given gradients
 * and residuals of constraints. `size`: largest absolute value of positions, or of
 * velocities. */
double lv_system_residual_share(const lv_pattern *pattern, const double *gradients,
                                const double *residuals, double size);

/* Fails only if constraints contradict each other, whatever other residuals there are. */
lv_status lv_system_contradiction(lv_system *system, double t, const double *q,
                                  lv_error *err);

/* The number of constraints of either kind that depend on others at a point, judged by
 * their gradients; -1 if the case is not clear and too many rows are involved.
 * system->dependence tells which they are. */
int lv_system_count_dependent(lv_system *system, double t, const double *q,
                              const double *v);

/* Constraints whose gradients are dependent at a point up to a relative remainder, `value`,
 * of at most LV_NEARLY_DEPENDENT, and which are not treated as dependent. Rounding
 * changes their velocities by about eps / value^2, which is then more than half of the
 * digits. `value` is 1 if there are none. */
#define LV_NEARLY_DEPENDENT 1e-4
lv_near lv_system_nearly_dependent(lv_system *system, double t, const double *q,
                                   const double *v);

/* Finds a holonomic constraint whose gradient vanishes not only at q but wherever the
 * constraint holds, as that of f^2 = 0 does: no force can maintain it. Returns its row,
 * or -1 if there is none. */
int lv_system_flat_constraint(lv_system *system, double t, const double *q);

/* Reports the error that names such a constraint. */
lv_status lv_system_refuse_flat(const lv_system *system, int row, lv_error *err);

#endif
