/* Positions and momenta inside a step, from the series of its slopes (theory 8).
 *
 * Raw are the polynomials q~, p~ of the ansatz themselves, which jump at the nodes. Integrating the
 * series instead is free, continuous, and as a rule more accurate by one order; it ends where the step
 * ends, before projection. */
#ifndef LV_SCHEME_DENSE_H
#define LV_SCHEME_DENSE_H

#include "scheme/scheme.h"

typedef enum lv_dense { LV_DENSE_INTEGRATED, LV_DENSE_RAW } lv_dense;

/* Terms of the series of velocities, of forces. */
int lv_dense_velocity_terms(lv_closure closure, int degree);
int lv_dense_force_terms(lv_closure closure, int degree);

/* Completes `slopes`, which has h and the start, with the series of velocities and forces at stages;
 * room: for 2 (stages + 1) n numbers. */
lv_slopes lv_slopes_of_stages(const lv_tableau *tableau, int n, const double *velocities,
                              const double *forces, double *room, lv_slopes slopes);

/* At local time x, 0 to 1, for n coordinates. */
void lv_dense_position(const lv_slopes *slopes, lv_dense kind, int n, double x,
                       double *q);
void lv_dense_momentum(const lv_slopes *slopes, lv_dense kind, int n, double x,
                       double *p);

/* Derivatives of the raw polynomials, in the local time. */
void lv_dense_rates(const lv_slopes *slopes, int n, double x, double *dq, double *dp);

/* Multipliers of m constraints, where these are polynomials. */
void lv_dense_multipliers(const lv_slopes *slopes, int m, double x, double *lambda);

#endif
