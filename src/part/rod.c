/* A rod: a massless bar that keeps the distance of two ends a and b,
 *
 *     g = (|b - a|^2 - L^2)/2 = 0.
 *
 * The gradient of g is the vector b - a, so that the multiplier times L is the force in the
 * rod. Without a length, L is the distance at the start. */
#include "part/draw_ends.h"

static lv_status expand(lv_expansion *x, const lv_item *part, lv_error *err)
{
    enum { A, B, LENGTH, SQUARE, END };
    lv_hole holes[END + 1] = {{0}};
    const lv_entry *family = lv_item_entry(part, "for");
    lv_item constraint;
    LV_TRY(lv_ends_read(x, &holes[A], &holes[B], err));
    LV_TRY(lv_hole_key(x, &holes[LENGTH], "length", err));
    LV_TRY(lv_term_formula(
        x, &holes[SQUARE].formula,
        lv_item_entry(part, "length") ? "length^2" : "start(norm2(b - a))", holes, err));
    holes[SQUARE].name = "square";
    LV_TRY(lv_term_init(x, &constraint, LV_SECTION_CONSTRAINTS, family, err));
    LV_TRY(lv_term_write(x, &constraint, "holonomic", "(norm2(b - a) - square)/2", holes,
                         err));
    LV_TRY(lv_expansion_add(x, constraint, err));
    LV_TRY(lv_draw_ends(x, "rod", family, holes, err));
    LV_TRY(lv_demand_range(x, "length", family, err));
    return lv_ends_apart(x, holes, "a rod keeps two different points at their distance",
                         err);
}

static const lv_key keys[] = {
    {"for", LV_KEY_RANGES, false, false, 0, 0, NULL, NULL,
     "makes a family: one rod for every value of the index, e.g. \"i = 2..N\""},
    {"between", LV_KEY_ENDS, true, false, 0, 0, NULL, NULL,
     "its ends: names of bodies, particles or coordinates, points as formulas or arrays"},
    {"length", LV_KEY_FORMULA, false, false, 1e-300, 1e300, "m",
     "the distance of the ends at the start", "the distance L that is kept"},
    {0},
};

const lv_part lv_part_rod = {
    .section = {.name = "rods",
                .one = "rod",
                .shape = LV_SHAPE_TABLES,
                .keys = keys,
                .doc = "Massless rods that keep the distance of two ends: the constraint "
                       "(norm2(b - a) - L^2)/2, whose multiplier times L is the force in "
                       "the rod.",
                .example = "[rods.hanger]\nbetween = [[0, 0, 0], \"bead_1\"]\n"
                           "[rods.links]\nfor = \"i = 2..N\"\nbetween = [\"bead_{i-1}\", "
                           "\"bead_i\"]\nlength = \"l\""},
    .expand = expand,
};
