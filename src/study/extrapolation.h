/* A motion by other means than those of the schemes: Gragg's extrapolated midpoint rule (Hairer, Norsett, Wanner, II.9)
 *
 *     q' = v,   v' = a(q, v, t),
 *
 * with accelerations from the equations that the constraints imply for them. It solves no equations of stages and does
 * not know constraints: that they stay satisfied is a check on it. Of order 16, in long double but for the
 * accelerations. */
#ifndef LV_STUDY_EXTRAPOLATION_H
#define LV_STUDY_EXTRAPOLATION_H

#include "step/state.h"

typedef struct lv_extrapolation {
    lv_system *system;
    int n;
    long double t;
    long double *y;    /* q, v; and room behind them */
    double *point;     /* q, v, a */
    long double *rate; /* 2 n */
    long double *before, *now;
    long double *table; /* columns of the extrapolation */
} lv_extrapolation;

/* Begins at a state, whose momenta do not count. The system must stay, and is used. Call lv_extrapolation_done in any
 * case. */
lv_status lv_extrapolation_init(lv_extrapolation *reference, lv_system *system,
                                const lv_state *start, lv_error *err);
void lv_extrapolation_done(lv_extrapolation *reference);

/* Back to a state, which is that of the beginning in most cases. */
void lv_extrapolation_begin(lv_extrapolation *reference, const lv_state *start);

/* Goes on for `span` in so many steps; LV_ERR_NUMERIC if numbers are no longer finite, or accelerations do not exist. */
lv_status lv_extrapolation_run(lv_extrapolation *reference, double span, long long steps,
                               lv_error *err);

/* Where it is; any result may be NULL. */
void lv_extrapolation_state(lv_extrapolation *reference, double *q, double *v, double *p);

#endif
