/* Methods of schemes whose work is a stepper and nothing else. Multipliers of the last step are the carried fields
 * last_lambda and last_gamma of the text, where it has them. */
#ifndef LV_SCHEME_STEPPED_H
#define LV_SCHEME_STEPPED_H

#include "scheme/scheme.h"
#include "step/stepper.h"

void lv_stepped_free(void *work);
lv_status lv_stepped_step(void *work, lv_state *state, double h, bool project,
                          lv_step_report *report, lv_error *err);
lv_memory_view lv_stepped_memory(void *work);
void lv_stepped_forget(void *work);
void lv_stepped_multipliers(void *work, double *lambda, double *gamma);
lv_status lv_stepped_tangent(void *work, double *matrix, lv_error *err);
lv_stepper *lv_stepped_stepper(void *work);

#define LV_STEPPED_METHODS                                                               \
    .free = lv_stepped_free, .step = lv_stepped_step, .memory = lv_stepped_memory,       \
    .forget = lv_stepped_forget, .multipliers = lv_stepped_multipliers,                  \
    .tangent = lv_stepped_tangent, .stepper = lv_stepped_stepper

#endif
