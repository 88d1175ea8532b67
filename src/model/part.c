/* Expands the parts of a model, in the order of the text. */
#include "model/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const lv_section *lv_part_section(int k)
{
    for (int i = 0; lv_part_table[i]; i++)
        if (i == k)
            return &lv_part_table[i]->section;
    return NULL;
}

const lv_word *lv_part_words(int k)
{
    return lv_part_section(k) ? lv_part_table[k]->words : NULL;
}

const lv_item *lv_expansion_first(const lv_expansion *x, const lv_part *part)
{
    for (int k = 0; lv_part_table[k]; k++)
        if (lv_part_table[k] == part)
            return x->first[k];
    return NULL;
}

lv_status lv_expansion_add(lv_expansion *x, lv_item item, lv_error *err)
{
    item.origin = x->part;
    return LV_PUSH(x->result.items, item) ? LV_OK : lv_fail_memory(err);
}

lv_status lv_expansion_check(lv_expansion *x, lv_check check, lv_error *err)
{
    return LV_PUSH(x->result.checks, check) ? LV_OK : lv_fail_memory(err);
}

lv_status lv_expansion_show(lv_expansion *x, lv_shown shown, lv_error *err)
{
    shown.part = x->part;
    return LV_PUSH(x->result.shown, shown) ? LV_OK : lv_fail_memory(err);
}

lv_status lv_expansion_draw(lv_expansion *x, lv_picture picture, lv_error *err)
{
    picture.item = x->part;
    picture.name = x->part->name;
    picture.section = lv_section_at(x->part->section)->name;
    return LV_PUSH(x->result.pictures, picture) ? LV_OK : lv_fail_memory(err);
}

const lv_item *lv_expansion_find(const lv_expansion *x, const char *section,
                                 const char *name)
{
    char key[300];
    int length = snprintf(key, sizeof key, "%s.%s", section, name);
    const lv_name *found = length > 0 && (size_t)length < sizeof key
                               ? lv_names_find(&x->names, key, length)
                               : NULL;
    return found ? &x->given->items.data[found->index] : NULL;
}

static lv_status expand_item(lv_expansion *x, const lv_item *item, lv_error *err)
{
    if (!LV_PUSH(x->result.items, *item))
        return lv_fail_memory(err);
    if (item->section < LV_SECTIONS)
        return LV_OK;
    x->part = lv_arena_copy(x->arena, item, 1, sizeof *item);
    if (!x->part)
        return lv_fail_memory(err);
    return lv_part_table[item->section - LV_SECTIONS]->expand(x, x->part, err);
}

/* Orders items by name; items that were written come before items of parts. */
static int by_name(const void *a, const void *b)
{
    const lv_item *x = *(const lv_item *const *)a, *y = *(const lv_item *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->origin != NULL) - (y->origin != NULL);
}

static lv_status fail_clash(const lv_item *old, const lv_item *new, lv_error *err)
{
    int line = 0, column = 0;
    lv_status status = lv_fail_at(err, LV_ERR_MODEL, LV_AT(new->place),
                                  "'%s' is already the name of a constraint", new->name);
    lv_source_position(old->place.source, old->place.offset, &line, &column);
    lv_error_note(err, "declared at %s:%d", old->place.source->name, line);
    return status;
}

/* Fails if two constraints have the same name, as [constraints.r] and a part that
 * declares a constraint r, since results use the name. */
static lv_status check_constraints(const lv_declarations *d, lv_error *err)
{
    LV_ARRAY(const lv_item *) list = {0};
    lv_status status = LV_OK;
    for (int k = 0; status == LV_OK && k < d->items.count; k++)
        if (d->items.data[k].section == LV_SECTION_CONSTRAINTS &&
            !LV_PUSH(list, &d->items.data[k]))
            status = lv_fail_memory(err);
    if (list.count > 1)
        qsort(list.data, (size_t)list.count, sizeof *list.data, by_name);
    for (int k = 1; status == LV_OK && k < list.count; k++)
        if (strcmp(list.data[k - 1]->name, list.data[k]->name) == 0)
            status = fail_clash(list.data[k - 1], list.data[k], err);
    LV_ARRAY_FREE(list);
    return status;
}

static lv_status list_first(lv_expansion *x, const lv_declarations *d, lv_error *err)
{
    size_t parts = 0;
    while (lv_part_table[parts])
        parts++;
    x->first = lv_arena_alloc(x->arena, parts, sizeof *x->first);
    if (!x->first)
        return lv_fail_memory(err);
    for (int k = d->items.count - 1; k >= 0; k--)
        if (d->items.data[k].section >= LV_SECTIONS)
            x->first[d->items.data[k].section - LV_SECTIONS] = &d->items.data[k];
    return LV_OK;
}

static lv_status list_names(lv_expansion *x, const lv_declarations *d, lv_error *err)
{
    char key[300];
    for (int k = 0; k < d->items.count; k++) {
        const lv_item *item = &d->items.data[k];
        int length = snprintf(key, sizeof key, "%s.%s",
                              lv_section_at(item->section)->name, item->name);
        lv_name name = {.index = k, .place = item->place};
        if (length <= 0 || (size_t)length >= sizeof key)
            continue;
        name.text = lv_arena_text(x->arena, key, (size_t)length);
        if (!name.text || !lv_names_put(&x->names, &name))
            return lv_fail_memory(err);
    }
    return LV_OK;
}

lv_status lv_declarations_expand(lv_declarations *d, lv_error *err)
{
    lv_expansion x = {.arena = d->arena, .given = d, .result = {.arena = d->arena}};
    lv_status status = list_first(&x, d, err);
    if (status == LV_OK)
        status = list_names(&x, d, err);
    for (int k = 0; status == LV_OK && k < d->items.count; k++)
        status = expand_item(&x, &d->items.data[k], err);
    if (status == LV_OK)
        status = check_constraints(&x.result, err);
    lv_names_done(&x.names);
    lv_declarations_done(status == LV_OK ? d : &x.result);
    if (status == LV_OK)
        *d = x.result;
    return status;
}
