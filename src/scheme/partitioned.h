/* The methods of lv_scheme that all schemes with partitioned Runge-Kutta tableaux share.
 * They differ only in the coefficients. */
#ifndef LV_SCHEME_PARTITIONED_H
#define LV_SCHEME_PARTITIONED_H

#include "scheme/stepped.h"
#include "stepper/stepper.h"

/* Takes ownership of the tableau, also on failure. coefficients: number of coefficients
 * of multipliers that are polynomials, -1: multipliers are values at the stages.
 * rotations: how bodies rotate if the system has them on groups. */
lv_status lv_partitioned_create(void **work, lv_system *system, lv_tableau *tableau,
                                int coefficients, lv_rotations_as rotations,
                                lv_error *err);

/* Creates a scheme with the rectangle rule for forces: ansatz->points panels, each
 * represented by its left end. All other integrals are exact. For separable systems
 * only. */
lv_status lv_partitioned_create_panels(void **work, lv_system *system,
                                       const lv_ansatz *ansatz, int coefficients,
                                       lv_error *err);

lv_status lv_partitioned_equations_of_panels(lv_text *out, const lv_ansatz *ansatz,
                                             int coefficients, lv_error *err);

void lv_partitioned_free(void *work);

lv_slopes lv_partitioned_slopes(void *work, const lv_state *before, const lv_state *after,
                                double h);
bool lv_partitioned_on_groups(void *work);
lv_status lv_partitioned_inside(void *work, const lv_state *before, double h, double x,
                                lv_state *at, lv_error *err);
void lv_partitioned_stages(void *work, const lv_state *before, const lv_state *after,
                           double h, lv_stage_visit visit, void *user);
const double *lv_partitioned_nonholonomic_multipliers(void *work);
lv_status lv_partitioned_step(void *work, lv_state *state, double h, bool project,
                              lv_step_report *report, lv_error *err);
lv_status lv_partitioned_tangent(void *work, double *matrix, lv_error *err);

#define LV_PARTITIONED_METHODS                                                           \
    .free = lv_partitioned_free, .slopes = lv_partitioned_slopes,                        \
    .on_groups = lv_partitioned_on_groups, .inside = lv_partitioned_inside,              \
    .stages = lv_partitioned_stages,                                                     \
    .nonholonomic_multipliers = lv_partitioned_nonholonomic_multipliers,                 \
    .step = lv_partitioned_step, .memory = lv_stepped_memory,                            \
    .forget = lv_stepped_forget, .stepper = lv_stepped_stepper,                          \
    .tangent = lv_partitioned_tangent

#endif
