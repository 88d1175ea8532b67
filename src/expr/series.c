#include "expr/series.h"

#include "expr/function.h"

#include <math.h>
#include <string.h>

/* Fails if the name of the index has a meaning already. */
static lv_status check_index(lv_elaboration *e, const lv_syntax *series, lv_error *err)
{
    const char *taken = e->taken ? e->taken(e->user, series->name) : NULL;
    const char *article = "a ";
    for (int k = 0; lv_reserved_names[k]; k++)
        if (strcmp(lv_reserved_names[k], series->name) == 0)
            taken = "name with a meaning of its own";
    if (lv_function_find(series->name))
        taken = "function";
    if (lv_summed_find(e, series->name))
        taken = "index of the sum around it";
    if (!taken)
        return LV_OK;
    if (taken[0] == 'i')
        article = "the ";
    lv_status status =
        lv_elaborate_fail(e, series, err, "the index '%s' of this sum is already %s%s",
                          series->name, article, taken);
    lv_error_hint(err, "choose another name for the index");
    return status;
}

/* Computes one end of the range, an integer. */
static lv_status find_end(lv_elaboration *e, double *end, const lv_syntax *part,
                          lv_error *err)
{
    char buffer[48];
    lv_value value;
    LV_TRY(lv_elaborate_part(e, &value, part, err));
    LV_TRY(lv_graph_check(e->graph, err));
    if (value.length > 0)
        return lv_elaborate_fail(e, part, err,
                                 "an end of a sum must be a scalar, this is %s",
                                 lv_value_describe(&value, buffer));
    const lv_node_data *node = lv_graph_node(e->graph, value.items[0]);
    *end = node->value;
    if (node->op != LV_OP_CONST && !e->bound)
        return lv_elaborate_fail(e, part, err, "an end of a sum must be a number");
    if (node->op != LV_OP_CONST)
        LV_TRY(e->bound(e->user, e, end, value.items[0], part, err));
    if (!(*end == floor(*end) && fabs(*end) <= 1e9))
        return lv_elaborate_fail(
            e, part, err, "an end of a sum must be a whole number, this is %g", *end);
    return LV_OK;
}

static lv_status elaborate_term(lv_elaboration *e, lv_value *term,
                                const lv_syntax *series, double index, lv_error *err)
{
    const lv_summed summed = {series->name, lv_graph_const(e->graph, index), e->summed};
    e->summed = &summed;
    lv_status status = lv_elaborate_part(e, term, series->first->next->next, err);
    e->summed = summed.outer;
    if (status != LV_OK && status != LV_ERR_MEMORY && err && err->note[0] == '\0')
        lv_error_note(err, "in the sum, for %s = %.0f", series->name, index);
    return status;
}

/* total += term */
static lv_status add_term(lv_elaboration *e, lv_value *total, const lv_value *term,
                          const lv_syntax *series, lv_error *err)
{
    char first[48], second[48];
    const lv_value old = *total;
    if (old.length != term->length)
        return lv_elaborate_fail(
            e, series, err, "the terms of a sum must be of one length: %s and %s",
            lv_value_describe(&old, first), lv_value_describe(term, second));
    lv_node *items = lv_value_room(e, total, old.length, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < lv_value_count(&old); k++)
        items[k] = lv_graph_add(e->graph, old.items[k], term->items[k]);
    return LV_OK;
}

static lv_status too_many(const lv_elaboration *e, const lv_syntax *series, lv_error *err)
{
    lv_status status = lv_formula_fail(err, LV_ERR_LIMIT, e->snippet, series,
                                       "with this sum the formula has more than %d terms",
                                       LV_ELABORATION_TERMS);
    lv_error_hint(err,
                  "terms of an energy are added anyway: a family, for = \"i = 1..N\", "
                  "has no such limit");
    return status;
}

lv_status lv_elaborate_series(lv_elaboration *e, lv_value *value, const lv_syntax *series,
                              lv_error *err)
{
    double first = 0, last = 0;
    LV_TRY(check_index(e, series, err));
    LV_TRY(find_end(e, &first, series->first, err));
    LV_TRY(find_end(e, &last, series->first->next, err));
    if (last - first + 1 > LV_ELABORATION_TERMS - e->terms)
        return too_many(e, series, err);
    lv_node *none = lv_value_room(e, value, 0, err);
    if (!none)
        return LV_ERR_MEMORY;
    none[0] = lv_graph_const(e->graph, 0);
    for (int k = 0; first + k <= last; k++) {
        const double index = first + k;
        lv_value term;
        e->terms++;
        if (e->terms > LV_ELABORATION_TERMS)
            return too_many(e, series, err);
        LV_TRY(elaborate_term(e, &term, series, index, err));
        if (index == first)
            *value = term;
        else
            LV_TRY(add_term(e, value, &term, series, err));
    }
    return LV_OK;
}
