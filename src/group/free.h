/* The free rotation of a body (theory 10.9): where it has turned to after a time of 1 if it began with the angular
 * velocity x, in body axes. After a time h it is where it would be after 1 with h x.
 *
 * Of symmetric bodies the motion is known: a rotation about the momentum, and one about the axis of symmetry. Others are
 * taken as symmetric ones, to which a rotation about a principal axis is added in two halves, one before and one after:
 * three motions that are each exact, and together of second order. */
#ifndef LV_GROUP_FREE_H
#define LV_GROUP_FREE_H

typedef struct lv_free_body {
    double axes[9];    /* rows: principal axes, the third one being that of symmetry */
    double inertia[3]; /* about them */
    double beside;     /* 1/J2 - 1/J1, what keeps it from being symmetric */
    double spin;       /* 1/J3 - 1/J1 */
} lv_free_body;

/* inertia: 3 x 3, symmetric and positive definite. */
void lv_free_body_init(lv_free_body *body, const double inertia[9]);

/* The rotation, as a unit quaternion, and its derivative by x as a body velocity: matrix y is R^T dR in direction y. */
void lv_free_body_turn(const lv_free_body *body, double quaternion[4], const double x[3]);
void lv_free_body_slope(const lv_free_body *body, double matrix[9], const double x[3]);

#endif
