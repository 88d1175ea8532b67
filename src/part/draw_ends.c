#include "part/draw_ends.h"

#include "part/body.h"
#include "part/draw.h"

#include <string.h>

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
