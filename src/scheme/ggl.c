#include "scheme/ggl.h"
#include "step/failure.h"

#include "base/inline.h"
#include "base/memory.h"
#include "expr/analyse.h"
#include "num/extent.h"
#include "step/settled.h"
#include "system/sparse.h"

#include <math.h>
#include <string.h>

static void copy(double *to, const double *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}

/* ---- creation --------------------------------------------------------------------------------- */

lv_status lv_ggl_room(lv_ggl *w, double **const *blocks, const int *sizes, int count,
                      lv_error *err)
{
    for (int k = 0; k < count; k++) {
        *blocks[k] = lv_arena_alloc(&w->arena, (size_t)sizes[k] + 1, sizeof(double));
        if (!*blocks[k])
            return lv_fail_memory(err);
    }
    return LV_OK;
}

static lv_status make_plans(lv_ggl *w, lv_error *err)
{
    const lv_model *model = w->system->model;
    LV_TRY(lv_ggl_make_ends(w, err));
    w->mass_pattern = lv_plan_pattern(w->system->node, LV_Q_MASS);
    w->mass = w->system->mass;
    if (!w->varying)
        return LV_OK;
    LV_TRY(lv_plan_create(&w->inertia, model, LV_WANT(MASS), err));
    w->mass_pattern = lv_plan_pattern(w->inertia, LV_Q_MASS);
    return lv_mass_create(&w->mass, w->mass_pattern, err);
}

static lv_status make_schur(lv_ggl *w, lv_error *err)
{
    w->schur = lv_saddle_schur(w->system->saddle);
    if (w->varying || !w->schur)
        return LV_OK;
    LV_TRY(lv_schur_create(&w->own_schur, w->g, w->mass, err));
    w->points = lv_schur_fix_mass(w->own_schur, w->mass);
    w->diagonal = lv_mass_inverse_diagonal(w->mass) != NULL;
    w->schur = w->own_schur;
    return LV_OK;
}

static int memory_size(const lv_ggl *w)
{
    return LV_GGL_CARRIED + 2 * w->m + w->n + lv_pattern_entries(w->g) +
           lv_ggl_known_size(w) + lv_history_size(w->n + 2 * w->m);
}

static lv_status make_room(lv_ggl *w, lv_error *err)
{
    const int n = w->n, m = w->m, entries = lv_pattern_entries(w->g);
    double **const blocks[] = {&w->kicked,   &w->drift,        &w->q,        &w->dq,
                               &w->u,        &w->point,        &w->velocity, &w->push,
                               &w->inertial, &w->momentum,     &w->moved,    &w->spread,
                               &w->lambda,   &w->gamma,        &w->weighed,  &w->expected,
                               &w->memory,   &w->followed_gap, &w->followed, &w->turned};
    const int sizes[] = {n,
                         n,
                         n,
                         n,
                         n,
                         n,
                         n,
                         n,
                         n,
                         n,
                         2 * n,
                         n,
                         m,
                         m,
                         w->schur ? lv_schur_weighted_size(w->schur) : 0,
                         n + 2 * m,
                         memory_size(w),
                         m,
                         entries,
                         entries};
    LV_TRY(lv_ggl_room(w, blocks, sizes, sizeof sizes / sizeof *sizes, err));
    w->g0 = w->memory + LV_GGL_CARRIED + (ptrdiff_t)(2 * m + n);
    double *known = w->g0 + entries;
    w->known = (lv_quadratic_place){known, known + n, known + n + m};
    w->history = (lv_history){n + 2 * m, known + lv_ggl_known_size(w)};
    return LV_OK;
}

static lv_status make_newton(lv_ggl *w, lv_error *err)
{
    double **const blocks[] = {&w->newton.update, &w->newton.last};
    const int sizes[] = {w->newton.size, w->newton.size};
    w->newton.equations = &w->methods->equations;
    w->newton.work = w;
    w->newton.aim = true;
    if (w->newton.slow == 0)
        w->newton.slow = 0.02;
    return lv_ggl_room(w, blocks, sizes, 2, err);
}

static lv_status fill(lv_ggl *w, lv_error *err)
{
    w->n = w->system->n;
    w->m = w->gammas = w->system->m;
    w->varying = !w->system->mass_constant;
    w->lambda_at = (lv_range_of){w->n, 1};
    w->gamma_at = (lv_range_of){w->n + w->m, 1};
    LV_TRY(make_plans(w, err));
    LV_TRY(make_schur(w, err));
    LV_TRY(make_room(w, err));
    LV_TRY(w->methods->prepare(w, err));
    w->history.m = w->n + w->m + w->gammas; /* there is room for more */
    LV_TRY(lv_held_init(&w->held, w->system, w->newton.size, &w->arena, err));
    return make_newton(w, err);
}

void lv_ggl_free(void *work)
{
    lv_ggl *w = work;
    if (!w)
        return;
    w->methods->done(w);
    lv_plan_free(w->end);
    lv_plan_free(w->inertia);
    lv_quadratic_free(w->quadratic);
    if (w->mass != w->system->mass)
        lv_mass_free(w->mass);
    lv_assembly_free(w->matrix);
    lv_linear_free(w->cheap);
    lv_condensed_free(w->condensed);
    lv_schur_free(w->own_schur);
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}

static bool forced_general;

void lv_ggl_force_general(bool general)
{
    forced_general = general;
}

bool lv_ggl_is_general(void)
{
    return forced_general;
}

/* em is simpler for constant masses and constraints that are at most quadratic and do not move. That needs
 * G M^-1 G^T, which is not made where many coordinates share masses: it would be dense. */
static const lv_ggl_methods *methods_of(const lv_system *s)
{
    const bool constant =
        s->mass_constant && lv_saddle_schur(s->saddle) && !forced_general;
    return constant && s->constraint_degree <= 2 && !s->rheonomic ? &lv_ggl_em_plain
                                                                  : &lv_ggl_em;
}

lv_status lv_ggl_create(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err)
{
    const lv_ggl_methods *methods = methods_of(system);
    lv_ggl *w = lv_memory_zeroed(1, methods->size);
    *work = NULL;
    if (!w)
        return lv_fail_memory(err);
    w->methods = methods;
    w->member = lv_ggl_member_of(self, options);
    w->system = system;
    lv_status status = fill(w, err);
    if (status == LV_OK)
        *work = w;
    else
        lv_ggl_free(w);
    return status;
}

lv_memory_view lv_ggl_memory(void *work)
{
    lv_ggl *w = work;
    return (lv_memory_view){w->memory, memory_size(w)};
}

void lv_ggl_forget(void *work)
{
    lv_ggl *w = work;
    lv_memory_view all = lv_ggl_memory(w);
    memset(all.numbers, 0, (size_t)all.count * sizeof *all.numbers);
    lv_held_forget(&w->held);
}

void lv_ggl_multipliers(void *work, double *lambda, double *gamma)
{
    const lv_ggl *w = work;
    const double *last = w->memory + LV_GGL_CARRIED;
    copy(lambda, last, w->m);
    copy(gamma, last + w->m, w->m);
}

/* ---- evaluation ------------------------------------------------------------------------------------ */

const double *lv_ggl_mass(lv_ggl *w, const double *q, double t)
{
    if (!w->varying)
        return lv_plan_result(w->system->node, LV_Q_MASS);
    const lv_point at = {.q = q, .v = w->from->v, .t = t};
    lv_plan_run(w->inertia, &at);
    return lv_plan_result(w->inertia, LV_Q_MASS);
}

const double *lv_ggl_weigh(const lv_ggl *w, double *room, const double *g)
{
    if (w->points || !w->schur)
        return g;
    lv_schur_weigh(w->schur, room, w->mass, g);
    return room;
}

LV_HOT void lv_ggl_spread(lv_ggl *w, double *y, const double *weighted, const double *x)
{
    if (w->schur) {
        lv_schur_spread(w->schur, y, 1, weighted, x);
        return;
    }
    memset(w->spread, 0, (size_t)w->n * sizeof *w->spread);
    lv_sparse_multiply_transposed(w->g, weighted, 1, x, w->spread);
    lv_mass_solve(w->mass, w->spread);
    for (int k = 0; k < w->n; k++)
        y[k] += w->spread[k];
}

void lv_ggl_multiply(const lv_ggl *w, const double *values, double c, const double *x,
                     double *y)
{
    lv_sparse_multiply(w->mass_pattern, values, c, x, y);
}

LV_HOT void lv_ggl_inertia(lv_ggl *w, const double *values, double c, const double *x)
{
    double *restrict inertial = w->inertial;
    if (w->diagonal) {
        for (int k = 0; k < w->n; k++)
            inertial[k] = c * (values[k] * x[k]);
    } else {
        memset(w->inertial, 0, (size_t)w->n * sizeof *w->inertial);
        lv_sparse_multiply(w->mass_pattern, values, c, x, w->inertial);
    }
}

/* The first step may begin with half a kick; a checkpoint remembers that it has been. */
static void kick(lv_ggl *w)
{
    const lv_point at = {.q = w->from->q, .v = w->from->v, .t = w->from->t};
    const double part = w->member.half_kick * w->h;
    w->p0 = w->from->p;
    if (part == 0 || w->memory[LV_GGL_STARTED] != 0)
        return;
    lv_plan_run(w->system->node, &at);
    const double *force = lv_plan_result(w->system->node, LV_Q_FORCE);
    for (int k = 0; k < w->n; k++)
        w->kicked[k] = w->p0[k] + part * force[k];
    w->p0 = w->kicked;
}

/* The motion determines (1 - kappa) lambda + kappa times the lambda before it, and that is smooth, while
 * lambda and with it p0 may alternate about it (theory 6.2). Projection leaves nothing to alternate. */
static double shared(const lv_ggl *w)
{
    return w->member.ends && !w->member.projection && !w->shifted ? w->member.kappa : 0;
}

/* Where p0 leads to. */
static void find_drift(lv_ggl *w)
{
    for (int k = 0; k < w->n; k++)
        w->drift[k] = w->h * w->p0[k];
    lv_mass_solve(w->mass, w->drift);
    w->drifted = true;
}

/* What belongs to q0: its Jacobian, unless the last step ended there, and where p0 leads to, unless nobody
 * will ask. false: the mass matrix is singular there. */
static bool start_step(lv_ggl *w, const lv_state *state, double h)
{
    w->from = state;
    w->h = h;
    w->serious = w->memory[LV_GGL_SERIOUS];
    w->probing = lv_ggl_shall_probe(w);
    w->newton.close = w->probing ? 1 : 0; /* the first matrix shows what it can do */
    w->newton.contraction =
        w->probing || w->memory[LV_GGL_STEP] != h ? 0 : w->memory[LV_GGL_RATE];
    lv_history_begin(&w->history, h);
    kick(w);
    if (w->varying && !lv_mass_factor(w->mass, lv_ggl_mass(w, state->q, state->t)))
        return false;
    lv_ggl_evaluate_start(w);
    w->w0 = lv_ggl_weigh(w, w->weighed, w->g0);
    w->drifted = false;
    if (w->varying || shared(w) == 0 || w->memory[LV_GGL_STARTED] == 0)
        find_drift(w);
    lv_ggl_hold(w);
    w->level = lv_ggl_first_level(w);
    if (w->methods->start)
        w->methods->start(w);
    return true;
}

/* ---- Newton's method ---------------------------------------------------------------------------------- */

/* lambda to that sum; the first step has none before it. */
static void straighten(const lv_ggl *w, double *lambda)
{
    const double *last = w->memory + LV_GGL_CARRIED;
    const double part = shared(w), scale = w->h * w->h;
    const bool first = w->memory[LV_GGL_STARTED] == 0;
    for (int r = 0; r < w->m && part != 0; r++)
        lambda[r] =
            (1 - part) * lambda[r] - part * (first ? -lambda[r] : scale * last[r]);
}

/* And back. */
static void bend(const lv_ggl *w, double *lambda)
{
    const double *last = w->memory + LV_GGL_CARRIED;
    const double part = shared(w), scale = w->h * w->h;
    for (int r = 0; r < w->m && part != 0 && w->memory[LV_GGL_STARTED] != 0; r++)
        lambda[r] = (lambda[r] + part * scale * last[r]) / (1 - part);
}

/* Where the motion leads without acceleration, times a factor: by p0, or where that alternates by the step
 * before. */
static const double *course(const lv_ggl *w, double *factor)
{
    const bool before = shared(w) != 0 && w->memory[LV_GGL_STARTED] != 0;
    *factor = before ? w->h : 1;
    return before ? w->memory + LV_GGL_CARRIED + (ptrdiff_t)(2 * w->m) : w->drift;
}

LV_HOT void lv_ggl_begin(void *work, lv_beginning beginning)
{
    lv_ggl *w = work;
    if (beginning.plain && !w->drifted)
        find_drift(w);
    double factor = 1;
    const double *q0 = w->from->q;
    const double *ahead = beginning.plain ? w->drift : course(w, &factor);
    const int n = w->n, m = w->m;
    if (beginning.plain)
        memset(w->expected, 0, (size_t)(n + 2 * m) * sizeof *w->expected);
    else
        lv_history_expect(&w->history, w->expected, w->h * w->h, w->probing);
    for (int k = 0; k < n; k++)
        w->q[k] = q0[k] + (beginning.reach * (factor * ahead[k]) + w->expected[k]);
    copy(w->lambda, w->expected + n, m);
    copy(w->gamma, w->expected + n + m, w->gammas);
    if (!beginning.plain)
        bend(w, w->lambda);
    lv_held_hand_over(&w->held, w->lambda);
    lv_held_hand_over(&w->held, w->gamma);
}

/* What the corrections move: q1, and u and p1 by the multipliers. Solutions by less than the whole matrix
 * leave in w->moved what lambda moves. */
LV_HOT double lv_ggl_measure(void *work)
{
    lv_ggl *w = work;
    const double *update = w->newton.update, *lambda = update + w->n;
    double *moved = w->moved, *more = w->moved + w->n;
    if (w->level == LV_GGL_FULL) {
        memset(moved, 0, (size_t)w->n * sizeof *moved);
        lv_ggl_spread(w, moved, w->w0, lambda);
    }
    for (int k = 0; k < w->n; k++)
        moved[k] = fabs(update[k]) + fabs(moved[k]);
    if (w->gammas > 0 && (w->level == LV_GGL_FULL || !w->polished)) {
        memset(more, 0, (size_t)w->n * sizeof *more);
        lv_ggl_spread(w, more, w->w0, lambda + w->m);
        for (int k = 0; k < w->n; k++)
            moved[k] += fabs(more[k]);
    }
    return lv_system_relative_size(w->system, moved, w->q, w->from->v, w->h);
}

LV_HOT void lv_ggl_move(void *work, double fraction)
{
    lv_ggl *w = work;
    const double *update = w->newton.update;
    for (int k = 0; k < w->n; k++)
        w->q[k] += fraction * *update++;
    for (int r = 0; r < w->m; r++)
        w->lambda[r] += fraction * *update++;
    for (int r = 0; r < w->gammas; r++)
        w->gamma[r] += fraction * *update++;
}

/* Steps that are solved at once need no second look. */
bool lv_ggl_settled(void *work)
{
    enum { EASY = 2 };
    lv_ggl *w = work;
    if (w->newton.iterations <= EASY) {
        w->methods->look(w);
        return true;
    }
    w->methods->equations.evaluate(w);
    const lv_settling s = {.momentum = lv_extent(w->inertial, w->n) +
                                       fabs(w->h) * lv_extent(w->p0, w->n),
                           .force = lv_extent(w->push, w->n),
                           .moved = lv_extent(w->dq, w->n),
                           .size = lv_extent(w->q, w->n)};
    const double *rows = w->newton.update + w->n; /* of both constraints, in any order */
    return lv_settled_balance(&s, w->newton.update, w->n) &&
           lv_settled_work(&s, w->lambda, rows, w->m) &&
           lv_settled_work(&s, w->lambda, rows + w->m, w->gammas);
}

bool lv_ggl_factor(lv_ggl *w)
{
    lv_linear *linear = lv_assembly_linear(w->matrix);
    lv_held_leave_out(&w->held, linear, w->held.lines);
    return lv_linear_factor(linear);
}

void lv_ggl_solve(void *work)
{
    lv_ggl *w = work;
    lv_linear_solve(lv_assembly_linear(w->matrix), w->newton.update);
}

/* ---- the step ------------------------------------------------------------------------------------------ */

static lv_status diagnose(void *work, lv_error *err)
{
    lv_ggl *w = work;
    const lv_point end = {.q = w->q, .v = w->velocity, .t = lv_ggl_time(w, 1)};
    LV_TRY(w->methods->diagnose(w, err));
    return lv_plan_diagnose(w->system->place, &end, err);
}

static lv_status failed(lv_ggl *w, lv_error *err)
{
    lv_newton_look look = {&w->newton, diagnose};
    lv_step_failure failure = lv_newton_failure(w->system, &look);
    failure.constraints = w->gap;
    return lv_step_failed(&failure, err);
}

static lv_status singular_mass(double t, lv_error *err)
{
    lv_status status =
        lv_fail(err, LV_ERR_NUMERIC, "the mass matrix is singular at t = %.6g", t);
    lv_error_because(err, LV_WHY_SINGULAR);
    return status;
}

/* Was the beginning far off? Asked once in a round: looking for a better one takes its time. */
static bool missed(const lv_ggl *w)
{
    const bool now = lv_ggl_count(w) == 1;
    return !w->probing && (w->newton.iterations > 2 || (now && w->newton.iterations > 1));
}

static void remember(lv_ggl *w)
{
    const int n = w->n, m = w->m;
    double factor;
    const double scale = w->h * w->h, *ahead = course(w, &factor);
    double *last = w->memory + LV_GGL_CARRIED, *before = last + (ptrdiff_t)(2 * m);
    for (int k = 0; k < n; k++)
        w->expected[k] = w->dq[k] - factor * ahead[k];
    copy(w->expected + n, w->lambda, m);
    copy(w->expected + n + m, w->gamma, w->gammas);
    straighten(w, w->expected + n);
    lv_history_add(&w->history, w->expected, scale, true, missed(w));
    const double inverse = 1 / w->h;
    for (int k = 0; k < n; k++)
        before[k] = inverse * w->dq[k];
    for (int r = 0; r < m; r++) {
        last[r] = -(w->lambda[r] + (w->shifted ? 2 * w->gamma[r] : 0)) / scale;
        last[m + r] = w->gamma[r] / w->h;
    }
    w->memory[LV_GGL_STARTED] = 1;
    w->memory[LV_GGL_COUNT] = (lv_ggl_count(w) + 1) % LV_GGL_ROUND;
    w->memory[LV_GGL_SERIOUS] = w->serious > 0 ? w->serious - 1 : 0;
    w->memory[LV_GGL_LEVEL] = w->level;
    lv_ggl_learn(w);
}

/* p1 in w->momentum and v1 in w->velocity. Adding multiples of G(q1)^T to p1 changes the next lambda and
 * nothing else (theory 6.2), except in option A: there p1 can be moved onto the hidden constraint. */
static lv_status end_velocity(lv_ggl *w, lv_error *err)
{
    const int n = w->n;
    const double t = lv_ggl_time(w, 1);
    const double inverse = 1 / w->h;
    double check = 0; /* not 0 if something is not finite */
    for (int k = 0; k < n; k++) {
        w->momentum[k] = w->p0[k] + inverse * w->momentum[k];
        check += 0 * w->momentum[k] + 0 * w->q[k];
    }
    if (check != 0) {
        lv_newton_lose(&w->newton);
        return failed(w, err);
    }
    if (w->livens)
        return LV_OK;
    if (w->varying && !lv_mass_factor(w->mass, lv_ggl_mass(w, w->q, t)))
        return singular_mass(t, err);
    copy(w->velocity, w->momentum, n);
    lv_mass_solve(w->mass, w->velocity);
    if (!w->member.projection)
        return LV_OK;
    LV_TRY(lv_system_project_velocity(w->system, w->velocity, t, w->q, err));
    lv_system_momentum(w->system, w->momentum, t, w->q, w->velocity);
    return LV_OK;
}

static void commit(lv_ggl *w, lv_state *state)
{
    lv_held_release(&w->held, w->lambda);
    lv_held_release(&w->held, w->gamma);
    remember(w);
    copy(w->g0, w->g1, lv_pattern_entries(w->g));
    w->memory[LV_GGL_KNOWN] = !w->system->rheonomic;
    copy(state->q, w->q, w->n);
    copy(state->p, w->momentum, w->n);
    copy(state->v, w->velocity, w->n);
}

static lv_status try_step(lv_ggl *w, lv_state *state, double h, lv_step_report *report,
                          lv_error *err)
{
    if (!start_step(w, state, h))
        return singular_mass(state->t, err);
    bool solved = lv_newton_solve(&w->newton);
    report->iterations = w->newton.iterations;
    report->stagnated = w->newton.stagnated;
    if (!solved)
        return failed(w, err);
    w->methods->arrive(w);
    LV_TRY(end_velocity(w, err));
    LV_TRY(lv_ggl_check_agreement(w, err));
    commit(w, state);
    return LV_OK;
}

LV_HOT lv_status lv_ggl_step(void *work, lv_state *state, double h, bool project,
                             lv_step_report *report, lv_error *err)
{
    lv_ggl *w = work;
    double learned[LV_GGL_CARRIED]; /* is forgotten if the step fails */
    (void)project;
    memcpy(learned, w->memory, sizeof learned);
    lv_status status = try_step(w, state, h, report, err);
    if (status != LV_OK)
        memcpy(w->memory, learned, sizeof learned);
    return status;
}
