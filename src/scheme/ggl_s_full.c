/* VI-S where the velocity is not an explicit function of the multipliers: mass matrices that vary, forces
 * of velocities (theory 6.3). With qb = q0 + u:
 *
 *   M(q0) u - h^2 (L_q + f)(q0, u/h) - h p0 + G(q0)^T lambda = 0
 *   M(qb) a = G(qb)^T gamma,   q1 = qb + a
 *   M(qb) w + S_gamma(qb) w + h g_tq^T gamma - (a . M(qb) w)_q = M(q0) u,   h p1 = M(qb) w
 *   g(q1) = 0,   G(qb) w + h g_t(qb) = 0
 *
 * Unknowns are qb, lambda, gamma, w, a: everything is local, nothing is inverted. The Newton matrix
 * leaves out third derivatives of g and products with a or S_gamma, of second order in h. lambda follows
 * from the hidden constraint and gamma from g: their equations stand in this order, for pivots on the
 * diagonal. */
#include "scheme/ggl.h"

#include "system/sparse.h"

#include <string.h>

/* Blocks of the Newton matrix, by equation and unknown. */
enum {
    U_U,
    U_U_FORCE,
    U_LAMBDA,
    A_A,
    A_GAMMA,
    W_U,
    W_U_MASS,
    W_W,
    W_GAMMA,
    W_A,
    G_U,
    G_A,
    HIDDEN_U,
    HIDDEN_W,
    BLOCKS
};

typedef struct vi_s {
    lv_ggl base;
    lv_plan *force;  /* FORCE and FORCE_V at q0 */
    lv_plan *middle; /* Jacobian and time derivative at qb */
    lv_plan *turn;   /* RATE_Q and MOMENTUM_Q at qb and w/h */
    const lv_pattern *turn_pattern, *mass_q, *damping;
    double *w, *a, *q1; /* n each */
    double *m0;
    const double *mb, *gb; /* at qb, where the last evaluation was */
} vi_s;

/* ---- creation --------------------------------------------------------------------------------- */

static lv_status make_plans(vi_s *s, lv_error *err)
{
    const lv_model *model = s->base.system->model;
    LV_TRY(lv_plan_create(&s->force, model, LV_WANT(FORCE) | LV_WANT(FORCE_V), err));
    LV_TRY(lv_plan_create(&s->middle, model, LV_WANT(CONSTRAINT_T) | LV_WANT(JACOBIAN),
                          err));
    LV_TRY(lv_plan_create(&s->turn, model, LV_WANT(RATE_Q) | LV_WANT(MOMENTUM_Q), err));
    s->damping = lv_plan_pattern(s->force, LV_Q_FORCE_V);
    s->turn_pattern = lv_plan_pattern(s->turn, LV_Q_RATE_Q);
    s->mass_q = lv_plan_pattern(s->turn, LV_Q_MOMENTUM_Q);
    return LV_OK;
}

static lv_status make_matrix(vi_s *s, lv_error *err)
{
    lv_ggl *b = &s->base;
    const int n = b->n, m = b->m;
    const lv_range_of u = {0, 1}, lambda = {n, 1}, gamma = {n + m, 1};
    const lv_range_of w = {n + 2 * m, 1}, a = {2 * (n + m), 1};
    lv_assembly *x = b->matrix = lv_assembly_create(b->newton.size, BLOCKS);
    if (!x)
        return lv_fail_memory(err);
    lv_assembly_block(x, b->mass_pattern, u, u, false);
    lv_assembly_block(x, s->damping, u, u, false);
    lv_assembly_block(x, b->g, u, lambda, true);
    lv_assembly_block(x, b->mass_pattern, a, a, false);
    lv_assembly_block(x, b->g, a, gamma, true);
    lv_assembly_block(x, s->mass_q, w, u, false);
    lv_assembly_block(x, b->mass_pattern, w, u, false);
    lv_assembly_block(x, b->mass_pattern, w, w, false);
    lv_assembly_block(x, s->turn_pattern, w, gamma, true);
    lv_assembly_block(x, s->mass_q, w, a, true);
    lv_assembly_block(x, b->g, gamma, u, false);
    lv_assembly_block(x, b->g, gamma, a, false);
    lv_assembly_block(x, s->turn_pattern, lambda, u, false);
    lv_assembly_block(x, b->g, lambda, w, false);
    return lv_assembly_finish(x, err);
}

static lv_status prepare(lv_ggl *b, lv_error *err)
{
    vi_s *s = (vi_s *)b;
    double **const blocks[] = {&s->w, &s->a, &s->q1, &s->m0};
    const int sizes[] = {b->n, b->n, b->n, lv_pattern_entries(b->mass_pattern)};
    b->newton.size = 3 * b->n + 2 * b->m;
    LV_TRY(make_plans(s, err));
    LV_TRY(lv_ggl_room(b, blocks, sizes, 4, err));
    return make_matrix(s, err);
}

static void done(lv_ggl *b)
{
    vi_s *s = (vi_s *)b;
    lv_plan_free(s->force);
    lv_plan_free(s->middle);
    lv_plan_free(s->turn);
}

/* ---- the unknowns ---------------------------------------------------------------------------------- */

static void start(lv_ggl *b)
{
    vi_s *s = (vi_s *)b;
    const double *mass = lv_ggl_mass(b, b->from->q, b->from->t);
    memcpy(s->m0, mass, (size_t)lv_pattern_entries(b->mass_pattern) * sizeof *mass);
}

/* w and a follow from u and gamma in the first pass: they enter linearly, up to terms of second order. */
static void begin(void *work, lv_beginning beginning)
{
    vi_s *s = work;
    lv_ggl *b = &s->base;
    lv_ggl_begin(b, beginning);
    for (int k = 0; k < b->n; k++) {
        s->w[k] = b->q[k] - b->from->q[k];
        s->a[k] = 0;
    }
    lv_ggl_spread(b, s->a, b->w0, b->gamma);
}

static void move(void *work, double fraction)
{
    vi_s *s = work;
    lv_ggl *b = &s->base;
    const double *w = b->newton.update + (ptrdiff_t)(b->n + 2 * b->m), *a = w + b->n;
    lv_ggl_move(b, fraction);
    for (int k = 0; k < b->n; k++) {
        s->w[k] += fraction * w[k];
        s->a[k] += fraction * a[k];
    }
}

/* ---- the equations -------------------------------------------------------------------------------- */

/* All plans, at q0, qb and q1. */
static void look(lv_ggl *b)
{
    vi_s *s = (vi_s *)b;
    const double t = lv_ggl_time(b, 1);
    for (int k = 0; k < b->n; k++) {
        b->u[k] = b->dq[k] = b->q[k] - b->from->q[k];
        b->velocity[k] = b->u[k] / b->h;
        b->point[k] = s->w[k] / b->h;
        s->q1[k] = b->q[k] + s->a[k];
    }
    const lv_point before = {.q = b->from->q, .v = b->velocity, .t = b->from->t};
    const lv_point middle = {.q = b->q, .v = b->point, .t = t};
    lv_plan_run(s->force, &before);
    lv_plan_run(s->middle, &middle);
    lv_plan_run(s->turn, &middle);
    s->gb = lv_plan_result(s->middle, LV_Q_JACOBIAN);
    s->mb = lv_ggl_mass(b, b->q, t);
    lv_ggl_evaluate_end(b, s->q1);
    const double *force = lv_plan_result(s->force, LV_Q_FORCE);
    for (int k = 0; k < b->n; k++)
        b->push[k] = b->h * b->h * force[k];
}

static void evaluate(void *work)
{
    vi_s *s = work;
    lv_ggl *b = &s->base;
    const int n = b->n, m = b->m;
    const double h = b->h;
    double *u = b->newton.update, *hidden = u + n, *g = hidden + m, *w = g + m,
           *a = w + n;
    look(b);
    const double *rate = lv_plan_result(s->middle, LV_Q_CONSTRAINT_T);
    memset(a, 0, (size_t)n * sizeof *a);
    lv_ggl_inertia(b, s->m0, 1, b->u);
    for (int k = 0; k < n; k++) {
        u[k] = h * b->p0[k] + b->push[k] - b->inertial[k];
        w[k] = b->inertial[k];
    }
    lv_sparse_multiply_transposed(b->g, b->g0, -1, b->lambda, u);
    lv_ggl_multiply(b, s->mb, -1, s->w, w);
    lv_sparse_multiply_transposed(s->turn_pattern, lv_plan_result(s->turn, LV_Q_RATE_Q),
                                  -h, b->gamma, w);
    lv_sparse_multiply_transposed(s->mass_q, lv_plan_result(s->turn, LV_Q_MOMENTUM_Q), h,
                                  s->a, w);
    lv_sparse_multiply_transposed(b->g, s->gb, 1, b->gamma, a);
    lv_ggl_multiply(b, s->mb, -1, s->a, a);
    for (int r = 0; r < m; r++) {
        g[r] = -b->gap[r];
        hidden[r] = -h * rate[r];
    }
    lv_sparse_multiply(b->g, s->gb, -1, s->w, hidden);
}

static bool build(void *work)
{
    vi_s *s = work;
    lv_ggl *b = &s->base;
    const double h = b->h;
    const double *turn = lv_plan_result(s->turn, LV_Q_RATE_Q);
    const double *mass_q = lv_plan_result(s->turn, LV_Q_MOMENTUM_Q);
    lv_assembly *x = b->matrix;
    lv_assembly_clear(x);
    lv_assembly_add(x, U_U, s->m0, 1);
    lv_assembly_add(x, U_U_FORCE, lv_plan_result(s->force, LV_Q_FORCE_V), -h);
    lv_assembly_add(x, U_LAMBDA, b->g0, 1);
    lv_assembly_add(x, A_A, s->mb, 1);
    lv_assembly_add(x, A_GAMMA, s->gb, -1);
    lv_assembly_add(x, W_U, mass_q, h);
    lv_assembly_add(x, W_U_MASS, s->m0, -1);
    lv_assembly_add(x, W_W, s->mb, 1);
    lv_assembly_add(x, W_GAMMA, turn, h);
    lv_assembly_add(x, W_A, mass_q, -h);
    lv_assembly_add(x, G_U, b->g1, 1);
    lv_assembly_add(x, G_A, b->g1, 1);
    lv_assembly_add(x, HIDDEN_U, turn, h);
    lv_assembly_add(x, HIDDEN_W, s->gb, 1);
    return lv_ggl_factor(b);
}

/* ---- the end of the step -------------------------------------------------------------------------------- */

/* h p1 - h p0 = h^2 (L_q + f) - G(q0)^T lambda - S_gamma w - h g_tq^T gamma + (a . M w)_q, a sum of forces
 * as in the other schemes. */
static void arrive(lv_ggl *b)
{
    vi_s *s = (vi_s *)b;
    memcpy(b->q, s->q1, (size_t)b->n * sizeof *b->q);
    memcpy(b->momentum, b->push, (size_t)b->n * sizeof *b->momentum);
    lv_sparse_multiply_transposed(b->g, b->g0, -1, b->lambda, b->momentum);
    lv_sparse_multiply_transposed(s->turn_pattern, lv_plan_result(s->turn, LV_Q_RATE_Q),
                                  -b->h, b->gamma, b->momentum);
    lv_sparse_multiply_transposed(s->mass_q, lv_plan_result(s->turn, LV_Q_MOMENTUM_Q),
                                  b->h, s->a, b->momentum);
}

static lv_status diagnose(lv_ggl *b, lv_error *err)
{
    vi_s *s = (vi_s *)b;
    const lv_point before = {.q = b->from->q, .v = b->velocity, .t = b->from->t};
    const lv_point end = {.q = s->q1, .v = b->velocity, .t = lv_ggl_time(b, 1)};
    LV_TRY(lv_plan_diagnose(s->force, &before, err));
    LV_TRY(lv_plan_diagnose(s->force, &end, err));
    return lv_plan_diagnose(b->end, &end, err);
}

const lv_ggl_methods lv_ggl_s_full = {.size = sizeof(vi_s),
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
