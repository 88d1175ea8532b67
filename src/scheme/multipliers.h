/* How the multipliers of holonomic constraints live in a step of a partitioned scheme, and what is
 * asked of the constraints in return (theory 4, 8).
 *
 * Unknown are `count` vectors y_0, y_1, ... The multiplier at stage i is sum_c shape[i][c] y_c; with
 * an impulse y_0 acts at the start of the step instead, along the gradients there. Asked is
 * sum_p test[e][p] g(Q_p) = 0 for e < count, where point s, behind the stages, is the end of the
 * step. */
#ifndef LV_SCHEME_MULTIPLIERS_H
#define LV_SCHEME_MULTIPLIERS_H

#include "scheme/tableau.h"

typedef struct lv_multipliers {
    int count;
    bool impulse;
    bool nodal;    /* one vector for each of the first stages */
    double *shape; /* stages x count */
    double *test;  /* count x (stages + 1) */
} lv_multipliers;

/* A vector for each stage but the last, constraints at all stages but the first: for tableaux whose
 * first and last stages are the ends of the step. whole: the last stage has one, too; what is asked
 * for it (the last test is empty) is up to the caller. */
lv_status lv_multipliers_nodal(lv_multipliers **space, const lv_tableau *tableau,
                               bool whole, lv_error *err);

/* A polynomial with `coefficients` Legendre coefficients and an impulse at the start; constraints
 * hold at the end and in the mean against the same polynomials. */
lv_status lv_multipliers_smooth(lv_multipliers **space, const lv_tableau *tableau,
                                int coefficients, lv_error *err);

void lv_multipliers_free(lv_multipliers *space);

/* Predictor: row c of the matrix (count x count) gives y_c of the next step, theta times as long, from
 * those of this one. */
void lv_multipliers_extrapolate(const lv_multipliers *space, const lv_tableau *tableau,
                                double *matrix, double theta);

#endif
