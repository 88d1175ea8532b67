/* Discrete gradients, derived from the formula (theory 5).
 *
 * Between two points q0 and q1 a discrete gradient D of f satisfies D . (q1 - q0) = f(q1)
 * - f(q0) and converges to the gradient if the points approach each other. It is computed
 * in the space of the invariants of f, the frontier of its at-most-quadratic nodes, and
 * multiplied with their derivatives at the midpoint (chain rule). So it keeps the
 * symmetries of the invariants: for a function of distances, translations and rotations.
 * Positions and velocities are treated alike: q . v is an invariant, too. */
#ifndef LV_EXPR_DISCRETE_H
#define LV_EXPR_DISCRETE_H

#include "expr/graph.h"

/* f with the nodes from[k] replaced by to[k]. */
lv_node lv_graph_replace(lv_graph *graph, lv_node f, const lv_node *from,
                         const lv_node *to, int count);

/* Does the same for f[0], ..., f[m-1], which may share nodes. */
void lv_graph_replace_all(lv_graph *graph, lv_node *results, const lv_node *f, int m,
                          const lv_node *from, const lv_node *to, int count);

/* A segment in the space of the inputs of a formula: its start, its end and its midpoint,
 * which must be the mean of the two. */
typedef struct lv_way {
    int n;
    const lv_node *at;     /* the inputs that vary, Q or Q and V */
    const lv_node *before; /* nodes for their values at the start */
    const lv_node *after;
    const lv_node *middle;
} lv_way;

/* Sets result[k], k < n, to component k of the discrete gradient of f along the segment.
 * All inputs that are not in `at` are constant. If velocities are among the inputs, f
 * must be a polynomial of degree two at most in these. Inputs W from `spare` on, and all
 * inputs M, must be unused. */
lv_status lv_discrete_gradient(lv_graph *graph, lv_node *result, lv_node f,
                               const lv_way *way, int spare, lv_error *err);

/* middle[k] = (before[k] + after[k]) / 2 */
void lv_discrete_middle(lv_graph *graph, lv_node *middle, const lv_node *before,
                        const lv_node *after, int n);

#endif
