/* A particle: a coordinate x, a scalar or a vector, with
 *
 *     T = m/2 |x'|^2,   V = -m g . x if there is gravity,
 *
 * or a family of particles, whose masses and start values may depend on the index i. The
 * mass matrix is constant and diagonal. */
#include "part/draw.h"
#include "part/gravity.h"

static lv_status declare_coordinate(lv_expansion *x, lv_error *err)
{
    lv_item item;
    LV_TRY(lv_term_init(x, &item, LV_SECTION_COORDINATES, NULL, err));
    lv_term_set(&item, "value", lv_item_entry(x->part, "position"));
    lv_term_set(&item, "velocity", lv_item_entry(x->part, "velocity"));
    lv_term_set(&item, "count", lv_item_entry(x->part, "count"));
    return lv_expansion_add(x, item, err);
}

static lv_status demand_fit(lv_expansion *x, const lv_hole *g, const lv_hole *position,
                            lv_error *err)
{
    char name[160];
    lv_check check = {.kind = LV_CHECK_LENGTHS,
                      .formulas = {g->formula, position->formula},
                      .place = lv_item_entry(x->part, "position")->place};
    check.text = lv_term_text(x, "[gravity] and %s are of different lengths",
                              lv_item_describe(x->part, name));
    return check.text ? lv_expansion_check(x, check, err) : lv_fail_memory(err);
}

static lv_status expand(lv_expansion *x, const lv_item *part, lv_error *err)
{
    enum { MASS, POSITION, GRAVITY, END };
    lv_hole holes[END + 1] = {{0}};
    const lv_entry *family = NULL;
    const char *name =
        lv_term_text(x, lv_item_entry(part, "count") ? "%s_{i}" : "%s", part->name);
    lv_item energy;
    bool heavy = false;
    if (!name)
        return lv_fail_memory(err);
    holes[POSITION] = (lv_hole){.name = "x", .is_point = true};
    LV_TRY(lv_term_family(x, &family, err));
    LV_TRY(lv_term_formula(x, &holes[POSITION].formula, name, NULL, err));
    LV_TRY(lv_hole_key(x, &holes[MASS], "mass", err));
    LV_TRY(lv_gravity_hole(x, &holes[GRAVITY], &heavy, err));

    LV_TRY(declare_coordinate(x, err));
    LV_TRY(lv_term_init(x, &energy, LV_SECTION_ENERGY, family, err));
    LV_TRY(lv_term_write(x, &energy, "kinetic", "mass/2*norm2(x')", holes, err));
    if (heavy)
        LV_TRY(lv_term_write(x, &energy, "potential", "-mass*dot(g, x)", holes, err));
    LV_TRY(lv_expansion_add(x, energy, err));

    const char *const at[] = {"x"};
    const lv_picture ball = {
        .kind = LV_VIEW_POINT, .shape = "ball", .family = family, .trail = true};
    LV_TRY(lv_draw(x, ball, at, 1, NULL, "mass^(1/3)", holes, err));
    LV_TRY(lv_demand_constant(x, "mass", family, "a mass", err));
    return heavy ? demand_fit(x, &holes[GRAVITY], &holes[POSITION], err) : LV_OK;
}

static const lv_key keys[] = {
    {"mass", LV_KEY_FORMULA, true, false, 1e-300, 1e300, "kg", NULL,
     "a formula of parameters, and of the index i in a family"},
    {"position", LV_KEY_VALUE, true, false, 0, 0, "m", NULL,
     "where it starts: a vector, or a scalar on a line"},
    {"velocity", LV_KEY_VALUE, false, false, 0, 0, "m/s", "0", "velocity at the start"},
    {"count", LV_KEY_FORMULA, false, true, 0, 100000000, NULL, NULL,
     "makes a family NAME_1, NAME_2, ...; the other keys may use the index i"},
    {0},
};

const lv_part lv_part_particle = {
    .section = {.name = "particles",
                .one = "particle",
                .shape = LV_SHAPE_NAMED_TABLES,
                .keys = keys,
                .doc =
                    "Point masses. Each is a coordinate of its name, which formulas may "
                    "use, with the kinetic energy mass/2*norm2(NAME').",
                .example =
                    "[particles.ball]\nmass = 1.5\nposition = [1, 0, 0]\nvelocity = "
                    "[0, \"w\", 0]\n[particles.bead]\ncount = \"N\"\nmass = "
                    "\"m/i\"\nposition = [\"i*l\", 0, 0]"},
    .expand = expand,
};
