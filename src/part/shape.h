/* Shapes of bodies, and their mass and inertia for a given density. */
#ifndef LV_PART_SHAPE_H
#define LV_PART_SHAPE_H

#include "part/term.h"

/* Fails if the key "shape", if present, is unknown or has sizes that are not positive. */
lv_status lv_shape_check(lv_expansion *x, const lv_entry *family, lv_error *err);

/* Makes the holes `mass` and `inertia` of a body from its keys "shape" and "density". */
lv_status lv_shape_holes(lv_expansion *x, lv_hole *mass, lv_hole *inertia, lv_error *err);

/* The words of `shape` with their meanings. */
extern const lv_word lv_shape_words[];

#endif
