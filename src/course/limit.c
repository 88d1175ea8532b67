#include "course/limit.h"

#include <math.h>
#include <stdio.h>

static const double half_turn = 3.141592653589793;

void lv_limit_init(lv_limit *limit, const lv_course *course, bool by_axes)
{
    const lv_turning *t = &course->turning;
    *limit = (lv_limit){.course = course, .by_axes = by_axes};
    if (by_axes) {
        limit->most = 1;
        limit->doubtful = 0.8;
        limit->with = "directors";
    } else if (t->chart == LV_CHART_CAY) {
        limit->most = half_turn / 2;
        limit->doubtful = 0.8;
        limit->with = "the Cayley map";
    } else {
        limit->most = half_turn;
        limit->doubtful = 2.5;
        limit->with = t->bodies ? "exact rotations" : "the exponential map";
    }
}

/* Returns the body that turns fastest, and sets its angle in a step; -1: there is
 * none. */
static int find_fastest(const lv_turning *t, const double *v, double h, double *angle)
{
    int fastest = -1;
    *angle = 0;
    for (int k = 0; t->motion && k < t->motion->pose_count; k++) {
        const double its = fabs(h) * lv_turning_rate(t, k, v);
        if (fastest >= 0 && its <= *angle)
            continue;
        fastest = k;
        *angle = its;
    }
    return fastest;
}

static void hint_rotations(const lv_limit *limit, lv_error *err)
{
    if (limit->most < half_turn)
        lv_error_hint(err, "try a smaller step, or rotations = exp, which takes up to "
                           "half a turn in a step");
}

static lv_status turns_too_far(const lv_limit *limit, int body, double angle,
                               lv_error *err)
{
    char name[160];
    lv_system_pose_text(limit->course->system, body, name, sizeof name);
    const lv_status status = lv_fail(err, LV_ERR_NUMERIC,
                                     "the step is too large for body '%s', which turns "
                                     "by %.3g rad in it: with %s that "
                                     "has to be below %.3g",
                                     name, angle, limit->with, limit->most);
    lv_error_about(err, LV_ABOUT_STEP, 0);
    lv_error_name(err, name);
    lv_error_because(err, LV_WHY_DIVERGED);
    hint_rotations(limit, err);
    return status;
}

lv_status lv_limit_check_start(const lv_limit *limit, const lv_state *from, double h,
                               lv_error *err)
{
    double angle = 0;
    const int body = find_fastest(&limit->course->turning, from->v, h, &angle);
    if (body < 0 || limit->by_axes || angle < limit->most)
        return LV_OK;
    return turns_too_far(limit, body, angle, err);
}

lv_status lv_limit_explain(const lv_limit *limit, const lv_state *from, double h,
                           lv_status status, lv_error *err)
{
    double angle = 0;
    char name[160], known[sizeof err->note];
    const int body = find_fastest(&limit->course->turning, from->v, h, &angle);
    if (status != LV_ERR_NUMERIC || body < 0 || !(angle > limit->doubtful))
        return status;
    if (limit->by_axes)
        return turns_too_far(limit, body, angle, err);
    lv_system_pose_text(limit->course->system, body, name, sizeof name);
    snprintf(known, sizeof known, "%s", err ? err->note : "");
    lv_error_note(err,
                  "body '%s' turns by %.3g rad in the step: with %s there may be no "
                  "solution from %.3g rad on%s%s",
                  name, angle, limit->with, limit->doubtful, known[0] ? "; " : "", known);
    hint_rotations(limit, err);
    return status;
}

/* Steps with axes as coordinates have two solutions; the motion is the one that turns by
 * less than a quarter of a turn. */
static lv_status check_solution(const lv_limit *limit, const lv_state *from, double h,
                                lv_error *err)
{
    const lv_turning *t = &limit->course->turning;
    double size = 0;
    const int body = find_fastest(t, lv_course_value(limit->course, "V", 0), h, &size);
    if (body < 0 || size < 2)
        return LV_OK;
    return turns_too_far(limit, body, fabs(h) * lv_turning_rate(t, body, from->v), err);
}

static lv_status turned_astray(const lv_limit *limit, int body, double angle,
                               double expected, lv_error *err)
{
    char name[160];
    lv_system_pose_text(limit->course->system, body, name, sizeof name);
    const lv_status status =
        lv_fail(err, LV_ERR_NUMERIC,
                "the step ended at a false solution: body '%s' turned by %.3g rad, its "
                "angular velocity is that of %.3g rad",
                name, angle, expected);
    lv_error_because(err, LV_WHY_DIVERGED);
    lv_error_about(err, LV_ABOUT_STEP, 0);
    lv_error_name(err, name);
    hint_rotations(limit, err);
    return status;
}

/* Checks whether a body has turned much further than its velocities say. Forces may turn
 * it somewhat further. */
static lv_status check_angles(const lv_limit *limit, const lv_state *from,
                              const double *q, const double *v, double h, lv_error *err)
{
    const double radian = 1, somewhat = 1.2;
    const lv_turning *t = &limit->course->turning;
    for (int k = 0; k < t->motion->pose_count; k++) {
        if (lv_turning_is_small(t, k, from->q, q))
            continue;
        const double expected =
            fabs(h) * fmax(lv_turning_rate(t, k, from->v), lv_turning_rate(t, k, v));
        /* lv_turning_angle is at most half a turn in space */
        if (t->motion->poses[k].angle < 0 && radian + somewhat * expected > half_turn)
            continue;
        const double angle = lv_turning_angle(t, k, from->q, q);
        if (!(angle < radian + somewhat * expected))
            return turned_astray(limit, k, angle, expected, err);
    }
    return LV_OK;
}

lv_status lv_limit_check_end(const lv_limit *limit, const lv_state *from, const double *q,
                             const double *v, double h, lv_step_report *report,
                             lv_error *err)
{
    double angle = 0;
    if (!limit->course->turning.motion)
        return LV_OK;
    LV_TRY(limit->by_axes ? check_solution(limit, from, h, err)
                          : check_angles(limit, from, q, v, h, err));
    const int body = find_fastest(&limit->course->turning, v, h, &angle);
    if (body >= 0 && !limit->by_axes && !(angle < limit->most))
        return turns_too_far(limit, body, angle, err);
    if (body >= 0)
        report->turned = (lv_turned){
            .coordinate = lv_pose_coordinate(&limit->course->turning.motion->poses[body]),
            .angle = angle,
            .doubtful = limit->doubtful,
            .advice = limit->most < half_turn ? LV_TURN_BY_EXP : LV_TURN_SMALLER_STEP};
    return LV_OK;
}
