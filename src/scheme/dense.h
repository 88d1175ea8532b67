/* Positions and momenta inside a step, from the series of its slopes (theory 8).
 *
 * The raw polynomials q~, p~ are those of the ansatz; they jump at the nodes. Integrating
 * the series instead costs nothing more, is continuous, and is as a rule more accurate by
 * one order; its end is the end of the step before projection. */
#ifndef LV_SCHEME_DENSE_H
#define LV_SCHEME_DENSE_H

#include "scheme/scheme.h"

typedef enum lv_dense { LV_DENSE_INTEGRATED, LV_DENSE_RAW } lv_dense;

/* Numbers of terms of the series of velocities and of forces. */
int lv_dense_velocity_terms(lv_closure closure, int degree);
int lv_dense_force_terms(lv_closure closure, int degree);

/* Completes `slopes`, which has h and the start of the step, with the series that belong
 * to velocities and forces at the stages. room: 2 (stages + 1) n numbers, which the
 * result refers to. */
lv_slopes lv_slopes_of_stages(const lv_tableau *tableau, int n, const double *velocities,
                              const double *forces, double *room, lv_slopes slopes);

/* Position and momentum, n numbers, at the local time x, 0 to 1. */
void lv_dense_position(const lv_slopes *slopes, lv_dense kind, int n, double x,
                       double *q);
void lv_dense_momentum(const lv_slopes *slopes, lv_dense kind, int n, double x,
                       double *p);

/* Derivatives of the raw polynomials with respect to the local time. */
void lv_dense_rates(const lv_slopes *slopes, int n, double x, double *dq, double *dp);

/* The m multipliers at the local time x; only if the multipliers are polynomials
 * (lambda_terms > 0). */
void lv_dense_multipliers(const lv_slopes *slopes, int m, double x, double *lambda);

#endif
