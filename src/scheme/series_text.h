/* The equations of Galerkin schemes in time whose unknowns are the Legendre series of the velocities, as a text of the step
 * language (step/read.h). */
#ifndef LV_SCHEME_SERIES_TEXT_H
#define LV_SCHEME_SERIES_TEXT_H

#include "scheme/tableau.h"
#include "step/stepper.h"

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

#endif
