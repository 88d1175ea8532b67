/* Linear systems whose entries are formulas, solved by formulas: Gaussian elimination in
 * an order that is chosen once, from the values of the entries at a sample.
 *
 * A system is solved as it is, or in another form with more unknowns (fused/node_split.h)
 * if that takes fewer operations. Defined unknowns (rank 0) are then eliminated first.
 *
 * The order keeps fill-in small. Pivots are on the diagonal unless the diagonal entry is
 * small at the sample. Unknowns of a higher rank are eliminated after all those of lower
 * ranks, so what remains for them is a Schur complement. At other values pivots may be
 * smaller. `growth` is a formula for that: the largest factor by which a pivot is
 * smaller than at the sample or, for self_measured pivots, than its diagonal entry
 * before the elimination of its rank began. */
#ifndef LV_FUSED_NODE_SOLVE_H
#define LV_FUSED_NODE_SOLVE_H

#include "base/arena.h"
#include "base/memory.h"
#include "fused/node_split.h"
#include "fused/node_system.h"

/* How a system was solved: its n x n entries before the elimination, which of them
 * depend on parameters alone, the ranks, rows and columns of the n pivots in their order,
 * and how many sizes of pivots are inputs Y. */
typedef struct lv_node_order {
    int n;
    const lv_node *a;
    const bool *fixed;
    const int *rank;
    const bool *self_measured;
    int pivots; /* fewer than n if the rest is another system */
    const int *row, *column;
    int entries; /* number of nonzero entries */
    int sizes;
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

/* Solves the system in the form that takes the fewest operations. LV_ERR_NUMERIC: it is
 * singular, or nearly so, at the sample. */
lv_status lv_node_solve(lv_node_system *system, lv_error *err);

/* The same in a given form. Without ranks there is only the plain one. *more: the number
 * of unknowns that the form adds */
lv_status lv_node_solve_as(lv_node_system *system, lv_node_form form, int *more,
                           lv_error *err);

/* Whether the order is the same for these values of the nonzero entries, listed by rows.
 * Writes the sizes of its pivots. */
bool lv_node_order_holds(const lv_node_order *order, const double *values, double *sizes);

#endif
