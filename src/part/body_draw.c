/* Pictures of bodies. */
#include "part/body_private.h"
#include "part/draw.h"

#include <string.h>

/* Whether the body is a rolling disc or sphere, which is drawn by its rolling contact. */
static bool rolls(const body *b)
{
    const lv_declarations *all = b->x->given;
    for (int k = 0; k < all->items.count; k++) {
        const lv_item *item = &all->items.data[k];
        const lv_entry *of = lv_item_entry(item, "body");
        if (strcmp(lv_section_at(item->section)->name, "rolling") == 0 && of &&
            of->formulas[0].root->kind == LV_SYNTAX_NAME &&
            lv_part_named(b->x, "bodies", "count", of->formulas[0].root) &&
            strcmp(lv_part_named(b->x, "bodies", "count", of->formulas[0].root)->name,
                   b->part->name) == 0)
            return true;
    }
    return false;
}

/* Draws the fixed point, and a bar from there to the centre of mass. */
static lv_status draw_pivot(body *b, lv_error *err)
{
    static const char *const at[] = {"start(b + direction(b, pivot))"};
    const lv_picture p = {.kind = LV_VIEW_JOINT,
                          .family = b->family,
                          .shape = b->is_planar ? "revolute" : "spherical"};
    if (!b->has_pivot)
        return LV_OK;
    LV_TRY(lv_draw(b->x, p, at, 1, NULL, NULL, b->holes, err));
    return has(b, "shape")
               ? LV_OK
               : lv_draw_line(b->x, "rod", b->family, at[0], "b", b->holes, err);
}

/* Draws the shape of the body; without one, the ellipsoid of the same inertia, or a mark
 * in the plane. */
lv_status lv_body_draw(body *b, lv_error *err)
{
    static const char *const in_space[] = {"b", "b.e1", "b.e2", "b.e3"};
    static const char *const in_plane[] = {"b", NULL, NULL, NULL, "b.angle"};
    const lv_entry *shape = lv_item_entry(b->part, "shape");
    const char *const ellipsoid =
        "[sqrt(max(5/2*(inertia[2] + inertia[3] - inertia[1])/mass, 0)), "
        "sqrt(max(5/2*(inertia[1] + inertia[3] - inertia[2])/mass, 0)), "
        "sqrt(max(5/2*(inertia[1] + inertia[2] - inertia[3])/mass, 0))]";
    lv_picture p = {
        .kind = LV_VIEW_FRAME, .family = b->family, .shape = "centre", .trail = true};
    lv_hole holes[END + 2];
    memcpy(holes, b->holes, sizeof b->holes);
    holes[END + 1] = (lv_hole){0};
    LV_TRY(lv_hole_key(b->x, &holes[END], "shape", err));
    LV_TRY(draw_pivot(b, err));
    if (!shape && rolls(b))
        return LV_OK;
    p.of_inertia = !shape && b->has_products;
    if (shape)
        p.shape = shape->text;
    else if (!b->is_planar)
        p.shape = "ellipsoid";
    return lv_draw(b->x, p, b->is_planar ? in_plane : in_space, b->is_planar ? 5 : 4,
                   shape             ? "shape"
                   : b->is_planar    ? NULL
                   : b->has_products ? "[mass, inertia[1], inertia[2], inertia[3], "
                                       "inertia[4], inertia[5], inertia[6]]"
                                     : ellipsoid,
                   "mass^(1/3)", holes, err);
}
