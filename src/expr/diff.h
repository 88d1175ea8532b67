/* Exact derivatives of nodes, as nodes of the same graph (theory 2).
 *
 * Gradients are computed in reverse mode, Hessians forward over the gradient, higher
 * contracted derivatives forward again. All results are LV_NODE_NONE if the graph has
 * failed; callers check lv_graph_status at the end. */
#ifndef LV_EXPR_DIFF_H
#define LV_EXPR_DIFF_H

#include "expr/graph.h"

/* gradient[k] = d f / d variables[k]; variables are input nodes. */
void lv_diff_gradient(lv_graph *graph, lv_node *gradient, lv_node f,
                      const lv_node *variables, int n);

/* jacobian[i * n + k] = d f[i] / d variables[k] */
void lv_diff_jacobian(lv_graph *graph, lv_node *jacobian, const lv_node *f, int m,
                      const lv_node *variables, int n);

/* result[i] = sum_k d f[i] / d variables[k] * tangents[k] */
void lv_diff_forward(lv_graph *graph, lv_node *result, const lv_node *f, int m,
                     const lv_node *variables, const lv_node *tangents, int n);

/* hessian[i * nc + k] = d2 f / d rows[i] d columns[k]. If rows and columns are the same
 * array, only half is derived and the result is exactly symmetric. */
void lv_diff_hessian(lv_graph *graph, lv_node *hessian, lv_node f, const lv_node *rows,
                     int nr, const lv_node *columns, int nc);

/* Returns sum_k multipliers[k] * f[k], of which contracted Hessians are derived. */
lv_node lv_diff_contract(lv_graph *graph, const lv_node *f, const lv_node *multipliers,
                         int m);

/* Third derivative contracted with a direction: d2/d rows d columns of
 * sum_k d f / d along[k] * direction[k]. */
void lv_diff_third(lv_graph *graph, lv_node *result, lv_node f, const lv_node *along,
                   const lv_node *direction, int n, const lv_node *rows, int nr,
                   const lv_node *columns, int nc);

/* Total time derivative: coordinates change with their velocities, time with 1. The
 * formulas must not contain velocities. */
void lv_diff_time(lv_graph *graph, lv_node *result, const lv_node *f, int m);

/* Total time derivative of formulas that may contain velocities: these change with the
 * accelerations, inputs A. */
void lv_diff_motion(lv_graph *graph, lv_node *result, const lv_node *f, int m);

#endif
