/* Collects the fixed factors of formulas.
 *
 * Parameters, numbers of the instance and what is computed from them alone are fixed:
 * they cost nothing when a formula is evaluated again and again (LV_SEGMENT_UNIFORM and
 * LV_SEGMENT_INSTANCE of expr/program.h). Formulas of mechanics contain many of them: h/2
 * (1/m (G y)) is one fixed factor times G y. Here every node becomes a fixed factor times
 * a rest. The factors of products are multiplied, equal factors are taken out of sums,
 * and quotients by fixed numbers become products. Values change by rounding only. */
#ifndef LV_EXPR_FACTORS_H
#define LV_EXPR_FACTORS_H

#include "expr/graph.h"

/* Sets images[k] to nodes[k] of `from`, rebuilt in the graph `to`. All are LV_NODE_NONE
 * if the graph has failed. Places in texts are not kept. */
void lv_graph_collect_factors(lv_graph *to, lv_node *images, const lv_graph *from,
                              const lv_node *nodes, int count);

#endif
