/* Builds the kernels of a model: elaborates a term's formula over local coordinates, lists the
 * instances of its family, and finds where each slot lives in every instance. */
#include "model/kernel.h"

#include "expr/analyse.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *lv_role_name(lv_role role)
{
    static const char *const names[LV_ROLES] = {"kinetic",  "potential",    "lagrangian",
                                                "holonomic", "nonholonomic", "force",
                                                "symmetry", "output"};
    return names[role];
}

/* A kernel under construction. */
typedef struct builder {
    lv_model *model;
    lv_kernel kernel;
    lv_arena scratch;
    lv_elaboration e;
    lv_scope scope;
    LV_ARRAY(lv_slot) slots;
    LV_ARRAY(int) previous; /* of each slot: the slot before it of the same group, or -1 */
    int local;              /* coordinates so far */
    const char **index_names;
    const lv_node (*range)[2]; /* first and last index of each range */
    lv_error *err;
} builder;

static void builder_done(builder *b)
{
    LV_ARRAY_FREE(b->slots);
    LV_ARRAY_FREE(b->previous);
    lv_graph_free(b->kernel.graph);
    lv_arena_done(&b->scratch);
}

/* ---- slots -------------------------------------------------------------------------- */

/* The slot of a group that was added last, or -1. */
static int last_slot(const builder *b, int group)
{
    const lv_group *g = &b->model->groups.data[group];
    return g->slot_scope == b->scope.number ? g->slot : -1;
}

static lv_status add_slot(builder *b, int group, lv_node member, const lv_syntax *name)
{
    const lv_snippet *snippet = b->e.snippet;
    size_t from = lv_snippet_offset(snippet, name->start);
    size_t to = lv_snippet_offset(snippet, name->start + name->length);
    int width = lv_group_width(&b->model->groups.data[group]);
    lv_slot slot = {group, b->local, width, member,
                    {snippet->source, from, to > from ? to - from : 1}};
    if (width > LV_MODEL_LOCAL - b->local) {
        lv_status status =
            lv_fail_at(b->err, LV_ERR_LIMIT, LV_AT(slot.place),
                       "this formula contains more than %d coordinates", LV_MODEL_LOCAL);
        lv_error_hint(b->err, "write it as a family: for = \"i = 1..N\"");
        return status;
    }
    if (!LV_PUSH(b->slots, slot) || !LV_PUSH(b->previous, last_slot(b, group)))
        return lv_fail_memory(b->err);
    b->model->groups.data[group].slot = b->slots.count - 1;
    b->model->groups.data[group].slot_scope = b->scope.number;
    b->local += width;
    return LV_OK;
}

/* The Q inputs of a coordinate: a known slot or a new one. */
static lv_status slot_value(lv_scope *scope, lv_value *value, int group, lv_node member,
                            const lv_syntax *name, lv_error *err)
{
    builder *b = scope->user;
    int s = last_slot(b, group);
    while (s >= 0 && b->slots.data[s].index != member)
        s = b->previous.data[s];
    if (s < 0) {
        LV_TRY(add_slot(b, group, member, name));
        s = b->slots.count - 1;
    }
    lv_node *items =
        lv_value_room(&b->e, value, b->model->groups.data[group].length, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < lv_value_count(value); k++)
        items[k] = lv_graph_input(b->e.graph, LV_INPUT_Q, b->slots.data[s].first + k);
    return LV_OK;
}

/* ---- instances ---------------------------------------------------------------------- */

/* An index must be new: not a parameter, definition, coordinate or earlier index. */
static lv_status check_index_name(builder *b, const lv_range *range, int number)
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

static lv_status elaborate_end(builder *b, lv_node *end, const lv_formula *formula)
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
static lv_status elaborate_ranges(builder *b, const lv_entry *family)
{
    int count = family ? family->count : 0;
    lv_node(*range)[2] = lv_arena_alloc(&b->scratch, (size_t)count, sizeof *range);
    b->index_names = lv_arena_alloc(&b->model->arena, (size_t)count, sizeof *b->index_names);
    if (!range || !b->index_names)
        return lv_fail_memory(b->err);
    b->range = (const lv_node(*)[2])range;
    b->scope.index_names = b->index_names;
    b->scope.where = "index ranges";
    b->scope.hint = "a range may use parameters and the indices before it";
    b->scope.coordinate = NULL;
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
    b->scope.coordinate = slot_value;
    b->scope.hint = NULL;
    b->e.timeless = NULL;
    return LV_OK;
}

/* First and last value of range k for the indices before it. */
static lv_status range_ends(builder *b, double ends[2], int k, const double *indices,
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
            return lv_formula_fail(b->err, LV_ERR_MODEL, formula->snippet, formula->root,
                                   "the end of a range must be a whole number, this is %g",
                                   ends[end]);
    }
    return LV_OK;
}

static lv_status too_many(builder *b, const lv_entry *family)
{
    return lv_fail_at(b->err, LV_ERR_LIMIT, LV_AT(family->place),
                      "this family has more than %d instances", LV_MODEL_INSTANCES);
}

static lv_status too_empty(builder *b, const lv_entry *family)
{
    return lv_fail_at(b->err, LV_ERR_LIMIT, LV_AT(family->place),
                      "this family has more than %d ranges without any index",
                      LV_MODEL_EMPTY_RANGES);
}

/* Visits all instances, the last index running fastest: counts them, and lists their indices
 * where `out` is not NULL. */
static lv_status visit_instances(builder *b, const lv_entry *family, double *out)
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

static lv_status list_instances(builder *b, const lv_entry *family)
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
static const char *indices_text(const builder *b, int instance, char buffer[200])
{
    int used = 0;
    buffer[0] = '\0';
    for (int k = 0; k < b->kernel.index_count && used < 150; k++)
        used += snprintf(buffer + used, 200 - (size_t)used, "%s%s = %.0f", k ? ", " : "",
                         b->index_names[k],
                         b->kernel.indices[(size_t)instance * (size_t)b->kernel.index_count +
                                           (size_t)k]);
    return buffer;
}

static lv_status bad_member(builder *b, const lv_slot *slot, double member, int instance)
{
    const lv_group *group = &b->model->groups.data[slot->group];
    const char *name = group->item->name;
    char buffer[200];
    if (member != floor(member))
        lv_fail_at(b->err, LV_ERR_MODEL, LV_AT(slot->place),
                   "the index of '%s' is %g here; it must be a whole number", name, member);
    else if (group->count == 0)
        lv_fail_at(b->err, LV_ERR_MODEL, LV_AT(slot->place),
                   "there is no %s_%.0f: the family '%s' has no members", name, member, name);
    else
        lv_fail_at(b->err, LV_ERR_MODEL, LV_AT(slot->place),
                   "there is no %s_%.0f: the members are %s_1 to %s_%d", name, member, name,
                   name, group->count);
    if (b->kernel.index_count > 0)
        lv_error_note(b->err, "for %s", indices_text(b, instance, buffer));
    return LV_ERR_MODEL;
}

/* Numbers of the first coordinate of every slot in one instance; members are evaluated. */
static lv_status place_slots(builder *b, int *where, const double *members, int instance)
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

static lv_status compile_members(builder *b, members *m)
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
static void evaluate_members(builder *b, const members *m, int instance)
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

static lv_status place_instances(builder *b, int *where, const members *m)
{
    for (int k = 0; k < b->kernel.instance_count; k++) {
        if (m->count > 0)
            evaluate_members(b, m, k);
        LV_TRY(place_slots(b, where + (size_t)k * (size_t)b->slots.count, m->values, k));
    }
    return LV_OK;
}

static lv_status locate(builder *b)
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

/* ---- formulas ------------------------------------------------------------------------- */

static lv_status elaborate_rows(builder *b)
{
    lv_value value;
    const lv_entry *entry = b->kernel.entry;
    LV_TRY(lv_scope_entry(&b->scope, &value, entry, b->err));
    bool is_energy = b->kernel.role <= LV_ROLE_LAGRANGIAN;
    if (is_energy && value.length > 0) {
        char buffer[48];
        return lv_fail_at(b->err, LV_ERR_MODEL, LV_AT(entry->place),
                          "an energy must be a scalar, this is %s",
                          lv_value_describe(&value, buffer));
    }
    if (value.length > LV_MODEL_LOCAL) {
        lv_status status =
            lv_fail_at(b->err, LV_ERR_LIMIT, LV_AT(entry->place),
                       "this formula has more than %d components", LV_MODEL_LOCAL);
        lv_error_hint(b->err, "write it as a family: for = \"i = 1..N\"");
        return status;
    }
    b->kernel.is_vector = value.length > 0;
    b->kernel.row_count = lv_value_count(&value);
    b->kernel.rows = lv_arena_copy(&b->model->arena, value.items,
                                   (size_t)b->kernel.row_count, sizeof *value.items);
    return b->kernel.rows ? LV_OK : lv_fail_memory(b->err);
}

/* Every part of 'on' must be a coordinate, and another one each time. */
static lv_status check_targets(builder *b, const lv_entry *on)
{
    bool *seen = lv_arena_alloc(&b->scratch, (size_t)b->local, sizeof *seen);
    if (!seen)
        return lv_fail_memory(b->err);
    for (int k = 0; k < on->count; k++) {
        const lv_formula *part = &on->formulas[k];
        lv_value value;
        LV_TRY(lv_elaborate(&b->e, &value, part, b->err));
        for (int j = 0; j < lv_value_count(&value); j++) {
            const lv_node_data *d = lv_graph_node(b->e.graph, value.items[j]);
            if (d->op != LV_OP_INPUT || d->a != LV_INPUT_Q)
                return lv_formula_fail(b->err, LV_ERR_MODEL, part->snippet, part->root,
                                       "'on' lists coordinates; this is none");
            if (seen[d->b])
                return lv_formula_fail(b->err, LV_ERR_MODEL, part->snippet, part->root,
                                       "'on' already contains this coordinate");
            seen[d->b] = true;
        }
    }
    return LV_OK;
}

/* The coordinates that a force or a symmetry acts on. */
static lv_status elaborate_targets(builder *b)
{
    const lv_entry *on = lv_item_entry(b->kernel.item, "on");
    lv_value value;
    LV_TRY(lv_scope_entry(&b->scope, &value, on, b->err));
    LV_TRY(check_targets(b, on));
    if (lv_value_count(&value) != b->kernel.row_count) {
        lv_status status =
            lv_fail_at(b->err, LV_ERR_MODEL, LV_AT(b->kernel.entry->place),
                       "%d component%s for %d coordinate%s", b->kernel.row_count,
                       b->kernel.row_count == 1 ? "" : "s", lv_value_count(&value),
                       lv_value_count(&value) == 1 ? "" : "s");
        lv_error_hint(b->err, "one component for each coordinate that 'on' lists; a vector "
                              "coordinate counts with its length");
        return status;
    }
    b->kernel.targets = lv_arena_copy(&b->model->arena, value.items,
                                      (size_t)b->kernel.row_count, sizeof *value.items);
    return b->kernel.targets ? LV_OK : lv_fail_memory(b->err);
}

/* What a role may depend on. */
static lv_status check_row(builder *b, int number, const lv_kinds *kinds)
{
    lv_role role = b->kernel.role;
    lv_node row = b->kernel.rows[number];
    bool q = kinds[row] & LV_KIND(Q), v = kinds[row] & LV_KIND(V);
    const char *text = NULL, *hint = NULL;
    if (role == LV_ROLE_KINETIC && !v) {
        text = "the kinetic energy contains no velocity";
        hint = "x' is the velocity of x";
    } else if (role == LV_ROLE_POTENTIAL && v) {
        text = "the potential energy contains velocities";
        hint = "velocity-dependent terms go into 'lagrangian', friction into [forces]";
    } else if (role == LV_ROLE_HOLONOMIC && v) {
        text = "a holonomic constraint contains velocities";
        hint = "a constraint on velocities is 'nonholonomic'";
    } else if (role == LV_ROLE_HOLONOMIC && !q) {
        text = "this constraint contains no coordinate";
    } else if (role == LV_ROLE_NONHOLONOMIC && !v) {
        text = "a nonholonomic constraint contains no velocity";
        hint = "a constraint on coordinates alone is 'holonomic'";
    } else if (role == LV_ROLE_SYMMETRY && (v || (kinds[row] & LV_KIND(T)))) {
        text = "the generator of a symmetry may depend on coordinates and parameters only";
    }
    if (!text)
        return LV_OK;
    lv_status status =
        lv_fail_at(b->err, LV_ERR_MODEL, LV_AT(b->kernel.entry->place), "%s", text);
    if (hint)
        lv_error_hint(b->err, "%s", hint);
    if (b->kernel.is_vector)
        lv_error_note(b->err, "component %d", number + 1);
    return status;
}

static lv_status check_rows(builder *b)
{
    size_t count = (size_t)lv_graph_count(b->e.graph);
    lv_kinds *kinds = lv_arena_alloc(&b->scratch, count, sizeof *kinds);
    if (!kinds)
        return lv_fail_memory(b->err);
    lv_analyse_kinds(b->e.graph, kinds);
    for (int k = 0; k < b->kernel.row_count; k++)
        LV_TRY(check_row(b, k, kinds));
    return LV_OK;
}

static lv_status start(builder *b)
{
    b->kernel.graph = lv_graph_create(0);
    b->e.graph = b->kernel.graph;
    b->e.arena = &b->scratch;
    b->scope.user = b;
    lv_scope_init(&b->scope, b->model, &b->e);
    return b->kernel.graph ? LV_OK : lv_fail_memory(b->err);
}

static lv_status fill_kernel(builder *b)
{
    lv_model *m = b->model;
    const lv_entry *family = b->kernel.role == LV_ROLE_OUTPUT
                                 ? NULL
                                 : lv_item_entry(b->kernel.item, "for");
    LV_TRY(start(b));
    LV_TRY(elaborate_ranges(b, family));
    LV_TRY(elaborate_rows(b));
    if (b->kernel.role == LV_ROLE_FORCE || b->kernel.role == LV_ROLE_SYMMETRY)
        LV_TRY(elaborate_targets(b));
    LV_TRY(check_rows(b));
    LV_TRY(list_instances(b, family));

    b->kernel.layout.size[LV_INPUT_Q] = b->local;
    b->kernel.layout.size[LV_INPUT_V] = b->local;
    b->kernel.layout.size[LV_INPUT_T] = 1;
    b->kernel.layout.size[LV_INPUT_P] = m->parameter_values.count;
    b->kernel.layout.size[LV_INPUT_I] = b->kernel.index_count;
    LV_TRY(locate(b));

    b->kernel.slot_count = b->slots.count;
    b->kernel.slots = lv_arena_copy(&m->arena, b->slots.data, (size_t)b->slots.count,
                                    sizeof *b->slots.data);
    return b->kernel.slots ? LV_OK : lv_fail_memory(b->err);
}

static lv_status build_kernel(lv_model *m, const lv_item *item, const char *key, lv_role role,
                              lv_error *err)
{
    builder b = {.model = m, .err = err};
    b.kernel.role = role;
    b.kernel.item = item;
    b.kernel.entry = lv_item_entry(item, key);
    lv_status status = fill_kernel(&b);
    if (status == LV_OK) {
        int rows = 0;
        b.kernel.first_row = m->row_count[role];
        if (!lv_int_mul(b.kernel.row_count, b.kernel.instance_count, &rows) ||
            !lv_int_add(m->row_count[role], rows, &m->row_count[role]))
            status = lv_fail_at(err, LV_ERR_LIMIT, LV_AT(item->place), "too many rows");
        else if (!LV_PUSH(m->kernels, b.kernel))
            status = lv_fail_memory(err);
        else
            b.kernel.graph = NULL; /* now the model's */
    }
    builder_done(&b);
    return status;
}

/* ---- all of them ------------------------------------------------------------------------ */

/* Section, key and role of every formula that makes a kernel. */
static const struct {
    lv_section_id section;
    const char *key;
    lv_role role;
} kernel_keys[] = {
    {LV_SECTION_ENERGY, "kinetic", LV_ROLE_KINETIC},
    {LV_SECTION_ENERGY, "potential", LV_ROLE_POTENTIAL},
    {LV_SECTION_ENERGY, "lagrangian", LV_ROLE_LAGRANGIAN},
    {LV_SECTION_CONSTRAINTS, "holonomic", LV_ROLE_HOLONOMIC},
    {LV_SECTION_CONSTRAINTS, "nonholonomic", LV_ROLE_NONHOLONOMIC},
    {LV_SECTION_FORCES, "force", LV_ROLE_FORCE},
    {LV_SECTION_SYMMETRIES, "generator", LV_ROLE_SYMMETRY},
    {LV_SECTION_OUTPUTS, "value", LV_ROLE_OUTPUT},
};

enum { KERNEL_KEYS = sizeof kernel_keys / sizeof *kernel_keys };

static lv_status check_item(const lv_item *item, int found, lv_error *err)
{
    char buffer[160];
    lv_status status = LV_OK;
    if (item->section == LV_SECTION_CONSTRAINTS && found > 1)
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(item->place),
                          "%s is both holonomic and nonholonomic; make it two constraints",
                          lv_item_describe(item, buffer));
    if (item->section == LV_SECTION_CONSTRAINTS && found == 0)
        status = lv_fail_at(err, LV_ERR_MODEL, LV_AT(item->place),
                            "%s has no formula: neither 'holonomic' nor 'nonholonomic'",
                            lv_item_describe(item, buffer));
    if (item->section == LV_SECTION_ENERGY && found == 0)
        status = lv_fail_at(
            err, LV_ERR_MODEL, LV_AT(item->place),
            "%s has no formula: 'kinetic', 'potential' or 'lagrangian' is needed",
            lv_item_describe(item, buffer));
    return status;
}

lv_status lv_model_build_kernels(lv_model *m, lv_error *err)
{
    for (int i = 0; i < m->declarations.items.count; i++) {
        const lv_item *item = &m->declarations.items.data[i];
        int found = 0;
        for (int k = 0; k < KERNEL_KEYS; k++) {
            if (kernel_keys[k].section != item->section ||
                !lv_item_entry(item, kernel_keys[k].key))
                continue;
            LV_TRY(build_kernel(m, item, kernel_keys[k].key, kernel_keys[k].role, err));
            found++;
        }
        LV_TRY(check_item(item, found, err));
    }
    return LV_OK;
}

const char *lv_kernel_row_text(const lv_kernel *kernel, int instance, int row, char *buffer,
                               size_t size)
{
    int used = snprintf(buffer, size, "%s", kernel->item->name);
    if (kernel->is_vector && used >= 0 && (size_t)used < size)
        used += snprintf(buffer + used, size - (size_t)used, "[%d]", row + 1);
    for (int k = 0; k < kernel->index_count && used >= 0 && (size_t)used < size; k++)
        used += snprintf(buffer + used, size - (size_t)used, "%s%s = %.0f",
                         k == 0 ? " (" : ", ", kernel->index_names[k],
                         kernel->indices[(size_t)instance * (size_t)kernel->index_count +
                                         (size_t)k]);
    if (kernel->index_count > 0 && used >= 0 && (size_t)used < size)
        snprintf(buffer + used, size - (size_t)used, ")");
    return buffer;
}
