/* Angles that count turns, winding(x, y) in formulas (expr/functions.c):
 *
 *   r + atan2(y cos r - x sin r, x cos r + y sin r)
 *
 * The reference r is a multiple of a right angle near the angle itself, so that atan2
 * stays away from its discontinuity. References, with their cosines and sines, are inputs
 * R of kernels: they are constant in a step and for all derivatives, and follow the
 * angles between steps. Each angle of a kernel has a reference in every instance. A
 * formula that occurs in several kernels has several; its value is the same in all of
 * them, since a reference changes by whole right angles, which changes the value only by
 * rounding.
 *
 * A model has the references of its start. The references of a motion belong to its
 * system (system/system.h). */
#ifndef LV_MODEL_TURNS_H
#define LV_MODEL_TURNS_H

#include "model/model.h"

/* Numbers all angles of a model, whose kernels are complete, and computes the references
 * of its start. */
lv_status lv_model_place_turns(lv_model *model, lv_error *err);

/* The references of its start, once angles have their numbers. */
lv_status lv_model_start_turns(lv_model *model, lv_error *err);

/* The references of an instance, in the list of all. */
const double *lv_turns_of(const lv_model *model, const lv_kernel *kernel, int instance);

/* Compiled formulas of the points (x, y) of all angles in kernels of a model. */
typedef struct lv_turns lv_turns;

lv_status lv_turns_create(lv_turns **turns, const lv_model *model,
                          const lv_kernel *kernels, int count, lv_error *err);
void lv_turns_free(lv_turns *turns);

/* Sets references such that each angle is atan2(y, x) at this state. */
void lv_turns_start(lv_turns *turns, double *references, double t, const double *q,
                    const double *v);

/* Moves each reference to the right angle nearest to its angle. Since the last call,
 * angles must have turned by less than 3/4 pi. Allocates nothing. */
void lv_turns_follow(lv_turns *turns, double *references, double t, const double *q,
                     const double *v);

#endif
