/* Lobatto IIIA-IIIB for separable systems (theory 4):
 *
 *   Q_i = q + c_i h v + h^2 sum_{j<s} (A Ah)_ij M^-1 (F_j + G_j^T mu_j),   g(Q_i) = 0, i = 2..s
 *
 * The first row and the last column of A Ah vanish: Q_1 = q is known, mu_s and F_s do not enter.
 * A sweep evaluates g, G, F at the current Q and solves one linear system for the multipliers
 * mu_1 .. mu_{s-1}; for s = 2, which is RATTLE, this is Newton's method and converges
 * quadratically. Then v_1 = v + h sum_j b_j M^-1 (F_j + G_j^T mu_j), made tangent by mu_s.
 *
 * Multipliers are scaled: y_j = h^2 mu_j. Stage s of a step is stage 1 of the next. */
#include "scheme/separable_private.h"

#include "num/extent.h"
#include "step/failure.h"
#include "system/agreement.h"
#include "system/sparse.h"

#include <float.h>
#include <math.h>
#include <string.h>

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* ---- evaluation at a stage ------------------------------------------------------------------- */

static void copy(double *to, const double *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}

void lv_separable_force(lv_separable *w, lv_stage *st, const double *q, double t)
{
    const lv_point point = {.q = q, .v = w->v, .t = t};
    if (w->steady)
        return;
    lv_plan_redirect(w->force, LV_Q_FORCE, st->a);
    lv_plan_run(w->force, &point);
    lv_mass_solve(w->system->mass, st->a);
}

void lv_separable_constraint(lv_separable *w, lv_stage *st, const double *q, double t)
{
    const lv_point point = {.q = q, .v = w->v, .t = t};
    if (w->m == 0)
        return;
    lv_plan_redirect(w->constraint, LV_Q_CONSTRAINT, st->g);
    lv_plan_redirect(w->constraint, LV_Q_JACOBIAN, st->jac);
    lv_plan_run(w->constraint, &point);
}

void lv_separable_weigh(lv_separable *w, lv_stage *st)
{
    if (w->m > 0)
        lv_schur_weigh(w->schur, st->weigh, w->system->mass, st->jac);
}

void lv_separable_accelerate(const lv_separable *w, double *x, double c, double h,
                             const lv_stage *st)
{
    for (int i = 0; i < w->n; i++)
        x[i] += c * st->a[i];
    if (w->m > 0)
        lv_schur_spread(w->schur, x, c / (h * h), st->weigh, st->y);
}

/* ---- the sweep --------------------------------------------------------------------------------- */

static double product(const lv_separable *w, int i, int j)
{
    return w->tableau->aah[i * w->s + j];
}

/* Q_i for the current forces and multipliers, into `to`. */
static void stage_position(const lv_separable *w, double *to, int i,
                           const lv_state *state, double h)
{
    double ch = w->tableau->c[i] * h;
    for (int k = 0; k < w->n; k++)
        to[k] = state->q[k] + ch * w->v[k];
    for (int j = 0; j < w->s - 1; j++)
        if (product(w, i, j) != 0)
            lv_separable_accelerate(w, to, h * h * product(w, i, j), h, &w->stages[j]);
}

static void assemble(lv_separable *w)
{
    int k = w->s - 1;
    double *storage = lv_linear_storage(w->linear);
    lv_linear_clear(w->linear);
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
            lv_schur_add(w->schur, storage, lv_assembly_slots(w->matrix, i * k + j),
                         product(w, i + 1, j), w->stages[i + 1].jac, w->stages[j].weigh);
}

void lv_separable_leave_out(lv_separable *w)
{
    const int k = w->s - 1;
    int count = w->stages[0].gone.count;
    for (int i = 1; i <= k; i++) {
        lv_vanishing_find(&w->vanishing, w->stages[i].jac, &w->stages[i].gone);
        count += w->stages[i].gone.count;
    }
    if (count == 0) {
        lv_held_leave_out(&w->held, w->linear, w->held.lines);
        return;
    }
    for (int r = 0; r < w->m; r++)
        for (int j = 0; j < k; j++)
            w->lines[r * k + j] = w->stages[j].gone.rows[r] ||
                                  w->stages[j + 1].gone.rows[r] ||
                                  (w->held.count > 0 && w->held.lines[r * k + j]);
    lv_linear_leave_out(w->linear, w->lines);
}

/* rhs of stage i: -(g_i + G_i (Q_i' - Q_i)), Q_i' being the position that the current forces and
 * multipliers give. */
static void stage_residual(lv_separable *w, int i, const lv_state *state, double h)
{
    const lv_pattern *g = lv_plan_pattern(w->constraint, LV_Q_JACOBIAN);
    lv_stage *st = &w->stages[i];
    int k = w->s - 1;
    double *residual = w->rhs + (size_t)k * (size_t)w->m;
    copy(residual, st->g, w->m);
    stage_position(w, w->trial, i, state, h);
    for (int c = 0; c < w->n; c++)
        w->trial[c] -= st->q[c];
    lv_sparse_multiply(g, st->jac, 1, w->trial, residual);
    for (int r = 0; r < w->m; r++)
        w->rhs[r * k + i - 1] = -residual[r];
}

/* Corrects the multipliers so that the linearised constraints hold. */
static bool correct_multipliers(lv_separable *w, const lv_state *state, double h)
{
    int k = w->s - 1;
    assemble(w);
    lv_separable_leave_out(w);
    if (!lv_linear_factor(w->linear))
        return false;
    for (int i = 1; i <= k; i++)
        stage_residual(w, i, state, h);
    lv_linear_solve(w->linear, w->rhs);
    for (int j = 0; j < k; j++)
        for (int r = 0; r < w->m; r++)
            w->stages[j].y[r] += w->rhs[r * k + j];
    return true;
}

/* Moves all stages to their new positions; returns the largest relative change. */
static double move_stages(lv_separable *w, const lv_state *state, double h)
{
    double largest = 0;
    for (int i = 1; i < w->s; i++) {
        lv_stage *st = &w->stages[i];
        stage_position(w, w->trial, i, state, h);
        for (int k = 0; k < w->n; k++)
            w->update[k] = w->trial[k] - st->q[k];
        double size = lv_system_relative_size(w->system, w->update, w->trial, w->v, h);
        largest = size <= largest ? largest : size; /* keeps a NaN */
        copy(st->q, w->trial, w->n);
    }
    return largest;
}

static double stage_time(const lv_separable *w, const lv_state *state, double h, int i)
{
    return state->t + w->tableau->c[i] * h;
}

static void evaluate_inner_stages(lv_separable *w, const lv_state *state, double h)
{
    for (int i = 1; i < w->s - 1; i++) {
        double t = stage_time(w, state, h, i);
        lv_separable_constraint(w, &w->stages[i], w->stages[i].q, t);
        lv_separable_weigh(w, &w->stages[i]);
        lv_separable_force(w, &w->stages[i], w->stages[i].q, t);
    }
}

/* Residuals of this size are rounding: of the coordinates, and of what is computed from them. */
static bool holds_to_rounding(const lv_separable *w, const lv_stage *st)
{
    const double rounding = 64 * DBL_EPSILON;
    const lv_pattern *g = lv_plan_pattern(w->constraint, LV_Q_JACOBIAN);
    const double *reach = lv_system_reach(w->system);
    for (int r = 0; r < w->m; r++) {
        double size = 0;
        for (int e = g->start[r]; e < g->start[r + 1]; e++)
            size += fabs(st->jac[e] * st->q[g->column[e]]);
        if (!(fabs(st->g[r]) <= rounding * fmax(size, reach[r])))
            return false;
    }
    return true;
}

lv_verdict lv_separable_test(lv_separable *w, lv_converge *c, double size)
{
    const lv_verdict verdict = lv_converge_test(c, size);
    w->stagnated = false;
    if (verdict == LV_CONVERGED || !lv_converge_stagnates(c))
        return verdict;
    for (int i = 1; i < w->s; i++)
        if (!holds_to_rounding(w, &w->stages[i]))
            return verdict;
    w->stagnated = true;
    return LV_CONVERGED;
}

static lv_verdict sweep(lv_separable *w, const lv_state *state, double h, lv_converge *c)
{
    lv_stage *end = &w->stages[w->s - 1];
    evaluate_inner_stages(w, state, h);
    lv_separable_constraint(w, end, end->q, state->t + h);
    if (w->m > 0 && !correct_multipliers(w, state, h))
        return LV_DIVERGED;
    return lv_separable_test(w, c, move_stages(w, state, h));
}

lv_memory_view lv_separable_memory(lv_separable *w)
{
    return (lv_memory_view){w->history.numbers, lv_history_size(w->m)};
}

void lv_separable_forget(lv_separable *w)
{
    w->known = false;
    lv_history_clear(&w->history);
    lv_held_forget(&w->held);
}

/* ---- the step ------------------------------------------------------------------------------------ */

/* Inner stages are expected to be as the start, multipliers to go on as before, or to be 0. */
static void predict(lv_separable *w, const lv_state *state, double h, bool cautious)
{
    copy(w->v, state->v, w->n);
    if (cautious)
        memset(w->stages[0].y, 0, (size_t)w->m * sizeof *w->stages[0].y);
    else
        lv_history_expect(&w->history, w->stages[0].y, h * h, false);
    lv_held_hand_over(&w->held, w->stages[0].y);
    for (int j = 1; j < w->s - 1; j++) {
        copy(w->stages[j].y, w->stages[0].y, w->m);
        copy(w->stages[j].a, w->stages[0].a, w->n);
        copy(w->stages[j].jac, w->stages[0].jac, w->jac_size);
        copy(w->stages[j].weigh, w->stages[0].weigh, w->weigh_size);
    }
    /* Where velocities were left as they were, the first multiplier does the work of both. */
    double share = lv_history_share(&w->history);
    for (int r = 0; r < w->m; r++)
        w->stages[0].y[r] *= share;
    for (int i = 1; i < w->s; i++)
        stage_position(w, w->stages[i].q, i, state, h);
}

/* v = v + h sum_j b_j M^-1 (F_j + G_j^T mu_j), without mu_s */
static void kick(lv_separable *w, double h)
{
    const double *b = w->tableau->b, *last = w->stages[w->s - 1].a;
    for (int j = 0; j < w->s - 1; j++)
        lv_separable_accelerate(w, w->v, h * b[j], h, &w->stages[j]);
    for (int k = 0; k < w->n; k++)
        w->v[k] += h * b[w->s - 1] * last[k];
}

/* The multipliers of the last stage, with the sign changed: v - M^-1 G^T rate is tangent to the
 * constraints. false if these are dependent, or something is not finite. */
static bool find_tangency(lv_separable *w, double *rate, double t)
{
    lv_stage *end = &w->stages[w->s - 1];
    lv_schur_store(w->schur, lv_linear_storage(w->tangency), lv_linear_slots(w->tangency),
                   1, end->jac, end->weigh);
    if (end->gone.count > 0) {
        lv_linear_leave_out(w->tangency, end->gone.rows);
        if (!lv_linear_factor(w->tangency))
            return false;
    } else if (!lv_dependence_factor(w->system->dependence, w->tangency, 0,
                                     lv_plan_pattern(w->constraint, LV_Q_JACOBIAN),
                                     end->jac))
        return false;
    lv_schur_rate(w->schur, rate, end->jac, w->v);
    if (w->rheonomic) {
        lv_separable_constraint(w, end, end->q, t); /* g_t among it */
        const double *moving = lv_plan_result(w->constraint, LV_Q_CONSTRAINT_T);
        for (int r = 0; r < w->m; r++)
            rate[r] += moving[r];
    }
    lv_linear_solve(w->tangency, rate);
    return isfinite(lv_extent(rate, w->m));
}

/* Which multipliers are held in this step. */
static void hold(lv_separable *w, const lv_state *state)
{
    const lv_pattern *g = lv_plan_pattern(w->constraint, LV_Q_JACOBIAN);
    lv_held_find(&w->held, state, g, w->stages[0].jac);
    for (int j = 0; j < w->s - 1; j++)
        lv_held_mark(&w->held, (lv_range_of){j, w->s - 1});
}

/* Force and Jacobian at the start, unless the last step ended there. */
static void begin(lv_separable *w, const lv_state *state, double h)
{
    lv_history_begin(&w->history, h);
    if (!w->known) {
        lv_separable_constraint(w, &w->stages[0], state->q, state->t);
        lv_separable_weigh(w, &w->stages[0]);
        lv_separable_force(w, &w->stages[0], state->q, state->t);
        if (w->m > 0)
            lv_vanishing_find(&w->vanishing, w->stages[0].jac, &w->stages[0].gone);
    }
    if (w->m > 0)
        hold(w, state);
}

/* A formula without a finite value at one of the stages: LV_ERR_DOMAIN, with its place. */
static lv_status diagnose_stages(lv_separable *w, const lv_state *state, double h,
                                 lv_error *err)
{
    for (int i = 0; i < w->s; i++) {
        const lv_point point = {.q = i == 0 ? state->q : w->stages[i].q,
                                .v = state->v,
                                .t = stage_time(w, state, h, i)};
        if (!isfinite(lv_extent(point.q, w->n)))
            continue; /* the iteration is to blame, not the formula */
        LV_TRY(lv_plan_diagnose(w->force, &point, err));
        LV_TRY(lv_plan_diagnose(w->constraint, &point, err));
    }
    return LV_OK;
}

/* Where numbers ceased to be finite: here, or on the way, which is gone again. */
static lv_status diagnose(lv_separable *w, const lv_state *state, double h, int sweeps,
                          lv_error *err)
{
    lv_converge c;
    LV_TRY(diagnose_stages(w, state, h, err));
    begin(w, state, h);
    if (w->rattle) {
        for (int k = 0; k < 2 * LV_SEPARABLE_MOST; k++) {
            lv_rattle_retrace(w, state, h, k % 2 == 1, k / 2);
            LV_TRY(diagnose_stages(w, state, h, err));
        }
        return LV_OK;
    }
    predict(w, state, h, false);
    lv_converge_start(&c, 0, sweeps);
    LV_TRY(diagnose_stages(w, state, h, err));
    for (int k = 0; k < sweeps; k++) {
        (void)sweep(w, state, h, &c);
        LV_TRY(diagnose_stages(w, state, h, err));
    }
    return LV_OK;
}

/* The step that failed, for a look at where. */
typedef struct way {
    lv_separable *w;
    const lv_state *state;
    double h;
    int sweeps;
} way;

static lv_status trace(void *work, lv_error *err)
{
    const way *x = work;
    return diagnose(x->w, x->state, x->h, x->sweeps, err);
}

lv_status lv_separable_stuck(lv_separable *w, const lv_state *state, double h,
                             const lv_converge *c, lv_error *err)
{
    way back = {w, state, h, c->count + 1};
    const bool begun = c->count > 0;
    const lv_step_failure failure = {
        .system = w->system,
        .why = begun ? lv_converge_reason(c) : LV_WHY_SINGULAR,
        .change = c->size,
        .iterations = c->count,
        .lost = !begun || !isfinite(c->size),
        .constraints = w->m > 0 ? w->stages[w->s - 1].g : NULL,
        .trace = trace,
        .work = &back};
    return lv_step_failed(&failure, err);
}

static bool is_misled(lv_separable *w, const lv_converge *c, const lv_state *state,
                      double h)
{
    if (!lv_separable_doubts(c) || w->m == 0)
        return false;
    memset(w->update, 0, (size_t)w->n * sizeof *w->update);
    lv_schur_spread(w->schur, w->update, 0.5, w->stages[0].weigh, w->stages[0].y);
    return c->size > LV_SEPARABLE_MISLED ||
           c->size > LV_SEPARABLE_WORTHLESS *
                         lv_system_relative_size(w->system, w->update, state->q, w->v, h);
}

static lv_verdict sweep_all(lv_separable *w, const lv_state *state, double h,
                            bool cautious, lv_converge *c)
{
    lv_verdict verdict = LV_GO_ON;
    predict(w, state, h, cautious);
    lv_converge_start(c, LV_SEPARABLE_TOLERANCE, LV_SEPARABLE_MOST);
    while (verdict == LV_GO_ON || verdict == LV_SLOW) {
        verdict = sweep(w, state, h, c);
        if (!cautious && is_misled(w, c, state, h))
            return LV_DIVERGED;
    }
    return verdict;
}

/* Sweeps until the stages stand still; once more with care where too much was expected. */
static lv_status solve_stages(lv_separable *w, const lv_state *state, double h,
                              lv_converge *c, lv_error *err)
{
    lv_verdict verdict = sweep_all(w, state, h, false, c);
    if (verdict != LV_CONVERGED && w->m > 0)
        verdict = sweep_all(w, state, h, true, c);
    return verdict == LV_CONVERGED ? LV_OK : lv_separable_stuck(w, state, h, c, err);
}

static lv_status general_step(lv_separable *w, const lv_state *state, double h,
                              lv_step_report *report, lv_error *err)
{
    lv_converge c = {0};
    LV_TRY(solve_stages(w, state, h, &c, err));
    report->iterations = c.count;

    /* The last sweep moved the stages once more: the momentum is made of what is there now. */
    evaluate_inner_stages(w, state, h);
    lv_separable_arrive(w, state->t + h);
    kick(w, h);
    c.size = lv_extent(w->stages[w->s - 1].q, w->n) + lv_extent(w->v, w->n);
    return isfinite(c.size) ? LV_OK : lv_separable_stuck(w, state, h, &c, err);
}

void lv_separable_arrive(lv_separable *w, double t)
{
    lv_stage *end = &w->stages[w->s - 1];
    lv_separable_constraint(w, end, end->q, t);
    lv_separable_weigh(w, end);
    lv_separable_force(w, end, end->q, t);
    if (w->m > 0)
        lv_vanishing_find(&w->vanishing, end->jac, &end->gone);
}

/* The end of the step becomes the state: q, v - M^-1 G^T rate, and p = M v if M is diagonal. */
typedef struct ending {
    const double *rate, *mass; /* either may be NULL */
} ending;

INLINE void commit_stretch(const lv_separable *w, lv_state *state, ending e,
                           lv_stretch some, int width)
{
    const lv_stage *end = &w->stages[w->s - 1];
    for (int k = some.from, i = k * width; k < some.to; k++) {
        double push[3];
        lv_columns_sum(w->columns, some, k, width, end->weigh, e.rate, push);
        for (int j = 0; j < width; j++, i++) {
            const double v = w->v[i] - push[j];
            state->q[i] = end->q[i];
            state->v[i] = v;
            if (e.mass)
                state->p[i] = e.mass[i] * v;
        }
    }
}

INLINE void commit_sized(const lv_separable *w, lv_state *state, ending e, int width)
{
    for (int part = 0; part < LV_STRETCHES; part++)
        commit_stretch(w, state, e,
                       lv_alike_stretch(w->columns->alike, w->columns->groups, part),
                       width);
}

static void commit(const lv_separable *w, lv_state *state, const double *rate)
{
    const lv_mass *mass = w->system->mass;
    const double *values = lv_plan_result(w->system->legendre, LV_Q_MASS);
    const ending e = {rate, lv_mass_inverse_diagonal(mass) ? values : NULL};
    switch (rate ? w->columns->width : 0) {
    case 3:
        commit_sized(w, state, e, 3);
        break;
    case 2:
        commit_sized(w, state, e, 2);
        break;
    case 1:
        commit_sized(w, state, e, 1);
        break;
    default:
        copy(state->q, w->stages[w->s - 1].q, w->n);
        copy(state->v, w->v, w->n);
    }
    if (!rate || !e.mass)
        lv_mass_multiply(mass, values, state->p, state->v);
}

/* The last stage becomes the first one of the next step. */
static void remember(lv_separable *w, double h, bool project, bool missed)
{
    const lv_stage first = w->stages[0];
    const double scale = h * h * lv_history_share(&w->history);
    lv_history_add(&w->history, first.y, scale, project, missed);
    w->stages[0] = w->stages[w->s - 1];
    w->stages[w->s - 1] = first;
    w->known = w->system->autonomous; /* else t and its rounding matter */
}

/* Dependent constraints, solved in the least-norm sense, have to agree. */
static lv_status check_agreement(lv_separable *w, bool tangent, double t, lv_error *err)
{
    const lv_stage *end = &w->stages[w->s - 1];
    const lv_pattern *g = lv_plan_pattern(w->constraint, LV_Q_JACOBIAN);
    if (w->stages[0].gone.count + end->gone.count > 0)
        return LV_OK; /* later steps will tell */
    if (w->m > 0 && lv_linear_redundant(w->linear) > 0 &&
        !lv_system_residuals_vanish(g, end->jac, end->g, lv_extent(end->q, w->n)))
        LV_TRY(lv_system_agree_position(w->system, t, end->q, err));
    if (!tangent || lv_linear_redundant(w->tangency) == 0)
        return LV_OK;
    copy(w->trial, w->v, w->n);
    lv_schur_spread(w->schur, w->trial, -1, end->weigh, w->rhs);
    double *rate = w->rhs + w->m;
    lv_schur_rate(w->schur, rate, end->jac, w->trial);
    return !w->rheonomic && lv_system_residuals_vanish(g, end->jac, rate,
                                                       lv_extent(w->trial, w->n))
               ? LV_OK
               : lv_system_agree_velocity(w->system, t, end->q, w->trial, err);
}

lv_status lv_separable_step(lv_separable *w, lv_state *state, double h, bool project,
                            lv_step_report *report, lv_error *err)
{
    const bool tangent = project && w->m > 0;
    begin(w, state, h);
    w->known = false;
    LV_TRY((w->rattle ? lv_rattle_step : general_step)(w, state, h, report, err));
    if (tangent && !find_tangency(w, w->rhs, state->t + h))
        return lv_step_dependent(w->system, state->t + h, w->stages[w->s - 1].q, w->v,
                                 err);
    LV_TRY(check_agreement(w, tangent, state->t + h, err));
    report->stagnated =
        w->m > 0 &&
        (w->stagnated || w->stages[0].gone.count + w->stages[w->s - 1].gone.count > 0);
    commit(w, state, tangent ? w->rhs : NULL);
    remember(w, h, project, report->iterations > 1);
    return LV_OK;
}
