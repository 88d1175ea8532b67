/* Measures the order of a scheme on a system: errors of several step sizes after the same
 * time, relative to a reference (study/extrapolation.h), and whether they shrink as the
 * order demands. */
#ifndef LV_STUDY_ORDER_H
#define LV_STUDY_ORDER_H

#include <livens/verify.h>

#include "run/sim.h"

/* The outcome of a measurement. */
typedef enum lv_order_outcome {
    LV_ORDER_SEEN,   /* the order is seen at the step itself */
    LV_ORDER_LATER,  /* only at smaller steps: the step is not in the asymptotic range */
    LV_ORDER_MISSED, /* errors shrink steadily, but too slowly */
    /* errors do not shrink steadily, however small the steps were made */
    LV_ORDER_NOT_YET,
    LV_ORDER_ROUNDING, /* too few errors are larger than rounding */
    LV_ORDER_EXACT,    /* no error is, even with much larger steps */
    LV_ORDER_NO_REFERENCE
} lv_order_outcome;

/* How far below the claimed order a measured order may be. */
double lv_order_slack(int order);

/* Judges the errors of `c` (largest step first; all above rounding and below the size of
 * the motion) for the step h, and sets its order, observed, asymptotic and
 * asymptotic_step. */
lv_order_outcome lv_order_judge(lv_convergence *c, int order, double h);

typedef struct lv_order_request {
    const double *start; /* numbers of the simulation at the start (run/sim.h) */
    int order;           /* the claimed order */
    /* the scheme keeps the energy exactly: difference quotients make rounding larger */
    bool exact_energy;
    long long steps;        /* number of steps of the run */
    long long most_steps;   /* most steps over which errors are compared */
    long long finest_steps; /* most steps with the smallest step size */
} lv_order_request;

typedef struct lv_order_found {
    lv_convergence convergence;
    lv_order_outcome outcome;
    /* compared over a shorter time, because the motion is too sensitive */
    bool shortened;
} lv_order_found;

/* Afterwards the simulation is at the start that the request gives. */
lv_status lv_order_measure(lv_order_found *found, lv_sim *sim,
                           const lv_order_request *request, lv_error *err);

#endif
