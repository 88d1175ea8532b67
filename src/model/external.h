/* External generalised forces: numbers that a caller sets between steps.
 *
 * A model that takes them has one more input, the vector `external`, and forces of that name, which act on
 *
 *     a coordinate              along it: the power of the force f on x is f x'
 *     the centre of a body      in space axes
 *     the rotation of a body    a torque in space axes, in the plane a number
 *
 * They are declared like those of a file, in a text that is made of a model without them, since its sizes must be known.
 * Whatever knows inputs and forces knows these: schemes, work, columns, checkpoints. The setting LV_EXTERNAL_SETTING
 * stands among those of the model, so that a model that is read again has them again. */
#ifndef LV_MODEL_EXTERNAL_H
#define LV_MODEL_EXTERNAL_H

#include "base/text.h"
#include "model/model.h"

#define LV_EXTERNAL_NAME "external"
#define LV_EXTERNAL_SETTING "external forces"

/* Writes the declarations for a model that has none of them. LV_ERR_MODEL if it uses the name for something else. */
lv_status lv_external_declare(lv_text *text, const lv_model *model, lv_error *err);

/* The number of the input; -1: the model takes no external forces. */
int lv_external_input(const lv_model *model);

/* All forces in declarations of the text above have the same name. */
void lv_external_rename(lv_declarations *declarations, int first);

#endif
