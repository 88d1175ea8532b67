/* Writes a course as one graph: its actions are done with formulas (nodes of a graph) in
 * place of numbers.
 *
 * Every range of numbers in the memory of the course has a shadow: one node for each
 * number, the formula of its value. */
#ifndef LV_FUSED_FUSING_H
#define LV_FUSED_FUSING_H

#include "course/course.h"
#include "course/frozen.h"
#include "fused/node_solve.h"
#include "fused/node_turning.h"
#include "plan/plan_unfold.h"

typedef struct lv_shadow {
    const double *from; /* the numbers, in the memory of the course */
    int count;
    lv_node *nodes; /* their formulas */
} lv_shadow;

/* A range of numbers of the course that are inputs or outputs of the program. */
typedef struct lv_shadowed {
    double *numbers;
    int count;
    int first; /* inputs: number of the first one among the inputs Q */
    /* inputs: true for each one that depends on parameters alone, so that its formula
     * replaces it; NULL: there are none */
    const bool *fixed;
    const lv_node *nodes; /* outputs: their formulas; `count` nodes */
} lv_shadowed;

/* The unknowns of a phase that is solved by Newton passes, in the order and form of
 * predictors (course/solver.h). */
typedef struct lv_shadowed_guess {
    /* inputs Q with the initial guess; count 0: the phase has no passes */
    int first, count;
    lv_node *found; /* the same unknowns after a pass; `count` nodes */
    lv_node size;   /* relative size of the corrections */
    /* above 0 if the corrections of the multipliers are large relative to the
     * multipliers */
    lv_node excess;
} lv_shadowed_guess;

/* A number of the factors of a kept matrix: the input Q that passes read, and the
 * formula of its value. */
typedef struct lv_kept_number {
    int input;
    lv_node node;
} lv_kept_number;

typedef struct lv_fusing {
    lv_course *c;
    /* The matrices of Newton passes leave out second derivatives, like cheap ones
     * (course/matrix.h), and their factors are kept: they are inputs of a pass. */
    bool keeps;
    const lv_rows_left_out *left_out;
    lv_graph *graph;
    lv_arena arena;
    bool asks[LV_ASKED_WHEN]; /* which kinds of equations hold in this step */
    LV_ARRAY(lv_shadow) shadows;
    /* those of the course; initial guesses are in `guesses` */
    LV_ARRAY(lv_shadowed) inputs, outputs;
    /* how many of the first outputs the next step needs; the others are for callers */
    int needed;
    lv_shadowed_guess *guesses; /* guesses[k] is that of phase k + 1 */
    int input_count;            /* number of inputs Q so far */
    lv_unfolding unfolding;
    lv_node h, t; /* size of the step, time at its start */
    /* growth of the pivots of all linear systems (fused/node_solve.h); LV_NODE_NONE:
     * there are none */
    lv_node growth;
    /* the same up to the last phase that is solved by passes */
    lv_node growth_passes;
    /* above 0 if constraints that are left out do not hold; LV_NODE_NONE: none are left
     * out */
    lv_node left_over;
    lv_node_turning turning;
    /* derivatives of operators of groups at the unknowns of the present phase, one list
     * per factor of the course; NULL entry: not made yet */
    const lv_node **factors;
    /* the course does something that no program can, or the graph is too large */
    bool unsupported;
    bool failed; /* memory was short */
    /* values of the inputs Q, I and T at the sample */
    LV_ARRAY(double) sample_q, sample_i, sample_t;
    LV_ARRAY(lv_kept_number) kept;
    lv_node_orders orders; /* elimination orders of the linear systems */
    lv_error *err;
} lv_fusing;

/* Makes the graph of a step. `unsupported` is set, with LV_OK, if there cannot be one. */
lv_status lv_fusing_unroll(lv_fusing *fusing);
void lv_fusing_done(lv_fusing *fusing);

#endif
