/* What names in "between" and "body" stand for. */
#include "part/body.h"

#include "base/text.h"

#include <string.h>

bool lv_end_has_axes(const lv_end *end)
{
    return end->kind == LV_END_BODY || end->kind == LV_END_PLANAR;
}

/* Parameters looked at for one length: those that mention one another in a circle are refused
 * elsewhere, here the search must end. */
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

/* Components of a formula as far as its text tells, 0: a scalar, or not known. Of a sum or a product
 * one vector among the children tells. */
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

static void offer(const lv_expansion *x, lv_nearest *nearest)
{
    lv_nearest_offer(nearest, "ground");
    for (int k = 0; k < x->given->items.count; k++) {
        const lv_item *item = &x->given->items.data[k];
        const char *section = lv_section_at(item->section)->name;
        if (strcmp(section, "bodies") == 0 || strcmp(section, "particles") == 0)
            lv_nearest_offer(nearest, item->name);
    }
}

static lv_status unknown(const lv_expansion *x, const lv_formula *name, const char *where,
                         lv_error *err)
{
    const bool is_name = name->root->kind == LV_SYNTAX_NAME;
    lv_nearest nearest;
    lv_status status =
        lv_formula_fail(err, LV_ERR_MODEL, name->snippet, name->root,
                        is_name ? "'%s' is no body" : "this is no body%.0s",
                        is_name ? name->root->name : "");
    lv_nearest_start(&nearest, is_name ? name->root->name : "");
    offer(x, &nearest);
    const char *best = is_name ? lv_nearest_result(&nearest) : NULL;
    if (best)
        lv_error_hint(err, "did you mean '%s'?", best);
    else
        lv_error_hint(err, "%s the name of a body, of a particle, or \"ground\"", where);
    return status;
}

lv_status lv_end_read(lv_expansion *x, lv_end *end, const char *hole,
                      const lv_formula *name, const char *where, lv_error *err)
{
    const lv_syntax *root = name->root;
    *end = (lv_end){.hole = {.name = hole, .formula = *name, .is_name = true}};
    if (root->kind != LV_SYNTAX_NAME)
        return unknown(x, name, where, err);
    if (strcmp(root->name, "ground") == 0 && root->count == 0)
        return LV_OK;
    end->item = lv_part_named(x, "bodies", "count", root);
    if (end->item) {
        const lv_entry *position = lv_item_entry(end->item, "position");
        end->kind = lv_entry_length(x, position) == 2 ? LV_END_PLANAR : LV_END_BODY;
        return LV_OK;
    }
    end->item = lv_part_named(x, "particles", "count", root);
    end->kind = LV_END_PARTICLE;
    return end->item ? LV_OK : unknown(x, name, where, err);
}
