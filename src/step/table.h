/* The definitions a scheme's text is read with: index sets, coefficients, facts and
 * functions. */
#ifndef LV_STEP_TABLE_H
#define LV_STEP_TABLE_H

#include "step/form.h"

/* An index letter and the number of members it runs over, from 1 on. */
typedef struct lv_index_set {
    char letter;
    int count;
} lv_index_set;

/* A number (rows 0), a list (columns 0) or a matrix, stored by rows. */
typedef struct lv_coefficient {
    const char *name;
    int rows, columns;
    const double *values;
} lv_coefficient;

/* Each list ends with an empty item (letter 0 or name NULL); a list may be NULL. */
typedef struct lv_step_table {
    const lv_index_set *sets;
    const lv_coefficient *coefficients;
    const char *const *facts; /* the facts that hold */
    const lv_opaque *calls;   /* the functions that the text may call */
    bool on_groups; /* group operators are kept; otherwise they are the identity or 0 */
} lv_step_table;

#endif
