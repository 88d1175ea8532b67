/* Symmetric compositions of symmetric schemes.
 *
 * If S_h is symmetric and has (even) order p, the step S_{w_n h} o .. o S_{w_1 h} with the
 * weights of this file is symmetric, has a higher order, and keeps what every S_h keeps:
 * symplecticity, momentum maps, constraints, energy. Weights sum to 1, are palindromic
 * (w_i = w_{n+1-i}, bit by bit) and some are negative. */
#ifndef LV_SCHEME_COMPOSE_H
#define LV_SCHEME_COMPOSE_H

#include "base/status.h"

enum { LV_COMPOSE_MOST = 25, LV_COMPOSE_ORDER = 8 };

/* The weights that raise the order from `base` to `wanted`; a single weight 1 if the
 * orders are equal. Fails for odd orders, for wanted < base and for wanted >
 * LV_COMPOSE_ORDER. */
lv_status lv_compose(double weights[LV_COMPOSE_MOST], int *count, int base, int wanted,
                     lv_error *err);

#endif
