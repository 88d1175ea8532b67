/* Constraints at both ends of a step of the GGL family: evaluated, or followed from where they were. */
#include "scheme/ggl.h"

#include "base/inline.h"
#include "num/extent.h"
#include "system/sparse.h"

#include <math.h>
#include <string.h>

static lv_status make_quadratic(lv_ggl *w, lv_error *err)
{
    lv_plan *rate = NULL;
    if (w->m == 0 || w->system->constraint_degree > 2 || w->system->rheonomic ||
        lv_ggl_is_general())
        return LV_OK;
    LV_TRY(lv_plan_create(&rate, w->system->model, LV_WANT(RATE_Q), err));
    lv_status status = lv_quadratic_create(&w->quadratic, rate, w->g, err);
    lv_plan_free(rate);
    return status;
}

lv_status lv_ggl_make_ends(lv_ggl *w, lv_error *err)
{
    LV_TRY(lv_plan_create(&w->end, w->system->model,
                          LV_WANT(CONSTRAINT) | LV_WANT(CONSTRAINT_T) | LV_WANT(JACOBIAN),
                          err));
    w->g = lv_plan_pattern(w->end, LV_Q_JACOBIAN);
    return make_quadratic(w, err);
}

int lv_ggl_known_size(const lv_ggl *w)
{
    return w->quadratic ? w->n + w->m + lv_pattern_entries(w->g) : 0;
}

LV_HOT void lv_ggl_evaluate_end(lv_ggl *w, const double *q1)
{
    if (w->quadratic) {
        lv_quadratic_follow(w->quadratic, &w->known, q1, w->followed_gap, w->followed);
        w->gap = w->followed_gap;
        w->g1 = w->followed;
        return;
    }
    const lv_point at = {.q = q1, .v = w->from->v, .t = lv_ggl_time(w, 1)};
    lv_plan_run(w->end, &at);
    w->gap = lv_plan_result(w->end, LV_Q_CONSTRAINT);
    w->g1 = lv_plan_result(w->end, LV_Q_JACOBIAN);
}

LV_HOT void lv_ggl_turn_end(lv_ggl *w, const double *moved)
{
    lv_quadratic_turn(w->quadratic, w->turned, w->g1, moved);
    w->g1 = w->turned;
}

/* Quadratic constraints are evaluated after so many steps, and followed from there. */
enum { FOLLOWED = 16 };

/* What a correction x leaves, x^2 times the curvature, is compared with the rounding of coordinates, where they are
 * and where they get until constraints are evaluated again. */
static void judge_bend(lv_ggl *w)
{
    const lv_state *from = w->from;
    const double way = fabs(w->h) * lv_extent(from->v, w->n);
    const double bend = lv_quadratic_bend(w->quadratic, w->g0);
    const double turn = bend * (lv_extent(from->q, w->n) + (FOLLOWED + 1) * way);
    w->memory[LV_GGL_BEND] = bend;
    w->memory[LV_GGL_SQUARED] = LV_NEWTON_SQUARED / sqrt(turn <= 1 ? 1 : turn);
    w->memory[LV_GGL_LARGEST] = fabs(w->h);
}

LV_HOT void lv_ggl_evaluate_start(lv_ggl *w)
{
    const lv_state *from = w->from;
    const bool follows = lv_ggl_count(w) % FOLLOWED != 0;
    if (w->memory[LV_GGL_KNOWN] != 0 && (follows || !w->quadratic))
        return;
    const lv_point at = {.q = from->q, .v = from->v, .t = from->t};
    const int entries = lv_pattern_entries(w->g);
    lv_plan_run(w->end, &at);
    memcpy(w->g0, lv_plan_result(w->end, LV_Q_JACOBIAN),
           (size_t)entries * sizeof(double));
    if (!w->quadratic)
        return;
    memcpy(w->known.q, from->q, (size_t)w->n * sizeof(double));
    memcpy(w->known.g, lv_plan_result(w->end, LV_Q_CONSTRAINT),
           (size_t)w->m * sizeof(double));
    memcpy(w->known.jacobian, w->g0, (size_t)entries * sizeof(double));
    judge_bend(w);
}

/* Larger steps may cover more. Forces count with h^2, which makes the curvature of constraints the larger one. With
 * forces alone a correction has to be so small that it hardly matters: coordinates can be large beside the distances on
 * which forces change. */
double lv_ggl_squared(const lv_ggl *w)
{
    const double small = 1e-4 * LV_NEWTON_SQUARED, h = fabs(w->h);
    const double squared = w->memory[LV_GGL_SQUARED], largest = w->memory[LV_GGL_LARGEST];
    if (!w->quadratic)
        return small;
    return h <= largest ? squared : squared * sqrt(largest / h);
}
