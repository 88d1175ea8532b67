/* The parts of the program of a step (step/fused.h), so that further Newton passes repeat no more than they change.
 *
 *     before   what passes need and their unknowns do not change
 *     pass     what a pass computes from its unknowns: their corrections, and how large these are
 *     after    all the rest of the step
 *
 * What one of these leaves for another is an output of the program. A step is then one WHOLE_STEP, if one pass is enough, or a
 * FIRST_PASS (before, pass), as many times NEXT_PASS (pass) as it takes, and the REST (after). The operations are the same,
 * and so are the bits. */
#ifndef LV_STEP_FUSED_PARTS_H
#define LV_STEP_FUSED_PARTS_H

#include "expr/analyse.h"
#include "expr/code.h"

typedef enum lv_fused_part {
    LV_RUN_WHOLE_STEP,
    LV_RUN_FIRST_PASS,
    LV_RUN_NEXT_PASS,
    LV_RUN_REST,
    LV_FUSED_PARTS
} lv_fused_part;

typedef struct lv_fused_parts {
    lv_part part[LV_FUSED_PARTS];
} lv_fused_parts;

/* What is known of the outputs of a program before it has parts. */
typedef struct lv_pass_outputs {
    int first, behind;   /* those of a pass; its unknowns are among them */
    const bool *unknown; /* of each input Q: is it an unknown of a pass? */
} lv_pass_outputs;

/* Appends what parts leave for each other to the outputs. The parts live in the arena. */
lv_status lv_fused_parts_find(lv_fused_parts *parts, const lv_graph *graph,
                              lv_node_list *outputs, const lv_pass_outputs *pass,
                              lv_arena *arena, lv_error *err);

#endif
