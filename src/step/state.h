/* What a step changes, and what it reports. */
#ifndef LV_STEP_STATE_H
#define LV_STEP_STATE_H

#include "system/system.h"

/* The state at a node. v and p belong together, p = L_v(q, v, t), except in schemes with own_velocities. */
typedef struct lv_state {
    double t;
    double *q, *v, *p;
} lv_state;

typedef struct lv_step_report {
    int iterations; /* of the nonlinear solver */
    bool
        stagnated; /* its corrections ended as rounding, amplified by a nearly singular matrix */
} lv_step_report;

/* Numbers that a scheme carries from step to step to predict the next one. They decide the last
 * bits, so a checkpoint holds them. */
typedef struct lv_memory_view {
    double *numbers;
    int count;
} lv_memory_view;

#endif
