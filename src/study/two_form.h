/* Measures the change of the symplectic form dq_a . dp_b - dq_b . dp_a by a step, for
 * directions a, b that are tangent to the constraints, relative to the sum of the sizes
 * of its terms. */
#ifndef LV_STUDY_TWO_FORM_H
#define LV_STUDY_TWO_FORM_H

#include "run/sim.h"

/* Uses the exact derivatives of the next two steps, which are taken: the first one makes
 * directions tangent, the second one is judged. NAN if constraints prescribe the motion,
 * so that there are no directions. */
lv_status lv_two_form_exact(lv_sim *sim, double *defect, lv_error *err);

/* The state in which all curves meet. */
typedef struct lv_form_start {
    double t;
    const double *q, *v, *p;
} lv_form_start;

/* Sets the state of a simulation to the point of a curve at the parameter e; `room`: 2 n
 * numbers. */
typedef lv_status (*lv_form_point)(lv_sim *sim, const lv_form_start *start, double e,
                                   int curve, double *room, lv_error *err);

/* A simple choice of curves: the start, displaced by e and projected onto the
 * constraints. */
lv_status lv_form_point_projected(lv_sim *sim, const lv_form_start *start, double e,
                                  int curve, double *room, lv_error *err);

enum { LV_FORM_CURVES = 4 };

/* A number between -1 and 1 for coordinate k of a curve; curve + LV_FORM_CURVES gives the
 * direction of its velocities. */
double lv_form_direction(int curve, int k);

/* Uses differences of sixth order between points at a distance `spread` on curves through
 * the current state, which is replaced. */
lv_status lv_two_form_differences(lv_sim *sim, double *defect, double spread,
                                  lv_form_point make, lv_error *err);

#endif
