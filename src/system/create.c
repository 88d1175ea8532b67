/* Creates and frees systems: determines their properties, makes plans and factors. */
#include "system/system.h"

#include "base/memory.h"
#include "expr/analyse.h"
#include "expr/function.h"
#include "model/moving.h"
#include "system/blocks.h"
#include "system/determined.h"
#include "system/dissipation.h"

#include <math.h>
#include <string.h>

/* Tests whether the mass matrix is regular at the start. A matrix too large for the test
 * counts as regular: factoring it will show. */
static lv_status test_mass(lv_system *s, lv_error *err)
{
    lv_blocks blocks = {0};
    int rank = 0;
    lv_status status = lv_blocks_add_result(&blocks, s->legendre, LV_Q_MASS, 0, err);
    if (status == LV_OK)
        status = lv_blocks_rank(&blocks, &rank, s->n, s->n, err);
    s->mass_regular = rank < 0 || rank == s->n;
    lv_blocks_done(&blocks);
    return status;
}

/* Is p = M v, that is: does L have no part linear in the velocities? Such a part may
 * vanish at the start, so other points are tried if its coefficients vary; points without
 * finite values are ignored. */
static bool momentum_is_linear_at(lv_system *s)
{
    const unsigned depends = lv_plan_depends(s->legendre, LV_Q_MOMENTUM);
    const int points = depends & (LV_KIND(Q) | LV_KIND(T)) ? 4 : 1;
    double *p = s->work, *zero = s->work + s->n, *q = zero + s->n;
    memset(zero, 0, (size_t)s->n * sizeof *zero);
    for (int k = 0; k < points; k++) {
        for (int i = 0; i < s->n; i++) {
            double start = s->model->start_q[i];
            q[i] = start + 0.1 * k * (1 + fabs(start)) * sin(1 + 0.7 * i + k);
        }
        lv_system_momentum(s, p, 0.3 * k, q, zero);
        for (int i = 0; i < s->n; i++)
            if (isfinite(p[i]) && p[i] != 0)
                return false;
    }
    return true;
}

/* The same for changed values of the inputs: a coefficient may vanish for their present
 * values. */
static lv_status momentum_is_linear(lv_system *s, bool *linear, lv_error *err)
{
    const size_t count = (size_t)s->model->input_count;
    double *kept = lv_memory_zeroed(2 * count + 1, sizeof *kept);
    if (!kept)
        return lv_fail_memory(err);
    if (s->inputs) {
        memcpy(kept, s->inputs, count * sizeof *kept);
        lv_model_vary_inputs(s->model, 0, kept + count);
        memcpy(s->inputs, kept + count + 1, count * sizeof *kept);
    }
    *linear = momentum_is_linear_at(s);
    if (s->inputs)
        memcpy(s->inputs, kept, count * sizeof *kept);
    lv_memory_free(kept);
    return LV_OK;
}

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

static lv_status sort_out(lv_system *s, lv_error *err)
{
    bool linear = s->still && s->still->quadratic;
    if (!s->still)
        LV_TRY(momentum_is_linear(s, &linear, err));
    const unsigned point = LV_KIND(Q) | LV_KIND(V) | LV_KIND(T) | LV_KIND(R);
    unsigned mass = lv_plan_depends(s->legendre, LV_Q_MASS);
    unsigned momentum = lv_plan_depends(s->legendre, LV_Q_MOMENTUM);
    unsigned force = lv_plan_depends(s->dynamics_plan, LV_Q_FORCE);
    unsigned all = mass | momentum | force |
                   lv_plan_depends(s->position_plan, LV_Q_CONSTRAINT) |
                   lv_plan_depends(s->velocity_plan, LV_Q_RATE);
    s->mass_constant = (mass & point) == 0;
    s->autonomous = (all & LV_KIND(T)) == 0;
    s->rheonomic = (lv_plan_depends(s->position_plan, LV_Q_CONSTRAINT) & LV_KIND(T)) != 0;
    s->forced = s->model->row_count[LV_ROLE_FORCE] > 0;
    s->has_nonholonomic = s->constraint_count > s->m;
    s->affine = (lv_plan_depends(s->velocity_plan, LV_Q_RATE_V) & LV_KIND(V)) == 0;
    s->quadratic = (mass & LV_KIND(V)) == 0 && linear;
    s->separable = s->quadratic && s->mass_constant &&
                   (momentum & (LV_KIND(Q) | LV_KIND(T))) == 0 &&
                   (force & LV_KIND(V)) == 0;
    return LV_OK;
}

lv_status lv_system_classify(lv_system *s, lv_error *err)
{
    const lv_point start = {.q = s->model->start_q, .v = s->model->start_v};
    lv_plan_run(s->legendre, &start);
    LV_TRY(lv_plan_diagnose(s->legendre, &start, err));
    LV_TRY(lv_plan_diagnose(s->dynamics_plan, &start, err));
    LV_TRY(test_mass(s, err));
    return sort_out(s, err);
}

static lv_status create_plans(lv_system *s, lv_error *err)
{
    const lv_model *m = s->model;
    LV_TRY(lv_plan_create(&s->dynamics_plan, m,
                          LV_WANT(FORCE) | LV_WANT(MOMENTUM_RATE) | LV_WANT(MASS) |
                              LV_WANT(RATE_CURVE) | LV_WANT(RATE_V) |
                              (s->still ? LV_WANT(MOMENTUM) : 0),
                          err));
    LV_TRY(lv_plan_create(&s->legendre, m, LV_WANT(MOMENTUM) | LV_WANT(MASS), err));
    LV_TRY(lv_plan_create(&s->position_plan, m,
                          LV_WANT(CONSTRAINT) | LV_WANT(JACOBIAN) | LV_WANT(MASS), err));
    return lv_plan_create(&s->velocity_plan, m,
                          LV_WANT(RATE) | LV_WANT(RATE_V) | LV_WANT(MASS), err);
}

/* Creates the saddle equations, without the inverse of M if M is singular. */
static lv_status make_saddles(lv_system *s, lv_error *err)
{
    const lv_pattern *mass = lv_plan_pattern(s->dynamics_plan, LV_Q_MASS);
    const lv_mass *divisor = s->mass_regular ? s->mass : NULL;
    LV_TRY(lv_saddle_create(&s->saddle, mass,
                            lv_plan_pattern(s->dynamics_plan, LV_Q_RATE_V), divisor,
                            s->dependence, err));
    s->position = s->saddle;
    if (s->constraint_count == s->m)
        return LV_OK;
    return lv_saddle_create(&s->position, mass,
                            lv_plan_pattern(s->position_plan, LV_Q_JACOBIAN), divisor,
                            s->dependence, err);
}

/* Finds where the groups of coordinates end in the list of velocity numbers. */
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
    s->constraint_count = s->m + m->row_count[LV_ROLE_NONHOLONOMIC];
    s->work = lv_arena_alloc(
        &s->arena, 6 * (size_t)s->n + 2 * (size_t)s->constraint_count, sizeof *s->work);
    s->directions = lv_arena_alloc(&s->arena, 2 * (size_t)s->n, sizeof *s->directions);
    const size_t groups = (size_t)m->groups.count + 1;
    s->group_end = lv_arena_alloc(&s->arena, groups, sizeof *s->group_end);
    s->group_size = lv_arena_alloc(&s->arena, groups, sizeof *s->group_size);
    s->group_change = lv_arena_alloc(&s->arena, groups, sizeof *s->group_change);
    if (!s->work || !s->directions || !s->group_end || !s->group_size || !s->group_change)
        return lv_fail_memory(err);
    end_groups(s);
    for (int i = 0; i < s->n; i++) {
        s->directions[i] = sin(1 + 0.7 * i);
        s->directions[s->n + i] = cos(1 + 0.7 * i);
    }
    LV_TRY(create_plans(s, err));
    LV_TRY(find_constraint_degree(s, err));
    LV_TRY(lv_system_classify(s, err));
    if (!s->still)
        LV_TRY(lv_system_prepare_watch(s, err));

    const lv_pattern *mass = lv_plan_pattern(s->dynamics_plan, LV_Q_MASS);
    LV_TRY(lv_mass_create(&s->mass, mass, lv_plan_pattern(s->dynamics_plan, LV_Q_RATE_V),
                          err));
    LV_TRY(lv_dependence_create(&s->dependence,
                                lv_plan_pattern(s->dynamics_plan, LV_Q_RATE_V), err));
    LV_TRY(make_saddles(s, err));
    LV_TRY(lv_determined_create(&s->determined, s, err));
    if (s->mass_regular && s->mass_constant)
        s->mass_regular = lv_mass_factor(s->mass, lv_plan_result(s->legendre, LV_Q_MASS));
    return LV_OK;
}

/* Gives the system its own references and values of inputs, through a shallow copy of the
 * model. */
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
    lv_plan_free(s->dynamics_plan);
    lv_plan_free(s->legendre);
    lv_plan_free(s->position_plan);
    lv_plan_free(s->velocity_plan);
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
