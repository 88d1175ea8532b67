/* The graph's storage, shared by graph.c (nodes), simplify.c (constructors) and discrete.c (replacements). */
#ifndef LV_EXPR_GRAPH_PRIVATE_H
#define LV_EXPR_GRAPH_PRIVATE_H

#include "base/memory.h"
#include "expr/graph.h"

/* What stands for a node in the replacement of this number (lv_graph_replace). */
typedef struct lv_replaced {
    int mark;
    lv_node image;
} lv_replaced;

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
    LV_ARRAY(lv_replaced)
    replaced; /* room of lv_graph_replace, and how often it was called */
    int replacement;
};

/* The node with these data, found or made; no simplification. */
lv_node lv_graph_intern(lv_graph *graph, lv_op op, lv_node a, lv_node b, lv_node c,
                        double value);

#endif
