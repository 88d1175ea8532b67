/* The storage of a graph, shared by graph.c (nodes), simplify.c (constructors) and
 * discrete.c (replacements). */
#ifndef LV_EXPR_GRAPH_PRIVATE_H
#define LV_EXPR_GRAPH_PRIVATE_H

#include "base/memory.h"
#include "expr/graph.h"

/* The image of a node in the replacement with the number `mark` (lv_graph_replace). */
typedef struct lv_replaced {
    int mark;
    lv_node image;
} lv_replaced;

struct lv_graph {
    LV_ARRAY(lv_node_data) nodes;
    LV_ARRAY(lv_span) spans; /* spans.data[0] means no place */
    int *table;              /* hash table of nodes with open addressing; -1 is empty */
    int table_size;          /* a power of two */
    int node_limit;
    int span; /* place and origin of the nodes that are being created */
    bool derived;
    lv_status status;
    int failed_span;
    LV_ARRAY(lv_replaced)
    replaced; /* scratch of lv_graph_replace, and its number of calls so far */
    int replacement;
};

/* Finds or creates the node with these data, without simplification. */
lv_node lv_graph_intern(lv_graph *graph, lv_op op, lv_node a, lv_node b, lv_node c,
                        double value);

#endif
