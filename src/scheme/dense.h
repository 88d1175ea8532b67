/* Positions and momenta inside a step, from the slopes at its stages (theory 8).
 *
 * Raw are the polynomials q~, p~ of the ansatz themselves, which jump at the nodes. Integrating the
 * Legendre series of the slopes instead is free, continuous, and more accurate: q^ of degree k + 1 or
 * m + 2 in the step. It ends where the step ends, before projection. */
#ifndef LV_SCHEME_DENSE_H
#define LV_SCHEME_DENSE_H

#include "scheme/scheme.h"

typedef enum lv_dense { LV_DENSE_INTEGRATED, LV_DENSE_RAW } lv_dense;

/* At local time x, 0 to 1, for n coordinates. */
void lv_dense_position(const lv_slopes *slopes, lv_dense kind, int n, double x,
                       double *q);
void lv_dense_momentum(const lv_slopes *slopes, lv_dense kind, int n, double x,
                       double *p);

#endif
