/* Blocks of Newton matrices on groups with formulas in place of numbers
 * (course/dressing.h). */
#ifndef LV_FUSED_NODE_DRESSING_H
#define LV_FUSED_NODE_DRESSING_H

#include "expr/graph.h"
#include "model/motion.h"

/* A matrix that does not couple bodies: blocks[LV_POSE_BLOCK k ...] of body k, row by
 * row. For plain coordinates it is the identity (`plain`) or 0. */
typedef struct lv_node_side {
    const lv_node *blocks;
    bool plain;
} lv_node_side;

/* a = L a, or a = a R, for a matrix of rows x columns. LV_NODE_NONE: there is no
 * entry. */
void lv_nodes_dress_left(lv_graph *graph, const lv_motion *motion, lv_node *a,
                         int columns, lv_node_side left);
void lv_nodes_dress_right(lv_graph *graph, const lv_motion *motion, lv_node *a, int rows,
                          lv_node_side right);

#endif
