/* Hamiltonians at the start: velocities from momenta, and a check that the transformation
 * is regular. */
#ifndef LV_MODEL_MOMENTUM_START_H
#define LV_MODEL_MOMENTUM_START_H

#include "model/coupling.h"

/* Computes the start velocities v = dH/dp of the coordinates whose momentum is given. */
lv_status lv_momentum_start(lv_model *model, const lv_coupling *coupling, lv_arena *arena,
                            lv_error *err);

/* Fails if a pivot is zero, or negligible relative to its scale, in an instance of the
 * kernel at the start. From row `first` on, the rows are `count` pivots, then their
 * scales. */
lv_status lv_momentum_check_pivots(const lv_model *model, const lv_kernel *kernel,
                                   int first, int count, lv_error *err);

#endif
