/* The derivative of a step: how what it assigns changes with the carried fields that it
 * begins with.
 *
 * Everything that the step computes, unknowns, definitions and assigned values, has
 * columns in one matrix, and its equation or definition rows; all phases stand together,
 * with all derivatives of all operators. What the equations change by with the carried
 * fields is the right side. The matrix is made of the values that the step ended with. */
#ifndef LV_STEP_TANGENT_H
#define LV_STEP_TANGENT_H

#include "step/course.h"

typedef struct lv_tangent lv_tangent;

/* LV_ERR_MODEL if an operator of the step has no derivative by one of its arguments. Free
 * with lv_tangent_free also after a failure. The course must stay. */
lv_status lv_tangent_create(lv_tangent **tangent, lv_course *course, lv_error *err);
void lv_tangent_free(lv_tangent *tangent);

/* Evaluates and factors, for the step that the course took last. gone: rows of
 * constraints whose multipliers were held; NULL: none. asks: which equations were asked,
 * for each lv_asked. LV_ERR_NUMERIC if the matrix is singular. */
lv_status lv_tangent_build(lv_tangent *tangent, const bool *gone, const bool *asks,
                           lv_error *err);

/* The derivative of the step as a map (q, p) -> (q, p), 2 n x 2 n numbers by rows; what
 * is carried besides is held. Of bodies on groups q are the coordinates that callers see
 * (step/embedding.h). LV_ERR_MODEL if velocities are carried that do not follow from
 * momenta. */
lv_status lv_tangent_of_state(lv_tangent *tangent, double *matrix, lv_error *err);

#endif
