/* The parts of the program of a step (fused/fused.h), so that further Newton passes
 * repeat only what changes.
 *
 *     before   what passes need and what does not depend on their unknowns
 *     pass     the corrections of the unknowns, and the sizes of these
 *     after    the rest of the step
 *
 * What one of these parts computes for another is an output of the program. If one pass
 * is enough, the step is one WHOLE_STEP. Otherwise it is a FIRST_PASS (before and pass),
 * any number of NEXT_PASS (pass) and the REST (after). Both ways do the same operations
 * and give the same bits.
 *
 * Programs that keep their matrices compute the factors of these once in a step. Such a
 * step is FACTORS (before, and the factors), NEXT_PASS once or more, and the REST. */
#ifndef LV_FUSED_FUSED_PARTS_H
#define LV_FUSED_FUSED_PARTS_H

#include "expr/analyse.h"
#include "expr/code.h"

typedef enum lv_fused_part {
    LV_RUN_WHOLE_STEP,
    LV_RUN_FIRST_PASS,
    LV_RUN_FACTORS = LV_RUN_FIRST_PASS,
    LV_RUN_NEXT_PASS,
    LV_RUN_REST,
    LV_FUSED_PARTS
} lv_fused_part;

typedef struct lv_fused_parts {
    lv_part part[LV_FUSED_PARTS];
} lv_fused_parts;

/* Describes the outputs that a pass computes; known before the parts are found. */
typedef struct lv_pass_outputs {
    /* the outputs from `first` up to, not including, `behind`; they contain the
     * unknowns */
    int first, behind;
    /* the outputs from this one on are factors of kept matrices; -1: there are none */
    int factors;
    /* for each input Q: it is an unknown of a pass, or a kept factor */
    const bool *unknown;
} lv_pass_outputs;

/* Finds the parts. Appends the nodes that one part computes for another to the outputs.
 * The parts are allocated in the arena. */
lv_status lv_fused_parts_find(lv_fused_parts *parts, const lv_graph *graph,
                              lv_node_list *outputs, const lv_pass_outputs *pass,
                              lv_arena *arena, lv_error *err);

#endif
