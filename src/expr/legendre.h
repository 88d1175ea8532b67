/* The Legendre transform of Hamiltonians that are quadratic in the momenta (theory 1.8).
 *
 *   H(q,p,t) = 1/2 p.A p + b.p + c,      v = H_p = A p + b,
 *   p = M v + p0,   M = A^-1,   p0 = -M b,
 *   L = 1/2 v.M v + p0.v - U,   U = H(q,p0,t).
 *
 * U is H at v = 0. It is computed by inserting p0 and not as c - 1/2 b.M b: the squares
 * of H = |p - a|^2/2 + V then vanish exactly, whatever a is.
 *
 * A splits into blocks of coupled momenta. Each is factored as A = X D X^T in the graph,
 * so that entries without inputs become numbers, and an uncoupled momentum costs one
 * division. */
#ifndef LV_EXPR_LEGENDRE_H
#define LV_EXPR_LEGENDRE_H

#include "base/arena.h"
#include "expr/graph.h"

enum { LV_LEGENDRE_BLOCK = 8 }; /* largest number of coupled momenta */

typedef struct lv_legendre {
    lv_node kinetic;    /* 1/2 v.M v */
    lv_node gyroscopic; /* p0.v */
    lv_node potential;  /* U */
    lv_node *momenta;   /* M v + p0, n nodes */
    lv_node *pivots;    /* n nodes; A is singular where one of them is zero */
    /* diagonal of A in the order of the pivots, to judge the size of a pivot */
    lv_node *diagonal;
    int singular; /* a variable whose pivot is zero everywhere, or -1 */
} lv_legendre;

/* h must be a polynomial of degree at most 2 in the inputs p; v are their n velocities.
 * block[k], from 0, is the block of momentum k: A is zero between different blocks. All
 * lists of the result live in the arena. If `singular` is not -1, the other results are
 * undefined. */
lv_status lv_legendre_transform(lv_legendre *result, lv_graph *graph, lv_arena *arena,
                                lv_node h, const lv_node *p, const lv_node *v,
                                const int *block, int n, lv_error *err);

#endif
