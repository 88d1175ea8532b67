/* Methods of lv_scheme for livens, em-g and em. The descriptors are in
 * energy_momentum_members.c. */
#ifndef LV_SCHEME_ENERGY_MOMENTUM_H
#define LV_SCHEME_ENERGY_MOMENTUM_H

#include "scheme/stepped.h"

lv_status lv_energy_momentum_create(const lv_scheme *self, void **work, lv_system *system,
                                    const lv_scheme_options *options, lv_error *err);
lv_status lv_energy_momentum_equations(const lv_scheme *self, lv_text *out,
                                       const lv_scheme_options *options, lv_error *err);
void lv_energy_momentum_free(void *work);

#endif
