/* Outputs of the model that are not finite: how often, since when, where in the file. */
#ifndef LV_RUN_OUTPUTS_H
#define LV_RUN_OUTPUTS_H

#include "base/text.h"
#include "system/plan.h"

/* Numbers of one output, which are part of a checkpoint: rows in which it was not finite; time and value
 * of the first of them, and the place of the operation that made it so, as lv_error has it. In front of
 * those of all outputs stands the number of rows. */
enum {
    LV_OUTPUT_BAD_ROWS,
    LV_OUTPUT_TIME,
    LV_OUTPUT_VALUE,
    LV_OUTPUT_LINE,
    LV_OUTPUT_COLUMN,
    LV_OUTPUT_NUMBERS
};

/* How many numbers there are; 0: the model has no outputs. */
int lv_outputs_count(const lv_model *model);

/* Counts a row: the plan of the outputs has run at this point. */
void lv_outputs_look(double *numbers, const lv_model *model, lv_plan *plan,
                     const lv_point *point);

/* The warning of the first output from number `from` on that was not finite, appended to the text;
 * returns its number, -1: there is none. Outputs are counted from 0. */
int lv_outputs_say(lv_text *text, const double *numbers, const lv_model *model, int from);

#endif
