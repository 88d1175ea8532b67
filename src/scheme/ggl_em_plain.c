/* The energy-momentum scheme of the GGL principle (Kinon, Betsch, Schneider 2023; theory 6.4) in the usual
 * case: constant mass, constraints at most quadratic that do not move. Then G is linear in q,
 *
 *   D g = D_w = G(z) = (G0 + G1) / 2,   z = (q0 + q1) / 2,   D_q = (G1 - G0) - S a for S = sum_k H_k . a,
 *
 * and with u = dq - a, a = M^-1 G(z)^T gamma, mu = lambda - 2 gamma
 *
 *   2 M dq - 2 h p0 - F + G(z)^T mu = 0,   g(q1) = 0,   G1 w1 = 0,   w1 = 2 u - h M^-1 p0
 *   F = h^2 (-D V + f) - (G1 - G0)^T gamma + S_gamma a
 *
 * Unknowns are q1, mu, gamma. S_gamma a has gamma twice and is left out where it is below rounding. */
#include "scheme/ggl.h"

#include "base/inline.h"
#include "num/extent.h"
#include "system/sparse.h"

#include <string.h>

/* Blocks of the Newton matrix: rows R1 (n), R2 (m), R3 (m); columns q, mu, gamma. */
enum {
    INERTIA,
    STIFFNESS,
    PUSH,    /* forces by position */
    DAMPING, /* and by velocity */
    CURVE,
    R1_MU,
    R1_TURN,
    R2_Q,
    R3_Q,
    R3_TURN,
    R3_GAMMA,
    BLOCKS
};

typedef struct energy_momentum {
    lv_ggl base;
    lv_plan *pair;  /* discrete gradient of V */
    lv_plan *slope; /* that and its derivative */
    bool sloped;    /* the last evaluation was by `slope` */
    lv_plan *curve; /* S_y at z */
    lv_plan *applied;
    lv_plan *turn; /* derivative of G v */
    const lv_pattern *turn_pattern;
    double *turned;           /* room for it */
    const double *mass, *wgm; /* G(z) weighted */
    double *gm, *change;      /* G(z), G1 - G0 */
    double *w1, *a, *y, *weighed;
    double *more;           /* what gamma becomes by a correction of q1 */
    double *second, *third; /* further corrections of q1 and mu */
    bool bends;             /* S_gamma a can be felt */
} energy_momentum;

/* ---- creation --------------------------------------------------------------------------------- */

static lv_status make_plans(energy_momentum *e, lv_error *err)
{
    const lv_model *model = e->base.system->model;
    LV_TRY(lv_plan_create(&e->pair, model, LV_WANT(PAIR_FORCE), err));
    LV_TRY(lv_plan_create(&e->slope, model, LV_WANT(PAIR_FORCE) | LV_WANT(PAIR_FORCE_Q),
                          err));
    LV_TRY(lv_plan_create(&e->curve, model, LV_WANT(PAIR_CURVATURE), err));
    LV_TRY(lv_plan_create(&e->applied, model,
                          LV_WANT(APPLIED) | LV_WANT(APPLIED_Q) | LV_WANT(APPLIED_V),
                          err));
    LV_TRY(lv_plan_create(&e->turn, model, LV_WANT(RATE_Q), err));
    e->turn_pattern = lv_plan_pattern(e->turn, LV_Q_RATE_Q);
    return LV_OK;
}

static lv_status make_matrix(energy_momentum *e, lv_error *err)
{
    lv_ggl *w = &e->base;
    const lv_range_of q = {0, 1}, mu = {w->n, 1}, gamma = {w->n + w->m, 1};
    lv_assembly *a = w->matrix = lv_assembly_create(w->newton.size, BLOCKS);
    if (!a)
        return lv_fail_memory(err);
    lv_assembly_block(a, w->mass_pattern, q, q, false);
    lv_assembly_block(a, lv_plan_pattern(e->slope, LV_Q_PAIR_FORCE_Q), q, q, false);
    lv_assembly_block(a, lv_plan_pattern(e->applied, LV_Q_APPLIED_Q), q, q, false);
    lv_assembly_block(a, lv_plan_pattern(e->applied, LV_Q_APPLIED_V), q, q, false);
    lv_assembly_block(a, lv_plan_pattern(e->curve, LV_Q_PAIR_CURVATURE), q, q, false);
    lv_assembly_block(a, w->g, q, mu, true);
    lv_assembly_block(a, w->g, q, gamma, true);
    lv_assembly_block(a, w->g, mu, q, false);
    lv_assembly_block(a, w->g, gamma, q, false);
    lv_assembly_block(a, e->turn_pattern, gamma, q, false);
    lv_assembly_block(a, lv_schur_pattern(w->schur), gamma, gamma, false);
    return lv_assembly_finish(a, err);
}

static lv_status prepare(lv_ggl *w, lv_error *err)
{
    energy_momentum *e = (energy_momentum *)w;
    const int n = w->n, entries = lv_pattern_entries(w->g);
    double **const blocks[] = {&e->gm, &e->change, &e->turned, &e->w1,    &e->a,
                               &e->y,  &e->more,   &e->second, &e->third, &e->weighed};
    const int sizes[] = {
        entries, entries, entries,  n,        n,
        w->m,    w->m,    n + w->m, n + w->m, lv_schur_weighted_size(w->schur)};
    w->newton.slow = LV_GGL_EM_SLOW;
    w->newton.adds_up = true;
    w->newton.size = n + 2 * w->m;
    w->shifted = w->polished = true;
    e->mass = lv_ggl_mass(w, NULL, 0);
    LV_TRY(make_plans(e, err));
    LV_TRY(lv_ggl_room(w, blocks, sizes, sizeof sizes / sizeof *sizes, err));
    LV_TRY(lv_ggl_make_cheap(w, lv_plan_pattern(e->slope, LV_Q_PAIR_FORCE_Q), err));
    return make_matrix(e, err);
}

static void done(lv_ggl *w)
{
    energy_momentum *e = (energy_momentum *)w;
    lv_plan_free(e->pair);
    lv_plan_free(e->slope);
    lv_plan_free(e->curve);
    lv_plan_free(e->applied);
    lv_plan_free(e->turn);
}

/* ---- the equations -------------------------------------------------------------------------------- */

static lv_point pair_point(const energy_momentum *e)
{
    const lv_ggl *w = &e->base;
    return (lv_point){
        .q = w->q, .v = w->from->v, .w = w->from->q, .y = e->y, .t = lv_ggl_time(w, 0.5)};
}

/* Where G1 is known: what follows from both ends. */
static void compare_ends(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    const int entries = lv_pattern_entries(w->g);
    for (int i = 0; i < entries; i++) {
        e->gm[i] = 0.5 * (w->g0[i] + w->g1[i]);
        e->change[i] = w->g1[i] - w->g0[i];
    }
    for (int k = 0; k < w->n; k++)
        w->dq[k] = w->q[k] - w->from->q[k];
}

static void evaluate_u(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    lv_ggl_evaluate_end(w, w->q);
    compare_ends(e);
    e->wgm = lv_ggl_weigh(w, e->weighed, e->gm);
    memset(e->a, 0, (size_t)w->n * sizeof *e->a);
    lv_schur_spread(w->schur, e->a, 1, e->wgm, w->gamma);
    for (int k = 0; k < w->n; k++) {
        w->u[k] = w->dq[k] - e->a[k];
        e->w1[k] = 2 * w->u[k] - w->drift[k];
    }
}

/* push += h^2 f, at the midpoint and with the velocity dq / h, so that its work is f . dq */
static void add_applied(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    const lv_point middle = {.q = w->point, .v = w->velocity, .t = lv_ggl_time(w, 0.5)};
    for (int k = 0; k < w->n; k++) {
        w->point[k] = w->from->q[k] + 0.5 * w->dq[k];
        w->velocity[k] = w->dq[k] / w->h;
    }
    lv_plan_run(e->applied, &middle);
    const double *applied = lv_plan_result(e->applied, LV_Q_APPLIED);
    for (int k = 0; k < w->n; k++)
        w->push[k] += w->h * w->h * applied[k];
}

/* Is S_gamma a above rounding? */
static bool feels_bend(const energy_momentum *e)
{
    const double rounding = 1e-18;
    const lv_ggl *w = &e->base;
    const double size = lv_extent(e->a, w->n);
    return size * size > rounding * lv_extent(w->q, w->n) * lv_extent(w->dq, w->n);
}

/* y += c T(x)^T z, T(x) the derivative of G x */
static void add_turn(energy_momentum *e, double c, const double *x, const double *z,
                     double *y)
{
    lv_ggl *w = &e->base;
    if (w->quadratic) {
        lv_quadratic_turn(w->quadratic, e->turned, NULL, x);
        lv_sparse_multiply_transposed(w->g, e->turned, c, z, y);
        return;
    }
    const lv_point at = {.q = w->q, .v = x, .t = lv_ggl_time(w, 0.5)};
    lv_plan_run(e->turn, &at);
    lv_sparse_multiply_transposed(e->turn_pattern, lv_plan_result(e->turn, LV_Q_RATE_Q),
                                  c, z, y);
}

/* F, where the first term is `force`. */
LV_HOT static void find_push(energy_momentum *e, const double *force)
{
    lv_ggl *w = &e->base;
    const double scale = w->h * w->h;
    for (int k = 0; k < w->n; k++)
        w->push[k] = scale * force[k];
    if (w->system->forced)
        add_applied(e);
    if (w->m == 0)
        return;
    lv_sparse_multiply_transposed(w->g, e->change, -1, w->gamma, w->push);
    /* gamma may begin at 0, so a pass can be the first to need it; none that follows leaves it out again. */
    if (w->newton.converge.count == 0)
        e->bends = false;
    e->bends = e->bends || feels_bend(e);
    if (e->bends) /* S_gamma a */
        add_turn(e, 1, e->a, w->gamma, w->push);
}

/* All but the residuals. */
LV_HOT static void evaluate_by(energy_momentum *e, lv_plan *plan)
{
    const lv_point pair = pair_point(e);
    evaluate_u(e);
    lv_plan_run(plan, &pair);
    find_push(e, lv_plan_result(plan, LV_Q_PAIR_FORCE));
}

static void look(lv_ggl *w)
{
    energy_momentum *e = (energy_momentum *)w;
    evaluate_by(e, e->pair);
}

LV_HOT static void evaluate(void *work)
{
    energy_momentum *e = work;
    lv_ggl *w = &e->base;
    const int n = w->n, m = w->m;
    double *rhs = w->newton.update;
    e->sloped = w->newton.converge.count == 0 && w->level != LV_GGL_CHEAP;
    evaluate_by(e, e->sloped ? e->slope : e->pair);
    lv_ggl_inertia(w, e->mass, 2, w->dq);
    for (int k = 0; k < n; k++)
        rhs[k] = 2 * w->h * w->p0[k] + w->push[k] - w->inertial[k];
    lv_sparse_multiply_transposed(w->g, e->gm, -1, w->lambda, rhs);
    for (int r = 0; r < m; r++) {
        rhs[n + r] = -w->gap[r];
        rhs[n + m + r] = 0;
    }
    lv_sparse_multiply(w->g, w->g1, -1, e->w1, rhs + n + m);
}

/* ---- the matrix -------------------------------------------------------------------------------------- */

/* Forces held, and what gamma adds to them: 2 M dq + G(z)^T dmu = r1, G1 dq = r2,
 * 2 G1 (dq - M^-1 G(z)^T dgamma) + (G1 - G0) dq = r3. */
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
    memset(w->moved, 0, (size_t)n * sizeof *w->moved);
    lv_schur_spread(w->schur, w->moved, 1, e->wgm, mu);
    for (int k = 0; k < n; k++)
        dq[k] -= w->moved[k];
    lv_sparse_multiply(w->g, e->change, -0.5, dq, gamma);
    lv_linear_solve(w->cheap, gamma);
    for (int r = 0; r < m; r++)
        mu[r] *= 2;
}

/* What gamma becomes when dq is known: 2 G1 M^-1 G(z)^T more = T(dq) w1. T(dq) stays in e->turned; without
 * it G1 - G0 = T(q1 - q0) stands for T(w1). */
LV_HOT static void find_more(energy_momentum *e, const double *dq)
{
    lv_ggl *w = &e->base;
    memset(e->more, 0, (size_t)w->m * sizeof *e->more);
    if (w->quadratic) {
        lv_quadratic_turn(w->quadratic, e->turned, NULL, dq);
        lv_sparse_multiply(w->g, e->turned, -0.5, e->w1, e->more);
    } else {
        lv_sparse_multiply(w->g, e->change, -0.5, dq, e->more);
    }
    lv_linear_solve(w->cheap, e->more);
}

/* The same with the potential's part of the forces, and with what gamma adds to them before dq is known:
 * (2 M - h^2 D V_q) dq + G(z)^T dmu = r1 - (G1 - G0)^T dgamma. */
LV_HOT static void sweep(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    double *dq = w->newton.update, *mu = dq + w->n, *gamma = mu + w->m;
    for (int r = 0; r < w->m; r++)
        gamma[r] = 0.5 * gamma[r] - mu[r];
    lv_linear_solve(w->cheap, gamma);
    lv_sparse_multiply_transposed(w->g, e->change, -1, gamma, dq);
    lv_condensed_solve(w->condensed, w->g1, dq, mu, w->moved);
    find_more(e, dq);
    for (int r = 0; r < w->m; r++)
        gamma[r] += e->more[r];
}

/* What a sweep has left of the first equation is dealt with by the next one: the turning of gradients by its
 * dq, and what gamma became. Returns how far that moves. */
LV_HOT static double sweep_again(energy_momentum *e, double *next)
{
    lv_ggl *w = &e->base;
    memset(next, 0, (size_t)(w->n + w->m) * sizeof *next);
    lv_sparse_multiply_transposed(w->g, e->turned, -0.5, e->y, next);
    lv_sparse_multiply_transposed(w->g, e->change, -1, e->more, next);
    lv_condensed_solve(w->condensed, w->g1, next, next + w->n, w->spread);
    for (int k = 0; k < w->n + w->m; k++)
        w->newton.update[k] += next[k];
    return lv_extent(next, w->n);
}

/* e->a becomes that of the corrected gamma; returns how far it moves. */
static double correct_a(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    memset(w->spread, 0, (size_t)w->n * sizeof *w->spread);
    lv_schur_spread(w->schur, w->spread, 1, e->wgm, w->newton.update + w->n + w->m);
    for (int k = 0; k < w->n; k++)
        e->a[k] += w->spread[k];
    return lv_extent(w->spread, w->n);
}

/* Is a single pass too little for S_gamma a? The matrix does without S_gamma and a, and leaves bend * |a| of a
 * correction; and the evaluation before it may have left out what can be felt now. */
static bool bends_too_much(energy_momentum *e, double whole, double first)
{
    const double rounding = 1e-16;
    lv_ggl *w = &e->base;
    const double moved = correct_a(e), size = lv_extent(e->a, w->n) + moved;
    const double rest = w->memory[LV_GGL_BEND] * size * (first + moved);
    return rest > rounding * whole || (!e->bends && feels_bend(e));
}

/* More sweeps make a small first correction as good as one by the whole matrix. Gamma follows at the end of the
 * step. */
static void solve_condensed(energy_momentum *e)
{
    const double unseen = 2e-18; /* adds up to rounding in many steps */
    lv_ggl *w = &e->base;
    sweep(e);
    const double whole = lv_extent(w->q, w->n), first = lv_extent(w->newton.update, w->n);
    const double limit = lv_ggl_squared(w);
    if (!e->sloped || !w->quadratic || w->system->forced || first > limit * whole ||
        bends_too_much(e, whole, first))
        return;
    const double second = sweep_again(e, e->second);
    bool exact = second * second <= unseen * whole * first;
    if (!exact) {
        find_more(e, e->second);
        const double third = sweep_again(e, e->third);
        exact = third * third <= unseen * whole * second;
    }
    w->newton.squared = exact ? limit : 0;
}

LV_HOT static void solve(void *work)
{
    energy_momentum *e = work;
    if (e->base.level == LV_GGL_CHEAP)
        solve_cheap(e);
    else if (e->base.level == LV_GGL_CONDENSED)
        solve_condensed(e);
    else
        lv_ggl_solve(e);
}

static void add_forces(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    const double h = w->h;
    lv_assembly_add(w->matrix, INERTIA, e->mass, 2);
    lv_assembly_add(w->matrix, STIFFNESS, lv_plan_result(e->slope, LV_Q_PAIR_FORCE_Q),
                    -h * h);
    if (!w->system->forced)
        return;
    lv_assembly_add(w->matrix, PUSH, lv_plan_result(e->applied, LV_Q_APPLIED_Q),
                    -0.5 * h * h);
    lv_assembly_add(w->matrix, DAMPING, lv_plan_result(e->applied, LV_Q_APPLIED_V), -h);
}

static bool factor_condensed(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    lv_condensed_put(w->condensed, 1, lv_plan_result(e->slope, LV_Q_PAIR_FORCE_Q),
                     -w->h * w->h);
    lv_condensed_add(w->condensed, 0, e->mass, 2);
    return lv_condensed_factor(w->condensed, e->gm, w->g1) &&
           lv_ggl_factor_cheap(w, -1, e->wgm);
}

LV_HOT static bool build(void *work)
{
    energy_momentum *e = work;
    lv_ggl *w = &e->base;
    const lv_ggl_level level = lv_ggl_choose_level(w);
    w->newton.squared = 0;
    if (level == LV_GGL_CHEAP)
        return lv_ggl_factor_cheap(w, -1, e->wgm);
    for (int r = 0; r < w->m; r++)
        e->y[r] = w->lambda[r] + 2 * w->gamma[r];
    const lv_point pair = pair_point(e);
    const lv_point end = {.q = w->q, .v = e->w1, .t = lv_ggl_time(w, 1)};
    if (!e->sloped)
        lv_plan_run(e->slope, &pair);
    if (level == LV_GGL_CONDENSED && factor_condensed(e))
        return true;
    w->level = LV_GGL_FULL;
    lv_plan_run(e->curve, &pair);
    lv_plan_run(e->turn, &end);
    lv_assembly_clear(w->matrix);
    add_forces(e);
    lv_assembly_add(w->matrix, CURVE, lv_plan_result(e->curve, LV_Q_PAIR_CURVATURE), 1);
    lv_assembly_add(w->matrix, R1_MU, e->gm, 1);
    lv_assembly_add(w->matrix, R1_TURN, e->change, 1);
    lv_assembly_add(w->matrix, R2_Q, w->g1, 1);
    lv_assembly_add(w->matrix, R3_Q, w->g1, 2);
    lv_assembly_add(w->matrix, R3_TURN, lv_plan_result(e->turn, LV_Q_RATE_Q), 1);
    lv_schur_add(w->schur, lv_linear_storage(lv_assembly_linear(w->matrix)),
                 lv_assembly_slots(w->matrix, R3_GAMMA), -2, w->g1, e->wgm);
    return lv_ggl_factor(w);
}

/* After one small correction forces of the potential are known to first order, gradients of the constraints
 * exactly. */
LV_HOT static bool settled(void *work)
{
    energy_momentum *e = work;
    lv_ggl *w = &e->base;
    if (!e->sloped || w->newton.squared == 0 || w->newton.iterations > 1)
        return lv_ggl_settled(w);
    const double *moved = w->newton.last;
    lv_ggl_turn_end(w, moved);
    compare_ends(e);
    find_push(e, lv_plan_result(e->slope, LV_Q_PAIR_FORCE));
    lv_sparse_multiply(lv_plan_pattern(e->slope, LV_Q_PAIR_FORCE_Q),
                       lv_plan_result(e->slope, LV_Q_PAIR_FORCE_Q), w->h * w->h, moved,
                       w->push);
    return true;
}

/* ---- the end of the step -------------------------------------------------------------------------------- */

/* Gamma once more, where the matrix knew only a part of its equation: that is G1 M^-1 p1 = 0, free from the
 * rounding of q1 if it is asked of p1 itself. */
static void polish(energy_momentum *e)
{
    lv_ggl *w = &e->base;
    memcpy(e->w1, w->momentum, (size_t)w->n * sizeof *e->w1);
    lv_mass_solve(w->mass, e->w1);
    for (int k = 0; k < w->n; k++)
        e->w1[k] += w->drift[k];
    memset(e->more, 0, (size_t)w->m * sizeof *e->more);
    lv_sparse_multiply(w->g, w->g1, 1, e->w1, e->more);
    lv_linear_solve(w->cheap, e->more);
    lv_sparse_multiply_transposed(w->g, w->g1, 1, e->more, w->momentum);
    for (int r = 0; r < w->m; r++)
        w->gamma[r] -= 0.5 * e->more[r];
}

/* h p1 - h p0 = F - G(z)^T (mu + 2 gamma), a sum of forces as in the variational schemes. */
LV_HOT static void arrive(lv_ggl *w)
{
    energy_momentum *e = (energy_momentum *)w;
    for (int r = 0; r < w->m; r++)
        e->y[r] = w->lambda[r] + 2 * w->gamma[r];
    memcpy(w->momentum, w->push, (size_t)w->n * sizeof *w->momentum);
    lv_sparse_multiply_transposed(w->g, e->gm, -1, e->y, w->momentum);
    if (w->level != LV_GGL_FULL && w->m > 0)
        polish(e);
}

static lv_status diagnose(lv_ggl *w, lv_error *err)
{
    energy_momentum *e = (energy_momentum *)w;
    const lv_point pair = pair_point(e);
    const lv_point middle = {.q = w->point, .v = w->velocity, .t = lv_ggl_time(w, 0.5)};
    LV_TRY(lv_plan_diagnose(e->pair, &pair, err));
    return lv_plan_diagnose(e->applied, &middle, err);
}

const lv_ggl_methods lv_ggl_em_plain = {.size = sizeof(energy_momentum),
                                        .equations = {.begin = lv_ggl_begin,
                                                      .evaluate = evaluate,
                                                      .build = build,
                                                      .solve = solve,
                                                      .measure = lv_ggl_measure,
                                                      .move = lv_ggl_move,
                                                      .settled = settled},
                                        .prepare = prepare,
                                        .done = done,
                                        .look = look,
                                        .arrive = arrive,
                                        .diagnose = diagnose};
