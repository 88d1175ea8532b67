/* With A = Phi_v(q, t) and everything at q1 in the second and third line:
 *
 *   v' = v + h/2 M^-1 (F(q) + A^T lambda),   q1 = q + h v'
 *   h/2 A M^-1 A^T lambda1 = -Phi(q1, v' + h/2 M^-1 F)
 *   v1 = v' + h/2 M^-1 (F + A^T lambda1)
 *
 * Forces, A and lambda of the end are those that the next step begins with. */
#include "scheme/leapfrog.h"

#include "base/memory.h"
#include "num/extent.h"
#include "scheme/dense.h"
#include "step/failure.h"
#include "system/agreement.h"

#include <math.h>
#include <string.h>

/* What is known at a node. */
typedef struct node {
    double *a;      /* M^-1 F */
    double *push;   /* M^-1 A^T lambda */
    double *lambda; /* multipliers */
} node;

struct lv_leapfrog {
    lv_system *system;
    const lv_tableau *tableau;
    lv_arena arena;
    lv_plan *force, *rate;
    const lv_schur *schur;
    lv_linear *z; /* A M^-1 A^T */
    int n, m;     /* coordinates, constraints */
    node from, to;
    double *q, *v, *weighted, *slopes;
    double *memory; /* whether multipliers are known; these */
    bool known;     /* `from` is at the state */
};

bool lv_leapfrog_fits(const lv_system *system)
{
    return system->separable && system->m == 0 && system->has_nonholonomic &&
           system->affine && lv_saddle_schur(system->saddle) != NULL;
}

/* ---- creation -------------------------------------------------------------------------------- */

static lv_status make_room(lv_leapfrog *w, lv_error *err)
{
    int n = w->n, m = w->m;
    double **blocks[] = {&w->from.a,   &w->from.push, &w->from.lambda, &w->to.a,
                         &w->to.push,  &w->to.lambda, &w->q,           &w->v,
                         &w->weighted, &w->slopes,    &w->memory};
    int sizes[] = {n,      n,    m, n, n, m, n, n, lv_schur_weighted_size(w->schur),
                   10 * n, 1 + m};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        *blocks[k] = lv_arena_alloc(&w->arena, (size_t)sizes[k] + 1, sizeof(double));
        if (!*blocks[k])
            return lv_fail_memory(err);
    }
    return LV_OK;
}

static lv_status fill(lv_leapfrog *w, lv_error *err)
{
    const lv_model *model = w->system->model;
    w->n = w->system->n;
    w->m = w->system->rates;
    w->schur = lv_saddle_schur(w->system->saddle);
    LV_TRY(lv_plan_create(&w->force, model, LV_WANT(FORCE), err));
    LV_TRY(lv_plan_create(&w->rate, model, LV_WANT(RATE) | LV_WANT(RATE_V), err));
    LV_TRY(lv_linear_create_symmetric(&w->z, lv_schur_pattern(w->schur), LV_BACK_END_AUTO,
                                      NULL, err));
    return make_room(w, err);
}

lv_status lv_leapfrog_create(lv_leapfrog **result, lv_system *system,
                             const lv_tableau *tableau, lv_error *err)
{
    *result = NULL;
    lv_leapfrog *w = lv_memory_zeroed(1, sizeof *w);
    if (!w)
        return lv_fail_memory(err);
    w->system = system;
    w->tableau = tableau;
    lv_status status = fill(w, err);
    if (status == LV_OK)
        *result = w;
    else
        lv_leapfrog_free(w);
    return status;
}

void lv_leapfrog_free(lv_leapfrog *w)
{
    if (!w)
        return;
    lv_plan_free(w->force);
    lv_plan_free(w->rate);
    lv_linear_free(w->z);
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}

lv_memory_view lv_leapfrog_memory(lv_leapfrog *w)
{
    w->known = false; /* who looks may change */
    return (lv_memory_view){w->memory, 1 + w->m};
}

void lv_leapfrog_forget(lv_leapfrog *w)
{
    w->memory[0] = 0;
    w->known = false;
}

const double *lv_leapfrog_carried(const lv_leapfrog *w)
{
    return w->memory[0] != 0 ? w->memory + 1 : NULL;
}

/* ---- the step ---------------------------------------------------------------------------------- */

static void evaluate_force(lv_leapfrog *w, node *at, const double *q, const double *v,
                           double t)
{
    const lv_point point = {.q = q, .v = v, .t = t};
    lv_plan_run(w->force, &point);
    memcpy(at->a, lv_plan_result(w->force, LV_Q_FORCE), (size_t)w->n * sizeof *at->a);
    lv_mass_solve(w->system->mass, at->a);
}

/* A and what it makes of the multipliers. */
static void evaluate_push(lv_leapfrog *w, node *at)
{
    memset(at->push, 0, (size_t)w->n * sizeof *at->push);
    lv_schur_spread(w->schur, at->push, 1, w->weighted, at->lambda);
}

static void evaluate_rate(lv_leapfrog *w, const double *q, const double *v, double t)
{
    const lv_point point = {.q = q, .v = v, .t = t};
    lv_plan_run(w->rate, &point);
    lv_schur_weigh(w->schur, w->weighted, w->system->mass,
                   lv_plan_result(w->rate, LV_Q_RATE_V));
}

/* Forces and multipliers at the start of the step. */
static lv_status begin(lv_leapfrog *w, const lv_state *state, lv_error *err)
{
    node *at = &w->from;
    if (w->known)
        return LV_OK;
    if (w->memory[0] != 0)
        memcpy(at->lambda, w->memory + 1, (size_t)w->m * sizeof *at->lambda);
    else
        LV_TRY(lv_system_accelerations(w->system, NULL, at->lambda, state->t, state->q,
                                       state->v, err));
    evaluate_force(w, at, state->q, state->v, state->t);
    evaluate_rate(w, state->q, state->v, state->t);
    evaluate_push(w, at);
    return LV_OK;
}

/* Multipliers of the end; w->v is v' + h/2 M^-1 F. */
static bool end_multipliers(lv_leapfrog *w, double h)
{
    const double *rate = lv_plan_result(w->rate, LV_Q_RATE);
    const double *gradients = lv_plan_result(w->rate, LV_Q_RATE_V);
    const lv_pattern *pattern = lv_plan_pattern(w->rate, LV_Q_RATE_V);
    lv_dependence *dependence = w->system->dependence;
    lv_schur_store(w->schur, lv_linear_storage(w->z), lv_linear_slots(w->z), 1, gradients,
                   w->weighted);
    if (!lv_dependence_factor(dependence, w->z, 0, pattern, gradients))
        return false;
    for (int r = 0; r < w->m; r++)
        w->to.lambda[r] = -rate[r] * (2 / h);
    lv_dependence_solve(dependence, w->z, pattern, gradients, w->to.lambda);
    return true;
}

/* The end of the step that failed. */
typedef struct end {
    lv_leapfrog *w;
    double t;
} end;

static lv_status trace(void *work, lv_error *err)
{
    const end *x = work;
    const lv_point point = {.q = x->w->q, .v = x->w->v, .t = x->t};
    LV_TRY(lv_plan_diagnose(x->w->force, &point, err));
    return lv_plan_diagnose(x->w->rate, &point, err);
}

static lv_status failed(lv_leapfrog *w, double t, lv_error *err)
{
    end here = {w, t};
    const lv_step_failure failure = {.system = w->system,
                                     .why = LV_WHY_DIVERGED,
                                     .change = (double)NAN,
                                     .iterations = 1,
                                     .trace = trace,
                                     .work = &here};
    return lv_step_failed(&failure, err);
}

lv_status lv_leapfrog_step(lv_leapfrog *w, lv_state *state, double h,
                           lv_step_report *report, lv_error *err)
{
    const node *from = &w->from, *to = &w->to;
    double t = state->t + h;
    LV_TRY(begin(w, state, err));
    w->known = false;
    for (int k = 0; k < w->n; k++) {
        w->v[k] = state->v[k] + 0.5 * h * (from->a[k] + from->push[k]);
        w->q[k] = state->q[k] + h * w->v[k];
    }
    evaluate_force(w, &w->to, w->q, w->v, t);
    for (int k = 0; k < w->n; k++)
        w->v[k] += 0.5 * h * to->a[k];
    evaluate_rate(w, w->q, w->v, t);
    if (!end_multipliers(w, h))
        return isfinite(lv_extent(w->q, w->n)) && isfinite(lv_extent(w->v, w->n))
                   ? lv_step_dependent(w->system, t, w->q, w->v, err)
                   : failed(w, t, err);
    evaluate_push(w, &w->to);
    for (int k = 0; k < w->n; k++)
        w->v[k] += 0.5 * h * to->push[k];
    if (!isfinite(lv_extent(w->q, w->n)) || !isfinite(lv_extent(w->v, w->n)))
        return failed(w, t, err);
    if (lv_linear_redundant(w->z) > 0)
        LV_TRY(lv_system_agree_velocity(w->system, t, w->q, w->v, err));
    report->iterations = 1;
    memcpy(state->q, w->q, (size_t)w->n * sizeof *state->q);
    memcpy(state->v, w->v, (size_t)w->n * sizeof *state->v);
    lv_system_momentum(w->system, state->p, t, state->q, state->v);
    w->memory[0] = 1;
    memcpy(w->memory + 1, to->lambda, (size_t)w->m * sizeof *to->lambda);
    node begun = w->from;
    w->from = w->to;
    w->to = begun;
    w->known =
        w->system->autonomous; /* the next step may begin at t + h but for rounding */
    return LV_OK;
}

/* Both stages have the velocity v' = (q1 - q) / h. */
lv_slopes lv_leapfrog_slopes(lv_leapfrog *w, const lv_state *before,
                             const lv_state *after, double h)
{
    enum { STAGES = 2 };
    int n = w->n;
    double *v = w->slopes, *force = v + (size_t)(STAGES * n);
    const double *mass = lv_plan_result(w->system->legendre, LV_Q_MASS);
    for (int i = 0; i < STAGES; i++) {
        const node *at =
            i == 0 ? &w->to : &w->from; /* exchanged at the end of the step */
        for (int k = 0; k < n; k++) {
            v[i * n + k] = (after->q[k] - before->q[k]) / h;
            w->v[k] = at->a[k] + at->push[k];
        }
        lv_mass_multiply(w->system->mass, mass, force + (size_t)(i * n), w->v);
    }
    return lv_slopes_of_stages(w->tableau, n, v, force, force + (size_t)(STAGES * n),
                               (lv_slopes){.q = before->q, .p = before->p, .h = h});
}

void lv_leapfrog_visit(lv_leapfrog *w, const lv_state *before, const lv_state *after,
                       double h, lv_stage_visit visit, void *user)
{
    for (int k = 0; k < w->n; k++)
        w->v[k] = (after->q[k] - before->q[k]) / h;
    for (int i = 0; i < 2; i++) {
        const lv_stage_point stage = {before->t + i * h, 0.5, i ? after->q : before->q,
                                      w->v};
        visit(user, &stage);
    }
}
