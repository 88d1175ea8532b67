/* Formulas of one graph in another. */
#ifndef LV_EXPR_IMPORT_H
#define LV_EXPR_IMPORT_H

#include "expr/graph.h"

/* images[k] is nodes[k] of `from` in the graph `to`, built by its constructors, with the input of
 * that kind and index replaced by inputs[kind][index]; inputs[kind] NULL: the same input. Places in
 * the text are kept. All images are LV_NODE_NONE when the graph has failed. */
void lv_graph_import(lv_graph *to, lv_node *images, const lv_graph *from,
                     const lv_node *nodes, int count,
                     const lv_node *const inputs[LV_INPUT_KINDS]);

/* The same; where[i]: node i of `from`, wherever the formulas need it, is built with `others` in place of `inputs`. */
void lv_graph_import_where(lv_graph *to, lv_node *images, const lv_graph *from,
                           const lv_node *nodes, int count,
                           const lv_node *const inputs[LV_INPUT_KINDS],
                           const lv_node *const others[LV_INPUT_KINDS],
                           const bool *where);

#endif
