/* Stage equations of Lobatto IIIA-IIIB for separable systems: constant mass, forces of position
 * and time, holonomic constraints. Only multipliers and positions of inner stages are unknown
 * (Martin de Diego, Sato Martin de Almagro 2018; theory 4). */
#ifndef LV_SCHEME_SEPARABLE_H
#define LV_SCHEME_SEPARABLE_H

#include "scheme/scheme.h"
#include "scheme/tableau.h"

typedef struct lv_separable lv_separable;

/* general: two stages are solved as any number of them is, not by rattle.c. */
lv_status lv_separable_create(lv_separable **separable, lv_system *system,
                              const lv_tableau *tableau, bool general, lv_error *err);
void lv_separable_free(lv_separable *separable);

lv_status lv_separable_step(lv_separable *separable, lv_state *state, double h,
                            bool project, lv_step_report *report, lv_error *err);
lv_memory_view lv_separable_memory(lv_separable *separable);
void lv_separable_forget(lv_separable *separable);

/* Of the last step, for dense output. */
lv_slopes lv_separable_slopes(lv_separable *separable, const lv_state *before,
                              const lv_state *after, double h);

/* The stages of the last step (lv_scheme.stages). */
void lv_separable_visit(lv_separable *separable, const lv_state *before,
                        const lv_state *after, double h, lv_stage_visit visit,
                        void *user);

#endif
