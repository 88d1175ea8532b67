/* Gravity for parts with mass. */
#ifndef LV_PART_GRAVITY_H
#define LV_PART_GRAVITY_H

#include "part/term.h"

/* Makes the acceleration of gravity the hole `g`; *present is false if the model has no
 * [gravity]. */
lv_status lv_gravity_hole(lv_expansion *x, lv_hole *g, bool *present, lv_error *err);

#endif
