/* Directions in phase space that are transverse to the orbits of a system's symmetries
 * (theory 6.5).
 *
 * A symmetry with the generator xi(q) = A q + b moves a state (q, p) along
 * X = (xi(q), -A^T p). Functions with the symmetry have gradients that vanish on X, and
 * such gradients keep p . xi(q). For a change (dq, dp) this module computes its transverse
 * part, as a gradient u: u . X = 0 for all symmetries, and u_q . dq + u_p . dp > 0 unless
 * (dq, dp) is a motion along the orbits. */
#ifndef LV_SCHEME_TRANSVERSE_H
#define LV_SCHEME_TRANSVERSE_H

#include "system/symmetries.h"

typedef struct lv_transverse {
    const lv_model *model;
    lv_symmetries symmetries;
    int n;
    double *basis;  /* orthonormal basis of the tangents of the orbit, [symmetry][2 n] */
    double *weight; /* weights of the scalar product, 2 n */
    double *u;      /* result of lv_transverse_direction: u_q, u_p, 2 n */
} lv_transverse;

/* Finds the symmetries of the model. All storage is taken from the arena. */
lv_status lv_transverse_init(lv_transverse *transverse, lv_arena *arena,
                             const lv_model *model, lv_error *err);

/* Computes transverse->u at (q, p) for the change (dq, dp) and returns u_q . dq + u_p . dp.
 * mass: n positive numbers that make positions and momenta comparable. */
double lv_transverse_direction(lv_transverse *transverse, const double *q,
                               const double *p, const double *dq, const double *dp,
                               const double *mass);

#endif
