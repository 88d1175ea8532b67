#include "model/momentum_start.h"

#include "expr/domain.h"
#include "expr/function.h"
#include "model/turns.h"

#include <float.h>
#include <math.h>

/* ---- evaluates nodes of a kernel in all instances at the start --------------------- */

typedef struct start {
    const lv_model *model;
    const lv_kernel *kernel;
    const lv_node *nodes;
    int count;
    const double *momenta; /* momenta of all coordinates; NULL: the nodes contain none */
    lv_layout layout;
    lv_program *program;
    double *workspace, *values;
    double *references; /* references of angles that count turns, in all instances */
} start;

static void start_done(start *s)
{
    lv_program_free(s->program);
    lv_memory_free(s->workspace);
    lv_memory_free(s->values);
    lv_memory_free(s->references);
}

/* Computes the references at the start, which the model does not have yet. */
static lv_status find_references(start *s, lv_error *err)
{
    const lv_kernel *k = s->kernel;
    const size_t count = (size_t)k->turn_count * (size_t)k->instance_count;
    lv_turns *turns = NULL;
    s->references = lv_memory_zeroed(LV_TURN_NUMBERS * count, sizeof *s->references);
    if (!s->references)
        return lv_fail_memory(err);
    LV_TRY(lv_turns_create(&turns, s->model, k, 1, err));
    lv_turns_start(turns, s->references, 0, s->model->start_q, s->model->start_v);
    lv_turns_free(turns);
    return LV_OK;
}

static lv_status start_init(start *s, lv_error *err)
{
    const lv_model *m = s->model;
    s->layout = s->kernel->layout;
    s->layout.size[LV_INPUT_M] = s->momenta ? s->layout.size[LV_INPUT_Q] : 0;
    LV_TRY(lv_program_compile(&s->program, s->kernel->graph, s->nodes, s->count,
                              &s->layout, err));
    s->workspace = lv_memory_zeroed((size_t)s->program->slots, sizeof *s->workspace);
    s->values = lv_memory_zeroed((size_t)s->count, sizeof *s->values);
    if (!s->workspace || !s->values)
        return lv_fail_memory(err);
    lv_program_load(s->program, s->workspace, 1);
    lv_program_put(s->program, LV_INPUT_P, m->parameter_values.data, s->workspace, 1, 0);
    lv_model_put_time(m, s->program, 0, s->workspace, 1, 0);
    lv_program_run(s->program, LV_SEGMENT_UNIFORM, s->workspace, 1);
    return s->kernel->turn_count > 0 ? find_references(s, err) : LV_OK;
}

static void load_instance(start *s, int instance)
{
    const lv_kernel *k = s->kernel;
    double *q = s->workspace + s->program->input[LV_INPUT_Q];
    double *p = s->workspace + s->program->input[LV_INPUT_M];
    for (int local = 0; local < k->layout.size[LV_INPUT_Q]; local++) {
        int at = lv_kernel_global(k, instance, local);
        q[local] = s->model->start_q[at];
        if (s->momenta)
            p[local] = s->momenta[at];
    }
    lv_kernel_put(k, s->program, instance, s->workspace, 1, 0);
    if (s->references)
        lv_program_put(s->program, LV_INPUT_R,
                       s->references +
                           (ptrdiff_t)instance * k->turn_count * LV_TURN_NUMBERS,
                       s->workspace, 1, 0);
}

static lv_status not_finite(const start *s, lv_error *err)
{
    lv_status status =
        lv_domain_diagnose_lane(s->kernel->graph, s->program, s->workspace, 1, 0, err);
    if (status == LV_OK)
        status =
            lv_fail(err, LV_ERR_DOMAIN, "the Hamiltonian is not finite at the start");
    /* has no effect if the error has a place */
    lv_error_locate(err, LV_AT(s->kernel->entry->place));
    return status;
}

/* Evaluates the nodes in one instance. */
static void start_run(start *s, int instance)
{
    load_instance(s, instance);
    lv_program_run(s->program, LV_SEGMENT_INSTANCE, s->workspace, 1);
    lv_program_run(s->program, LV_SEGMENT_MAIN, s->workspace, 1);
    for (int k = 0; k < s->count; k++)
        s->values[k] = s->workspace[s->program->output[k]];
}

/* ---- pivots ------------------------------------------------------------------------------ */

static lv_status fail_singular(const start *s, int instance, lv_error *err)
{
    char buffer[200];
    lv_status status = lv_fail_at(
        err, LV_ERR_MODEL, LV_AT(s->kernel->entry->place),
        "the momenta do not follow from the velocities at the start: the matrix of "
        "second derivatives of the Hamiltonian by momenta has a zero pivot");
    if (s->kernel->index_count > 0)
        lv_error_note(err, "in %s",
                      lv_kernel_row_text(s->kernel, instance, 0, buffer, sizeof buffer));
    lv_error_hint(err, "give kinetic and potential energy, or a Lagrangian");
    return status;
}

lv_status lv_momentum_check_pivots(const lv_model *m, const lv_kernel *kernel, int first,
                                   int count, lv_error *err)
{
    start s = {
        .model = m, .kernel = kernel, .nodes = kernel->rows + first, .count = 2 * count};
    lv_status status = start_init(&s, err);
    for (int i = 0; status == LV_OK && i < kernel->instance_count; i++) {
        start_run(&s, i);
        for (int k = 0; status == LV_OK && k < count; k++) {
            double pivot = fabs(s.values[k]), scale = fabs(s.values[count + k]);
            if (!isfinite(pivot) || !isfinite(scale))
                status = not_finite(&s, err);
            else if (pivot == 0 || pivot < 64 * DBL_EPSILON * scale)
                status = fail_singular(&s, i, err);
        }
    }
    start_done(&s);
    return status;
}

/* ---- velocities -------------------------------------------------------------------------- */

static lv_status given_twice(const lv_group *group, lv_error *err)
{
    lv_status status = lv_fail_at(
        err, LV_ERR_MODEL, LV_AT(lv_item_entry(group->item, "momentum")->place),
        "'%s' has both a velocity and a momentum at the start", group->item->name);
    lv_error_hint(err, "one of them follows from the other; leave one out");
    return status;
}

/* Reads the given momenta; given[block] is a coordinate of the block whose momentum is
 * given, or -1. */
static lv_status read_momenta(lv_model *m, const lv_coupling *c, double *p, int *given,
                              bool *any, lv_error *err)
{
    for (int b = 0; b < c->block_count; b++)
        given[b] = -1;
    for (int k = 0; k < m->groups.count; k++) {
        const lv_group *group = &m->groups.data[k];
        int count = group->count * lv_group_width(group);
        if (!lv_item_entry(group->item, "momentum"))
            continue;
        if (lv_item_entry(group->item, "velocity"))
            return given_twice(group, err);
        LV_TRY(lv_model_start_momentum(m, p + group->first, group, err));
        *any = true;
        for (int j = group->first; j < group->first + count; j++)
            given[c->block[j]] = j;
    }
    return LV_OK;
}

/* Fails if momenta are given for some coordinates of a block and not for others. */
static lv_status check_blocks(const lv_model *m, const lv_coupling *c, const int *given,
                              lv_error *err)
{
    char name[160], other[160];
    for (int k = 0; k < m->groups.count; k++) {
        const lv_group *group = &m->groups.data[k];
        int count = group->count * lv_group_width(group);
        if (lv_item_entry(group->item, "momentum"))
            continue;
        for (int j = group->first; j < group->first + count; j++) {
            int with = given[c->block[j]];
            if (with < 0)
                continue;
            lv_status status = lv_fail_at(
                err, LV_ERR_MODEL, LV_AT(group->item->place),
                "'%s' needs a momentum at the start, too: the Hamiltonian couples it "
                "with that of '%s'",
                lv_model_coordinate_text(m, j, name, sizeof name),
                lv_model_coordinate_text(m, with, other, sizeof other));
            lv_error_hint(err, "give momenta of both, or velocities of both");
            return status;
        }
    }
    return LV_OK;
}

/* Adds the contribution of one term to dH/dp where momenta are given. */
static lv_status add_velocities(lv_model *m, const lv_coupling *c,
                                const lv_hamiltonian_term *t, const double *p,
                                const int *given, lv_error *err)
{
    int n = t->kernel->layout.size[LV_INPUT_Q];
    start s = {
        .model = m, .kernel = t->kernel, .nodes = t->gradient, .count = n, .momenta = p};
    lv_status status = n > 0 ? start_init(&s, err) : LV_OK;
    for (int i = 0; status == LV_OK && n > 0 && i < t->kernel->instance_count; i++) {
        start_run(&s, i);
        for (int k = 0; status == LV_OK && k < n; k++) {
            int at = lv_kernel_global(t->kernel, i, k);
            if (given[c->block[at]] < 0)
                continue;
            m->start_v[at] += s.values[k];
            if (!isfinite(m->start_v[at]))
                status = not_finite(&s, err);
        }
    }
    start_done(&s);
    return status;
}

lv_status lv_momentum_start(lv_model *m, const lv_coupling *c, lv_arena *arena,
                            lv_error *err)
{
    double *p = lv_arena_alloc(arena, (size_t)m->coordinate_count, sizeof *p);
    int *given = lv_arena_alloc(arena, (size_t)c->block_count, sizeof *given);
    bool any = false;
    if (!p || !given)
        return lv_fail_memory(err);
    LV_TRY(read_momenta(m, c, p, given, &any, err));
    if (!any)
        return LV_OK;
    LV_TRY(check_blocks(m, c, given, err));
    for (int k = 0; k < c->term_count; k++)
        LV_TRY(add_velocities(m, c, &c->terms[k], p, given, err));
    return LV_OK;
}
