/* VI-S, the variational GGL scheme of symplectic-Euler type (Kinon, Betsch, Schneider 2023; theory 6.3),
 * for constant mass and forces without velocities:
 *
 *   M u = h p0 + h^2 F(q0) - G0^T lambda,           qb = q0 + u
 *   (I + S_gamma(qb) M^-1) h p1 = M u,              q1 = qb + M^-1 G(qb)^T gamma
 *   g(q1) = 0,   G(qb) M^-1 h p1 = 0
 *
 * Unknown are the two sets of multipliers only; one force evaluation per step. Symplectic on vectors
 * tangent to the constraints, momentum maps exact, energy bounded, order 1. The hidden constraint holds
 * at qb, at q1 to second order. Constraints that depend on time add h g_t to the last equation and
 * h g_tq^T gamma to S_gamma M^-1 h p1. */
#include "scheme/ggl.h"

#include "system/sparse.h"

#include <math.h>
#include <string.h>

/* Blocks of the Newton matrix: derivatives of g(q1) and of the hidden constraint. */
enum { G_LAMBDA, G_GAMMA, HIDDEN_LAMBDA, HIDDEN_GAMMA, BLOCKS };

typedef struct vi_s {
    lv_ggl base;
    lv_plan *force, *middle, *curve, *turn; /* middle: constraint and Jacobian at qb */
    const lv_pattern *curve_pattern, *turn_pattern;
    int *turn_to_g; /* entry of g for each entry of the turning Jacobian */
    double *free;   /* u without constraints */
    double *q1, *w, *kick, *moving; /* n each; w = M^-1 h p1 */
    double *turned;                 /* the turning Jacobian */
    const double *wb, *turned_w;    /* weighted: the Jacobian at qb, the turning one */
    double *weighed[2];             /* room for these */
    double *hidden;                 /* m */
} vi_s;

/* ---- creation --------------------------------------------------------------------------------- */

/* The turning Jacobian has no entry that the Jacobian lacks. */
static lv_status match_turn(vi_s *s, lv_error *err)
{
    lv_ggl *w = &s->base;
    const lv_pattern *t = s->turn_pattern, *g = w->g;
    s->turn_to_g = lv_arena_alloc(&w->arena, (size_t)lv_pattern_entries(t) + 1,
                                  sizeof *s->turn_to_g);
    if (!s->turn_to_g)
        return lv_fail_memory(err);
    for (int r = 0; r < g->rows; r++)
        for (int e = t->start[r], k = g->start[r]; e < t->start[r + 1]; e++) {
            while (k < g->start[r + 1] && g->column[k] < t->column[e])
                k++;
            s->turn_to_g[e] = k;
        }
    return LV_OK;
}

static lv_status make_matrix(vi_s *s, lv_error *err)
{
    lv_ggl *w = &s->base;
    const lv_pattern *z = lv_schur_pattern(w->schur);
    /* in turns: chains stay narrow */
    const lv_range_of lambda = w->lambda_at = (lv_range_of){0, 2};
    const lv_range_of gamma = w->gamma_at = (lv_range_of){1, 2};
    w->matrix = lv_assembly_create(2 * w->m, BLOCKS);
    if (!w->matrix)
        return lv_fail_memory(err);
    lv_assembly_block(w->matrix, z, lambda, lambda, false);
    lv_assembly_block(w->matrix, z, lambda, gamma, false);
    lv_assembly_block(w->matrix, z, gamma, lambda, false);
    lv_assembly_block(w->matrix, z, gamma, gamma, false);
    return lv_assembly_finish(w->matrix, err);
}

static lv_status make_plans(vi_s *s, lv_error *err)
{
    const lv_model *model = s->base.system->model;
    LV_TRY(lv_plan_create(&s->force, model, LV_WANT(FORCE), err));
    LV_TRY(lv_plan_create(&s->middle, model, LV_WANT(CONSTRAINT_T) | LV_WANT(JACOBIAN),
                          err));
    LV_TRY(lv_plan_create(&s->curve, model, LV_WANT(CURVATURE), err));
    LV_TRY(lv_plan_create(&s->turn, model, LV_WANT(RATE_Q), err));
    s->curve_pattern = lv_plan_pattern(s->curve, LV_Q_CURVATURE);
    s->turn_pattern = lv_plan_pattern(s->turn, LV_Q_RATE_Q);
    return LV_OK;
}

static lv_status prepare(lv_ggl *w, lv_error *err)
{
    vi_s *s = (vi_s *)w;
    const int n = w->n, m = w->m, z = lv_schur_weighted_size(w->schur);
    double **const blocks[] = {&s->free,   &s->q1,         &s->w,
                               &s->kick,   &s->moving,     &s->weighed[0],
                               &s->turned, &s->weighed[1], &s->hidden};
    const int sizes[] = {n, n, n, n, n, z, lv_pattern_entries(w->g), z, m};
    w->newton.size = 2 * m;
    LV_TRY(make_plans(s, err));
    LV_TRY(lv_ggl_room(w, blocks, sizes, sizeof sizes / sizeof *sizes, err));
    LV_TRY(match_turn(s, err));
    return m > 0 ? make_matrix(s, err) : LV_OK;
}

static void done(lv_ggl *w)
{
    vi_s *s = (vi_s *)w;
    lv_plan_free(s->force);
    lv_plan_free(s->middle);
    lv_plan_free(s->curve);
    lv_plan_free(s->turn);
}

/* ---- the equations -------------------------------------------------------------------------------- */

/* M^-1 (h p0 + h^2 F(q0)) */
static void start(lv_ggl *w)
{
    vi_s *s = (vi_s *)w;
    const lv_point at = {.q = w->from->q, .v = w->from->v, .t = w->from->t};
    lv_plan_run(s->force, &at);
    const double *force = lv_plan_result(s->force, LV_Q_FORCE);
    for (int k = 0; k < w->n; k++)
        s->free[k] = w->h * w->h * force[k];
    lv_mass_solve(w->mass, s->free);
    for (int k = 0; k < w->n; k++)
        s->free[k] += w->drift[k];
}

/* u and qb, which is w->q */
static void evaluate_u(vi_s *s)
{
    lv_ggl *w = &s->base;
    memcpy(w->u, s->free, (size_t)w->n * sizeof *w->u);
    lv_schur_spread(w->schur, w->u, -1, w->w0, w->lambda);
    for (int k = 0; k < w->n; k++) {
        w->dq[k] = w->u[k];
        w->q[k] = w->from->q[k] + w->u[k];
        w->velocity[k] = w->u[k] / w->h;
    }
}

/* h g_tq^T gamma, for constraints that depend on time: the turning of a Jacobian at rest */
static void evaluate_moving(vi_s *s, double t)
{
    lv_ggl *w = &s->base;
    if (!w->system->rheonomic)
        return; /* stays 0 */
    memset(s->w, 0, (size_t)w->n * sizeof *s->w);
    memset(s->moving, 0, (size_t)w->n * sizeof *s->moving);
    const lv_point rest = {.q = w->q, .v = s->w, .t = t};
    lv_plan_run(s->turn, &rest);
    lv_sparse_multiply_transposed(s->turn_pattern, lv_plan_result(s->turn, LV_Q_RATE_Q),
                                  w->h, w->gamma, s->moving);
}

/* w = M^-1 h p1 from w + M^-1 (S_gamma w + h g_tq^T gamma) = u, by iteration: S_gamma is of second order
 * in h. */
static void evaluate_momentum(vi_s *s)
{
    enum { MOST = 60 };
    lv_ggl *w = &s->base;
    const double t = lv_ggl_time(w, 1);
    evaluate_moving(s, t);
    const lv_point at = {.q = w->q, .v = w->velocity, .y = w->gamma, .t = t};
    lv_plan_run(s->curve, &at);
    const double *curve = lv_plan_result(s->curve, LV_Q_CURVATURE);
    double before = INFINITY;
    memcpy(s->w, w->u, (size_t)w->n * sizeof *s->w);
    for (int i = 0; i < MOST; i++) {
        double change = 0;
        memcpy(s->kick, s->moving, (size_t)w->n * sizeof *s->kick);
        lv_sparse_multiply(s->curve_pattern, curve, 1, s->w, s->kick);
        lv_mass_solve(w->mass, s->kick);
        for (int k = 0; k < w->n; k++) {
            double next = w->u[k] - s->kick[k];
            change = fmax(change, fabs(next - s->w[k]));
            s->w[k] = next;
        }
        if (!(change < before))
            break;
        before = change;
    }
}

static void evaluate(void *work)
{
    vi_s *s = work;
    lv_ggl *w = &s->base;
    double *rhs = w->newton.update;
    evaluate_u(s);
    memcpy(s->q1, w->q, (size_t)w->n * sizeof *s->q1);
    const lv_point at = {.q = w->q, .v = w->velocity, .t = lv_ggl_time(w, 1)};
    lv_plan_run(s->middle, &at);
    const double *gb = lv_plan_result(s->middle, LV_Q_JACOBIAN);
    const double *rate = lv_plan_result(s->middle, LV_Q_CONSTRAINT_T);
    for (int r = 0; r < w->m; r++)
        s->hidden[r] = w->h * rate[r];
    s->wb = lv_ggl_weigh(w, s->weighed[0], gb);
    evaluate_momentum(s);
    lv_schur_spread(w->schur, s->q1, 1, s->wb, w->gamma);
    lv_ggl_evaluate_end(w, s->q1);
    lv_sparse_multiply(w->g, gb, 1, s->w, s->hidden);
    for (int r = 0; r < w->m; r++) {
        rhs[(size_t)r * 2] = -w->gap[r];
        rhs[(size_t)r * 2 + 1] = -s->hidden[r];
    }
}

/* c G_a M^-1 G_b^T into a block */
static void add_product(vi_s *s, int block, double c, const double *g,
                        const double *weighted)
{
    lv_assembly *a = s->base.matrix;
    lv_schur_add(s->base.schur, lv_linear_storage(lv_assembly_linear(a)),
                 lv_assembly_slots(a, block), c, g, weighted);
}

/* With the Jacobian's turning along w, on the pattern of G. */
static bool build(void *work)
{
    vi_s *s = work;
    lv_ggl *w = &s->base;
    const double *gb = lv_plan_result(s->middle, LV_Q_JACOBIAN);
    const lv_point at = {.q = w->q, .v = s->kick, .t = lv_ggl_time(w, 1)};
    for (int k = 0; k < w->n; k++)
        s->kick[k] = s->w[k] / w->h;
    lv_plan_run(s->turn, &at);
    const double *turn = lv_plan_result(s->turn, LV_Q_RATE_Q);
    memset(s->turned, 0, (size_t)lv_pattern_entries(w->g) * sizeof *s->turned);
    for (int e = 0; e < lv_pattern_entries(s->turn_pattern); e++)
        s->turned[s->turn_to_g[e]] = w->h * turn[e];
    s->turned_w = lv_ggl_weigh(w, s->weighed[1], s->turned);
    lv_assembly_clear(w->matrix);
    add_product(s, G_LAMBDA, -1, w->g1, w->w0);
    add_product(s, G_GAMMA, 1, w->g1, s->wb);
    add_product(s, HIDDEN_LAMBDA, -1, gb, w->w0);
    add_product(s, HIDDEN_LAMBDA, -1, s->turned, w->w0);
    add_product(s, HIDDEN_GAMMA, -1, gb, s->turned_w);
    return lv_ggl_factor(w);
}

/* What the corrections move: u by lambda, q1 by gamma. */
static double measure(void *work)
{
    vi_s *s = work;
    lv_ggl *w = &s->base;
    double *by_lambda = w->moved, *by_gamma = w->moved + w->n, *one = s->hidden;
    for (int part = 0; part < 2; part++) {
        for (int r = 0; r < w->m; r++)
            one[r] = w->newton.update[(size_t)r * 2 + (size_t)part];
        double *to = part == 0 ? by_lambda : by_gamma;
        memset(to, 0, (size_t)w->n * sizeof *to);
        lv_schur_spread(w->schur, to, 1, part == 0 ? w->w0 : s->wb, one);
    }
    for (int k = 0; k < w->n; k++)
        by_lambda[k] = fabs(by_lambda[k]) + fabs(by_gamma[k]);
    return lv_system_relative_size(w->system, by_lambda, w->from->q, w->velocity, w->h);
}

static void move(void *work, double fraction)
{
    vi_s *s = work;
    lv_ggl *w = &s->base;
    for (int r = 0; r < w->m; r++) {
        w->lambda[r] += fraction * w->newton.update[(size_t)r * 2];
        w->gamma[r] += fraction * w->newton.update[(size_t)r * 2 + 1];
    }
}

static bool settled(void *work)
{
    evaluate(work);
    return true;
}

/* ---- the end of the step -------------------------------------------------------------------------------- */

static void arrive(lv_ggl *w)
{
    vi_s *s = (vi_s *)w;
    memcpy(w->q, s->q1, (size_t)w->n * sizeof *w->q);
    for (int k = 0; k < w->n; k++)
        w->momentum[k] = -w->h * w->p0[k];
    lv_ggl_multiply(w, lv_ggl_mass(w, w->q, 0), 1, s->w, w->momentum);
}

static lv_status diagnose(lv_ggl *w, lv_error *err)
{
    vi_s *s = (vi_s *)w;
    const lv_point at = {.q = w->from->q, .v = w->from->v, .t = w->from->t};
    const lv_point end = {.q = s->q1, .v = w->velocity, .t = lv_ggl_time(w, 1)};
    LV_TRY(lv_plan_diagnose(s->force, &at, err));
    LV_TRY(lv_plan_diagnose(s->force, &end, err));
    return lv_plan_diagnose(w->end, &end, err);
}

const lv_ggl_methods lv_ggl_s = {.size = sizeof(vi_s),
                                 .equations = {.begin = lv_ggl_begin,
                                               .evaluate = evaluate,
                                               .build = build,
                                               .solve = lv_ggl_solve,
                                               .measure = measure,
                                               .move = move,
                                               .settled = settled},
                                 .prepare = prepare,
                                 .done = done,
                                 .start = start,
                                 .arrive = arrive,
                                 .diagnose = diagnose};
