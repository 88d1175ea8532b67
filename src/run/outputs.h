/* Counts outputs of the model that are not finite: how often, since when, and where in
 * the file. */
#ifndef LV_RUN_OUTPUTS_H
#define LV_RUN_OUTPUTS_H

#include "base/text.h"
#include "plan/plan.h"

/* Numbers of one output, which are part of a checkpoint: the number of rows in which it
 * was not finite; time and value in the first of them, and the place of the operation
 * that caused it, as in lv_error. The number of rows stands before those of all
 * outputs. */
enum {
    LV_OUTPUT_BAD_ROWS,
    LV_OUTPUT_TIME,
    LV_OUTPUT_VALUE,
    LV_OUTPUT_LINE,
    LV_OUTPUT_COLUMN,
    LV_OUTPUT_NUMBERS
};

/* The count of numbers; 0: the model has no outputs. */
int lv_outputs_count(const lv_model *model);

/* Counts a row, after the plan of the outputs was run at this point. */
void lv_outputs_look(double *numbers, const lv_model *model, lv_plan *plan,
                     const lv_point *point);

/* Appends the warning about the first output from number `from` on that was not finite,
 * and returns its number; -1: there is none. Outputs are counted from 0. */
int lv_outputs_say(lv_text *text, const double *numbers, const lv_model *model, int from);

#endif
