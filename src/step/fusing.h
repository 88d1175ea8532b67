/* How a course becomes one graph: its actions, done with formulas in place of numbers.
 *
 * Every range of numbers that the course has in its memory has a shadow, the nodes of what these numbers will be. */
#ifndef LV_STEP_FUSING_H
#define LV_STEP_FUSING_H

#include "step/course.h"
#include "step/frozen.h"
#include "step/node_solve.h"
#include "step/node_turning.h"
#include "system/plan_unfold.h"

typedef struct lv_shadow {
    const double *from;
    int count;
    lv_node *nodes;
} lv_shadow;

/* Numbers of the course that are inputs or outputs of the program. */
typedef struct lv_shadowed {
    double *numbers;
    int count;
    int first;            /* inputs: the number of the first one, */
    const bool *fixed;    /* and those that nothing changes; NULL: none */
    const lv_node *nodes; /* outputs */
} lv_shadowed;

/* The unknowns of a phase that is solved in passes, all of them in a row, as predictors have them (step/solver.h). */
typedef struct lv_shadowed_guess {
    int first, count; /* inputs: what is expected; count 0: there are no passes */
    lv_node *found;   /* the same after a pass */
    lv_node size;     /* of the corrections, relative */
    lv_node excess;   /* above 0: multipliers are corrected by a large part of them */
} lv_shadowed_guess;

typedef struct lv_fusing {
    lv_course *c;
    const lv_rows_left_out *left_out;
    lv_graph *graph;
    lv_arena arena;
    bool asks[LV_ASKED_WHEN]; /* which equations are asked */
    LV_ARRAY(lv_shadow) shadows;
    LV_ARRAY(lv_shadowed) inputs, outputs; /* of the course, besides guesses */
    int needed; /* outputs that the next step needs, before those that callers may ask for */
    lv_shadowed_guess *guesses; /* of phases 1 .. */
    int input_count;
    lv_unfolding unfolding;
    lv_node h, t, growth;
    lv_node
        left_over; /* above 0: constraints that are left out do not hold; LV_NODE_NONE: none ever are */
    lv_node_turning turning;
    const lv_node **
        factors; /* derivatives of operators of groups where a phase is now; NULL: not known */
    bool unsupported; /* the course has something that no program does */
    bool failed;      /* memory was missing */
    LV_ARRAY(double) sample_q, sample_i, sample_t; /* values of the inputs Q, I and T */
    lv_node_orders orders;                         /* how linear systems are solved */
    lv_error *err;
} lv_fusing;

/* The graph of a step. LV_OK with `unsupported` set: it cannot be made. */
lv_status lv_fusing_unroll(lv_fusing *fusing);
void lv_fusing_done(lv_fusing *fusing);

#endif
