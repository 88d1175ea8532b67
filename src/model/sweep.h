/* Ensembles: the parameters that [sweep.set] gives other values in every member. */
#ifndef LV_MODEL_SWEEP_H
#define LV_MODEL_SWEEP_H

#include <livens/model.h>

#include "model/sweep_plan.h"

/* Numbers in scratch memory; length 0: a scalar. */
typedef struct lv_numbers {
    double *values;
    int length;
} lv_numbers;

/* Reads and checks [sweep], and evaluates the first member; the last step of freezing. */
lv_status lv_model_read_sweep(lv_model *model, lv_error *err);

/* The values of all parameters in a member, where parameter_values has them in the model:
 * those that are not swept may follow from those that are (parameters.c). */
lv_status lv_model_member_values(const lv_model *model, double *values, int member,
                                 lv_error *err);

/* The value of a swept parameter from the numbers of its formulas: one number or vector for
 * LV_SWEEP_FORMULA and LV_SWEEP_LIST, otherwise two numbers. */
void lv_swept_apply(const lv_sweep_plan *plan, const lv_swept *swept, int member,
                    const double *numbers, double *values, int length);

/* The number of grid point that a member has. */
int lv_swept_point(const lv_swept *swept, int member);

#endif
