/* The error message of a step that could not be taken, for all schemes: why, the last
 * correction, and which equations have the largest residuals; or, if a formula has no
 * finite value where the step led, that formula. run/advice.h derives hints from these
 * facts. */
#ifndef LV_COURSE_FAILURE_H
#define LV_COURSE_FAILURE_H

#include "solve/newton.h"
#include "system/system.h"

typedef struct lv_step_failure {
    lv_system *system;
    lv_reason why;
    double change;  /* size of the last correction, relative */
    int iterations; /* Newton passes of the attempt that is reported */
    bool lost;      /* values were not finite, in this attempt or in another one */
    /* Residuals of the holonomic constraints; NULL: unknown */
    const double *constraints;
    /* Residuals of the momentum balance, by coordinate; NULL: unknown */
    const double *balance;

    /* Repeats the evaluations of the step and returns LV_ERR_DOMAIN for a formula without
     * a finite value. NULL: there are no formulas to check. */
    lv_status (*trace)(void *work, lv_error *err);
    void *work;
} lv_step_failure;

/* Returns LV_ERR_NUMERIC, or LV_ERR_DOMAIN. */
lv_status lv_step_failed(const lv_step_failure *failure, lv_error *err);

/* What Newton's method knows of a failure. `ask` searches for formulas without a finite
 * value at the last evaluation. */
typedef struct lv_newton_look {
    lv_newton *newton;
    lv_status (*ask)(void *work, lv_error *err);
} lv_newton_look;

lv_step_failure lv_newton_failure(lv_system *system, lv_newton_look *look);

#endif
