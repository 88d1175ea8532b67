/* The variational family of the GGL principle (Kinon, Betsch, Schneider 2023; theory 6.2). With
 * Q = (1 - theta) q0 + theta q1 and u = dq - a, M(Q) a = G(Q)^T gamma:
 *
 *   M(Q) u - h p0 - (1 - theta) F + C1^T lambda = 0,   G(Q) u + h g_t(Q) = 0
 *   option A: C1 = (1 - theta) G(Q), C2 = theta G(Q), g(Q) = 0
 *   option B: C1 = (1 - kappa) G(q0), C2 = kappa G(q1), g(q1) = 0
 *   h p1 = M(Q) u + theta F - C2^T lambda
 *   F = h^2 (L_q + f)(Q, u/h) - S_gamma(Q) u - h g_tq^T gamma + (a . M(Q) u)_Q
 *
 * Symplectic (on vectors tangent to the constraints for B), momentum maps exact, energy bounded.
 *
 * Unknowns are q1, lambda, gamma. For theta = 1/2 and constraints at most quadratic that do not move,
 * G(Q) dq = g(q1) - g(q0) = 0: gamma vanishes and is left out. The Newton matrix leaves out third
 * derivatives of g and products with a or S_gamma, which are of second order in h. */
#include "scheme/ggl.h"

#include "base/inline.h"
#include "system/sparse.h"

#include <string.h>

/* Blocks of the Newton matrix: rows R1 (n), R2 (m), R3 (m); columns q, lambda, gamma. */
enum {
    MASS,
    MASS_Q, /* by the point where the mass is taken */
    STIFFNESS,
    DAMPING,
    R1_LAMBDA,
    R2_Q,
    CURVE, /* S_lambda and S_gamma, one pattern; from here on not without gamma */
    R1_GAMMA,
    R1_TURN,
    R3_Q,
    R3_TURN,
    R3_GAMMA, /* G M^-1 G^T; or, with s = M^-1 G^T gamma as one more unknown, */
    R3_S = R3_GAMMA,
    S_GAMMA,
    S_S,
    BLOCKS
};

typedef struct variational {
    lv_ggl base;
    bool light;       /* without gamma */
    double symmetric; /* option A: factor of R2 and R3 that makes the matrix so; else 0 */
    lv_plan *middle;  /* constraint and Jacobian at Q; NULL where neither is needed */
    lv_plan *force;   /* FORCE, RATE_Q and what the mass adds, at Q and u/h */
    lv_plan *slope;   /* derivatives of the force; without gamma also the force */
    bool sloped;      /* the last evaluation was by `slope` */
    lv_plan *curve;   /* S_y at Q */
    const lv_pattern *turn, *mass_q;
    const double *gq, *mass; /* at Q, where the last evaluation was */
    const double *wq;        /* G(Q) M(Q)^-1 */
    double *weighed;         /* room for that */
    double *a, *y;
    double *
        first; /* residual of the first equation, where the last evaluation was by `slope` */
    double *both; /* C1 + C2 */
} variational;

/* ---- creation --------------------------------------------------------------------------------- */

static lv_status make_plans(variational *v, lv_error *err)
{
    lv_ggl *w = &v->base;
    const lv_model *model = w->system->model;
    lv_wanted middle = LV_WANT(CONSTRAINT) | LV_WANT(CONSTRAINT_T) | LV_WANT(JACOBIAN);
    lv_wanted force = LV_WANT(FORCE);
    lv_wanted derivatives = LV_WANT(FORCE_Q) | LV_WANT(FORCE_V);
    if (!v->light)
        force |= LV_WANT(RATE_Q);
    if (w->varying)
        *(v->light ? &derivatives : &force) |= LV_WANT(MOMENTUM_Q);
    if (v->light)
        derivatives |= force;
    else
        LV_TRY(lv_plan_create(&v->middle, model, middle, err));
    LV_TRY(lv_plan_create(&v->force, model, force, err));
    LV_TRY(lv_plan_create(&v->curve, model, LV_WANT(CURVATURE), err));
    LV_TRY(lv_plan_create(&v->slope, model, derivatives, err));
    w->by_velocity = !v->light || w->varying || w->system->forced;
    v->turn = lv_plan_pattern(v->force, LV_Q_RATE_Q);
    v->mass_q = w->varying
                    ? lv_plan_pattern(v->light ? v->slope : v->force, LV_Q_MOMENTUM_Q)
                    : w->mass_pattern;
    return LV_OK;
}

/* Option A is the stationary point of a function of Q, lambda - gamma/(theta (1 - theta)) and gamma, where
 * forces have a potential: with these unknowns, and R2 and R3 times (1 - theta)/theta, its matrix is
 * symmetric. */
static double symmetric_factor(const lv_ggl *w)
{
    const double theta = w->member.theta;
    bool symmetric = !w->member.ends && !w->varying && !w->system->forced && theta > 0;
    return symmetric ? (1 - theta) / theta : 0;
}

static lv_status make_matrix(variational *v, lv_error *err)
{
    lv_ggl *w = &v->base;
    const lv_range_of q = {0, 1}, lambda = {w->n, 1}, gamma = {w->n + w->m, 1};
    lv_assembly *a = w->matrix = lv_assembly_create(w->newton.size, BLOCKS);
    if (!a)
        return lv_fail_memory(err);
    if (v->symmetric > 0)
        lv_assembly_symmetric(a);
    lv_assembly_block(a, w->mass_pattern, q, q, false);
    lv_assembly_block(a, v->mass_q, q, q, false);
    lv_assembly_block(a, lv_plan_pattern(v->slope, LV_Q_FORCE_Q), q, q, false);
    lv_assembly_block(a, lv_plan_pattern(v->slope, LV_Q_FORCE_V), q, q, false);
    lv_assembly_block(a, w->g, q, lambda, true);
    lv_assembly_block(a, w->g, lambda, q, false);
    if (v->light)
        return lv_assembly_finish(a, err);
    lv_assembly_block(a, lv_plan_pattern(v->curve, LV_Q_CURVATURE), q, q, false);
    lv_assembly_block(a, w->g, q, gamma, true);
    lv_assembly_block(a, v->turn, q, gamma, true);
    lv_assembly_block(a, w->g, gamma, q, false);
    lv_assembly_block(a, v->turn, gamma, q, false);
    if (w->schur) {
        lv_assembly_block(a, lv_schur_pattern(w->schur), gamma, gamma, false);
    } else {
        const lv_range_of s = {w->n + 2 * w->m, 1};
        lv_assembly_block(a, w->g, gamma, s, false);
        lv_assembly_block(a, w->g, s, gamma, true);
        lv_assembly_block(a, w->mass_pattern, s, s, false);
    }
    return lv_assembly_finish(a, err);
}

static lv_status prepare(lv_ggl *w, lv_error *err)
{
    variational *v = (variational *)w;
    const int entries = lv_pattern_entries(w->g);
    double **const blocks[] = {&v->weighed, &v->a, &v->y, &v->first, &v->both};
    const int sizes[] = {w->schur ? lv_schur_weighted_size(w->schur) : 0, w->n, w->m,
                         w->n, entries};
    v->light = w->member.ends && w->member.theta == 0.5 && !w->system->rheonomic &&
               w->system->constraint_degree <= 2;
    v->symmetric = symmetric_factor(w);
    w->gammas = v->light ? 0 : w->m;
    w->newton.size = w->n + w->m + w->gammas + (v->light || w->schur ? 0 : w->n);
    LV_TRY(make_plans(v, err));
    LV_TRY(lv_ggl_room(w, blocks, sizes, sizeof sizes / sizeof *sizes, err));
    if (v->light)
        w->u = w->dq;
    if (v->light)
        LV_TRY(lv_ggl_make_cheap(w, lv_plan_pattern(v->slope, LV_Q_FORCE_Q), err));
    return make_matrix(v, err);
}

static void done(lv_ggl *w)
{
    variational *v = (variational *)w;
    lv_plan_free(v->middle);
    lv_plan_free(v->force);
    lv_plan_free(v->curve);
    lv_plan_free(v->slope);
}

/* ---- the equations -------------------------------------------------------------------------------- */

static lv_point point_of(const variational *v)
{
    const lv_ggl *w = &v->base;
    return (lv_point){
        .q = w->point, .v = w->velocity, .y = v->y, .t = lv_ggl_time(w, w->member.theta)};
}

/* dq; without gamma that is u. */
static void find_dq(lv_ggl *w)
{
    const double *q0 = w->from->q, *q = w->q;
    double *restrict dq = w->dq;
    for (int k = 0; k < w->n; k++)
        dq[k] = q[k] - q0[k];
}

/* u = dq - a */
static void find_u(variational *v)
{
    lv_ggl *w = &v->base;
    const lv_point at = point_of(v);
    lv_plan_run(v->middle, &at);
    v->gq = lv_plan_result(v->middle, LV_Q_JACOBIAN);
    if (w->varying)
        (void)lv_mass_factor(w->mass, v->mass); /* where it fails u is not finite */
    v->wq = lv_ggl_weigh(w, v->weighed, v->gq);
    memset(v->a, 0, (size_t)w->n * sizeof *v->a);
    lv_ggl_spread(w, v->a, v->wq, w->gamma);
    for (int k = 0; k < w->n; k++)
        w->u[k] = w->dq[k] - v->a[k];
}

/* Q, mass and constraints there, and u. */
LV_HOT static void evaluate_u(variational *v)
{
    lv_ggl *w = &v->base;
    find_dq(w);
    const double *q0 = w->from->q, *dq = w->dq, theta = w->member.theta;
    double *restrict point = w->point;
    for (int k = 0; k < w->n; k++)
        point[k] = q0[k] + theta * dq[k];
    v->mass = lv_ggl_mass(w, w->point, lv_ggl_time(w, w->member.theta));
    if (!v->light)
        find_u(v);
    const double inverse = 1 / w->h;
    for (int k = 0; k < w->n && w->by_velocity; k++)
        w->velocity[k] = inverse * w->u[k];
}

/* F, in w->push */
LV_HOT static void evaluate_force(variational *v)
{
    lv_ggl *w = &v->base;
    const lv_point at = point_of(v);
    const double h = w->h;
    lv_plan *plan = v->sloped ? v->slope : v->force;
    lv_plan_run(plan, &at);
    const double *force = lv_plan_result(plan, LV_Q_FORCE);
    for (int k = 0; k < w->n; k++)
        w->push[k] = h * h * force[k];
    if (v->light)
        return;
    lv_sparse_multiply_transposed(v->turn, lv_plan_result(v->force, LV_Q_RATE_Q), -h,
                                  w->gamma, w->push);
    if (w->varying)
        lv_sparse_multiply_transposed(
            v->mass_q, lv_plan_result(v->force, LV_Q_MOMENTUM_Q), h, v->a, w->push);
}

static void evaluate_constraints(variational *v)
{
    lv_ggl *w = &v->base;
    const int n = w->n, m = w->m;
    double *rhs = w->newton.update;
    const double *g =
        w->member.ends ? w->gap : lv_plan_result(v->middle, LV_Q_CONSTRAINT);
    for (int r = 0; r < m; r++)
        rhs[n + r] = -g[r];
    if (v->light)
        return;
    const double *moving = lv_plan_result(v->middle, LV_Q_CONSTRAINT_T);
    for (int r = 0; r < m; r++)
        rhs[n + m + r] = -w->h * moving[r];
    lv_sparse_multiply(w->g, v->gq, -1, w->u, rhs + n + m);
    for (int k = n + 2 * m; k < w->newton.size; k++)
        rhs[k] = 0;
}

/* The part of the constraint force in the first equation, and its Jacobian. */
static double first_part(const variational *v, const double **g)
{
    const lv_ggl_member *k = &v->base.member;
    *g = k->ends ? v->base.g0 : v->gq;
    return k->ends ? 1 - k->kappa : 1 - k->theta;
}

static void look(lv_ggl *w)
{
    variational *v = (variational *)w;
    v->sloped = false;
    evaluate_u(v);
    evaluate_force(v);
    lv_ggl_evaluate_end(w, w->q);
}

LV_HOT static void evaluate(void *work)
{
    variational *v = work;
    lv_ggl *w = &v->base;
    double *restrict rhs = w->newton.update;
    const double *g;
    v->sloped = v->light && w->newton.converge.count == 0 && w->level != LV_GGL_CHEAP;
    evaluate_u(v);
    evaluate_force(v);
    lv_ggl_evaluate_end(w, w->q);
    const double share = 1 - w->member.theta;
    lv_ggl_inertia(w, v->mass, 1, w->u);
    const double *p0 = w->p0, *push = w->push, *inertial = w->inertial, h = w->h;
    for (int k = 0; k < w->n; k++)
        rhs[k] = h * p0[k] + share * push[k] - inertial[k];
    const double part = first_part(v, &g);
    lv_sparse_multiply_transposed(w->g, g, -part, w->lambda, rhs);
    if (v->sloped)
        memcpy(v->first, rhs, (size_t)w->n * sizeof *rhs);
    evaluate_constraints(v);
}

/* ---- the matrix -------------------------------------------------------------------------------------- */

static void add_curve(variational *v)
{
    lv_ggl *w = &v->base;
    const double theta = w->member.theta;
    const double by_lambda = w->member.ends ? 0 : theta * (1 - theta);
    for (int r = 0; r < w->m; r++)
        v->y[r] = by_lambda * w->lambda[r] + (1 - 2 * theta) * w->gamma[r];
    const lv_point at = point_of(v);
    lv_plan_run(v->curve, &at);
    lv_assembly_add(w->matrix, CURVE, lv_plan_result(v->curve, LV_Q_CURVATURE), 1);
}

/* Of R2 and R3. */
static double row_factor(const variational *v)
{
    return v->symmetric > 0 ? v->symmetric : 1;
}

static void add_gamma(variational *v)
{
    lv_ggl *w = &v->base;
    const double theta = w->member.theta, h = w->h;
    const double *turn = lv_plan_result(v->force, LV_Q_RATE_Q);
    const double factor = row_factor(v);
    lv_assembly_add(w->matrix, R1_GAMMA, v->gq, v->symmetric > 0 ? v->symmetric : -1);
    lv_assembly_add(w->matrix, R1_TURN, turn, (1 - theta) * h);
    lv_assembly_add(w->matrix, R3_Q, v->gq, factor);
    lv_assembly_add(w->matrix, R3_TURN, turn, factor * theta * h);
    if (w->schur) {
        lv_schur_add(w->schur, lv_linear_storage(lv_assembly_linear(w->matrix)),
                     lv_assembly_slots(w->matrix, R3_GAMMA), -factor, v->gq, v->wq);
        return;
    }
    lv_assembly_add(w->matrix, R3_S, v->gq, -factor);
    lv_assembly_add(w->matrix, S_GAMMA, v->gq, -factor);
    lv_assembly_add(w->matrix, S_S, v->mass, factor);
}

/* Without gamma, forces held: M dq + C1^T dlambda = r1, G(q1) dq = r2. */
static void solve_cheap(variational *v)
{
    lv_ggl *w = &v->base;
    double *dq = w->newton.update, *lambda = dq + w->n;
    const double part = 1 - w->member.kappa;
    lv_mass_solve(w->mass, dq);
    lv_sparse_multiply(w->g, w->g1, -1, dq, lambda);
    lv_linear_solve(w->cheap, lambda);
    memset(w->moved, 0, (size_t)w->n * sizeof *w->moved);
    lv_schur_spread(w->schur, w->moved, part, w->w0, lambda);
    for (int k = 0; k < w->n; k++)
        dq[k] -= w->moved[k];
}

static void solve_condensed(variational *v)
{
    lv_ggl *w = &v->base;
    double *dq = w->newton.update, *lambda = dq + w->n;
    const double inverse = 1 / (1 - w->member.kappa);
    lv_condensed_solve(w->condensed, w->g1, dq, lambda, w->moved);
    for (int r = 0; r < w->m; r++)
        lambda[r] *= inverse;
}

/* With lambda - gamma/(theta (1 - theta)) in place of lambda. */
static void solve_symmetric(variational *v)
{
    lv_ggl *w = &v->base;
    const double theta = w->member.theta, share = 1 / (theta * (1 - theta));
    double *lambda = w->newton.update + w->n, *gamma = lambda + w->m;
    for (int r = 0; r < 2 * w->m; r++)
        lambda[r] *= v->symmetric; /* gamma is behind it */
    lv_ggl_solve(v);
    for (int r = 0; r < w->m; r++)
        lambda[r] += share * gamma[r];
}

LV_HOT static void solve(void *work)
{
    variational *v = work;
    if (v->base.level == LV_GGL_CHEAP)
        solve_cheap(v);
    else if (v->base.level == LV_GGL_CONDENSED)
        solve_condensed(v);
    else if (v->symmetric > 0)
        solve_symmetric(v);
    else
        lv_ggl_solve(v);
}

/* Masses and stiffness; without gamma. */
static bool factor_condensed(variational *v)
{
    lv_ggl *w = &v->base;
    const double theta = w->member.theta;
    lv_condensed_put(w->condensed, 1, lv_plan_result(v->slope, LV_Q_FORCE_Q),
                     -(1 - theta) * theta * w->h * w->h);
    lv_condensed_add(w->condensed, 0, v->mass, 1);
    return lv_condensed_factor(w->condensed, w->g0, w->g1);
}

/* Condensed matrices know nothing of velocities. */
static bool is_derivative(const variational *v, lv_ggl_level level)
{
    return v->light &&
           (level == LV_GGL_FULL || (level == LV_GGL_CONDENSED && !v->base.by_velocity));
}

LV_HOT static bool build(void *work)
{
    variational *v = work;
    lv_ggl *w = &v->base;
    const double theta = w->member.theta, h = w->h, *g;
    const lv_ggl_level level = lv_ggl_choose_level(w);
    w->newton.squared = is_derivative(v, level) ? lv_ggl_squared(w) : 0;
    if (level == LV_GGL_CHEAP)
        return lv_ggl_factor_cheap(w, -(1 - w->member.kappa), w->w0);
    const lv_point at = point_of(v);
    if (!v->sloped)
        lv_plan_run(v->slope, &at);
    if (level == LV_GGL_CONDENSED && factor_condensed(v))
        return true;
    w->level = LV_GGL_FULL;
    const double part = first_part(v, &g);
    lv_assembly_clear(w->matrix);
    lv_assembly_add(w->matrix, MASS, v->mass, 1);
    if (w->varying)
        lv_assembly_add(w->matrix, MASS_Q,
                        lv_plan_result(v->light ? v->slope : v->force, LV_Q_MOMENTUM_Q),
                        theta * h);
    lv_assembly_add(w->matrix, STIFFNESS, lv_plan_result(v->slope, LV_Q_FORCE_Q),
                    -(1 - theta) * theta * h * h);
    lv_assembly_add(w->matrix, DAMPING, lv_plan_result(v->slope, LV_Q_FORCE_V),
                    -(1 - theta) * h);
    lv_assembly_add(w->matrix, R1_LAMBDA, g, part);
    lv_assembly_add(w->matrix, R2_Q, w->member.ends ? w->g1 : v->gq,
                    w->member.ends ? 1 : row_factor(v) * theta);
    if (!v->light) {
        add_curve(v);
        add_gamma(v);
    }
    return lv_ggl_factor(w);
}

/* After one small correction by the exact matrix the first equation holds: that gives the change of F, and
 * without the rounding of q1. */
LV_HOT static bool settled(void *work)
{
    variational *v = work;
    lv_ggl *w = &v->base;
    if (!v->sloped || w->newton.squared == 0 || w->newton.iterations > 1 ||
        w->by_velocity || !w->quadratic)
        return lv_ggl_settled(w);
    const double *g, part = first_part(v, &g), *moved = w->newton.last;
    const double factor = 1 / (1 - w->member.theta);
    find_dq(w);
    lv_ggl_turn_end(w, moved);
    lv_ggl_inertia(w, v->mass, 1, moved);
    for (int k = 0; k < w->n; k++)
        w->push[k] += factor * (w->inertial[k] - v->first[k]);
    lv_sparse_multiply_transposed(w->g, g, factor * part, moved + w->n, w->push);
    return true;
}

/* ---- the end of the step -------------------------------------------------------------------------------- */

/* h p1 - h p0 = F - (C1 + C2)^T lambda, the sum of both equations: M u would carry the rounding of q1,
 * which division by h enlarges, while a sum of forces keeps the momentum maps. */
LV_HOT static void arrive(lv_ggl *w)
{
    const variational *v = (const variational *)w;
    const lv_ggl_member *k = &w->member;
    const double *g, part = first_part(v, &g);
    const double *other = k->ends ? w->g1 : v->gq, rest = k->ends ? k->kappa : k->theta;
    const int entries = lv_pattern_entries(w->g);
    for (int e = 0; e < entries; e++)
        v->both[e] = part * g[e] + rest * other[e];
    memcpy(w->momentum, w->push, (size_t)w->n * sizeof *w->momentum);
    lv_sparse_multiply_transposed(w->g, v->both, -1, w->lambda, w->momentum);
}

static lv_status diagnose(lv_ggl *w, lv_error *err)
{
    variational *v = (variational *)w;
    const lv_point at = point_of(v);
    return lv_plan_diagnose(v->force, &at, err);
}

const lv_ggl_methods lv_ggl_variational = {.size = sizeof(variational),
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
