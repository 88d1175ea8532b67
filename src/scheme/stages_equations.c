/* What is solved:
 *
 *   Q_i = q + h sum_j a_ij V_j,  P_i = p + G(q)^T nu + h sum_j ah_ij W_j,  W_j = L_q + f + G_j^T mu_j
 *   h (L_v(Q_i, V_i) - P_i) = 0,  i = 1..s;     sum_p test_ep g(Q_p) = 0
 *
 * with the multipliers mu_j and the impulse nu of a space (multipliers.h). In the scaled unknowns
 * u_i = h V_i, y_c = h^2 mu_c, y_0 = h nu, and with M, K, D, C, G the derivatives L_vv, W_q, W_v, L_vq,
 * g_q at the stages, Newton's matrix is
 *
 *   d r_i / d u_l = delta_il M_i + h a_il C_i - h^2 sum_j ah_ij a_jl K_j - h ah_il D_l
 *   d r_i / d y_c = -sum_j ah_ij shape_jc G_j^T,   d g_e / d u_l = sum_p test_ep a_pl G_p
 *
 * whose entries do not grow as h shrinks. */
#include "scheme/stages_private.h"

#include <string.h>

/* Points behind the stages. */
static int end_point(const lv_stages *w)
{
    return w->s;
}

static int start_point(const lv_stages *w)
{
    return w->s + 1;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

lv_status lv_stages_declare(lv_stages *w, lv_error *err)
{
    int s = w->s, k = w->k;
    w->matrix =
        lv_assembly_create(w->size, LV_PIECES * s * s + 2 * s * k + lv_rolling_blocks(w));
    if (!w->matrix)
        return lv_fail_memory(err);
    for (int p = 0; p < LV_PIECES; p++) {
        w->pieces[p].block = p * s * s;
        for (int i = 0; i < s; i++)
            for (int l = 0; l < s; l++)
                lv_assembly_block(w->matrix, w->pieces[p].pattern, lv_range_u(w, i),
                                  lv_range_u(w, l), false);
    }
    w->column_block = LV_PIECES * s * s;
    for (int i = 0; i < s; i++)
        for (int c = 0; c < k; c++)
            lv_assembly_block(w->matrix, w->g, lv_range_u(w, i), lv_range_y(w, c), true);
    w->row_block = w->column_block + s * k;
    for (int e = 0; e < k; e++)
        for (int l = 0; l < s; l++)
            lv_assembly_block(w->matrix, w->g, lv_range_y(w, e), lv_range_u(w, l), false);
    if (w->rolling)
        lv_rolling_declare(w);
    return lv_assembly_finish(w->matrix, err);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Q_i = q + sum_j a_ij u_j for all stages, and the end. */
static void stage_positions(lv_stages *w, const lv_state *state)
{
    for (int i = 0; i <= w->s; i++) {
        const double *a = i < w->s ? w->tableau->a + (size_t)(i * w->s) : w->tableau->b;
        double *q = lv_row(w->q, i, w->n);
        if (i == end_point(w) && w->tableau->q_ends) {
            /* The same numbers, so that its constraints are those solved. */
            memcpy(q, lv_row(w->q, i - 1, w->n), (size_t)w->n * sizeof *q);
            continue;
        }
        memcpy(q, state->q, (size_t)w->n * sizeof *q);
        for (int j = 0; j < w->s; j++) {
            const double *u = lv_row(w->u, j, w->n);
            for (int k = 0; a[j] != 0 && k < w->n; k++)
                q[k] += a[j] * u[k];
        }
    }
}

const double *lv_stage_velocity(lv_stages *w, int i, double h)
{
    const double *u = lv_row(w->u, i, w->n);
    for (int k = 0; k < w->n; k++)
        w->v[k] = u[k] / h;
    return w->v;
}

/* mu_i = sum_c shape_ic y_c, scaled */
static void stage_multipliers(lv_stages *w)
{
    memset(w->mu, 0, (size_t)(w->s * w->m) * sizeof *w->mu);
    for (int i = 0; i < w->s; i++)
        for (int c = 0; c < w->k; c++) {
            double shape = w->space->shape[i * w->k + c];
            for (int r = 0; shape != 0 && r < w->m; r++)
                w->mu[i * w->m + r] += shape * w->y[c * w->m + r];
        }
}

const double *lv_stage_multipliers(lv_stages *w, int i, double h)
{
    for (int r = 0; r < w->m; r++)
        w->multiplier[r] = w->mu[i * w->m + r] / (h * h);
    if (w->rolling)
        lv_rolling_multipliers(w, i, h, w->multiplier + w->m);
    return w->multiplier;
}

/* Takes constraints and Jacobian from the plan that just ran. */
static void take_constraints(lv_stages *w, int point)
{
    int entries = lv_pattern_entries(w->g);
    memcpy(lv_row(w->gap, point, w->m), lv_plan_result(w->residual, LV_Q_CONSTRAINT),
           (size_t)w->m * sizeof(double));
    memcpy(lv_row(w->jac, point, entries), lv_plan_result(w->residual, LV_Q_JACOBIAN),
           (size_t)entries * sizeof(double));
}

static void evaluate_stage(lv_stages *w, double t, double h, int i)
{
    const lv_point point = {.q = lv_row(w->q, i, w->n),
                            .v = lv_stage_velocity(w, i, h),
                            .t = lv_stage_time(w, t, h, i)};
    size_t n = (size_t)w->n * sizeof(double);
    lv_plan_run(w->residual, &point);
    memcpy(lv_row(w->momentum, i, w->n), lv_plan_result(w->residual, LV_Q_MOMENTUM), n);
    memcpy(lv_row(w->force, i, w->n), lv_plan_result(w->residual, LV_Q_FORCE), n);
    take_constraints(w, i);
    if (w->m > 0)
        lv_sparse_multiply_transposed(w->g, lv_row(w->jac, i, lv_pattern_entries(w->g)),
                                      1 / (h * h), lv_row(w->mu, i, w->m),
                                      lv_row(w->force, i, w->n));
    if (w->rolling)
        lv_rolling_push(w, i, h);
}

/* Constraints at the end of the step, where that is no stage. */
static void evaluate_end(lv_stages *w, double t, double h)
{
    int end = end_point(w);
    if (w->m == 0)
        return;
    if (w->tableau->q_ends) {
        int entries = lv_pattern_entries(w->g);
        memcpy(lv_row(w->gap, end, w->m), lv_row(w->gap, end - 1, w->m),
               (size_t)w->m * sizeof(double));
        memcpy(lv_row(w->jac, end, entries), lv_row(w->jac, end - 1, entries),
               (size_t)entries * sizeof(double));
        return;
    }
    const lv_point point = {.q = lv_row(w->q, end, w->n), .v = w->v, .t = t + h};
    lv_plan_run(w->residual, &point);
    take_constraints(w, end);
}

void lv_stages_begin(lv_stages *w, const lv_state *state)
{
    memset(w->kick, 0, (size_t)w->n * sizeof *w->kick);
    if (!w->space || !w->space->impulse)
        return;
    const lv_point point = {.q = state->q, .v = state->v, .t = state->t};
    lv_plan_run(w->residual, &point);
    take_constraints(w, start_point(w));
}

void lv_stages_hold(lv_stages *w, const lv_state *state)
{
    const int at = start_point(w);
    const lv_point point = {.q = state->q, .v = state->v, .t = state->t};
    if (lv_held_none(&w->held))
        return;
    lv_plan_run(w->residual, &point);
    take_constraints(w, at);
    lv_held_find(&w->held, state, w->g, lv_row(w->jac, at, lv_pattern_entries(w->g)));
    for (int c = 0; c < w->k; c++)
        lv_held_mark(&w->held, lv_range_y(w, c));
}

/* G(q)^T nu */
static void evaluate_kick(lv_stages *w, double h)
{
    if (!w->space || !w->space->impulse)
        return;
    memset(w->kick, 0, (size_t)w->n * sizeof *w->kick);
    lv_sparse_multiply_transposed(
        w->g, lv_row(w->jac, start_point(w), lv_pattern_entries(w->g)), 1 / h, w->y,
        w->kick);
}

void lv_stages_evaluate(lv_stages *w, const lv_state *state, double h)
{
    stage_positions(w, state);
    stage_multipliers(w);
    for (int i = 0; i < w->s; i++)
        evaluate_stage(w, state->t, h, i);
    evaluate_end(w, state->t, h);
    evaluate_kick(w, h);
    if (w->rolling)
        lv_rolling_evaluate(w, state, h);
}

void lv_stages_residuals(lv_stages *w, const lv_state *state, double h)
{
    const double *ah = w->tableau->ah;
    for (int i = 0; i < w->s; i++) {
        const double *momentum = lv_row(w->momentum, i, w->n);
        for (int k = 0; k < w->n; k++) {
            double p = state->p[k] + w->kick[k];
            for (int j = 0; j < w->s; j++)
                p += h * ah[i * w->s + j] * w->force[j * w->n + k];
            w->rhs[lv_unknown_u(w, i, k)] = h * (p - momentum[k]);
        }
    }
    for (int e = 0; e < w->k; e++)
        for (int r = 0; r < w->m; r++) {
            double sum = 0;
            for (int p = 0; p <= w->s; p++)
                sum += w->space->test[e * (w->s + 1) + p] * w->gap[p * w->m + r];
            w->rhs[lv_unknown_y(w, e, r)] = -sum;
        }
    if (w->rolling)
        lv_rolling_residuals(w, state, h);
}

/* ---- the matrix ------------------------------------------------------------------------------ */

static void evaluate_derivatives(lv_stages *w, const lv_state *state, double h)
{
    for (int i = 0; i < w->s; i++) {
        const lv_point point = {.q = lv_row(w->q, i, w->n),
                                .v = lv_stage_velocity(w, i, h),
                                .t = lv_stage_time(w, state->t, h, i),
                                .y = lv_stage_multipliers(w, i, h)};
        lv_plan_run(w->derivative, &point);
        for (int k = 0; k < LV_PIECES; k++) {
            int entries = lv_pattern_entries(w->pieces[k].pattern);
            memcpy(lv_row(w->pieces[k].values, i, entries),
                   lv_plan_result(w->derivative, w->pieces[k].quantity),
                   (size_t)entries * sizeof(double));
        }
    }
}

void lv_stages_add(lv_stages *w, int piece, int block, int j, double c)
{
    const lv_piece *p = &w->pieces[piece];
    if (c != 0)
        lv_assembly_add(w->matrix, block,
                        lv_row(p->values, j, lv_pattern_entries(p->pattern)), c);
}

/* To block (i, l) of r by u. */
static void add_piece(lv_stages *w, int piece, int j, int i, int l, double c)
{
    lv_stages_add(w, piece, w->pieces[piece].block + i * w->s + l, j, c);
}

static void add_columns(lv_stages *w)
{
    int entries = lv_pattern_entries(w->g), s = w->s;
    for (int i = 0; i < s; i++)
        for (int c = 0; c < w->k; c++) {
            int block = w->column_block + i * w->k + c;
            for (int j = 0; j < s; j++) {
                double f = w->tableau->ah[i * s + j] * w->space->shape[j * w->k + c];
                if (f != 0)
                    lv_assembly_add(w->matrix, block, lv_row(w->jac, j, entries), -f);
            }
            if (w->space->impulse && c == 0)
                lv_assembly_add(w->matrix, block, lv_row(w->jac, start_point(w), entries),
                                -1);
        }
}

static void add_rows(lv_stages *w)
{
    int entries = lv_pattern_entries(w->g), s = w->s;
    for (int e = 0; e < w->k; e++)
        for (int l = 0; l < s; l++)
            for (int p = 0; p <= s; p++) {
                double a = p < s ? w->tableau->a[p * s + l] : w->tableau->b[l];
                double f = a * w->space->test[e * (s + 1) + p];
                if (f != 0)
                    lv_assembly_add(w->matrix, w->row_block + e * s + l,
                                    lv_row(w->jac, p, entries), f);
            }
}

bool lv_stages_build(lv_stages *w, const lv_state *state, double h)
{
    const double *a = w->tableau->a, *ah = w->tableau->ah;
    int s = w->s;
    evaluate_derivatives(w, state, h);
    lv_assembly_clear(w->matrix);
    for (int i = 0; i < s; i++) {
        add_piece(w, LV_PIECE_MASS, i, i, i, 1);
        for (int l = 0; l < s; l++) {
            add_piece(w, LV_PIECE_COUPLING, i, i, l, h * a[i * s + l]);
            add_piece(w, LV_PIECE_FORCE_V, l, i, l, -h * ah[i * s + l]);
            add_piece(w, LV_PIECE_CURVATURE_V, l, i, l, -h * ah[i * s + l]);
            for (int j = 0; j < s; j++) {
                double c = -h * h * ah[i * s + j] * a[j * s + l];
                add_piece(w, LV_PIECE_FORCE_Q, j, i, l, c);
                add_piece(w, LV_PIECE_CURVATURE, j, i, l, c);
            }
        }
    }
    add_columns(w);
    add_rows(w);
    if (w->rolling)
        lv_rolling_build(w, state, h);
    lv_held_leave_out(&w->held, lv_assembly_linear(w->matrix), w->held.lines);
    return lv_linear_factor(lv_assembly_linear(w->matrix));
}
