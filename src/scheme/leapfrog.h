/* Lobatto IIIA-IIIB with two stages for nonholonomic constraints that are affine in the velocities,
 * constant mass and forces of position and time: explicit but for one small linear system a step
 * (theory 7). */
#ifndef LV_SCHEME_LEAPFROG_H
#define LV_SCHEME_LEAPFROG_H

#include "scheme/scheme.h"

typedef struct lv_leapfrog lv_leapfrog;

/* Does it take the system? */
bool lv_leapfrog_fits(const lv_system *system);

/* The tableau is for dense output; it must outlive the leapfrog. */
lv_status lv_leapfrog_create(lv_leapfrog **leapfrog, lv_system *system,
                             const lv_tableau *tableau, lv_error *err);
void lv_leapfrog_free(lv_leapfrog *leapfrog);

lv_status lv_leapfrog_step(lv_leapfrog *leapfrog, lv_state *state, double h,
                           lv_step_report *report, lv_error *err);
lv_memory_view lv_leapfrog_memory(lv_leapfrog *leapfrog);
void lv_leapfrog_forget(lv_leapfrog *leapfrog);

/* Multipliers of the last node; NULL before the first step. */
const double *lv_leapfrog_carried(const lv_leapfrog *leapfrog);

/* Of the last step, for dense output. */
lv_slopes lv_leapfrog_slopes(lv_leapfrog *leapfrog, const lv_state *before,
                             const lv_state *after, double h);

/* The stages of a step (lv_scheme.stages). */
void lv_leapfrog_visit(lv_leapfrog *leapfrog, const lv_state *before,
                       const lv_state *after, double h, lv_stage_visit visit, void *user);

#endif
