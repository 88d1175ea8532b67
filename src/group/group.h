/* The groups on which coordinates of a model live, and their charts (theory 10.1).
 *
 * A group G has elements g and, as n numbers, tangents x and momenta w. Velocities and momenta are those of
 * the body: g' = g hat(v), w.v is a number. A chart tau is a map from tangents to elements near the identity,
 * tau(0) = 1, tau(-x) = tau(x)^-1, with a derivative that is 1 at x = 0:
 *   exp   exponential map, exact for rotation about a fixed axis; D is singular where |angle| = 2 pi
 *   cay   Cayley map (1 - hat(x)/2)^-1 (1 + hat(x)/2), without trigonometry; turns by less than pi
 * The tangent D(x) of a chart is left-trivialised, tau(x)^-1 d/de tau(x + e y) = hat(D(x) y), and all that a scheme
 * needs of second derivatives belongs to the one number w.D(x)e.
 *
 * | group | element as stored | tangent |
 * |---|---|---|
 * | so3 | unit quaternion, scalar part first | 3, along the axes of the body |
 * | se2 | angle, position (2) | angle, displacement (2) along the axes of the body |
 * | se3 | unit quaternion, position (3) | rotation (3), displacement (3), along the axes of the body |
 *
 * Rotations of the plane are stored as an angle and not as cosine and sine: an angle counts turns, which results
 * and springs on joints rely on, and it needs no renormalisation. So elements of se2 belong to the covering group.
 *
 * All functions are plain arithmetic on arrays of the caller. Matrices are written row by row, n x n. Results must not
 * overlap arguments. */
#ifndef LV_GROUP_GROUP_H
#define LV_GROUP_GROUP_H

#include <stdbool.h>

#include "group/chart.h"

/* Sizes of the largest group. */
#define LV_LIE_ELEMENT 7
#define LV_LIE_TANGENT 6

typedef struct lv_lie_group {
    const char *name;
    int element; /* number of values that represent an element */
    int tangent; /* n: number of values of a tangent or momentum */
    int axes;    /* size of the rotation matrix of an element: 2 or 3 */
    double identity[LV_LIE_ELEMENT];

    /* a b, renormalised: a unit quaternion q is multiplied by (3 - |q|^2)/2. inverse
     * computes a^-1. */
    void (*compose)(double *g, const double *a, const double *b);
    void (*inverse)(double *g, const double *a);

    /* The rotation matrix R from body to space, axes x axes. */
    void (*rotation)(double *r, const double *g);

    /* Ad_g: hat(Ad_g x) = g hat(x) g^-1, and its derivative ad_x: y -> [x, y] */
    void (*Ad)(double *m, const double *g);
    void (*ad)(double *m, const double *x);

    /* The matrix of y -> ad_y^T w */
    void (*coad)(double *m, const double *w);

    /* Spatial momentum Ad_{g^-1}^T w of the body momentum w, and back, Ad_g^T w. On so3 they are R w and R^T w.
     * On se2 and se3 the angular part of the spatial momentum is that about the origin of space: it contains
     * p x (linear momentum) and grows with the distance p, and so do the rounding errors of what is derived
     * from it. */
    void (*space)(double *y, const double *g, const double *w);
    void (*body)(double *y, const double *g, const double *w);

    /* tau, and its inverse for initial values and tests */
    void (*tau)(lv_chart chart, double *g, const double *x);
    void (*tau_inverse)(lv_chart chart, double *x, const double *g);

    /* D(x) e, D(x)^T w, and the matrix D(x) */
    void (*D)(lv_chart chart, double *y, const double *x, const double *e);
    void (*DT)(lv_chart chart, double *y, const double *x, const double *w);
    void (*D_matrix)(lv_chart chart, double *m, const double *x);

    /* The gradient in x of the number w.D(x)e, and its Hessian (symmetric) */
    void (*B)(lv_chart chart, double *y, const double *x, const double *e,
              const double *w);
    void (*hessian)(lv_chart chart, double *m, const double *x, const double *e,
                    const double *w);

    /* Derivatives by x of the vectors D(x)e and D(x)^T w: column j is that by x_j. Their transposes are the
     * derivatives of B by w and by e. */
    void (*D_slope)(lv_chart chart, double *m, const double *x, const double *e);
    void (*DT_slope)(lv_chart chart, double *m, const double *x, const double *w);
} lv_lie_group;

extern const lv_lie_group lv_so3, lv_se2, lv_se3;

/* All groups; NULL ends the list. */
extern const lv_lie_group *const lv_lie_groups[];

/* g tau(x). Its derivative by x is D(x), and that by g is lv_lie_group_Ad_tau at -x. */
void lv_lie_group_move(const lv_lie_group *group, lv_chart chart, double *moved,
                       const double *g, const double *x);

/* The x with a tau(x) = b; too slow for time loops. */
void lv_lie_group_between(const lv_lie_group *group, lv_chart chart, double *x,
                          const double *a, const double *b);

/* Ad of tau(x) */
void lv_lie_group_Ad_tau(const lv_lie_group *group, lv_chart chart, double *m,
                         const double *x);

/* D(-x)^T w, and its derivative by x. */
void lv_lie_group_DTm(const lv_lie_group *group, lv_chart chart, double *y,
                      const double *x, const double *w);
void lv_lie_group_DTm_slope(const lv_lie_group *group, lv_chart chart, double *m,
                            const double *x, const double *w);

/* Derivatives of space(g, w) and body(g, w): by w, and left-invariant ones by g (column
 * j: along g tau(e e_j)). */
void lv_lie_group_space_matrix(const lv_lie_group *group, double *m, const double *g);
void lv_lie_group_body_matrix(const lv_lie_group *group, double *m, const double *g);
void lv_lie_group_space_slope(const lv_lie_group *group, double *m, const double *g,
                              const double *w);
void lv_lie_group_body_slope(const lv_lie_group *group, double *m, const double *g,
                             const double *w);

#endif
