/* Schemes of the Gear-Gupta-Leimkuhler principle (Kinon, Betsch, Schneider 2023; theory 6), constant
 * mass. Besides the multipliers lambda of g there are gamma of the hidden constraint G M^-1 p = 0:
 *
 *   u = dq - M^-1 G^T gamma                 (h v, scaled; gamma by h, lambda by h^2)
 *
 * Variational family, Q = (1 - theta) q0 + theta q1:
 *   M u - h p0 + (1 - theta) (h^2 DV(Q) + S_gamma(Q) u) + C1^T lambda = 0,   G(Q) u = 0
 *   option A: C1 = (1 - theta) G(Q), g(Q) = 0;   option B: C1 = (1 - kappa) G(q0), g(q1) = 0
 *   h p1 = M u - theta (h^2 DV(Q) + S_gamma(Q) u) - C2^T lambda
 * symplectic (on vectors tangent to the constraints for B), momentum maps exact, energy bounded.
 *
 * Energy-momentum, z = (q0 + q1) / 2, D V a discrete gradient, constraints at most quadratic:
 *   2 M dq - 2 h p0 + h^2 D V + G(z)^T mu + S_gamma u = 0,   g(q1) = 0,   G(q1) (2 u - h M^-1 p0) = 0
 *   h p1 = 2 M u - h p0
 * energy and momentum maps exact, both constraints exact at the nodes, not symplectic.
 *
 * Constraints that depend on time have the hidden constraint G M^-1 p + g_t = 0: h g_t is added to
 * the last equation, h g_tq^T gamma to S_gamma u.
 *
 * Unknowns are q1 and both sets of multipliers. The Newton matrix leaves out products of M^-1 S_gamma,
 * which are of second order in h, and third derivatives of g. Signs of multipliers are those of the
 * source, the force being -G^T lambda; they stay inside. */
#include "base/memory.h"
#include "expr/analyse.h"
#include "num/extent.h"
#include "scheme/scheme.h"
#include "solve/converge.h"
#include "system/assembly.h"
#include "system/sparse.h"

#include <math.h>
#include <string.h>

/* Members of the family; scheme->family is an index. */
typedef struct member {
    bool exact; /* energy-momentum */
    bool ends;  /* option B: constraint at q1, C1 at q0 */
    double theta, kappa;
} member;

enum { VI_A, VI_B, VI_B2, EM };

static const member members[] = {
    [VI_A] = {false, false, 0.5, 0.5},
    [VI_B] = {false, true, 1, 0.5},
    [VI_B2] = {false, true, 0.5, 0.5},
    [EM] = {true, true, 0.5, 0.5},
};

/* Blocks of the Newton matrix: rows R1 (n), R2 (m), R3 (m); columns q, lambda, gamma. */
enum {
    MASS,
    STIFFNESS, /* second derivatives of the potential, or of its discrete gradient */
    PUSH,      /* forces by position, where the stiffness is without them */
    DAMPING,   /* forces by velocity */
    CURVE,     /* S_lambda and S_gamma, one pattern */
    R1_LAMBDA,
    R1_GAMMA,
    R1_TURN,
    R2_Q,
    R3_Q,
    R3_TURN,
    R3_GAMMA, /* G M^-1 G^T */
    BLOCKS
};

typedef struct ggl {
    const member *kind;
    lv_system *system;
    lv_arena arena;
    lv_plan *middle;    /* force, constraint, Jacobian at Q */
    lv_plan *turn;      /* TURN at Q, in the energy-momentum scheme also at q1 */
    lv_plan *curve;     /* S_y at Q */
    lv_plan *end;       /* constraint and Jacobian at q1 */
    lv_plan *stiffness; /* FORCE_Q at Q, or PAIR_FORCE_Q */
    lv_plan *pair; /* PAIR_FORCE of the energy-momentum scheme, forces at the midpoint */
    lv_plan *applied;
    lv_assembly *matrix;
    const lv_pattern *g, *mass, *turn_pattern, *stiff_pattern, *curve_pattern;
    const lv_pattern *push_pattern, *damp_pattern;
    const lv_schur *schur;
    int n, m;
    double *q, *point, *dq, *u, *velocity, *lambda, *gamma, *y, *rhs, *momentum,
        *direction;
    double *g0, *gq, *g1, *weighted; /* Jacobians at q0, Q, q1; G(Q) M^-1 */
    double *turned;                  /* S_gamma u + h g_tq^T gamma */
    double *memory;
} ggl;

enum { CARRIED = 1 }; /* last h; then lambda and gamma */

/* ---- creation --------------------------------------------------------------------------------- */

/* The blocks of the Newton matrix, in the order of their numbers. */
static lv_status make_matrix(ggl *w, lv_error *err)
{
    const lv_range_of q = {0, 1}, lambda = {w->n, 1}, gamma = {w->n + w->m, 1};
    lv_assembly *a = w->matrix = lv_assembly_create(w->n + 2 * w->m, BLOCKS);
    if (!a)
        return lv_fail_memory(err);
    lv_assembly_block(a, w->mass, q, q, false);
    lv_assembly_block(a, w->stiff_pattern, q, q, false);
    lv_assembly_block(a, w->push_pattern, q, q, false);
    lv_assembly_block(a, w->damp_pattern, q, q, false);
    lv_assembly_block(a, w->curve_pattern, q, q, false);
    lv_assembly_block(a, w->g, q, lambda, true);
    lv_assembly_block(a, w->g, q, gamma, true);
    lv_assembly_block(a, w->turn_pattern, q, gamma, true);
    lv_assembly_block(a, w->g, lambda, q, false);
    lv_assembly_block(a, w->g, gamma, q, false);
    lv_assembly_block(a, w->turn_pattern, gamma, q, false);
    lv_assembly_block(a, lv_schur_pattern(w->schur), gamma, gamma, false);
    return lv_assembly_finish(a, err);
}

static lv_status make_plans(ggl *w, lv_error *err)
{
    const lv_model *model = w->system->model;
    LV_TRY(lv_plan_create(&w->middle, model,
                          LV_WANT(FORCE) | LV_WANT(CONSTRAINT) | LV_WANT(CONSTRAINT_T) |
                              LV_WANT(JACOBIAN),
                          err));
    LV_TRY(lv_plan_create(&w->end, model,
                          LV_WANT(CONSTRAINT) | LV_WANT(CONSTRAINT_T) | LV_WANT(JACOBIAN),
                          err));
    LV_TRY(lv_plan_create(&w->turn, model, LV_WANT(RATE_Q), err));
    LV_TRY(lv_plan_create(&w->curve, model, LV_WANT(CURVATURE), err));
    LV_TRY(lv_plan_create(&w->stiffness, model,
                          w->kind->exact ? LV_WANT(PAIR_FORCE_Q)
                                         : LV_WANT(FORCE_Q) | LV_WANT(FORCE_V),
                          err));
    if (w->kind->exact) {
        LV_TRY(lv_plan_create(&w->pair, model, LV_WANT(PAIR_FORCE), err));
        LV_TRY(lv_plan_create(&w->applied, model,
                              LV_WANT(APPLIED) | LV_WANT(APPLIED_Q) | LV_WANT(APPLIED_V),
                              err));
    }
    w->g = lv_plan_pattern(w->end, LV_Q_JACOBIAN);
    w->mass = lv_plan_pattern(w->system->node, LV_Q_MASS);
    w->turn_pattern = lv_plan_pattern(w->turn, LV_Q_RATE_Q);
    w->curve_pattern = lv_plan_pattern(w->curve, LV_Q_CURVATURE);
    w->stiff_pattern =
        lv_plan_pattern(w->stiffness, w->kind->exact ? LV_Q_PAIR_FORCE_Q : LV_Q_FORCE_Q);
    w->push_pattern = w->stiff_pattern;
    w->damp_pattern = lv_plan_pattern(w->stiffness, LV_Q_FORCE_V);
    if (w->kind->exact) {
        w->push_pattern = lv_plan_pattern(w->applied, LV_Q_APPLIED_Q);
        w->damp_pattern = lv_plan_pattern(w->applied, LV_Q_APPLIED_V);
    }
    w->schur = lv_saddle_schur(w->system->saddle);
    return LV_OK;
}

static lv_status fill(ggl *w, lv_error *err)
{
    int n = w->n = w->system->n, m = w->m = w->system->m;
    LV_TRY(make_plans(w, err));
    int entries = lv_pattern_entries(w->g);
    double **blocks[] = {
        &w->q,         &w->point,    &w->dq,     &w->u,        &w->velocity, &w->turned,
        &w->direction, &w->momentum, &w->lambda, &w->gamma,    &w->y,        &w->rhs,
        &w->g0,        &w->gq,       &w->g1,     &w->weighted, &w->memory};
    int sizes[] = {n,
                   n,
                   n,
                   n,
                   n,
                   n,
                   n,
                   n,
                   m,
                   m,
                   m,
                   n + 2 * m,
                   entries,
                   entries,
                   entries,
                   lv_schur_weighted_size(w->schur),
                   CARRIED + 2 * m};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        *blocks[k] = lv_arena_alloc(&w->arena, (size_t)sizes[k] + 1, sizeof(double));
        if (!*blocks[k])
            return lv_fail_memory(err);
    }
    return make_matrix(w, err);
}

static void destroy(void *work)
{
    ggl *w = work;
    if (!w)
        return;
    lv_plan *plans[] = {w->middle,    w->turn, w->curve,  w->end,
                        w->stiffness, w->pair, w->applied};
    for (size_t k = 0; k < sizeof plans / sizeof *plans; k++)
        lv_plan_free(plans[k]);
    lv_assembly_free(w->matrix);
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}

static lv_status create(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err)
{
    ggl *w = lv_memory_zeroed(1, sizeof *w);
    (void)options;
    *work = NULL;
    if (!w)
        return lv_fail_memory(err);
    w->kind = &members[self->family];
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
    ggl *w = work;
    return (lv_memory_view){w->memory, CARRIED + 2 * w->m};
}

static void forget(void *work)
{
    ggl *w = work;
    memset(w->memory, 0, (size_t)(CARRIED + 2 * w->m) * sizeof *w->memory);
}

/* The energy-momentum scheme works with lambda - 2 gamma / h. */
static void multipliers(void *work, double *lambda, double *gamma)
{
    const ggl *w = work;
    const double *carried = w->memory + CARRIED;
    double h = w->memory[0];
    for (int r = 0; r < w->m; r++) {
        gamma[r] = carried[w->m + r];
        lambda[r] = -carried[r];
        if (w->kind->exact && h != 0)
            lambda[r] -= 2 * gamma[r] / h;
    }
}

/* ---- the equations -------------------------------------------------------------------------------- */

static void copy(double *to, const double *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}

static double time_of(const ggl *w, const lv_state *state, double h)
{
    return state->t + w->kind->theta * h;
}

/* u = dq - M^-1 G(Q)^T gamma */
static void evaluate_u(ggl *w, const lv_state *state, double h)
{
    double theta = w->kind->theta;
    for (int k = 0; k < w->n; k++) {
        w->dq[k] = w->q[k] - state->q[k];
        w->point[k] = state->q[k] + theta * w->dq[k];
        w->velocity[k] = w->dq[k] / h;
    }
    const lv_point at = {.q = w->point, .v = w->velocity, .t = time_of(w, state, h)};
    lv_plan_run(w->middle, &at);
    copy(w->gq, lv_plan_result(w->middle, LV_Q_JACOBIAN), lv_pattern_entries(w->g));
    lv_schur_weigh(w->schur, w->weighted, w->system->mass, w->gq);
    copy(w->u, w->dq, w->n);
    lv_schur_spread(w->schur, w->u, -1, w->weighted, w->gamma);
}

static void evaluate(ggl *w, const lv_state *state, double h)
{
    evaluate_u(w, state, h);
    for (int k = 0; k < w->n; k++)
        w->velocity[k] = w->u[k] / h;
    const lv_point turn = {.q = w->point, .v = w->velocity, .t = time_of(w, state, h)};
    const lv_point end = {.q = w->q, .v = w->velocity, .t = state->t + h};
    lv_plan_run(w->turn, &turn);
    memset(w->turned, 0, (size_t)w->n * sizeof *w->turned);
    lv_sparse_multiply_transposed(w->turn_pattern, lv_plan_result(w->turn, LV_Q_RATE_Q),
                                  h, w->gamma, w->turned);
    lv_plan_run(w->end, &end);
    copy(w->g1, lv_plan_result(w->end, LV_Q_JACOBIAN), lv_pattern_entries(w->g));
    if (w->kind->exact) {
        const lv_point pair = {
            .q = w->q, .v = w->velocity, .w = state->q, .t = state->t + 0.5 * h};
        const lv_point middle = {
            .q = w->point, .v = w->direction, .t = state->t + 0.5 * h};
        for (int k = 0; k < w->n; k++)
            w->direction[k] = w->dq[k] / h;
        lv_plan_run(w->pair, &pair);
        lv_plan_run(w->applied, &middle);
    } else {
        const lv_point at = {.q = w->point, .v = w->velocity, .t = time_of(w, state, h)};
        lv_plan_run(w->middle, &at);
    }
}

static void multiply_mass(const ggl *w, double c, const double *x, double *y)
{
    lv_sparse_multiply(w->mass, lv_plan_result(w->system->node, LV_Q_MASS), c, x, y);
}

/* R1 of the variational family, negated */
static void variational_residual(ggl *w, const lv_state *state, double h)
{
    const member *k = w->kind;
    const double *force = lv_plan_result(w->middle, LV_Q_FORCE);
    for (int i = 0; i < w->n; i++)
        w->rhs[i] = h * state->p[i] + (1 - k->theta) * (h * h * force[i] - w->turned[i]);
    multiply_mass(w, -1, w->u, w->rhs);
    double factor = k->ends ? 1 - k->kappa : 1 - k->theta;
    lv_sparse_multiply_transposed(w->g, k->ends ? w->g0 : w->gq, -factor, w->lambda,
                                  w->rhs);
}

/* R1 of the energy-momentum scheme, negated */
static void exact_residual(ggl *w, const lv_state *state, double h)
{
    const double *force = lv_plan_result(w->pair, LV_Q_PAIR_FORCE);
    const double *applied = lv_plan_result(w->applied, LV_Q_APPLIED);
    for (int i = 0; i < w->n; i++)
        w->rhs[i] = 2 * h * state->p[i] + h * h * (force[i] + applied[i]) - w->turned[i];
    multiply_mass(w, -2, w->dq, w->rhs);
    lv_sparse_multiply_transposed(w->g, w->gq, -1, w->lambda, w->rhs);
}

static void residuals(ggl *w, const lv_state *state, double h)
{
    int n = w->n, m = w->m;
    const double *g = lv_plan_result(w->kind->ends ? w->end : w->middle, LV_Q_CONSTRAINT);
    const double *moving =
        lv_plan_result(w->kind->exact ? w->end : w->middle, LV_Q_CONSTRAINT_T);
    const double *hidden = w->u;
    if (w->kind->exact) {
        exact_residual(w, state, h);
        for (int i = 0; i < n; i++)
            w->direction[i] = 2 * w->u[i] - h * w->momentum[i]; /* momentum: M^-1 p0 */
        hidden = w->direction;
    } else {
        variational_residual(w, state, h);
    }
    for (int r = 0; r < m; r++) {
        w->rhs[n + r] = -g[r];
        w->rhs[n + m + r] = -h * moving[r];
    }
    lv_sparse_multiply(w->g, w->kind->exact ? w->g1 : w->gq, -1, hidden, w->rhs + n + m);
}

/* ---- the matrix -------------------------------------------------------------------------------------- */

/* c G M^-1 G(Q)^T */
static void add_gamma(ggl *w, double c, const double *g)
{
    lv_schur_add(w->schur, lv_linear_storage(lv_assembly_linear(w->matrix)),
                 lv_assembly_slots(w->matrix, R3_GAMMA), c, g, w->weighted);
}

static void add_curve(ggl *w, const lv_state *state, double h, double by_lambda,
                      double by_gamma)
{
    for (int r = 0; r < w->m; r++)
        w->y[r] = by_lambda * w->lambda[r] + by_gamma * w->gamma[r];
    const lv_point at = {
        .q = w->point, .v = w->velocity, .y = w->y, .t = time_of(w, state, h)};
    lv_plan_run(w->curve, &at);
    lv_assembly_add(w->matrix, CURVE, lv_plan_result(w->curve, LV_Q_CURVATURE), 1);
}

static void variational_matrix(ggl *w, const lv_state *state, double h)
{
    const member *k = w->kind;
    double theta = k->theta;
    const double *turn = lv_plan_result(w->turn, LV_Q_RATE_Q);
    const lv_point at = {.q = w->point, .v = w->velocity, .t = time_of(w, state, h)};
    lv_plan_run(w->stiffness, &at);
    lv_assembly_add(w->matrix, MASS, lv_plan_result(w->system->node, LV_Q_MASS), 1);
    lv_assembly_add(w->matrix, STIFFNESS, lv_plan_result(w->stiffness, LV_Q_FORCE_Q),
                    -(1 - theta) * theta * h * h);
    lv_assembly_add(w->matrix, DAMPING, lv_plan_result(w->stiffness, LV_Q_FORCE_V),
                    -(1 - theta) * h);
    add_curve(w, state, h, k->ends ? 0 : theta * (1 - theta), 1 - 2 * theta);
    lv_assembly_add(w->matrix, R1_LAMBDA, k->ends ? w->g0 : w->gq,
                    k->ends ? 1 - k->kappa : 1 - theta);
    lv_assembly_add(w->matrix, R1_GAMMA, w->gq, -1);
    lv_assembly_add(w->matrix, R1_TURN, turn, (1 - theta) * h);
    lv_assembly_add(w->matrix, R2_Q, k->ends ? w->g1 : w->gq, k->ends ? 1 : theta);
    lv_assembly_add(w->matrix, R3_Q, w->gq, 1);
    lv_assembly_add(w->matrix, R3_TURN, turn, theta * h);
    add_gamma(w, -1, w->gq);
}

static void exact_matrix(ggl *w, const lv_state *state, double h)
{
    const lv_point pair = {
        .q = w->q, .v = w->velocity, .w = state->q, .t = state->t + 0.5 * h};
    lv_plan_run(w->stiffness, &pair);
    lv_assembly_add(w->matrix, MASS, lv_plan_result(w->system->node, LV_Q_MASS), 2);
    lv_assembly_add(w->matrix, STIFFNESS, lv_plan_result(w->stiffness, LV_Q_PAIR_FORCE_Q),
                    -h * h);
    lv_assembly_add(w->matrix, PUSH, lv_plan_result(w->applied, LV_Q_APPLIED_Q),
                    -0.5 * h * h);
    lv_assembly_add(w->matrix, DAMPING, lv_plan_result(w->applied, LV_Q_APPLIED_V), -h);
    add_curve(w, state, h, 0.5, 1);
    lv_assembly_add(w->matrix, R1_LAMBDA, w->gq, 1);
    lv_assembly_add(w->matrix, R1_TURN, lv_plan_result(w->turn, LV_Q_RATE_Q), h);
    lv_assembly_add(w->matrix, R2_Q, w->g1, 1);
    lv_assembly_add(w->matrix, R3_Q, w->g1, 2);
    const lv_point end = {.q = w->q, .v = w->direction, .t = state->t + h};
    for (int i = 0; i < w->n; i++)
        w->direction[i] /= h;
    lv_plan_run(w->turn, &end);
    lv_assembly_add(w->matrix, R3_TURN, lv_plan_result(w->turn, LV_Q_RATE_Q), h);
    add_gamma(w, -2, w->g1);
}

static bool build_matrix(ggl *w, const lv_state *state, double h)
{
    lv_assembly_clear(w->matrix);
    if (w->kind->exact)
        exact_matrix(w, state, h);
    else
        variational_matrix(w, state, h);
    return lv_linear_factor(lv_assembly_linear(w->matrix));
}

/* ---- the step ------------------------------------------------------------------------------------------ */

static void predict(ggl *w, const lv_state *state, double h, double reach)
{
    const double *last = w->memory + CARRIED;
    bool known = w->memory[0] != 0 && reach == 1;
    const lv_point start = {.q = state->q, .v = state->v, .t = state->t};
    lv_plan_run(w->end, &start);
    copy(w->g0, lv_plan_result(w->end, LV_Q_JACOBIAN), lv_pattern_entries(w->g));
    copy(w->momentum, state->p, w->n);
    lv_mass_solve(w->system->mass, w->momentum);
    for (int r = 0; r < w->m; r++) {
        w->lambda[r] = known ? h * h * last[r] : 0;
        w->gamma[r] = known ? h * last[w->m + r] : 0;
    }
    for (int k = 0; k < w->n; k++)
        w->q[k] = state->q[k] + reach * h * w->momentum[k];
}

/* What the corrections in w->rhs move, in w->turned: q1, and u and p1 by the multipliers. */
static void measure_move(ggl *w)
{
    const double *lambda = w->rhs + w->n, *gamma = lambda + w->m;
    memset(w->turned, 0, (size_t)w->n * sizeof *w->turned);
    memset(w->dq, 0, (size_t)w->n * sizeof *w->dq);
    lv_schur_spread(w->schur, w->turned, 1, w->weighted, lambda);
    lv_schur_spread(w->schur, w->dq, 1, w->weighted, gamma);
    for (int k = 0; k < w->n; k++)
        w->turned[k] = fabs(w->rhs[k]) + fabs(w->turned[k]) + fabs(w->dq[k]);
}

static lv_verdict newton(ggl *w, const lv_state *state, double h, lv_converge *c)
{
    enum { MOST = 60 };
    lv_verdict verdict = LV_SLOW;
    lv_converge_start(c, 2e-16, MOST);
    while (verdict == LV_GO_ON || verdict == LV_SLOW) {
        evaluate(w, state, h);
        residuals(w, state, h);
        if (verdict == LV_SLOW && !build_matrix(w, state, h))
            return LV_DIVERGED;
        lv_linear_solve(lv_assembly_linear(w->matrix), w->rhs);
        for (int k = 0; k < w->n; k++)
            w->q[k] += w->rhs[k];
        for (int r = 0; r < w->m; r++) {
            w->lambda[r] += w->rhs[w->n + r];
            w->gamma[r] += w->rhs[w->n + w->m + r];
        }
        measure_move(w);
        verdict = lv_converge_test(
            c, lv_system_relative_size(w->system, w->turned, w->q, state->v, h));
        if (verdict == LV_GO_ON && (c->count == 1 || c->rate > 0.05))
            verdict = LV_SLOW;
    }
    return verdict;
}

static lv_status failed(ggl *w, const lv_state *state, double h, const lv_converge *c,
                        lv_error *err)
{
    const lv_point at = {.q = w->point, .v = w->velocity, .t = time_of(w, state, h)};
    if (!isfinite(c->size) && lv_plan_diagnose(w->middle, &at, err) != LV_OK)
        return LV_ERR_DOMAIN;
    lv_status status =
        lv_fail(err, LV_ERR_NUMERIC,
                "Newton did not converge: last change %.1e (relative) after %d "
                "iterations",
                c->size, c->count);
    lv_error_hint(err, "try a smaller step");
    return status;
}

/* Evaluates at the solution. A large step can also end where constraints at the midpoint lose rank and
 * multipliers grow beyond bounds: q1 settles there, the equations do not. Rounding of q1 is let pass. */
static bool settled(ggl *w, const lv_state *state, double h)
{
    evaluate(w, state, h);
    residuals(w, state, h);
    memset(w->direction, 0, (size_t)w->n * sizeof *w->direction);
    multiply_mass(w, 1, w->dq, w->direction);
    const double *force = w->kind->exact ? lv_plan_result(w->pair, LV_Q_PAIR_FORCE)
                                         : lv_plan_result(w->middle, LV_Q_FORCE);
    double momentum = lv_extent(w->direction, w->n) + fabs(h) * lv_extent(state->p, w->n);
    double moved = lv_extent(w->dq, w->n), size = lv_extent(w->q, w->n);
    double limit = 1e-7 * (momentum + h * h * lv_extent(force, w->n));
    if (w->kind->exact)
        limit += 1e-7 * h * h * lv_extent(lv_plan_result(w->applied, LV_Q_APPLIED), w->n);
    if (moved > 0)
        limit += 1e-10 * momentum * size / moved;
    return lv_extent(w->rhs, w->n) <= limit || moved == 0;
}

static lv_status solve(ggl *w, const lv_state *state, double h, lv_converge *c,
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

/* p1, in w->momentum. What is left of R1 is moved into p1: M u / h carries the rounding of q1, which
 * division by h enlarges, and p1 - p0 is again a sum of forces that keep the momentum maps. */
static void end_momentum(ggl *w, const lv_state *state, double h)
{
    const member *k = w->kind;
    const double *force = k->exact ? NULL : lv_plan_result(w->middle, LV_Q_FORCE);
    for (int i = 0; i < w->n; i++)
        w->momentum[i] =
            k->exact ? -h * state->p[i] : k->theta * (h * h * force[i] - w->turned[i]);
    multiply_mass(w, k->exact ? 2 : 1, w->u, w->momentum);
    if (!k->exact)
        lv_sparse_multiply_transposed(w->g, k->ends ? w->g1 : w->gq,
                                      -(k->ends ? k->kappa : k->theta), w->lambda,
                                      w->momentum);
    for (int i = 0; i < w->n; i++)
        w->momentum[i] = (w->momentum[i] + w->rhs[i]) / h;
}

static lv_status step(void *work, lv_state *state, double h, bool project,
                      lv_step_report *report, lv_error *err)
{
    ggl *w = work;
    lv_converge c;
    (void)project;
    LV_TRY(solve(w, state, h, &c, err));
    report->iterations = c.count;
    end_momentum(w, state, h);
    for (int k = 0; k < w->n; k++)
        if (!isfinite(w->q[k]) || !isfinite(w->momentum[k]))
            return failed(w, state, h, &(lv_converge){.size = (double)NAN}, err);
    w->memory[0] = h;
    for (int r = 0; r < w->m; r++) {
        w->memory[CARRIED + r] = w->lambda[r] / (h * h);
        w->memory[CARRIED + w->m + r] = w->gamma[r] / h;
    }
    copy(state->q, w->q, w->n);
    copy(state->p, w->momentum, w->n);
    copy(state->v, w->momentum, w->n);
    lv_mass_solve(w->system->mass, state->v);
    return LV_OK;
}

/* ---- the descriptors --------------------------------------------------------------------------------------- */

static void claims(const lv_scheme *self, lv_claims *c, const lv_scheme_options *options)
{
    const member *k = &members[self->family];
    (void)options;
    *c = (lv_claims){.order = self->family == VI_B ? 1 : 2,
                     .symplectic = !k->exact,
                     .symmetric = self->family == EM || self->family == VI_B2,
                     .energy = k->exact ? LV_KEPT_EXACT : LV_KEPT_BOUNDED,
                     .momentum = LV_KEPT_EXACT,
                     .position = k->ends ? LV_KEPT_EXACT : LV_KEPT_NOT,
                     .velocity = k->exact ? LV_KEPT_EXACT : LV_KEPT_NOT};
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
    else if (!lv_saddle_schur(system->saddle))
        reason = "needs a mass matrix of small blocks";
    else if (members[self->family].exact && system->constraint_degree > 2)
        reason = "takes constraints that are at most quadratic";
    if (!reason)
        return LV_OK;
    lv_status status =
        lv_fail(err, LV_ERR_MODEL, "scheme '%s' %s", self->info.name, reason);
    lv_error_hint(err,
                  system->has_nonholonomic ? "use lobatto" : "use livens or lobatto");
    return status;
}

#define METHODS                                                                          \
    .claims = claims, .fits = fits, .create = create, .free = destroy, .step = step,     \
    .memory = memory, .multipliers = multipliers, .has_gamma = true, .forget = forget

static const char variational_text[] =
    "Discrete Lagrange-d'Alembert on the action of Gear, Gupta and Leimkuhler: a second\n"
    "set of multipliers keeps the hidden constraint. Symplectic, momentum maps exact,\n"
    "energy bounded. Option A imposes constraints at the midpoint only, option B at the\n"
    "nodes.";

static const char exact_text[] =
    "Energy-momentum scheme with both sets of constraints: energy, momentum maps,\n"
    "positions and velocities of the constraints are all kept to rounding at the nodes.\n"
    "Not symplectic. Discrete gradients of the potential are derived from its formula.";

static const char ggl_source[] = "Kinon, Betsch, Schneider 2023";

const lv_scheme lv_scheme_em = {
    .info = {"em", "energy-momentum scheme with both constraint levels, order 2",
             exact_text, ggl_source, 1, 1, 1, true, true, LV_TAKES(COMPOSE)},
    .family = EM,
    METHODS};

const lv_scheme lv_scheme_vi_a = {
    .info = {"vi-a", "variational GGL scheme, option A (theta = 1/2), order 2",
             variational_text, ggl_source, 1, 1, 1, true, false, 0},
    .family = VI_A,
    METHODS};

const lv_scheme lv_scheme_vi_b = {
    .info = {"vi-b", "variational GGL scheme, option B (theta = 1, 1/2), order 1",
             variational_text, ggl_source, 1, 1, 1, true, false, 0},
    .family = VI_B,
    METHODS};

const lv_scheme lv_scheme_vi_b2 = {
    .info = {"vi-b2", "variational GGL scheme, option B (1/2, 1/2), order 2",
             variational_text, ggl_source, 1, 1, 1, true, false, 0},
    .family = VI_B2,
    METHODS};
