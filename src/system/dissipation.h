/* Dissipation functions R that are negative: the force -R_v then feeds energy, -v . R_v > 0. They are
 * allowed (oscillators that excite themselves), but as a rule a sign is wrong. */
#ifndef LV_SYSTEM_DISSIPATION_H
#define LV_SYSTEM_DISSIPATION_H

#include "model/model.h"

/* Writes the name and place of a dissipation that feeds energy at the start, with the velocities there
 * or with others: "'drag' (model.toml:9:15)". "" if there is none. */
lv_status lv_dissipation_test(const lv_model *model, char *text, size_t size,
                              lv_error *err);

#endif
