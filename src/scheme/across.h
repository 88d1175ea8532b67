/* A direction across the orbits of a system's symmetries in phase space (theory 6.5).
 *
 * A symmetry with the generator xi(q) = A q + b moves a state (q, p) along X = (xi(q), -A^T p). Functions
 * with the symmetry have gradients that vanish on X, and such gradients keep p . xi(q). Of a change (dq, dp)
 * this is the part that no symmetry makes, as a gradient: u . X = 0 for all of them, and
 * u_q . dq + u_p . dp > 0 unless symmetries make all of it. */
#ifndef LV_SCHEME_ACROSS_H
#define LV_SCHEME_ACROSS_H

#include "system/symmetries.h"

typedef struct lv_across {
    const lv_model *model;
    lv_symmetries symmetries;
    int n;
    double *basis;  /* of the orbits, orthonormal: [symmetry][2 n] */
    double *weight; /* of the scalar product, 2 n */
    double *u;      /* the result: u_q, u_p */
} lv_across;

/* Finds the symmetries; room is taken from the arena. */
lv_status lv_across_init(lv_across *across, lv_arena *arena, const lv_model *model,
                         lv_error *err);

/* The direction at (q, p) for the change (dq, dp), to across->u. mass: positive numbers, one per
 * coordinate, by which momenta and positions are compared. Returns the change along u. */
double lv_across_direction(lv_across *across, const double *q, const double *p,
                           const double *dq, const double *dp, const double *mass);

#endif
