/* Computes a motion by another method than the schemes: Gragg's extrapolated midpoint
 * rule (Hairer, Norsett, Wanner, II.9)
 *
 *     q' = v,   v' = a(q, v, t),
 *
 * with accelerations from the constrained equations of motion. It solves no equations of
 * stages and does not impose constraints, so that their residuals are a check on it. It
 * has order 16 and computes in long double, except for the accelerations. */
#ifndef LV_STUDY_EXTRAPOLATION_H
#define LV_STUDY_EXTRAPOLATION_H

#include "course/state.h"

typedef struct lv_extrapolation {
    lv_system *system;
    int n;
    long double t;
    long double *y;    /* q, v, 2 n numbers, followed by the scratch arrays */
    double *point;     /* q, v, a */
    long double *rate; /* derivative of y, 2 n */
    long double *before, *now;
    long double *table; /* columns of the extrapolation */
} lv_extrapolation;

/* Begins at a state, whose momenta are not used. It uses the system, which must outlive
 * it. Call lv_extrapolation_done in any case. */
lv_status lv_extrapolation_init(lv_extrapolation *reference, lv_system *system,
                                const lv_state *start, lv_error *err);
void lv_extrapolation_done(lv_extrapolation *reference);

/* Restarts at a state, usually the one of the beginning. */
void lv_extrapolation_begin(lv_extrapolation *reference, const lv_state *start);

/* Continues for the time `span` in so many steps; LV_ERR_NUMERIC if numbers are no longer
 * finite, or accelerations do not exist. */
lv_status lv_extrapolation_run(lv_extrapolation *reference, double span, long long steps,
                               lv_error *err);

/* The current state; any result may be NULL. */
void lv_extrapolation_state(lv_extrapolation *reference, double *q, double *v, double *p);

#endif
