/* How far bodies on groups may turn in a step (theory 10.1, 10.8). The equations of a
 * step have other solutions besides the motion, or none at all, where a body turns too
 * far:
 *
 *     exp    half a turn
 *     cay    a quarter of a turn
 *     axes as coordinates: the angle of a step is asin(h omega), and h omega < 1 */
#ifndef LV_STEP_LIMIT_H
#define LV_STEP_LIMIT_H

#include "step/course.h"
#include "step/state.h"

typedef struct lv_limit {
    const lv_course *course;
    bool by_axes;
    double most; /* h omega has to stay below it, */
    /* and from here on there may be no solution either: forces of the step change
     * omega */
    double doubtful;
    const char *with;
} lv_limit;

/* The chart of the course is known. */
void lv_limit_init(lv_limit *limit, const lv_course *course, bool by_axes);

/* Before a step, which may be refused. */
lv_status lv_limit_check_start(const lv_limit *limit, const lv_state *from, double h,
                               lv_error *err);

/* After a step that could not be solved, and `err` says why: tells how far a body turns
 * if that is nearly too far, by its velocity at the start. Returns `status`. */
lv_status lv_limit_explain(const lv_limit *limit, const lv_state *from, double h,
                           lv_status status, lv_error *err);

/* After a step that ends at q and v: is it one of the motion? Tells the report how far
 * bodies turned. */
lv_status lv_limit_check_end(const lv_limit *limit, const lv_state *from, const double *q,
                             const double *v, double h, lv_step_report *report,
                             lv_error *err);

#endif
