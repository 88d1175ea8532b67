/* Vectors, rotations and quaternions of formulas (group/vector.h, group/quaternion.h).
 * Results must not overlap arguments. */
#ifndef LV_FUSED_NODE_VECTOR_H
#define LV_FUSED_NODE_VECTOR_H

#include "expr/graph.h"

#include <stddef.h>

lv_node lv_nodes_dot(lv_graph *graph, const lv_node *a, const lv_node *b, int n);
void lv_nodes_cross(lv_graph *graph, lv_node y[3], const lv_node a[3],
                    const lv_node b[3]);

/* In the plane: a1 b2 - a2 b1 */
lv_node lv_nodes_cross_flat(lv_graph *graph, const lv_node a[2], const lv_node b[2]);

/* y = m a, or m^T a, for n x n matrices */
void lv_nodes_apply(lv_graph *graph, lv_node *y, const lv_node *m, const lv_node *a,
                    int n);
void lv_nodes_apply_transposed(lv_graph *graph, lv_node *y, const lv_node *m,
                               const lv_node *a, int n);

/* m = a b, n x n */
void lv_nodes_product(lv_graph *graph, lv_node *m, const lv_node *a, const lv_node *b,
                      int n);

/* The matrix of b -> a x b */
void lv_nodes_hat(lv_graph *graph, lv_node m[9], const lv_node a[3]);

/* The product a b; the same renormalised, as lv_quaternion_product; the matrix, as
 * lv_quaternion_matrix. */
void lv_nodes_quaternion_multiply(lv_graph *graph, lv_node q[4], const lv_node a[4],
                                  const lv_node b[4]);
void lv_nodes_quaternion_product(lv_graph *graph, lv_node q[4], const lv_node a[4],
                                 const lv_node b[4]);
void lv_nodes_quaternion_matrix(lv_graph *graph, lv_node r[9], const lv_node q[4]);

#endif
