/* Hints that say what to do about a failure. They depend only on the facts in the error
 * (lv_error.why, lv_error.about). An error that already has a hint keeps it. */
#ifndef LV_RUN_ADVICE_H
#define LV_RUN_ADVICE_H

#include "run/sim.h"

/* For a start that could not be moved onto its constraints. */
void lv_advise_start(lv_error *err);

/* For a step that failed. */
void lv_advise_step(const lv_sim *sim, lv_error *err);

/* For a motion whose energy is no longer finite. */
void lv_advise_runaway(const lv_sim *sim, lv_error *err);

#endif
