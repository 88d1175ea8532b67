/* Fewer unknowns where the mass matrix is constant.
 *
 * The equation c M U + ... = 0 of an unknown velocity U becomes the definition U = -(1/c) M^-1 (...). Definitions may
 * then depend on each other in circles. These are cut either at velocities, which become unknowns again, or at
 * positions Q = q + h U with a new unknown U, whichever are fewer. */
#ifndef LV_STEP_REDUCE_H
#define LV_STEP_REDUCE_H

#include "step/inline.h"

/* The form has been inlined, and is inlined again. */
lv_status lv_form_reduce(lv_inlining *w, lv_error *err);

/* The error of definitions that depend on each other in a circle. */
lv_status lv_fail_circle(lv_error *err);

#endif
