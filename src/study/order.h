/* The order of a scheme on a system: errors of several step sizes after the same time, against a reference
 * (study/extrapolation.h), and whether they shrink as the order says. */
#ifndef LV_STUDY_ORDER_H
#define LV_STUDY_ORDER_H

#include <livens/verify.h>

#include "run/sim.h"

/* What became of it. */
typedef enum lv_order_outcome {
    LV_ORDER_SEEN,   /* at the step itself */
    LV_ORDER_LATER,  /* at smaller steps only: the step is not in the asymptotic range */
    LV_ORDER_MISSED, /* errors shrink steadily, and more slowly */
    LV_ORDER_NOT_YET, /* errors do not shrink steadily, as far as steps were made smaller */
    LV_ORDER_ROUNDING, /* too few errors are more than rounding, */
    LV_ORDER_EXACT,    /* none is, also with steps that are much larger */
    LV_ORDER_NO_REFERENCE
} lv_order_outcome;

/* How far below the promised order a measured one may be. */
double lv_order_slack(int order);

/* Judges the errors of `c` (largest step first; beyond rounding, and below the size of the motion), where h is the step
 * that is asked about: finds its orders, observed, asymptotic and asymptotic_step. */
lv_order_outcome lv_order_judge(lv_convergence *c, int order, double h);

typedef struct lv_order_request {
    const double *start;    /* numbers of the simulation (run/sim.h) */
    int order;              /* promised */
    bool exact_energy;      /* quotients of differences make rounding felt earlier */
    long long steps;        /* of the run */
    long long most_steps;   /* over which errors are compared */
    long long finest_steps; /* with the smallest step */
} lv_order_request;

typedef struct lv_order_found {
    lv_convergence convergence;
    lv_order_outcome outcome;
    bool shortened; /* the motion is too sensitive for a longer time */
} lv_order_found;

/* The simulation is where the numbers of the request put it afterwards. */
lv_status lv_order_measure(lv_order_found *found, lv_sim *sim,
                           const lv_order_request *request, lv_error *err);

#endif
