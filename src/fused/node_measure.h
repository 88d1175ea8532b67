/* Sizes of vectors of formulas, as num/extent.h and lv_system_relative_size compute them
 * for numbers. */
#ifndef LV_FUSED_NODE_MEASURE_H
#define LV_FUSED_NODE_MEASURE_H

#include "expr/graph.h"
#include "system/system.h"

/* max |x_i|; 0 if there are none. */
lv_node lv_node_extent(lv_graph *graph, const lv_node *x, int count);

lv_node lv_node_larger(lv_graph *graph, lv_node x, lv_node y);

/* x / y for x, y >= 0; huge where y is 0 and x is not. */
lv_node lv_node_relative(lv_graph *graph, lv_node x, lv_node y);

/* The relative size of an update of coordinates at q that move by h v. */
lv_node lv_node_relative_size(lv_graph *graph, const lv_system *system,
                              const lv_node *update, const lv_node *q, const lv_node *v,
                              lv_node h);

#endif
