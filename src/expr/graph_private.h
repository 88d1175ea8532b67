/* The graph's storage, shared by graph.c (nodes) and simplify.c (constructors). */
#ifndef LV_EXPR_GRAPH_PRIVATE_H
#define LV_EXPR_GRAPH_PRIVATE_H

#include "base/memory.h"
#include "expr/graph.h"

struct lv_graph {
    LV_ARRAY(lv_node_data) nodes;
    LV_ARRAY(lv_span) spans; /* spans.data[0] is nowhere */
    int *table;              /* open addressing, -1 is empty */
    int table_size;          /* a power of two */
    int node_limit;
    int span; /* of the nodes being made */
    bool derived;
    lv_status status;
    int failed_span;
};

/* The node with these data, found or made; no simplification. */
lv_node lv_graph_intern(lv_graph *graph, lv_op op, lv_node a, lv_node b, lv_node c,
                        double value);

#endif
