/* The energy-momentum scheme of the GGL principle (Kinon, Betsch, Schneider 2023; theory 6.4), with
 * discrete gradients D along the step, Mm = (M(q0) + M(q1)) / 2, w = h M(q)^-1 p at the nodes:
 *
 *   u = dq - a,   Mm a = (D_w)^T gamma
 *   2 Mm u - 2 h p0 - F + (D g)^T (mu + 2 gamma) = 0
 *   h p1 = 2 Mm u - h p0,   M(q1) w1 = h p1
 *   g(q1) = 0,   G(q1) w1 + h g_t(q1) = 0
 *   F = h^2 (-D V + f) + h^2 D1 T(v0, v1) - (D_q)^T gamma + D(a . M wm),   wm = (w0 + w1) / 2
 *
 * D_q and D_w are the discrete gradients of G w + h g_t by positions and by w; v1 = 2 u / h - v0. Energy
 * p . v - T + V, momentum maps, both constraints at the nodes: all exact; not symplectic.
 *
 * Two forms. Where the mass is constant and g at most quadratic, D_w = D g = G(z): w1 = 2 u - w0, the
 * unknowns are q1, mu, gamma, and the terms of T and a vanish. Otherwise w1 is an unknown too, which
 * keeps the matrix local. It leaves out how a and D_q change, which is of second order in h. */
#include "scheme/ggl.h"

#include "num/extent.h"
#include "system/sparse.h"

#include <string.h>

/* Blocks of the Newton matrix: rows R1 (n), R2 (m), R3 (m), R4 (n); columns q, mu, gamma, w1. */
enum {
    INERTIA,
    STIFFNESS,
    PUSH,    /* forces by position */
    DAMPING, /* and by velocity */
    CURVE,
    R1_MU,
    R1_TURN,
    R2_Q,
    R3_Q_TURN,
    NARROW,
    R3_Q = NARROW, /* G(q1), without w1 as an unknown */
    R3_GAMMA,
    NARROW_BLOCKS,
    R1_GAMMA = NARROW, /* with it */
    R1_GAMMA_W,
    R3_W,
    R4_Q,
    R4_GAMMA,
    R4_W,
    BLOCKS
};

typedef struct energy_momentum {
    lv_ggl base;
    bool wide;  /* w1 is an unknown */
    bool plain; /* D_q is the derivative of G u, and that is a function of u alone */
    lv_quantity rate_q;
    lv_plan *pair;  /* discrete gradients of V, g and G w */
    lv_plan *rise;  /* discrete gradient of T, where the mass varies */
    lv_plan *slope; /* derivatives of these */
    lv_plan *applied;
    lv_plan *end_turn; /* of the Jacobian at q1 */
    const lv_pattern *pair_g, *pair_turn, *pair_turn_v;
    const double *gm;                      /* D g */
    double *w1, *a, *v0, *v1, *wm, *rises; /* n each; v0, v1: w / h */
    double *m0, *twice;                    /* M(q0), M(q0) + M(q1) */
    const double *m1;
    const double *wgm; /* D g, weighted */
    double *weighed, *y;
} energy_momentum;

/* ---- creation --------------------------------------------------------------------------------- */

static lv_status make_plans(energy_momentum *e, lv_error *err)
{
    lv_ggl *w = &e->base;
    const lv_model *model = w->system->model;
    lv_wanted slope = LV_WANT(PAIR_FORCE_Q) | LV_WANT(PAIR_CURVATURE);
    lv_wanted pair = LV_WANT(PAIR_FORCE) | LV_WANT(PAIR_JACOBIAN);
    pair |= e->plain ? LV_WANT(RATE_Q) : LV_WANT(PAIR_RATE_Q);
    if (e->wide)
        pair |= LV_WANT(PAIR_RATE_V);
    if (w->varying) {
        slope |= LV_WANT(PAIR_INERTIA_Q);
        LV_TRY(lv_plan_create(&e->rise, model, LV_WANT(PAIR_RISE), err));
    }
    LV_TRY(lv_plan_create(&e->pair, model, pair, err));
    LV_TRY(lv_plan_create(&e->slope, model, slope, err));
    LV_TRY(lv_plan_create(&e->applied, model,
                          LV_WANT(APPLIED) | LV_WANT(APPLIED_Q) | LV_WANT(APPLIED_V),
                          err));
    LV_TRY(lv_plan_create(&e->end_turn, model, LV_WANT(RATE_Q), err));
    e->pair_g = lv_plan_pattern(e->pair, LV_Q_PAIR_JACOBIAN);
    e->rate_q = e->plain ? LV_Q_RATE_Q : LV_Q_PAIR_RATE_Q;
    e->pair_turn = lv_plan_pattern(e->pair, e->rate_q);
    e->pair_turn_v = lv_plan_pattern(e->pair, LV_Q_PAIR_RATE_V);
    return LV_OK;
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
    lv_assembly_block(a, e->pair_turn, q, gamma, true);
    lv_assembly_block(a, w->g, mu, q, false);
    lv_assembly_block(a, lv_plan_pattern(e->end_turn, LV_Q_RATE_Q), gamma, q, false);
    if (!e->wide) {
        lv_assembly_block(a, w->g, gamma, q, false);
        lv_assembly_block(a, lv_schur_pattern(w->schur), gamma, gamma, false);
        return lv_assembly_finish(a, err);
    }
    lv_assembly_block(a, e->pair_g, q, gamma, true);
    lv_assembly_block(a, e->pair_turn_v, q, gamma, true);
    lv_assembly_block(a, w->g, gamma, w1, false);
    lv_assembly_block(a, w->mass_pattern, w1, q, false);
    lv_assembly_block(a, e->pair_turn_v, w1, gamma, true);
    lv_assembly_block(a, w->mass_pattern, w1, w1, false);
    return lv_assembly_finish(a, err);
}

static lv_status prepare(lv_ggl *w, lv_error *err)
{
    energy_momentum *e = (energy_momentum *)w;
    const int n = w->n, entries = lv_pattern_entries(w->mass_pattern);
    double **const blocks[] = {&e->w1, &e->a,     &e->v0,    &e->v1,      &e->wm,
                               &e->m0, &e->twice, &e->rises, &e->weighed, &e->y};
    const int sizes[] = {
        n, n, n, n, n, entries, entries, n, lv_schur_weighted_size(w->schur), w->m};
    e->wide = w->varying || w->system->constraint_degree > 2;
    e->plain = !e->wide && !w->system->rheonomic;
    w->newton.slow = 2e-3; /* what a slow iteration leaves behind is felt by the energy */
    w->livens = w->varying;
    w->shifted = true;
    w->newton.size = n + 2 * w->m + (e->wide ? n : 0);
    LV_TRY(make_plans(e, err));
    LV_TRY(lv_ggl_room(w, blocks, sizes, sizeof sizes / sizeof *sizes, err));
    if (!w->varying)
        memcpy(e->m0, lv_ggl_mass(w, NULL, 0), (size_t)entries * sizeof *e->m0);
    if (!e->wide)
        LV_TRY(lv_ggl_make_cheap(w, err));
    return make_matrix(e, err);
}

static void done(lv_ggl *w)
{
    energy_momentum *e = (energy_momentum *)w;
    lv_plan *plans[] = {e->pair, e->rise, e->slope, e->applied, e->end_turn};
    for (size_t k = 0; k < sizeof plans / sizeof *plans; k++)
        lv_plan_free(plans[k]);
}

/* ---- the unknowns ---------------------------------------------------------------------------------- */

static void start(lv_ggl *w)
{
    energy_momentum *e = (energy_momentum *)w;
    const double inverse = 1 / w->h;
    for (int k = 0; k < w->n && !e->plain; k++)
        e->v0[k] = inverse * w->drift[k];
    if (w->varying) {
        const double *mass = lv_ggl_mass(w, w->from->q, w->from->t);
        memcpy(e->m0, mass, (size_t)lv_pattern_entries(w->mass_pattern) * sizeof *mass);
    }
}

static void begin(void *work, lv_beginning beginning)
{
    energy_momentum *e = work;
    lv_ggl *w = &e->base;
    lv_ggl_begin(w, beginning);
    memset(e->a, 0, (size_t)w->n * sizeof *e->a);
    lv_schur_spread(w->schur, e->a, 1, w->w0, w->gamma);
    for (int k = 0; e->wide && k < w->n; k++)
        e->w1[k] = 2 * (w->q[k] - w->from->q[k]) - w->drift[k];
}

static void move(void *work, double fraction)
{
    energy_momentum *e = work;
    lv_ggl *w = &e->base;
    const double *update = w->newton.update + w->n + 2 * w->m;
    lv_ggl_move(w, fraction);
    for (int k = 0; e->wide && k < w->n; k++)
        e->w1[k] += fraction * update[k];
}

/* ---- the equations -------------------------------------------------------------------------------- */

static lv_point pair_point(const energy_momentum *e, const double *v)
{
    const lv_ggl *w = &e->base;
    return (lv_point){.q = w->q,
                      .v = v,
                      .w = w->from->q,
                      .x = e->v0,
                      .y = e->y,
                      .t = lv_ggl_time(w, 0.5)};
}

/* All discrete gradients, u or w1 being what it is. */
static void evaluate_pair(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    const double inverse = 1 / w->h, *path = e->plain ? w->u : e->w1;
    for (int k = 0; k < w->n; k++)
        e->v1[k] = inverse * path[k];
    const lv_point pair = pair_point(e, e->v1);
    lv_plan_run(e->pair, &pair);
    e->gm = lv_plan_result(e->pair, LV_Q_PAIR_JACOBIAN);
}

static void evaluate_applied(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    const lv_point middle = {.q = w->point, .v = w->velocity, .t = lv_ggl_time(w, 0.5)};
    for (int k = 0; k < w->n; k++) {
        w->point[k] = w->from->q[k] + 0.5 * w->dq[k];
        w->velocity[k] = w->dq[k] / w->h;
    }
    lv_plan_run(e->applied, &middle);
}

/* w1 where it is no unknown, with the last a. */
static void follow(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    for (int k = 0; k < w->n; k++) {
        w->u[k] = w->dq[k] - e->a[k];
        e->w1[k] = 2 * w->u[k] - w->drift[k];
    }
}

static void evaluate_a(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    e->wgm = lv_ggl_weigh(w, e->weighed, e->gm);
    memset(e->a, 0, (size_t)w->n * sizeof *e->a);
    lv_schur_spread(w->schur, e->a, 1, e->wgm, w->gamma);
}

/* Does it matter that a was another one before, where it is multiplied by itself? Not after the unknowns
 * have all but settled. */
static bool is_felt(const energy_momentum *e, double *before)
{
    const double settled = 3e-13, rounding = 1e-17;
    const lv_ggl *w = &e->base;
    const lv_converge *c = &w->newton.converge;
    if (w->m == 0 || (c->count > 0 && c->size <= settled))
        return false;
    for (int k = 0; k < w->n; k++)
        before[k] -= e->a[k];
    double change = lv_extent(before, w->n) * lv_extent(e->a, w->n);
    return !(change <= rounding * lv_extent(w->q, w->n) * lv_extent(w->dq, w->n));
}

/* Everything where w1 is no unknown. The discrete gradient of G w by q goes with gamma: it is evaluated
 * with a as it was a pass ago, and again if the difference can be felt. */
static void evaluate_narrow(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    double *before = w->moved;
    follow(e);
    evaluate_pair(e);
    memcpy(before, e->a, (size_t)w->n * sizeof *before);
    evaluate_a(e);
    follow(e);
    if (is_felt(e, before))
        evaluate_pair(e);
}

/* Everything where it is one. */
static void evaluate_wide(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    evaluate_pair(e);
    e->m1 = lv_ggl_mass(w, w->q, lv_ggl_time(w, 1));
    for (int k = 0; k < lv_pattern_entries(w->mass_pattern); k++)
        e->twice[k] = e->m0[k] + e->m1[k];
    if (w->varying)
        (void)lv_mass_factor(w->mass, e->twice); /* where it fails u is not finite */
    memset(e->a, 0, (size_t)w->n * sizeof *e->a);
    lv_sparse_multiply_transposed(e->pair_turn_v,
                                  lv_plan_result(e->pair, LV_Q_PAIR_RATE_V),
                                  w->varying ? 2 : 1, w->gamma, e->a);
    lv_mass_solve(w->mass, e->a);
    for (int k = 0; k < w->n; k++)
        w->u[k] = w->dq[k] - e->a[k];
}

/* push += c D T at the velocity v, scaled like w */
static void add_rise(energy_momentum *e, double c, const double *v)
{
    lv_ggl *w = &e->base;
    const lv_point pair = pair_point(e, v);
    lv_plan_run(e->rise, &pair);
    const double *rise = lv_plan_result(e->rise, LV_Q_PAIR_RISE);
    for (int k = 0; k < w->n; k++)
        w->push[k] += c * rise[k];
}

/* h^2 D1 T, the mean of D T at v0 and v1; D(a . M wm), half the difference of D T at wm + a and wm - a */
static void add_kinetic(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    const struct {
        double c, by_v0, by_u, by_w, by_a;
    } terms[] = {{0.5, 1, 0, 0, 0},
                 {0.5, -1, 2, 0, 0},
                 {0.5, 0, 0, 0.5, 1},
                 {-0.5, 0, 0, 0.5, -1}};
    const int count = w->m > 0 ? 4 : 2;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < w->n; k++)
            e->rises[k] =
                terms[i].by_v0 * w->h * w->from->v[k] + terms[i].by_u * w->u[k] +
                terms[i].by_w * (w->drift[k] + e->w1[k]) + terms[i].by_a * e->a[k];
        add_rise(e, terms[i].c, e->rises);
    }
}

/* F, in w->push */
static void evaluate_force(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    const double h = w->h, *force = lv_plan_result(e->pair, LV_Q_PAIR_FORCE);
    const double *turn = lv_plan_result(e->pair, e->rate_q);
    for (int k = 0; k < w->n; k++)
        w->push[k] = h * h * force[k];
    if (w->system->forced) {
        const double *applied = lv_plan_result(e->applied, LV_Q_APPLIED);
        for (int k = 0; k < w->n; k++)
            w->push[k] += h * h * applied[k];
    }
    lv_sparse_multiply_transposed(e->pair_turn, turn, -h, w->gamma, w->push);
    if (w->varying)
        add_kinetic(e);
}

static void evaluate_constraints(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    const int n = w->n, m = w->m;
    double *rhs = w->newton.update;
    const double *g = lv_plan_result(w->end, LV_Q_CONSTRAINT);
    const double *moving = lv_plan_result(w->end, LV_Q_CONSTRAINT_T);
    for (int r = 0; r < m; r++) {
        rhs[n + r] = -g[r];
        rhs[n + m + r] = -w->h * moving[r];
    }
    lv_sparse_multiply(w->g, w->g1, -1, e->w1, rhs + n + m);
    if (!e->wide)
        return;
    double *rest = rhs + n + 2 * m;
    for (int k = 0; k < n; k++)
        rest[k] = w->inertial[k] - w->h * w->p0[k];
    lv_ggl_multiply(w, e->m1, -1, e->w1, rest);
}

static void look(lv_ggl *w)
{
    energy_momentum *e = (energy_momentum *)w;
    for (int k = 0; k < w->n; k++)
        w->dq[k] = w->q[k] - w->from->q[k];
    if (w->system->forced)
        evaluate_applied(e);
    if (e->wide)
        evaluate_wide(e);
    else
        evaluate_narrow(e);
    evaluate_force(e);
    lv_ggl_evaluate_end(w, w->q);
}

/* Mass times u, or where D_w = D g its part without gamma, which the constraint force takes over. */
static void evaluate_inertia(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    memset(w->inertial, 0, (size_t)w->n * sizeof *w->inertial);
    if (e->wide)
        lv_ggl_multiply(w, e->twice, 1, w->u, w->inertial);
    else
        lv_ggl_multiply(w, e->m0, 2, w->dq, w->inertial);
}

static void evaluate(void *work)
{
    energy_momentum *e = work;
    lv_ggl *w = &e->base;
    double *rhs = w->newton.update;
    look(w);
    evaluate_inertia(e);
    for (int k = 0; k < w->n; k++)
        rhs[k] = 2 * w->h * w->p0[k] + w->push[k] - w->inertial[k];
    for (int r = 0; r < w->m; r++)
        e->y[r] = w->lambda[r] + (e->wide ? 2 * w->gamma[r] : 0);
    lv_sparse_multiply_transposed(e->pair_g, e->gm, -1, e->y, rhs);
    evaluate_constraints(e);
}

/* ---- the matrix -------------------------------------------------------------------------------------- */

static void add_narrow(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    lv_assembly_add(w->matrix, R1_TURN, lv_plan_result(e->pair, e->rate_q), w->h);
    lv_assembly_add(w->matrix, R3_Q, w->g1, 2);
    lv_schur_add(w->schur, lv_linear_storage(lv_assembly_linear(w->matrix)),
                 lv_assembly_slots(w->matrix, R3_GAMMA), -2, w->g1, e->wgm);
}

static void add_wide(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    const double *turn_v = lv_plan_result(e->pair, LV_Q_PAIR_RATE_V);
    lv_assembly_add(w->matrix, R1_TURN, lv_plan_result(e->pair, e->rate_q), w->h);
    lv_assembly_add(w->matrix, R1_GAMMA, e->gm, 2);
    lv_assembly_add(w->matrix, R1_GAMMA_W, turn_v, -2);
    lv_assembly_add(w->matrix, R3_W, w->g1, 1);
    lv_assembly_add(w->matrix, R4_Q, e->twice, -1);
    lv_assembly_add(w->matrix, R4_GAMMA, turn_v, 2);
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

/* Forces and turning Jacobians held: 2 M dq + G(z)^T dmu = r1, G(q1) dq = r2,
 * 2 G(q1) (dq - M^-1 G(z)^T dgamma) = r3. */
static void solve_cheap(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    const int n = w->n, m = w->m;
    double *dq = w->newton.update, *mu = dq + n, *gamma = mu + m;
    lv_mass_solve(w->mass, dq);
    for (int k = 0; k < n; k++)
        dq[k] *= 0.5;
    for (int r = 0; r < m; r++)
        gamma[r] = 0.5 * gamma[r] - mu[r];
    lv_sparse_multiply(w->g, w->g1, -1, dq, mu);
    lv_linear_solve(w->cheap, mu);
    lv_linear_solve(w->cheap, gamma);
    memset(w->moved, 0, (size_t)n * sizeof *w->moved);
    lv_schur_spread(w->schur, w->moved, 1, e->wgm, mu);
    for (int k = 0; k < n; k++)
        dq[k] -= w->moved[k];
    for (int r = 0; r < m; r++)
        mu[r] *= 2;
}

static void solve(void *work)
{
    energy_momentum *e = work;
    if (e->base.uses_cheap)
        solve_cheap(e);
    else
        lv_ggl_solve(e);
}

/* The derivative of (D g)^T (mu + 2 gamma) goes with the mean of the change of -2 D_w and D_q: where both
 * forms meet, S_mu / 2 + S_gamma. */
static bool build(void *work)
{
    energy_momentum *e = work;
    lv_ggl *w = &e->base;
    if (lv_ggl_choose_cheap(w))
        return lv_ggl_factor_cheap(w, -1, e->wgm);
    for (int k = 0; k < w->n; k++)
        w->moved[k] = w->h * w->from->v[k];
    for (int r = 0; r < w->m; r++)
        e->y[r] = w->lambda[r] + 2 * w->gamma[r];
    const lv_point pair = pair_point(e, w->moved);
    const lv_point end = {.q = w->q, .v = e->v1, .t = lv_ggl_time(w, 1)};
    for (int k = 0; k < w->n; k++)
        e->v1[k] = e->w1[k] / w->h;
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
    lv_assembly_add(w->matrix, R3_Q_TURN, lv_plan_result(e->end_turn, LV_Q_RATE_Q), w->h);
    if (e->wide)
        add_wide(e);
    else
        add_narrow(e);
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
    const lv_point pair = pair_point(e, e->v1);
    const lv_point middle = {.q = w->point, .v = w->velocity, .t = lv_ggl_time(w, 0.5)};
    LV_TRY(lv_plan_diagnose(e->pair, &pair, err));
    return lv_plan_diagnose(e->applied, &middle, err);
}

const lv_ggl_methods lv_ggl_em = {.size = sizeof(energy_momentum),
                                  .equations = {.begin = begin,
                                                .evaluate = evaluate,
                                                .build = build,
                                                .solve = solve,
                                                .measure = lv_ggl_measure,
                                                .move = move,
                                                .settled = lv_ggl_settled},
                                  .prepare = prepare,
                                  .done = done,
                                  .start = start,
                                  .look = look,
                                  .arrive = arrive,
                                  .diagnose = diagnose};
