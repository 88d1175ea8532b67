/* Definitions are elaborated when they are first used, and remembered. The definition of
 * a family is elaborated for each member that a formula mentions, with the index of the
 * member in place of its own: c = { for = "i = 1..N", value = "q_i - q_{i-1}" } makes
 * c_{j+1} the formula q_{j+1} - q_{j+1-1}. */
#include "model/model.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- families ---------------------------------------------------------------------------- */

lv_status lv_model_check_index(const lv_model *m, const lv_range *range, lv_error *err)
{
    LV_TRY(lv_names_refuse_reserved(range->name, range->place, err));
    const lv_name *other =
        lv_names_find(&m->names, range->name, (int)strlen(range->name));
    return other ? lv_fail_at(err, LV_ERR_MODEL, LV_AT(range->place),
                              "the index '%s' is already the name of %s", range->name,
                              lv_name_kind_phrase(other->kind))
                 : LV_OK;
}

static lv_status evaluate_end(lv_model *m, int *end, const lv_formula *formula,
                              lv_error *err)
{
    double value = 0;
    LV_TRY(lv_model_evaluate_formula(m, &value, formula,
                                     lv_formula_place(formula->snippet, formula->root),
                                     "the end of a range", true, err));
    if (value != floor(value) || fabs(value) > 1e9)
        return lv_formula_fail(err, LV_ERR_MODEL, formula->snippet, formula->root,
                               "the end of a range must be a whole number, this is %g",
                               value);
    *end = (int)value;
    return LV_OK;
}

static lv_status place_family(lv_model *m, lv_definition *d, const lv_entry *family,
                              lv_error *err)
{
    const lv_range *range = &family->ranges[0];
    if (family->count > 1) {
        lv_status status = lv_fail_at(
            err, LV_ERR_MODEL, LV_AT(family->place),
            "the members of a definition have one index, not %d", family->count);
        lv_error_hint(err, "for = \"i = 1..N\"");
        return status;
    }
    LV_TRY(lv_model_check_index(m, range, err));
    LV_TRY(evaluate_end(m, &d->first, &range->from, err));
    return evaluate_end(m, &d->last, &range->to, err);
}

lv_status lv_model_place_definitions(lv_model *m, lv_error *err)
{
    for (int k = 0; k < m->definitions.count; k++) {
        lv_definition *d = &m->definitions.data[k];
        d->is_family = lv_item_entry(d->item, "for") != NULL;
    }
    for (int k = 0; k < m->definitions.count; k++) {
        lv_definition *d = &m->definitions.data[k];
        if (d->is_family)
            LV_TRY(place_family(m, d, lv_item_entry(d->item, "for"), err));
    }
    return LV_OK;
}

static lv_status no_such_member(const lv_index_demand *d, double number, lv_error *err)
{
    char name[LV_SYNTAX_NAME_SIZE], first[LV_SYNTAX_NAME_SIZE], last[LV_SYNTAX_NAME_SIZE];
    const double ends[] = {d->least, d->most};
    lv_member_text(name, sizeof name, d->family, &number, 1);
    lv_member_text(first, sizeof first, d->family, &ends[0], 1);
    lv_member_text(last, sizeof last, d->family, &ends[1], 1);
    if (d->most < d->least)
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(d->place),
                          "there is no %s: the family '%s' has no members", name,
                          d->family);
    return lv_fail_at(err, LV_ERR_MODEL, LV_AT(d->place),
                      "there is no %s: the members are %s to %s", name, first, last);
}

lv_status lv_index_check(const lv_index_demand *d, double number, lv_error *err)
{
    const bool is_whole = isfinite(number) && number == floor(number);
    if (is_whole && number >= d->least && number <= d->most)
        return LV_OK;
    if (!is_whole && d->family)
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(d->place),
                          "the index of '%s' is %g here; it must be a whole number",
                          d->family, number);
    if (!is_whole)
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(d->place),
                          "an index must be a whole number, this is %g", number);
    return d->family
               ? no_such_member(d, number, err)
               : lv_fail_at(err, LV_ERR_MODEL, LV_AT(d->place),
                            "index %.0f is outside %d..%d", number, d->least, d->most);
}

/* Requires that a member exists: at once if its index is a constant, else in every
 * instance. */
static lv_status demand_member(lv_scope *scope, const lv_definition *d, lv_node member,
                               const lv_syntax *name, lv_error *err)
{
    const lv_elaboration *e = scope->elaboration;
    const lv_node_data *node = lv_graph_node(e->graph, member);
    const lv_index_demand demand = {member, d->first, d->last,
                                    lv_formula_place(e->snippet, name), d->item->name};
    if (node->op == LV_OP_CONST)
        return lv_index_check(&demand, node->value, err);
    return scope->demand ? scope->demand(scope, &demand, err) : LV_OK;
}

/* ---- values ------------------------------------------------------------------------------ */

/* Elaborates the formula of a definition. For a family, its only index is the given
 * member. */
static lv_status elaborate_definition(lv_scope *scope, lv_value *value,
                                      const lv_definition *d, lv_node member,
                                      lv_error *err)
{
    lv_elaboration *e = scope->elaboration;
    const lv_entry *entry = lv_item_entry(d->item, "value");
    if (!d->is_family) {
        const bool any_index = scope->any_index;
        scope->any_index = true;
        lv_status status = lv_scope_entry(scope, value, entry, err);
        scope->any_index = any_index;
        return status;
    }
    const char *index = lv_item_entry(d->item, "for")->ranges[0].name;
    lv_scope inner = *scope;
    inner.number = ++scope->model->scope_count;
    inner.index_count = 1;
    inner.any_index = false;
    inner.index_names = &index;
    inner.index_nodes = &member;
    e->user = &inner;
    lv_status status = lv_scope_entry(&inner, value, entry, err);
    e->user = scope;
    return status;
}

static lv_status fail_cyclic(const lv_scope *scope, const lv_definition *d,
                             const lv_syntax *name, lv_error *err)
{
    return lv_elaborate_fail(scope->elaboration, name, err, "%s '%s' depends on itself",
                             d->is_point ? "point" : "definition", d->item->name);
}

/* The value of the definition in this scope if it is known, else NULL. */
static const lv_value *known_value(const lv_definition *d, lv_node member)
{
    for (int k = 0; k < d->meanings.count; k++)
        if (d->meanings.data[k].member == member)
            return &d->meanings.data[k].value;
    return NULL;
}

lv_status lv_scope_definition(lv_scope *scope, lv_value *value, int number,
                              lv_node member, const lv_syntax *name, lv_error *err)
{
    lv_definition *d = &scope->model->definitions.data[number];
    const int own = d->is_family ? scope->graph_number : scope->number;
    const int now = scope->elaboration->at_start ? -own : own;
    if (d->is_family)
        LV_TRY(demand_member(scope, d, member, name, err));
    if (d->entered)
        return fail_cyclic(scope, d, name, err);
    if (d->scope != now)
        d->meanings.count = 0;
    d->scope = now;
    const lv_value *known = known_value(d, member);
    if (known) {
        *value = *known;
        return LV_OK;
    }
    lv_elaboration *e = scope->elaboration;
    const lv_summed *summed = e->summed;
    d->entered = true;
    e->summed = NULL; /* the definition cannot use indices of sums around its name */
    lv_status status = elaborate_definition(scope, value, d, member, err);
    e->summed = summed;
    d->entered = false;
    if (status != LV_OK) {
        if (err && status != LV_ERR_MEMORY && err->note[0] == '\0')
            lv_error_note(err, "in the definition of '%s'", d->item->name);
        return status;
    }
    const lv_meaning meaning = {member, *value};
    return LV_PUSH(d->meanings, meaning) ? LV_OK : lv_fail_memory(err);
}

/* ---- definitions that nothing uses ------------------------------------------------------- */

static lv_status check_definition(lv_scope *scope, int number, lv_error *err)
{
    lv_elaboration *e = scope->elaboration;
    const lv_definition *d = &scope->model->definitions.data[number];
    const lv_syntax name = {.kind = LV_SYNTAX_NAME, .name = d->item->name};
    const lv_node member =
        d->is_family ? lv_graph_input(e->graph, LV_INPUT_I, 0) : LV_NODE_NONE;
    lv_value value;
    e->snippet = lv_item_entry(d->item, "value")->formulas[0].snippet;
    e->terms = 0;
    return lv_scope_definition(scope, &value, number, member, &name, err);
}

lv_status lv_model_check_definitions(lv_model *model, lv_error *err)
{
    lv_arena scratch = {0};
    lv_elaboration e = {.graph = lv_graph_create(0), .arena = &scratch};
    lv_scope scope;
    lv_status status =
        e.graph ? lv_scope_init_shapes(&scope, model, &e, err) : lv_fail_memory(err);
    for (int k = 0; status == LV_OK && k < model->definitions.count; k++)
        scope.view = model->definitions.data[k].is_point,
        status = check_definition(&scope, k, err);
    lv_graph_free(e.graph);
    lv_arena_done(&scratch);
    return status;
}
