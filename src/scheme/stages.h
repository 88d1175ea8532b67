/* Stage equations of a partitioned Runge-Kutta scheme for any Lagrangian, forces, holonomic and
 * nonholonomic constraints (theory 4, 7): unknown are the velocities of the stages and the
 * multipliers. */
#ifndef LV_SCHEME_STAGES_H
#define LV_SCHEME_STAGES_H

#include "scheme/multipliers.h"
#include "scheme/scheme.h"

typedef struct lv_stages lv_stages;

/* The space is for holonomic constraints; nonholonomic ones need one that is nodal and, where both
 * kinds meet, whole. Tableau and space must outlive the stages. */
lv_status lv_stages_create(lv_stages **stages, lv_system *system,
                           const lv_tableau *tableau, const lv_multipliers *space,
                           lv_error *err);
void lv_stages_free(lv_stages *stages);

lv_status lv_stages_step(lv_stages *stages, lv_state *state, double h, bool project,
                         lv_step_report *report, lv_error *err);
/* Numbers carried from step to step, to be kept in memory of the caller's. */
int lv_stages_memory_size(const lv_stages *stages);
void lv_stages_use_memory(lv_stages *stages, double *memory);
void lv_stages_forget(lv_stages *stages);

/* Multipliers of the nonholonomic constraints as they are carried from step to step; NULL before the
 * first step and where there are none. */
const double *lv_stages_carried(const lv_stages *stages);

/* Of the last step, for dense output. */
lv_slopes lv_stages_slopes(lv_stages *stages, const lv_state *before, double h);

/* The stages of the last step (lv_scheme.stages). */
void lv_stages_visit(lv_stages *stages, const lv_state *before, double h,
                     lv_stage_visit visit, void *user);

#endif
