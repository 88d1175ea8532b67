/* Matrices that depend on a vector w equivariantly under rotations, and the derivatives
 * of them that charts of groups need (theory 10.3):
 *   F(w) = f0 1 + f1 hat(w) + f2 w w^T,    f_i functions of s = |w|^2.
 * The tangent of the exponential map of SO(3) has f = (c0, -c1, c2), that of the Cayley
 * map (k, -k/2, 0) with k = 4/(4 + s). Transposing F changes the sign of f1. All
 * functions are exact: derivatives follow from those of the f_i by the chain rule.
 *
 * Vectors have three numbers, matrices nine, row by row. Results must not overlap
 * arguments. */
#ifndef LV_GROUP_AXIAL_H
#define LV_GROUP_AXIAL_H

#include "group/chart.h"

typedef struct lv_axial {
    double w[3];
    int order;
    double f[4][3]; /* f[k][i]: (1/t d/dt)^k of f_i, t = |w|, for k = 0..order */
} lv_axial;

/* Sets a to the tangent D of a chart of SO(3), with `order` derivatives (0..3) of its
 * functions. */
void lv_axial_tangent(lv_axial *a, lv_chart chart, const double w[3], int order);

/* Sets a to (1 + hat(w)/2)^-1 = k (1 - hat(w)/2 + w w^T/4). */
void lv_axial_cay_inverse(lv_axial *a, const double w[3], int order);

void lv_axial_transpose(lv_axial *a);

/* F e, and F itself. */
void lv_axial_apply(double y[3], const lv_axial *a, const double e[3]);
void lv_axial_matrix(double m[9], const lv_axial *a);

/* The matrix F'[v]: the derivative of F in the direction v. Needs order 1. */
void lv_axial_along(double m[9], const lv_axial *a, const double v[3]);

/* The derivative of F e by w: column j is that in direction j. Needs order 1. */
void lv_axial_slope(double m[9], const lv_axial *a, const double e[3]);

/* The derivative by w of (slope times v). Needs order 2. */
void lv_axial_bend(double m[9], const lv_axial *a, const double e[3], const double v[3]);

/* Gradient (order 1) and Hessian (order 2) of the number m.F(w)e by w, and the derivative
 * of the Hessian in the direction v (order 3). */
void lv_axial_gradient(double y[3], const lv_axial *a, const double e[3],
                       const double m[3]);
void lv_axial_hessian(double h[9], const lv_axial *a, const double e[3],
                      const double m[3]);
void lv_axial_third(double h[9], const lv_axial *a, const double e[3], const double m[3],
                    const double v[3]);

#endif
