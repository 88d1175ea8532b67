/* The energy-momentum scheme of Livens' principle (Kinon, Betsch 2023; theory 5.6):
 *
 *   q1 - q0 = h (v0 + v1) / 2
 *   p1 - p0 = h D1 T - h D V + h f + h (D g)^T lambda
 *   (p0 + p1) / 2 = D2 T,     g(q1) = 0
 *
 * D are discrete gradients, D1 T and D2 T those of T along (q0, v0) -> (q1, v1). Keeps the energy
 * p . v - T + V and momentum maps exactly, for mass matrices that are constant, vary, or are singular
 * on directions that the constraints cover: M is never inverted. Not symplectic; constraints hold at
 * the nodes, their rates to second order.
 *
 * Unknowns are q1 and y = h^2 lambda, scaled so that nothing grows as h shrinks:
 *
 *   2 h D2 T - h^2 D1 T - 2 h p0 - h^2 (-D V + f) - (D g)^T y = 0,   g(q1) = 0
 *
 * with w0 = h v0, w1 = 2 dq - w0; h D2 T and h^2 D1 T are functions of q0, q1, w0 alone. Forces are taken at the
 * midpoint with velocity dq / h, so that their work is exactly f . dq. */
#include "base/memory.h"
#include "num/extent.h"
#include "scheme/equivariance.h"
#include "scheme/scheme.h"
#include "solve/newton.h"
#include "step/failure.h"
#include "step/held.h"
#include "step/history.h"
#include "step/settled.h"
#include "system/agreement.h"
#include "system/assembly.h"
#include "system/blocks.h"
#include "system/definite.h"
#include "system/sparse.h"

#include <math.h>
#include <string.h>

/* Blocks of the Newton matrix: pieces of the momentum equation by q1, then multipliers. */
enum {
    INERTIA,
    POTENTIAL,
    APPLIED_Q,
    APPLIED_V,
    CURVATURE,
    PIECES,
    COLUMNS = PIECES,
    ROWS,
    BLOCKS
};

typedef struct livens {
    lv_system *system;
    lv_arena arena;
    lv_plan *pair;       /* vectors and Jacobian of the pair */
    lv_plan *derivative; /* matrices of the pair */
    lv_plan *applied;    /* forces at the midpoint */
    lv_plan *end;        /* constraint and Jacobian at q1 */
    lv_assembly *matrix;
    const lv_pattern *patterns[PIECES], *pair_g, *end_g;
    lv_newton newton;
    lv_held held;
    lv_history history; /* of dq - w0 and y */
    double *memory;     /* what a checkpoint holds: the last multipliers, the history */
    int n, m;

    /* The step under way. */
    const lv_state *from;
    double h;
    double *q, *w0, *y, *dq, *middle, *velocity, *expected;
    double *g0; /* gradients of the constraints at its start, where some are held */
} livens;

static const lv_newton_equations equations;

/* ---- creation --------------------------------------------------------------------------------- */

static lv_status make_matrix(livens *w, lv_error *err)
{
    const lv_range_of q = {0, 1}, y = {w->n, 1};
    w->matrix = lv_assembly_create(w->n + w->m, BLOCKS);
    if (!w->matrix)
        return lv_fail_memory(err);
    for (int k = 0; k < PIECES; k++)
        lv_assembly_block(w->matrix, w->patterns[k], q, q, false);
    lv_assembly_block(w->matrix, w->pair_g, q, y, true);
    lv_assembly_block(w->matrix, w->end_g, y, q, false);
    return lv_assembly_finish(w->matrix, err);
}

static lv_status make_plans(livens *w, lv_error *err)
{
    const lv_model *model = w->system->model;
    LV_TRY(lv_plan_create(&w->pair, model,
                          LV_WANT(PAIR_MOMENTUM) | LV_WANT(PAIR_KINETIC) |
                              LV_WANT(PAIR_FORCE) | LV_WANT(PAIR_JACOBIAN),
                          err));
    LV_TRY(lv_plan_create(
        &w->derivative, model,
        LV_WANT(PAIR_INERTIA_Q) | LV_WANT(PAIR_FORCE_Q) | LV_WANT(PAIR_CURVATURE), err));
    LV_TRY(lv_plan_create(&w->applied, model,
                          LV_WANT(APPLIED) | LV_WANT(APPLIED_Q) | LV_WANT(APPLIED_V),
                          err));
    LV_TRY(lv_plan_create(&w->end, model, LV_WANT(CONSTRAINT) | LV_WANT(JACOBIAN), err));
    w->patterns[INERTIA] = lv_plan_pattern(w->derivative, LV_Q_PAIR_INERTIA_Q);
    w->patterns[POTENTIAL] = lv_plan_pattern(w->derivative, LV_Q_PAIR_FORCE_Q);
    w->patterns[CURVATURE] = lv_plan_pattern(w->derivative, LV_Q_PAIR_CURVATURE);
    w->patterns[APPLIED_Q] = lv_plan_pattern(w->applied, LV_Q_APPLIED_Q);
    w->patterns[APPLIED_V] = lv_plan_pattern(w->applied, LV_Q_APPLIED_V);
    w->pair_g = lv_plan_pattern(w->pair, LV_Q_PAIR_JACOBIAN);
    w->end_g = lv_plan_pattern(w->end, LV_Q_JACOBIAN);
    return LV_OK;
}

static lv_status fill(livens *w, lv_error *err)
{
    w->n = w->system->n;
    w->m = w->system->m;
    LV_TRY(make_plans(w, err));
    const int unknowns = w->n + w->m;
    double **blocks[] = {&w->q,           &w->w0,     &w->dq,       &w->middle,
                         &w->velocity,    &w->y,      &w->expected, &w->newton.update,
                         &w->newton.last, &w->memory, &w->g0};
    int sizes[] = {w->n,
                   w->n,
                   w->n,
                   w->n,
                   w->n,
                   w->m,
                   unknowns,
                   unknowns,
                   unknowns,
                   w->m + lv_history_size(unknowns),
                   lv_pattern_entries(w->end_g)};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        *blocks[k] = lv_arena_alloc(&w->arena, (size_t)sizes[k] + 1, sizeof(double));
        if (!*blocks[k])
            return lv_fail_memory(err);
    }
    w->history = (lv_history){unknowns, w->memory + w->m};
    w->newton.size = unknowns;
    w->newton.equations = &equations;
    w->newton.work = w;
    w->newton.slow = 0.05;
    LV_TRY(lv_held_init(&w->held, w->system, unknowns, &w->arena, err));
    return make_matrix(w, err);
}

static void destroy(void *work)
{
    livens *w = work;
    if (!w)
        return;
    lv_plan_free(w->pair);
    lv_plan_free(w->derivative);
    lv_plan_free(w->applied);
    lv_plan_free(w->end);
    lv_assembly_free(w->matrix);
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}

static lv_status create(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err)
{
    livens *w = lv_memory_zeroed(1, sizeof *w);
    (void)self;
    (void)options;
    *work = NULL;
    if (!w)
        return lv_fail_memory(err);
    w->system = system;
    lv_status status = fill(w, err);
    if (status == LV_OK)
        *work = w;
    else
        destroy(w);
    return status;
}

static lv_memory_view memory(void *work)
{
    livens *w = work;
    return (lv_memory_view){w->memory, w->m + lv_history_size(w->history.m)};
}

static void forget(void *work)
{
    livens *w = work;
    lv_memory_view all = memory(w);
    memset(all.numbers, 0, (size_t)all.count * sizeof *all.numbers);
    lv_held_forget(&w->held);
}

static void multipliers(void *work, double *lambda, double *gamma)
{
    const livens *w = work;
    (void)gamma;
    memcpy(lambda, w->memory, (size_t)w->m * sizeof *lambda);
}

/* ---- the equations -------------------------------------------------------------------------------- */

static lv_point pair_point(const livens *w)
{
    return (lv_point){.q = w->q,
                      .v = w->dq,
                      .w = w->from->q,
                      .x = w->w0,
                      .y = w->y,
                      .t = w->from->t + 0.5 * w->h};
}

static void run_plans(livens *w)
{
    const double *q0 = w->from->q, h = w->h;
    for (int k = 0; k < w->n; k++) {
        w->dq[k] = w->q[k] - q0[k];
        w->middle[k] = 0.5 * (w->q[k] + q0[k]);
        w->velocity[k] = w->dq[k] / h;
    }
    const lv_point pair = pair_point(w);
    const lv_point middle = {.q = w->middle, .v = w->velocity, .t = w->from->t + 0.5 * h};
    const lv_point end = {.q = w->q, .v = w->velocity, .t = w->from->t + h};
    lv_plan_run(w->pair, &pair);
    if (w->system->forced)
        lv_plan_run(w->applied, &middle);
    lv_plan_run(w->end, &end);
}

static void evaluate(void *work)
{
    livens *w = work;
    double *rhs = w->newton.update;
    const double h = w->h, *p0 = w->from->p;
    run_plans(w);
    const double *momentum = lv_plan_result(w->pair, LV_Q_PAIR_MOMENTUM);
    const double *kinetic = lv_plan_result(w->pair, LV_Q_PAIR_KINETIC);
    const double *force = lv_plan_result(w->pair, LV_Q_PAIR_FORCE);
    const double *applied = lv_plan_result(w->applied, LV_Q_APPLIED);
    const double *g = lv_plan_result(w->end, LV_Q_CONSTRAINT);
    for (int k = 0; k < w->n; k++)
        rhs[k] =
            2 * h * p0[k] - momentum[k] + kinetic[k] + h * h * (force[k] + applied[k]);
    lv_sparse_multiply_transposed(w->pair_g, lv_plan_result(w->pair, LV_Q_PAIR_JACOBIAN),
                                  1, w->y, rhs);
    for (int r = 0; r < w->m; r++)
        rhs[w->n + r] = -g[r];
}

static bool build(void *work)
{
    livens *w = work;
    const double h = w->h;
    const lv_point pair = pair_point(w);
    lv_plan_run(w->derivative, &pair);
    const double *values[PIECES] = {
        [INERTIA] = lv_plan_result(w->derivative, LV_Q_PAIR_INERTIA_Q),
        [POTENTIAL] = lv_plan_result(w->derivative, LV_Q_PAIR_FORCE_Q),
        [APPLIED_Q] = lv_plan_result(w->applied, LV_Q_APPLIED_Q),
        [APPLIED_V] = lv_plan_result(w->applied, LV_Q_APPLIED_V),
        [CURVATURE] = lv_plan_result(w->derivative, LV_Q_PAIR_CURVATURE)};
    const double factors[PIECES] = {1, -h * h, -0.5 * h * h, -h, -1};
    lv_assembly_clear(w->matrix);
    for (int k = 0; k < PIECES; k++)
        lv_assembly_add(w->matrix, k, values[k], factors[k]);
    lv_assembly_add(w->matrix, COLUMNS, lv_plan_result(w->pair, LV_Q_PAIR_JACOBIAN), -1);
    lv_assembly_add(w->matrix, ROWS, lv_plan_result(w->end, LV_Q_JACOBIAN), 1);
    lv_held_leave_out(&w->held, lv_assembly_linear(w->matrix), w->held.lines);
    return lv_linear_factor(lv_assembly_linear(w->matrix));
}

static void solve(void *work)
{
    livens *w = work;
    lv_linear_solve(lv_assembly_linear(w->matrix), w->newton.update);
}

static double measure(void *work)
{
    livens *w = work;
    return lv_system_relative_size(w->system, w->newton.update, w->q, w->from->v, w->h);
}

static void move(void *work, double fraction)
{
    livens *w = work;
    const double *update = w->newton.update;
    for (int k = 0; k < w->n; k++)
        w->q[k] += fraction * update[k];
    for (int r = 0; r < w->m; r++)
        w->y[r] += fraction * update[w->n + r];
}

static bool settled(void *work)
{
    livens *w = work;
    evaluate(w);
    const double force = lv_extent(lv_plan_result(w->pair, LV_Q_PAIR_FORCE), w->n) +
                         lv_extent(lv_plan_result(w->applied, LV_Q_APPLIED), w->n);
    const lv_settling s = {
        .momentum = lv_extent(lv_plan_result(w->pair, LV_Q_PAIR_MOMENTUM), w->n) +
                    fabs(w->h) * lv_extent(w->from->p, w->n),
        .force = w->h * w->h * force,
        .moved = lv_extent(w->dq, w->n),
        .size = lv_extent(w->q, w->n)};
    return lv_settled_balance(&s, w->newton.update, w->n) &&
           lv_settled_work(&s, w->y, lv_plan_result(w->end, LV_Q_CONSTRAINT), w->m);
}

/* ---- the step --------------------------------------------------------------------------------------- */

static void begin(void *work, lv_beginning beginning)
{
    livens *w = work;
    const lv_state *from = w->from;
    if (beginning.plain)
        memset(w->expected, 0, (size_t)w->newton.size * sizeof *w->expected);
    else
        lv_history_expect(&w->history, w->expected, w->h * w->h, false);
    for (int k = 0; k < w->n; k++) {
        w->w0[k] = w->h * from->v[k];
        w->q[k] = from->q[k] + (beginning.reach * w->w0[k] + w->expected[k]);
    }
    if (w->m > 0)
        memcpy(w->y, w->expected + w->n, (size_t)w->m * sizeof *w->y);
    lv_held_hand_over(&w->held, w->y);
}

static void remember(livens *w)
{
    lv_held_release(&w->held, w->y);
    for (int r = 0; r < w->m; r++)
        w->memory[r] = w->y[r] / (w->h * w->h);
    for (int k = 0; k < w->n; k++)
        w->expected[k] = w->dq[k] - w->w0[k];
    if (w->m > 0)
        memcpy(w->expected + w->n, w->y, (size_t)w->m * sizeof *w->y);
    lv_history_add(&w->history, w->expected, w->h * w->h, true, w->newton.iterations > 2);
}

static const lv_newton_equations equations = {.begin = begin,
                                              .evaluate = evaluate,
                                              .build = build,
                                              .solve = solve,
                                              .measure = measure,
                                              .move = move,
                                              .settled = settled};

/* A formula without a finite value where the last evaluation was: LV_ERR_DOMAIN, with its place. */
static lv_status diagnose(void *work, lv_error *err)
{
    livens *w = work;
    const lv_point pair = pair_point(w);
    const lv_point middle = {
        .q = w->middle, .v = w->velocity, .t = w->from->t + 0.5 * w->h};
    const lv_point end = {.q = w->q, .v = w->velocity, .t = w->from->t + w->h};
    LV_TRY(lv_plan_diagnose(w->pair, &pair, err));
    LV_TRY(lv_plan_diagnose(w->derivative, &pair, err));
    LV_TRY(lv_plan_diagnose(w->applied, &middle, err));
    return lv_plan_diagnose(w->end, &end, err);
}

static lv_status failed(livens *w, lv_error *err)
{
    lv_newton_look look = {&w->newton, diagnose};
    lv_step_failure failure = lv_newton_failure(w->system, &look);
    failure.constraints = lv_plan_result(w->end, LV_Q_CONSTRAINT);
    return lv_step_failed(&failure, err);
}

/* Which multipliers are held in this step. */
static void hold(livens *w)
{
    const lv_point at = {.q = w->from->q, .v = w->from->v, .t = w->from->t};
    if (lv_held_none(&w->held))
        return;
    lv_plan_run(w->end, &at);
    memcpy(w->g0, lv_plan_result(w->end, LV_Q_JACOBIAN),
           (size_t)lv_pattern_entries(w->end_g) * sizeof *w->g0);
    lv_held_find(&w->held, w->from, w->end_g, w->g0);
    lv_held_mark(&w->held, (lv_range_of){w->n, 1});
}

static lv_status step(void *work, lv_state *state, double h, bool project,
                      lv_step_report *report, lv_error *err)
{
    livens *w = work;
    (void)project;
    w->from = state;
    w->h = h;
    lv_history_begin(&w->history, h);
    hold(w);
    bool solved = lv_newton_solve(&w->newton);
    report->iterations = w->newton.iterations;
    report->stagnated = w->newton.stagnated;
    if (!solved)
        return failed(w, err);
    const double *momentum = lv_plan_result(w->pair, LV_Q_PAIR_MOMENTUM);
    if (!isfinite(lv_extent(w->q, w->n)) || !isfinite(lv_extent(momentum, w->n))) {
        lv_newton_lose(&w->newton);
        return failed(w, err);
    }
    if (lv_linear_redundant(lv_assembly_linear(w->matrix)) > 0)
        LV_TRY(lv_system_agree_position(w->system, state->t + h, w->q, err));
    remember(w);
    /* What is left of the residual is moved into p1: the momentum carries the rounding of q1, which
     * division by h enlarges, and p1 - p0 is again a sum of discrete gradients. */
    for (int k = 0; k < w->n; k++) {
        state->v[k] = 2 * w->velocity[k] - state->v[k];
        state->p[k] = (momentum[k] + w->newton.update[k]) / h - state->p[k];
        state->q[k] = w->q[k];
    }
    return LV_OK;
}

/* ---- the descriptors ----------------------------------------------------------------------------------- */

static void claims(const lv_scheme *self, lv_claims *c, const lv_scheme_options *options)
{
    (void)self;
    (void)options;
    *c = (lv_claims){.order = 2,
                     .symmetric = true,
                     .energy = LV_KEPT_EXACT,
                     .momentum = LV_KEPT_EXACT,
                     .position = LV_KEPT_EXACT};
}

static lv_status keeps(const lv_scheme *self, lv_system *system, bool *kept,
                       lv_error *err)
{
    (void)self;
    return lv_equivariance_test(system, false, kept, err);
}

static lv_status add_rows(lv_blocks *blocks, const lv_plan *plan, lv_quantity quantity,
                          int row, lv_error *err)
{
    const lv_pattern *p = lv_plan_pattern(plan, quantity);
    const double *values = lv_plan_result(plan, quantity);
    for (int r = 0; r < p->rows; r++)
        for (int e = p->start[r]; e < p->start[r + 1]; e++)
            LV_TRY(lv_blocks_add(blocks, row + r, p->column[e], values[e], err));
    return LV_OK;
}

/* A singular M will do if it is definite where the constraints let the system move: if M over G has
 * full rank at the start. */
static lv_status covered(const lv_scheme *self, const lv_system *s, lv_error *err)
{
    const lv_point start = {.q = s->model->start_q, .v = s->model->start_v};
    lv_blocks blocks = {0};
    int rank = -1;
    lv_plan_run(s->node, &start);
    lv_status status = add_rows(&blocks, s->node, LV_Q_MASS, 0, err);
    if (status == LV_OK)
        status = add_rows(&blocks, s->node, LV_Q_RATE_V, s->n, err);
    if (status == LV_OK)
        status = lv_blocks_rank(&blocks, &rank, s->n + s->m, s->n, err);
    lv_blocks_done(&blocks);
    LV_TRY(status);
    if (rank < 0 || rank == s->n)
        return LV_OK;
    status = lv_fail(
        err, LV_ERR_MODEL,
        "scheme '%s' takes a singular mass matrix only where constraints hold what "
        "has no mass",
        self->info.name);
    if (lv_massless_note(s->model, err)) {
        lv_error_hint(err, "a line has no inertia about itself: give it a small one");
        return status;
    }
    lv_error_note(err, "at the start %d of %d directions are without mass and constraint",
                  s->n - rank, s->n);
    lv_error_hint(err, "is a kinetic energy missing?");
    return status;
}

static lv_status fits(const lv_scheme *self, const lv_system *system,
                      const lv_scheme_options *options, lv_error *err)
{
    (void)options;
    return system->mass_regular ? LV_OK : covered(self, system, err);
}

static const lv_restriction restrictions[] = {
    {LV_OPTION_COMPOSE, LV_TRAIT_HOLONOMIC,
     "is composed only without constraints: with them its momenta, which satisfy the "
     "rates "
     "of the constraints to second order, stay of second order",
     NULL},
    {LV_OPTION_COMPOSE, LV_TRAIT_MASS_VARIES,
     "is not composed where the mass matrix varies: its velocities are not those of its "
     "momenta, and stay of second order",
     NULL},
    {LV_OPTION_COMPOSE, LV_TRAIT_MASS_SINGULAR,
     "is composed only with a regular mass matrix: a singular one needs constraints",
     NULL},
    {0}};

#define METHODS                                                                          \
    .claims = claims, .restrictions = restrictions, .keeps = keeps, .fits = fits,        \
    .create = create, .free = destroy, .step = step, .memory = memory,                   \
    .multipliers = multipliers, .forget = forget, .own_velocities = true

#define MOMENTA_TEXT                                                                     \
    "\n\n"                                                                               \
    "Momentum maps are kept to rounding where the formulas show the symmetry: written\n" \
    "with distances and scalar products, of velocities too. livens check names those\n"  \
    "of a model that are not."

static const char livens_text[] =
    "Positions, velocities and momenta are independent, tied by Livens' principle;\n"
    "forces and constraint forces are discrete gradients, which livens derives from\n"
    "the formulas. The energy p.v - T + V is kept to rounding whatever the step size,\n"
    "momentum maps too, constraints hold at the nodes. Second order, symmetric, not\n"
    "symplectic. The mass matrix may vary or be singular where constraints cover its\n"
    "kernel.\n"
    "\n"
    "Where the mass matrix varies, p = M v holds in the mean of a step, at the nodes to\n"
    "second order. The energy that is kept is then not T + V of the velocities, and it\n"
    "does not bound the motion: with steps that are too large p and M v come apart, T\n"
    "and V grow, and p.v - T + V stays what it was. A run reports |p - M v|, and "
    "warns." MOMENTA_TEXT;

static const char em_g_text[] =
    "Forces and constraint forces are discrete gradients, which livens derives from the\n"
    "formulas; the momentum is M v. The energy T + V is kept to rounding whatever the\n"
    "step size, momentum maps too, constraints hold at the nodes, their rates to second\n"
    "order. Second order, symmetric, not symplectic. The mass matrix is constant and\n"
    "regular; livens is the same scheme for those that vary or are "
    "singular." MOMENTA_TEXT;

const lv_scheme lv_scheme_livens = {
    .info = {"livens",
             "energy-momentum scheme of Livens' principle, any mass matrix, order 2",
             livens_text, "Kinon, Betsch 2023 (Livens principle)", 1, 1, 1, true, true,
             LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS), false, LV_MASS_SINGULAR,
             "constant mass, without constraints", NULL, false},
    METHODS};

const lv_scheme lv_scheme_em_g = {
    .info = {"em-g", "energy-momentum scheme of Gonzalez, constant mass, order 2",
             em_g_text, "Gonzalez 1999; Kinon, Betsch, Schneider 2023", 1, 1, 1, true,
             true, LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS), false, LV_MASS_CONSTANT,
             "without constraints", NULL, false},
    METHODS};
