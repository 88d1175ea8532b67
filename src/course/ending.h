/* Decides whether the end of a step can be accepted: its numbers are finite, and dependent
 * constraints whose equations were left out hold.
 *
 * Constraints are checked at the last point where the step requires them. If that is the
 * end of the step, rates are checked as well, provided that the step has equations for
 * them or the system has nonholonomic constraints. */
#ifndef LV_COURSE_ENDING_H
#define LV_COURSE_ENDING_H

#include "course/solver.h"

typedef struct lv_ending {
    lv_course *course;
    /* evaluates holonomic constraints and their gradients, borrowed; NULL: there are
     * none */
    lv_plan *constraints;
    /* q and v at the end of the step, in the course; v is NULL if the step does not
     * carry velocities */
    const double *q, *v;
    /* last point at which holonomic constraints are required; NULL: there is none */
    const double *last;
    double at; /* its time is t + at h */
    /* the step has equations for the rates of holonomic constraints at its end */
    bool asks_rates;
    lv_asked rates_asked; /* kind of steps in which these equations hold */
    /* result of the check: constraints that were left out do not hold to rounding */
    bool doubtful;
} lv_ending;

/* Residuals up to this fraction of what is accepted (system/agreement.h) count as
 * rounding; larger ones make lv_ending.doubtful true. */
#define LV_ENDING_ROUNDING 5e-7

/* The value of a carried field at the end of a step. */
const double *lv_course_end_value(const lv_course *course, int field);

/* q, v: numbers of the carried fields of the state; v is -1 if there is none. */
void lv_ending_init(lv_ending *ending, lv_course *course, int q, int v,
                    lv_plan *constraints);

/* Whether the check includes rates of holonomic constraints in steps with these
 * equations, if some were left out. */
bool lv_ending_checks_rates(const lv_ending *ending, const bool asks[LV_ASKED_WHEN]);

/* Call when all assignments have been evaluated. redundant: equations were left out.
 * Sets `doubtful`. */
lv_status lv_ending_check(lv_ending *ending, const lv_step_now *now, bool redundant,
                          lv_error *err);

#endif
