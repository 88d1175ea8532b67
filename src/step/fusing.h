/* How a course becomes one graph: its actions, done with formulas in place of numbers.
 *
 * Every range of numbers that the course has in its memory has a shadow, the nodes of what these numbers will be. */
#ifndef LV_STEP_FUSING_H
#define LV_STEP_FUSING_H

#include "step/course.h"
#include "system/plan_unfold.h"

typedef struct lv_shadow {
    const double *from;
    int count;
    lv_node *nodes;
} lv_shadow;

/* Numbers of the course that are inputs or outputs of the program. */
typedef struct lv_fused_range {
    double *numbers;
    int count;
    lv_node *nodes; /* outputs only */
} lv_fused_range;

typedef LV_ARRAY(lv_fused_range) lv_fused_ranges;

typedef struct lv_fusing {
    lv_course *c;
    lv_graph *graph;
    lv_arena arena;
    bool asks[LV_ASKED_WHEN]; /* which equations are asked */
    LV_ARRAY(lv_shadow) shadows;
    lv_fused_ranges inputs, outputs;
    int input_count;
    lv_unfolding unfolding;
    lv_node h, t, growth;
    bool unsupported; /* the course has something that no program does */
    bool failed;      /* memory was missing */
    LV_ARRAY(double) sample_q, sample_i, sample_t; /* values of the inputs Q, I and T */
    lv_error *err;
} lv_fusing;

/* The graph of a step. updates as in lv_fused_create. LV_OK with `unsupported` set: it cannot be made. */
lv_status lv_fusing_unroll(lv_fusing *fusing, double *const *updates);
void lv_fusing_done(lv_fusing *fusing);

#endif
