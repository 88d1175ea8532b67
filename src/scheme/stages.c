/* Stage equations in general form (theory 4):
 *
 *   Q_i = q + h sum_j a_ij V_j,  P_i = p + h sum_j ah_ij W_j,  W_j = L_q + f + G_j^T mu_j
 *   h (L_v(Q_i, V_i) - P_i) = 0,  i = 1..s;     g(Q_i) = 0,  i = 2..s
 *
 * Newton's method in the scaled unknowns u_i = h V_i, y_i = h^2 mu_i. With M, K, D, C, G the
 * derivatives L_vv, W_q, W_v, L_vq, g_q at the stages its matrix is
 *
 *   d r_i / d u_l = delta_il M_i + h a_il C_i - h^2 sum_j ah_ij a_jl K_j - h ah_il D_l
 *   d r_i / d y_j = -ah_ij G_j^T,   d g_i / d u_l = a_il G_i
 *
 * whose entries do not grow as h shrinks. It is built once a step at the predicted stages, and
 * again if convergence is slow. mu_s enters only p at the end: a projection. */
#include "scheme/stages.h"

#include "base/memory.h"
#include "expr/analyse.h"
#include "num/extent.h"
#include "solve/converge.h"
#include "system/assembly.h"
#include "system/sparse.h"

#include <math.h>
#include <string.h>

/* A matrix quantity at the stages, and its blocks of the Newton matrix. */
typedef struct piece {
    lv_quantity quantity;
    const lv_pattern *pattern;
    double *values; /* [stage][entry] */
    int block;      /* number of block (0, 0); (i, l) is s * i + l further */
} piece;

enum { MASS, COUPLING, FORCE_Q, FORCE_V, CURVATURE, PIECES };

struct lv_stages {
    lv_system *system;
    const lv_tableau *tableau;
    lv_arena arena;
    lv_plan *residual;   /* momentum, force, constraint, Jacobian */
    lv_plan *derivative; /* the matrices */
    lv_assembly *matrix;
    piece pieces[PIECES];
    const lv_pattern *g;
    int column_block; /* -ah_ij G_j^T: first of [i][j] */
    int row_block;    /* a_il G_i: first of [i][l] */
    int n, m, s,
        k;    /* k = s - 1 if there are constraints, the stages that have multipliers */
    int size; /* of the system */
    double *u, *y;                        /* unknowns: [stage][n], [stage][m] */
    double *q;                            /* stage positions */
    double *momentum, *force, *gap, *jac; /* [stage] results of the residual plan */
    double *rhs, *multiplier, *p, *v, *work;
    double *memory;    /* carried: whether valid, last h, u, y */
    double *predictor; /* of velocities, s x s */
    double *forecast;  /* of multipliers, k x k */
    double predictor_theta;
};

enum { CARRIED = 2 };

/* ---- creation ---------------------------------------------------------------------------------- */

static int unknown_u(const lv_stages *w, int stage, int i)
{
    return i * w->s + stage;
}

static int unknown_y(const lv_stages *w, int stage, int r)
{
    return w->n * w->s + r * w->k + stage;
}

/* Velocities of stage i, multipliers of stage i, among the unknowns: numbered by coordinate or
 * constraint first, so that chains stay narrow. */
static lv_range_of range_u(const lv_stages *w, int i)
{
    return (lv_range_of){i, w->s};
}

static lv_range_of range_y(const lv_stages *w, int i)
{
    return (lv_range_of){w->n * w->s + i, w->k};
}

static lv_status make_matrix(lv_stages *w, lv_error *err)
{
    int s = w->s, k = w->k;
    w->matrix = lv_assembly_create(w->size, PIECES * s * s + 2 * s * k);
    if (!w->matrix)
        return lv_fail_memory(err);
    for (int p = 0; p < PIECES; p++) {
        w->pieces[p].block = p * s * s;
        for (int i = 0; i < s; i++)
            for (int l = 0; l < s; l++)
                lv_assembly_block(w->matrix, w->pieces[p].pattern, range_u(w, i),
                                  range_u(w, l), false);
    }
    w->column_block = PIECES * s * s;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < k; j++)
            lv_assembly_block(w->matrix, w->g, range_u(w, i), range_y(w, j), true);
    w->row_block = w->column_block + s * k;
    for (int i = 0; i < k; i++)
        for (int l = 0; l < s; l++)
            lv_assembly_block(w->matrix, w->g, range_y(w, i), range_u(w, l), false);
    return lv_assembly_finish(w->matrix, err);
}

static double *room(lv_stages *w, int count)
{
    return lv_arena_alloc(&w->arena, (size_t)count + 1, sizeof(double));
}

static lv_status make_room(lv_stages *w, lv_error *err)
{
    int s = w->s, n = w->n, m = w->m, entries = lv_pattern_entries(w->g);
    double **blocks[] = {&w->u,          &w->q,         &w->momentum, &w->force,
                         &w->y,          &w->gap,       &w->jac,      &w->rhs,
                         &w->p,          &w->v,         &w->work,     &w->memory,
                         &w->multiplier, &w->predictor, &w->forecast};
    int sizes[] = {s * n, s * n, s * n,         s * n,
                   s * m, s * m, s * entries,   w->size,
                   n,     n,     2 * n + 2 * m, CARRIED + s * n + s * m,
                   m,     s * s, s * s};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        *blocks[k] = room(w, sizes[k]);
        if (!*blocks[k])
            return lv_fail_memory(err);
    }
    for (int k = 0; k < PIECES; k++) {
        w->pieces[k].values = room(w, s * lv_pattern_entries(w->pieces[k].pattern));
        if (!w->pieces[k].values)
            return lv_fail_memory(err);
    }
    return LV_OK;
}

static lv_status fill(lv_stages *w, lv_error *err)
{
    static const lv_quantity quantities[PIECES] = {
        LV_Q_MASS, LV_Q_MOMENTUM_Q, LV_Q_FORCE_Q, LV_Q_FORCE_V, LV_Q_CURVATURE};
    const lv_model *model = w->system->model;
    w->n = w->system->n;
    w->m = w->system->m;
    w->s = w->tableau->stages;
    w->k = w->m > 0 ? w->s - 1 : 0;
    w->size = w->s * w->n + w->k * w->m;
    LV_TRY(lv_plan_create(&w->residual, model,
                          LV_WANT(MOMENTUM) | LV_WANT(FORCE) | LV_WANT(CONSTRAINT) |
                              LV_WANT(JACOBIAN),
                          err));
    LV_TRY(lv_plan_create(&w->derivative, model,
                          LV_WANT(MASS) | LV_WANT(MOMENTUM_Q) | LV_WANT(FORCE_Q) |
                              LV_WANT(FORCE_V) | LV_WANT(CURVATURE),
                          err));
    w->g = lv_plan_pattern(w->residual, LV_Q_JACOBIAN);
    for (int k = 0; k < PIECES; k++) {
        w->pieces[k].quantity = quantities[k];
        w->pieces[k].pattern = lv_plan_pattern(w->derivative, quantities[k]);
    }
    LV_TRY(make_room(w, err));
    return make_matrix(w, err);
}

lv_status lv_stages_create(lv_stages **result, lv_system *system,
                           const lv_tableau *tableau, lv_error *err)
{
    *result = NULL;
    lv_stages *w = lv_memory_zeroed(1, sizeof *w);
    if (!w)
        return lv_fail_memory(err);
    w->system = system;
    w->tableau = tableau;
    lv_status status = fill(w, err);
    if (status == LV_OK)
        *result = w;
    else
        lv_stages_free(w);
    return status;
}

void lv_stages_free(lv_stages *w)
{
    if (!w)
        return;
    lv_plan_free(w->residual);
    lv_plan_free(w->derivative);
    lv_assembly_free(w->matrix);
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}

lv_memory_view lv_stages_memory(lv_stages *w)
{
    return (lv_memory_view){w->memory, CARRIED + w->s * (w->n + w->m)};
}

void lv_stages_forget(lv_stages *w)
{
    w->memory[0] = 0;
}

/* ---- the equations ---------------------------------------------------------------------------------- */

static double *at(double *block, int stage, int width)
{
    return block + (size_t)stage * (size_t)width;
}

static double stage_time(const lv_stages *w, const lv_state *state, double h, int i)
{
    return state->t + w->tableau->c[i] * h;
}

/* Q_i = q + sum_j a_ij u_j for all stages. */
static void stage_positions(lv_stages *w, const lv_state *state)
{
    const double *a = w->tableau->a;
    for (int i = 0; i < w->s; i++) {
        double *q = at(w->q, i, w->n);
        memcpy(q, state->q, (size_t)w->n * sizeof *q);
        for (int j = 0; j < w->s; j++) {
            double c = a[i * w->s + j];
            const double *u = at(w->u, j, w->n);
            for (int k = 0; c != 0 && k < w->n; k++)
                q[k] += c * u[k];
        }
    }
}

/* The velocity of a stage, in w->v. */
static const double *stage_velocity(lv_stages *w, int i, double h)
{
    const double *u = at(w->u, i, w->n);
    for (int k = 0; k < w->n; k++)
        w->v[k] = u[k] / h;
    return w->v;
}

/* Momentum, force (with constraint forces), constraints and Jacobians of all stages. */
static void evaluate(lv_stages *w, const lv_state *state, double h)
{
    int entries = lv_pattern_entries(w->g);
    for (int i = 0; i < w->s; i++) {
        const lv_point point = {.q = at(w->q, i, w->n),
                                .v = stage_velocity(w, i, h),
                                .t = stage_time(w, state, h, i)};
        lv_plan_run(w->residual, &point);
        size_t n = (size_t)w->n * sizeof(double);
        memcpy(at(w->momentum, i, w->n), lv_plan_result(w->residual, LV_Q_MOMENTUM), n);
        memcpy(at(w->force, i, w->n), lv_plan_result(w->residual, LV_Q_FORCE), n);
        memcpy(at(w->gap, i, w->m), lv_plan_result(w->residual, LV_Q_CONSTRAINT),
               (size_t)w->m * sizeof(double));
        memcpy(at(w->jac, i, entries), lv_plan_result(w->residual, LV_Q_JACOBIAN),
               (size_t)entries * sizeof(double));
        if (i < w->k)
            lv_sparse_multiply_transposed(w->g, at(w->jac, i, entries), 1 / (h * h),
                                          at(w->y, i, w->m), at(w->force, i, w->n));
    }
}

/* rhs = -(residuals), in the numbering of the unknowns. */
static void residuals(lv_stages *w, const lv_state *state, double h)
{
    const double *ah = w->tableau->ah;
    for (int i = 0; i < w->s; i++) {
        const double *momentum = at(w->momentum, i, w->n);
        for (int k = 0; k < w->n; k++) {
            double p = state->p[k];
            for (int j = 0; j < w->s; j++)
                p += h * ah[i * w->s + j] * w->force[j * w->n + k];
            w->rhs[unknown_u(w, i, k)] = h * (p - momentum[k]);
        }
    }
    for (int i = 0; i < w->k; i++)
        for (int r = 0; r < w->m; r++)
            w->rhs[unknown_y(w, i, r)] = -w->gap[(i + 1) * w->m + r];
}

/* ---- the matrix ---------------------------------------------------------------------------------------- */

static void evaluate_derivatives(lv_stages *w, const lv_state *state, double h)
{
    for (int i = 0; i < w->s; i++) {
        for (int r = 0; r < w->m; r++)
            w->multiplier[r] = i < w->k ? w->y[i * w->m + r] / (h * h) : 0;
        const lv_point point = {.q = at(w->q, i, w->n),
                                .v = stage_velocity(w, i, h),
                                .t = stage_time(w, state, h, i),
                                .y = w->multiplier};
        lv_plan_run(w->derivative, &point);
        for (int k = 0; k < PIECES; k++) {
            int entries = lv_pattern_entries(w->pieces[k].pattern);
            memcpy(at(w->pieces[k].values, i, entries),
                   lv_plan_result(w->derivative, w->pieces[k].quantity),
                   (size_t)entries * sizeof(double));
        }
    }
}

/* Adds c times the piece at stage j to block (i, l). */
static void add_piece(lv_stages *w, int k, int j, int i, int l, double c)
{
    const piece *p = &w->pieces[k];
    int entries = lv_pattern_entries(p->pattern);
    lv_assembly_add(w->matrix, p->block + i * w->s + l, at(p->values, j, entries), c);
}

static void add_constraints(lv_stages *w)
{
    int entries = lv_pattern_entries(w->g), s = w->s;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < w->k; j++)
            lv_assembly_add(w->matrix, w->column_block + i * w->k + j,
                            at(w->jac, j, entries), -w->tableau->ah[i * s + j]);
    for (int i = 0; i < w->k; i++)
        for (int l = 0; l < s; l++)
            lv_assembly_add(w->matrix, w->row_block + i * s + l,
                            at(w->jac, i + 1, entries), w->tableau->a[(i + 1) * s + l]);
}

static bool build_matrix(lv_stages *w, const lv_state *state, double h)
{
    const double *a = w->tableau->a, *ah = w->tableau->ah;
    int s = w->s;
    evaluate_derivatives(w, state, h);
    lv_assembly_clear(w->matrix);
    for (int i = 0; i < s; i++) {
        add_piece(w, MASS, i, i, i, 1);
        for (int l = 0; l < s; l++) {
            add_piece(w, COUPLING, i, i, l, h * a[i * s + l]);
            add_piece(w, FORCE_V, l, i, l, -h * ah[i * s + l]);
            for (int j = 0; j < s; j++) {
                double c = -h * h * ah[i * s + j] * a[j * s + l];
                add_piece(w, FORCE_Q, j, i, l, c);
                add_piece(w, CURVATURE, j, i, l, c);
            }
        }
    }
    add_constraints(w);
    return lv_linear_factor(lv_assembly_linear(w->matrix));
}

/* ---- prediction ------------------------------------------------------------------------------------------ */

static lv_status predict_first(lv_stages *w, const lv_state *state, double h,
                               lv_error *err)
{
    double *a = w->work, *lambda = w->work + w->n;
    LV_TRY(
        lv_system_accelerations(w->system, a, lambda, state->t, state->q, state->v, err));
    for (int i = 0; i < w->s; i++) {
        double ch = w->tableau->c[i] * h;
        for (int k = 0; k < w->n; k++)
            w->u[i * w->n + k] = h * (state->v[k] + ch * a[k]);
        for (int r = 0; r < w->m; r++)
            w->y[i * w->m + r] = h * h * lambda[r];
    }
    return LV_OK;
}

/* Row i: the polynomial through the first k stages, taken at 1 + theta c_i. */
static void forecast_matrix(lv_stages *w, double theta)
{
    const double *c = w->tableau->c;
    for (int i = 0; i < w->k; i++)
        for (int j = 0; j < w->k; j++) {
            double value = 1, x = 1 + theta * c[i];
            for (int l = 0; l < w->k; l++)
                if (l != j)
                    value *= (x - c[l]) / (c[j] - c[l]);
            w->forecast[i * w->k + j] = value;
        }
}

/* Extrapolates velocities and multipliers of the last step. */
static void predict_next(lv_stages *w, double h)
{
    double last_h = w->memory[1], theta = h / last_h;
    const double *u = w->memory + CARRIED, *y = u + (size_t)(w->s * w->n);
    if (theta != w->predictor_theta) {
        lv_tableau_extrapolate(w->tableau, w->predictor, theta);
        forecast_matrix(w, theta);
        w->predictor_theta = theta;
    }
    memset(w->u, 0, (size_t)(w->s * w->n) * sizeof *w->u);
    memset(w->y, 0, (size_t)(w->s * w->m) * sizeof *w->y);
    for (int i = 0; i < w->s; i++)
        for (int j = 0; j < w->s; j++) {
            double c = w->predictor[i * w->s + j];
            for (int k = 0; k < w->n; k++)
                w->u[i * w->n + k] += c * theta * u[j * w->n + k];
        }
    for (int i = 0; i < w->k; i++)
        for (int j = 0; j < w->k; j++) {
            double c = w->forecast[i * w->k + j] * theta * theta;
            for (int r = 0; r < w->m; r++)
                w->y[i * w->m + r] += c * y[j * w->m + r];
        }
}

static void remember(lv_stages *w, double h)
{
    double *u = w->memory + CARRIED, *y = u + (size_t)(w->s * w->n);
    memcpy(u, w->u, (size_t)(w->s * w->n) * sizeof *u);
    memcpy(y, w->y, (size_t)(w->s * w->m) * sizeof *y);
    w->memory[0] = 1;
    w->memory[1] = h;
}

/* ---- the step ----------------------------------------------------------------------------------------------- */

/* Applies an update; returns its size: of positions relative to positions, of velocities times
 * the step likewise. */
static double apply_update(lv_stages *w, const lv_state *state, double h)
{
    double largest = 0;
    for (int i = 0; i < w->s; i++) {
        double *u = at(w->u, i, w->n);
        for (int k = 0; k < w->n; k++) {
            w->work[k] = w->rhs[unknown_u(w, i, k)];
            u[k] += w->work[k];
        }
        double size = lv_system_relative_size(w->system, w->work, state->q,
                                              stage_velocity(w, i, h), h);
        largest = size <= largest ? largest : size;
    }
    for (int i = 0; i < w->k; i++)
        for (int r = 0; r < w->m; r++)
            w->y[i * w->m + r] += w->rhs[unknown_y(w, i, r)];
    return largest;
}

/* A formula without a finite value at one of the stages: LV_ERR_DOMAIN, with its place. */
static lv_status diagnose(lv_stages *w, const lv_state *state, double h, lv_error *err)
{
    for (int i = 0; i < w->s; i++) {
        const lv_point point = {.q = at(w->q, i, w->n),
                                .v = stage_velocity(w, i, h),
                                .t = stage_time(w, state, h, i),
                                .y = w->multiplier};
        if (!isfinite(lv_extent(point.q, w->n)) || !isfinite(lv_extent(point.v, w->n)))
            continue; /* the iteration is to blame, not the formula */
        for (int r = 0; r < w->m; r++)
            w->multiplier[r] = i < w->k ? w->y[i * w->m + r] / (h * h) : 0;
        LV_TRY(lv_plan_diagnose(w->residual, &point, err));
        LV_TRY(lv_plan_diagnose(w->derivative, &point, err));
    }
    return LV_OK;
}

static lv_status failed(lv_stages *w, const lv_state *state, double h,
                        const lv_converge *c, lv_error *err)
{
    int unknown = 0;
    LV_TRY(diagnose(w, state, h, err));
    double pivot = lv_linear_worst_pivot(lv_assembly_linear(w->matrix), &unknown);
    lv_status status =
        isfinite(c->size)
            ? lv_fail(err, LV_ERR_NUMERIC,
                      "Newton did not converge: last change %.1e (relative) after %d "
                      "iterations",
                      c->size, c->count)
            : lv_fail(err, LV_ERR_NUMERIC, "numbers grow beyond all bounds");
    if (pivot < 1e-12)
        lv_error_note(err, "its matrix is nearly singular (pivot ratio %.1e)", pivot);
    lv_error_hint(err, "try a smaller step");
    return status;
}

static lv_status newton(lv_stages *w, const lv_state *state, double h, lv_converge *c,
                        lv_error *err)
{
    enum { MOST = 40, REBUILD_AFTER = 4 };
    bool built = false;
    int since = 0;
    lv_verdict verdict = LV_GO_ON;
    lv_converge_start(c, 2e-16, MOST);
    while (verdict == LV_GO_ON || verdict == LV_SLOW) {
        stage_positions(w, state);
        evaluate(w, state, h);
        if (!built || (verdict == LV_SLOW && since >= 2) || since >= REBUILD_AFTER) {
            if (!build_matrix(w, state, h))
                return failed(w, state, h, c, err);
            built = true;
            since = 0;
        }
        residuals(w, state, h);
        if (!isfinite(lv_extent(w->rhs, w->size))) {
            c->size = (double)NAN;
            return failed(w, state, h, c, err);
        }
        lv_linear_solve(lv_assembly_linear(w->matrix), w->rhs);
        verdict = lv_converge_test(c, apply_update(w, state, h));
        since++;
    }
    return verdict == LV_CONVERGED ? LV_OK : failed(w, state, h, c, err);
}

/* p at the end, without mu_s. */
static void end_momentum(lv_stages *w, const lv_state *state, double h)
{
    for (int k = 0; k < w->n; k++) {
        double p = state->p[k];
        for (int j = 0; j < w->s; j++)
            p += h * w->tableau->b[j] * w->force[j * w->n + k];
        w->p[k] = p;
    }
}

/* q at the end: the last stage where that is it, so that its constraints are those solved. */
static void end_position(lv_stages *w, double *q, const lv_state *state)
{
    if (w->tableau->q_ends) {
        memcpy(q, at(w->q, w->s - 1, w->n), (size_t)w->n * sizeof *q);
        return;
    }
    for (int k = 0; k < w->n; k++) {
        q[k] = state->q[k];
        for (int j = 0; j < w->s; j++)
            q[k] += w->tableau->b[j] * w->u[j * w->n + k];
    }
}

lv_status lv_stages_step(lv_stages *w, lv_state *state, double h, bool project,
                         lv_step_report *report, lv_error *err)
{
    lv_converge c;
    double *q = w->work + w->n, t = state->t + h;
    if (w->memory[0] != 0)
        predict_next(w, h);
    else
        LV_TRY(predict_first(w, state, h, err));
    LV_TRY(newton(w, state, h, &c, err));
    report->iterations = c.count;

    stage_positions(w, state);
    evaluate(w, state, h);
    end_momentum(w, state, h);
    end_position(w, q, state);
    memcpy(w->v, at(w->u, w->s - 1, w->n), (size_t)w->n * sizeof *w->v);
    for (int k = 0; k < w->n; k++)
        w->v[k] /= h;
    LV_TRY(lv_system_velocity(w->system, w->v, t, q, w->p, err));
    if (project && w->m > 0) {
        LV_TRY(lv_system_project_velocity(w->system, w->v, t, q, err));
        lv_system_momentum(w->system, w->p, t, q, w->v);
    }
    for (int k = 0; k < w->n; k++)
        if (!isfinite(q[k]) || !isfinite(w->p[k]) || !isfinite(w->v[k]))
            return lv_fail(err, LV_ERR_NUMERIC, "the state is no longer finite");
    remember(w, h);
    memcpy(state->q, q, (size_t)w->n * sizeof *q);
    memcpy(state->p, w->p, (size_t)w->n * sizeof *q);
    memcpy(state->v, w->v, (size_t)w->n * sizeof *q);
    return LV_OK;
}
