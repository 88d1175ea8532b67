/* Discrete gradients, derived from the formula (theory 5).
 *
 * Between two points q0 and q1 a discrete gradient D of f satisfies D . (q1 - q0) = f(q1) - f(q0)
 * and tends to the gradient as the points meet. It is taken in the space of the invariants of f,
 * the frontier of its at-most-quadratic nodes, and chained with their derivatives at the midpoint;
 * so it keeps the symmetries that the invariants have: for a function of distances, translations
 * and rotations. Positions and velocities are taken together: q . v is an invariant, too. */
#ifndef LV_EXPR_DISCRETE_H
#define LV_EXPR_DISCRETE_H

#include "expr/graph.h"

/* f with the nodes from[k] replaced by to[k]. */
lv_node lv_graph_replace(lv_graph *graph, lv_node f, const lv_node *from,
                         const lv_node *to, int count);

/* The same for f[0], ..., f[m-1], which may share nodes. */
void lv_graph_replace_all(lv_graph *graph, lv_node *results, const lv_node *f, int m,
                          const lv_node *from, const lv_node *to, int count);

/* A step through the inputs that a formula is written in: what they are before and after it, and in its
 * middle, which must be the mean of the two. */
typedef struct lv_way {
    int n;
    const lv_node *at;     /* inputs, Q or Q and V */
    const lv_node *before; /* and what stands for them: any nodes */
    const lv_node *after;
    const lv_node *middle;
} lv_way;

/* result[k], k < n: component k of the discrete gradient of f along the way. Inputs of other kinds than
 * those in `at` are held. Where velocities are among them f must be a polynomial of degree two at most in
 * these. Inputs W from `spare` on, and all inputs M, must be unused. */
lv_status lv_discrete_gradient(lv_graph *graph, lv_node *result, lv_node f,
                               const lv_way *way, int spare, lv_error *err);

/* middle[k] = (before[k] + after[k]) / 2 */
void lv_discrete_middle(lv_graph *graph, lv_node *middle, const lv_node *before,
                        const lv_node *after, int n);

#endif
