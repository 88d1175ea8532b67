/* Linear systems whose entries are formulas (fused/node_solve.h). */
#ifndef LV_FUSED_NODE_SYSTEM_H
#define LV_FUSED_NODE_SYSTEM_H

#include "expr/graph.h"

#include <stdbool.h>

typedef struct lv_node_system {
    lv_graph *graph;
    int n;
    lv_node *a; /* n x n by rows; LV_NODE_NONE: 0. Destroyed by the solution. */
    lv_node *b; /* n nodes: the right side, replaced by the solution */
    /* rank of each unknown and its equation: 0 for defined vectors, 1 for other vectors,
     * 2 for multipliers; NULL: all have the same */
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
    /* if there is any: gives the node that stands for a number of the factors in the
     * solution. x is that number, `value` its value at the sample */
    lv_node (*keep)(void *work, lv_node x, double value);
    void *work; /* passed to `keep` */
} lv_node_system;

#endif
