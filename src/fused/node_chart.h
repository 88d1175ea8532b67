/* Charts of groups as formulas: the number w.D(x)e (group/group.h) and its derivatives.
 *
 * There is one formula for each group and chart: D(x)e is its derivative by w, D(x)^T w
 * that by e, and everything else that schemes need are derivatives of these by x.
 * Functions of the angle are inputs of the formula, whose derivatives (1/t) d/dt are
 * known; they are power series, which hold below LV_ANGLE_SWITCH. */
#ifndef LV_FUSED_NODE_CHART_H
#define LV_FUSED_NODE_CHART_H

#include "expr/graph.h"
#include "group/group.h"

/* Vectors and matrices derived from the number w.D(x)e; matrices are stored row by
 * row. */
typedef enum lv_chart_part {
    LV_CHART_D,        /* D e */
    LV_CHART_DT,       /* D^T w */
    LV_CHART_B,        /* the gradient by x */
    LV_CHART_MATRIX,   /* D */
    LV_CHART_D_SLOPE,  /* derivative of D e by x */
    LV_CHART_DT_SLOPE, /* derivative of D^T w by x */
    LV_CHART_HESSIAN,  /* Hessian by x */
    LV_CHART_PARTS
} lv_chart_part;

typedef struct lv_node_chart lv_node_chart;

/* Returns NULL without memory. */
lv_node_chart *lv_node_chart_create(const lv_lie_group *group, lv_chart chart);
void lv_node_chart_free(lv_node_chart *chart);

/* Writes a part as nodes of a graph. e and w may be NULL if it does not depend on
 * them. */
void lv_node_chart_put(const lv_node_chart *chart, lv_graph *graph, lv_chart_part part,
                       lv_node *out, const lv_node *x, const lv_node *e,
                       const lv_node *w);

/* c0, c1 and c2 at s (group/angle.h), and their derivatives up to `order`: derivative k
 * of c_i is c[3 k + i]. */
void lv_nodes_of_angle(lv_graph *graph, lv_node *c, lv_node s, int order);

#endif
