#include "part/draw.h"

#include "part/body.h"

#include <string.h>

static lv_status write(lv_expansion *x, lv_formula *formula, const char *template,
                       const lv_hole *holes, lv_error *err)
{
    return template ? lv_term_formula(x, formula, template, holes, err) : LV_OK;
}

lv_status lv_draw(lv_expansion *x, lv_picture picture, const char *const *templates,
                  int count, const char *sizes, const char *weight, const lv_hole *holes,
                  lv_error *err)
{
    lv_formula *formulas = lv_arena_alloc(x->arena, (size_t)count, sizeof *formulas);
    if (!formulas)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++)
        LV_TRY(write(x, &formulas[k], templates[k], holes, err));
    LV_TRY(write(x, &picture.sizes, sizes, holes, err));
    LV_TRY(write(x, &picture.weight, weight, holes, err));
    picture.formulas = formulas;
    picture.count = count;
    return lv_expansion_draw(x, picture, err);
}

lv_status lv_draw_line(lv_expansion *x, const char *shape, const lv_entry *family,
                       const char *from, const char *to, const lv_hole *holes,
                       lv_error *err)
{
    const char *const ends[] = {from, to};
    const lv_picture line = {.kind = LV_VIEW_LINE, .shape = shape, .family = family};
    return lv_draw(x, line, ends, 2, NULL, NULL, holes, err);
}

static lv_status draw_bar(lv_expansion *x, const lv_entry *family, const lv_formula *end,
                          lv_error *err)
{
    const lv_syntax *root = end->root, *name = root->first;
    const bool is_point = root->kind == LV_SYNTAX_CALL &&
                          strcmp(root->name, "point") == 0 && name &&
                          name->kind == LV_SYNTAX_NAME;
    const lv_item *body = is_point ? lv_part_named(x, "bodies", "count", name) : NULL;
    if (!body || lv_item_entry(body, "shape"))
        return LV_OK;
    const lv_hole holes[] = {
        {.name = "c", .formula = {end->snippet, name}, .is_name = true},
        {.name = "p", .formula = *end},
        {0}};
    return lv_draw_line(x, "rod", family, "c", "p", holes, err);
}

lv_status lv_draw_ends(lv_expansion *x, const char *shape, const lv_entry *family,
                       const lv_hole *holes, lv_error *err)
{
    const lv_entry *between = lv_item_entry(x->part, "between");
    LV_TRY(lv_draw_line(x, shape, family, "a", "b", holes, err));
    LV_TRY(draw_bar(x, family, &between->formulas[0], err));
    return draw_bar(x, family, &between->formulas[1], err);
}
