/* Pictures of parts, made from templates like their formulas (part/term.h). */
#ifndef LV_PART_DRAW_H
#define LV_PART_DRAW_H

#include "part/term.h"

/* Adds a picture with `count` templates as its formulas; NULL: a formula is absent. sizes
 * and weight may be NULL. */
lv_status lv_draw(lv_expansion *x, lv_picture picture, const char *const *templates,
                  int count, const char *sizes, const char *weight, const lv_hole *holes,
                  lv_error *err);

/* Adds a line from one point to another. */
lv_status lv_draw_line(lv_expansion *x, const char *shape, const lv_entry *family,
                       const char *from, const char *to, const lv_hole *holes,
                       lv_error *err);

#endif
