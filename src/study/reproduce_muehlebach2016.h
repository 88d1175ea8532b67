/* The parts of one paper. */
#ifndef LV_STUDY_REPRODUCE_MUEHLEBACH2016_H
#define LV_STUDY_REPRODUCE_MUEHLEBACH2016_H

#include "study/reproduce_motion.h"

extern const lv_chapter lv_muehlebach2016_properties; /* 2 to 5 */
extern const lv_chapter lv_muehlebach2016_polar;      /* 6.1, 6.2 */
extern const lv_chapter lv_muehlebach2016_cartesian;  /* 6.3 */

/* 50 steps of 0.3 s, watched at 30 times in each, from its start on. */
enum {
    LV_SWING_STEPS = 50,
    LV_SWING_SAMPLES = 30,
    LV_SWING_POINTS = LV_SWING_STEPS * LV_SWING_SAMPLES,
    LV_SWING_MOST = 2 /* coordinates */
};

/* States and multiplier at these times: in steps those of the raw polynomials, right limits at the
 * nodes. */
typedef struct lv_swing {
    int n;
    double q[LV_SWING_POINTS][LV_SWING_MOST], p[LV_SWING_POINTS][LV_SWING_MOST];
    double lambda[LV_SWING_POINTS]; /* nan where the scheme has no polynomial for it */
    double nodes_q[LV_SWING_STEPS + 1][LV_SWING_MOST];
    double nodes_p[LV_SWING_STEPS + 1][LV_SWING_MOST];
    double energy[LV_SWING_STEPS + 1]; /* at the nodes */
    double gap;                        /* largest |g| at the nodes */
} lv_swing;

/* By a scheme in steps of 0.3; or, where the scheme is NULL, exactly: Lobatto in steps of 0.01, multipliers
 * from the accelerations. */
lv_status lv_swing_follow(lv_swing *swing, const char *model, const char *scheme,
                          lv_error *err);

/* The Cartesian pendulum by Newton's method for all unknowns: most iterations that a step takes from a guess
 * without memory, to relative changes of 1e-13; position after all steps. */
lv_status lv_swing_newton(int *most, double *q, lv_error *err);

/* Root mean squares over all times of |q - exact q|, |p - exact p|, |lambda - exact lambda|. */
void lv_swing_errors(const lv_swing *swing, const lv_swing *exact, double *q, double *p,
                     double *lambda);

#endif
