/* The free rotation of a body (theory 10.9): its orientation after the time 1 if it
 * begins with the angular velocity x, in body axes. Its orientation after a time h is the
 * one after the time 1 with h x.
 *
 * For symmetric bodies the motion has a closed form: a rotation about the momentum, and
 * one about the axis of symmetry. Other bodies are split into a symmetric one and a
 * rotation about a principal axis, half of which is applied before and half after: three
 * motions that are each exact, and together of second order. */
#ifndef LV_GROUP_FREE_H
#define LV_GROUP_FREE_H

typedef struct lv_free_body {
    /* rows are the principal axes; the third one is the axis of symmetry */
    double axes[9];
    double inertia[3]; /* principal moments J1, J2, J3 about these axes */
    double beside;     /* 1/J2 - 1/J1, which is 0 for a symmetric body */
    double spin;       /* 1/J3 - 1/J1 */
} lv_free_body;

/* inertia: a symmetric positive definite 3 x 3 matrix. */
void lv_free_body_init(lv_free_body *body, const double inertia[9]);

/* The rotation as a unit quaternion, and its derivative by x as a body velocity: `matrix`
 * times y is R^T dR in direction y. */
void lv_free_body_turn(const lv_free_body *body, double quaternion[4], const double x[3]);
void lv_free_body_slope(const lv_free_body *body, double matrix[9], const double x[3]);

#endif
