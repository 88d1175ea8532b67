/* Group operators with formulas in place of numbers (course/turning.h). */
#ifndef LV_FUSED_NODE_TURNING_H
#define LV_FUSED_NODE_TURNING_H

#include "course/turning.h"
#include "fused/node_chart.h"

typedef struct lv_node_turning {
    lv_graph *graph;
    const lv_turning *turning;
    /* By body, shared by bodies of one group; array of the caller, all NULL at first */
    lv_node_chart **charts;
    /* Formulas hold where this is below 1, that is, for angles of charts that are not too
     * large; LV_NODE_NONE: always */
    lv_node reach;
} lv_node_turning;

void lv_node_turning_done(lv_node_turning *turning);

/* Arguments that an operator does not have are NULL. */
typedef const lv_node *lv_turn_nodes[LV_ARGUMENTS];

/* As lv_turning_apply and lv_turning_slope. */
void lv_node_turning_apply(lv_node_turning *turning, lv_turn_of op, lv_node *out,
                           lv_turn_nodes x);
void lv_node_turning_slope(lv_node_turning *turning, lv_turn_of op, lv_argument by,
                           lv_node *blocks, lv_turn_nodes x);

#endif
