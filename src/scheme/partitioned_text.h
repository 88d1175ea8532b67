/* The equations of partitioned Runge-Kutta schemes as texts of the step language
 * (step/read.h), with the coefficients that a tableau gives them. */
#ifndef LV_SCHEME_PARTITIONED_TEXT_H
#define LV_SCHEME_PARTITIONED_TEXT_H

#include "base/text.h"
#include "scheme/scheme.h"
#include "stepper/stepper.h"

/* coefficients: number of coefficients of multipliers that are polynomials, -1:
 * multipliers are values at the stages. rotations: how bodies rotate if the system has
 * them on groups. */
lv_status lv_partitioned_stepper(lv_stepper **stepper, lv_system *system,
                                 const lv_tableau *tableau, int coefficients,
                                 lv_rotations_as rotations, lv_error *err);

/* Appends the same equations as a text for readers, for systems with holonomic
 * constraints. */
lv_status lv_partitioned_equations(lv_text *out, const lv_tableau *tableau,
                                   int coefficients, lv_error *err);

/* A Galerkin scheme in time with a quadrature rule given by its points and weights, any
 * number of them. */
typedef struct lv_galerkin {
    lv_closure closure;
    int degree;
    int points;
    const double *c, *b; /* points and weights of the rule on 0 .. 1 */
    int coefficients;    /* number of coefficients of the multipliers */
} lv_galerkin;

/* For a constant mass matrix: the unknowns are the terms of the series of velocities,
 * however many points the rule has. The rule applies to forces and constraints only; the
 * kinetic energy is integrated exactly. */
lv_status lv_series_stepper(lv_stepper **stepper, lv_system *system,
                            const lv_galerkin *galerkin, lv_error *err);
lv_status lv_series_equations(lv_text *out, const lv_galerkin *galerkin, lv_error *err);

#endif
