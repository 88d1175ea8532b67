/* Linear systems whose entries are formulas, solved by formulas: Gaussian elimination in
 * an order that is chosen once, from the values of the entries at a sample.
 *
 * The order keeps fill-in small. Pivots are on the diagonal unless the diagonal entry is
 * small at the sample. Unknowns of a higher rank are eliminated after all those of lower
 * ranks, so what remains for them is a Schur complement. At other values pivots may be
 * smaller. `growth` is a formula for that: the largest factor by which a pivot is
 * smaller than at the sample or, for self_measured pivots, than its diagonal entry
 * before the elimination of its rank began. */
#ifndef LV_STEP_NODE_SOLVE_H
#define LV_STEP_NODE_SOLVE_H

#include "base/arena.h"
#include "base/memory.h"
#include "expr/graph.h"

#include <stdbool.h>

typedef struct lv_node_system {
    lv_graph *graph;
    int n;
    lv_node *a; /* n x n by rows; LV_NODE_NONE: 0. Destroyed by the solution. */
    lv_node *b; /* n nodes: the right side, replaced by the solution */
    /* rank of each unknown and its equation, from 0; NULL: all have the same */
    const int *rank;
    /* for each unknown: its pivot is compared with the diagonal before its rank is
     * eliminated, not with the sample; NULL: none is */
    const bool *self_measured;
    /* values of the inputs by kind, as in lv_graph_evaluate */
    const double *const *sample;
    /* in and out: the larger one of its old value and the growth of this system;
     * LV_NODE_NONE: there is none so far */
    lv_node growth;
    struct lv_node_orders *orders;
} lv_node_system;

/* How a system was solved: its n x n entries before the elimination, which of them
 * depend on parameters alone, the ranks, and rows and columns of the n pivots in their
 * order. */
typedef struct lv_node_order {
    int n;
    const lv_node *a;
    const bool *fixed;
    const int *rank;
    const bool *self_measured;
    const int *row, *column;
} lv_node_order;

/* How all systems of a graph were solved. Sizes of pivots at the sample are inputs Y of
 * the graph, so the formulas stay valid for another sample as long as the orders are the
 * same. */
typedef struct lv_node_orders {
    lv_arena arena;
    bool kept; /* if false, `list` stays empty */
    LV_ARRAY(lv_node_order) list;
    LV_ARRAY(double) sizes; /* the inputs Y */
} lv_node_orders;

void lv_node_orders_done(lv_node_orders *orders);

/* Solves the system. LV_ERR_NUMERIC: it is singular, or nearly so, at the sample. */
lv_status lv_node_solve(lv_node_system *system, lv_error *err);

/* Whether the order is the same for these values of the nonzero entries, listed by rows.
 * Writes the sizes of its pivots to *sizes, which is moved behind them. */
bool lv_node_order_holds(const lv_node_order *order, const double *values,
                         double **sizes);

#endif
