/* Reduces the number of unknowns if the mass matrix is constant.
 *
 * The equation c M U + ... = 0 of an unknown velocity U becomes the definition U = -(1/c)
 * M^-1 (...). Definitions may then depend on each other in cycles. These are cut either
 * at velocities, which become unknowns again, or at positions Q = q + h U with a new
 * unknown U, whichever are fewer. */
#ifndef LV_STEP_REDUCE_H
#define LV_STEP_REDUCE_H

#include "step/inline.h"

/* The form must have been inlined. It is inlined again at the end. */
lv_status lv_form_reduce(lv_inlining *w, lv_error *err);

/* Reports that definitions depend on each other in a cycle. */
lv_status lv_fail_circle(lv_error *err);

#endif
