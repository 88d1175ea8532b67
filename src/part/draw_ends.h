/* Pictures of parts that join two ends: springs and rods. */
#ifndef LV_PART_DRAW_ENDS_H
#define LV_PART_DRAW_ENDS_H

#include "part/term.h"

/* Draws what joins two ends, the holes `a` and `b` (lv_ends_read): a line, and bars from
 * the centres of bodies without a shape to ends that are point(NAME, ...). */
lv_status lv_draw_ends(lv_expansion *x, const char *shape, const lv_entry *family,
                       const lv_hole *holes, lv_error *err);

#endif
