/* With Legendre series in the local time of a step, B_a those of the accelerations M^-1 F,
 *
 *   Q = q e_0 + h X_q (v' e_0 + h X_p B),   q1 = q + h (v' + h (X_p B)_0),   v1 = v' + h B_0
 *   B_a = (2a + 1) sum_i b_i L_a(c_i) M^-1 F(q~(c_i)),   F = -DV + f + G^T lambda~
 *
 * X integrates a series; at its top degree jumps of q~ or p~ take what is cut off. Constraints:
 * v' = v + M^-1 G(q)^T nu, lambda~ a series Lam, asked are g(q1) = 0 and sum_i b_i L_j(c_i) g_i = 0.
 * Corrections of (nu, Lam) come from the matrix that all this has at frozen gradients,
 * E (x) G M^-1 G^T, E a small constant matrix: one factorisation a step, no second derivatives. */
#include "scheme/nystroem.h"

#include "base/memory.h"
#include "num/dense.h"
#include "num/extent.h"
#include "num/legendre.h"
#include "solve/converge.h"
#include "step/failure.h"
#include "system/agreement.h"
#include "system/sparse.h"

#include <math.h>
#include <string.h>

enum { TERMS = LV_RULE_MOST + 2 }; /* at most */

struct lv_nystroem {
    lv_system *system;
    lv_arena arena;
    lv_plan *force, *constraint;
    lv_schur *schur;
    lv_linear *z; /* G M^-1 G^T at the start of the step */
    lv_closure closure;
    int n, m, terms, points, k; /* k: series coefficients of the multipliers */
    int p_terms;                /* of p~, hence of the velocities */
    double *c, *b;
    double *l; /* L_a(c_i): points x terms */
    double *xq,
        *xp; /* integration of the velocities (terms x p_terms), of the accelerations */
    double *xx;                 /* both: terms x terms */
    double *extrapolate, theta; /* terms x terms */
    double *seen;               /* what the rule makes of multipliers: terms x k */
    double *e;                  /* (k+1) x (k+1), factored */
    int *e_pivot;
    double *a, *next;  /* accelerations' series: [term][n] */
    double *q, *trial; /* positions' series: [term][n] */
    double *place, *end, *v, *kicked, *work;
    double *last_end;       /* of the iteration before */
    double *y;              /* h nu, then h^2 Lam: [1 + k][m] */
    double *residual, *mix; /* likewise */
    double *g0, *weighted;  /* gradients at the start */
    double *memory;         /* carried: h, series of accelerations, of multipliers */
};

/* ---- coefficients ------------------------------------------------------------------------------ */

/* Entry (row, column) of the integration of a series, cut at degree `top` with `jump` there. */
static double integration(int row, int column, int top, double jump)
{
    if (row == 0 && column == 0)
        return 0.5 + (top == 0 ? 0.5 * jump : 0);
    if (row == column + 1)
        return 1 / (2 * (2 * (double)column + 1));
    if (row == column - 1)
        return -1 / (2 * (2 * (double)column + 1));
    return row == column && row == top ? jump / (2 * (2 * (double)top + 1)) : 0;
}

static void fill_integrations(lv_nystroem *w)
{
    bool c = w->closure == LV_CLOSURE_C;
    double jump_q = c ? 0 : w->closure == LV_CLOSURE_RL ? -1 : 1;
    double jump_p = c ? 0 : w->closure == LV_CLOSURE_LR ? -1 : 1;
    int top = w->terms - 1;
    for (int i = 0; i < w->terms; i++)
        for (int j = 0; j < w->p_terms; j++)
            w->xq[i * w->p_terms + j] = integration(i, j, c ? -1 : top, jump_q);
    for (int i = 0; i < w->p_terms; i++)
        for (int j = 0; j < w->terms; j++)
            w->xp[i * w->terms + j] = integration(i, j, c ? -1 : top, jump_p);
    for (int i = 0; i < w->terms; i++)
        for (int j = 0; j < w->terms; j++) {
            double sum = 0;
            for (int k = 0; k < w->p_terms; k++)
                sum += w->xq[i * w->p_terms + k] * w->xp[k * w->terms + j];
            w->xx[i * w->terms + j] = sum;
        }
}

/* Entry (a, j): coefficient a of what the rule makes of L_j. That is L_j again, but for rectangles,
 * to which Legendre polynomials are not orthogonal. */
static void fill_seen(lv_nystroem *w)
{
    const double rounding = 1e-13;
    for (int a = 0; a < w->terms; a++)
        for (int j = 0; j < w->k; j++) {
            double sum = 0;
            for (int i = 0; i < w->points; i++)
                sum += (2 * a + 1) * w->b[i] * w->l[i * w->terms + a] *
                       w->l[i * w->terms + j];
            bool exact = fabs(sum - (a == j)) < rounding;
            w->seen[a * w->k + j] = exact ? a == j : sum;
        }
}

/* Moment j of a series, as the rule sees it; its coefficients are `stride` numbers apart. */
static double moment(const lv_nystroem *w, int j, const double *series, int stride)
{
    double sum = 0;
    for (int a = 0; a < w->terms; a++)
        sum += w->seen[a * w->k + j] * series[(size_t)a * (size_t)stride] / (2 * a + 1);
    return sum;
}

/* How g(q1) and the moments of g answer to nu and Lam, at frozen gradients. */
static bool fill_multiplier_matrix(lv_nystroem *w)
{
    double column[TERMS];
    int size = w->k + 1;
    w->e[0] = 1;
    for (int i = 1; i < size; i++)
        w->e[(size_t)i * (size_t)size] =
            w->p_terms > 0 ? moment(w, i - 1, w->xq, w->p_terms) : 0;
    for (int j = 1; j < size; j++) {
        double end = 0;
        for (int a = 0; a < w->terms; a++) {
            column[a] = 0;
            for (int b = 0; b < w->terms; b++)
                column[a] += w->xx[a * w->terms + b] * w->seen[b * w->k + j - 1];
            end += w->xp[a] * w->seen[a * w->k + j - 1];
        }
        w->e[j] = end;
        for (int i = 1; i < size; i++)
            w->e[i * size + j] = moment(w, i - 1, column, 1);
    }
    return lv_lu_factor(w->e, size, w->e_pivot);
}

/* Row a: coefficient a of the series taken at 1 + theta x. */
static void fill_extrapolation(lv_nystroem *w, double theta)
{
    double c[LV_RULE_MOST], b[LV_RULE_MOST], here[TERMS], there[TERMS];
    int points = w->terms + 1 < LV_RULE_MOST ? w->terms + 1 : LV_RULE_MOST;
    lv_rule_nodes(c, b, LV_RULE_GAUSS, points);
    memset(w->extrapolate, 0, (size_t)(w->terms * w->terms) * sizeof *w->extrapolate);
    for (int i = 0; i < points; i++) {
        lv_legendre_shifted(here, NULL, w->terms - 1, c[i]);
        lv_legendre_shifted(there, NULL, w->terms - 1, 1 + theta * c[i]);
        for (int r = 0; r < w->terms; r++)
            for (int j = 0; j < w->terms; j++)
                w->extrapolate[r * w->terms + j] +=
                    (2 * r + 1) * b[i] * here[r] * there[j];
    }
    w->theta = theta;
}

/* ---- creation ------------------------------------------------------------------------------------ */

static lv_status make_room(lv_nystroem *w, lv_error *err)
{
    int n = w->n, m = w->m, terms = w->terms, size = w->k + 1;
    int entries = lv_pattern_entries(lv_plan_pattern(w->constraint, LV_Q_JACOBIAN));
    int weighted = w->schur ? lv_schur_weighted_size(w->schur) : 0;
    double **blocks[] = {
        &w->c,   &w->b,  &w->l,        &w->xq,          &w->xp,       &w->xx,
        &w->e,   &w->a,  &w->next,     &w->q,           &w->trial,    &w->place,
        &w->end, &w->v,  &w->kicked,   &w->work,        &w->y,        &w->residual,
        &w->mix, &w->g0, &w->weighted, &w->extrapolate, &w->last_end, &w->seen};
    int sizes[] = {w->points,
                   w->points,
                   w->points * terms,
                   terms * w->p_terms,
                   w->p_terms * terms,
                   terms * terms,
                   size * size,
                   terms * n,
                   terms * n,
                   terms * n,
                   terms * n,
                   n,
                   n,
                   n,
                   n,
                   n,
                   size * m,
                   size * m,
                   size,
                   entries,
                   weighted,
                   terms * terms,
                   n,
                   terms * w->k};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        *blocks[k] = lv_arena_alloc(&w->arena, (size_t)sizes[k] + 1, sizeof(double));
        if (!*blocks[k])
            return lv_fail_memory(err);
    }
    w->e_pivot = lv_arena_alloc(&w->arena, (size_t)size, sizeof *w->e_pivot);
    return w->e_pivot ? LV_OK : lv_fail_memory(err);
}

static lv_status fill(lv_nystroem *w, const lv_galerkin *g, lv_error *err)
{
    const lv_model *model = w->system->model;
    w->n = w->system->n;
    w->m = w->system->m;
    w->closure = g->closure;
    w->terms = g->degree + 1;
    w->p_terms = g->closure == LV_CLOSURE_C ? g->degree : g->degree + 1;
    w->points = g->points;
    w->k = w->m > 0 ? g->coefficients : 0;
    LV_TRY(lv_plan_create(&w->force, model, LV_WANT(FORCE), err));
    LV_TRY(lv_plan_create(&w->constraint, model, LV_WANT(CONSTRAINT) | LV_WANT(JACOBIAN),
                          err));
    if (w->m > 0) {
        LV_TRY(lv_schur_create(&w->schur, lv_plan_pattern(w->constraint, LV_Q_JACOBIAN),
                               w->system->mass, err));
        LV_TRY(lv_linear_create_symmetric(&w->z, lv_schur_pattern(w->schur),
                                          LV_BACK_END_AUTO, NULL, err));
    }
    LV_TRY(make_room(w, err));
    memcpy(w->c, g->c, (size_t)w->points * sizeof *w->c);
    memcpy(w->b, g->b, (size_t)w->points * sizeof *w->b);
    for (int i = 0; i < w->points; i++)
        lv_legendre_shifted(w->l + (size_t)i * (size_t)w->terms, NULL, w->terms - 1,
                            w->c[i]);
    fill_integrations(w);
    fill_seen(w);
    return fill_multiplier_matrix(w)
               ? LV_OK
               : lv_fail(err, LV_ERR_MODEL, "the multipliers have too many coefficients");
}

lv_status lv_nystroem_create(lv_nystroem **result, lv_system *system,
                             const lv_galerkin *galerkin, lv_error *err)
{
    *result = NULL;
    lv_nystroem *w = lv_memory_zeroed(1, sizeof *w);
    if (!w)
        return lv_fail_memory(err);
    w->system = system;
    lv_status status = fill(w, galerkin, err);
    if (status == LV_OK)
        *result = w;
    else
        lv_nystroem_free(w);
    return status;
}

void lv_nystroem_free(lv_nystroem *w)
{
    if (!w)
        return;
    lv_plan_free(w->force);
    lv_plan_free(w->constraint);
    lv_schur_free(w->schur);
    lv_linear_free(w->z);
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}

int lv_nystroem_memory_size(const lv_nystroem *w)
{
    return 1 + w->terms * w->n + w->k * w->m;
}

void lv_nystroem_use_memory(lv_nystroem *w, double *memory)
{
    w->memory = memory;
}

void lv_nystroem_forget(lv_nystroem *w)
{
    w->memory[0] = 0;
}

/* ---- one iteration ---------------------------------------------------------------------------------- */

static double *term(const lv_nystroem *w, double *series, int a)
{
    return series + (size_t)a * (size_t)w->n;
}

static void copy(double *to, const double *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}

/* x += c y */
static void add(double *x, double c, const double *y, int n)
{
    for (int k = 0; c != 0 && k < n; k++)
        x[k] += c * y[k];
}

/* Positions' series and end for the accelerations `a`; w->kicked is v'. */
static void integrate(lv_nystroem *w, double *q, const lv_state *state, double h,
                      const double *a)
{
    int n = w->n;
    for (int r = 0; r < w->terms; r++) {
        double *to = term(w, q, r);
        memset(to, 0, (size_t)n * sizeof *to);
        if (r == 0)
            copy(to, state->q, n);
        if (w->p_terms > 0)
            add(to, h * w->xq[(size_t)r * (size_t)w->p_terms], w->kicked, n);
        for (int j = 0; j < w->terms; j++)
            add(to, h * h * w->xx[r * w->terms + j], a + (size_t)j * (size_t)n, n);
    }
    copy(w->end, state->q, n);
    add(w->end, h, w->kicked, n);
    for (int j = 0; j < w->terms; j++)
        add(w->end, h * h * w->xp[j], a + (size_t)j * (size_t)n, n);
}

/* v' = v + M^-1 G(q)^T nu */
static void kick(lv_nystroem *w, const lv_state *state, double h)
{
    copy(w->kicked, state->v, w->n);
    if (w->m > 0)
        lv_schur_spread(w->schur, w->kicked, 1 / h, w->weighted, w->y);
}

/* Force at point i, constraint forces among it; adds the moments of the constraints. */
static const double *force_at(lv_nystroem *w, const lv_state *state, double h, int i)
{
    const double *l = w->l + (size_t)i * (size_t)w->terms;
    memset(w->place, 0, (size_t)w->n * sizeof *w->place);
    for (int a = 0; a < w->terms; a++)
        add(w->place, l[a], term(w, w->q, a), w->n);
    const lv_point point = {.q = w->place, .v = state->v, .t = state->t + w->c[i] * h};
    lv_plan_run(w->force, &point);
    copy(w->work, lv_plan_result(w->force, LV_Q_FORCE), w->n);
    if (w->k == 0)
        return w->work;
    const double *g = lv_plan_result(w->constraint, LV_Q_CONSTRAINT);
    lv_plan_run(w->constraint, &point);
    for (int j = 0; j < w->k; j++) {
        add(w->residual + (size_t)((j + 1) * w->m), w->b[i] * l[j], g, w->m);
        lv_sparse_multiply_transposed(lv_plan_pattern(w->constraint, LV_Q_JACOBIAN),
                                      lv_plan_result(w->constraint, LV_Q_JACOBIAN),
                                      l[j] / (h * h), w->y + (size_t)((j + 1) * w->m),
                                      w->work);
    }
    return w->work;
}

/* The series of the accelerations along the positions w->q, into w->next. */
static void sweep(lv_nystroem *w, const lv_state *state, double h)
{
    memset(w->next, 0, (size_t)(w->terms * w->n) * sizeof *w->next);
    memset(w->residual, 0, (size_t)((w->k + 1) * w->m) * sizeof *w->residual);
    for (int i = 0; i < w->points; i++) {
        const double *force = force_at(w, state, h, i);
        const double *l = w->l + (size_t)i * (size_t)w->terms;
        for (int a = 0; a < w->terms; a++)
            add(term(w, w->next, a), (2 * a + 1) * w->b[i] * l[a], force, w->n);
    }
    for (int a = 0; a < w->terms; a++)
        lv_mass_solve(w->system->mass, term(w, w->next, a));
    if (w->m == 0)
        return;
    const lv_point end = {.q = w->end, .v = state->v, .t = state->t + h};
    lv_plan_run(w->constraint, &end);
    copy(w->residual, lv_plan_result(w->constraint, LV_Q_CONSTRAINT), w->m);
}

/* (nu, Lam) -= (E (x) Z)^-1 residual, and what that does to the accelerations. */
static void correct_multipliers(lv_nystroem *w)
{
    int size = w->k + 1, m = w->m;
    for (int j = 0; j < size; j++)
        lv_dependence_solve(w->system->dependence, w->z,
                            lv_plan_pattern(w->constraint, LV_Q_JACOBIAN), w->g0,
                            w->residual + (size_t)(j * m));
    for (int r = 0; r < m; r++) {
        for (int j = 0; j < size; j++)
            w->mix[j] = w->residual[j * m + r];
        lv_lu_solve(w->e, size, w->e_pivot, w->mix);
        for (int j = 0; j < size; j++) {
            w->residual[j * m + r] = w->mix[j];
            w->y[j * m + r] -= w->mix[j];
        }
    }
}

static void push_accelerations(lv_nystroem *w, double h)
{
    for (int a = 0; a < w->terms; a++)
        for (int j = 0; j < w->k; j++)
            if (w->seen[a * w->k + j] != 0)
                lv_schur_spread(w->schur, term(w, w->next, a),
                                -w->seen[a * w->k + j] / (h * h), w->weighted,
                                w->residual + (size_t)((j + 1) * w->m));
}

/* The change of all positions of the step, bounded by that of the series, and of its end. */
static double change(lv_nystroem *w, const lv_state *state, double h)
{
    for (int k = 0; k < w->n; k++)
        w->work[k] = fabs(w->end[k] - w->last_end[k]);
    for (int a = 0; a < w->terms; a++)
        for (int k = 0; k < w->n; k++)
            w->work[k] += fabs(w->trial[a * w->n + k] - w->q[a * w->n + k]);
    return lv_system_relative_size(w->system, w->work, state->q, state->v, h);
}

static lv_verdict iterate(lv_nystroem *w, const lv_state *state, double h, lv_converge *c)
{
    enum { MOST = 60, PATIENCE = 8 };
    const double rounding = 1e-13;
    lv_verdict verdict = LV_GO_ON;
    /* What is left of multipliers pushes velocities by as much over h, always the same way. */
    lv_converge_start(c, w->m > 0 ? 2e-18 : 2e-16, MOST);
    c->linear = true;
    kick(w, state, h);
    integrate(w, w->q, state, h, w->a);
    while (verdict == LV_GO_ON || verdict == LV_SLOW) {
        sweep(w, state, h);
        if (w->m > 0) {
            correct_multipliers(w);
            push_accelerations(w, h);
            kick(w, state, h);
        }
        copy(w->last_end, w->end, w->n);
        integrate(w, w->trial, state, h, w->next);
        verdict = lv_converge_test(c, change(w, state, h));
        double *old = w->q;
        w->q = w->trial;
        w->trial = old;
        old = w->a;
        w->a = w->next;
        w->next = old;
        if (c->count > PATIENCE && c->rate > 0.7 && verdict != LV_CONVERGED)
            return c->size < rounding ? LV_CONVERGED
                                      : LV_DIVERGED; /* others will do this better */
    }
    return verdict;
}

/* ---- the step ------------------------------------------------------------------------------------------ */

/* Gradients at the start of the step, and what is to be factored there. */
static bool begin(lv_nystroem *w, const lv_state *state)
{
    if (w->m == 0)
        return true;
    const lv_point start = {.q = state->q, .v = state->v, .t = state->t};
    lv_plan_run(w->constraint, &start);
    copy(w->g0, lv_plan_result(w->constraint, LV_Q_JACOBIAN),
         lv_pattern_entries(lv_plan_pattern(w->constraint, LV_Q_JACOBIAN)));
    lv_schur_weigh(w->schur, w->weighted, w->system->mass, w->g0);
    lv_schur_store(w->schur, lv_linear_storage(w->z), lv_linear_slots(w->z), 1, w->g0,
                   w->weighted);
    return lv_dependence_factor(w->system->dependence, w->z, 0,
                                lv_plan_pattern(w->constraint, LV_Q_JACOBIAN), w->g0);
}

static lv_status predict_first(lv_nystroem *w, const lv_state *state, double h,
                               lv_error *err)
{
    memset(w->a, 0, (size_t)(w->terms * w->n) * sizeof *w->a);
    memset(w->y, 0, (size_t)((w->k + 1) * w->m) * sizeof *w->y);
    double *lambda = w->residual;
    LV_TRY(lv_system_accelerations(w->system, w->a, lambda, state->t, state->q, state->v,
                                   err));
    if (!isfinite(lv_extent(w->a, w->n))) { /* no point of the rule need be at the node */
        memset(w->a, 0, (size_t)w->n * sizeof *w->a);
        memset(lambda, 0, (size_t)w->m * sizeof *lambda);
    }
    for (int r = 0; r < w->m && w->k > 0; r++)
        w->y[w->m + r] = h * h * lambda[r];
    return LV_OK;
}

static void predict_next(lv_nystroem *w, double h)
{
    double theta = h / w->memory[0];
    const double *a = w->memory + 1, *lambda = a + (size_t)(w->terms * w->n);
    if (theta != w->theta)
        fill_extrapolation(w, theta);
    memset(w->a, 0, (size_t)(w->terms * w->n) * sizeof *w->a);
    memset(w->y, 0, (size_t)((w->k + 1) * w->m) * sizeof *w->y);
    for (int r = 0; r < w->terms; r++)
        for (int j = 0; j < w->terms; j++)
            add(term(w, w->a, r), w->extrapolate[r * w->terms + j],
                a + (size_t)(j * w->n), w->n);
    for (int r = 0; r < w->k; r++)
        for (int j = 0; j < w->k; j++)
            add(w->y + (size_t)((r + 1) * w->m), h * h * w->extrapolate[r * w->terms + j],
                lambda + (size_t)(j * w->m), w->m);
}

static void remember(lv_nystroem *w, double h)
{
    double *lambda = w->memory + 1 + (size_t)(w->terms * w->n);
    w->memory[0] = h;
    copy(w->memory + 1, w->a, w->terms * w->n);
    for (int k = 0; k < w->k * w->m; k++)
        lambda[k] = w->y[w->m + k] / (h * h);
}

/* The last point of the step that failed. */
typedef struct last_point {
    lv_nystroem *w;
    lv_point at;
} last_point;

static lv_status trace(void *work, lv_error *err)
{
    const last_point *x = work;
    LV_TRY(lv_plan_diagnose(x->w->force, &x->at, err));
    return x->w->m > 0 ? lv_plan_diagnose(x->w->constraint, &x->at, err) : LV_OK;
}

static lv_status failed(lv_nystroem *w, const lv_state *state, double h,
                        const lv_converge *c, lv_error *err)
{
    last_point here = {w, {.q = w->place, .v = state->v, .t = state->t + h}};
    const lv_step_failure failure = {.system = w->system,
                                     .why = lv_converge_reason(c),
                                     .change = c->size,
                                     .iterations = c->count,
                                     .trace = trace,
                                     .work = &here};
    return lv_step_failed(&failure, err);
}

lv_status lv_nystroem_step(lv_nystroem *w, lv_state *state, double h, bool project,
                           lv_step_report *report, lv_error *err)
{
    lv_converge c = {0};
    if (w->memory[0] != 0)
        predict_next(w, h);
    else
        LV_TRY(predict_first(w, state, h, err));
    if (!begin(w, state))
        return lv_step_dependent(w->system, state->t, state->q, state->v, err);
    if (iterate(w, state, h, &c) != LV_CONVERGED)
        return failed(w, state, h, &c, err);
    report->iterations = c.count;
    if (w->m > 0 && lv_linear_redundant(w->z) > 0)
        LV_TRY(lv_system_agree_position(w->system, state->t + h, w->end, err));
    copy(w->v, w->kicked, w->n);
    add(w->v, h, w->a, w->n);
    if (project && w->m > 0)
        LV_TRY(lv_system_project_velocity(w->system, w->v, state->t + h, w->end, err));
    if (!isfinite(lv_extent(w->end, w->n)) || !isfinite(lv_extent(w->v, w->n))) {
        c.size = (double)NAN;
        return failed(w, state, h, &c, err);
    }
    remember(w, h);
    copy(state->q, w->end, w->n);
    copy(state->v, w->v, w->n);
    lv_system_momentum(w->system, state->p, state->t + h, state->q, state->v);
    return LV_OK;
}

/* The series of the velocities of the last step, V = v' e_0 + h X_p B, into w->trial. */
static void velocity_series(lv_nystroem *w, double h)
{
    for (int r = 0; r < w->p_terms; r++) {
        double *to = term(w, w->trial, r);
        memset(to, 0, (size_t)w->n * sizeof *to);
        if (r == 0)
            copy(to, w->kicked, w->n);
        for (int j = 0; j < w->terms; j++)
            add(to, h * w->xp[r * w->terms + j], term(w, w->a, j), w->n);
    }
}

void lv_nystroem_visit(lv_nystroem *w, const lv_state *before, double h,
                       lv_stage_visit visit, void *user)
{
    velocity_series(w, h);
    for (int i = 0; i < w->points; i++) {
        const double *l = w->l + (size_t)i * (size_t)w->terms;
        memset(w->place, 0, (size_t)w->n * sizeof *w->place);
        memset(w->work, 0, (size_t)w->n * sizeof *w->work);
        for (int a = 0; a < w->terms; a++)
            add(w->place, l[a], term(w, w->q, a), w->n);
        for (int a = 0; a < w->p_terms; a++)
            add(w->work, l[a], term(w, w->trial, a), w->n);
        const lv_stage_point stage = {before->t + w->c[i] * h, w->b[i], w->place,
                                      w->work};
        visit(user, &stage);
    }
}

/* W = M B */
lv_slopes lv_nystroem_slopes(lv_nystroem *w, const lv_state *before, double h)
{
    const double *mass = lv_plan_result(w->system->legendre, LV_Q_MASS);
    velocity_series(w, h);
    for (int r = 0; r < w->terms; r++)
        lv_mass_multiply(w->system->mass, mass, term(w, w->next, r), term(w, w->a, r));
    lv_mass_multiply(w->system->mass, mass, w->place, w->kicked);
    return (lv_slopes){.closure = w->closure,
                       .degree = w->terms - 1,
                       .v = w->trial,
                       .w = w->next,
                       .q = before->q,
                       .p = w->place,
                       .h = h,
                       .lambda = w->memory + 1 + (size_t)(w->terms * w->n),
                       .lambda_terms = w->k};
}
