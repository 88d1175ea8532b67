/* Rotations as formulas: the exponential map, and the free rotation of a body
 * (group/free.h).
 *
 * Functions of angles are power series, like those of charts (fused/node_chart.h). Each
 * function below replaces *reach by max(*reach, a), where a is the argument of its series
 * divided by the largest allowed one: formulas hold where *reach is below 1.
 * LV_NODE_NONE: nothing was noted yet. */
#ifndef LV_FUSED_NODE_FREE_H
#define LV_FUSED_NODE_FREE_H

#include "expr/graph.h"
#include "group/free.h"

/* exp(x) as a quaternion. */
void lv_nodes_exp(lv_graph *graph, lv_node q[4], const lv_node x[3], lv_node *reach);

/* *reach = max(*reach, s/most) */
void lv_nodes_note_reach(lv_graph *graph, lv_node *reach, lv_node s, double most);

/* As lv_free_body_turn and lv_free_body_slope. */
void lv_nodes_free_turn(const lv_free_body *body, lv_graph *graph, lv_node q[4],
                        const lv_node x[3], lv_node *reach);
void lv_nodes_free_slope(const lv_free_body *body, lv_graph *graph, lv_node m[9],
                         const lv_node x[3], lv_node *reach);

#endif
