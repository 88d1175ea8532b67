/* Discrete gradients, derived from the formula (theory 5).
 *
 * Between two points q0 and q1 a discrete gradient D of f satisfies D . (q1 - q0) = f(q1) - f(q0)
 * and tends to the gradient as the points meet. It is taken in the space of the invariants of f,
 * the frontier of its at-most-quadratic nodes, and chained with their derivatives at the midpoint;
 * so it keeps the symmetries that the invariants have: for a function of distances, translations
 * and rotations. */
#ifndef LV_EXPR_DISCRETE_H
#define LV_EXPR_DISCRETE_H

#include "expr/graph.h"

/* f with the nodes from[k] replaced by to[k]. */
lv_node lv_graph_replace(lv_graph *graph, lv_node f, const lv_node *from,
                         const lv_node *to, int count);

/* result[k], k < n: component k of the discrete gradient of f along `start` -> `end`. `end` are the
 * inputs that f is written in, coordinates or coordinates and velocities, `start` as many others.
 * Inputs of other kinds are held. Inputs W from `spare` on must be unused. */
lv_status lv_discrete_gradient(lv_graph *graph, lv_node *result, lv_node f,
                               const lv_node *end, const lv_node *start, int n, int spare,
                               lv_error *err);

#endif
