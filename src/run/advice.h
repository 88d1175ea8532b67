/* Hints: what to do about a failure, made of its facts (lv_error.why, lv_error.about) and of nothing else. An error
 * that has a hint keeps it. */
#ifndef LV_RUN_ADVICE_H
#define LV_RUN_ADVICE_H

#include "run/sim.h"

/* A start that could not be moved onto its constraints. */
void lv_advise_start(lv_error *err);

/* A step that could not be taken. */
void lv_advise_step(const lv_sim *sim, lv_error *err);

/* A motion whose energy is no longer finite. */
void lv_advise_runaway(const lv_sim *sim, lv_error *err);

#endif
