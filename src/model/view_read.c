/* Reads the pictures in [view]. */
#include "base/text.h"
#include "model/view_private.h"

#include <stdio.h>

#include <string.h>

typedef struct reader {
    lv_model *model;
    const lv_item *item;
    lv_picture picture;
    lv_error *err;
} reader;

static const lv_entry *entry_of(const reader *r, const char *key)
{
    return lv_item_entry(r->item, key);
}

/* Reads the formulas of a list of keys, which ends with NULL. */
static lv_status read_formulas(reader *r, const char *const *keys)
{
    lv_arena *arena = &r->model->arena;
    int count = 0;
    while (keys[count])
        count++;
    lv_formula *formulas = lv_arena_alloc(arena, (size_t)count, sizeof *formulas);
    if (!formulas)
        return lv_fail_memory(r->err);
    for (int k = 0; k < count; k++)
        if (entry_of(r, keys[k]))
            LV_TRY(lv_entry_formula(&formulas[k], entry_of(r, keys[k]), arena, r->err));
    r->picture.formulas = formulas;
    r->picture.count = count;
    return LV_OK;
}

static lv_status read_number(reader *r, int *number, const char *key, int fallback)
{
    double value = fallback;
    if (lv_item_entry(r->item, key))
        LV_TRY(lv_model_evaluate_key(r->model, &value, r->item, key, false, r->err));
    *number = (int)value;
    return LV_OK;
}

static lv_status read_variables(reader *r, int count, int cells)
{
    const lv_entry *over = entry_of(r, "over");
    r->picture.over = over;
    if (over->count != count)
        return lv_fail_at(r->err, LV_ERR_MODEL, LV_AT(over->place),
                          count == 1 ? "a curve has one variable, not %d"
                                     : "a surface has two variables, not %d",
                          over->count);
    return read_number(r, &r->picture.cells, "cells", cells);
}

static lv_status read_radius(reader *r)
{
    const lv_entry *radius = entry_of(r, "radius");
    if (radius)
        r->picture.sizes = radius->formulas[0];
    return LV_OK;
}

static bool flag_of(const reader *r, const char *key, bool fallback)
{
    const lv_entry *entry = entry_of(r, key);
    return entry ? entry->is_true : fallback;
}

static lv_status read_point(reader *r)
{
    static const char *const keys[] = {"at", NULL};
    r->picture.kind = LV_VIEW_POINT;
    r->picture.shape = "ball";
    r->picture.trail = flag_of(r, "trail", true);
    LV_TRY(read_radius(r));
    return read_formulas(r, keys);
}

/* Finds one of the words, whose list ends with NULL. */
static lv_status read_word(reader *r, const char **word, const lv_entry *entry,
                           const char *const *words, const char *what)
{
    lv_nearest nearest;
    char list[200] = "";
    lv_nearest_start(&nearest, entry->text);
    for (int k = 0; words[k]; k++) {
        const size_t used = strlen(list);
        *word = words[k];
        if (strcmp(words[k], entry->text) == 0)
            return LV_OK;
        lv_nearest_offer(&nearest, words[k]);
        snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", words[k]);
    }
    lv_status status = lv_fail_at(r->err, LV_ERR_MODEL, LV_AT(entry->place),
                                  "there is no %s '%s'", what, entry->text);
    if (lv_nearest_result(&nearest))
        lv_error_hint(r->err, "did you mean '%s'?", lv_nearest_result(&nearest));
    else
        lv_error_hint(r->err, "there are %s", list);
    return status;
}

static lv_status check_line(const reader *r)
{
    const bool through = entry_of(r, "through"), at = entry_of(r, "at");
    if (through != at && at == (entry_of(r, "over") != NULL))
        return LV_OK;
    lv_status status =
        lv_fail_at(r->err, LV_ERR_MODEL, LV_AT(r->item->place),
                   through && at ? "line '%s' has both 'through' and 'at'"
                   : through     ? "line '%s' has 'over', which belongs to 'at'"
                   : at          ? "line '%s' lacks the key 'over'"
                                 : "line '%s' lacks the key 'through'",
                   r->item->name);
    lv_error_hint(r->err, "a line is { through = [\"a\", \"b\"] }, a curve { at = \"[s, "
                          "s^2]\", over = \"s = 0..1\" }");
    return status;
}

static lv_status read_line(reader *r)
{
    static const char *const styles[] = {"line", "rod", "spring", "arrow", NULL};
    static const char *const keys[] = {"at", NULL};
    const lv_entry *through = entry_of(r, "through"), *style = entry_of(r, "style");
    r->picture.kind = LV_VIEW_LINE;
    r->picture.shape = "line";
    LV_TRY(check_line(r));
    if (style)
        LV_TRY(read_word(r, &r->picture.shape, style, styles, "style of lines"));
    LV_TRY(read_radius(r));
    if (!through) {
        LV_TRY(read_variables(r, 1, 64));
        return read_formulas(r, keys);
    }
    r->picture.formulas = through->formulas;
    r->picture.count = through->count;
    return LV_OK;
}

static lv_status read_shape(reader *r)
{
    static const char *const shapes[] = {"sphere",  "ellipsoid", "box",  "cylinder",
                                         "capsule", "cone",      "axes", NULL};
    static const char *const numbers[] = {"its radius",
                                          "its three half axes",
                                          "its three sides",
                                          "radius and length",
                                          "radius and length without the half spheres",
                                          "radius and height",
                                          "their length"};
    static const int lengths[] = {1, 3, 3, 2, 2, 2, 1};
    const lv_entry *shape = entry_of(r, "shape");
    r->picture.shape = "axes";
    if (!shape)
        return LV_OK;
    LV_TRY(read_word(r, &r->picture.shape, shape, shapes, "shape"));
    const int found = shape->is_array ? shape->count : 1;
    for (int k = 0; shapes[k]; k++)
        if (strcmp(shapes[k], r->picture.shape) == 0 && lengths[k] != found)
            return lv_fail_at(r->err, LV_ERR_MODEL, LV_AT(shape->place),
                              "the shape '%s' needs %d number%s, %s; found %d", shapes[k],
                              lengths[k], lengths[k] == 1 ? "" : "s", numbers[k], found);
    return lv_entry_formula(&r->picture.sizes, shape, &r->model->arena, r->err);
}

static lv_status read_frame(reader *r)
{
    static const char *const keys[] = {"at", "e1", "e2", "e3", "angle", NULL};
    r->picture.kind = LV_VIEW_FRAME;
    r->picture.trail = flag_of(r, "trail", false);
    if (entry_of(r, "angle") &&
        (entry_of(r, "e1") || entry_of(r, "e2") || entry_of(r, "e3")))
        return lv_fail_at(r->err, LV_ERR_MODEL, LV_AT(entry_of(r, "angle")->place),
                          "frame '%s' has both an angle and axes; give one of them",
                          r->item->name);
    LV_TRY(read_shape(r));
    return read_formulas(r, keys);
}

static lv_status read_surface(reader *r)
{
    static const char *const keys[] = {"at", NULL};
    r->picture.kind = LV_VIEW_SURFACE;
    r->picture.shape = "grid";
    LV_TRY(read_variables(r, 2, 24));
    return read_formulas(r, keys);
}

static lv_status read_item(lv_model *m, const lv_item *item, lv_error *err)
{
    static const struct {
        int section;
        const char *name;
        lv_status (*read)(reader *r);
    } kinds[] = {{LV_SECTION_VIEW_POINTS, "points", read_point},
                 {LV_SECTION_VIEW_LINES, "lines", read_line},
                 {LV_SECTION_VIEW_FRAMES, "frames", read_frame},
                 {LV_SECTION_VIEW_SURFACES, "surfaces", read_surface}};
    reader r = {.model = m, .item = item, .err = err};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (kinds[k].section != item->section)
            continue;
        r.picture = (lv_picture){.item = item,
                                 .name = item->name,
                                 .section = kinds[k].name,
                                 .is_given = true,
                                 .family = lv_item_entry(item, "for")};
        LV_TRY(kinds[k].read(&r));
        LV_TRY(read_number(&r, &r.picture.colour, "colour", 0));
        return LV_PUSH(m->declarations.pictures, r.picture) ? LV_OK : lv_fail_memory(err);
    }
    return LV_OK;
}

lv_status lv_view_read(lv_model *m, lv_error *err)
{
    for (int k = 0; k < m->declarations.items.count; k++)
        LV_TRY(read_item(m, &m->declarations.items.data[k], err));
    return LV_OK;
}
