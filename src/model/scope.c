/* What names in formulas mean: indices of the family, parameters, definitions, coordinates and
 * members of families (q_1, q_i, q_{i-1}, q_N). */
#include "base/text.h"
#include "expr/analyse.h"
#include "expr/function.h"
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lv_scope_init(lv_scope *scope, lv_model *model, lv_elaboration *e)
{
    scope->model = model;
    scope->elaboration = e;
    scope->number = ++model->scope_count;
    e->resolve = lv_scope_resolve;
    e->user = scope;
}

lv_status lv_scope_entry(lv_scope *scope, lv_value *value, const lv_entry *entry,
                         lv_error *err)
{
    lv_elaboration *e = scope->elaboration;
    if (!entry->is_array)
        return lv_elaborate(e, value, &entry->formulas[0], err);

    /* The parts one after another; parts may be vectors themselves. */
    lv_value *parts = lv_arena_alloc(e->arena, (size_t)entry->count, sizeof *parts);
    int total = 0, at = 0;
    if (!parts)
        return lv_fail_memory(err);
    for (int k = 0; k < entry->count; k++) {
        LV_TRY(lv_elaborate(e, &parts[k], &entry->formulas[k], err));
        if (!lv_int_add(total, lv_value_count(&parts[k]), &total))
            return lv_fail_at(err, LV_ERR_LIMIT, LV_AT(entry->place),
                              "this vector is too long");
    }
    lv_node *items = lv_value_room(e, value, total, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < entry->count; k++)
        for (int j = 0; j < lv_value_count(&parts[k]); j++)
            items[at++] = parts[k].items[j];
    return LV_OK;
}

static lv_status resolve_parameter(lv_scope *scope, lv_value *value, int number,
                                   lv_error *err)
{
    lv_elaboration *e = scope->elaboration;
    const lv_parameter *p = &scope->model->parameters.data[number];
    lv_node *items = lv_value_room(e, value, p->length, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < lv_value_count(value); k++)
        items[k] = p->structural
                       ? lv_graph_const(e->graph,
                                        scope->model->parameter_values.data[p->first + k])
                       : lv_graph_input(e->graph, LV_INPUT_P, p->first + k);
    return LV_OK;
}

static lv_status cyclic(lv_scope *scope, const lv_syntax *name, lv_error *err)
{
    return lv_elaborate_fail(scope->elaboration, name, err,
                             "definition '%s' depends on itself", name->name);
}

/* Definitions are elaborated where they are first used, and remembered. */
static lv_status resolve_definition(lv_scope *scope, lv_value *value, int number,
                                    const lv_syntax *name, lv_error *err)
{
    lv_definition *d = &scope->model->definitions.data[number];
    int now = scope->elaboration->at_start ? -scope->number : scope->number;
    if (d->scope != now) {
        if (d->entered)
            return cyclic(scope, name, err);
        d->entered = true;
        lv_status status =
            lv_scope_entry(scope, &d->value, lv_item_entry(d->item, "value"), err);
        d->entered = false;
        if (status != LV_OK) {
            if (err && status != LV_ERR_MEMORY && err->note[0] == '\0')
                lv_error_note(err, "in the definition of '%s'", d->item->name);
            return status;
        }
        d->scope = now;
    }
    *value = d->value;
    return LV_OK;
}

/* Where a coordinate starts: the formula of its value, the index i being that of the member. */
static lv_status start_value(lv_scope *scope, lv_value *value, int group, lv_node member,
                             lv_error *err)
{
    static const char *const index[] = {"i"};
    lv_elaboration *e = scope->elaboration;
    const lv_group *g = &scope->model->groups.data[group];
    lv_scope inner = {.where = "start values",
                      .index_count = g->is_family,
                      .index_names = index,
                      .index_nodes = &member};
    const lv_elaboration outer = *e;
    lv_scope_init(&inner, scope->model, e);
    e->at_start = false;
    e->timeless = "a start value";
    lv_status status =
        lv_scope_entry(&inner, value, lv_item_entry(g->item, "value"), err);
    *e = outer;
    return status;
}

/* A coordinate, or its momentum: a group, and which member of a family. */
typedef struct variable {
    lv_name_kind kind;
    int group;
    lv_node member; /* LV_NODE_NONE for other groups */
} variable;

static lv_status refuse_variable(lv_scope *scope, lv_name_kind kind,
                                 const lv_syntax *name, lv_error *err)
{
    return lv_elaborate_fail(scope->elaboration, name, err,
                             "'%s' is a %s; %s may use parameters only", name->name,
                             lv_name_kind_text(kind), scope->where);
}

static lv_status resolve_coordinate(lv_scope *scope, lv_value *value, int group,
                                    lv_node member, const lv_syntax *name, lv_error *err)
{
    if (scope->coordinate && scope->elaboration->at_start)
        return start_value(scope, value, group, member, err);
    if (scope->coordinate)
        return scope->coordinate(scope, value, group, member, name, err);
    return refuse_variable(scope, LV_NAME_COORDINATE, name, err);
}

/* The inputs M of the inputs Q that stand for its coordinate. */
static lv_status resolve_momentum(lv_scope *scope, lv_value *value, int group,
                                  lv_node member, const lv_syntax *name, lv_error *err)
{
    lv_elaboration *e = scope->elaboration;
    lv_value coordinate;
    if (e->at_start)
        return lv_elaborate_fail(e, name, err, "momenta cannot be used here");
    if (!scope->coordinate)
        return refuse_variable(scope, LV_NAME_MOMENTUM, name, err);
    LV_TRY(scope->coordinate(scope, &coordinate, group, member, name, err));
    LV_TRY(lv_graph_check(e->graph, err));
    lv_node *items = lv_value_room(e, value, coordinate.length, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < lv_value_count(&coordinate); k++)
        items[k] = lv_graph_input(e->graph, LV_INPUT_M,
                                  lv_graph_node(e->graph, coordinate.items[k])->b);
    return LV_OK;
}

static lv_status resolve_variable(lv_scope *scope, lv_value *value, variable v,
                                  const lv_syntax *name, lv_error *err)
{
    return v.kind == LV_NAME_MOMENTUM
               ? resolve_momentum(scope, value, v.group, v.member, name, err)
               : resolve_coordinate(scope, value, v.group, v.member, name, err);
}

static lv_status whole_family(lv_scope *scope, const lv_syntax *name, lv_error *err)
{
    lv_status status =
        lv_elaborate_fail(scope->elaboration, name, err,
                          "'%s' is a family; say which member is meant", name->name);
    lv_error_hint(err,
                  "%s_1 is the first, %s_i the one of index i (with for = \"i = 1..N\")",
                  name->name, name->name);
    return status;
}

static lv_status resolve_declared(lv_scope *scope, lv_value *value,
                                  const lv_name *declared, const lv_syntax *name,
                                  lv_error *err)
{
    switch (declared->kind) {
    case LV_NAME_PARAMETER:
        return resolve_parameter(scope, value, declared->index, err);
    case LV_NAME_DEFINITION:
        return resolve_definition(scope, value, declared->index, name, err);
    case LV_NAME_COORDINATE:
    case LV_NAME_MOMENTUM:
        break;
    }
    if (scope->model->groups.data[declared->index].is_family)
        return whole_family(scope, name, err);
    const variable v = {declared->kind, declared->index, LV_NODE_NONE};
    return resolve_variable(scope, value, v, name, err);
}

static int index_number(const lv_scope *scope, const char *text)
{
    for (int k = 0; k < scope->index_count; k++)
        if (strcmp(scope->index_names[k], text) == 0)
            return k;
    return -1;
}

static lv_node index_node(const lv_scope *scope, int k)
{
    return scope->index_nodes ? scope->index_nodes[k]
                              : lv_graph_input(scope->elaboration->graph, LV_INPUT_I, k);
}

/* Is there a family, or are there momenta of one, called text[0..length)? */
static bool find_family(const lv_scope *scope, variable *v, const char *text, int length)
{
    const lv_name *base = lv_names_find(&scope->model->names, text, length);
    if (!base || !lv_model_is_family(scope->model, base))
        return false;
    *v = (variable){base->kind, base->index, LV_NODE_NONE};
    return true;
}

/* The index that a suffix means: a number, an index, a parameter. NONE: nothing. */
static lv_node suffix_node(const lv_scope *scope, const char *suffix)
{
    lv_graph *g = scope->elaboration->graph;
    int index = index_number(scope, suffix);
    if (index >= 0)
        return index_node(scope, index);
    if (suffix[0] != '\0' && strspn(suffix, "0123456789") == strlen(suffix))
        return lv_graph_const(g, strtod(suffix, NULL));
    const lv_name *name =
        lv_names_find(&scope->model->names, suffix, (int)strlen(suffix));
    if (!name || name->kind != LV_NAME_PARAMETER)
        return LV_NODE_NONE;
    const lv_parameter *p = &scope->model->parameters.data[name->index];
    if (p->length > 0)
        return LV_NODE_NONE;
    return p->structural
               ? lv_graph_const(g, scope->model->parameter_values.data[p->first])
               : lv_graph_input(g, LV_INPUT_P, p->first);
}

/* Which member is meant must be known before anything moves. */
static lv_status check_subscript(lv_elaboration *e, lv_node member, const lv_syntax *part,
                                 lv_error *err)
{
    static const lv_input moving[] = {LV_INPUT_Q, LV_INPUT_V, LV_INPUT_M, LV_INPUT_T};
    lv_node_list found = {0};
    lv_status status = LV_OK;
    for (size_t k = 0; k < sizeof moving / sizeof *moving && status == LV_OK; k++)
        status = lv_analyse_inputs(e->graph, &found, &member, 1, moving[k], err);
    if (status == LV_OK && found.count > 0)
        status = lv_elaborate_fail(e, part, err,
                                   "the index of a member may depend on parameters and "
                                   "indices only");
    LV_ARRAY_FREE(found);
    return status;
}

static void hint_no_family(const char *name, int length, lv_error *err)
{
    lv_error_hint(
        err,
        "a family has a count: %.*s = { count = 3, value = 0 }; components of a "
        "vector are written %.*s[1]",
        length, name, length, name);
}

static lv_status resolve_subscript(lv_scope *scope, lv_value *value,
                                   const lv_syntax *name, lv_error *err)
{
    lv_elaboration *e = scope->elaboration;
    lv_value member;
    variable family;
    if (!find_family(scope, &family, name->name, (int)strlen(name->name))) {
        lv_status status = lv_elaborate_fail(
            e, name, err, "'%s' is not a family of coordinates", name->name);
        hint_no_family(name->name, (int)strlen(name->name), err);
        return status;
    }
    LV_TRY(lv_elaborate_part(e, &member, name->first, err));
    if (member.length > 0)
        return lv_elaborate_fail(e, name->first, err, "an index must be a scalar");
    LV_TRY(check_subscript(e, member.items[0], name->first, err));
    family.member = member.items[0];
    return resolve_variable(scope, value, family, name, err);
}

/* Would this be a momentum if the model had a Hamiltonian? */
static bool is_missing_momentum(const lv_scope *scope, const char *name)
{
    const lv_names *names = &scope->model->names;
    const lv_name *of = strncmp(name, "p_", 2) == 0
                            ? lv_names_find(names, name + 2, (int)strlen(name + 2))
                            : NULL;
    return of && of->kind == LV_NAME_COORDINATE;
}

/* The coordinate whose velocity others write like this: thetadot, theta_dot, dtheta, v_theta. NULL: none. */
static const char *velocity_elsewhere(const lv_scope *scope, const char *name)
{
    static const char *const before[] = {"dot_", "d_", "v_", "d", "v"};
    static const char *const after[] = {"_dot", "dot", "_d", "_t"};
    const lv_names *names = &scope->model->names;
    const int length = (int)strlen(name);
    for (size_t k = 0; k < sizeof before / sizeof *before; k++) {
        const int n = (int)strlen(before[k]);
        const lv_name *of = length > n && strncmp(name, before[k], (size_t)n) == 0
                                ? lv_names_find(names, name + n, length - n)
                                : NULL;
        if (of && of->kind == LV_NAME_COORDINATE)
            return of->text;
    }
    for (size_t k = 0; k < sizeof after / sizeof *after; k++) {
        const int n = (int)strlen(after[k]);
        const lv_name *of = length > n && strcmp(name + length - n, after[k]) == 0
                                ? lv_names_find(names, name, length - n)
                                : NULL;
        if (of && of->kind == LV_NAME_COORDINATE)
            return of->text;
    }
    return NULL;
}

/* Names that a letter may stand for, in small or in capitals: the letter itself, or with a digit or an
 * underscore behind it. */
typedef struct alike {
    char letter;
    int count;
    char text[120]; /* "'k1' or 'k_s'" */
} alike;

static void offer_alike(alike *a, const char *name)
{
    enum { SHOWN = 3, LOWER = 0x20 };
    const size_t used = strlen(a->text);
    const bool is_alike = (name[0] | LOWER) == (a->letter | LOWER) &&
                          (name[1] == '\0' || strchr("_0123456789", name[1]));
    if (!is_alike || a->count == SHOWN || used + strlen(name) + 8 > sizeof a->text)
        return;
    snprintf(a->text + used, sizeof a->text - used, "%s'%s'", used ? " or " : "", name);
    a->count++;
}

/* A letter that nobody declared is a parameter that is missing, rather than a slip of the pen. */
static void hint_letter(const lv_scope *scope, const char *name, lv_error *err)
{
    const lv_names *names = &scope->model->names;
    alike near = {.letter = name[0]};
    for (int k = 0; k < scope->index_count; k++)
        offer_alike(&near, scope->index_names[k]);
    for (int k = 0; k < names->list.count; k++)
        offer_alike(&near, names->list.data[k].text);
    const char *ask = near.count > 0 ? "did you mean " : "",
               *else_do = near.count > 0 ? "? If not, " : "";
    if (strchr("ijkn", name[0]))
        lv_error_hint(err,
                      "%s%s%sdeclare it in [parameters]; an index needs a family: for = "
                      "\"%s = 1..N\"",
                      ask, near.text, else_do, name);
    else
        lv_error_hint(err,
                      "%s%s%sdeclare it in [parameters], [definitions] or [coordinates]",
                      ask, near.text, else_do);
}

static lv_status unknown_name(lv_scope *scope, const lv_syntax *name, lv_error *err)
{
    const lv_names *names = &scope->model->names;
    lv_nearest nearest;
    lv_nearest_start(&nearest, name->name);
    for (int k = 0; k < scope->index_count; k++)
        lv_nearest_offer(&nearest, scope->index_names[k]);
    for (int k = 0; k < names->list.count; k++)
        lv_nearest_offer(&nearest, names->list.data[k].text);
    lv_status status =
        lv_elaborate_fail(scope->elaboration, name, err, "unknown name '%s'", name->name);
    const char *best = lv_nearest_result(&nearest);
    const char *underscore = strrchr(name->name, '_');
    int base = underscore ? (int)(underscore - name->name) : 0;
    const lv_function *function = lv_function_find(name->name);
    const char *moving = velocity_elsewhere(scope, name->name);
    if (moving)
        lv_error_hint(err, "the velocity of '%s' is written %s'", moving, moving);
    else if (function)
        lv_error_hint(err, "'%s' is a function: %s", function->name, function->signature);
    else if (name->name[1] == '\0' && !scope->hint)
        hint_letter(scope, name->name, err);
    else if (best)
        lv_error_hint(err, "did you mean '%s'?", best);
    else if (base > 0 && lv_names_find(names, name->name, base))
        hint_no_family(name->name, base, err);
    else if (is_missing_momentum(scope, name->name))
        lv_error_hint(err,
                      "momenta have names in models with a Hamiltonian; the velocity is "
                      "%s'",
                      name->name + 2);
    else if (scope->hint)
        lv_error_hint(err, "%s", scope->hint);
    else
        lv_error_hint(err, "declare it in [parameters], [definitions] or [coordinates]");
    return status;
}

static lv_status unknown_suffix(lv_scope *scope, const lv_syntax *name,
                                const char *suffix, lv_error *err)
{
    lv_status status =
        suffix[0]
            ? lv_elaborate_fail(scope->elaboration, name, err,
                                "'%s' is neither a number, nor an index, nor a scalar "
                                "parameter",
                                suffix)
            : lv_elaborate_fail(scope->elaboration, name, err,
                                "the index after '%s' is missing", name->name);
    if (!lv_names_find(&scope->model->names, suffix, (int)strlen(suffix)))
        lv_error_hint(
            err, "an index is declared by the term that uses it: for = \"%s = 1..N\"",
            suffix[0] ? suffix : "i");
    return status;
}

lv_status lv_scope_resolve(void *user, lv_elaboration *e, lv_value *value,
                           const lv_syntax *name, lv_error *err)
{
    lv_scope *scope = user;
    if (name->count > 0)
        return resolve_subscript(scope, value, name, err);

    int index = index_number(scope, name->name);
    if (index >= 0) {
        lv_node *items = lv_value_room(e, value, 0, err);
        if (!items)
            return LV_ERR_MEMORY;
        items[0] = index_node(scope, index);
        return LV_OK;
    }
    const lv_name *declared =
        lv_names_find(&scope->model->names, name->name, (int)strlen(name->name));
    if (declared)
        return resolve_declared(scope, value, declared, name, err);

    /* q_i, q_7, q_N */
    const char *underscore = strrchr(name->name, '_');
    variable family;
    if (underscore &&
        find_family(scope, &family, name->name, (int)(underscore - name->name))) {
        family.member = suffix_node(scope, underscore + 1);
        LV_TRY(lv_graph_check(e->graph, err));
        if (family.member >= 0)
            return resolve_variable(scope, value, family, name, err);
        return unknown_suffix(scope, name, underscore + 1, err);
    }
    return unknown_name(scope, name, err);
}

lv_status lv_model_mark_structural(lv_model *model, const lv_graph *graph, lv_node node,
                                   lv_error *err)
{
    lv_node_list used = {0};
    lv_status status = lv_analyse_inputs(graph, &used, &node, 1, LV_INPUT_P, err);
    for (int k = 0; status == LV_OK && k < used.count; k++) {
        int number = lv_graph_node(graph, used.data[k])->b;
        for (int p = 0; p < model->parameters.count; p++) {
            lv_parameter *parameter = &model->parameters.data[p];
            int width = parameter->length == 0 ? 1 : parameter->length;
            if (number >= parameter->first && number < parameter->first + width)
                parameter->structural = true;
        }
    }
    LV_ARRAY_FREE(used);
    return status;
}

/* ---- shapes, and definitions that nothing uses ------------------------------------------------------- */

/* Stands for any coordinate: only shapes matter here. */
static lv_status any_coordinate(lv_scope *scope, lv_value *value, int group,
                                lv_node member, const lv_syntax *name, lv_error *err)
{
    const lv_group *g = &scope->model->groups.data[group];
    lv_node *items = lv_value_room(scope->elaboration, value, g->length, err);
    (void)member;
    (void)name;
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < lv_value_count(value); k++)
        items[k] = lv_graph_input(scope->elaboration->graph, LV_INPUT_Q, g->first + k);
    return LV_OK;
}

/* The indices of all families: a definition may use any of them. */
static lv_status all_indices(lv_scope *scope, lv_error *err)
{
    const lv_declarations *d = &scope->model->declarations;
    int count = 0;
    for (int i = 0; i < d->items.count; i++) {
        const lv_entry *family = lv_item_entry(&d->items.data[i], "for");
        count += family ? family->count : 0;
    }
    const char **names =
        lv_arena_alloc(scope->elaboration->arena, (size_t)count, sizeof *names);
    if (!names)
        return lv_fail_memory(err);
    scope->index_names = names;
    for (int i = 0; i < d->items.count; i++) {
        const lv_entry *family = lv_item_entry(&d->items.data[i], "for");
        for (int k = 0; family && k < family->count; k++)
            if (index_number(scope, family->ranges[k].name) < 0)
                names[scope->index_count++] = family->ranges[k].name;
    }
    return LV_OK;
}

lv_status lv_scope_init_shapes(lv_scope *scope, lv_model *model, lv_elaboration *e,
                               lv_error *err)
{
    *scope = (lv_scope){.coordinate = any_coordinate};
    lv_scope_init(scope, model, e);
    return all_indices(scope, err);
}

lv_status lv_model_check_definitions(lv_model *model, lv_error *err)
{
    lv_arena scratch = {0};
    lv_elaboration e = {.graph = lv_graph_create(0), .arena = &scratch};
    lv_scope scope;
    lv_status status =
        e.graph ? lv_scope_init_shapes(&scope, model, &e, err) : lv_fail_memory(err);
    for (int k = 0; status == LV_OK && k < model->definitions.count; k++) {
        const lv_item *item = model->definitions.data[k].item;
        const lv_syntax name = {.kind = LV_SYNTAX_NAME, .name = item->name};
        lv_value value;
        e.snippet = lv_item_entry(item, "value")->formulas[0].snippet;
        status = resolve_definition(&scope, &value, k, &name, err);
    }
    lv_graph_free(e.graph);
    lv_arena_done(&scratch);
    return status;
}
