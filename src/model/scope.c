/* Resolves names in formulas: indices of the family, parameters, definitions, coordinates
 * and members of families (q_1, q_i, q_{i-1}, q_N), each perhaps with a member (top.e1,
 * rod_i.e1), which is the coordinate or definition whose name contains the dot. */
#include "base/text.h"
#include "expr/analyse.h"
#include "model/shown.h"

#include <stdlib.h>
#include <string.h>

static lv_status pick_component(void *user, lv_elaboration *e, lv_value *value,
                                const lv_value *vector, lv_node index,
                                const lv_syntax *which, lv_error *err)
{
    lv_scope *scope = user;
    if (scope->pick)
        return scope->pick(scope, value, vector, index, which, err);
    return lv_elaborate_fail(e, which, err,
                             "the index of a component must be a number, such as 1");
}

/* Evaluates an end of a sum. Its parameters determine the number of terms, so they become
 * structural. */
static lv_status evaluate_bound(void *user, lv_elaboration *e, double *number,
                                lv_node node, const lv_syntax *part, lv_error *err)
{
    const lv_scope *scope = user;
    const double *inputs[LV_INPUT_KINDS] = {NULL};
    lv_kinds kinds = 0;
    inputs[LV_INPUT_P] = scope->model->parameter_values.data;
    LV_TRY(lv_analyse_reach(e->graph, &kinds, &node, 1, err));
    if (kinds & ~LV_KIND(P))
        return lv_elaborate_fail(e, part, err,
                                 "the ends of a sum may depend on parameters only");
    LV_TRY(lv_model_mark_structural(scope->model, e->graph, node, err));
    return lv_graph_evaluate(e->graph, number, &node, 1, inputs, err);
}

static const char *meaning_of_name(void *user, const char *name)
{
    const lv_scope *scope = user;
    const lv_name *other = lv_names_find(&scope->model->names, name, (int)strlen(name));
    for (int k = 0; k < scope->index_count; k++)
        if (strcmp(scope->index_names[k], name) == 0 && !scope->any_index)
            return "index of the family";
    return other ? lv_name_kind_text(other->kind) : NULL;
}

/* The number of axes of a body. A body is a name that has members e1, e2, ... */
static int count_axes(void *user, const lv_syntax *name)
{
    static const char *const axes[] = {"e1", "e2", "e3"};
    const lv_scope *scope = user;
    const lv_names *names = &scope->model->names;
    const char *underscore = strrchr(name->name, '_');
    const int whole = (int)strlen(name->name);
    const int base = underscore ? (int)(underscore - name->name) : 0;
    int count = 0;
    while (count < 3 && (lv_names_find_member(names, name->name, whole, axes[count]) ||
                         lv_names_find_member(names, name->name, base, axes[count])))
        count++;
    return count > 1 ? count : 0;
}

void lv_scope_init(lv_scope *scope, lv_model *model, lv_elaboration *e)
{
    scope->model = model;
    scope->elaboration = e;
    scope->number = ++model->scope_count;
    scope->graph_number = scope->number;
    e->resolve = lv_scope_resolve;
    e->axes = count_axes;
    e->pick = pick_component;
    e->bound = evaluate_bound;
    e->taken = meaning_of_name;
    e->user = scope;
}

lv_status lv_scope_entry(lv_scope *scope, lv_value *value, const lv_entry *entry,
                         lv_error *err)
{
    lv_elaboration *e = scope->elaboration;
    if (!entry->is_array)
        return lv_elaborate(e, value, &entry->formulas[0], err);

    /* Concatenate the parts, which may be vectors. */
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

/* The start value of a coordinate: the formula of its value with the index i of the
 * member. */
static lv_status start_value(lv_scope *scope, lv_value *value, int group, lv_node member,
                             lv_error *err)
{
    static const char *const index[] = {"i"};
    lv_elaboration *e = scope->elaboration;
    const lv_group *g = &scope->model->groups.data[group];
    lv_scope inner = {.where = "start values",
                      .index_count = g->is_family,
                      .index_names = index,
                      .index_nodes = &member,
                      .pick = scope->pick,
                      .demand = scope->demand,
                      .user = scope->user};
    const lv_elaboration outer = *e;
    lv_scope_init(&inner, scope->model, e);
    e->at_start = false;
    e->timeless = "a start value";
    e->summed = NULL;
    lv_status status =
        lv_scope_entry(&inner, value, lv_item_entry(g->item, "value"), err);
    *e = outer;
    return status;
}

static lv_status refuse_variable(lv_scope *scope, lv_name_kind kind,
                                 const lv_syntax *name, lv_error *err)
{
    char text[LV_SYNTAX_NAME_SIZE];
    return lv_elaborate_fail(
        scope->elaboration, name, err, "'%s' is %s; %s may use parameters only",
        lv_syntax_name(name, text), lv_name_kind_phrase(kind), scope->where);
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

/* The momentum of a coordinate: inputs M with the indices of its inputs Q. */
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

lv_status lv_scope_variable(lv_scope *scope, lv_value *value, lv_variable v,
                            const lv_syntax *name, lv_error *err)
{
    if (scope->displace && !scope->elaboration->at_start) {
        value->items = NULL;
        LV_TRY(scope->displace(scope, value, v, name, err));
        if (value->items)
            return LV_OK;
    }
    if (v.kind == LV_NAME_DEFINITION)
        return lv_scope_definition(scope, value, v.number, v.member, name, err);
    return v.kind == LV_NAME_MOMENTUM
               ? resolve_momentum(scope, value, v.number, v.member, name, err)
               : resolve_coordinate(scope, value, v.number, v.member, name, err);
}

static lv_status whole_family(lv_scope *scope, lv_variable v, const lv_syntax *name,
                              lv_error *err)
{
    const int first =
        v.kind == LV_NAME_DEFINITION ? scope->model->definitions.data[v.number].first : 1;
    char text[LV_SYNTAX_NAME_SIZE];
    const char *dot = name->member ? "." : "", *member = name->member ? name->member : "";
    lv_status status = lv_elaborate_fail(scope->elaboration, name, err,
                                         "'%s' is a family; say which member is meant",
                                         lv_syntax_name(name, text));
    lv_error_hint(err,
                  "%s_%d%s%s is the first, %s_i%s%s the one of index i (with for = \"i = "
                  "1..N\")",
                  name->name, first, dot, member, name->name, dot, member);
    return status;
}

static lv_status resolve_declared(lv_scope *scope, lv_value *value,
                                  const lv_name *declared, const lv_syntax *name,
                                  lv_error *err)
{
    if (declared->kind == LV_NAME_PARAMETER)
        return resolve_parameter(scope, value, declared->index, err);
    if (declared->kind == LV_NAME_INPUT)
        return lv_scope_input(scope, value, declared->index, name, err);
    const lv_variable v = {declared->kind, declared->index, LV_NODE_NONE};
    if (lv_model_is_family(scope->model, declared))
        return whole_family(scope, v, name, err);
    return lv_scope_variable(scope, value, v, name, err);
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

/* Finds the point of [view], or the family of points, with the name text[0..length). */
static bool find_point(const lv_scope *scope, lv_variable *v, const char *text,
                       int length, bool is_family)
{
    const lv_model *m = scope->model;
    for (int k = 0; k < m->definitions.count && scope->view; k++) {
        const lv_definition *d = &m->definitions.data[k];
        if (d->is_point && d->is_family == is_family &&
            strncmp(d->item->name, text, (size_t)length) == 0 &&
            d->item->name[length] == '\0') {
            *v = (lv_variable){LV_NAME_DEFINITION, k, LV_NODE_NONE};
            return true;
        }
    }
    return false;
}

/* Finds the family text[0..length), of coordinates, momenta or definitions, with this
 * member. */
static bool find_family(const lv_scope *scope, lv_variable *v, const char *text,
                        int length, const char *member)
{
    const lv_name *base =
        lv_names_find_member(&scope->model->names, text, length, member);
    if (!base && !member && find_point(scope, v, text, length, true))
        return true;
    if (!base || !lv_model_is_family(scope->model, base))
        return false;
    *v = (lv_variable){base->kind, base->index, LV_NODE_NONE};
    return true;
}

lv_node lv_scope_suffix(const lv_scope *scope, const char *suffix)
{
    lv_graph *g = scope->elaboration->graph;
    int index = index_number(scope, suffix);
    const lv_summed *summed = lv_summed_find(scope->elaboration, suffix);
    if (summed)
        return summed->node;
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

/* Fails if the index of a member depends on more than parameters and indices. */
static lv_status check_subscript(lv_elaboration *e, lv_node member, const lv_syntax *part,
                                 lv_error *err)
{
    static const lv_input moving[] = {LV_INPUT_Q, LV_INPUT_V, LV_INPUT_M, LV_INPUT_T,
                                      LV_INPUT_A, LV_INPUT_Y, LV_INPUT_W, LV_INPUT_E};
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

lv_status lv_scope_subscript(lv_scope *scope, lv_value *value, const lv_syntax *part,
                             lv_error *err)
{
    lv_elaboration *e = scope->elaboration;
    LV_TRY(lv_elaborate_part(e, value, part, err));
    if (value->length > 0)
        return lv_elaborate_fail(e, part, err, "an index must be a scalar");
    return check_subscript(e, value->items[0], part, err);
}

/* Fails because name_{...} is not a family. */
static lv_status no_family(lv_scope *scope, const lv_syntax *name, lv_error *err)
{
    const int length = (int)strlen(name->name);
    char text[LV_SYNTAX_NAME_SIZE];
    if (name->member &&
        !lv_names_find_member(&scope->model->names, name->name, length, name->member))
        return lv_scope_unknown(scope, name, err);
    lv_status status =
        lv_elaborate_fail(scope->elaboration, name, err, "'%s' is not a family",
                          lv_syntax_name(name, text));
    lv_scope_hint_no_family(name->name, length, err);
    return status;
}

static lv_status resolve_subscript(lv_scope *scope, lv_value *value,
                                   const lv_syntax *name, lv_error *err)
{
    lv_value member;
    lv_variable family;
    if (!find_family(scope, &family, name->name, (int)strlen(name->name), name->member))
        return no_family(scope, name, err);
    LV_TRY(lv_scope_subscript(scope, &member, name->first, err));
    family.member = member.items[0];
    return lv_scope_variable(scope, value, family, name, err);
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

/* Fails because a member has an index, rod.e1_{2}: bodies and joints are families, not
 * their members. */
static lv_status index_of_member(lv_scope *scope, const lv_syntax *name, lv_error *err)
{
    lv_status status = lv_elaborate_fail(scope->elaboration, name, err,
                                         "the member '%s' has no index", name->member);
    lv_error_hint(err, "the index of a family belongs to its name: %s_{...}.%s",
                  name->name, name->member);
    return status;
}

lv_status lv_scope_resolve(void *user, lv_elaboration *e, lv_value *value,
                           const lv_syntax *name, lv_error *err)
{
    lv_scope *scope = user;
    int energy = 0;
    if (lv_result_is_member(scope, name))
        return lv_result_member(scope, value, name, err);
    if (lv_shown_is_member(scope, name))
        return lv_shown_member(scope, value, name, err);
    if (name->of_member)
        return index_of_member(scope, name, err);
    if (name->count > 0)
        return resolve_subscript(scope, value, name, err);

    const int index = name->member ? -1 : index_number(scope, name->name);
    if (index >= 0) {
        lv_node *items = lv_value_room(e, value, 0, err);
        if (!items)
            return LV_ERR_MEMORY;
        items[0] = index_node(scope, index);
        return LV_OK;
    }
    const lv_name *declared = lv_names_find_member(&scope->model->names, name->name,
                                                   (int)strlen(name->name), name->member);
    if (declared)
        return resolve_declared(scope, value, declared, name, err);
    lv_variable point;
    const int length = (int)strlen(name->name);
    if (!name->member && find_point(scope, &point, name->name, length, false))
        return lv_scope_variable(scope, value, point, name, err);
    if (!name->member && find_point(scope, &point, name->name, length, true))
        return whole_family(scope, point, name, err);

    /* q_i, q_7, q_N, rod_i.e1 */
    const char *underscore = strrchr(name->name, '_');
    lv_variable family;
    if (underscore && find_family(scope, &family, name->name,
                                  (int)(underscore - name->name), name->member)) {
        family.member = lv_scope_suffix(scope, underscore + 1);
        LV_TRY(lv_graph_check(e->graph, err));
        if (family.member >= 0)
            return lv_scope_variable(scope, value, family, name, err);
        return unknown_suffix(scope, name, underscore + 1, err);
    }
    if (scope->outputs && !name->member && lv_result_energy(name->name, &energy))
        return lv_result_energy_value(scope, value, energy, err);
    return lv_scope_unknown(scope, name, err);
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

/* ---- shapes ----------------------------------------------------------------------------- */

/* Any component and any coordinate will do, since only shapes matter. */
static lv_status any_component(lv_scope *scope, lv_value *value, const lv_value *vector,
                               lv_node index, const lv_syntax *which, lv_error *err)
{
    (void)index;
    (void)which;
    lv_node *items = lv_value_room(scope->elaboration, value, 0, err);
    if (!items)
        return LV_ERR_MEMORY;
    items[0] = vector->items[0];
    return LV_OK;
}

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

/* Lists the indices of all families, since a definition may use any of them. */
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
    *scope = (lv_scope){
        .coordinate = any_coordinate, .pick = any_component, .any_index = true};
    lv_scope_init(scope, model, e);
    return all_indices(scope, err);
}
