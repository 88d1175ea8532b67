/* Resolves names in "between" and "body". */
#include "part/body.h"

#include "base/text.h"

#include <string.h>

bool lv_end_has_axes(const lv_end *end)
{
    return end->kind == LV_END_BODY || end->kind == LV_END_PLANAR;
}

/* Largest number of parameters that are examined for one length: a circle of parameters
 * is refused later, but the search must end here. */
enum { PARAMETERS_MOST = 1000 };

static int formula_length(const lv_expansion *x, const lv_syntax *node, int *budget);

static int entry_length(const lv_expansion *x, const lv_entry *entry, int *budget)
{
    return entry->is_array ? entry->count
                           : formula_length(x, entry->formulas[0].root, budget);
}

static int parameter_length(const lv_expansion *x, const lv_syntax *name, int *budget)
{
    const lv_item *item = lv_expansion_find(x, "parameters", name->name);
    const lv_entry *value = item ? lv_item_entry(item, "value") : NULL;
    return value && !name->member && (*budget)-- > 0 ? entry_length(x, value, budget) : 0;
}

static int call_length(const lv_syntax *call)
{
    static const char *const of_three[] = {"cross", "rotate", "normal"};
    for (size_t k = 0; k < sizeof of_three / sizeof *of_three; k++)
        if (strcmp(call->name, of_three[k]) == 0)
            return 3;
    return 0;
}

/* The number of components of a formula as far as its text determines it; 0: a scalar, or
 * unknown. In a sum or a product one vector among the children determines it. */
static int formula_length(const lv_expansion *x, const lv_syntax *node, int *budget)
{
    if (node->kind == LV_SYNTAX_VECTOR)
        return node->count;
    if (node->kind == LV_SYNTAX_NAME)
        return parameter_length(x, node, budget);
    if (node->kind == LV_SYNTAX_CALL)
        return call_length(node);
    if (node->kind != LV_SYNTAX_SUM && node->kind != LV_SYNTAX_PRODUCT &&
        node->kind != LV_SYNTAX_NEGATE)
        return 0;
    int length = 0;
    for (const lv_syntax *child = node->first; child && length == 0; child = child->next)
        length = formula_length(x, child, budget);
    return length;
}

int lv_entry_length(const lv_expansion *x, const lv_entry *entry)
{
    int budget = PARAMETERS_MOST;
    return entry_length(x, entry, &budget);
}

/* Whether an entry is written as a number, or is a parameter that is a number. */
static bool is_number(const lv_expansion *x, const lv_entry *entry)
{
    const lv_syntax *root = entry->is_array ? NULL : entry->formulas[0].root;
    if (root && root->kind == LV_SYNTAX_NAME && !root->member) {
        const lv_item *item = lv_expansion_find(x, "parameters", root->name);
        const lv_entry *value = item ? lv_item_entry(item, "value") : NULL;
        root = value && !value->is_array ? value->formulas[0].root : NULL;
    }
    if (root && root->kind == LV_SYNTAX_NEGATE)
        root = root->first;
    return root && root->kind == LV_SYNTAX_NUMBER;
}

lv_status lv_want_length(const lv_expansion *x, const char *key, int length,
                         lv_error *err)
{
    const lv_entry *entry = lv_item_entry(x->part, key);
    if (!entry || entry->is_nested)
        return LV_OK;
    const int found = lv_entry_length(x, entry);
    if (found == 0 && length > 0 && is_number(x, entry))
        return lv_part_refuse(
            x, key, err, "'%s' needs %d components here, this is a number", key, length);
    if (found == 0 || found == length)
        return LV_OK;
    if (length == 0)
        return lv_part_refuse(x, key, err,
                              "'%s' is a number here, this has %d component%s", key,
                              found, found == 1 ? "" : "s");
    return lv_part_refuse(x, key, err, "'%s' needs %d components here, this has %d", key,
                          length, found);
}

/* Whether an entry is an array of zeros, as written or as the value of a parameter. */
static bool is_zero(const lv_expansion *x, const lv_entry *entry)
{
    const lv_syntax *root = entry->is_array ? NULL : entry->formulas[0].root;
    if (root && root->kind == LV_SYNTAX_NAME && !root->member) {
        const lv_item *item = lv_expansion_find(x, "parameters", root->name);
        entry = item ? lv_item_entry(item, "value") : NULL;
    }
    if (!entry || !entry->is_array)
        return false;
    for (int k = 0; k < entry->count; k++)
        if (entry->formulas[k].root->kind != LV_SYNTAX_NUMBER ||
            entry->formulas[k].root->number != 0)
            return false;
    return true;
}

lv_status lv_want_direction(const lv_expansion *x, const char *key, lv_error *err)
{
    const lv_entry *entry = lv_item_entry(x->part, key);
    if (!entry || !is_zero(x, entry))
        return LV_OK;
    return lv_part_refuse(x, key, err, "'%s' is zero and has no direction", key);
}

int lv_end_dimension(const lv_end *end)
{
    return end->kind == LV_END_BODY ? 3 : end->kind == LV_END_PLANAR ? 2 : 0;
}

const lv_item *lv_part_named(const lv_expansion *x, const char *section,
                             const char *family, const lv_syntax *name)
{
    char base[200];
    const char *underscore = strrchr(name->name, '_');
    const lv_item *item = lv_expansion_find(x, section, name->name);
    if (item || name->count > 0 || !underscore ||
        (size_t)(underscore - name->name) >= sizeof base)
        return item;
    size_t length = (size_t)(underscore - name->name);
    memcpy(base, name->name, length);
    base[length] = '\0';
    item = lv_expansion_find(x, section, base);
    return item && lv_item_entry(item, family) ? item : NULL;
}

static void offer_names(const lv_expansion *x, lv_nearest *nearest)
{
    lv_nearest_offer(nearest, "ground");
    for (int k = 0; k < x->given->items.count; k++) {
        const lv_item *item = &x->given->items.data[k];
        const char *section = lv_section_at(item->section)->name;
        if (strcmp(section, "bodies") == 0 || strcmp(section, "particles") == 0)
            lv_nearest_offer(nearest, item->name);
    }
}

static lv_status fail_unknown(const lv_expansion *x, const lv_formula *name,
                              const char *where, lv_error *err)
{
    const bool is_name = name->root->kind == LV_SYNTAX_NAME;
    lv_nearest nearest;
    lv_status status =
        lv_formula_fail(err, LV_ERR_MODEL, name->snippet, name->root,
                        is_name ? "'%s' is not a body" : "this is not a body%.0s",
                        is_name ? name->root->name : "");
    lv_nearest_start(&nearest, is_name ? name->root->name : "");
    offer_names(x, &nearest);
    const char *best = is_name ? lv_nearest_result(&nearest) : NULL;
    if (best)
        lv_error_hint(err, "did you mean '%s'?", best);
    else
        lv_error_hint(err, "%s the name of a body, of a particle, or \"ground\"", where);
    return status;
}

lv_status lv_want_member(const lv_item *item, const char *family, const lv_formula *name,
                         lv_error *err)
{
    const lv_syntax *root = name->root;
    if (!item || !lv_item_entry(item, family) || root->count > 0 ||
        strcmp(item->name, root->name) != 0)
        return LV_OK;
    lv_status status =
        lv_formula_fail(err, LV_ERR_MODEL, name->snippet, root,
                        "'%s' is a family; say which member is meant", root->name);
    lv_error_hint(err,
                  "%s_1 is the first, %s_i the one of index i (with for = \"i = 1..N\")",
                  root->name, root->name);
    return status;
}

lv_status lv_end_read(lv_expansion *x, lv_end *end, const char *hole,
                      const lv_formula *name, const char *where, lv_error *err)
{
    const lv_syntax *root = name->root;
    *end = (lv_end){.hole = {.name = hole, .formula = *name, .is_name = true}};
    if (root->kind != LV_SYNTAX_NAME)
        return fail_unknown(x, name, where, err);
    if (strcmp(root->name, "ground") == 0 && root->count == 0)
        return LV_OK;
    end->item = lv_part_named(x, "bodies", "count", root);
    if (end->item) {
        const lv_entry *position = lv_item_entry(end->item, "position");
        end->kind = lv_entry_length(x, position) == 2 ? LV_END_PLANAR : LV_END_BODY;
        return lv_want_member(end->item, "count", name, err);
    }
    end->item = lv_part_named(x, "particles", "count", root);
    end->kind = LV_END_PARTICLE;
    return end->item ? lv_want_member(end->item, "count", name, err)
                     : fail_unknown(x, name, where, err);
}
