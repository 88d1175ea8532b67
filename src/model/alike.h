/* Models that differ in numbers only: the same text read with other values of parameters that are not structural. What
 * was made of one of them, formulas that are compiled, patterns, orders of elimination, serves the other one, too. */
#ifndef LV_MODEL_ALIKE_H
#define LV_MODEL_ALIKE_H

#include "model/model.h"

/* Is everything the same but numbers: values of parameters and inputs, data of parts, start values, references of angles,
 * and numbers of [run]? Models with events are never alike. */
bool lv_model_is_alike(const lv_model *model, const lv_model *other);

/* The model, which is alike, gets the numbers of another one. What it draws stays as it was. */
void lv_model_take_numbers(lv_model *model, const lv_model *from);

#endif
