/* Newton's method on the stage equations (stages_equations.c): unknowns, predictions, the step. The
 * matrix is built once a step at the predicted stages, and again if convergence is slow. Without
 * multipliers of the last stage, p at the end is made tangent to the constraints by a projection. */
#include "scheme/stages_private.h"
#include "step/failure.h"

#include "base/memory.h"
#include "num/extent.h"
#include "scheme/dense.h"
#include "system/agreement.h"

#include <math.h>
#include <string.h>

/* ---- creation ---------------------------------------------------------------------------------- */

static double *room(lv_stages *w, int count)
{
    return lv_arena_alloc(&w->arena, (size_t)count + 1, sizeof(double));
}

int lv_stages_memory_size(const lv_stages *w)
{
    return LV_STAGES_CARRIED + w->s * w->n + w->k * w->m + lv_rolling_memory(w);
}

static lv_status make_room(lv_stages *w, lv_error *err)
{
    int s = w->s, n = w->n, m = w->m, points = s + 2;
    double **blocks[] = {&w->u,        &w->y,     &w->q,      &w->gap,  &w->jac,
                         &w->momentum, &w->force, &w->mu,     &w->rhs,  &w->multiplier,
                         &w->kick,     &w->p,     &w->v,      &w->work, &w->predictor,
                         &w->forecast, &w->start, &w->slopes, &w->last, &w->guess,
                         &w->lambda};
    int sizes[] = {s * n,
                   w->k * m,
                   points * n,
                   points * m,
                   points * lv_pattern_entries(w->g),
                   s * n,
                   s * n,
                   s * m,
                   w->size,
                   w->system->rates,
                   n,
                   n,
                   n,
                   2 * n + 2 * w->system->rates,
                   s * s,
                   w->k * w->k,
                   n,
                   2 * (s + 1) * n,
                   w->size,
                   s * n + w->k * m,
                   w->k * m};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        *blocks[k] = room(w, sizes[k]);
        if (!*blocks[k])
            return lv_fail_memory(err);
    }
    for (int k = 0; k < LV_PIECES; k++) {
        w->pieces[k].values = room(w, s * lv_pattern_entries(w->pieces[k].pattern));
        if (!w->pieces[k].values)
            return lv_fail_memory(err);
    }
    return LV_OK;
}

static const lv_newton_equations equations;

static lv_status make_plans(lv_stages *w, lv_error *err)
{
    static const lv_quantity quantities[LV_PIECES] = {LV_Q_MASS,      LV_Q_MOMENTUM_Q,
                                                      LV_Q_FORCE_Q,   LV_Q_FORCE_V,
                                                      LV_Q_CURVATURE, LV_Q_CURVATURE_V};
    const lv_model *model = w->system->model;
    lv_wanted wanted =
        LV_WANT(MOMENTUM) | LV_WANT(FORCE) | LV_WANT(CONSTRAINT) | LV_WANT(JACOBIAN);
    if (w->system->has_nonholonomic)
        wanted |= LV_WANT(RATE_V);
    LV_TRY(lv_plan_create(&w->residual, model, wanted, err));
    LV_TRY(lv_plan_create(&w->derivative, model,
                          LV_WANT(MASS) | LV_WANT(MOMENTUM_Q) | LV_WANT(FORCE_Q) |
                              LV_WANT(FORCE_V) | LV_WANT(CURVATURE) |
                              LV_WANT(CURVATURE_V),
                          err));
    w->g = lv_plan_pattern(w->residual, LV_Q_JACOBIAN);
    for (int k = 0; k < LV_PIECES; k++) {
        w->pieces[k].quantity = quantities[k];
        w->pieces[k].pattern = lv_plan_pattern(w->derivative, quantities[k]);
    }
    return LV_OK;
}

static lv_status fill(lv_stages *w, lv_error *err)
{
    w->n = w->system->n;
    w->m = w->system->m;
    w->s = w->tableau->stages;
    w->k = w->m > 0 ? w->space->count : 0;
    w->per_q = w->s + lv_rolling_per_q(w);
    w->size = w->s * w->n + w->k * w->m + lv_rolling_size(w);
    LV_TRY(make_plans(w, err));
    LV_TRY(make_room(w, err));
    LV_TRY(lv_rolling_create(&w->rolling, w, err));
    LV_TRY(lv_held_init(&w->held, w->system, w->size, &w->arena, err));
    w->newton = (lv_newton){.equations = &equations,
                            .work = w,
                            .size = w->size,
                            .update = w->rhs,
                            .last = w->last,
                            .slow = 0.3,
                            .close = 1e-2,
                            .beginnings = 2,
                            /* errors of multipliers that are carried stay */
                            .linear = w->rolling != NULL};
    return lv_stages_declare(w, err);
}

lv_status lv_stages_create(lv_stages **result, lv_system *system,
                           const lv_tableau *tableau, const lv_multipliers *space,
                           lv_error *err)
{
    *result = NULL;
    lv_stages *w = lv_memory_zeroed(1, sizeof *w);
    if (!w)
        return lv_fail_memory(err);
    w->system = system;
    w->tableau = tableau;
    w->space = system->m > 0 ? space : NULL;
    lv_status status = fill(w, err);
    if (status == LV_OK)
        *result = w;
    else
        lv_stages_free(w);
    return status;
}

void lv_stages_free(lv_stages *w)
{
    if (!w)
        return;
    lv_plan_free(w->residual);
    lv_plan_free(w->derivative);
    lv_assembly_free(w->matrix);
    lv_rolling_free(w->rolling);
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}

void lv_stages_use_memory(lv_stages *w, double *memory)
{
    w->memory = memory;
}

void lv_stages_forget(lv_stages *w)
{
    w->memory[0] = 0;
    lv_held_forget(&w->held);
}

const double *lv_stages_carried(const lv_stages *w)
{
    return w->rolling ? lv_rolling_carried(w) : NULL;
}

/* ---- prediction ------------------------------------------------------------------------------------------ */

/* Multipliers that vary smoothly along the step: the first vector without an impulse is constant. */
static void guess_multipliers(lv_stages *w, const double *lambda, double h)
{
    memset(w->y, 0, (size_t)(w->k * w->m) * sizeof *w->y);
    for (int c = 0; c < w->k; c++)
        for (int r = 0; r < w->m; r++)
            if (w->space->nodal || c == 1)
                w->y[c * w->m + r] = h * h * lambda[r];
}

static lv_status predict_first(lv_stages *w, const lv_state *state, double h,
                               lv_error *err)
{
    double *a = w->work, *lambda = w->work + w->n;
    LV_TRY(
        lv_system_accelerations(w->system, a, lambda, state->t, state->q, state->v, err));
    if (!isfinite(lv_extent(a, w->n))) /* no stage need be at the node */
        memset(a, 0, (size_t)(w->n + w->system->rates) * sizeof *a);
    for (int i = 0; i < w->s; i++) {
        double ch = w->tableau->c[i] * h;
        for (int k = 0; k < w->n; k++)
            w->u[i * w->n + k] = h * (state->v[k] + ch * a[k]);
    }
    guess_multipliers(w, lambda, h);
    if (w->rolling)
        lv_rolling_predict_first(w, state, h, a, lambda);
    return LV_OK;
}

/* Extrapolates velocities and multipliers of the last step. */
static void predict_next(lv_stages *w, const lv_state *state, double h)
{
    double last_h = w->memory[1], theta = h / last_h;
    const double *u = w->memory + LV_STAGES_CARRIED, *y = u + (size_t)(w->s * w->n);
    if (theta != w->predictor_theta) {
        lv_tableau_extrapolate(w->tableau, w->predictor, theta);
        if (w->k > 0)
            lv_multipliers_extrapolate(w->space, w->tableau, w->forecast, theta);
        w->predictor_theta = theta;
    }
    memset(w->u, 0, (size_t)(w->s * w->n) * sizeof *w->u);
    memset(w->y, 0, (size_t)(w->k * w->m) * sizeof *w->y);
    for (int i = 0; i < w->s; i++)
        for (int j = 0; j < w->s; j++) {
            double c = w->predictor[i * w->s + j];
            for (int k = 0; k < w->n; k++)
                w->u[i * w->n + k] += c * theta * u[j * w->n + k];
        }
    for (int i = 0; i < w->k; i++)
        for (int j = 0; j < w->k; j++) {
            double c = w->forecast[i * w->k + j] * theta * theta;
            for (int r = 0; r < w->m; r++)
                w->y[i * w->m + r] += c * y[j * w->m + r];
        }
    if (w->rolling)
        lv_rolling_predict_next(w, state, h);
}

static void remember(lv_stages *w, double h)
{
    for (int c = 0; c < w->k; c++)
        lv_held_release(&w->held, lv_row(w->y, c, w->m));
    double *u = w->memory + LV_STAGES_CARRIED, *y = u + (size_t)(w->s * w->n);
    memcpy(u, w->u, (size_t)(w->s * w->n) * sizeof *u);
    memcpy(y, w->y, (size_t)(w->k * w->m) * sizeof *y);
    if (w->rolling)
        lv_rolling_remember(w);
    w->memory[0] = 1;
    w->memory[1] = h;
}

/* ---- iteration ---------------------------------------------------------------------------------------------- */

/* Positions on the line q + reach h v; multipliers and what constraints say of velocities as usual, or,
 * plain, none. */
static void begin_elsewhere(lv_stages *w, lv_beginning beginning)
{
    for (int i = 0; i < w->s; i++)
        for (int k = 0; k < w->n; k++)
            w->u[i * w->n + k] = beginning.reach * w->h * w->from->v[k];
    if (beginning.plain)
        memset(w->y, 0, (size_t)(w->k * w->m) * sizeof *w->y);
}

static void begin(void *work, lv_beginning beginning)
{
    lv_stages *w = work;
    memcpy(w->u, w->guess, (size_t)(w->s * w->n) * sizeof *w->u);
    memcpy(w->y, w->guess + (size_t)(w->s * w->n), (size_t)(w->k * w->m) * sizeof *w->y);
    if (w->rolling)
        lv_rolling_begin(w);
    if (beginning.plain || beginning.reach != 1)
        begin_elsewhere(w, beginning);
    for (int c = 0; c < w->k; c++)
        lv_held_hand_over(&w->held, lv_row(w->y, c, w->m));
}

static void evaluate(void *work)
{
    lv_stages *w = work;
    lv_stages_evaluate(w, w->from, w->h);
    lv_stages_residuals(w, w->from, w->h);
}

static bool build(void *work)
{
    lv_stages *w = work;
    return lv_stages_build(w, w->from, w->h);
}

static void solve(void *work)
{
    lv_stages *w = work;
    lv_linear_solve(lv_assembly_linear(w->matrix), w->rhs);
}

/* Of velocities times the step, relative to positions and how far they move. */
static double measure(void *work)
{
    lv_stages *w = work;
    double largest = w->rolling ? lv_rolling_measure(w) : 0;
    for (int i = 0; i < w->s; i++) {
        for (int k = 0; k < w->n; k++)
            w->work[k] = w->rhs[lv_unknown_u(w, i, k)];
        double size = lv_system_relative_size(w->system, w->work, w->from->q,
                                              lv_stage_velocity(w, i, w->h), w->h);
        largest = size <= largest ? largest : size;
    }
    return largest;
}

static void move(void *work, double fraction)
{
    lv_stages *w = work;
    for (int i = 0; i < w->s; i++)
        for (int k = 0; k < w->n; k++)
            w->u[i * w->n + k] += fraction * w->rhs[lv_unknown_u(w, i, k)];
    for (int c = 0; c < w->k; c++)
        for (int r = 0; r < w->m; r++)
            w->y[c * w->m + r] += fraction * w->rhs[lv_unknown_y(w, c, r)];
    if (w->rolling)
        lv_rolling_move(w, fraction);
}

static const lv_newton_equations equations = {.begin = begin,
                                              .evaluate = evaluate,
                                              .build = build,
                                              .solve = solve,
                                              .measure = measure,
                                              .move = move};

/* ---- the step ----------------------------------------------------------------------------------------------- */

/* A formula without a finite value at one of the stages: LV_ERR_DOMAIN, with its place. */
static lv_status diagnose(lv_stages *w, const lv_state *state, double h, lv_error *err)
{
    for (int i = 0; i < w->s; i++) {
        const lv_point point = {.q = lv_row(w->q, i, w->n),
                                .v = lv_stage_velocity(w, i, h),
                                .t = lv_stage_time(w, state->t, h, i),
                                .y = lv_stage_multipliers(w, i, h)};
        if (!isfinite(lv_extent(point.q, w->n)) || !isfinite(lv_extent(point.v, w->n)))
            continue; /* the iteration is to blame, not the formula */
        LV_TRY(lv_plan_diagnose(w->residual, &point, err));
        LV_TRY(lv_plan_diagnose(w->derivative, &point, err));
    }
    return w->rolling ? lv_rolling_diagnose(w, state, h, err) : LV_OK;
}

static lv_status diagnose_here(void *work, lv_error *err)
{
    lv_stages *w = work;
    return diagnose(w, w->from, w->h, err);
}

static lv_status failed(lv_stages *w, lv_error *err)
{
    int unknown = 0;
    lv_newton_look look = {&w->newton, diagnose_here};
    const double pivot = lv_linear_worst_pivot(lv_assembly_linear(w->matrix), &unknown);
    const lv_step_failure failure = lv_newton_failure(w->system, &look);
    lv_status status = lv_step_failed(&failure, err);
    if (status != LV_ERR_NUMERIC)
        return status;
    if (pivot < 1e-12)
        lv_error_note(err, "its matrix is nearly singular (pivot ratio %.1e)", pivot);
    if (pivot < 1e-12 && w->rolling && w->size > LV_LINEAR_REDUNDANT_MOST)
        lv_error_note(err,
                      "constraints that depend on others are let through up to %d "
                      "unknowns together with nonholonomic ones; these are %d",
                      LV_LINEAR_REDUNDANT_MOST, w->size);
    return status;
}

static void keep_guess(lv_stages *w)
{
    memcpy(w->guess, w->u, (size_t)(w->s * w->n) * sizeof *w->u);
    memcpy(w->guess + (size_t)(w->s * w->n), w->y, (size_t)(w->k * w->m) * sizeof *w->y);
    if (w->rolling)
        lv_rolling_keep_guess(w);
}

/* p at the end, without what a projection adds. */
static void end_momentum(lv_stages *w, const lv_state *state, double h)
{
    for (int k = 0; k < w->n; k++) {
        double p = state->p[k] + w->kick[k];
        for (int j = 0; j < w->s; j++)
            p += h * w->tableau->b[j] * w->force[j * w->n + k];
        w->p[k] = p;
    }
}

/* What a projection does is the work of the last stage's multipliers, where stages have them. */
static void note_projection(lv_stages *w, const double *before, double h)
{
    double *force = lv_row(w->force, w->s - 1, w->n);
    for (int k = 0; k < w->n && w->space->nodal; k++)
        force[k] += (w->p[k] - before[k]) / (h * w->tableau->b[w->s - 1]);
}

/* v and p at the end of the step, at q. */
static lv_status end_velocity(lv_stages *w, const lv_state *state, const double *q,
                              double h, bool project, lv_error *err)
{
    double t = state->t + h;
    if (w->rolling) { /* the constraints hold for x_s already */
        lv_rolling_velocity(w, h);
        lv_system_momentum(w->system, w->p, t, q, w->v);
        return LV_OK;
    }
    end_momentum(w, state, h);
    (void)lv_stage_velocity(w, w->s - 1, h); /* a guess */
    LV_TRY(lv_system_velocity(w->system, w->v, t, q, w->p, err));
    if (project && w->m > 0) {
        double *before = w->work;
        memcpy(before, w->p, (size_t)w->n * sizeof *before);
        LV_TRY(lv_system_project_velocity(w->system, w->v, t, q, err));
        lv_system_momentum(w->system, w->p, t, q, w->v);
        note_projection(w, before, h);
    }
    return LV_OK;
}

/* The multipliers but the impulse; a series unless they belong to single stages. */
static int multiplier_series(lv_stages *w, double h)
{
    if (!w->space || !w->space->impulse)
        return 0;
    for (int k = 0; k < (w->k - 1) * w->m; k++)
        w->lambda[k] = w->y[w->m + k] / (h * h);
    return w->k - 1;
}

lv_slopes lv_stages_slopes(lv_stages *w, const lv_state *before, double h)
{
    const lv_slopes slopes = {.q = before->q,
                              .p = w->start,
                              .h = h,
                              .lambda = w->lambda,
                              .lambda_terms = multiplier_series(w, h)};
    for (int k = 0; k < w->n; k++)
        w->start[k] = before->p[k] + w->kick[k];
    for (int i = 0; i < w->s; i++)
        memcpy(lv_row(w->momentum, i, w->n), lv_stage_velocity(w, i, w->memory[1]),
               (size_t)w->n * sizeof *w->v);
    return lv_slopes_of_stages(w->tableau, w->n, w->momentum, w->force, w->slopes,
                               slopes);
}

void lv_stages_visit(lv_stages *w, const lv_state *before, double h, lv_stage_visit visit,
                     void *user)
{
    for (int i = 0; i < w->s; i++) {
        const lv_stage_point stage = {lv_stage_time(w, before->t, h, i), w->tableau->b[i],
                                      lv_row(w->q, i, w->n), lv_stage_velocity(w, i, h)};
        visit(user, &stage);
    }
}

/* Dependent constraints, solved in the least-norm sense, have to agree. A projection looks after
 * velocities itself. */
static lv_status check_agreement(lv_stages *w, const double *q, double t, lv_error *err)
{
    if (lv_linear_redundant(lv_assembly_linear(w->matrix)) == 0)
        return LV_OK;
    LV_TRY(lv_system_agree_position(w->system, t, q, err));
    return w->rolling ? lv_system_agree_velocity(w->system, t, q, w->v, err) : LV_OK;
}

lv_status lv_stages_step(lv_stages *w, lv_state *state, double h, bool project,
                         lv_step_report *report, lv_error *err)
{
    const double *q = lv_row(w->q, w->s, w->n);
    w->from = state;
    w->h = h;
    lv_stages_begin(w, state);
    if (!w->rolling)
        lv_stages_hold(w, state);
    if (w->memory[0] != 0)
        predict_next(w, state, h);
    else
        LV_TRY(predict_first(w, state, h, err));
    keep_guess(w);
    if (!lv_newton_solve(&w->newton))
        return failed(w, err);
    report->iterations = w->newton.iterations;
    report->stagnated = w->newton.stagnated;

    lv_stages_evaluate(w, state, h);
    LV_TRY(end_velocity(w, state, q, h, project, err));
    if (!isfinite(lv_extent(q, w->n)) || !isfinite(lv_extent(w->p, w->n)) ||
        !isfinite(lv_extent(w->v, w->n))) {
        lv_newton_lose(&w->newton);
        return failed(w, err);
    }
    LV_TRY(check_agreement(w, q, state->t + h, err));
    remember(w, h);
    memcpy(state->q, q, (size_t)w->n * sizeof *q);
    memcpy(state->p, w->p, (size_t)w->n * sizeof *q);
    memcpy(state->v, w->v, (size_t)w->n * sizeof *q);
    return LV_OK;
}
