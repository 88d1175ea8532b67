/* What [sweep] of a model says. */
#ifndef LV_MODEL_SWEEP_PLAN_H
#define LV_MODEL_SWEEP_PLAN_H

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

#endif
