/* Families: the indices of all instances of a kernel, and the coordinates of each slot in
 * every instance. */
#include "expr/analyse.h"
#include "model/footprint.h"
#include "model/revalue.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- indices ------------------------------------------------------------------------ */

/* Fails unless an index is new: no parameter, definition, coordinate or earlier index. */
static lv_status check_index_name(lv_draft *d, const lv_range *range, int number)
{
    LV_TRY(lv_model_check_index(d->model, range, d->err));
    for (int k = 0; k < number; k++)
        if (strcmp(d->index_names[k], range->name) == 0)
            return lv_fail_at(d->err, LV_ERR_MODEL, LV_AT(range->place),
                              "the index '%s' occurs twice", range->name);
    return LV_OK;
}

static lv_status elaborate_end(lv_draft *d, lv_node *end, const lv_formula *formula)
{
    lv_value value;
    LV_TRY(lv_elaborate(&d->e, &value, formula, d->err));
    if (value.length > 0)
        return lv_formula_fail(d->err, LV_ERR_MODEL, formula->snippet, formula->root,
                               "the end of a range must be a scalar");
    *end = value.items[0];
    return lv_model_mark_structural(d->model, d->e.graph, *end, d->err);
}

/* Elaborates the ends of all ranges; an end may use the indices before it. */
lv_status lv_draft_ranges(lv_draft *d, const lv_entry *family)
{
    int count = family ? family->count : 0;
    lv_node(*range)[2] = lv_arena_alloc(&d->scratch, (size_t)count, sizeof *range);
    d->index_names = lv_arena_alloc(d->arena, (size_t)count, sizeof *d->index_names);
    if (!range || !d->index_names)
        return lv_fail_memory(d->err);
    d->range = (const lv_node(*)[2])range;
    d->kernel.index_count = count; /* numbers of picks follow those of all indices */
    d->kernel.index_names = d->index_names;
    d->scope.index_names = d->index_names;
    d->scope.where = "index ranges";
    d->scope.hint = "a range may use parameters and the indices before it";
    d->e.timeless = "an index range";
    for (int k = 0; k < count; k++) {
        LV_TRY(check_index_name(d, &family->ranges[k], k));
        LV_TRY(elaborate_end(d, &range[k][0], &family->ranges[k].from));
        LV_TRY(elaborate_end(d, &range[k][1], &family->ranges[k].to));
        d->index_names[k] = family->ranges[k].name;
        d->scope.index_count = k + 1;
    }
    d->scope.hint = NULL;
    d->e.timeless = NULL;
    return LV_OK;
}

/* ---- instances ----------------------------------------------------------------------- */

/* An enumeration of all instances; the last index runs fastest. */
typedef struct walk {
    lv_draft *d;
    const lv_entry *family;
    lv_index_program ends;      /* its values 2k and 2k + 1 are the ends of range k */
    bool fixed[LV_RANGES_MOST]; /* ranges that depend on no index */
    double first[LV_RANGES_MOST], last[LV_RANGES_MOST], now[LV_RANGES_MOST];
    int evaluated; /* number of evaluations of ranges that are not fixed */
} walk;

/* Takes the first and last value of range k for the current indices before it. */
static lv_status take_ends(walk *w, int k)
{
    const lv_range *range = &w->family->ranges[k];
    w->first[k] = lv_index_program_value(&w->ends, 2 * k);
    w->last[k] = lv_index_program_value(&w->ends, 2 * k + 1);
    for (int end = 0; end < 2; end++) {
        const lv_formula *formula = end == 0 ? &range->from : &range->to;
        double value = end == 0 ? w->first[k] : w->last[k];
        if (isnan(value)) {
            w->ends.lenient = false; /* the error says what is wrong */
            LV_TRY(lv_index_program_run(&w->ends, w->now));
        }
        if (value != floor(value) || fabs(value) > 1e9)
            return lv_formula_fail(
                w->d->err, LV_ERR_MODEL, formula->snippet, formula->root,
                "the end of a range must be a whole number, this is %g", value);
    }
    return LV_OK;
}

static lv_status walk_init(walk *w)
{
    lv_draft *d = w->d;
    int depth = d->kernel.index_count;
    LV_TRY(lv_index_program_init(&w->ends, d, d->range[0], 2 * depth));
    w->ends.lenient = true; /* the inner ranges have no valid indices yet */
    LV_TRY(lv_index_program_run(&w->ends, w->now));
    for (int k = 0; k < depth; k++) {
        lv_node_list indices = {0};
        LV_TRY(
            lv_analyse_inputs(d->e.graph, &indices, d->range[k], 2, LV_INPUT_I, d->err));
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
            return lv_fail_at(w->d->err, LV_ERR_LIMIT, LV_AT(w->family->place),
                              "more than %d ranges of this family depend on the indices "
                              "before them",
                              LV_MODEL_RANGES);
        LV_TRY(lv_index_program_run(&w->ends, w->now));
        LV_TRY(take_ends(w, k));
    }
    w->now[k] = w->first[k];
    return LV_OK;
}

/* The number of instances as far as fixed ranges determine it: 0 if one of them is
 * empty. */
static double fixed_count(const walk *w, bool *all_fixed)
{
    double count = 1;
    *all_fixed = true;
    for (int k = 0; k < w->d->kernel.index_count; k++) {
        if (w->fixed[k])
            count *= fmax(w->last[k] - w->first[k] + 1, 0);
        *all_fixed = *all_fixed && w->fixed[k];
    }
    return count;
}

static lv_status too_many(const walk *w)
{
    return lv_fail_at(w->d->err, LV_ERR_LIMIT, LV_AT(w->family->place),
                      "with this family the model has more than %d instances",
                      LV_MODEL_INSTANCES);
}

/* Counts the instances, and lists their indices if `out` is not NULL. */
static lv_status walk_through(walk *w, double *out)
{
    int depth = w->d->kernel.index_count, level = 0,
        *count = &w->d->kernel.instance_count;
    double most = LV_MODEL_INSTANCES - w->d->model->instances;
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
        if (*now > last) { /* this range is done: continue with the enclosing one */
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
    lv_draft *d = w->d;
    LV_TRY(walk_init(w));
    LV_TRY(walk_through(w, NULL));
    if (d->most > 0 && d->kernel.instance_count > d->most)
        return LV_OK;
    LV_TRY(lv_model_expect_instances(d->model, &d->kernel, w->family, d->err));
    size_t count = (size_t)d->kernel.instance_count * (size_t)d->kernel.index_count;
    double *indices = lv_arena_alloc(d->arena, count, sizeof *indices);
    if (!indices)
        return lv_fail_memory(d->err);
    d->kernel.indices = indices;
    return walk_through(w, indices);
}

lv_status lv_draft_instances(lv_draft *d, const lv_entry *family)
{
    walk w = {.d = d, .family = family};
    d->kernel.instance_count = 1;
    lv_status status = d->kernel.index_count == 0 ? LV_OK : list_instances(&w);
    lv_index_program_done(&w.ends);
    d->model->instances += d->kernel.instance_count;
    return status;
}

lv_status lv_draft_evaluate(lv_draft *d, const lv_node *nodes, int count,
                            lv_draft_visit visit, void *user)
{
    lv_index_program p = {0};
    size_t indices = (size_t)d->kernel.index_count;
    double *values = lv_arena_alloc(&d->scratch, (size_t)count, sizeof *values);
    lv_status status =
        values ? lv_index_program_init(&p, d, nodes, count) : lv_fail_memory(d->err);
    for (int k = 0; status == LV_OK && k < d->kernel.instance_count; k++) {
        const double *all = d->kernel.indices;
        status = lv_draft_in_instance(
            d, k, lv_index_program_run(&p, all ? all + (size_t)k * indices : NULL));
        for (int j = 0; j < count; j++)
            values[j] = lv_index_program_value(&p, j);
        d->numbers = p.numbers;
        if (status == LV_OK)
            status = visit(user, d, k, values);
    }
    if (status == LV_OK)
        status = lv_evaluations_add(d, &p);
    lv_index_program_done(&p);
    return status;
}

/* ---- coordinates of slots ---------------------------------------------------------- */

const char *lv_draft_indices_text(const lv_draft *d, int instance, char buffer[200])
{
    int used = 0;
    buffer[0] = '\0';
    for (int k = 0; k < d->kernel.index_count && used < 150; k++)
        used += snprintf(
            buffer + used, 200 - (size_t)used, "%s%s = %.0f", k ? ", " : "",
            d->index_names[k],
            d->kernel
                .indices[(size_t)instance * (size_t)d->kernel.index_count + (size_t)k]);
    return buffer;
}

lv_status lv_draft_in_instance(const lv_draft *d, int instance, lv_status status)
{
    char buffer[200];
    if (status == LV_ERR_MODEL && d->kernel.index_count > 0)
        lv_error_note(d->err, "for %s", lv_draft_indices_text(d, instance, buffer));
    return status;
}

static lv_status bad_member(const lv_draft *d, const lv_slot *slot, double member,
                            int instance)
{
    const lv_group *group = &d->model->groups.data[slot->group];
    const lv_index_demand demand = {slot->index, 1, group->count, slot->place,
                                    group->item->name};
    return lv_draft_in_instance(d, instance, lv_index_check(&demand, member, d->err));
}

/* Finds the first coordinate of every slot in one instance. */
static lv_status place_slots(lv_draft *d, int *where, lv_index_program *members,
                             int instance)
{
    for (int s = 0, m = 0; s < d->slots.count; s++) {
        const lv_slot *slot = &d->slots.data[s];
        const lv_group *group = &d->model->groups.data[slot->group];
        where[s] = group->first;
        if (slot->index < 0)
            continue;
        double member = lv_index_program_value(members, m++);
        if (!(member == floor(member) && member >= 1 && member <= group->count))
            return bad_member(d, slot, member, instance);
        where[s] += ((int)member - 1) * slot->length;
    }
    return LV_OK;
}

/* Compiles the indices of all slots of families, in the order of the slots. */
static lv_status compile_members(lv_index_program *members, lv_draft *d)
{
    int count = 0;
    lv_node *nodes = lv_arena_alloc(&d->scratch, (size_t)d->slots.count, sizeof *nodes);
    if (!nodes)
        return lv_fail_memory(d->err);
    for (int s = 0; s < d->slots.count; s++) {
        lv_node index = d->slots.data[s].index;
        if (index < 0)
            continue;
        nodes[count++] = index;
        LV_TRY(lv_model_mark_structural(d->model, d->e.graph, index, d->err));
    }
    return lv_index_program_init(members, d, nodes, count);
}

static lv_status place_instances(lv_draft *d, int *where, lv_index_program *members)
{
    const double *indices = d->kernel.indices; /* NULL if there is no family */
    for (int k = 0; k < d->kernel.instance_count; k++) {
        if (members->program)
            LV_TRY(lv_draft_in_instance(d, k, lv_index_program_run(members, indices)));
        LV_TRY(place_slots(d, where, members, k));
        where += d->slots.count;
        indices = indices ? indices + d->kernel.index_count : NULL;
    }
    return LV_OK;
}

/* ---- demands on indices ---------------------------------------------------------------- */

static lv_status take_demand(lv_scope *scope, const lv_index_demand *demand,
                             lv_error *err)
{
    lv_draft *d = scope->user;
    return LV_PUSH(d->demands, *demand) ? LV_OK : lv_fail_memory(err);
}

void lv_draft_demand(lv_draft *d)
{
    d->scope.demand = take_demand;
}

static lv_status check_demands(void *user, const lv_draft *d, int instance,
                               const double *values)
{
    (void)user;
    for (int k = 0; k < d->demands.count; k++)
        LV_TRY(lv_draft_in_instance(
            d, instance, lv_index_check(&d->demands.data[k], values[k], d->err)));
    return LV_OK;
}

lv_status lv_draft_check_demands(lv_draft *d)
{
    size_t count = (size_t)d->demands.count;
    lv_node *nodes = lv_arena_alloc(&d->scratch, count, sizeof *nodes);
    if (!nodes)
        return lv_fail_memory(d->err);
    for (size_t k = 0; k < count; k++) {
        nodes[k] = d->demands.data[k].index;
        LV_TRY(lv_model_mark_structural(d->model, d->e.graph, nodes[k], d->err));
    }
    return count == 0 ? LV_OK
                      : lv_draft_evaluate(d, nodes, (int)count, check_demands, NULL);
}

lv_status lv_draft_locate(lv_draft *d)
{
    lv_index_program members = {0};
    int size = 0;
    if (!lv_int_mul(d->kernel.instance_count, d->slots.count, &size) ||
        size > LV_MODEL_PLACES - d->model->places)
        return lv_fail_at(
            d->err, LV_ERR_LIMIT, LV_AT(d->kernel.entry->place),
            "with this term the model has more than %d coordinates, counted in "
            "every instance",
            LV_MODEL_PLACES);
    d->model->places += size;
    int *where = lv_arena_alloc(d->arena, (size_t)size, sizeof *where);
    lv_status status = where ? compile_members(&members, d) : lv_fail_memory(d->err);
    if (status == LV_OK)
        status = place_instances(d, where, &members);
    lv_index_program_done(&members);
    d->kernel.where = where;
    return status;
}
