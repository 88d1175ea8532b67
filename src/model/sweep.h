/* Ensembles: the parameters whose values [sweep.set] changes in every member. */
#ifndef LV_MODEL_SWEEP_H
#define LV_MODEL_SWEEP_H

#include <livens/model.h>

#include "model/sweep_plan.h"

/* Numbers in scratch memory; length 0: a scalar. */
typedef struct lv_numbers {
    double *values;
    int length;
} lv_numbers;

/* Reads and checks [sweep], and evaluates the first member. This is the last step of
 * freezing. */
lv_status lv_model_read_sweep(lv_model *model, lv_error *err);

/* Computes the values of all parameters in a member, in the order of parameter_values:
 * parameters that are not swept may depend on swept ones (parameters.c). */
lv_status lv_model_member_values(const lv_model *model, double *values, int member,
                                 lv_error *err);

/* Computes the value of a swept parameter from the values of its formulas: one number or
 * vector for LV_SWEEP_FORMULA and LV_SWEEP_LIST, otherwise two numbers. */
void lv_swept_apply(const lv_sweep_plan *plan, const lv_swept *swept, int member,
                    const double *numbers, double *values, int length);

/* The grid point of a member. */
int lv_swept_point(const lv_swept *swept, int member);

#endif
