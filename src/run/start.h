/* The start of a motion: the start of the model, which is refused if it violates the
 * constraints, or moved onto them. */
#ifndef LV_RUN_START_H
#define LV_RUN_START_H

#include <livens/sim.h>

#include "system/system.h"

/* Sets q and v to the start of the model, moved onto the constraints if `initial` asks
 * for it. A failure reports the values that would be consistent; q and v are then
 * undefined. `room`: 2 n numbers. */
lv_status lv_start_make(lv_system *system, lv_initial initial, double *q, double *v,
                        double *room, lv_error *err);

/* Measures how far q and v are from the start of the model. */
lv_status lv_start_compare(lv_start_change *change, const lv_system *system,
                           lv_initial initial, const double *q, const double *v,
                           lv_error *err);

#endif
