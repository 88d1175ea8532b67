/* How far a step is from keeping the symplectic form dq_a . dp_b - dq_b . dp_a of two directions a, b that are tangent to
 * the constraints: relative to the sum of the sizes of its terms. */
#ifndef LV_STUDY_TWO_FORM_H
#define LV_STUDY_TWO_FORM_H

#include "run/sim.h"

/* By the exact derivatives of the next two steps: the first one makes directions tangent, the second one is judged. Takes
 * these steps. NAN where constraints prescribe the motion: there are no directions. */
lv_status lv_two_form_exact(lv_sim *sim, double *defect, lv_error *err);

/* Where all curves meet. */
typedef struct lv_form_start {
    double t;
    const double *q, *v, *p;
} lv_form_start;

/* Makes the point of a curve at e the state of a simulation; `room` has 2 n numbers. */
typedef lv_status (*lv_form_point)(lv_sim *sim, const lv_form_start *start, double e,
                                   int curve, double *room, lv_error *err);

/* The start, pushed by e and projected onto the constraints: for callers that want nothing else. */
lv_status lv_form_point_projected(lv_sim *sim, const lv_form_start *start, double e,
                                  int curve, double *room, lv_error *err);

enum { LV_FORM_CURVES = 4 };

/* A number between -1 and 1 for every coordinate of a curve, and behind those of positions (LV_FORM_CURVES more) of
 * velocities. */
double lv_form_direction(int curve, int k);

/* By differences of sixth order between points that are a `spread` apart on curves through the present state, which is
 * replaced. */
lv_status lv_two_form_differences(lv_sim *sim, double *defect, double spread,
                                  lv_form_point make, lv_error *err);

#endif
