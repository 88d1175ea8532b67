/* What is said of a step that could not be taken, for all schemes alike: why, the last
 * change, which equations are left furthest from being satisfied; or, if a formula has no
 * finite value where the step led, that formula. Hints are made of these facts by
 * run/advice.h. */
#ifndef LV_STEP_FAILURE_H
#define LV_STEP_FAILURE_H

#include "solve/newton.h"
#include "system/system.h"

typedef struct lv_step_failure {
    lv_system *system;
    lv_reason why;
    double change;  /* the last one, relative */
    int iterations; /* of the attempt that is reported */
    bool lost;      /* numbers ceased to be finite, in this attempt or in another one */
    /* residuals of the holonomic constraints; NULL: not known */
    const double *constraints;
    const double *balance; /* of the momentum balance, by coordinate; NULL: not known */

    /* Goes the way of the step once more and evaluates formulas on it: LV_ERR_DOMAIN for
     * one without a finite value. NULL: there are none. */
    lv_status (*trace)(void *work, lv_error *err);
    void *work;
} lv_step_failure;

/* Returns LV_ERR_NUMERIC, or LV_ERR_DOMAIN. */
lv_status lv_step_failed(const lv_step_failure *failure, lv_error *err);

/* The part of it that Newton's method knows. `ask` looks for formulas without a finite
 * value where the last evaluation was. */
typedef struct lv_newton_look {
    lv_newton *newton;
    lv_status (*ask)(void *work, lv_error *err);
} lv_newton_look;

lv_step_failure lv_newton_failure(lv_system *system, lv_newton_look *look);

#endif
