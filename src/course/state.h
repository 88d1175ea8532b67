/* The state that a step changes, options for solving steps, and the report of a step. */
#ifndef LV_COURSE_STATE_H
#define LV_COURSE_STATE_H

#include "group/chart.h"
#include "system/system.h"

/* The state at a node. p = L_v(q, v, t), except in schemes with own_velocities. */
typedef struct lv_state {
    double t;
    double *q, *v, *p;
} lv_state;

/* Options for solving steps. */
typedef struct lv_stepper_options {
    /* Iteration errors accumulate from step to step, as in energies that are kept
     * exactly */
    bool adds_up;
    /* Number of initial guesses to try in a phase; 0: all there are */
    int beginnings;
    /* Checks whether the iteration ended at a solution: large steps may end where the
     * equations only seem to be solved */
    bool checks_solution;
    lv_chart chart; /* chart of bodies that move on groups */
    /* Steps in which a body turns by h omega >= 1 have no solution */
    bool turns_below_one;
    /* Carried fields hold what past steps contribute to later ones: they belong to one
     * step size and to forces without jumps (lv_stepper_start) */
    bool remembers;
} lv_stepper_options;

/* What helps if a body turns too far in a step. */
typedef enum lv_turn_advice {
    LV_TURN_SMALLER_STEP,
    LV_TURN_BY_EXP, /* or rotations by the exponential map, which allow larger angles */
    LV_TURN_IN_COORDINATES /* the same, for steps with axes as plain coordinates */
} lv_turn_advice;

/* The body that turned fastest in a step. */
typedef struct lv_turned {
    int coordinate;  /* first coordinate of its rotation */
    double angle;    /* its angle in the step; 0: there is none, or it is not notable */
    double doubtful; /* from this angle on steps may have no solution, or a wrong one */
    lv_turn_advice advice;
} lv_turned;

typedef struct lv_step_report {
    int iterations; /* Newton passes */
    /* Corrections stopped shrinking early: a nearly singular matrix amplifies rounding */
    bool stagnated;
    lv_turned turned;
} lv_step_report;

/* Numbers that a scheme carries from step to step to predict the next one. They affect
 * the last bits, so a checkpoint contains them. */
typedef struct lv_memory_view {
    double *numbers;
    int count;
} lv_memory_view;

#endif
