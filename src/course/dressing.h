/* Blocks L A R of Newton matrices on groups. A is a matrix of the system or the identity;
 * L and R are products of derivatives of group operators (course/turning.h), which do not
 * couple bodies. */
#ifndef LV_COURSE_DRESSING_H
#define LV_COURSE_DRESSING_H

#include "base/arena.h"
#include "base/status.h"
#include "course/turning.h"
#include "num/pattern.h"

enum { LV_FACTORS_MOST = 6 };

/* The derivative of a group operator by one of its arguments. */
typedef struct lv_factor {
    int atom;
    lv_argument by;
    double *blocks; /* LV_POSE_BLOCK numbers for each body */
    bool plain;     /* for plain coordinates it is the identity, not 0 */
} lv_factor;

/* A product of factors, given by their numbers in a list. */
typedef struct lv_factors {
    int count, list[LV_FACTORS_MOST];
} lv_factors;

typedef struct lv_dressing lv_dressing;

/* `inner` is the pattern of A; NULL: A is the identity. A side with factors consists of
 * tangents. `left` and `right` are numbers in the list `factors`. The dressing is
 * allocated in the arena. */
lv_status lv_dressing_create(lv_dressing **dressing, const lv_motion *motion,
                             const lv_pattern *inner, bool transposed,
                             const lv_factors *left, const lv_factors *right,
                             const lv_factor *factors, lv_arena *arena, lv_error *err);

/* The pattern of L A R (never transposed), and its values for the present factors and
 * values of A. */
const lv_pattern *lv_dressing_pattern(const lv_dressing *dressing);
const double *lv_dressing_values(lv_dressing *dressing, const lv_factor *factors,
                                 const double *inner);

/* Call when factors or A have changed. Values are computed once until then, even if
 * several blocks use them. */
void lv_dressing_forget(lv_dressing *dressing);

#endif
