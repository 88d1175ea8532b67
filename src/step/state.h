/* What a step changes, how it is solved, and what it reports. */
#ifndef LV_STEP_STATE_H
#define LV_STEP_STATE_H

#include "group/chart.h"
#include "system/system.h"

/* The state at a node. v and p belong together, p = L_v(q, v, t), except in schemes with
 * own_velocities. */
typedef struct lv_state {
    double t;
    double *q, *v, *p;
} lv_state;

/* How steps are solved. */
typedef struct lv_stepper_options {
    /* iteration errors add up from step to step, as in energies that are kept exactly */
    bool adds_up;
    /* initial guesses from which a phase is tried to be solved; 0: all there are */
    int beginnings;
    /* large steps may end where equations only seem to be solved: check that */
    bool checks_solution;
    lv_chart chart; /* of bodies that move on groups */
    /* steps in which a body would turn by h omega >= 1 have no solution */
    bool turns_below_one;
} lv_stepper_options;

/* The body on a group that turned fastest in a step. */
typedef struct lv_turned {
    int coordinate;     /* the first of its rotation */
    double angle;       /* 0: nothing is on a group */
    double doubtful;    /* from this angle on steps may have no solution, */
    bool better_by_exp; /* unless rotations are taken by the exponential map */
} lv_turned;

typedef struct lv_step_report {
    int iterations; /* of the nonlinear solver */
    /* its corrections ended as rounding, amplified by a nearly singular matrix */
    bool stagnated;
    lv_turned turned;
} lv_step_report;

/* Numbers that a scheme carries from step to step to predict the next one. They decide
 * the last bits, so a checkpoint holds them. */
typedef struct lv_memory_view {
    double *numbers;
    int count;
} lv_memory_view;

#endif
