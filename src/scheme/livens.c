/* The energy-momentum scheme of Livens' principle (Kinon, Betsch 2023; theory 5.6):
 *
 *   q1 - q0 = h (v0 + v1) / 2
 *   p1 - p0 = h D1 T - h D V + h f + h (D g)^T lambda
 *   (p0 + p1) / 2 = (M0 + M1) / 2 (v0 + v1) / 2,     g(q1) = 0
 *
 * D are discrete gradients, D1 T the mean of those of T at the velocities v0 and v1. Keeps the energy
 * p . v - T + V and momentum maps exactly, for mass matrices that are constant, vary, or are singular
 * on directions that the constraints cover: M is never inverted. Not symplectic; constraints hold at
 * the nodes, their rates to second order.
 *
 * Unknowns are q1 and y = h^2 lambda, scaled so that nothing grows as h shrinks:
 *
 *   (M0 + M1) dq - h^2 D1 T - 2 h p0 - h^2 (-D V + f) - (D g)^T y = 0,   g(q1) = 0
 *
 * with w0 = h v0, w1 = 2 dq - w0; h^2 D1 T is a function of q0, q1, w0 alone. Forces are taken at the
 * midpoint with velocity dq / h, so that their work is exactly f . dq. */
#include "base/memory.h"
#include "num/extent.h"
#include "scheme/scheme.h"
#include "solve/converge.h"
#include "system/assembly.h"
#include "system/blocks.h"
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
    int n, m;
    double *q, *w0, *y, *dq, *middle, *velocity, *rhs, *memory;
} livens;

enum {
    CARRIED = 2
}; /* number of steps remembered, last h; then two sets of multipliers */

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
    double **blocks[] = {&w->q,        &w->w0, &w->dq,  &w->middle,
                         &w->velocity, &w->y,  &w->rhs, &w->memory};
    int sizes[] = {w->n, w->n, w->n, w->n, w->n, w->m, w->n + w->m, CARRIED + 2 * w->m};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        *blocks[k] = lv_arena_alloc(&w->arena, (size_t)sizes[k] + 1, sizeof(double));
        if (!*blocks[k])
            return lv_fail_memory(err);
    }
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
    return (lv_memory_view){w->memory, CARRIED + 2 * w->m};
}

static void forget(void *work)
{
    livens *w = work;
    memset(w->memory, 0, (size_t)(CARRIED + 2 * w->m) * sizeof *w->memory);
}

static void multipliers(void *work, double *lambda, double *gamma)
{
    const livens *w = work;
    (void)gamma;
    memcpy(lambda, w->memory + CARRIED, (size_t)w->m * sizeof *lambda);
}

/* ---- the equations -------------------------------------------------------------------------------- */

static lv_point pair_point(const livens *w, const lv_state *state, double h)
{
    return (lv_point){
        .q = w->q, .v = w->w0, .w = state->q, .y = w->y, .t = state->t + 0.5 * h};
}

static void evaluate(livens *w, const lv_state *state, double h)
{
    for (int k = 0; k < w->n; k++) {
        w->dq[k] = w->q[k] - state->q[k];
        w->middle[k] = 0.5 * (w->q[k] + state->q[k]);
        w->velocity[k] = w->dq[k] / h;
    }
    const lv_point pair = pair_point(w, state, h);
    const lv_point middle = {.q = w->middle, .v = w->velocity, .t = state->t + 0.5 * h};
    const lv_point end = {.q = w->q, .v = w->velocity, .t = state->t + h};
    lv_plan_run(w->pair, &pair);
    lv_plan_run(w->applied, &middle);
    lv_plan_run(w->end, &end);
}

/* rhs = -(residuals) */
static void residuals(livens *w, const lv_state *state, double h)
{
    const double *momentum = lv_plan_result(w->pair, LV_Q_PAIR_MOMENTUM);
    const double *kinetic = lv_plan_result(w->pair, LV_Q_PAIR_KINETIC);
    const double *force = lv_plan_result(w->pair, LV_Q_PAIR_FORCE);
    const double *applied = lv_plan_result(w->applied, LV_Q_APPLIED);
    const double *g = lv_plan_result(w->end, LV_Q_CONSTRAINT);
    for (int k = 0; k < w->n; k++)
        w->rhs[k] = 2 * h * state->p[k] - momentum[k] + kinetic[k] +
                    h * h * (force[k] + applied[k]);
    lv_sparse_multiply_transposed(w->pair_g, lv_plan_result(w->pair, LV_Q_PAIR_JACOBIAN),
                                  1, w->y, w->rhs);
    for (int r = 0; r < w->m; r++)
        w->rhs[w->n + r] = -g[r];
}

static bool build_matrix(livens *w, const lv_state *state, double h)
{
    const lv_point pair = pair_point(w, state, h);
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
    return lv_linear_factor(lv_assembly_linear(w->matrix));
}

/* ---- the step --------------------------------------------------------------------------------------- */

/* q0 + reach h v0 + the acceleration that the last multipliers suggest is not known here: the
 * multipliers are extrapolated, the position is not corrected for them. */
static void predict(livens *w, const lv_state *state, double h, double reach)
{
    const double *last = w->memory + CARRIED, *before = last + w->m;
    double known = reach == 1 ? w->memory[0] : 0;
    double slope = known > 1 && w->memory[1] == h ? 1 : 0;
    for (int r = 0; r < w->m; r++)
        w->y[r] = known > 0 ? h * h * (last[r] + slope * (last[r] - before[r])) : 0;
    for (int k = 0; k < w->n; k++) {
        w->w0[k] = h * state->v[k];
        w->q[k] = state->q[k] + reach * w->w0[k];
    }
}

static void remember(livens *w, double h)
{
    double *last = w->memory + CARRIED, *before = last + w->m;
    for (int r = 0; r < w->m; r++) {
        before[r] = last[r];
        last[r] = w->y[r] / (h * h);
    }
    w->memory[0] = w->memory[0] < 2 && w->memory[1] != 0 ? 2
                   : w->memory[0] < 1                    ? 1
                                                         : w->memory[0];
    w->memory[1] = h;
}

static lv_verdict newton(livens *w, const lv_state *state, double h, lv_converge *c)
{
    enum { MOST = 40 };
    lv_verdict verdict = LV_SLOW;
    lv_converge_start(c, 2e-16, MOST);
    while (verdict == LV_GO_ON || verdict == LV_SLOW) {
        evaluate(w, state, h);
        if (verdict == LV_SLOW && !build_matrix(w, state, h))
            return LV_DIVERGED;
        residuals(w, state, h);
        lv_linear_solve(lv_assembly_linear(w->matrix), w->rhs);
        for (int k = 0; k < w->n; k++)
            w->q[k] += w->rhs[k];
        for (int r = 0; r < w->m; r++)
            w->y[r] += w->rhs[w->n + r];
        verdict = lv_converge_test(
            c, lv_system_relative_size(w->system, w->rhs, w->q, state->v, h));
        /* A matrix that is not good enough is built again: it costs less than more passes. */
        if (verdict == LV_GO_ON && (c->count == 1 || c->rate > 1e-3))
            verdict = LV_SLOW;
    }
    return verdict;
}

static lv_status failed(livens *w, const lv_state *state, double h, const lv_converge *c,
                        lv_error *err)
{
    const lv_point pair = pair_point(w, state, h);
    char name[160];
    int worst = 0;
    if (!isfinite(c->size) && lv_plan_diagnose(w->pair, &pair, err) != LV_OK)
        return LV_ERR_DOMAIN;
    lv_status status =
        lv_fail(err, LV_ERR_NUMERIC,
                "Newton did not converge: last change %.1e (relative) after %d "
                "iterations",
                c->size, c->count);
    const double *g = lv_plan_result(w->end, LV_Q_CONSTRAINT);
    for (int r = 0; r < w->m; r++)
        worst = fabs(g[r]) > fabs(g[worst]) ? r : worst;
    if (w->m > 0)
        lv_error_note(err, "largest residual: constraint '%s' (%.1e)",
                      lv_system_row_name(w->system, worst, name, sizeof name),
                      fabs(g[worst]));
    lv_error_hint(err, "try a smaller step");
    return status;
}

/* Evaluates at the solution. A large step can also end where the discrete gradient of a constraint
 * vanishes and its multiplier grows beyond bounds: q1 settles there, the equations do not. Rounding of
 * q1 is let pass. */
static bool settled(livens *w, const lv_state *state, double h)
{
    evaluate(w, state, h);
    residuals(w, state, h);
    double momentum = lv_extent(lv_plan_result(w->pair, LV_Q_PAIR_MOMENTUM), w->n);
    double force = lv_extent(lv_plan_result(w->pair, LV_Q_PAIR_FORCE), w->n) +
                   lv_extent(lv_plan_result(w->applied, LV_Q_APPLIED), w->n);
    double moved = lv_extent(w->dq, w->n), size = lv_extent(w->q, w->n);
    double limit = 1e-7 * (momentum + h * h * force);
    if (moved > 0)
        limit += 1e-10 * momentum * size / moved;
    return lv_extent(w->rhs, w->n) <= limit || moved == 0;
}

/* Other beginnings where the usual one leads nowhere. */
static lv_status solve(livens *w, const lv_state *state, double h, lv_converge *c,
                       lv_error *err)
{
    static const double reach[] = {1, 0.999999, 0, 0.5, 0.25, 0.75, -0.5, 1.5};
    int used = 0;
    for (size_t k = 0; k < sizeof reach / sizeof *reach; k++) {
        predict(w, state, h, reach[k]);
        lv_verdict verdict = newton(w, state, h, c);
        used += c->count;
        if (verdict == LV_CONVERGED && settled(w, state, h)) {
            c->count = used;
            return LV_OK;
        }
    }
    return failed(w, state, h, c, err);
}

static lv_status step(void *work, lv_state *state, double h, bool project,
                      lv_step_report *report, lv_error *err)
{
    livens *w = work;
    lv_converge c;
    (void)project;
    LV_TRY(solve(w, state, h, &c, err));
    report->iterations = c.count;
    const double *momentum = lv_plan_result(w->pair, LV_Q_PAIR_MOMENTUM);
    for (int k = 0; k < w->n; k++)
        if (!isfinite(w->q[k]) || !isfinite(momentum[k]))
            return failed(w, state, h, &(lv_converge){.size = (double)NAN}, err);
    remember(w, h);
    /* What is left of the residual is moved into p1: the momentum carries the rounding of q1, which
     * division by h enlarges, and p1 - p0 is again a sum of discrete gradients. */
    for (int k = 0; k < w->n; k++) {
        state->v[k] = 2 * w->velocity[k] - state->v[k];
        state->p[k] = (momentum[k] + w->rhs[k]) / h - state->p[k];
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
    lv_error_note(err, "at the start %d of %d directions are without mass and constraint",
                  s->n - rank, s->n);
    lv_error_hint(err, "is a kinetic energy missing?");
    return status;
}

static lv_status fits(const lv_scheme *self, const lv_system *system,
                      const lv_scheme_options *options, lv_error *err)
{
    const char *reason = NULL;
    (void)options;
    if (system->has_nonholonomic)
        reason = "does not take nonholonomic constraints";
    else if (!system->quadratic)
        reason =
            "needs a kinetic energy that is quadratic in the velocities, without linear "
            "terms";
    if (!reason)
        return system->mass_regular ? LV_OK : covered(self, system, err);
    lv_status status =
        lv_fail(err, LV_ERR_MODEL, "scheme '%s' %s", self->info.name, reason);
    lv_error_hint(err, system->has_nonholonomic ? "use lobatto" : "use lobatto or gauss");
    return status;
}

static lv_status fits_constant(const lv_scheme *self, const lv_system *system,
                               const lv_scheme_options *options, lv_error *err)
{
    LV_TRY(fits(self, system, options, err));
    const char *reason = NULL;
    if (!system->mass_constant)
        reason = "is for constant mass matrices";
    else if (!system->mass_regular)
        reason = "is for regular mass matrices; this one is singular at the start";
    if (!reason)
        return LV_OK;
    lv_status status =
        lv_fail(err, LV_ERR_MODEL, "scheme '%s' %s", self->info.name, reason);
    lv_error_hint(err, "use livens, which keeps the same things for any mass matrix");
    return status;
}

#define METHODS                                                                          \
    .claims = claims, .create = create, .free = destroy, .step = step, .memory = memory, \
    .multipliers = multipliers, .forget = forget

static const char text[] =
    "Positions, velocities and momenta are independent, tied by Livens' principle;\n"
    "forces and constraint forces are discrete gradients, which livens derives from\n"
    "the formulas. The energy p.v - T + V is kept to rounding whatever the step size,\n"
    "momentum maps too, constraints hold at the nodes. Second order, symmetric, not\n"
    "symplectic. The mass matrix may vary or be singular where constraints cover its\n"
    "kernel.";

const lv_scheme lv_scheme_livens = {
    .info = {"livens",
             "energy-momentum scheme of Livens' principle, any mass matrix, order 2",
             text, "Kinon, Betsch 2023 (Livens principle)", 1, 1, 1, true, false, 0},
    .fits = fits,
    METHODS};

const lv_scheme lv_scheme_em_g = {
    .info = {"em-g", "energy-momentum scheme of Gonzalez, constant mass, order 2", text,
             "Gonzalez 1999; Kinon, Betsch, Schneider 2023", 1, 1, 1, true, false, 0},
    .fits = fits_constant,
    METHODS};
