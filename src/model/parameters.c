/* Values of parameters. A parameter may be a formula of others; each is evaluated once, those it
 * needs before it. */
#include "base/text.h"
#include "expr/domain.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum state { UNKNOWN, ENTERED, KNOWN } state;

/* The parameter being evaluated; each has an elaboration and a graph of its own. */
typedef struct evaluation {
    lv_model *model;
    state *states;
    lv_arena *scratch;
} evaluation;

static lv_status evaluate(evaluation *v, int number, int depth, lv_error *err);

static lv_status unknown(const evaluation *v, lv_elaboration *e, const lv_syntax *name,
                         lv_error *err)
{
    lv_nearest nearest;
    lv_nearest_start(&nearest, name->name);
    for (int k = 0; k < v->model->parameters.count; k++)
        lv_nearest_offer(&nearest, v->model->parameters.data[k].item->name);
    const lv_name *other =
        lv_names_find(&v->model->names, name->name, (int)strlen(name->name));
    if (other)
        return lv_elaborate_fail(e, name, err,
                                 "'%s' is a %s; parameters may use parameters only",
                                 name->name, lv_name_kind_text(other->kind));
    lv_status status = lv_elaborate_fail(e, name, err, "unknown name '%s'", name->name);
    const char *best = lv_nearest_result(&nearest);
    if (best)
        lv_error_hint(err, "'%s' was meant?", best);
    else
        lv_error_hint(err,
                      "parameters may use parameters only; declare it in [parameters]");
    return status;
}

static lv_status resolve(void *user, lv_elaboration *e, lv_value *value,
                         const lv_syntax *name, lv_error *err)
{
    evaluation *v = user;
    const lv_name *found =
        lv_names_find(&v->model->names, name->name, (int)strlen(name->name));
    if (!found || found->kind != LV_NAME_PARAMETER || name->count > 0)
        return unknown(v, e, name, err);
    if (v->states[found->index] == ENTERED)
        return lv_elaborate_fail(e, name, err, "parameter '%s' depends on itself",
                                 name->name);
    LV_TRY(evaluate(v, found->index, e->depth, err));
    const lv_parameter *p = &v->model->parameters.data[found->index];
    lv_node *items = lv_value_room(e, value, p->length, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < lv_value_count(value); k++)
        items[k] =
            lv_graph_const(e->graph, v->model->parameter_values.data[p->first + k]);
    return LV_OK;
}

/* Appends the values of one parameter to the model's. */
static lv_status append_values(lv_model *m, lv_parameter *p, const lv_graph *graph,
                               const lv_value *value, lv_error *err)
{
    const double *none[LV_INPUT_KINDS] = {NULL};
    int count = lv_value_count(value);
    LV_TRY(lv_domain_diagnose(graph, value->items, count, none, err));
    if (!LV_RESERVE(m->parameter_values, count))
        return lv_fail_memory(err);
    p->length = value->length;
    p->first = m->parameter_values.count;
    LV_TRY(lv_graph_evaluate(graph, m->parameter_values.data + p->first, value->items,
                             count, none, err));
    m->parameter_values.count += count;
    return LV_OK;
}

static lv_status evaluate(evaluation *v, int number, int depth, lv_error *err)
{
    if (v->states[number] == KNOWN)
        return LV_OK;
    v->states[number] = ENTERED;
    lv_parameter *p = &v->model->parameters.data[number];
    lv_elaboration e = {.graph = lv_graph_create(0),
                        .arena = v->scratch,
                        .resolve = resolve,
                        .user = v,
                        .depth = depth,
                        .timeless = "a parameter"};
    lv_scope entries = {.model = v->model, .elaboration = &e};
    lv_value value = {0, NULL};
    lv_status status =
        e.graph ? lv_scope_entry(&entries, &value, lv_item_entry(p->item, "value"), err)
                : lv_fail_memory(err);
    if (status == LV_OK)
        status = append_values(v->model, p, e.graph, &value, err);
    lv_graph_free(e.graph);
    v->states[number] = KNOWN;
    return status;
}

lv_status lv_model_evaluate_parameters(lv_model *model, lv_error *err)
{
    lv_arena scratch = {0};
    size_t count = (size_t)model->parameters.count;
    evaluation v = {model, lv_arena_alloc(&scratch, count, sizeof(state)), &scratch};
    lv_status status = v.states ? LV_OK : lv_fail_memory(err);
    for (int k = 0; status == LV_OK && k < model->parameters.count; k++)
        status = evaluate(&v, k, 0, err);
    lv_arena_done(&scratch);
    return status;
}

lv_status lv_key_check(const lv_key *key, double value, lv_place place, lv_error *err)
{
    if (key->whole && value != floor(value))
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(place),
                          "'%s' must be a whole number, this is %g", key->name, value);
    bool has_range = key->least != 0 || key->most != 0;
    if (!has_range || (value >= key->least && value <= key->most))
        return LV_OK;
    if (value > key->most)
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(place),
                          "'%s' must be at most %g, this is %g", key->name, key->most,
                          value);
    if (key->least > 0 && key->least < 1e-100)
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(place),
                          "'%s' must be positive, this is %g", key->name, value);
    return lv_fail_at(err, LV_ERR_MODEL, LV_AT(place),
                      "'%s' must be at least %g, this is %g", key->name, key->least,
                      value);
}

lv_status lv_model_evaluate_key(lv_model *model, double *value, const lv_item *item,
                                const char *name, bool structural, lv_error *err)
{
    const lv_section *section = lv_section_at(item->section);
    const lv_key *key = &section->keys[lv_section_key(section, name)];
    const lv_entry *entry = lv_item_entry(item, name);
    lv_arena scratch = {0};
    char quoted[40];
    (void)snprintf(quoted, sizeof quoted, "'%s'", name);
    lv_elaboration e = {
        .graph = lv_graph_create(0), .arena = &scratch, .timeless = quoted};
    lv_scope scope = {.where = quoted, .hint = "declare it in [parameters]"};
    lv_value result = {0, NULL};
    lv_scope_init(&scope, model, &e);
    lv_status status =
        e.graph ? lv_scope_entry(&scope, &result, entry, err) : lv_fail_memory(err);
    if (status == LV_OK && result.length > 0)
        status = lv_fail_at(err, LV_ERR_MODEL, LV_AT(entry->place),
                            "'%s' must be a scalar, this is a vector", name);

    const double *inputs[LV_INPUT_KINDS] = {NULL};
    inputs[LV_INPUT_P] = model->parameter_values.data;
    if (status == LV_OK)
        status = lv_domain_diagnose(e.graph, result.items, 1, inputs, err);
    if (status == LV_OK)
        status = lv_graph_evaluate(e.graph, value, result.items, 1, inputs, err);
    if (status == LV_OK)
        status = lv_key_check(key, *value, entry->place, err);
    if (status == LV_OK && structural)
        status = lv_model_mark_structural(model, e.graph, result.items[0], err);
    lv_graph_free(e.graph);
    lv_arena_done(&scratch);
    return status;
}
