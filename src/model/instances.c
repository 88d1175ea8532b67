/* Families: the indices of all instances of a kernel, and where each slot lives in every one. */
#include "model/builder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- indices ------------------------------------------------------------------------ */

/* An index must be new: not a parameter, definition, coordinate or earlier index. */
static lv_status check_index_name(lv_builder *b, const lv_range *range, int number)
{
    LV_TRY(lv_names_refuse_reserved(range->name, range->place, b->err));
    const lv_name *other =
        lv_names_find(&b->model->names, range->name, (int)strlen(range->name));
    if (other)
        return lv_fail_at(b->err, LV_ERR_MODEL, LV_AT(range->place),
                          "the index '%s' is already the name of a %s", range->name,
                          lv_name_kind_text(other->kind));
    for (int k = 0; k < number; k++)
        if (strcmp(b->index_names[k], range->name) == 0)
            return lv_fail_at(b->err, LV_ERR_MODEL, LV_AT(range->place),
                              "the index '%s' occurs twice", range->name);
    return LV_OK;
}

static lv_status elaborate_end(lv_builder *b, lv_node *end, const lv_formula *formula)
{
    lv_value value;
    LV_TRY(lv_elaborate(&b->e, &value, formula, b->err));
    if (value.length > 0)
        return lv_formula_fail(b->err, LV_ERR_MODEL, formula->snippet, formula->root,
                               "the end of a range must be a scalar");
    *end = value.items[0];
    return lv_model_mark_structural(b->model, b->e.graph, *end, b->err);
}

/* The ends of all ranges as nodes; an end may use the indices before it. */
lv_status lv_builder_ranges(lv_builder *b, const lv_entry *family)
{
    int count = family ? family->count : 0;
    lv_node(*range)[2] = lv_arena_alloc(&b->scratch, (size_t)count, sizeof *range);
    b->index_names =
        lv_arena_alloc(&b->model->arena, (size_t)count, sizeof *b->index_names);
    if (!range || !b->index_names)
        return lv_fail_memory(b->err);
    b->range = (const lv_node(*)[2])range;
    b->scope.index_names = b->index_names;
    b->scope.where = "index ranges";
    b->scope.hint = "a range may use parameters and the indices before it";
    b->e.timeless = "an index range";
    for (int k = 0; k < count; k++) {
        LV_TRY(check_index_name(b, &family->ranges[k], k));
        LV_TRY(elaborate_end(b, &range[k][0], &family->ranges[k].from));
        LV_TRY(elaborate_end(b, &range[k][1], &family->ranges[k].to));
        b->index_names[k] = family->ranges[k].name;
        b->scope.index_count = k + 1;
    }
    b->kernel.index_count = count;
    b->kernel.index_names = b->index_names;
    b->scope.hint = NULL;
    b->e.timeless = NULL;
    return LV_OK;
}

/* First and last value of range k for the indices before it. */
static lv_status range_ends(lv_builder *b, double ends[2], int k, const double *indices,
                            const lv_entry *family)
{
    const double *inputs[LV_INPUT_KINDS] = {NULL};
    inputs[LV_INPUT_P] = b->model->parameter_values.data;
    inputs[LV_INPUT_I] = indices;
    LV_TRY(lv_graph_evaluate(b->e.graph, ends, b->range[k], 2, inputs, b->err));
    for (int end = 0; end < 2; end++) {
        const lv_formula *formula =
            end == 0 ? &family->ranges[k].from : &family->ranges[k].to;
        if (ends[end] != floor(ends[end]) || fabs(ends[end]) > 1e9)
            return lv_formula_fail(
                b->err, LV_ERR_MODEL, formula->snippet, formula->root,
                "the end of a range must be a whole number, this is %g", ends[end]);
    }
    return LV_OK;
}

static lv_status too_many(lv_builder *b, const lv_entry *family)
{
    return lv_fail_at(b->err, LV_ERR_LIMIT, LV_AT(family->place),
                      "this family has more than %d instances", LV_MODEL_INSTANCES);
}

static lv_status too_empty(lv_builder *b, const lv_entry *family)
{
    return lv_fail_at(b->err, LV_ERR_LIMIT, LV_AT(family->place),
                      "this family has more than %d ranges without any index",
                      LV_MODEL_EMPTY_RANGES);
}

/* Visits all instances, the last index running fastest: counts them, and lists their indices
 * where `out` is not NULL. */
static lv_status visit_instances(lv_builder *b, const lv_entry *family, double *out)
{
    int depth = b->kernel.index_count, level = 0, empty = 0;
    double now[LV_RANGES_MOST] = {0}, ends[LV_RANGES_MOST][2];
    b->kernel.instance_count = 0;
    LV_TRY(range_ends(b, ends[0], 0, now, family));
    now[0] = ends[0][0];
    while (level >= 0) {
        double last = ends[level][1];
        if (now[level] > last) { /* this range is done: go on outside it */
            level--;
            if (level >= 0)
                now[level]++;
        } else if (level + 1 < depth) {
            level++;
            LV_TRY(range_ends(b, ends[level], level, now, family));
            now[level] = ends[level][0];
            empty += now[level] > ends[level][1];
            if (empty > LV_MODEL_EMPTY_RANGES)
                return too_empty(b, family);
        } else {
            double many = last - now[level] + 1;
            if (many > LV_MODEL_INSTANCES - b->kernel.instance_count)
                return too_many(b, family);
            b->kernel.instance_count += (int)many;
            for (; out && now[level] <= last; now[level]++, out += depth)
                memcpy(out, now, (size_t)depth * sizeof *out);
            now[level] = last + 1;
        }
    }
    return LV_OK;
}

lv_status lv_builder_instances(lv_builder *b, const lv_entry *family)
{
    b->kernel.instance_count = 1;
    if (b->kernel.index_count == 0)
        return LV_OK;
    LV_TRY(visit_instances(b, family, NULL));
    size_t count = (size_t)b->kernel.instance_count * (size_t)b->kernel.index_count;
    double *indices = lv_arena_alloc(&b->model->arena, count, sizeof *indices);
    if (!indices)
        return lv_fail_memory(b->err);
    b->kernel.indices = indices;
    return visit_instances(b, family, indices);
}

/* ---- where the slots are -------------------------------------------------------------- */

/* "i = 1, j = 3" */
static const char *indices_text(const lv_builder *b, int instance, char buffer[200])
{
    int used = 0;
    buffer[0] = '\0';
    for (int k = 0; k < b->kernel.index_count && used < 150; k++)
        used += snprintf(
            buffer + used, 200 - (size_t)used, "%s%s = %.0f", k ? ", " : "",
            b->index_names[k],
            b->kernel
                .indices[(size_t)instance * (size_t)b->kernel.index_count + (size_t)k]);
    return buffer;
}

static lv_status bad_member(lv_builder *b, const lv_slot *slot, double member,
                            int instance)
{
    const lv_group *group = &b->model->groups.data[slot->group];
    const char *name = group->item->name;
    char buffer[200];
    if (member != floor(member) || !isfinite(member))
        lv_fail_at(b->err, LV_ERR_MODEL, LV_AT(slot->place),
                   "the index of '%s' is %g here; it must be a whole number", name,
                   member);
    else if (group->count == 0)
        lv_fail_at(b->err, LV_ERR_MODEL, LV_AT(slot->place),
                   "there is no %s_%.0f: the family '%s' has no members", name, member,
                   name);
    else
        lv_fail_at(b->err, LV_ERR_MODEL, LV_AT(slot->place),
                   "there is no %s_%.0f: the members are %s_1 to %s_%d", name, member,
                   name, name, group->count);
    if (b->kernel.index_count > 0)
        lv_error_note(b->err, "for %s", indices_text(b, instance, buffer));
    return LV_ERR_MODEL;
}

/* Numbers of the first coordinate of every slot in one instance; members are evaluated. */
static lv_status place_slots(lv_builder *b, int *where, const double *members,
                             int instance)
{
    for (int s = 0, m = 0; s < b->slots.count; s++) {
        const lv_slot *slot = &b->slots.data[s];
        const lv_group *group = &b->model->groups.data[slot->group];
        where[s] = group->first;
        if (slot->index < 0)
            continue;
        double member = members[m++];
        if (!(member == floor(member) && member >= 1 && member <= group->count))
            return bad_member(b, slot, member, instance);
        where[s] += ((int)member - 1) * slot->length;
    }
    return LV_OK;
}

typedef struct members {
    lv_node *nodes; /* index of each slot of a family, in the order of the slots */
    int count;
    lv_program *program;
    double *workspace;
    double *values;
} members;

static lv_status compile_members(lv_builder *b, members *m)
{
    m->nodes = lv_arena_alloc(&b->scratch, (size_t)b->slots.count, sizeof *m->nodes);
    m->values = lv_arena_alloc(&b->scratch, (size_t)b->slots.count, sizeof *m->values);
    if (!m->nodes || !m->values)
        return lv_fail_memory(b->err);
    for (int s = 0; s < b->slots.count; s++) {
        lv_node index = b->slots.data[s].index;
        if (index < 0)
            continue;
        m->nodes[m->count++] = index;
        LV_TRY(lv_model_mark_structural(b->model, b->e.graph, index, b->err));
    }
    if (m->count == 0)
        return LV_OK;
    LV_TRY(lv_program_compile(&m->program, b->e.graph, m->nodes, m->count,
                              &b->kernel.layout, b->err));
    m->workspace = lv_memory_zeroed((size_t)m->program->slots, sizeof *m->workspace);
    if (!m->workspace)
        return lv_fail_memory(b->err);
    lv_program_load(m->program, m->workspace, 1);
    for (int k = 0; k < b->model->parameter_values.count; k++)
        m->workspace[m->program->input[LV_INPUT_P] + k] =
            b->model->parameter_values.data[k];
    lv_program_run(m->program, LV_SEGMENT_UNIFORM, m->workspace, 1);
    return LV_OK;
}

/* The members that all family slots mean in one instance. */
static void evaluate_members(lv_builder *b, const members *m, int instance)
{
    int indices = b->kernel.index_count;
    for (int j = 0; j < indices; j++)
        m->workspace[m->program->input[LV_INPUT_I] + j] =
            b->kernel.indices[(size_t)instance * (size_t)indices + (size_t)j];
    lv_program_run(m->program, LV_SEGMENT_INSTANCE, m->workspace, 1);
    lv_program_run(m->program, LV_SEGMENT_MAIN, m->workspace, 1);
    for (int j = 0; j < m->count; j++)
        m->values[j] = m->workspace[m->program->output[j]];
}

static lv_status place_instances(lv_builder *b, int *where, const members *m)
{
    for (int k = 0; k < b->kernel.instance_count; k++) {
        if (m->count > 0)
            evaluate_members(b, m, k);
        LV_TRY(place_slots(b, where + (size_t)k * (size_t)b->slots.count, m->values, k));
    }
    return LV_OK;
}

lv_status lv_builder_locate(lv_builder *b)
{
    size_t size = 0;
    members m = {0};
    if (!lv_size_mul((size_t)b->kernel.instance_count, (size_t)b->slots.count, &size))
        return lv_fail_memory(b->err);
    int *where = lv_arena_alloc(&b->model->arena, size, sizeof *where);
    lv_status status = where ? compile_members(b, &m) : lv_fail_memory(b->err);
    if (status == LV_OK)
        status = place_instances(b, where, &m);
    lv_program_free(m.program);
    lv_memory_free(m.workspace);
    b->kernel.where = where;
    return status;
}
