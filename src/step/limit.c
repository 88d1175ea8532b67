#include "step/limit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* h omega at the start from which on a step that could not be solved is said to be too large. Forces of the step change
 * omega before the body turns. */
static const double nearly = 0.8;

static double size_of(const double *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* The body that turns fastest, and how fast. */
static int find_fastest(const lv_motion *motion, const double *v, double *omega)
{
    int fastest = -1;
    *omega = 0;
    for (int k = 0; k < motion->rotation_count; k++) {
        const double size = size_of(v + motion->rotations[k].tangent);
        if (fastest >= 0 && !(size > *omega))
            continue;
        fastest = k;
        *omega = size;
    }
    return fastest;
}

/* "top" of the coordinate "top.e1[0]" */
static void name_of_body(const lv_course *c, int rotation, char *name, size_t size)
{
    lv_model_coordinate_text(c->system->model,
                             c->turning.motion->rotations[rotation].axis[0], name, size);
    char *dot = strrchr(name, '.');
    if (dot)
        *dot = '\0';
}

lv_status lv_limit_check(const lv_course *c, const lv_state *from, double h, bool failed,
                         lv_error *err)
{
    const lv_motion *motion = c->turning.motion;
    const double *step = lv_course_value(c, "V", 0);
    double omega = 0;
    char name[160];
    const int body = find_fastest(motion, failed ? from->v : step, &omega);
    if (failed ? !(fabs(h) * omega > nearly) : !(fabs(h) * omega >= 2))
        return failed ? LV_ERR_NUMERIC : LV_OK;
    name_of_body(c, body, name, sizeof name);
    const lv_status status =
        lv_fail(err, LV_ERR_NUMERIC,
                "the step is too large for body '%s', which turns by %.3g rad in a step: "
                "h*omega < 1 is needed",
                name, fabs(h) * size_of(from->v + motion->rotations[body].tangent));
    lv_error_about(err, LV_ABOUT_STEP, 0);
    lv_error_because(err, LV_WHY_DIVERGED);
    return status;
}
