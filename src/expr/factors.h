/* Formulas with their fixed factors collected.
 *
 * Parameters, numbers of the instance and what is computed from them alone are fixed: they cost nothing where a formula is
 * evaluated again and again (LV_SEGMENT_UNIFORM and LV_SEGMENT_INSTANCE of expr/program.h). Sums and products of the
 * mechanics have many of them: h/2 (1/m (G y)) is one fixed factor times G y. Here every node is a fixed factor
 * times a rest. Factors of products are multiplied with each other, equal ones are taken out of sums, and quotients by
 * fixed numbers become products. Values change by rounding only. */
#ifndef LV_EXPR_FACTORS_H
#define LV_EXPR_FACTORS_H

#include "expr/graph.h"

/* images[k] is nodes[k] of `from` in the graph `to`. All are LV_NODE_NONE when the graph has failed. Places in texts are
 * not kept. */
void lv_graph_collect_factors(lv_graph *to, lv_node *images, const lv_graph *from,
                              const lv_node *nodes, int count);

#endif
