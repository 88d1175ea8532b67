/* VI-S, the variational GGL scheme of symplectic-Euler type (Kinon, Betsch, Schneider 2023; theory 6),
 * constant mass. Scaled: u = h v, lambda by h^2, gamma by h, pi = h p1:
 *
 *   M u = h p0 + h^2 (-DV(q0) + f(q0, v)) - G0^T lambda,     qb = q0 + u
 *   (I + S_gamma(qb) M^-1) pi = M u,                          q1 = qb + M^-1 G(qb)^T gamma
 *   g(q1) = 0,   G(qb) M^-1 pi = 0
 *
 * Unknown are the two sets of multipliers only; one force evaluation per step. Symplectic on vectors
 * tangent to the constraints, momentum maps exact, energy bounded, order 1. The hidden constraint holds
 * at qb, at q1 to second order. Constraints that depend on time add h g_t to the last equation and
 * h g_tq^T gamma to S_gamma M^-1 pi. */
#include "base/memory.h"
#include "num/extent.h"
#include "scheme/scheme.h"
#include "solve/converge.h"
#include "system/assembly.h"
#include "system/sparse.h"

#include <math.h>
#include <string.h>

/* Blocks of the Newton matrix: derivatives of g(q1) and of the hidden constraint. */
enum { G_LAMBDA, G_GAMMA, HIDDEN_LAMBDA, HIDDEN_GAMMA, BLOCKS };

typedef struct vis {
    lv_system *system;
    lv_arena arena;
    lv_plan *force, *constraint, *curve, *turn;
    const lv_pattern *g, *mass, *curve_pattern, *turn_pattern;
    const lv_schur *schur;
    lv_assembly *matrix; /* of lambda and gamma */
    int *turn_to_g;      /* entry of g for each entry of the turning Jacobian */
    int n, m, entries;
    double *u, *qb, *q1, *pi, *w, *v, *kick, *moving; /* n each */
    double *lambda, *gamma, *hidden, *rhs;
    double *g0, *w0, *gb, *wb, *g1, *turned, *turned_w; /* Jacobians, weighted ones */
    double *memory;
} vis;

/* ---- creation --------------------------------------------------------------------------------- */

/* The turning Jacobian has no entry that the Jacobian lacks. */
static lv_status match_turn(vis *w, lv_error *err)
{
    const lv_pattern *t = w->turn_pattern, *g = w->g;
    w->turn_to_g = lv_arena_alloc(&w->arena, (size_t)lv_pattern_entries(t) + 1,
                                  sizeof *w->turn_to_g);
    if (!w->turn_to_g)
        return lv_fail_memory(err);
    for (int r = 0; r < g->rows; r++)
        for (int e = t->start[r], k = g->start[r]; e < t->start[r + 1]; e++) {
            while (k < g->start[r + 1] && g->column[k] < t->column[e])
                k++;
            w->turn_to_g[e] = k;
        }
    return LV_OK;
}

static lv_status make_matrix(vis *w, lv_error *err)
{
    const lv_pattern *z = lv_schur_pattern(w->schur);
    const lv_range_of lambda = {0, 2}, gamma = {1, 2}; /* in turns: chains stay narrow */
    w->matrix = lv_assembly_create(2 * w->m, BLOCKS);
    if (!w->matrix)
        return lv_fail_memory(err);
    lv_assembly_block(w->matrix, z, lambda, lambda, false);
    lv_assembly_block(w->matrix, z, lambda, gamma, false);
    lv_assembly_block(w->matrix, z, gamma, lambda, false);
    lv_assembly_block(w->matrix, z, gamma, gamma, false);
    return lv_assembly_finish(w->matrix, err);
}

static lv_status make_room(vis *w, lv_error *err)
{
    int n = w->n, m = w->m, e = w->entries, z = lv_schur_weighted_size(w->schur);
    double **blocks[] = {&w->u,      &w->qb,   &w->q1,     &w->pi,       &w->w,
                         &w->v,      &w->kick, &w->moving, &w->lambda,   &w->gamma,
                         &w->hidden, &w->rhs,  &w->g0,     &w->gb,       &w->g1,
                         &w->turned, &w->w0,   &w->wb,     &w->turned_w, &w->memory};
    int sizes[] = {n, n,     n, n, n, n, n, n, m, m,
                   m, 2 * m, e, e, e, e, z, z, z, 1 + 2 * m};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        *blocks[k] = lv_arena_alloc(&w->arena, (size_t)sizes[k] + 1, sizeof(double));
        if (!*blocks[k])
            return lv_fail_memory(err);
    }
    return LV_OK;
}

static lv_status fill(vis *w, lv_error *err)
{
    const lv_model *model = w->system->model;
    w->n = w->system->n;
    w->m = w->system->m;
    LV_TRY(lv_plan_create(&w->force, model, LV_WANT(FORCE), err));
    LV_TRY(lv_plan_create(&w->constraint, model,
                          LV_WANT(CONSTRAINT) | LV_WANT(CONSTRAINT_T) | LV_WANT(JACOBIAN),
                          err));
    LV_TRY(lv_plan_create(&w->curve, model, LV_WANT(CURVATURE), err));
    LV_TRY(lv_plan_create(&w->turn, model, LV_WANT(RATE_Q), err));
    w->g = lv_plan_pattern(w->constraint, LV_Q_JACOBIAN);
    w->entries = lv_pattern_entries(w->g);
    w->mass = lv_plan_pattern(w->system->node, LV_Q_MASS);
    w->curve_pattern = lv_plan_pattern(w->curve, LV_Q_CURVATURE);
    w->turn_pattern = lv_plan_pattern(w->turn, LV_Q_RATE_Q);
    w->schur = lv_saddle_schur(w->system->saddle);
    LV_TRY(make_room(w, err));
    LV_TRY(match_turn(w, err));
    return w->m > 0 ? make_matrix(w, err) : LV_OK;
}

static void destroy(void *work)
{
    vis *w = work;
    if (!w)
        return;
    lv_plan_free(w->force);
    lv_plan_free(w->constraint);
    lv_plan_free(w->curve);
    lv_plan_free(w->turn);
    lv_assembly_free(w->matrix);
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}

static lv_status create(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err)
{
    vis *w = lv_memory_zeroed(1, sizeof *w);
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
    vis *w = work;
    return (lv_memory_view){w->memory, 1 + 2 * w->m};
}

static void forget(void *work)
{
    vis *w = work;
    memset(w->memory, 0, (size_t)(1 + 2 * w->m) * sizeof *w->memory);
}

static void multipliers(void *work, double *lambda, double *gamma)
{
    const vis *w = work;
    for (int r = 0; r < w->m; r++) {
        lambda[r] = -w->memory[1 + r];
        gamma[r] = w->memory[1 + w->m + r];
    }
}

/* ---- the equations -------------------------------------------------------------------------------- */

static void copy(double *to, const double *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}

static void evaluate_constraint(vis *w, double *jacobian, const double *q, double t)
{
    const lv_point point = {.q = q, .v = w->v, .t = t};
    lv_plan_run(w->constraint, &point);
    copy(jacobian, lv_plan_result(w->constraint, LV_Q_JACOBIAN), w->entries);
}

/* u = M^-1 (h p0 + h^2 F(q0, v) - G0^T lambda); kick is h p0 + h^2 F */
static void evaluate_u(vis *w, const lv_state *state, double h)
{
    const lv_point point = {.q = state->q, .v = w->v, .t = state->t};
    lv_plan_run(w->force, &point);
    const double *force = lv_plan_result(w->force, LV_Q_FORCE);
    for (int k = 0; k < w->n; k++)
        w->u[k] = h * state->p[k] + h * h * force[k];
    lv_mass_solve(w->system->mass, w->u);
    if (w->m > 0)
        lv_schur_spread(w->schur, w->u, -1, w->w0, w->lambda);
    for (int k = 0; k < w->n; k++) {
        w->qb[k] = state->q[k] + w->u[k];
        w->v[k] = w->u[k] / h;
    }
}

/* h g_tq^T gamma, for constraints that depend on time: the turning of a Jacobian at rest */
static void evaluate_moving(vis *w, double t, double h)
{
    if (!w->system->rheonomic)
        return; /* stays 0 */
    memset(w->w, 0, (size_t)w->n * sizeof *w->w);
    memset(w->moving, 0, (size_t)w->n * sizeof *w->moving);
    const lv_point rest = {.q = w->qb, .v = w->w, .t = t};
    lv_plan_run(w->turn, &rest);
    lv_sparse_multiply_transposed(w->turn_pattern, lv_plan_result(w->turn, LV_Q_RATE_Q),
                                  h, w->gamma, w->moving);
}

/* pi from (I + S_gamma M^-1) pi + h g_tq^T gamma = M u, by iteration: S_gamma is of second order
 * in h. w = M^-1 pi. */
static void evaluate_momentum(vis *w, double t, double h)
{
    enum { MOST = 60 };
    evaluate_moving(w, t, h);
    const lv_point point = {.q = w->qb, .v = w->v, .y = w->gamma, .t = t};
    lv_plan_run(w->curve, &point);
    const double *curve = lv_plan_result(w->curve, LV_Q_CURVATURE);
    copy(w->w, w->u, w->n);
    double before = INFINITY;
    for (int i = 0; i < MOST; i++) {
        copy(w->kick, w->moving, w->n);
        lv_sparse_multiply(w->curve_pattern, curve, 1, w->w, w->kick);
        lv_mass_solve(w->system->mass, w->kick);
        double change = 0;
        for (int k = 0; k < w->n; k++) {
            double next = w->u[k] - w->kick[k];
            change = fmax(change, fabs(next - w->w[k]));
            w->w[k] = next;
        }
        if (!(change < before))
            break;
        before = change;
    }
    memset(w->pi, 0, (size_t)w->n * sizeof *w->pi);
    lv_sparse_multiply(w->mass, lv_plan_result(w->system->node, LV_Q_MASS), 1, w->w,
                       w->pi);
}

static void evaluate(vis *w, const lv_state *state, double h)
{
    evaluate_u(w, state, h);
    copy(w->q1, w->qb, w->n);
    if (w->m == 0) {
        copy(w->w, w->u, w->n);
        memset(w->pi, 0, (size_t)w->n * sizeof *w->pi);
        lv_sparse_multiply(w->mass, lv_plan_result(w->system->node, LV_Q_MASS), 1, w->u,
                           w->pi);
        return;
    }
    evaluate_constraint(w, w->gb, w->qb, state->t + h);
    const double *moving = lv_plan_result(w->constraint, LV_Q_CONSTRAINT_T);
    for (int r = 0; r < w->m; r++)
        w->hidden[r] = h * moving[r];
    lv_schur_weigh(w->schur, w->wb, w->system->mass, w->gb);
    evaluate_momentum(w, state->t + h, h);
    lv_schur_spread(w->schur, w->q1, 1, w->wb, w->gamma);
    evaluate_constraint(w, w->g1, w->q1, state->t + h);
    lv_sparse_multiply(w->g, w->gb, 1, w->w, w->hidden);
}

/* c G_a M^-1 G_b^T into a block */
static void add_product(vis *w, int block, double c, const double *g,
                        const double *weighted)
{
    lv_schur_add(w->schur, lv_linear_storage(lv_assembly_linear(w->matrix)),
                 lv_assembly_slots(w->matrix, block), c, g, weighted);
}

/* The Jacobian's turning along w, on the pattern of G, added to G(qb) for the hidden constraint. */
static bool build_matrix(vis *w, double t, double h)
{
    const lv_point point = {.q = w->qb, .v = w->kick, .t = t};
    for (int k = 0; k < w->n; k++)
        w->kick[k] = w->w[k] / h;
    lv_plan_run(w->turn, &point);
    const double *turn = lv_plan_result(w->turn, LV_Q_RATE_Q);
    memset(w->turned, 0, (size_t)w->entries * sizeof *w->turned);
    for (int e = 0; e < lv_pattern_entries(w->turn_pattern); e++)
        w->turned[w->turn_to_g[e]] = h * turn[e];
    lv_schur_weigh(w->schur, w->turned_w, w->system->mass, w->turned);
    lv_assembly_clear(w->matrix);
    add_product(w, G_LAMBDA, -1, w->g1, w->w0);
    add_product(w, G_GAMMA, 1, w->g1, w->wb);
    add_product(w, HIDDEN_LAMBDA, -1, w->gb, w->w0);
    add_product(w, HIDDEN_LAMBDA, -1, w->turned, w->w0);
    add_product(w, HIDDEN_GAMMA, -1, w->gb, w->turned_w);
    return lv_linear_factor(lv_assembly_linear(w->matrix));
}

/* ---- the step ------------------------------------------------------------------------------------------ */

static void begin(vis *w, const lv_state *state, double h)
{
    bool known = w->memory[0] != 0;
    copy(w->v, state->v, w->n);
    if (w->m > 0) {
        evaluate_constraint(w, w->g0, state->q, state->t);
        lv_schur_weigh(w->schur, w->w0, w->system->mass, w->g0);
    }
    for (int r = 0; r < w->m; r++) {
        w->lambda[r] = known ? h * h * w->memory[1 + r] : 0;
        w->gamma[r] = known ? h * w->memory[1 + w->m + r] : 0;
    }
}

/* What the corrections move, in w->kick: u by lambda and by forces that depend on the velocity, q1
 * by gamma, whose correction is in w->hidden. */
static void measure_move(vis *w, const lv_state *state, double h)
{
    copy(w->kick, w->u, w->n);
    memset(w->pi, 0, (size_t)w->n * sizeof *w->pi);
    evaluate_u(w, state, h);
    if (w->m > 0)
        lv_schur_spread(w->schur, w->pi, 1, w->wb, w->hidden);
    for (int k = 0; k < w->n; k++)
        w->kick[k] = fabs(w->u[k] - w->kick[k]) + fabs(w->pi[k]);
}

static lv_verdict newton(vis *w, const lv_state *state, double h, lv_converge *c)
{
    enum { MOST = 60 };
    const double *g = lv_plan_result(w->constraint, LV_Q_CONSTRAINT);
    lv_verdict verdict = LV_SLOW;
    lv_converge_start(c, 2e-16, MOST);
    while (verdict == LV_GO_ON || verdict == LV_SLOW) {
        evaluate(w, state, h);
        if (w->m == 0 && !w->system->forced)
            return LV_CONVERGED;
        if (w->m > 0 && verdict == LV_SLOW && !build_matrix(w, state->t + h, h))
            return LV_DIVERGED;
        for (int r = 0; r < w->m; r++) {
            w->rhs[(size_t)r * 2] = -g[r];
            w->rhs[2 * r + 1] = -w->hidden[r];
        }
        if (w->m > 0)
            lv_linear_solve(lv_assembly_linear(w->matrix), w->rhs);
        for (int r = 0; r < w->m; r++) {
            w->lambda[r] += w->rhs[(size_t)r * 2];
            w->gamma[r] += w->hidden[r] = w->rhs[2 * r + 1];
        }
        measure_move(w, state, h);
        verdict = lv_converge_test(
            c, lv_system_relative_size(w->system, w->kick, state->q, w->v, h));
        if (verdict == LV_GO_ON && (c->count == 1 || c->rate > 0.05))
            verdict = LV_SLOW;
    }
    return verdict;
}

static lv_status failed(vis *w, const lv_state *state, double h, const lv_converge *c,
                        lv_error *err)
{
    const lv_point point = {.q = w->q1, .v = w->v, .t = state->t + h};
    if (!isfinite(c->size) && lv_plan_diagnose(w->force, &point, err) != LV_OK)
        return LV_ERR_DOMAIN;
    lv_status status =
        lv_fail(err, LV_ERR_NUMERIC,
                "Newton did not converge: last change %.1e (relative) after %d "
                "iterations",
                c->size, c->count);
    lv_error_hint(err, "try a smaller step");
    return status;
}

static lv_status step(void *work, lv_state *state, double h, bool project,
                      lv_step_report *report, lv_error *err)
{
    vis *w = work;
    lv_converge c = {0};
    (void)project;
    begin(w, state, h);
    if (newton(w, state, h, &c) != LV_CONVERGED)
        return failed(w, state, h, &c, err);
    report->iterations = c.count;
    evaluate(w, state, h);
    if (!isfinite(lv_extent(w->q1, w->n)) || !isfinite(lv_extent(w->pi, w->n)))
        return failed(w, state, h, &(lv_converge){.size = (double)NAN}, err);
    w->memory[0] = 1;
    for (int r = 0; r < w->m; r++) {
        w->memory[1 + r] = w->lambda[r] / (h * h);
        w->memory[1 + w->m + r] = w->gamma[r] / h;
    }
    copy(state->q, w->q1, w->n);
    for (int k = 0; k < w->n; k++) {
        state->p[k] = w->pi[k] / h;
        state->v[k] = w->w[k] / h;
    }
    return LV_OK;
}

/* ---- the descriptor ---------------------------------------------------------------------------------------- */

static void claims(const lv_scheme *self, lv_claims *c, const lv_scheme_options *options)
{
    (void)self;
    (void)options;
    *c = (lv_claims){.order = 1,
                     .symplectic = true,
                     .energy = LV_KEPT_BOUNDED,
                     .momentum = LV_KEPT_EXACT,
                     .position = LV_KEPT_EXACT};
}

static lv_status fits(const lv_scheme *self, const lv_system *system,
                      const lv_scheme_options *options, lv_error *err)
{
    const char *reason = NULL;
    (void)options;
    if (system->has_nonholonomic)
        reason = "does not take nonholonomic constraints";
    else if (!system->quadratic || !system->mass_constant)
        reason = "is for constant mass matrices";
    else if (!system->mass_regular)
        reason = "inverts the mass matrix, which is singular at the start";
    else if (system->m > 0 && !lv_saddle_schur(system->saddle))
        reason = "needs a mass matrix of small blocks";
    if (!reason)
        return LV_OK;
    lv_status status =
        lv_fail(err, LV_ERR_MODEL, "scheme '%s' %s", self->info.name, reason);
    lv_error_hint(err,
                  system->has_nonholonomic ? "use lobatto" : "use livens or lobatto");
    return status;
}

const lv_scheme lv_scheme_vi_s = {
    .info = {"vi-s", "variational GGL scheme of symplectic-Euler type, order 1",
             "The cheapest of the family: unknown are the multipliers only, one force\n"
             "evaluation per step. Symplectic, momentum maps exact, energy bounded.\n"
             "Constraints hold at the nodes, the hidden ones at an intermediate point.",
             "Kinon, Betsch, Schneider 2023", 1, 1, 1, true, false, 0},
    .claims = claims,
    .fits = fits,
    .create = create,
    .free = destroy,
    .step = step,
    .memory = memory,
    .multipliers = multipliers,
    .has_gamma = true,
    .forget = forget};
