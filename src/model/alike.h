/* Models that differ in numbers only: the same text read with other values of parameters
 * that are not structural. What was prepared for one of them (compiled formulas,
 * patterns, elimination orders) can be used for the other one, too. */
#ifndef LV_MODEL_ALIKE_H
#define LV_MODEL_ALIKE_H

#include "model/model.h"

/* Whether two models differ only in numbers: values of parameters and inputs, data of
 * parts, start values, references of angles, and numbers of [run]. Models with events are
 * never alike. */
bool lv_model_is_alike(const lv_model *model, const lv_model *other);

/* Copies the numbers of an alike model. The view of the model is not changed. If a number
 * changes that kernels use, model->edition is increased: what was computed from these
 * numbers alone must be computed again. */
void lv_model_take_numbers(lv_model *model, const lv_model *from);

#endif
