#include "system/system.h"

#include "base/memory.h"
#include "expr/analyse.h"
#include "expr/function.h"
#include "model/moving.h"
#include "num/extent.h"
#include "num/rank.h"
#include "system/agreement.h"
#include "system/blocks.h"
#include "system/determined.h"
#include "system/dissipation.h"
#include "system/sparse.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- creation ---------------------------------------------------------------------------- */

static lv_status find_constraint_degree(lv_system *s, lv_error *err)
{
    for (int k = 0; k < s->model->kernels.count; k++) {
        const lv_kernel *kernel = &s->model->kernels.data[k];
        if (kernel->role != LV_ROLE_HOLONOMIC)
            continue;
        unsigned char *degrees =
            lv_memory_zeroed((size_t)lv_graph_count(kernel->graph), 1);
        if (!degrees)
            return lv_fail_memory(err);
        lv_analyse_degrees(kernel->graph, degrees, LV_KIND(Q));
        for (int r = 0; r < kernel->row_count; r++)
            if (degrees[kernel->rows[r]] > s->constraint_degree)
                s->constraint_degree = degrees[kernel->rows[r]];
        lv_memory_free(degrees);
    }
    return LV_OK;
}

static lv_status create_plans(lv_system *s, lv_error *err)
{
    const lv_model *m = s->model;
    LV_TRY(lv_plan_create(&s->node, m,
                          LV_WANT(FORCE) | LV_WANT(MOMENTUM_RATE) | LV_WANT(MASS) |
                              LV_WANT(RATE_CURVE) | LV_WANT(RATE_V) |
                              (s->still ? LV_WANT(MOMENTUM) : 0),
                          err));
    LV_TRY(lv_plan_create(&s->legendre, m, LV_WANT(MOMENTUM) | LV_WANT(MASS), err));
    LV_TRY(lv_plan_create(&s->place, m,
                          LV_WANT(CONSTRAINT) | LV_WANT(JACOBIAN) | LV_WANT(MASS), err));
    return lv_plan_create(&s->gauge, m, LV_WANT(RATE) | LV_WANT(RATE_V) | LV_WANT(MASS),
                          err);
}

/* A singular mass matrix is not divided by. */
static lv_status make_saddles(lv_system *s, lv_error *err)
{
    const lv_pattern *mass = lv_plan_pattern(s->node, LV_Q_MASS);
    const lv_mass *divisor = s->mass_regular ? s->mass : NULL;
    LV_TRY(lv_saddle_create(&s->saddle, mass, lv_plan_pattern(s->node, LV_Q_RATE_V),
                            divisor, s->dependence, err));
    s->position = s->saddle;
    if (s->rates == s->m)
        return LV_OK;
    return lv_saddle_create(&s->position, mass, lv_plan_pattern(s->place, LV_Q_JACOBIAN),
                            divisor, s->dependence, err);
}

/* Groups of coordinates that are measured together, by the last of their numbers. */
static void end_groups(lv_system *s)
{
    const lv_model *m = s->model;
    int end = 0;
    for (int k = 0; k < m->groups.count; k++) {
        const lv_group *group = &m->groups.data[k];
        const int size = group->count * lv_group_width(group);
        if (!m->motion || (size > 0 && m->motion->tangent[group->first] >= 0))
            end += size;
        s->group_end[k] = end;
    }
}

static lv_status system_fill(lv_system *s, lv_error *err)
{
    const lv_model *m = s->model;
    s->n = lv_model_tangents(m);
    s->points = m->coordinate_count + (m->motion ? 4 * m->motion->quaternions : 0);
    s->m = m->row_count[LV_ROLE_HOLONOMIC];
    s->rates = s->m + m->row_count[LV_ROLE_NONHOLONOMIC];
    s->work = lv_arena_alloc(&s->arena, 6 * (size_t)s->n + 2 * (size_t)s->rates,
                             sizeof *s->work);
    const size_t groups = (size_t)m->groups.count + 1;
    s->group_end = lv_arena_alloc(&s->arena, groups, sizeof *s->group_end);
    s->group_size = lv_arena_alloc(&s->arena, groups, sizeof *s->group_size);
    s->group_change = lv_arena_alloc(&s->arena, groups, sizeof *s->group_change);
    if (!s->work || !s->group_end || !s->group_size || !s->group_change)
        return lv_fail_memory(err);
    end_groups(s);
    LV_TRY(create_plans(s, err));

    LV_TRY(find_constraint_degree(s, err));
    LV_TRY(lv_system_classify(s, err));
    if (!s->still)
        LV_TRY(lv_system_prepare_watch(s, err));

    const lv_pattern *mass = lv_plan_pattern(s->node, LV_Q_MASS);
    LV_TRY(lv_mass_create(&s->mass, mass, lv_plan_pattern(s->node, LV_Q_RATE_V), err));
    LV_TRY(
        lv_dependence_create(&s->dependence, lv_plan_pattern(s->node, LV_Q_RATE_V), err));
    LV_TRY(make_saddles(s, err));
    LV_TRY(lv_determined_create(&s->determined, s, err));
    if (s->mass_regular && s->mass_constant)
        s->mass_regular = lv_mass_factor(s->mass, lv_plan_result(s->legendre, LV_Q_MASS));
    return LV_OK;
}

/* The system reads references and values of inputs of its own, through a copy of the model's head. */
static lv_status own_numbers(lv_system *s, const lv_model *model, lv_error *err)
{
    s->model = model;
    if (model->turn_count == 0 && model->input_count == 0)
        return LV_OK;
    lv_model *head = s->head = lv_arena_copy(&s->arena, model, 1, sizeof *model);
    s->inputs = lv_arena_copy(&s->arena, model->input_values, (size_t)model->input_count,
                              sizeof *s->inputs);
    if (!head || !s->inputs)
        return lv_fail_memory(err);
    head->input_values = s->inputs;
    s->model = head;
    if (model->turn_count == 0)
        return LV_OK;
    s->references =
        lv_arena_copy(&s->arena, model->references,
                      LV_TURN_NUMBERS * (size_t)model->turn_count, sizeof *s->references);
    if (!s->references)
        return lv_fail_memory(err);
    head->references = s->references;
    return lv_turns_create(&s->turns, head, head->kernels.data, head->kernels.count, err);
}

int lv_system_reference_count(const lv_system *s)
{
    return LV_TURN_NUMBERS * s->model->turn_count;
}

void lv_system_start_turns(lv_system *s, double t, const double *q, const double *v)
{
    if (s->turns)
        lv_turns_start(s->turns, s->references, t, q, v);
}

void lv_system_follow_turns(lv_system *s, double t, const double *q, const double *v)
{
    if (s->turns)
        lv_turns_follow(s->turns, s->references, t, q, v);
}

static lv_status create(lv_system **result, const lv_model *model, bool renewable,
                        lv_error *err)
{
    *result = NULL;
    lv_system *s = lv_memory_zeroed(1, sizeof *s);
    if (!s)
        return lv_fail_memory(err);
    lv_status status = own_numbers(s, model, err);
    s->renewable = renewable;
    s->self = s;
    s->moving = lv_arena_alloc(&s->arena, 2, sizeof(lv_system *));
    if (status == LV_OK && !s->moving)
        status = lv_fail_memory(err);
    if (status == LV_OK)
        status = system_fill(s, err);
    if (status == LV_OK)
        *result = s;
    else
        lv_system_free(s);
    return status;
}

lv_status lv_system_create(lv_system **result, const lv_model *model, lv_error *err)
{
    return create(result, model, false, err);
}

lv_status lv_system_create_renewable(lv_system **result, const lv_model *model,
                                     lv_error *err)
{
    return create(result, model, true, err);
}

lv_status lv_system_move(const lv_system *still, bool coupled, lv_system **result,
                         lv_error *err)
{
    *result = still->moving[coupled];
    if (*result)
        return LV_OK;
    lv_system *s = lv_memory_zeroed(1, sizeof *s);
    if (!s)
        return lv_fail_memory(err);
    lv_status status = lv_moving_create(&s->own, still->model, coupled, err);
    s->model = s->own;
    s->still = still->self;
    s->renewable = still->renewable;
    if (status == LV_OK)
        status = system_fill(s, err);
    if (status == LV_OK)
        *result = still->moving[coupled] = s;
    else
        lv_system_free(s);
    return status;
}

void lv_system_free(lv_system *s)
{
    if (!s)
        return;
    if (s->position != s->saddle)
        lv_saddle_free(s->position);
    lv_saddle_free(s->saddle);
    lv_mass_free(s->mass);
    lv_dependence_free(s->dependence);
    lv_determined_free(s->determined);
    lv_dissipations_free(s->dissipations);
    lv_plan_free(s->node);
    lv_plan_free(s->legendre);
    lv_plan_free(s->place);
    lv_plan_free(s->gauge);
    lv_system_free_watch(s);
    lv_plan_free(s->maps);
    lv_maps_done(&s->forms);
    lv_turns_free(s->turns);
    for (int k = 0; s->moving && k < 2; k++)
        lv_system_free(s->moving[k]);
    lv_moving_free(s->own);
    lv_arena_done(&s->arena);
    lv_memory_free(s);
}

/* ---- momenta and velocities ---------------------------------------------------------------- */

void lv_system_momentum(lv_system *s, double *p, double t, const double *q,
                        const double *v)
{
    assert(p != v);
    const lv_point point = {.q = q, .v = v, .t = t};
    lv_plan_run(s->legendre, &point);
    memcpy(p, lv_plan_result(s->legendre, LV_Q_MOMENTUM), (size_t)s->n * sizeof *p);
}

static lv_status singular_mass(lv_system *s, double t, lv_error *err)
{
    (void)s;
    lv_status status =
        lv_fail(err, LV_ERR_NUMERIC, "the mass matrix is singular at t = %.6g", t);
    lv_error_because(err, LV_WHY_SINGULAR);
    return status;
}

lv_status lv_system_velocity(lv_system *s, double *v, double t, const double *q,
                             const double *p, lv_error *err)
{
    assert(v != p);
    double *update = s->work;
    const lv_point point = {.q = q, .v = v, .t = t};
    if (s->separable) {
        memcpy(v, p, (size_t)s->n * sizeof *v);
        lv_mass_solve(s->mass, v);
        return LV_OK;
    }
    /* L_v = p by Newton; one step is exact where L is quadratic in the velocities. */
    enum { MOST = 50 };
    for (int k = 0; k < MOST; k++) {
        double largest = 0, size = 0;
        lv_plan_run(s->legendre, &point);
        if (!s->mass_constant &&
            !lv_mass_factor(s->mass, lv_plan_result(s->legendre, LV_Q_MASS)))
            return singular_mass(s, t, err);
        const double *momentum = lv_plan_result(s->legendre, LV_Q_MOMENTUM);
        for (int i = 0; i < s->n; i++)
            update[i] = p[i] - momentum[i];
        lv_mass_solve(s->mass, update);
        for (int i = 0; i < s->n; i++) {
            v[i] += update[i];
            largest = fmax(largest, fabs(update[i]));
            size = fmax(size, fabs(v[i]));
        }
        if (largest <= 1e-15 * size || !isfinite(size) ||
            (k > 0 && !(lv_plan_depends(s->legendre, LV_Q_MASS) & LV_KIND(V))))
            break;
    }
    return LV_OK;
}

/* ---- accelerations ---------------------------------------------------------------------------- */

/* Notes that a constraint depends on the others or, where it is the only one, has no gradient. */
static void note_dependent(lv_system *s, int row, lv_error *err)
{
    char name[160];
    lv_system_row_name(s, row, name, sizeof name);
    if (s->rates == 1)
        lv_error_note(err, "the gradient of constraint '%s' vanishes there", name);
    else
        lv_error_note(err, "constraint '%s' follows from the others", name);
}

static lv_status singular_constraints(lv_system *s, const lv_saddle *saddle, double t,
                                      lv_error *err)
{
    int row;
    double pivot = lv_saddle_worst(saddle, &row);
    lv_status status =
        lv_fail(err, LV_ERR_NUMERIC,
                "the constraints are dependent at t = %.6g (pivot ratio %.1e)", t, pivot);
    lv_error_because(err, LV_WHY_SINGULAR);
    lv_system_blame_row(s, row, err);
    if (row >= 0)
        note_dependent(s, row, err);
    if (lv_dependence_too_many(s->dependence))
        lv_error_note(err,
                      "more than %d constraints depend on each other, too many to tell "
                      "which of them could be left out",
                      LV_DEPENDENCE_MOST);
    return status;
}

/* Factors mass and saddle with the values of a plan, which has the Jacobian of the positions or the
 * derivatives of the rates. */
static lv_status factor_at(lv_system *s, const lv_plan *plan, double t, lv_error *err)
{
    const double *mass = lv_plan_result(plan, LV_Q_MASS);
    bool positions = plan == s->place;
    lv_saddle *saddle = positions ? s->position : s->saddle;
    bool divides = lv_saddle_schur(saddle) || s->rates == 0;
    if (!s->mass_constant && divides && !lv_mass_factor(s->mass, mass))
        return singular_mass(s, t, err);
    if (!lv_saddle_factor(saddle, mass,
                          lv_plan_result(plan, positions ? LV_Q_JACOBIAN : LV_Q_RATE_V)))
        return singular_constraints(s, saddle, t, err);
    return LV_OK;
}

void lv_system_load(const lv_system *s, double *x, double *y)
{
    const double *force = lv_plan_result(s->node, LV_Q_FORCE);
    const double *rate = lv_plan_result(s->node, LV_Q_MOMENTUM_RATE);
    const double *curve = lv_plan_result(s->node, LV_Q_RATE_CURVE);
    for (int i = 0; i < s->n; i++)
        x[i] = force[i] - rate[i];
    for (int r = 0; r < s->rates; r++)
        y[r] = -curve[r];
}

/* Momenta in body axes turn with the body: p' = ad_v^T p + ... */
static void turn_momenta(const lv_system *s, double *x, const double *v)
{
    const lv_motion *motion = s->model->motion;
    const double *momentum = motion ? lv_plan_result(s->node, LV_Q_MOMENTUM) : NULL;
    for (int k = 0; motion && k < motion->pose_count; k++) {
        const lv_pose *pose = &motion->poses[k];
        const int n = pose->group->tangent;
        double own[LV_LIE_TANGENT], m[LV_LIE_TANGENT * LV_LIE_TANGENT];
        for (int i = 0; i < n; i++)
            own[i] = momentum[pose->tangent[i]];
        pose->group->coad(m, own);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                x[pose->tangent[i]] += m[n * i + j] * v[pose->tangent[j]];
    }
}

lv_status lv_system_accelerations(lv_system *s, double *a, double *lambda, double t,
                                  const double *q, const double *v, lv_error *err)
{
    const lv_point point = {.q = q, .v = v, .t = t};
    double *x = s->work, *y = s->work + s->n;
    lv_plan_run(s->node, &point);
    LV_TRY(factor_at(s, s->node, t, err));
    lv_system_load(s, x, y);
    turn_momenta(s, x, v);
    lv_saddle_solve(s->saddle, x, y);
    if (a)
        memcpy(a, x, (size_t)s->n * sizeof *a);
    if (lambda)
        memcpy(lambda, y, (size_t)s->rates * sizeof *lambda);
    return LV_OK;
}

lv_status lv_system_momentum_change(lv_system *s, double *w, double t, const double *q,
                                    const double *v, lv_error *err)
{
    const double *lambda = s->work + s->n; /* where the accelerations leave them */
    LV_TRY(lv_system_accelerations(s, NULL, NULL, t, q, v, err));
    memcpy(w, lv_plan_result(s->node, LV_Q_FORCE), (size_t)s->n * sizeof *w);
    lv_sparse_multiply_transposed(lv_plan_pattern(s->node, LV_Q_RATE_V),
                                  lv_plan_result(s->node, LV_Q_RATE_V), 1, lambda, w);
    return LV_OK;
}

/* ---- projections --------------------------------------------------------------------------------- */

static double largest_of(const double *x, int count, int *at)
{
    double largest = 0;
    *at = 0;
    for (int r = 0; r < count; r++)
        if (!(fabs(x[r]) <= largest)) {
            largest = fabs(x[r]);
            *at = r;
        }
    return largest;
}

/* The largest residual relative to what the gradients make of numbers of this size: rounding where it is
 * small. */
static double largest_part(const lv_pattern *p, const double *gradients,
                           const double *residuals, double size)
{
    double largest = 0;
    for (int r = 0; r < p->rows; r++) {
        double sum = 0;
        for (int e = p->start[r]; e < p->start[r + 1]; e++)
            sum += fabs(gradients[e]);
        const double part = residuals[r] == 0 ? 0 : fabs(residuals[r]) / (sum * size);
        if (!(part <= largest))
            largest = part;
    }
    return largest;
}

static lv_status not_reached(lv_system *s, const char *what, const double *residuals,
                             int count, lv_error *err)
{
    char name[160];
    int row;
    double left = largest_of(residuals, count, &row);
    lv_status status =
        lv_fail(err, LV_ERR_NUMERIC,
                "the %s could not be moved onto the constraints: %.2g is left of '%s'",
                what, left, lv_system_row_name(s, row, name, sizeof name));
    lv_error_because(err, LV_WHY_STALLED);
    lv_system_blame_row(s, row, err);
    return status;
}

lv_status lv_system_project_position(lv_system *s, double *q, double t, lv_error *err)
{
    enum { MOST = 50 };
    double *x = s->work, *y = s->work + s->n;
    const lv_point point = {.q = q, .v = s->model->start_v, .t = t};
    double before = INFINITY;
    for (int k = 0; k < MOST && s->m > 0; k++) {
        lv_plan_run(s->place, &point);
        const double *g = lv_plan_result(s->place, LV_Q_CONSTRAINT);
        if (!isfinite(lv_extent(g, s->m)))
            return lv_plan_diagnose(s->place, &point, err);
        const double size = lv_extent(q, s->n);
        const double worst =
            largest_part(lv_plan_pattern(s->place, LV_Q_JACOBIAN),
                         lv_plan_result(s->place, LV_Q_JACOBIAN), g, size > 0 ? size : 1);
        if (worst == 0 || (worst < 1e-13 && worst >= 0.5 * before))
            return LV_OK;
        if (k > 5 && worst > before)
            break;
        before = worst;
        LV_TRY(factor_at(s, s->place, t, err));
        memset(x, 0, (size_t)s->n * sizeof *x);
        for (int r = 0; r < s->m; r++)
            y[r] = -g[r];
        lv_saddle_solve(s->position, x, y);
        for (int i = 0; i < s->n; i++)
            q[i] += x[i];
    }
    if (s->m == 0 || before < 1e-12)
        return LV_OK;
    LV_TRY(lv_system_contradiction(s, t, q, err));
    return not_reached(s, "positions", lv_plan_result(s->place, LV_Q_CONSTRAINT), s->m,
                       err);
}

/* One pass; the largest rate before it, relative to the velocities. */
static lv_status correct_velocity(lv_system *s, double *v, double t, const double *q,
                                  double *worst, lv_error *err)
{
    double *x = s->work, *y = s->work + s->n;
    const lv_point point = {.q = q, .v = v, .t = t};
    lv_plan_run(s->gauge, &point);
    const double *rate = lv_plan_result(s->gauge, LV_Q_RATE);
    if (!isfinite(lv_extent(rate, s->rates)))
        return lv_plan_diagnose(s->gauge, &point, err);
    *worst =
        largest_part(lv_plan_pattern(s->gauge, LV_Q_RATE_V),
                     lv_plan_result(s->gauge, LV_Q_RATE_V), rate, lv_extent(v, s->n));
    LV_TRY(factor_at(s, s->gauge, t, err));
    memset(x, 0, (size_t)s->n * sizeof *x);
    for (int r = 0; r < s->rates; r++)
        y[r] = -rate[r];
    lv_saddle_solve(s->saddle, x, y);
    for (int i = 0; i < s->n; i++)
        v[i] += x[i];
    return LV_OK;
}

lv_status lv_system_project_velocity(lv_system *s, double *v, double t, const double *q,
                                     lv_error *err)
{
    enum { MOST = 50 };
    double worst = INFINITY, before = INFINITY;
    int most = s->affine ? 2 : MOST; /* the second pass removes rounding */
    for (int k = 0; k < most && s->rates > 0; k++) {
        LV_TRY(correct_velocity(s, v, t, q, &worst, err));
        if (!s->affine && worst < 1e-13 && worst >= 0.5 * before)
            return LV_OK;
        before = worst;
    }
    if (s->rates > 0 && lv_saddle_redundant(s->saddle) > 0)
        return lv_system_agree_velocity(s, t, q, v, err);
    if (s->affine || worst < 1e-12)
        return LV_OK;
    return not_reached(s, "velocities", lv_plan_result(s->gauge, LV_Q_RATE), s->rates,
                       err);
}
