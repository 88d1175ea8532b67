/* Finds fields at which to cut cycles of definitions. */
#ifndef LV_STEP_CIRCLES_H
#define LV_STEP_CIRCLES_H

#include "step/form.h"

/* Marks defined fields of a space until every cycle of definitions contains a marked
 * field, then unmarks fields that are not needed for that. Only fields with may[field]
 * are marked. Returns the number of marks, or `most` if that many do not suffice. room:
 * one byte per field. */
int lv_circles_cut(const lv_form *form, unsigned char *room, bool *cut, lv_space space,
                   const bool *may, int most);

#endif
