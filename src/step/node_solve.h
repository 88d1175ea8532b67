/* Linear systems whose entries are formulas, solved as formulas: Gaussian elimination with an order that is chosen once.
 *
 * The order keeps fill small. Pivots are on the diagonal wherever that is not small at a sample; unknowns of a later
 * rank are eliminated when all of those before are, so that what is left for them is a Schur complement. What becomes of
 * the pivots elsewhere is a further formula: `growth` is the largest factor by which one is smaller than at the sample, or,
 * where the sample says nothing, than what it was before unknowns of its own rank were eliminated. */
#ifndef LV_STEP_NODE_SOLVE_H
#define LV_STEP_NODE_SOLVE_H

#include "base/arena.h"
#include "base/memory.h"
#include "expr/graph.h"

#include <stdbool.h>

typedef struct lv_node_system {
    lv_graph *graph;
    int n;
    lv_node *a; /* n x n by rows; LV_NODE_NONE: 0. Used up. */
    lv_node *b; /* right side; then the solution */
    const int
        *rank; /* of each unknown and its equation, from 0 on; NULL: all are alike */
    const bool *
        self_measured; /* pivots that are compared with the diagonal before their rank is eliminated; NULL: none */
    const double *const *sample; /* inputs by kind, as in lv_graph_evaluate */
    lv_node
        growth; /* the larger one of what it was and what is found; LV_NODE_NONE: there was none */
    struct lv_node_orders *orders;
} lv_node_system;

/* How a system was solved: its entries, which of them depend on parameters alone, ranks, and the pivots in their order. */
typedef struct lv_node_order {
    int n;
    const lv_node *a;
    const bool *fixed;
    const int *rank;
    const bool *self_measured;
    const int *row, *column;
} lv_node_order;

/* How all systems of a graph were solved. The sizes of pivots at the sample are inputs Y of the graph: where other numbers
 * are sampled the formulas are the same as long as the order is. */
typedef struct lv_node_orders {
    lv_arena arena;
    bool kept; /* the list is wanted; otherwise it stays empty */
    LV_ARRAY(lv_node_order) list;
    LV_ARRAY(double) sizes;
} lv_node_orders;

void lv_node_orders_done(lv_node_orders *orders);

/* LV_ERR_NUMERIC: singular, or nearly so, where it is sampled. */
lv_status lv_node_solve(lv_node_system *system, lv_error *err);

/* Would the order be the same where entries, those that are there by rows, have these values? The sizes of its pivots go
 * to `sizes`, which is moved behind them. */
bool lv_node_order_holds(const lv_node_order *order, const double *values,
                         double **sizes);

#endif
