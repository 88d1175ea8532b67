/* Ensembles: the parameters that [sweep.set] gives other values in every member. */
#ifndef LV_MODEL_SWEEP_H
#define LV_MODEL_SWEEP_H

#include <livens/model.h>

#include "model/declaration.h"

typedef enum lv_sweep_rule {
    LV_SWEEP_FORMULA, /* value */
    LV_SWEEP_GRID,    /* from, to, count */
    LV_SWEEP_LIST,    /* values */
    LV_SWEEP_UNIFORM,
    LV_SWEEP_NORMAL
} lv_sweep_rule;

/* A parameter of the model and how its value follows from the number of the member. */
typedef struct lv_swept {
    const lv_item *item;
    int parameter;
    lv_sweep_rule rule;
    int count;  /* values of a grid; 1: this is none */
    int stride; /* a grid moves on every so many members */
} lv_swept;

typedef struct lv_sweep_plan {
    int members;       /* 0: the model has no [sweep] */
    const char *index; /* what formulas call the member's number */
    int parameter;     /* the parameter of that name, or -1 */
    double seed;
    LV_ARRAY(lv_swept) list; /* in the order of the text */
} lv_sweep_plan;

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
