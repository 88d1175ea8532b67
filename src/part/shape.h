/* Shapes of bodies: what density makes of them. */
#ifndef LV_PART_SHAPE_H
#define LV_PART_SHAPE_H

#include "part/term.h"

/* Is the key "shape", if the body has it, a known shape with positive sizes? */
lv_status lv_shape_check(lv_expansion *x, const lv_entry *family, lv_error *err);

/* Holes `mass` and `inertia` of a body from its keys "shape" and "density". */
lv_status lv_shape_holes(lv_expansion *x, lv_hole *mass, lv_hole *inertia, lv_error *err);

/* The words of `shape`, for readers. */
extern const lv_word lv_shape_words[];

#endif
