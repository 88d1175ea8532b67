/* The contents of [sweep] of a model. */
#ifndef LV_MODEL_SWEEP_PLAN_H
#define LV_MODEL_SWEEP_PLAN_H

#include "model/declaration.h"

typedef enum lv_sweep_rule {
    LV_SWEEP_FORMULA, /* key `value` */
    LV_SWEEP_GRID,    /* keys `from`, `to`, `count` */
    LV_SWEEP_LIST,    /* key `values` */
    LV_SWEEP_UNIFORM,
    LV_SWEEP_NORMAL
} lv_sweep_rule;

/* A parameter of the model and how its value depends on the number of the member. */
typedef struct lv_swept {
    const lv_item *item;
    int parameter;
    lv_sweep_rule rule;
    int count;  /* number of values of a grid; 1: it is no grid */
    int stride; /* the grid advances every so many members */
} lv_swept;

typedef struct lv_sweep_plan {
    int members;       /* 0: the model has no [sweep] */
    const char *index; /* name of the member's number in formulas */
    int parameter;     /* the parameter of that name, or -1 */
    double seed;
    LV_ARRAY(lv_swept) list; /* in the order of the text */
} lv_sweep_plan;

#endif
