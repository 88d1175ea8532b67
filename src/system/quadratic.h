/* Constraints that are at most quadratic and do not move: their second derivatives H are constant, and the
 * Jacobian at q + x is that at q and T(x), with T(x)_rj = sum_i H_r,ij x_i. */
#ifndef LV_SYSTEM_QUADRATIC_H
#define LV_SYSTEM_QUADRATIC_H

#include "base/status.h"
#include "system/plan.h"

typedef struct lv_quadratic lv_quadratic;

/* rate: a plan for RATE_Q; g: the pattern of the Jacobian, which has to stay. *result is NULL where
 * constraints touch so many coordinates that finding H would take long, which is no error. */
lv_status lv_quadratic_create(lv_quadratic **result, lv_plan *rate, const lv_pattern *g,
                              lv_error *err);
void lv_quadratic_free(lv_quadratic *quadratic);

/* turned = G + T(x), in the order of the pattern; g may be NULL: 0. */
void lv_quadratic_turn(const lv_quadratic *quadratic, double *restrict turned,
                       const double *g, const double *x);

/* How much gradients turn on the way of a unit, at most: of each constraint the largest of H beside the largest of
 * its gradient. */
double lv_quadratic_bend(const lv_quadratic *quadratic, const double *g);

/* A place where constraints and their Jacobian are known. */
typedef struct lv_quadratic_place {
    double *q, *g, *jacobian;
} lv_quadratic_place;

/* Those at q, from what is known elsewhere: rounds no more than their formulas while q stays near. */
void lv_quadratic_follow(const lv_quadratic *quadratic, const lv_quadratic_place *from,
                         const double *q, double *restrict g, double *restrict jacobian);

#endif
