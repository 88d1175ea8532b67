/* External generalised forces: numbers that a caller sets between steps.
 *
 * A model that takes them has one more input, the vector `external`, and forces of that
 * name, which act on
 *
 *     a coordinate              along it: the power of the force f on x is f x'
 *     the centre of a body      in space axes
 *     the rotation of a body    a torque in space axes, in the plane a number
 *
 * They are declared by a text like that of a model file. It is generated from the model
 * without them, since the sizes must be known. Everything that handles inputs and forces
 * handles these: schemes, work, columns, checkpoints. The setting LV_EXTERNAL_SETTING is
 * one of the settings of the model, so that they are added again when the model is read
 * again. */
#ifndef LV_MODEL_EXTERNAL_H
#define LV_MODEL_EXTERNAL_H

#include "base/text.h"
#include "model/model.h"

#define LV_EXTERNAL_NAME "external"
#define LV_EXTERNAL_SETTING "external forces"

/* Writes the declarations for a model without external forces. LV_ERR_MODEL if the model
 * uses the name for something else. */
lv_status lv_external_declare(lv_text *text, const lv_model *model, lv_error *err);

/* The number of the input `external`; -1: the model takes no external forces. */
int lv_external_input(const lv_model *model);

/* Gives all forces that were declared from item `first` on the same name. */
void lv_external_rename(lv_declarations *declarations, int first);

#endif
