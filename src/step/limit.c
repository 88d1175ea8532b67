#include "step/limit.h"

#include <math.h>

/* h omega at the start from which on a step that could not be solved is said to be too large. Forces of the step change
 * omega before the body turns. */
static const double nearly = 0.8;

/* The body that turns fastest, and how fast. */
static int find_fastest(const lv_turning *t, const double *v, double *omega)
{
    int fastest = -1;
    *omega = 0;
    for (int k = 0; k < t->motion->pose_count; k++) {
        const double rate = lv_turning_rate(t, k, v);
        if (fastest >= 0 && !(rate > *omega))
            continue;
        fastest = k;
        *omega = rate;
    }
    return fastest;
}

lv_status lv_limit_check(const lv_course *c, const lv_state *from, double h, bool failed,
                         lv_error *err)
{
    const lv_turning *t = &c->turning;
    const double *step = lv_course_value(c, "V", 0);
    double omega = 0;
    char name[160];
    const int body = find_fastest(t, failed ? from->v : step, &omega);
    if (failed ? !(fabs(h) * omega > nearly) : !(fabs(h) * omega >= 2))
        return failed ? LV_ERR_NUMERIC : LV_OK;
    lv_system_pose_text(c->system, body, name, sizeof name);
    const lv_status status =
        lv_fail(err, LV_ERR_NUMERIC,
                "the step is too large for body '%s', which turns by %.3g rad in a step: "
                "h*omega < 1 is needed",
                name, fabs(h) * lv_turning_rate(t, body, from->v));
    lv_error_about(err, LV_ABOUT_STEP, 0);
    lv_error_because(err, LV_WHY_DIVERGED);
    return status;
}
