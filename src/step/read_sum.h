/* Reads the sums of the step language (step/read.h): fields, operators, terms, and sums
 * over free indices. */
#ifndef LV_STEP_READ_SUM_H
#define LV_STEP_READ_SUM_H

#include "step/scan.h"

typedef struct lv_reader {
    lv_scanner scan;
    lv_form *form;
    const int *sizes; /* of each space */
    /* Space of the last field that was left out because its space is empty; -1: none */
    int emptied;
} lv_reader;

/* Reads a field with its index. Returns -1 if its space is empty, which is no mistake. */
int lv_read_field(lv_reader *r);

/* Reads a sum and adds its terms to `sum`. */
void lv_read_sum(lv_reader *r, lv_sum *sum);

/* Does a sum end here: at the end of the line, or at the word `for`? */
bool lv_ends_sum(const char *at);

#endif
