/* Gravity: the same acceleration g for everything that has a mass. A part of mass m at x
 * has the potential
 *
 *     V = -m g . x,
 *
 * which the part declares itself (particle.c, body.c). g may depend on time; if it does
 * not, energy is conserved, and so is the angular momentum about an axis along g. */
#include "part/gravity.h"

extern const lv_part lv_part_gravity, lv_part_particle, lv_part_body;

lv_status lv_gravity_hole(lv_expansion *x, lv_hole *g, bool *present, lv_error *err)
{
    const lv_item *gravity = lv_expansion_first(x, &lv_part_gravity);
    *present = gravity != NULL;
    *g = (lv_hole){.name = "g", .is_point = true};
    return gravity ? lv_entry_formula(&g->formula, lv_item_entry(gravity, "acceleration"),
                                      x->arena, err)
                   : LV_OK;
}

static lv_status expand(lv_expansion *x, const lv_item *item, lv_error *err)
{
    lv_hole holes[2] = {{0}};
    LV_TRY(lv_hole_key(x, &holes[0], "acceleration", err));
    LV_TRY(lv_term_formula(x, &x->result.gravity, "start(acceleration)", holes, err));
    if (lv_expansion_first(x, &lv_part_particle) || lv_expansion_first(x, &lv_part_body))
        return lv_demand_still(x, "acceleration", "gravity, apart from t,", err);
    lv_status status = lv_fail_at(err, LV_ERR_MODEL, LV_AT(item->place),
                                  "there is nothing that gravity could act on");
    lv_error_hint(
        err, "it acts on [bodies] and [particles]; elsewhere it is a term of [energy]: "
             "potential = \"m*9.81*z\"");
    return status;
}

static const lv_key keys[] = {
    {"acceleration", LV_KEY_VALUE, true, false, 0, 0, "m/s^2", NULL,
     "a vector with as many components as a position; a formula of parameters and t"},
    {0},
};

const lv_part lv_part_gravity = {
    .section = {.name = "gravity",
                .one = "gravity",
                .shape = LV_SHAPE_KEYS,
                .keys = keys,
                .doc = "An acceleration g that acts on all bodies and particles, through "
                       "the potential "
                       "-m*dot(g, x) of each.",
                .example = "acceleration = [0, 0, -9.81]"},
    .expand = expand,
};
