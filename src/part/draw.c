#include "part/draw.h"

static lv_status write_formula(lv_expansion *x, lv_formula *formula, const char *template,
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
        LV_TRY(write_formula(x, &formulas[k], templates[k], holes, err));
    LV_TRY(write_formula(x, &picture.sizes, sizes, holes, err));
    LV_TRY(write_formula(x, &picture.weight, weight, holes, err));
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
