#include "model/index_program.h"

#include "expr/analyse.h"

#include <math.h>
#include <string.h>

void lv_index_program_done(lv_index_program *p)
{
    lv_program_free(p->program);
    lv_memory_free(p->workspace);
    lv_memory_free(p->numbers);
    LV_ARRAY_FREE(p->picks);
}

/* Marks the picks in a formula, and those in their indices and components. */
static lv_status mark_needed(const lv_draft *d, bool *needed, const lv_node *nodes,
                             int count)
{
    lv_node_list inputs = {0};
    lv_status status =
        lv_analyse_inputs(d->e.graph, &inputs, nodes, count, LV_INPUT_I, d->err);
    for (int k = 0; status == LV_OK && k < d->picks.count; k++) {
        const lv_pick *pick = &d->picks.data[k];
        bool found = false;
        for (int j = 0; j < inputs.count; j++)
            found = found || lv_graph_node(d->e.graph, inputs.data[j])->b == pick->number;
        if (!found || needed[k])
            continue;
        needed[k] = true;
        status = mark_needed(d, needed, &pick->index, 1);
        if (status == LV_OK)
            status = mark_needed(d, needed, pick->items, pick->length);
    }
    LV_ARRAY_FREE(inputs);
    return status;
}

/* The picks that the formulas contain, and how often the program runs for them. */
static lv_status list_picks(lv_index_program *p, const lv_draft *d, const lv_node *nodes)
{
    bool *needed = lv_memory_zeroed((size_t)d->picks.count + 1, sizeof *needed);
    lv_status status =
        needed ? mark_needed(d, needed, nodes, p->count) : lv_fail_memory(d->err);
    for (int k = 0; status == LV_OK && k < d->picks.count; k++) {
        const lv_pick *pick = &d->picks.data[k];
        if (!needed[k])
            continue;
        p->passes = pick->level + 1 > p->passes ? pick->level + 1 : p->passes;
        if (!LV_PUSH(p->picks, *pick))
            status = lv_fail_memory(d->err);
    }
    lv_memory_free(needed);
    return status;
}

/* The formulas, then index and components of every pick that they need. */
static lv_status list_nodes(lv_node **list, int *total, const lv_index_program *p,
                            const lv_node *nodes)
{
    *total = p->count;
    for (int k = 0; k < p->picks.count; k++)
        if (!lv_int_add(*total, 1 + p->picks.data[k].length, total))
            return lv_fail_memory(p->err);
    lv_node *at = lv_memory_zeroed((size_t)*total + 1, sizeof *at);
    *list = at;
    if (!at)
        return lv_fail_memory(p->err);
    memcpy(at, nodes, (size_t)p->count * sizeof *at);
    at += p->count;
    for (int k = 0; k < p->picks.count; k++) {
        const lv_pick *pick = &p->picks.data[k];
        *at++ = pick->index;
        memcpy(at, pick->items, (size_t)pick->length * sizeof *at);
        at += pick->length;
    }
    return LV_OK;
}

void lv_index_program_put(lv_index_program *p, const double *parameters)
{
    lv_program_put(p->program, LV_INPUT_P, parameters, p->workspace, 1, 0);
    lv_program_run(p->program, LV_SEGMENT_UNIFORM, p->workspace, 1);
}

static lv_status compile(lv_index_program *p, const lv_draft *d, const lv_node *list,
                         int total)
{
    const lv_model *m = d->model;
    lv_layout layout = {{0}};
    layout.size[LV_INPUT_P] = m->parameter_values.count;
    layout.size[LV_INPUT_I] = d->kernel.index_count + d->data.count;
    LV_TRY(lv_program_compile(&p->program, d->e.graph, list, total, &layout, d->err));
    p->workspace = lv_memory_zeroed((size_t)p->program->slots, sizeof *p->workspace);
    p->numbers =
        lv_memory_zeroed((size_t)layout.size[LV_INPUT_I] + 1, sizeof *p->numbers);
    if (!p->workspace || !p->numbers)
        return lv_fail_memory(d->err);
    lv_program_load(p->program, p->workspace, 1);
    lv_index_program_put(p, m->parameter_values.data);
    return LV_OK;
}

lv_status lv_index_program_init(lv_index_program *p, const lv_draft *d,
                                const lv_node *nodes, int count)
{
    lv_node *list = NULL;
    int total = 0;
    *p = (lv_index_program){
        .count = count, .index_count = d->kernel.index_count, .passes = 1, .err = d->err};
    if (count == 0)
        return LV_OK;
    LV_TRY(list_picks(p, d, nodes));
    lv_status status = list_nodes(&list, &total, p, nodes);
    if (status == LV_OK)
        status = compile(p, d, list, total);
    lv_memory_free(list);
    return status;
}

/* Computes a pick whose index is output `at`; its components are the next outputs. */
static lv_status pick_one(lv_index_program *p, const lv_pick *one, int at)
{
    const double index = lv_index_program_value(p, at);
    const lv_index_demand demand = {one->index, 1, one->length, one->place, NULL};
    if (p->lenient && lv_index_check(&demand, index, NULL) != LV_OK) {
        p->numbers[one->number] = (double)NAN;
        return LV_OK;
    }
    LV_TRY(lv_index_check(&demand, index, p->err));
    p->numbers[one->number] = lv_index_program_value(p, at + (int)index);
    return LV_OK;
}

/* Computes the picks whose index is known after so many passes. */
static lv_status pick_at_pass(lv_index_program *p, int pass)
{
    int at = p->count;
    for (int k = 0; k < p->picks.count; k++) {
        const lv_pick *one = &p->picks.data[k];
        if (one->level == pass)
            LV_TRY(pick_one(p, one, at));
        at += 1 + one->length;
    }
    return LV_OK;
}

lv_status lv_index_program_run(lv_index_program *p, const double *indices)
{
    if (indices)
        memcpy(p->numbers, indices, (size_t)p->index_count * sizeof *indices);
    for (int pass = 1; pass <= p->passes; pass++) {
        lv_program_put(p->program, LV_INPUT_I, p->numbers, p->workspace, 1, 0);
        lv_program_run(p->program, LV_SEGMENT_INSTANCE, p->workspace, 1);
        lv_program_run(p->program, LV_SEGMENT_MAIN, p->workspace, 1);
        if (pass < p->passes)
            LV_TRY(pick_at_pass(p, pass));
    }
    return LV_OK;
}

double lv_index_program_value(const lv_index_program *p, int k)
{
    return p->workspace[p->program->output[k]];
}

/* ---- picks ------------------------------------------------------------------------------- */

/* The nesting depth of picks in an index, plus 1. */
static lv_status find_level(const lv_draft *d, int *level, lv_node index, lv_error *err)
{
    lv_node_list inputs = {0};
    lv_status status = lv_analyse_inputs(d->e.graph, &inputs, &index, 1, LV_INPUT_I, err);
    *level = 1;
    for (int j = 0; j < inputs.count; j++)
        for (int k = 0; k < d->picks.count; k++)
            if (lv_graph_node(d->e.graph, inputs.data[j])->b == d->picks.data[k].number &&
                d->picks.data[k].level + 1 > *level)
                *level = d->picks.data[k].level + 1;
    LV_ARRAY_FREE(inputs);
    return status;
}

static lv_status want_still(lv_scope *scope, const lv_value *vector, lv_node index,
                            const lv_syntax *which, lv_error *err)
{
    lv_elaboration *e = scope->elaboration;
    lv_kinds kinds = 0;
    LV_TRY(lv_analyse_reach(e->graph, &kinds, &index, 1, err));
    if (kinds & ~(LV_KIND(P) | LV_KIND(I)))
        return lv_elaborate_fail(
            e, which, err,
            "the index of a component may depend on parameters and indices only");
    LV_TRY(lv_analyse_reach(e->graph, &kinds, vector->items, vector->length, err));
    if (kinds & ~(LV_KIND(P) | LV_KIND(I))) {
        lv_status status = lv_elaborate_fail(
            e, which, err,
            "the index of a component must be a number here: the vector moves");
        lv_error_hint(err, "vectors that depend on parameters only may be indexed by the "
                           "index of a family");
        return status;
    }
    return LV_OK;
}

static lv_status pick_component(lv_scope *scope, lv_value *value, const lv_value *vector,
                                lv_node index, const lv_syntax *which, lv_error *err)
{
    lv_draft *d = scope->user;
    lv_elaboration *e = scope->elaboration;
    const size_t size = (size_t)vector->length * sizeof *vector->items;
    lv_pick pick = {.index = index,
                    .length = vector->length,
                    .place = lv_formula_place(e->snippet, which),
                    .number = d->kernel.index_count + d->data.count};
    LV_TRY(want_still(scope, vector, index, which, err));
    lv_node *items = lv_value_room(e, value, 0, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < d->picks.count; k++) {
        const lv_pick *other = &d->picks.data[k];
        if (other->index == index && other->length == vector->length &&
            memcmp(other->items, vector->items, size) == 0) {
            items[0] = lv_graph_input(e->graph, LV_INPUT_I, other->number);
            return LV_OK;
        }
    }
    LV_TRY(find_level(d, &pick.level, index, err));
    items[0] = lv_graph_input(e->graph, LV_INPUT_I, pick.number);
    pick.items = lv_arena_copy(&d->scratch, vector->items, (size_t)vector->length,
                               sizeof(lv_node));
    return pick.items && LV_PUSH(d->picks, pick) && LV_PUSH(d->data, items[0])
               ? LV_OK
               : lv_fail_memory(err);
}

void lv_draft_pick(lv_draft *d)
{
    d->scope.pick = pick_component;
}
