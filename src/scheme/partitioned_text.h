/* The equations of partitioned Runge-Kutta schemes, as texts of the step language (step/read.h), and the coefficients
 * that a tableau gives them. */
#ifndef LV_SCHEME_PARTITIONED_TEXT_H
#define LV_SCHEME_PARTITIONED_TEXT_H

#include "base/text.h"
#include "scheme/scheme.h"
#include "step/stepper.h"

/* coefficients: of multipliers that are polynomials, -1: multipliers at the stages. rotations: of bodies, if the system
 * has them on groups. */
lv_status lv_partitioned_stepper(lv_stepper **stepper, lv_system *system,
                                 const lv_tableau *tableau, int coefficients,
                                 lv_rotations_as rotations, lv_error *err);

/* Appends the same as a text for readers, of systems with holonomic constraints. */
lv_status lv_partitioned_equations(lv_text *out, const lv_tableau *tableau,
                                   int coefficients, lv_error *err);

/* A Galerkin scheme in time; with its own rule, of any number of points. */
typedef struct lv_galerkin {
    lv_closure closure;
    int degree;
    int points;
    const double *c, *b; /* of the rule */
    int coefficients;    /* of the multipliers */
} lv_galerkin;

/* For a constant mass matrix: the series of the velocities is unknown, however many points the rule has. It is a rule
 * for forces and constraints only, the kinetic energy is integrated exactly. */
lv_status lv_series_stepper(lv_stepper **stepper, lv_system *system,
                            const lv_galerkin *galerkin, lv_error *err);
lv_status lv_series_equations(lv_text *out, const lv_galerkin *galerkin, lv_error *err);

#endif
