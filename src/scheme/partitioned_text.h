/* The equations of partitioned Runge-Kutta schemes, as texts of the step language (step/read.h), and the coefficients
 * that a tableau gives them. */
#ifndef LV_SCHEME_PARTITIONED_TEXT_H
#define LV_SCHEME_PARTITIONED_TEXT_H

#include "scheme/tableau.h"
#include "step/stepper.h"

/* coefficients: of multipliers that are polynomials, -1: multipliers at the stages. */
lv_status lv_partitioned_stepper(lv_stepper **stepper, lv_system *system,
                                 const lv_tableau *tableau, int coefficients,
                                 lv_error *err);

#endif
