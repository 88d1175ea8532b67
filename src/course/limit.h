/* Limits on the rotation of bodies on groups in a step (theory 10.1, 10.8). If a body
 * turns too far, the equations of a step have solutions besides the motion, or none at
 * all:
 *
 *     exp    half a turn
 *     cay    a quarter of a turn
 *     axes as coordinates: the angle of a step is asin(h omega), and h omega < 1 */
#ifndef LV_COURSE_LIMIT_H
#define LV_COURSE_LIMIT_H

#include "course/course.h"
#include "course/state.h"

typedef struct lv_limit {
    const lv_course *course;
    bool by_axes;
    double most; /* h omega must stay below this */
    /* From this h omega on there may be no solution, since forces change omega in the
     * step */
    double doubtful;
    const char *with;
} lv_limit;

/* The chart of the course must have been set. */
void lv_limit_init(lv_limit *limit, const lv_course *course, bool by_axes);

/* Checks the state before a step and refuses the step if a body would turn too far. */
lv_status lv_limit_check_start(const lv_limit *limit, const lv_state *from, double h,
                               lv_error *err);

/* After a step that could not be solved, adds to `err` how far a body turns, by its
 * velocity at the start, if that is nearly too far. Returns `status`. */
lv_status lv_limit_explain(const lv_limit *limit, const lv_state *from, double h,
                           lv_status status, lv_error *err);

/* After a step that ends at q and v, checks whether it is a step of the motion, and
 * writes to the report how far bodies turned. */
lv_status lv_limit_check_end(const lv_limit *limit, const lv_state *from, const double *q,
                             const double *v, double h, lv_step_report *report,
                             lv_error *err);

#endif
