/* The derivative of a step: how the values that it assigns change with the carried fields
 * at its start.
 *
 * All phases are in one matrix, with all derivatives of all operators. Everything that
 * the step computes (unknowns, definitions and assigned values) has columns in it, and
 * its equation or definition has rows. The derivatives of the equations by the carried
 * fields are the right side. The matrix is evaluated at the values with which the step
 * ended. */
#ifndef LV_STEPPER_TANGENT_H
#define LV_STEPPER_TANGENT_H

#include "course/course.h"

typedef struct lv_tangent lv_tangent;

/* Returns LV_ERR_MODEL if an operator of the step has no derivative by one of its
 * arguments. Call lv_tangent_free also after a failure. The course must outlive it. */
lv_status lv_tangent_create(lv_tangent **tangent, lv_course *course, lv_error *err);
void lv_tangent_free(lv_tangent *tangent);

/* Evaluates and factors the matrix for the last step of the course. `gone`: constraint
 * rows whose multipliers were frozen; NULL: none. asks[k]: equations with lv_asked k held
 * in the step. Returns LV_ERR_NUMERIC if the matrix is singular. */
lv_status lv_tangent_build(lv_tangent *tangent, const bool *gone, const bool *asks,
                           lv_error *err);

/* The derivative of the step as a map (q, p) -> (q, p), 2 n x 2 n numbers by rows, with
 * all other carried fields constant. For bodies on groups q are the coordinates that
 * callers see (stepper/embedding.h). Returns LV_ERR_MODEL if velocities are carried that do
 * not follow from momenta. */
lv_status lv_tangent_of_state(lv_tangent *tangent, double *matrix, lv_error *err);

#endif
