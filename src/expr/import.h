/* Copies formulas from one graph to another. */
#ifndef LV_EXPR_IMPORT_H
#define LV_EXPR_IMPORT_H

#include "expr/graph.h"

/* Sets images[k] to nodes[k] of `from` in the graph `to`, built by its constructors. An
 * input of `from` is replaced by inputs[kind][index]; it stays the same input if
 * inputs[kind] is NULL. Places in texts are kept. All images are LV_NODE_NONE if the
 * graph has failed. */
void lv_graph_import(lv_graph *to, lv_node *images, const lv_graph *from,
                     const lv_node *nodes, int count,
                     const lv_node *const inputs[LV_INPUT_KINDS]);

/* Does the same, but a node i of `from` with where[i], and everything below it, is built
 * with `others` in place of `inputs`. */
void lv_graph_import_where(lv_graph *to, lv_node *images, const lv_graph *from,
                           const lv_node *nodes, int count,
                           const lv_node *const inputs[LV_INPUT_KINDS],
                           const lv_node *const others[LV_INPUT_KINDS],
                           const bool *where);

#endif
