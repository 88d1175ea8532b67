/* Values of parameters. A parameter may be a formula of others; each is evaluated once,
 * after those it depends on. */
#include "base/text.h"
#include "expr/domain.h"
#include "model/revalue.h"
#include "model/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum state { UNKNOWN, ENTERED, KNOWN } state;

/* One evaluation of all parameters, for the model itself or for a member of its sweep. */
typedef struct evaluation {
    const lv_model *model;
    state *states;
    lv_arena *scratch;
    /* the model that gets the values; NULL: this is for a member */
    lv_model *target;
    /* for each parameter of a member: how it is swept, or NULL */
    const lv_swept **swept;
    double *values; /* values of the member */
    int member;
} evaluation;

static lv_status evaluate(evaluation *v, int number, int depth, lv_error *err);

static bool is_index(const evaluation *v, const char *name)
{
    return v->swept && strcmp(name, v->model->sweep.index) == 0;
}

static lv_status unknown(const evaluation *v, lv_elaboration *e, const lv_syntax *name,
                         lv_error *err)
{
    lv_nearest nearest;
    char text[LV_SYNTAX_NAME_SIZE];
    lv_syntax_name(name, text);
    lv_nearest_start(&nearest, text);
    for (int k = 0; k < v->model->parameters.count; k++)
        lv_nearest_offer(&nearest, v->model->parameters.data[k].item->name);
    const lv_name *other = lv_names_find(&v->model->names, text, (int)strlen(text));
    if (other && other->kind == LV_NAME_PARAMETER)
        return lv_elaborate_fail(e, name, err, "the parameter '%s' is no family", text);
    if (other)
        return lv_elaborate_fail(e, name, err,
                                 "'%s' is %s; parameters may use parameters only", text,
                                 lv_name_kind_phrase(other->kind));
    lv_status status = lv_elaborate_fail(e, name, err, "unknown name '%s'", text);
    const char *best = lv_nearest_result(&nearest);
    if (best)
        lv_error_hint(err, "did you mean '%s'?", best);
    else if (v->swept)
        lv_error_hint(err,
                      "here are known: the parameters, and '%s', the member's number",
                      v->model->sweep.index);
    else
        lv_error_hint(err,
                      "parameters may use parameters only; declare it in [parameters]");
    return status;
}

static lv_status constant(lv_elaboration *e, lv_value *value, const double *numbers,
                          int length, lv_error *err)
{
    lv_node *items = lv_value_room(e, value, length, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < lv_value_count(value); k++)
        items[k] = lv_graph_const(e->graph, numbers[k]);
    return LV_OK;
}

static lv_status resolve(void *user, lv_elaboration *e, lv_value *value,
                         const lv_syntax *name, lv_error *err)
{
    evaluation *v = user;
    const double member = v->member;
    const lv_name *found = lv_names_find_member(&v->model->names, name->name,
                                                (int)strlen(name->name), name->member);
    if (is_index(v, name->name) && name->count == 0 && !name->member)
        return constant(e, value, &member, 0, err);
    if (!found || found->kind != LV_NAME_PARAMETER || name->count > 0)
        return unknown(v, e, name, err);
    if (v->states[found->index] == ENTERED)
        return lv_elaborate_fail(e, name, err, "parameter '%s' depends on itself",
                                 name->name);
    LV_TRY(evaluate(v, found->index, e->depth, err));
    const lv_parameter *p = &v->model->parameters.data[found->index];
    const double *values = v->swept ? v->values : v->model->parameter_values.data;
    return constant(e, value, values + p->first, p->length, err);
}

static const char *taken(void *user, const char *name)
{
    const evaluation *v = user;
    const lv_name *other = lv_names_find(&v->model->names, name, (int)strlen(name));
    if (is_index(v, name))
        return "index of the sweep";
    return other ? lv_name_kind_text(other->kind) : NULL;
}

static lv_status compute(lv_numbers *numbers, const evaluation *v, const lv_graph *graph,
                         const lv_value *value, lv_error *err)
{
    const double *none[LV_INPUT_KINDS] = {NULL};
    int count = lv_value_count(value);
    LV_TRY(lv_domain_diagnose(graph, value->items, count, none, err));
    numbers->length = value->length;
    numbers->values = lv_arena_alloc(v->scratch, (size_t)count, sizeof(double));
    if (!numbers->values)
        return lv_fail_memory(err);
    return lv_graph_evaluate(graph, numbers->values, value->items, count, none, err);
}

/* Computes the values of an entry's formulas (or of formula `only`, if >= 0) in a graph
 * of their own. */
static lv_status compute_entry(evaluation *v, lv_numbers *numbers, const lv_entry *entry,
                               int only, int depth, lv_error *err)
{
    lv_elaboration e = {.graph = lv_graph_create(0),
                        .arena = v->scratch,
                        .resolve = resolve,
                        .taken = taken,
                        .user = v,
                        .depth = depth,
                        .timeless = "a parameter"};
    lv_scope entries = {.elaboration = &e};
    lv_value value = {0, NULL};
    lv_status status = LV_OK;
    if (!e.graph)
        status = lv_fail_memory(err);
    else if (only >= 0)
        status = lv_elaborate(&e, &value, &entry->formulas[only], err);
    else
        status = lv_scope_entry(&entries, &value, entry, err);
    if (status == LV_OK)
        status = compute(numbers, v, e.graph, &value, err);
    lv_graph_free(e.graph);
    return status;
}

/* ---- members ----------------------------------------------------------------------------- */

static lv_status wrong_length(const lv_entry *entry, const char *name, int wanted,
                              int found, lv_error *err)
{
    char texts[2][48];
    const lv_value values[2] = {{wanted, NULL}, {found, NULL}};
    return lv_fail_at(err, LV_ERR_MODEL, LV_AT(entry->place), "'%s' is %s, this is %s",
                      name, lv_value_describe(&values[0], texts[0]),
                      lv_value_describe(&values[1], texts[1]));
}

/* Computes the two numbers of a grid or of a distribution. */
static lv_status compute_pair(evaluation *v, double pair[2], const lv_swept *s, int depth,
                              lv_error *err)
{
    lv_numbers n = {0};
    const char *key = s->rule == LV_SWEEP_UNIFORM ? "uniform" : "normal";
    if (s->rule == LV_SWEEP_GRID) {
        static const char *const ends[] = {"from", "to"};
        for (int k = 0; k < 2; k++) {
            const lv_entry *end = lv_item_entry(s->item, ends[k]);
            LV_TRY(compute_entry(v, &n, end, -1, depth, err));
            if (n.length > 0)
                return wrong_length(end, ends[k], 0, n.length, err);
            pair[k] = n.values[0];
        }
        return LV_OK;
    }
    const lv_entry *entry = lv_item_entry(s->item, key);
    LV_TRY(compute_entry(v, &n, entry, -1, depth, err));
    if (n.length != 2)
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(entry->place), "'%s' needs %s", key,
                          s->rule == LV_SWEEP_UNIFORM
                              ? "two numbers, [least, most]"
                              : "two numbers, [mean, standard deviation]");
    if (s->rule == LV_SWEEP_UNIFORM ? n.values[0] > n.values[1] : n.values[1] < 0)
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(entry->place),
                          s->rule == LV_SWEEP_UNIFORM
                              ? "%g to %g is no interval: the least number comes first"
                              : "normal with mean %g: the standard deviation %g is "
                                "negative",
                          n.values[0], n.values[1]);
    memcpy(pair, n.values, 2 * sizeof *pair);
    return LV_OK;
}

static lv_status compute_swept(evaluation *v, const lv_swept *s, int depth, lv_error *err)
{
    const lv_parameter *p = &v->model->parameters.data[s->parameter];
    const lv_value shape = {p->length, NULL};
    double pair[2];
    lv_numbers n = {pair, p->length};
    bool listed = s->rule == LV_SWEEP_LIST;
    if (listed || s->rule == LV_SWEEP_FORMULA) {
        const lv_entry *entry = lv_item_entry(s->item, listed ? "values" : "value");
        int only = listed ? lv_swept_point(s, v->member) : -1;
        LV_TRY(compute_entry(v, &n, entry, only, depth, err));
        if (n.length != p->length)
            return wrong_length(entry, s->item->name, p->length, n.length, err);
    } else {
        LV_TRY(compute_pair(v, pair, s, depth, err));
    }
    if (s->rule == LV_SWEEP_GRID && p->length > 0)
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(s->item->place),
                          "'%s' is a vector; a grid has scalars", s->item->name);
    lv_swept_apply(&v->model->sweep, s, v->member, n.values, v->values + p->first,
                   lv_value_count(&shape));
    return LV_OK;
}

/* ---- all parameters ------------------------------------------------------------------------ */

/* Appends the values of one parameter to those of the model. */
static lv_status append_values(lv_model *m, lv_parameter *p, const lv_numbers *numbers,
                               lv_error *err)
{
    const lv_value shape = {numbers->length, NULL};
    int count = lv_value_count(&shape);
    if (!LV_RESERVE(m->parameter_values, count))
        return lv_fail_memory(err);
    p->length = numbers->length;
    p->first = m->parameter_values.count;
    memcpy(m->parameter_values.data + p->first, numbers->values,
           (size_t)count * sizeof(double));
    m->parameter_values.count += count;
    return LV_OK;
}

static lv_status keep_member_values(const evaluation *v, const lv_parameter *p,
                                    const lv_numbers *numbers, lv_error *err)
{
    const lv_value shape = {p->length, NULL};
    if (numbers->length != p->length)
        return wrong_length(lv_item_entry(p->item, "value"), p->item->name, p->length,
                            numbers->length, err);
    memcpy(v->values + p->first, numbers->values,
           (size_t)lv_value_count(&shape) * sizeof(double));
    return LV_OK;
}

static lv_status evaluate(evaluation *v, int number, int depth, lv_error *err)
{
    lv_numbers numbers = {0};
    lv_status status = LV_OK;
    if (v->states[number] == KNOWN)
        return LV_OK;
    v->states[number] = ENTERED;
    lv_parameter *p = &v->model->parameters.data[number];
    if (v->swept && number == v->model->sweep.parameter) {
        v->values[p->first] = v->member;
    } else if (v->swept && v->swept[number]) {
        status = compute_swept(v, v->swept[number], depth, err);
    } else {
        status =
            compute_entry(v, &numbers, lv_item_entry(p->item, "value"), -1, depth, err);
        if (status == LV_OK)
            status = v->swept ? keep_member_values(v, p, &numbers, err)
                              : append_values(v->target, p, &numbers, err);
    }
    v->states[number] = KNOWN;
    return status;
}

static lv_status evaluate_all(evaluation *v, lv_error *err)
{
    v->states =
        lv_arena_alloc(v->scratch, (size_t)v->model->parameters.count, sizeof *v->states);
    if (!v->states)
        return lv_fail_memory(err);
    for (int k = 0; k < v->model->parameters.count; k++)
        LV_TRY(evaluate(v, k, 0, err));
    return LV_OK;
}

lv_status lv_model_evaluate_parameters(lv_model *model, lv_error *err)
{
    lv_arena scratch = {0};
    evaluation v = {.model = model, .scratch = &scratch, .target = model};
    lv_status status = evaluate_all(&v, err);
    lv_arena_done(&scratch);
    return status;
}

static lv_status evaluate_member(evaluation *v, lv_error *err)
{
    const lv_model *m = v->model;
    v->swept = lv_arena_alloc(v->scratch, (size_t)m->parameters.count, sizeof *v->swept);
    if (!v->swept)
        return lv_fail_memory(err);
    for (int k = 0; k < m->sweep.list.count; k++)
        v->swept[m->sweep.list.data[k].parameter] = &m->sweep.list.data[k];
    return evaluate_all(v, err);
}

lv_status lv_model_member_values(const lv_model *model, double *values, int member,
                                 lv_error *err)
{
    lv_arena scratch = {0};
    evaluation v = {
        .model = model, .scratch = &scratch, .values = values, .member = member};
    lv_status status = evaluate_member(&v, err);
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

lv_status lv_model_evaluate_formula(lv_model *model, double *value,
                                    const lv_formula *formula, lv_place place,
                                    const char *what, bool structural, lv_error *err)
{
    lv_arena scratch = {0};
    lv_elaboration e = {.graph = lv_graph_create(0), .arena = &scratch, .timeless = what};
    lv_scope scope = {.where = what, .hint = "declare it in [parameters]"};
    lv_value result = {0, NULL};
    lv_scope_init(&scope, model, &e);
    lv_status status =
        e.graph ? lv_elaborate(&e, &result, formula, err) : lv_fail_memory(err);
    if (status == LV_OK && result.length > 0)
        status = lv_fail_at(err, LV_ERR_MODEL, LV_AT(place),
                            "%s must be a scalar, this is a vector", what);

    const double *inputs[LV_INPUT_KINDS] = {NULL};
    inputs[LV_INPUT_P] = model->parameter_values.data;
    if (status == LV_OK)
        status = lv_domain_diagnose(e.graph, result.items, 1, inputs, err);
    if (status == LV_OK)
        status = lv_graph_evaluate(e.graph, value, result.items, 1, inputs, err);
    if (status == LV_OK && structural)
        status = lv_model_mark_structural(model, e.graph, result.items[0], err);
    if (status == LV_OK)
        status = lv_evaluations_add_formula(model, e.graph, result.items, 1, err);
    lv_graph_free(e.graph);
    lv_arena_done(&scratch);
    return status;
}

lv_status lv_model_evaluate_key(lv_model *model, double *value, const lv_item *item,
                                const char *name, bool structural, lv_error *err)
{
    const lv_section *section = lv_section_at(item->section);
    const lv_key *key = &section->keys[lv_section_key(section, name)];
    const lv_entry *entry = lv_item_entry(item, name);
    char quoted[40];
    (void)snprintf(quoted, sizeof quoted, "'%s'", name);
    LV_TRY(lv_model_evaluate_formula(model, value, &entry->formulas[0], entry->place,
                                     quoted, structural, err));
    lv_evaluations_check_key(model, key);
    return lv_key_check(key, *value, entry->place, err);
}
