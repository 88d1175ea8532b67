/* Blocks of Newton matrices on groups: L A R, where A is a matrix of the system or 1, and
 * L and R are products of derivatives of operators of groups (step/turning.h), which do
 * not join bodies. */
#ifndef LV_STEP_DRESSING_H
#define LV_STEP_DRESSING_H

#include "base/arena.h"
#include "base/status.h"
#include "num/pattern.h"
#include "step/turning.h"

enum { LV_FACTORS_MOST = 6 };

/* The derivative of an operator of groups by one of its arguments. */
typedef struct lv_factor {
    int atom;
    lv_argument by;
    double *blocks; /* LV_POSE_BLOCK for each body */
    bool plain;     /* for plain coordinates it is 1, not 0 */
} lv_factor;

/* Numbers of factors, in the order in which they are multiplied. */
typedef struct lv_factors {
    int count, list[LV_FACTORS_MOST];
} lv_factors;

typedef struct lv_dressing lv_dressing;

/* inner: the pattern of A; NULL: A is 1. Sides with factors are tangents; `factors` is
 * the list that these are numbers in. The dressing lives in the arena. */
lv_status lv_dressing_create(lv_dressing **dressing, const lv_motion *motion,
                             const lv_pattern *inner, bool transposed,
                             const lv_factors *left, const lv_factors *right,
                             const lv_factor *factors, lv_arena *arena, lv_error *err);

/* The pattern of L A R, which is not transposed, and its values, once the factors and A
 * are known. */
const lv_pattern *lv_dressing_pattern(const lv_dressing *dressing);
const double *lv_dressing_values(lv_dressing *dressing, const lv_factor *factors,
                                 const double *inner);

/* Factors or A have changed. Until then values are computed once, however many blocks
 * have them. */
void lv_dressing_forget(lv_dressing *dressing);

#endif
