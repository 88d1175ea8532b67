/* Whether the state in which a step ends can be accepted: its numbers are finite, and constraints that depend on others,
 * whose equations were left out, agree with these, and it belongs to the motion.
 *
 * Constraints are checked where the step asks for them last; if that is its end, rates are checked, too, where the step
 * asks for them or the system has nonholonomic constraints. */
#ifndef LV_STEP_ENDING_H
#define LV_STEP_ENDING_H

#include "step/solver.h"

typedef struct lv_ending {
    lv_course *course;
    lv_plan *
        constraints; /* holonomic ones and their gradients, borrowed; NULL: there are none */
    const double *q, *v; /* what the state becomes; v is NULL where it stays as it is */
    const double *last;  /* the point at which constraints are asked for last, */
    double at;           /* at the time t + at h */
    const double
        *without; /* the point `qb`, before gamma moves it; NULL: there is none */
    bool
        asks_rates; /* rates of holonomic constraints at the end are among the equations, */
    lv_asked rates_asked; /* but only in steps that do */
    bool doubtful; /* constraints whose equations were left out do not hold to rounding */
} lv_ending;

/* Residuals up to this part of what is let pass (system/agreement.h) are rounding; beyond it constraints that were left
 * out are doubtful. */
#define LV_ENDING_ROUNDING 5e-7

/* What a carried field becomes in a step. */
const double *lv_course_end_value(const lv_course *course, int field);

/* q, v: the carried fields that are the state. */
void lv_ending_init(lv_ending *ending, lv_course *course, int q, int v,
                    lv_plan *constraints);

/* Are rates of holonomic constraints checked in steps that ask these equations, if others were left out? */
bool lv_ending_checks_rates(const lv_ending *ending, const bool asks[LV_ASKED_WHEN]);

/* After all assignments were evaluated. redundant: equations were left out. */
lv_status lv_ending_check(lv_ending *ending, const lv_step_now *now, bool redundant,
                          lv_error *err);

#endif
