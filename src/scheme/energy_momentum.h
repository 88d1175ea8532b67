/* livens, em-g and em: methods of lv_scheme. Descriptors are in energy_momentum_members.c. */
#ifndef LV_SCHEME_ENERGY_MOMENTUM_H
#define LV_SCHEME_ENERGY_MOMENTUM_H

#include "scheme/scheme.h"
#include "step/stepper.h"

lv_status lv_energy_momentum_create(const lv_scheme *self, void **work, lv_system *system,
                                    const lv_scheme_options *options, lv_error *err);
lv_status lv_energy_momentum_equations(const lv_scheme *self, lv_text *out,
                                       const lv_scheme_options *options, lv_error *err);
void lv_energy_momentum_free(void *work);
lv_status lv_energy_momentum_step(void *work, lv_state *state, double h, bool project,
                                  lv_step_report *report, lv_error *err);
lv_memory_view lv_energy_momentum_memory(void *work);
void lv_energy_momentum_forget(void *work);
void lv_energy_momentum_multipliers(void *work, double *lambda, double *gamma);
lv_stepper *lv_energy_momentum_stepper(void *work);

lv_status lv_energy_momentum_tangent(void *work, double *matrix, lv_error *err);

#endif
