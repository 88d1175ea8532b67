/* The energy-momentum scheme of the GGL principle (Kinon, Betsch, Schneider 2023; theory 6.4), with
 * discrete gradients D along the step, Mm = (M(q0) + M(q1)) / 2, w = h M(q)^-1 p at the nodes:
 *
 *   u = dq - a,   Mm a = (D_w)^T gamma
 *   2 h D2 T - 2 h p0 - F + (D g)^T (mu + 2 gamma) = 0
 *   h p1 = 2 h D2 T - h p0,   M(q1) w1 = h p1
 *   g(q1) = 0,   G(q1) w1 + h g_t(q1) = 0
 *   F = h^2 (-D V + f) + h^2 D1 T - (D_q)^T gamma + D(a . M wm),   wm = (w0 + w1) / 2
 *
 * D_q and D_w are the discrete gradients of G w + h g_t by positions and by w, D1 T and D2 T those of T
 * along (q0, v0) -> (q1, v1), v1 = 2 u / h - v0; for constant M h D2 T is M u. Energy p . v - T + V, momentum
 * maps, both constraints at the nodes: all exact; not symplectic.
 *
 * Unknowns are q1, mu, gamma and w1; the latter keeps the matrix local. It leaves out how a and D_q
 * change, which is of second order in h. The usual case is simpler, and has ggl_em_plain.c. */
#include "scheme/ggl.h"

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
    lv_plan *pair;    /* discrete gradients of V, g and G w */
    lv_plan *kinetic; /* where the mass varies: those of T */
    lv_plan *rise;    /* and its discrete gradient at one velocity */
    lv_plan *slope;   /* derivatives of these */
    lv_plan *applied;
    lv_plan *end_turn; /* of the Jacobian at q1 */
    const lv_pattern *pair_g, *pair_turn, *pair_turn_v;
    const double *gm;                 /* D g */
    double *w1, *a, *v0, *v1, *rises; /* n each; v0, v1: w / h */
    double *pace;                     /* h times the velocity at the start */
    double *m0, *twice;               /* M(q0), M(q0) + M(q1) */
    const double *m1;
    double *y;
} energy_momentum;

/* ---- creation --------------------------------------------------------------------------------- */

static lv_status make_plans(energy_momentum *e, lv_error *err)
{
    lv_ggl *w = &e->base;
    const lv_model *model = w->system->model;
    lv_wanted slope = LV_WANT(PAIR_FORCE_Q) | LV_WANT(PAIR_CURVATURE);
    const lv_wanted pair = LV_WANT(PAIR_FORCE) | LV_WANT(PAIR_JACOBIAN) |
                           LV_WANT(PAIR_RATE_Q) | LV_WANT(PAIR_RATE_V);
    if (w->varying) {
        slope |= LV_WANT(PAIR_INERTIA_Q);
        LV_TRY(lv_plan_create(&e->rise, model, LV_WANT(PAIR_RISE), err));
        LV_TRY(lv_plan_create(&e->kinetic, model,
                              LV_WANT(PAIR_MOMENTUM) | LV_WANT(PAIR_KINETIC), err));
    }
    LV_TRY(lv_plan_create(&e->pair, model, pair, err));
    LV_TRY(lv_plan_create(&e->slope, model, slope, err));
    LV_TRY(lv_plan_create(&e->applied, model,
                          LV_WANT(APPLIED) | LV_WANT(APPLIED_Q) | LV_WANT(APPLIED_V),
                          err));
    LV_TRY(lv_plan_create(&e->end_turn, model, LV_WANT(RATE_Q), err));
    e->pair_g = lv_plan_pattern(e->pair, LV_Q_PAIR_JACOBIAN);
    e->pair_turn = lv_plan_pattern(e->pair, LV_Q_PAIR_RATE_Q);
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
    lv_assembly_block(a, e->pair_g, q, gamma, true);
    lv_assembly_block(a, e->pair_turn_v, q, gamma, true);
    lv_assembly_block(a, e->pair_turn, q, gamma, true);
    lv_assembly_block(a, w->g, mu, q, false);
    lv_assembly_block(a, lv_plan_pattern(e->end_turn, LV_Q_RATE_Q), gamma, q, false);
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
    double **const blocks[] = {&e->w1,   &e->a,  &e->v0,    &e->v1, &e->rises,
                               &e->pace, &e->m0, &e->twice, &e->y};
    const int sizes[] = {n, n, n, n, n, n, entries, entries, w->m};
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
    lv_plan *plans[] = {e->pair, e->kinetic, e->rise, e->slope, e->applied, e->end_turn};
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

/* Discrete gradients, forces, and u. */
static void evaluate_pair(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    for (int k = 0; k < w->n; k++) {
        w->dq[k] = w->q[k] - w->from->q[k];
        w->point[k] = w->from->q[k] + 0.5 * w->dq[k];
        w->velocity[k] = w->dq[k] / w->h;
        e->v1[k] = e->w1[k] / w->h;
    }
    const lv_point pair = pair_point(e, e->v1);
    const lv_point middle = {.q = w->point, .v = w->velocity, .t = lv_ggl_time(w, 0.5)};
    lv_plan_run(e->pair, &pair);
    e->gm = lv_plan_result(e->pair, LV_Q_PAIR_JACOBIAN);
    if (w->system->forced)
        lv_plan_run(e->applied, &middle);
}

static void evaluate_u(energy_momentum *e)
{
    lv_ggl *w = &e->base;
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

/* D(a . M wm), half the difference of D T at wm + a and wm - a */
static void add_hidden(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    for (int sign = 1; sign >= -1; sign -= 2) {
        for (int k = 0; k < w->n; k++)
            e->rises[k] = 0.5 * (w->drift[k] + e->w1[k]) + sign * e->a[k];
        add_rise(e, 0.5 * sign, e->rises);
    }
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
    const double *turn = lv_plan_result(e->pair, LV_Q_PAIR_RATE_Q);
    for (int k = 0; k < w->n; k++)
        w->push[k] = h * h * force[k];
    if (w->system->forced) {
        const double *applied = lv_plan_result(e->applied, LV_Q_APPLIED);
        for (int k = 0; k < w->n; k++)
            w->push[k] += h * h * applied[k];
    }
    lv_sparse_multiply_transposed(e->pair_turn, turn, -h, w->gamma, w->push);
    if (!w->varying) {
        lv_ggl_inertia(w, e->twice, 1, w->u);
        return;
    }
    evaluate_kinetic(e);
    if (w->m > 0)
        add_hidden(e);
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
    const double *turn_v = lv_plan_result(e->pair, LV_Q_PAIR_RATE_V);
    lv_assembly_add(w->matrix, R1_TURN, lv_plan_result(e->pair, LV_Q_PAIR_RATE_Q), w->h);
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
    const lv_point pair = pair_point(e, e->v1);
    const lv_point middle = {.q = w->point, .v = w->velocity, .t = lv_ggl_time(w, 0.5)};
    LV_TRY(lv_plan_diagnose(e->pair, &pair, err));
    return lv_plan_diagnose(e->applied, &middle, err);
}

const lv_ggl_methods lv_ggl_em = {.size = sizeof(energy_momentum),
                                  .equations = {.begin = begin,
                                                .evaluate = evaluate,
                                                .build = build,
                                                .solve = lv_ggl_solve,
                                                .measure = lv_ggl_measure,
                                                .move = move,
                                                .settled = lv_ggl_settled},
                                  .prepare = prepare,
                                  .done = done,
                                  .start = start,
                                  .look = look,
                                  .arrive = arrive,
                                  .diagnose = diagnose};
