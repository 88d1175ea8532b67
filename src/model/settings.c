/* Parameters whose values the caller replaces. */
#include "base/text.h"
#include "model/declaration.h"

#include <stdio.h>
#include <string.h>

void lv_declarations_hint_parameter(const lv_declarations *d, const char *name,
                                    lv_error *err)
{
    lv_nearest nearest;
    lv_listing all = {0};
    lv_nearest_start(&nearest, name);
    for (int i = 0; i < d->items.count; i++)
        if (d->items.data[i].section == LV_SECTION_PARAMETERS) {
            lv_nearest_offer(&nearest, d->items.data[i].name);
            lv_listing_add(&all, d->items.data[i].name);
        }
    if (lv_nearest_result(&nearest))
        lv_error_hint(err, "did you mean '%s'?", lv_nearest_result(&nearest));
    else if (all.count > 0)
        lv_error_hint(err, "the parameters are %s", lv_listing_text(&all));
    else
        lv_error_hint(err, "only what stands in [parameters] can be set, and the model "
                           "has none there");
}

lv_status lv_declarations_set(lv_declarations *d, const char *name, const char *value,
                              lv_error *err)
{
    lv_item *item = NULL;
    for (int i = 0; i < d->items.count; i++)
        if (d->items.data[i].section == LV_SECTION_PARAMETERS &&
            strcmp(d->items.data[i].name, name) == 0)
            item = &d->items.data[i];
    if (!item) {
        lv_status status = lv_fail(
            err, LV_ERR_MODEL, "--set %s: the model has no parameter '%s'", name, name);
        lv_declarations_hint_parameter(d, name, err);
        return status;
    }

    /* The argument is a source of its own: "--set m", line 1. */
    size_t length = strlen(value);
    char title[120];
    snprintf(title, sizeof title, "--set %.100s", name);
    lv_source *source = lv_arena_alloc(d->arena, 1, sizeof *source);
    lv_snippet *snippet = lv_arena_alloc(d->arena, 1, sizeof *snippet);
    lv_entry *entry = lv_arena_alloc(d->arena, 1, sizeof *entry);
    lv_formula *formula = lv_arena_alloc(d->arena, 1, sizeof *formula);
    char *text = lv_arena_text(d->arena, value, length);
    char *shown = lv_arena_text(d->arena, title, strlen(title));
    if (!source || !snippet || !entry || !formula || !text || !shown)
        return lv_fail_memory(err);
    if (length > LV_FORMULA_LENGTH)
        return lv_fail(err, LV_ERR_LIMIT, "--set %s: the value is too long", name);
    *source = (lv_source){shown, text, length};
    *snippet = (lv_snippet){text, (int)length, source, 0, NULL};
    LV_TRY(lv_formula_parse(formula, d->arena, snippet, err));
    *entry = (lv_entry){.place = {source, 0, length}, .count = 1, .formulas = formula};
    item->entries[0] = entry;
    return LV_OK;
}
