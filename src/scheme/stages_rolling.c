/* Nonholonomic constraints Phi(q, v, t) = 0 in the stage equations of Lobatto IIIA-IIIB (theory 7):
 *
 *   W_j = ... + Phi_v(Q_j, V_j)^T Lambda_j,    p_i = p + h sum_j a_ij W_j
 *   h (L_v(Q_i, x_i) - p_i) = 0,    h Phi(Q_i, x_i) = 0,    i = 2..s
 *
 * The constraint is asked of x_i, the velocity that belongs to p_i, not of V_i. Lambda_1 is carried
 * from the last step; Lambda_s is what the next one gets. At i = 1 both equations are true already.
 * Where there are holonomic constraints, too, all their multipliers mu_1 .. mu_s are unknown, and
 * the last equation for them is h (G x_s + g_t) = 0. */
#include "scheme/stages_private.h"

#include "base/memory.h"
#include "num/extent.h"

#include <math.h>
#include <string.h>

/* At the velocities x_i. */
enum { MASS, COUPLING, RATE_V, RATE_Q, PIECES };

struct lv_rolling {
    lv_plan *rate;       /* at (Q_i, x_i): momentum, rates */
    lv_plan *derivative; /* mass, L_vq, derivatives of the rates */
    int count;           /* of nonholonomic constraints */
    const lv_pattern *patterns[PIECES];
    double *values[PIECES]; /* [stage][entry] */
    lv_pattern by_v, by_q;  /* rows of RATE_V and RATE_Q that belong to Phi */
    lv_pattern turn;        /* those of RATE_Q that do not */
    int skip_v, skip_q;     /* entries before them */
    double *x;              /* [stage][n], times h */
    double *lambda;         /* [stage][count], times h^2 */
    double *push;           /* Phi_v(Q_j, V_j): [stage][entry of by_v] */
    double *momentum, *rates;
    double *guess;       /* where an iteration begins: x, lambda */
    double *extrapolate; /* s x s */
    double *carried;     /* Lambda_s of the last step, itself */
    int first;           /* block; numbered as declared */
};

static int stages_with(const lv_stages *w)
{
    return w->s - 1;
}

static int count_of(const lv_stages *w)
{
    return w->system->rates - w->system->m;
}

int lv_rolling_per_q(const lv_stages *w)
{
    return count_of(w) > 0 ? stages_with(w) : 0;
}

int lv_rolling_size(const lv_stages *w)
{
    return count_of(w) > 0 ? stages_with(w) * (w->n + count_of(w)) : 0;
}

int lv_rolling_memory(const lv_stages *w)
{
    return count_of(w) > 0 ? w->s * (w->n + count_of(w)) : 0;
}

/* ---- numbers of unknowns ----------------------------------------------------------------------- */

static int unknown_x(const lv_stages *w, int stage, int i)
{
    return i * w->per_q + w->s + stage - 1;
}

static int first_lambda(const lv_stages *w)
{
    return w->n * w->per_q + w->m * w->k;
}

static int unknown_lambda(const lv_stages *w, int stage, int r)
{
    return first_lambda(w) + r * stages_with(w) + stage - 1;
}

static lv_range_of range_x(const lv_stages *w, int stage)
{
    return (lv_range_of){w->s + stage - 1, w->per_q};
}

static lv_range_of range_lambda(const lv_stages *w, int stage)
{
    return (lv_range_of){first_lambda(w) + stage - 1, stages_with(w)};
}

/* ---- creation ------------------------------------------------------------------------------------ */

/* Rows first .. first + count - 1 of a pattern; returns the entries before them, -1 without memory. */
static int take_rows(lv_pattern *part, const lv_pattern *whole, lv_arena *arena,
                     int first, int count)
{
    int *start = lv_arena_alloc(arena, (size_t)count + 1, sizeof *start);
    if (!start)
        return -1;
    for (int r = 0; r <= count; r++)
        start[r] = whole->start[first + r] - whole->start[first];
    *part = *whole;
    part->rows = count;
    part->start = start;
    part->column = whole->column + whole->start[first];
    return whole->start[first];
}

static lv_status make_plans(lv_rolling *o, lv_stages *w, lv_error *err)
{
    static const lv_quantity quantities[PIECES] = {LV_Q_MASS, LV_Q_MOMENTUM_Q,
                                                   LV_Q_RATE_V, LV_Q_RATE_Q};
    const lv_model *model = w->system->model;
    LV_TRY(lv_plan_create(&o->rate, model, LV_WANT(MOMENTUM) | LV_WANT(RATE), err));
    LV_TRY(lv_plan_create(
        &o->derivative, model,
        LV_WANT(MASS) | LV_WANT(MOMENTUM_Q) | LV_WANT(RATE_V) | LV_WANT(RATE_Q), err));
    for (int k = 0; k < PIECES; k++)
        o->patterns[k] = lv_plan_pattern(o->derivative, quantities[k]);
    o->skip_v = take_rows(&o->by_v, o->patterns[RATE_V], &w->arena, w->m, o->count);
    o->skip_q = take_rows(&o->by_q, o->patterns[RATE_Q], &w->arena, w->m, o->count);
    int none = take_rows(&o->turn, o->patterns[RATE_Q], &w->arena, 0, w->m);
    return o->skip_v < 0 || o->skip_q < 0 || none < 0 ? lv_fail_memory(err) : LV_OK;
}

static lv_status make_room(lv_rolling *o, lv_stages *w, lv_error *err)
{
    int s = w->s, n = w->n, c = o->count;
    double **blocks[] = {&o->x,
                         &o->lambda,
                         &o->push,
                         &o->momentum,
                         &o->rates,
                         &o->extrapolate,
                         &o->carried,
                         &o->guess,
                         &o->values[MASS],
                         &o->values[COUPLING],
                         &o->values[RATE_V],
                         &o->values[RATE_Q]};
    int sizes[] = {s * n,
                   s * c,
                   s * lv_pattern_entries(&o->by_v),
                   s * n,
                   s * w->system->rates,
                   s * s,
                   c,
                   s * (n + c),
                   s * lv_pattern_entries(o->patterns[MASS]),
                   s * lv_pattern_entries(o->patterns[COUPLING]),
                   s * lv_pattern_entries(o->patterns[RATE_V]),
                   s * lv_pattern_entries(o->patterns[RATE_Q])};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        *blocks[k] = lv_arena_alloc(&w->arena, (size_t)sizes[k] + 1, sizeof(double));
        if (!*blocks[k])
            return lv_fail_memory(err);
    }
    return LV_OK;
}

lv_status lv_rolling_create(lv_rolling **result, lv_stages *w, lv_error *err)
{
    *result = NULL;
    if (count_of(w) == 0)
        return LV_OK;
    lv_rolling *o = lv_memory_zeroed(1, sizeof *o);
    if (!o)
        return lv_fail_memory(err);
    o->count = count_of(w);
    lv_status status = make_plans(o, w, err);
    if (status == LV_OK)
        status = make_room(o, w, err);
    if (status == LV_OK)
        *result = o;
    else
        lv_rolling_free(o);
    return status;
}

void lv_rolling_free(lv_rolling *o)
{
    if (!o)
        return;
    lv_plan_free(o->rate);
    lv_plan_free(o->derivative);
    lv_memory_free(o);
}

/* ---- blocks ------------------------------------------------------------------------------------------
 *
 * For every stage i = 2..s, in this order: the momentum equation by x_i; by u_l (L_vq, then the four
 * pieces of W); by the multipliers y_c; by Lambda_j; the constraint by x_i; by u_l. Then the columns of
 * Lambda_j in the equations r_i; then the rate of the holonomic constraints at the end. */

static const int force_pieces[] = {LV_PIECE_FORCE_Q, LV_PIECE_CURVATURE, LV_PIECE_FORCE_V,
                                   LV_PIECE_CURVATURE_V};
enum { FORCES = 4 };

static int blocks_of_stage(const lv_stages *w)
{
    return 1 + w->s + FORCES * w->s + w->k + stages_with(w) + 1 + w->s;
}

int lv_rolling_blocks(const lv_stages *w)
{
    if (!w->rolling)
        return 0;
    return stages_with(w) * blocks_of_stage(w) + w->s * stages_with(w) + 1 + w->s;
}

static void declare_stage(lv_stages *w, int i)
{
    lv_rolling *o = w->rolling;
    lv_assembly *a = w->matrix;
    const lv_range_of row = range_x(w, i);
    lv_assembly_block(a, o->patterns[MASS], row, range_x(w, i), false);
    for (int l = 0; l < w->s; l++)
        lv_assembly_block(a, o->patterns[COUPLING], row, lv_range_u(w, l), false);
    for (int f = 0; f < FORCES; f++)
        for (int l = 0; l < w->s; l++)
            lv_assembly_block(a, w->pieces[force_pieces[f]].pattern, row,
                              lv_range_u(w, l), false);
    for (int c = 0; c < w->k; c++)
        lv_assembly_block(a, w->g, row, lv_range_y(w, c), true);
    for (int j = 1; j < w->s; j++)
        lv_assembly_block(a, &o->by_v, row, range_lambda(w, j), true);
    lv_assembly_block(a, &o->by_v, range_lambda(w, i), range_x(w, i), false);
    for (int l = 0; l < w->s; l++)
        lv_assembly_block(a, &o->by_q, range_lambda(w, i), lv_range_u(w, l), false);
}

void lv_rolling_declare(lv_stages *w)
{
    lv_rolling *o = w->rolling;
    o->first = LV_PIECES * w->s * w->s + 2 * w->s * w->k;
    for (int i = 1; i < w->s; i++)
        declare_stage(w, i);
    for (int i = 0; i < w->s; i++)
        for (int j = 1; j < w->s; j++)
            lv_assembly_block(w->matrix, &o->by_v, lv_range_u(w, i), range_lambda(w, j),
                              true);
    if (w->m == 0)
        return;
    lv_assembly_block(w->matrix, w->g, lv_range_y(w, w->k - 1), range_x(w, w->s - 1),
                      false);
    for (int l = 0; l < w->s; l++)
        lv_assembly_block(w->matrix, &o->turn, lv_range_y(w, w->k - 1), lv_range_u(w, l),
                          false);
}

/* ---- values ------------------------------------------------------------------------------------------ */

void lv_rolling_multipliers(const lv_stages *w, int stage, double h, double *to)
{
    const lv_rolling *o = w->rolling;
    for (int r = 0; r < o->count; r++)
        to[r] = o->lambda[stage * o->count + r] / (h * h);
}

void lv_rolling_push(lv_stages *w, int stage, double h)
{
    lv_rolling *o = w->rolling;
    int entries = lv_pattern_entries(&o->by_v);
    double *push = lv_row(o->push, stage, entries);
    memcpy(push, lv_plan_result(w->residual, LV_Q_RATE_V) + o->skip_v,
           (size_t)entries * sizeof *push);
    lv_sparse_multiply_transposed(&o->by_v, push, 1 / (h * h),
                                  lv_row(o->lambda, stage, o->count),
                                  lv_row(w->force, stage, w->n));
}

/* x_i as a velocity, in w->v. */
static const double *velocity_of(lv_stages *w, int stage, double h)
{
    const double *x = lv_row(w->rolling->x, stage, w->n);
    for (int k = 0; k < w->n; k++)
        w->v[k] = x[k] / h;
    return w->v;
}

void lv_rolling_evaluate(lv_stages *w, const lv_state *state, double h)
{
    lv_rolling *o = w->rolling;
    int rates = w->system->rates;
    for (int i = 1; i < w->s; i++) {
        const lv_point point = {.q = lv_row(w->q, i, w->n),
                                .v = velocity_of(w, i, h),
                                .t = lv_stage_time(w, state->t, h, i)};
        lv_plan_run(o->rate, &point);
        memcpy(lv_row(o->momentum, i, w->n), lv_plan_result(o->rate, LV_Q_MOMENTUM),
               (size_t)w->n * sizeof(double));
        memcpy(lv_row(o->rates, i, rates), lv_plan_result(o->rate, LV_Q_RATE),
               (size_t)rates * sizeof(double));
    }
}

void lv_rolling_residuals(lv_stages *w, const lv_state *state, double h)
{
    lv_rolling *o = w->rolling;
    const double *a = w->tableau->a;
    int rates = w->system->rates;
    for (int i = 1; i < w->s; i++) {
        for (int k = 0; k < w->n; k++) {
            double p = state->p[k];
            for (int j = 0; j < w->s; j++)
                p += h * a[i * w->s + j] * w->force[j * w->n + k];
            w->rhs[unknown_x(w, i, k)] = h * (p - o->momentum[i * w->n + k]);
        }
        for (int r = 0; r < o->count; r++)
            w->rhs[unknown_lambda(w, i, r)] = -h * o->rates[i * rates + w->m + r];
    }
    for (int r = 0; r < w->m; r++)
        w->rhs[lv_unknown_y(w, w->k - 1, r)] = -h * o->rates[(w->s - 1) * rates + r];
}

/* ---- the matrix ---------------------------------------------------------------------------------------- */

static void evaluate_derivatives(lv_stages *w, const lv_state *state, double h)
{
    static const lv_quantity quantities[PIECES] = {LV_Q_MASS, LV_Q_MOMENTUM_Q,
                                                   LV_Q_RATE_V, LV_Q_RATE_Q};
    lv_rolling *o = w->rolling;
    for (int i = 1; i < w->s; i++) {
        const lv_point point = {.q = lv_row(w->q, i, w->n),
                                .v = velocity_of(w, i, h),
                                .t = lv_stage_time(w, state->t, h, i)};
        lv_plan_run(o->derivative, &point);
        for (int k = 0; k < PIECES; k++) {
            int entries = lv_pattern_entries(o->patterns[k]);
            memcpy(lv_row(o->values[k], i, entries),
                   lv_plan_result(o->derivative, quantities[k]),
                   (size_t)entries * sizeof(double));
        }
    }
}

static const double *value(const lv_rolling *o, int piece, int stage)
{
    return lv_row(o->values[piece], stage, lv_pattern_entries(o->patterns[piece]));
}

/* h a_ij W_j by u_l: forces by position through Q_j, by velocity directly. */
static int add_forces(lv_stages *w, int i, double h, int block)
{
    const double *a = w->tableau->a;
    int s = w->s;
    for (int f = 0; f < FORCES; f++)
        for (int l = 0; l < s; l++, block++) {
            bool by_velocity = force_pieces[f] == LV_PIECE_FORCE_V ||
                               force_pieces[f] == LV_PIECE_CURVATURE_V;
            if (by_velocity)
                lv_stages_add(w, force_pieces[f], block, l, -h * a[i * s + l]);
            for (int j = 0; !by_velocity && j < s; j++)
                lv_stages_add(w, force_pieces[f], block, j,
                              -h * h * a[i * s + j] * a[j * s + l]);
        }
    return block;
}

static int add_multipliers(lv_stages *w, int i, int block)
{
    const double *a = w->tableau->a + (size_t)(i * w->s);
    lv_rolling *o = w->rolling;
    int entries = lv_pattern_entries(w->g);
    for (int c = 0; c < w->k; c++, block++) /* nodal: vector c is that of stage c */
        lv_assembly_add(w->matrix, block, lv_row(w->jac, c, entries), -a[c]);
    for (int j = 1; j < w->s; j++, block++)
        lv_assembly_add(w->matrix, block,
                        lv_row(o->push, j, lv_pattern_entries(&o->by_v)), -a[j]);
    return block;
}

static void build_stage(lv_stages *w, int i, double h)
{
    const double *a = w->tableau->a + (size_t)(i * w->s);
    lv_rolling *o = w->rolling;
    int block = o->first + (i - 1) * blocks_of_stage(w);
    lv_assembly_add(w->matrix, block++, value(o, MASS, i), 1);
    for (int l = 0; l < w->s; l++)
        lv_assembly_add(w->matrix, block++, value(o, COUPLING, i), h * a[l]);
    block = add_forces(w, i, h, block);
    block = add_multipliers(w, i, block);
    lv_assembly_add(w->matrix, block++, value(o, RATE_V, i) + o->skip_v, 1);
    for (int l = 0; l < w->s; l++)
        lv_assembly_add(w->matrix, block++, value(o, RATE_Q, i) + o->skip_q, h * a[l]);
}

void lv_rolling_build(lv_stages *w, const lv_state *state, double h)
{
    lv_rolling *o = w->rolling;
    int s = w->s, block = o->first + stages_with(w) * blocks_of_stage(w);
    evaluate_derivatives(w, state, h);
    for (int i = 1; i < s; i++)
        build_stage(w, i, h);
    for (int i = 0; i < s; i++)
        for (int j = 1; j < s; j++)
            lv_assembly_add(w->matrix, block++,
                            lv_row(o->push, j, lv_pattern_entries(&o->by_v)),
                            -w->tableau->ah[i * s + j]);
    if (w->m == 0)
        return;
    lv_assembly_add(w->matrix, block++, lv_row(w->jac, s - 1, lv_pattern_entries(w->g)),
                    1);
    for (int l = 0; l < s; l++)
        lv_assembly_add(w->matrix, block++, value(o, RATE_Q, s - 1),
                        h * w->tableau->b[l]);
}

/* ---- prediction and update --------------------------------------------------------------------------- */

/* x_1 and Lambda_1 are known. */
static void begin(lv_stages *w, const lv_state *state, double h)
{
    lv_rolling *o = w->rolling;
    for (int k = 0; k < w->n; k++)
        o->x[k] = h * state->v[k];
    for (int r = 0; r < o->count; r++)
        o->lambda[r] = h * h * o->carried[r];
}

void lv_rolling_predict_first(lv_stages *w, const lv_state *state, double h,
                              const double *a, const double *lambda)
{
    lv_rolling *o = w->rolling;
    memcpy(o->carried, lambda + w->m, (size_t)o->count * sizeof *lambda);
    begin(w, state, h);
    for (int i = 1; i < w->s; i++) {
        double ch = w->tableau->c[i] * h;
        for (int k = 0; k < w->n; k++)
            o->x[i * w->n + k] = h * (state->v[k] + ch * a[k]);
        memcpy(lv_row(o->lambda, i, o->count), o->lambda,
               (size_t)o->count * sizeof(double));
    }
}

static double *memory_of(const lv_stages *w)
{
    return w->memory + LV_STAGES_CARRIED + (size_t)(w->s * w->n + w->k * w->m);
}

void lv_rolling_predict_next(lv_stages *w, const lv_state *state, double h)
{
    lv_rolling *o = w->rolling;
    const double *x = memory_of(w), *lambda = x + (size_t)(w->s * w->n);
    double last_h = w->memory[1], theta = h / last_h;
    for (int r = 0; r < o->count; r++)
        o->carried[r] = lambda[(w->s - 1) * o->count + r] / (last_h * last_h);
    begin(w, state, h);
    lv_tableau_extrapolate(w->tableau, o->extrapolate, theta);
    for (int i = 1; i < w->s; i++) {
        double *to = lv_row(o->x, i, w->n), *force = lv_row(o->lambda, i, o->count);
        memset(to, 0, (size_t)w->n * sizeof *to);
        memset(force, 0, (size_t)o->count * sizeof *force);
        for (int j = 0; j < w->s; j++) {
            double c = o->extrapolate[i * w->s + j];
            for (int k = 0; k < w->n; k++)
                to[k] += c * theta * x[j * w->n + k];
            for (int r = 0; r < o->count; r++)
                force[r] += c * theta * theta * lambda[j * o->count + r];
        }
    }
}

void lv_rolling_remember(lv_stages *w)
{
    lv_rolling *o = w->rolling;
    double *x = memory_of(w), *lambda = x + (size_t)(w->s * w->n);
    memcpy(x, o->x, (size_t)(w->s * w->n) * sizeof *x);
    memcpy(lambda, o->lambda, (size_t)(w->s * o->count) * sizeof *x);
}

void lv_rolling_keep_guess(lv_stages *w)
{
    lv_rolling *o = w->rolling;
    memcpy(o->guess, o->x, (size_t)(w->s * w->n) * sizeof *o->x);
    memcpy(o->guess + (size_t)(w->s * w->n), o->lambda,
           (size_t)(w->s * o->count) * sizeof *o->lambda);
}

void lv_rolling_begin(lv_stages *w)
{
    lv_rolling *o = w->rolling;
    memcpy(o->x, o->guess, (size_t)(w->s * w->n) * sizeof *o->x);
    memcpy(o->lambda, o->guess + (size_t)(w->s * w->n),
           (size_t)(w->s * o->count) * sizeof *o->lambda);
}

double lv_rolling_measure(lv_stages *w)
{
    double largest = 0;
    for (int i = 1; i < w->s; i++) {
        for (int k = 0; k < w->n; k++)
            w->work[k] = w->rhs[unknown_x(w, i, k)];
        double size = lv_system_relative_size(w->system, w->work, w->from->q,
                                              velocity_of(w, i, w->h), w->h);
        largest = size <= largest ? largest : size;
    }
    return largest;
}

void lv_rolling_move(lv_stages *w, double fraction)
{
    lv_rolling *o = w->rolling;
    for (int i = 1; i < w->s; i++) {
        for (int k = 0; k < w->n; k++)
            o->x[i * w->n + k] += fraction * w->rhs[unknown_x(w, i, k)];
        for (int r = 0; r < o->count; r++)
            o->lambda[i * o->count + r] += fraction * w->rhs[unknown_lambda(w, i, r)];
    }
}

void lv_rolling_velocity(lv_stages *w, double h)
{
    (void)velocity_of(w, w->s - 1, h);
}

const double *lv_rolling_carried(const lv_stages *w)
{
    lv_rolling *o = w->rolling;
    const double *lambda = memory_of(w) + (size_t)(w->s * w->n);
    double last_h = w->memory[1];
    if (w->memory[0] == 0)
        return NULL;
    for (int r = 0; r < o->count; r++)
        o->carried[r] = lambda[(w->s - 1) * o->count + r] / (last_h * last_h);
    return o->carried;
}

lv_status lv_rolling_diagnose(lv_stages *w, const lv_state *state, double h,
                              lv_error *err)
{
    for (int i = 1; i < w->s; i++) {
        const lv_point point = {.q = lv_row(w->q, i, w->n),
                                .v = velocity_of(w, i, h),
                                .t = lv_stage_time(w, state->t, h, i)};
        if (!isfinite(lv_extent(point.q, w->n)) || !isfinite(lv_extent(point.v, w->n)))
            continue;
        LV_TRY(lv_plan_diagnose(w->rolling->rate, &point, err));
        LV_TRY(lv_plan_diagnose(w->rolling->derivative, &point, err));
    }
    return LV_OK;
}
