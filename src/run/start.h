/* Where a motion begins: the start of the model, refused if it violates the constraints or moved onto
 * them. */
#ifndef LV_RUN_START_H
#define LV_RUN_START_H

#include <livens/sim.h>

#include "system/system.h"

/* q and v: the start of the model, moved onto the constraints if `initial` says so. Fails with the values
 * that would be consistent; q and v are then whatever was reached. `room` has 2 n numbers. */
lv_status lv_start_make(lv_system *system, lv_initial initial, double *q, double *v,
                        double *room, lv_error *err);

/* How far q and v are from the start of the model. */
lv_status lv_start_compare(lv_start_change *change, const lv_system *system,
                           lv_initial initial, const double *q, const double *v,
                           lv_error *err);

#endif
