/* Families: the indices of all instances of a kernel, and where each slot lives in every one. */
#include "expr/analyse.h"
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

/* ---- formulas of indices ------------------------------------------------------------- */

/* Formulas of parameters and indices, evaluated for one instance after the other. */
typedef struct index_program {
    lv_program *program; /* NULL: there are no formulas */
    double *workspace;
} index_program;

static void program_done(index_program *p)
{
    lv_program_free(p->program);
    lv_memory_free(p->workspace);
}

static lv_status program_init(index_program *p, const lv_builder *b, const lv_node *nodes,
                              int count)
{
    const lv_model *m = b->model;
    lv_layout layout = {{0}};
    layout.size[LV_INPUT_P] = m->parameter_values.count;
    layout.size[LV_INPUT_I] = b->kernel.index_count;
    if (count == 0)
        return LV_OK;
    LV_TRY(lv_program_compile(&p->program, b->e.graph, nodes, count, &layout, b->err));
    p->workspace = lv_memory_zeroed((size_t)p->program->slots, sizeof *p->workspace);
    if (!p->workspace)
        return lv_fail_memory(b->err);
    lv_program_load(p->program, p->workspace, 1);
    for (int k = 0; k < m->parameter_values.count; k++)
        p->workspace[p->program->input[LV_INPUT_P] + k] = m->parameter_values.data[k];
    lv_program_run(p->program, LV_SEGMENT_UNIFORM, p->workspace, 1);
    return LV_OK;
}

static void program_run(const index_program *p, const lv_builder *b,
                        const double *indices)
{
    for (int k = 0; k < b->kernel.index_count; k++)
        p->workspace[p->program->input[LV_INPUT_I] + k] = indices[k];
    lv_program_run(p->program, LV_SEGMENT_INSTANCE, p->workspace, 1);
    lv_program_run(p->program, LV_SEGMENT_MAIN, p->workspace, 1);
}

static double program_value(const index_program *p, int k)
{
    return p->workspace[p->program->output[k]];
}

/* ---- instances ----------------------------------------------------------------------- */

/* A walk through all instances, the last index running fastest. */
typedef struct walk {
    lv_builder *b;
    const lv_entry *family;
    index_program ends; /* first and last of range k are its values 2k and 2k + 1 */
    bool fixed[LV_RANGES_MOST]; /* ranges that depend on no index */
    double first[LV_RANGES_MOST], last[LV_RANGES_MOST], now[LV_RANGES_MOST];
    int evaluated; /* how often the end of a range was needed that is not fixed */
} walk;

/* First and last value of range k for the indices before it. */
static lv_status take_ends(walk *w, int k)
{
    const lv_range *range = &w->family->ranges[k];
    w->first[k] = program_value(&w->ends, 2 * k);
    w->last[k] = program_value(&w->ends, 2 * k + 1);
    for (int end = 0; end < 2; end++) {
        const lv_formula *formula = end == 0 ? &range->from : &range->to;
        double value = end == 0 ? w->first[k] : w->last[k];
        if (value != floor(value) || fabs(value) > 1e9)
            return lv_formula_fail(
                w->b->err, LV_ERR_MODEL, formula->snippet, formula->root,
                "the end of a range must be a whole number, this is %g", value);
    }
    return LV_OK;
}

static lv_status walk_init(walk *w)
{
    lv_builder *b = w->b;
    int depth = b->kernel.index_count;
    LV_TRY(program_init(&w->ends, b, b->range[0], 2 * depth));
    program_run(&w->ends, b, w->now);
    for (int k = 0; k < depth; k++) {
        lv_node_list indices = {0};
        LV_TRY(
            lv_analyse_inputs(b->e.graph, &indices, b->range[k], 2, LV_INPUT_I, b->err));
        w->fixed[k] = indices.count == 0;
        LV_ARRAY_FREE(indices);
        if (w->fixed[k])
            LV_TRY(take_ends(w, k));
    }
    return LV_OK;
}

static lv_status enter_range(walk *w, int k)
{
    if (!w->fixed[k]) {
        if (++w->evaluated > LV_MODEL_RANGES)
            return lv_fail_at(w->b->err, LV_ERR_LIMIT, LV_AT(w->family->place),
                              "more than %d ranges of this family depend on the indices "
                              "before them",
                              LV_MODEL_RANGES);
        program_run(&w->ends, w->b, w->now);
        LV_TRY(take_ends(w, k));
    }
    w->now[k] = w->first[k];
    return LV_OK;
}

/* The number of instances as far as fixed ranges tell it: 0 if one of them is empty. */
static double fixed_count(const walk *w, bool *all_fixed)
{
    double count = 1;
    *all_fixed = true;
    for (int k = 0; k < w->b->kernel.index_count; k++) {
        if (w->fixed[k])
            count *= fmax(w->last[k] - w->first[k] + 1, 0);
        *all_fixed = *all_fixed && w->fixed[k];
    }
    return count;
}

static lv_status too_many(const walk *w)
{
    return lv_fail_at(w->b->err, LV_ERR_LIMIT, LV_AT(w->family->place),
                      "with this family the model has more than %d instances",
                      LV_MODEL_INSTANCES);
}

/* Counts the instances, and lists their indices where `out` is not NULL. */
static lv_status walk_through(walk *w, double *out)
{
    int depth = w->b->kernel.index_count, level = 0,
        *count = &w->b->kernel.instance_count;
    double most = LV_MODEL_INSTANCES - w->b->model->instances;
    bool all_fixed = false;
    double expected = fixed_count(w, &all_fixed);
    *count = 0;
    w->evaluated = 0;
    if (all_fixed && expected > most)
        return too_many(w);
    if (expected == 0)
        return LV_OK;
    LV_TRY(enter_range(w, 0));
    while (level >= 0) {
        double *now = &w->now[level], last = w->last[level];
        if (*now > last) { /* this range is done: go on outside it */
            level--;
            if (level >= 0)
                w->now[level]++;
        } else if (level + 1 < depth) {
            LV_TRY(enter_range(w, ++level));
        } else {
            if (last - *now + 1 > most - *count)
                return too_many(w);
            *count += (int)(last - *now + 1);
            for (; out && *now <= last; (*now)++, out += depth)
                memcpy(out, w->now, (size_t)depth * sizeof *out);
            *now = last + 1;
        }
    }
    return LV_OK;
}

static lv_status list_instances(walk *w)
{
    lv_builder *b = w->b;
    LV_TRY(walk_init(w));
    LV_TRY(walk_through(w, NULL));
    size_t count = (size_t)b->kernel.instance_count * (size_t)b->kernel.index_count;
    double *indices = lv_arena_alloc(&b->model->arena, count, sizeof *indices);
    if (!indices)
        return lv_fail_memory(b->err);
    b->kernel.indices = indices;
    return walk_through(w, indices);
}

lv_status lv_builder_instances(lv_builder *b, const lv_entry *family)
{
    walk w = {.b = b, .family = family};
    b->kernel.instance_count = 1;
    lv_status status = b->kernel.index_count == 0 ? LV_OK : list_instances(&w);
    program_done(&w.ends);
    b->model->instances += b->kernel.instance_count;
    return status;
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

/* Numbers of the first coordinate of every slot in one instance. */
static lv_status place_slots(lv_builder *b, int *where, const index_program *members,
                             int instance)
{
    for (int s = 0, m = 0; s < b->slots.count; s++) {
        const lv_slot *slot = &b->slots.data[s];
        const lv_group *group = &b->model->groups.data[slot->group];
        where[s] = group->first;
        if (slot->index < 0)
            continue;
        double member = program_value(members, m++);
        if (!(member == floor(member) && member >= 1 && member <= group->count))
            return bad_member(b, slot, member, instance);
        where[s] += ((int)member - 1) * slot->length;
    }
    return LV_OK;
}

/* The program of the indices of all slots of families, in the order of the slots. */
static lv_status compile_members(index_program *members, lv_builder *b)
{
    int count = 0;
    lv_node *nodes = lv_arena_alloc(&b->scratch, (size_t)b->slots.count, sizeof *nodes);
    if (!nodes)
        return lv_fail_memory(b->err);
    for (int s = 0; s < b->slots.count; s++) {
        lv_node index = b->slots.data[s].index;
        if (index < 0)
            continue;
        nodes[count++] = index;
        LV_TRY(lv_model_mark_structural(b->model, b->e.graph, index, b->err));
    }
    return program_init(members, b, nodes, count);
}

static lv_status place_instances(lv_builder *b, int *where, const index_program *members)
{
    const double *indices = b->kernel.indices; /* NULL without a family */
    for (int k = 0; k < b->kernel.instance_count; k++) {
        if (members->program)
            program_run(members, b, indices);
        LV_TRY(place_slots(b, where, members, k));
        where += b->slots.count;
        indices = indices ? indices + b->kernel.index_count : NULL;
    }
    return LV_OK;
}

lv_status lv_builder_locate(lv_builder *b)
{
    index_program members = {0};
    int size = 0;
    if (!lv_int_mul(b->kernel.instance_count, b->slots.count, &size) ||
        size > LV_MODEL_PLACES - b->model->places)
        return lv_fail_at(
            b->err, LV_ERR_LIMIT, LV_AT(b->kernel.entry->place),
            "with this term the model has more than %d coordinates, counted in "
            "every instance",
            LV_MODEL_PLACES);
    b->model->places += size;
    int *where = lv_arena_alloc(&b->model->arena, (size_t)size, sizeof *where);
    lv_status status = where ? compile_members(&members, b) : lv_fail_memory(b->err);
    if (status == LV_OK)
        status = place_instances(b, where, &members);
    program_done(&members);
    b->kernel.where = where;
    return status;
}
