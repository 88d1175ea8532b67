/* Stage equations of a partitioned Runge-Kutta scheme for any Lagrangian, forces and holonomic
 * constraints (theory 4): unknowns are the velocities V_1 .. V_s and multipliers mu_1 .. mu_{s-1}
 * of the stages. */
#ifndef LV_SCHEME_STAGES_H
#define LV_SCHEME_STAGES_H

#include "scheme/scheme.h"
#include "scheme/tableau.h"

typedef struct lv_stages lv_stages;

lv_status lv_stages_create(lv_stages **stages, lv_system *system,
                           const lv_tableau *tableau, lv_error *err);
void lv_stages_free(lv_stages *stages);

lv_status lv_stages_step(lv_stages *stages, lv_state *state, double h, bool project,
                         lv_step_report *report, lv_error *err);
lv_memory_view lv_stages_memory(lv_stages *stages);
void lv_stages_forget(lv_stages *stages);

#endif
