/* vi-a, vi-b, vi-b2 and vi-s: methods of lv_scheme. Descriptors are in ggl_members.c. */
#ifndef LV_SCHEME_VARIATIONAL_H
#define LV_SCHEME_VARIATIONAL_H

#include "scheme/ggl.h"
#include "step/stepper.h"

lv_status lv_variational_create(const lv_scheme *self, void **work, lv_system *system,
                                const lv_scheme_options *options, lv_error *err);
void lv_variational_free(void *work);
lv_status lv_variational_step(void *work, lv_state *state, double h, bool project,
                              lv_step_report *report, lv_error *err);
lv_memory_view lv_variational_memory(void *work);
void lv_variational_forget(void *work);
void lv_variational_multipliers(void *work, double *lambda, double *gamma);

/* For tests. */
lv_stepper *lv_variational_stepper(void *work);

#endif
