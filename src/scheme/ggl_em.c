/* The energy-momentum scheme of the GGL principle (Kinon, Betsch, Schneider 2023; theory 6.4), with
 * discrete gradients D along the step, w = h M(q)^-1 p at the nodes:
 *
 *   dq = u + a
 *   2 h D2 T - 2 h p0 - F + (D g)^T (mu + 2 gamma) = 0,   F = h^2 (-D V + f) + h^2 D1 T - c
 *   h p1 = 2 h D2 T - h p0,   M(q1) w1 = h p1
 *   g(q1) = 0,   G(q1) w1 + h g_t(q1) = 0
 *
 * a and c belong to gamma, a discrete gradient of the hidden constraint by p and by q:
 *
 * - for constant masses M a = (D_w)^T gamma, c = (D_q)^T gamma, with the discrete gradients of G w + h g_t;
 * - else the gradients of gamma . G M^-1 p at the middle of q and p, and as much of a direction across the
 *   orbits of all symmetries (across.h) as makes a . h (p1 - p0) + c . dq = 0 (theory 6.5).
 *
 * D1 T and D2 T are those of T along (q0, v0) -> (q1, v1), v1 = 2 u / h - v0; for constant M h D2 T is M u.
 * Energy p . v - T + V, momentum maps, both constraints at the nodes: all exact; not symplectic.
 *
 * Unknowns are q1, mu, gamma and w1; the latter keeps the matrix local. It leaves out how a and c
 * change, which is of second order in h. The usual case is simpler, and has ggl_em_plain.c. */
#include "scheme/ggl.h"

#include "scheme/across.h"
#include "system/sparse.h"

#include <math.h>
#include <string.h>

/* Blocks of the Newton matrix: rows R1 (n), R2 (m), R3 (m), R4 (n); columns q, mu, gamma, w1. */
enum {
    INERTIA,
    STIFFNESS,
    PUSH,    /* forces by position */
    DAMPING, /* and by velocity */
    CURVE,
    R1_MU,
    R1_GAMMA,
    R1_GAMMA_W,
    R1_TURN,
    R2_Q,
    R3_Q,
    R3_W,
    R4_Q,
    R4_GAMMA,
    R4_W,
    BLOCKS
};

typedef struct energy_momentum {
    lv_ggl base;
    lv_plan *pair;    /* discrete gradients of V and g, for constant masses also of G w */
    lv_plan *kinetic; /* where the mass varies: those of T */
    lv_plan *middle;  /* and what the gradient of the hidden constraint is made of */
    lv_plan *slope;   /* derivatives of these */
    lv_plan *applied;
    lv_plan *end_turn; /* of the Jacobian at q1 */
    lv_across across;  /* where the mass varies */
    const lv_pattern *pair_g, *turn, *turn_w,
        *mass_q;                   /* turn: of G w by q, turn_w: by w */
    const double *gm;              /* D g */
    double *w1, *a, *c, *v0, *v1;  /* n each; v0, v1: w / h */
    double *pace;                  /* h times the velocity at the start */
    double *sum, *change, *weight; /* mean and change of h p; masses to compare with */
    double *m0, *m1, *twice;       /* M(q0), M(q1), their sum */
    double *y;
} energy_momentum;

/* ---- creation --------------------------------------------------------------------------------- */

/* Where G w + h g_t has its derivatives from. */
static const double *turn_values(const energy_momentum *e)
{
    return e->base.varying ? lv_plan_result(e->middle, LV_Q_RATE_Q)
                           : lv_plan_result(e->pair, LV_Q_PAIR_RATE_Q);
}

static const double *turn_w_values(const energy_momentum *e)
{
    return e->base.varying ? lv_plan_result(e->middle, LV_Q_JACOBIAN)
                           : lv_plan_result(e->pair, LV_Q_PAIR_RATE_V);
}

static lv_status make_varying(energy_momentum *e, lv_error *err)
{
    lv_ggl *w = &e->base;
    const lv_model *model = w->system->model;
    LV_TRY(lv_plan_create(&e->kinetic, model,
                          LV_WANT(PAIR_MOMENTUM) | LV_WANT(PAIR_KINETIC), err));
    LV_TRY(lv_plan_create(&e->middle, model,
                          LV_WANT(JACOBIAN) | LV_WANT(RATE_Q) | LV_WANT(MOMENTUM_Q),
                          err));
    e->turn = lv_plan_pattern(e->middle, LV_Q_RATE_Q);
    e->turn_w = lv_plan_pattern(e->middle, LV_Q_JACOBIAN);
    e->mass_q = lv_plan_pattern(e->middle, LV_Q_MOMENTUM_Q);
    return w->m > 0 ? lv_across_init(&e->across, &w->arena, model, err) : LV_OK;
}

static lv_status make_plans(energy_momentum *e, lv_error *err)
{
    lv_ggl *w = &e->base;
    const lv_model *model = w->system->model;
    lv_wanted slope = LV_WANT(PAIR_FORCE_Q) | LV_WANT(PAIR_CURVATURE);
    lv_wanted pair = LV_WANT(PAIR_FORCE) | LV_WANT(PAIR_JACOBIAN);
    if (w->varying)
        slope |= LV_WANT(PAIR_INERTIA_Q);
    else
        pair |= LV_WANT(PAIR_RATE_Q) | LV_WANT(PAIR_RATE_V);
    LV_TRY(lv_plan_create(&e->pair, model, pair, err));
    LV_TRY(lv_plan_create(&e->slope, model, slope, err));
    LV_TRY(lv_plan_create(&e->applied, model,
                          LV_WANT(APPLIED) | LV_WANT(APPLIED_Q) | LV_WANT(APPLIED_V),
                          err));
    LV_TRY(lv_plan_create(&e->end_turn, model, LV_WANT(RATE_Q), err));
    e->pair_g = lv_plan_pattern(e->pair, LV_Q_PAIR_JACOBIAN);
    e->turn = lv_plan_pattern(e->pair, LV_Q_PAIR_RATE_Q);
    e->turn_w = lv_plan_pattern(e->pair, LV_Q_PAIR_RATE_V);
    return w->varying ? make_varying(e, err) : LV_OK;
}

static lv_status make_matrix(energy_momentum *e, lv_error *err)
{
    lv_ggl *w = &e->base;
    const lv_range_of q = {0, 1}, mu = {w->n, 1}, gamma = {w->n + w->m, 1};
    const lv_range_of w1 = {w->n + 2 * w->m, 1};
    const lv_pattern *inertia =
        w->varying ? lv_plan_pattern(e->slope, LV_Q_PAIR_INERTIA_Q) : w->mass_pattern;
    lv_assembly *a = w->matrix = lv_assembly_create(w->newton.size, BLOCKS);
    if (!a)
        return lv_fail_memory(err);
    lv_assembly_block(a, inertia, q, q, false);
    lv_assembly_block(a, lv_plan_pattern(e->slope, LV_Q_PAIR_FORCE_Q), q, q, false);
    lv_assembly_block(a, lv_plan_pattern(e->applied, LV_Q_APPLIED_Q), q, q, false);
    lv_assembly_block(a, lv_plan_pattern(e->applied, LV_Q_APPLIED_V), q, q, false);
    lv_assembly_block(a, lv_plan_pattern(e->slope, LV_Q_PAIR_CURVATURE), q, q, false);
    lv_assembly_block(a, e->pair_g, q, mu, true);
    lv_assembly_block(a, e->pair_g, q, gamma, true);
    lv_assembly_block(a, e->turn_w, q, gamma, true);
    lv_assembly_block(a, e->turn, q, gamma, true);
    lv_assembly_block(a, w->g, mu, q, false);
    lv_assembly_block(a, lv_plan_pattern(e->end_turn, LV_Q_RATE_Q), gamma, q, false);
    lv_assembly_block(a, w->g, gamma, w1, false);
    lv_assembly_block(a, w->mass_pattern, w1, q, false);
    lv_assembly_block(a, e->turn_w, w1, gamma, true);
    lv_assembly_block(a, w->mass_pattern, w1, w1, false);
    return lv_assembly_finish(a, err);
}

static lv_status prepare(lv_ggl *w, lv_error *err)
{
    energy_momentum *e = (energy_momentum *)w;
    const int n = w->n, entries = lv_pattern_entries(w->mass_pattern);
    double **const blocks[] = {&e->w1,   &e->a,     &e->c,      &e->v0,     &e->v1,
                               &e->pace, &e->sum,   &e->change, &e->weight, &e->m0,
                               &e->m1,   &e->twice, &e->y};
    const int sizes[] = {n, n, n, n, n, n, n, n, n, entries, entries, entries, w->m};
    w->newton.slow = LV_GGL_EM_SLOW;
    w->newton.size = 2 * (n + w->m);
    w->livens = w->varying;
    w->shifted = true;
    LV_TRY(make_plans(e, err));
    LV_TRY(lv_ggl_room(w, blocks, sizes, sizeof sizes / sizeof *sizes, err));
    return make_matrix(e, err);
}

static void done(lv_ggl *w)
{
    energy_momentum *e = (energy_momentum *)w;
    lv_plan *plans[] = {e->pair,  e->kinetic, e->middle,
                        e->slope, e->applied, e->end_turn};
    for (size_t k = 0; k < sizeof plans / sizeof *plans; k++)
        lv_plan_free(plans[k]);
}

/* ---- the unknowns ---------------------------------------------------------------------------------- */

static void start(lv_ggl *w)
{
    energy_momentum *e = (energy_momentum *)w;
    const double *mass = lv_ggl_mass(w, w->from->q, w->from->t);
    memcpy(e->m0, mass, (size_t)lv_pattern_entries(w->mass_pattern) * sizeof *mass);
    for (int k = 0; k < w->n; k++) {
        e->v0[k] = w->drift[k] / w->h;
        e->pace[k] = w->h * w->from->v[k];
    }
}

static void begin(void *work, lv_beginning beginning)
{
    energy_momentum *e = work;
    lv_ggl *w = &e->base;
    lv_ggl_begin(w, beginning);
    for (int k = 0; k < w->n; k++)
        e->w1[k] = 2 * (w->q[k] - w->from->q[k]) - w->drift[k];
}

static void move(void *work, double fraction)
{
    energy_momentum *e = work;
    lv_ggl *w = &e->base;
    const double *update = w->newton.update + (ptrdiff_t)(w->n + 2 * w->m);
    lv_ggl_move(w, fraction);
    for (int k = 0; k < w->n; k++)
        e->w1[k] += fraction * update[k];
}

/* w1 enters p1 by a and c. It begins without what gamma adds to it, so that its corrections can be large where
 * the others are not. */
static double measure(void *work)
{
    energy_momentum *e = work;
    lv_ggl *w = &e->base;
    const double *update = w->newton.update + (ptrdiff_t)(w->n + 2 * w->m);
    return fmax(lv_ggl_measure(w),
                lv_system_relative_size(w->system, update, w->q, w->from->v, w->h));
}

/* ---- the equations -------------------------------------------------------------------------------- */

static lv_point pair_point(const energy_momentum *e)
{
    const lv_ggl *w = &e->base;
    return (lv_point){.q = w->q,
                      .v = e->v1,
                      .w = w->from->q,
                      .x = e->v0,
                      .y = e->y,
                      .t = lv_ggl_time(w, 0.5)};
}

/* Discrete gradients and forces. */
static void evaluate_pair(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    for (int k = 0; k < w->n; k++) {
        w->dq[k] = w->q[k] - w->from->q[k];
        w->point[k] = w->from->q[k] + 0.5 * w->dq[k];
        w->velocity[k] = w->dq[k] / w->h;
        e->v1[k] = e->w1[k] / w->h;
    }
    const lv_point pair = pair_point(e);
    const lv_point middle = {.q = w->point, .v = w->velocity, .t = lv_ggl_time(w, 0.5)};
    lv_plan_run(e->pair, &pair);
    e->gm = lv_plan_result(e->pair, LV_Q_PAIR_JACOBIAN);
    if (w->system->forced)
        lv_plan_run(e->applied, &middle);
}

static void evaluate_masses(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    const double *mass = lv_ggl_mass(w, w->q, lv_ggl_time(w, 1));
    const int entries = lv_pattern_entries(w->mass_pattern);
    memcpy(e->m1, mass, (size_t)entries * sizeof *mass);
    for (int k = 0; k < entries; k++)
        e->twice[k] = e->m0[k] + e->m1[k];
}

/* a and c for a constant mass */
static void evaluate_hidden(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    const size_t bytes = (size_t)w->n * sizeof *e->a;
    memset(e->a, 0, bytes);
    memset(e->c, 0, bytes);
    lv_sparse_multiply_transposed(e->turn_w, turn_w_values(e), 1, w->gamma, e->a);
    lv_sparse_multiply_transposed(e->turn, turn_values(e), w->h, w->gamma, e->c);
    lv_mass_solve(w->mass, e->a);
}

/* h p between the nodes and how it changes, from w1; M(z) to solve with */
static void evaluate_middle(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    memset(e->change, 0, (size_t)w->n * sizeof *e->change);
    lv_ggl_multiply(w, e->m1, 1, e->w1, e->change);
    for (int k = 0; k < w->n; k++) {
        const double before = w->h * w->p0[k];
        e->sum[k] = 0.5 * (before + e->change[k]);
        e->change[k] -= before;
    }
    const double *mass = lv_ggl_mass(w, w->point, lv_ggl_time(w, 0.5));
    (void)lv_mass_factor(w->mass, mass); /* where it fails a is not finite */
    for (int r = 0; r < w->n; r++) {
        e->weight[r] = 0;
        for (int k = w->mass_pattern->start[r]; k < w->mass_pattern->start[r + 1]; k++)
            e->weight[r] += fabs(mass[k]);
    }
}

/* The gradient of gamma . (G M^-1 h p + h g_t) at the middle: S_gamma w - (a . M w)_q, M a = G^T gamma */
static void evaluate_gradient(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    const size_t bytes = (size_t)w->n * sizeof *e->a;
    memcpy(e->a, e->sum, bytes);
    lv_mass_solve(w->mass, e->a);
    for (int k = 0; k < w->n; k++)
        w->moved[k] = e->a[k] / w->h;
    const lv_point at = {.q = w->point, .v = w->moved, .t = lv_ggl_time(w, 0.5)};
    lv_plan_run(e->middle, &at);
    memset(e->a, 0, bytes);
    memset(e->c, 0, bytes);
    lv_sparse_multiply_transposed(e->turn_w, turn_w_values(e), 1, w->gamma, e->a);
    lv_mass_solve(w->mass, e->a);
    lv_sparse_multiply_transposed(e->turn, turn_values(e), w->h, w->gamma, e->c);
    lv_sparse_multiply_transposed(e->mass_q, lv_plan_result(e->middle, LV_Q_MOMENTUM_Q),
                                  -w->h, e->a, e->c);
}

/* Its directionality. Where symmetries make all of the step there is nothing to correct, and constraints that
 * move take energy anyway. */
static void direct_gradient(energy_momentum *e)
{
    const double rounding = 1e-24;
    lv_ggl *w = &e->base;
    double work = 0, size = 0;
    const double along =
        lv_across_direction(&e->across, w->point, e->sum, w->dq, e->change, e->weight);
    for (int k = 0; k < w->n; k++) {
        work += e->a[k] * e->change[k] + e->c[k] * w->dq[k];
        size += e->weight[k] * w->dq[k] * w->dq[k] +
                e->change[k] * e->change[k] / e->weight[k];
    }
    if (!(along > rounding * size) || w->system->rheonomic)
        return;
    for (int k = 0; k < w->n; k++) {
        e->c[k] -= work / along * e->across.u[k];
        e->a[k] -= work / along * e->across.u[w->n + k];
    }
}

static void evaluate_u(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    evaluate_masses(e);
    if (!w->varying) {
        evaluate_hidden(e);
    } else if (w->m > 0) {
        evaluate_middle(e);
        evaluate_gradient(e);
        direct_gradient(e);
    }
    for (int k = 0; k < w->n; k++)
        w->u[k] = w->dq[k] - e->a[k];
}

static lv_point kinetic_point(const energy_momentum *e)
{
    const lv_ggl *w = &e->base;
    return (lv_point){.q = w->q,
                      .v = w->u,
                      .w = w->from->q,
                      .x = e->pace,
                      .y = e->y,
                      .t = lv_ggl_time(w, 0.5)};
}

/* 2 h D2 T to w->inertial, push += h^2 D1 T */
static void evaluate_kinetic(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    const lv_point at = kinetic_point(e);
    lv_plan_run(e->kinetic, &at);
    const double *slope = lv_plan_result(e->kinetic, LV_Q_PAIR_KINETIC);
    memcpy(w->inertial, lv_plan_result(e->kinetic, LV_Q_PAIR_MOMENTUM),
           (size_t)w->n * sizeof *w->inertial);
    for (int k = 0; k < w->n; k++)
        w->push[k] += slope[k];
}

/* F, in w->push, and 2 h D2 T */
static void evaluate_force(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    const double h = w->h, *force = lv_plan_result(e->pair, LV_Q_PAIR_FORCE);
    for (int k = 0; k < w->n; k++)
        w->push[k] = h * h * force[k] - e->c[k];
    if (w->system->forced) {
        const double *applied = lv_plan_result(e->applied, LV_Q_APPLIED);
        for (int k = 0; k < w->n; k++)
            w->push[k] += h * h * applied[k];
    }
    if (w->varying)
        evaluate_kinetic(e);
    else
        lv_ggl_inertia(w, e->twice, 1, w->u);
}

static void evaluate_constraints(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    const int n = w->n, m = w->m;
    double *rhs = w->newton.update;
    const double *moving = lv_plan_result(w->end, LV_Q_CONSTRAINT_T);
    for (int r = 0; r < m; r++) {
        rhs[n + r] = -w->gap[r];
        rhs[n + m + r] = w->system->rheonomic ? -w->h * moving[r] : 0;
    }
    lv_sparse_multiply(w->g, w->g1, -1, e->w1, rhs + n + m);
    double *rest = rhs + (ptrdiff_t)(n + 2 * m);
    for (int k = 0; k < n; k++)
        rest[k] = w->inertial[k] - w->h * w->p0[k];
    lv_ggl_multiply(w, e->m1, -1, e->w1, rest);
}

static void look(lv_ggl *w)
{
    energy_momentum *e = (energy_momentum *)w;
    evaluate_pair(e);
    evaluate_u(e);
    evaluate_force(e);
    lv_ggl_evaluate_end(w, w->q);
}

static void evaluate(void *work)
{
    energy_momentum *e = work;
    lv_ggl *w = &e->base;
    double *rhs = w->newton.update;
    look(w);
    for (int k = 0; k < w->n; k++)
        rhs[k] = 2 * w->h * w->p0[k] + w->push[k] - w->inertial[k];
    for (int r = 0; r < w->m; r++)
        e->y[r] = w->lambda[r] + 2 * w->gamma[r];
    lv_sparse_multiply_transposed(e->pair_g, e->gm, -1, e->y, rhs);
    evaluate_constraints(e);
}

/* ---- the matrix -------------------------------------------------------------------------------------- */

static void add_gamma(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    const double *turn_w = turn_w_values(e);
    lv_assembly_add(w->matrix, R1_TURN, turn_values(e), w->h);
    lv_assembly_add(w->matrix, R1_GAMMA, e->gm, 2);
    lv_assembly_add(w->matrix, R1_GAMMA_W, turn_w, -2);
    lv_assembly_add(w->matrix, R3_W, w->g1, 1);
    lv_assembly_add(w->matrix, R4_Q, e->twice, -1);
    lv_assembly_add(w->matrix, R4_GAMMA, turn_w, 2);
    lv_assembly_add(w->matrix, R4_W, e->m1, 1);
}

static void add_forces(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    const double h = w->h;
    lv_assembly_add(w->matrix, STIFFNESS, lv_plan_result(e->slope, LV_Q_PAIR_FORCE_Q),
                    -h * h);
    if (!w->system->forced)
        return;
    lv_assembly_add(w->matrix, PUSH, lv_plan_result(e->applied, LV_Q_APPLIED_Q),
                    -0.5 * h * h);
    lv_assembly_add(w->matrix, DAMPING, lv_plan_result(e->applied, LV_Q_APPLIED_V), -h);
}

static bool build(void *work)
{
    energy_momentum *e = work;
    lv_ggl *w = &e->base;
    const lv_point pair = kinetic_point(e);
    const lv_point end = {.q = w->q, .v = e->v1, .t = lv_ggl_time(w, 1)};
    lv_plan_run(e->slope, &pair);
    lv_plan_run(e->end_turn, &end);
    lv_assembly_clear(w->matrix);
    if (w->varying)
        lv_assembly_add(w->matrix, INERTIA, lv_plan_result(e->slope, LV_Q_PAIR_INERTIA_Q),
                        1);
    else
        lv_assembly_add(w->matrix, INERTIA, e->m0, 2);
    add_forces(e);
    lv_assembly_add(w->matrix, CURVE, lv_plan_result(e->slope, LV_Q_PAIR_CURVATURE), 1);
    lv_assembly_add(w->matrix, R1_MU, e->gm, 1);
    lv_assembly_add(w->matrix, R2_Q, w->g1, 1);
    lv_assembly_add(w->matrix, R3_Q, lv_plan_result(e->end_turn, LV_Q_RATE_Q), w->h);
    add_gamma(e);
    return lv_ggl_factor(w);
}

/* ---- the end of the step -------------------------------------------------------------------------------- */

/* h p1 - h p0 = F - (D g)^T (mu + 2 gamma), a sum of forces as in the variational schemes. */
static void arrive(lv_ggl *w)
{
    energy_momentum *e = (energy_momentum *)w;
    for (int r = 0; r < w->m; r++)
        e->y[r] = w->lambda[r] + 2 * w->gamma[r];
    memcpy(w->momentum, w->push, (size_t)w->n * sizeof *w->momentum);
    for (int k = 0; k < w->n && w->livens; k++)
        w->velocity[k] = 2 * w->u[k] / w->h - w->from->v[k];
    lv_sparse_multiply_transposed(e->pair_g, e->gm, -1, e->y, w->momentum);
}

static lv_status diagnose(lv_ggl *w, lv_error *err)
{
    energy_momentum *e = (energy_momentum *)w;
    const lv_point pair = pair_point(e);
    const lv_point middle = {.q = w->point, .v = w->velocity, .t = lv_ggl_time(w, 0.5)};
    LV_TRY(lv_plan_diagnose(e->pair, &pair, err));
    return lv_plan_diagnose(e->applied, &middle, err);
}

const lv_ggl_methods lv_ggl_em = {.size = sizeof(energy_momentum),
                                  .equations = {.begin = begin,
                                                .evaluate = evaluate,
                                                .build = build,
                                                .solve = lv_ggl_solve,
                                                .measure = measure,
                                                .move = move,
                                                .settled = lv_ggl_settled},
                                  .prepare = prepare,
                                  .done = done,
                                  .start = start,
                                  .look = look,
                                  .arrive = arrive,
                                  .diagnose = diagnose};
