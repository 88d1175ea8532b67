/* Steps that are made by a program (step/fused.h): initial guesses, passes, and whether they end at a solution. */
#ifndef LV_STEP_FUSED_STEP_H
#define LV_STEP_FUSED_STEP_H

#include "step/fused.h"
#include "step/solver.h"

/* The carried fields of the course are those with which the step begins. Afterwards unknowns, assigned values and what the
 * next step begins with are in the course. solvers: of all phases; they have learned from the step as if they had
 * solved it. false: the step has to be taken by the solvers, which are as they were. */
bool lv_fused_step(lv_fused *fused, lv_solver *solvers, const lv_step_now *now,
                   lv_step_report *report);

#endif
