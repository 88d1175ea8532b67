/* A disc or a sphere that rolls on the plane z = 0, above it, without slipping: the point
 * c of the body that touches the plane has the velocity of the plane,
 *
 *     x' + spin x (c - x) - table e_z x c = 0      in x and y: two nonholonomic rows,
 *
 * and z is the height at which it touches the plane: one holonomic row. For a sphere c -
 * x = -r e_z. For a disc with the unit axis a, c - x = -r w/|w| with w = e_z - (e_z . a)
 * a, the steepest direction upwards in the disc, |w|^2 = a_1^2 + a_2^2. */
#include "part/body.h"
#include "part/draw.h"

#include <string.h>

enum { BODY, RADIUS, AXIS, TABLE, UNIT, STEEP, LEVER, END };

typedef struct contact {
    lv_expansion *x;
    const lv_entry *family;
    lv_end end;
    bool is_disc;
    lv_hole holes[END + 1];
} contact;

static bool has(const contact *c, const char *key)
{
    return lv_item_entry(c->x->part, key) != NULL;
}

static lv_status check_keys(contact *c, lv_error *err)
{
    const char *shape = lv_item_entry(c->x->part, "shape")->text;
    c->is_disc = strcmp(shape, "disc") == 0;
    if (!c->is_disc && strcmp(shape, "sphere") != 0)
        return lv_part_refuse(c->x, "shape", err,
                              "what rolls is a \"disc\" or a \"sphere\", not \"%s\"",
                              shape);
    if (c->end.kind != LV_END_BODY) {
        lv_status status =
            lv_part_refuse(c->x, "body", err, "'%s' cannot roll: it is %s",
                           c->end.hole.formula.root->name,
                           c->end.kind == LV_END_GROUND   ? "the ground"
                           : c->end.kind == LV_END_PLANAR ? "a body in the plane"
                                                          : "a particle");
        lv_error_hint(err, "bodies in space roll, on the plane z = 0");
        return status;
    }
    if (c->is_disc && !has(c, "axis"))
        return lv_part_refuse(c->x, "shape", err,
                              "a disc needs its 'axis', in body axes: [0, 1, 0]");
    if (!c->is_disc && has(c, "axis"))
        return lv_part_refuse(c->x, "axis", err, "a sphere has no axis");
    return lv_want_length(c->x, "axis", 3, err);
}

static lv_status read_holes(contact *c, lv_error *err)
{
    for (int k = 0; k < END; k++)
        c->holes[k].name = " "; /* no template uses this name */
    c->holes[BODY] = c->end.hole;
    LV_TRY(lv_hole_key(c->x, &c->holes[RADIUS], "radius", err));
    LV_TRY(lv_hole_key(c->x, &c->holes[AXIS], "axis", err));
    if (has(c, "table"))
        LV_TRY(lv_hole_key(c->x, &c->holes[TABLE], "table", err));
    if (!c->is_disc)
        return lv_hole_write(c->x, &c->holes[LEVER], "lever", "[0, 0, -radius]", c->holes,
                             err);
    LV_TRY(lv_hole_write(c->x, &c->holes[UNIT], "u", "axis/norm(axis)", c->holes, err));
    LV_TRY(lv_hole_write(c->x, &c->holes[STEEP], "a", "direction(b, u)", c->holes, err));
    return lv_hole_write(c->x, &c->holes[LEVER], "lever",
                         "-radius/sqrt(a[1]^2 + a[2]^2)*([0, 0, 1] - a[3]*a)", c->holes,
                         err);
}

static lv_status declare_contact(contact *c, lv_error *err)
{
    const lv_entry *flag = lv_item_entry(c->x->part, "contact");
    lv_item item;
    if (flag && !flag->is_true)
        return LV_OK;
    LV_TRY(
        lv_term_member(c->x, &item, LV_SECTION_CONSTRAINTS, "contact", c->family, err));
    LV_TRY(lv_term_write(c->x, &item, "holonomic",
                         c->is_disc ? "b[3] - radius*sqrt(a[1]^2 + a[2]^2)"
                                    : "b[3] - radius",
                         c->holes, err));
    return lv_expansion_add(c->x, item, err);
}

static lv_status declare_rolling(contact *c, lv_error *err)
{
    const char *rows =
        has(c, "table")
            ? "[b'[1] + cross(b.spin, lever)[1] + table*(b[2] + lever[2]), b'[2] + "
              "cross(b.spin, lever)[2] - table*(b[1] + lever[1])]"
            : "[b'[1] + cross(b.spin, lever)[1], b'[2] + cross(b.spin, lever)[2]]";
    lv_item item;
    LV_TRY(lv_term_init(c->x, &item, LV_SECTION_CONSTRAINTS, c->family, err));
    LV_TRY(lv_term_write(c->x, &item, "nonholonomic", rows, c->holes, err));
    return lv_expansion_add(c->x, item, err);
}

static lv_status demand_axis(contact *c, lv_error *err)
{
    lv_check check = {.kind = LV_CHECK_POSITIVE,
                      .family = c->family,
                      .text = "the axis of a disc is zero and has no direction"};
    if (!c->is_disc)
        return LV_OK;
    check.place = lv_item_entry(c->x->part, "axis")->place;
    LV_TRY(
        lv_term_formula(c->x, &check.formulas[0], "start(norm2(axis))", c->holes, err));
    LV_TRY(lv_expansion_check(c->x, check, err));
    check.text = "the disc lies flat on the plane at the start: it has no lowest point";
    LV_TRY(lv_term_formula(c->x, &check.formulas[0], "start(a[1]^2 + a[2]^2 - 1e-20)",
                           c->holes, err));
    return lv_expansion_check(c->x, check, err);
}

static lv_status show_contact(contact *c, lv_error *err)
{
    const lv_entry *flag = lv_item_entry(c->x->part, "contact");
    const char *touches = flag && !flag->is_true
                              ? NULL
                              : lv_term_text(c->x, "%s.contact", c->x->part->name);
    lv_shown shown = {.kind = LV_SHOWN_ROLLING,
                      .family = c->family,
                      .effort = "force",
                      .reaction = {.constraints = {c->x->part->name, touches},
                                   .on = c->end.hole.formula,
                                   .turns = true}};
    LV_TRY(lv_term_formula(c->x, &shown.reaction.point, "b + lever", c->holes, err));
    return lv_expansion_show(c->x, shown, err);
}

/* Draws the disc or sphere, unless the body has a shape of its own. */
static lv_status draw_contact(contact *c, lv_error *err)
{
    static const char *const disc[] = {"b", "direction(b, normal(u))", NULL,
                                       "direction(b, u)"};
    static const char *const sphere[] = {"b", "b.e1", "b.e2", "b.e3"};
    const lv_picture p = {.kind = LV_VIEW_FRAME,
                          .family = c->family,
                          .shape = c->is_disc ? "cylinder" : "sphere"};
    c->x->result.has_floor = true;
    if (lv_item_entry(c->end.item, "shape"))
        return LV_OK;
    return lv_draw(c->x, p, c->is_disc ? disc : sphere, 4,
                   c->is_disc ? "[radius, radius/8]" : "radius", NULL, c->holes, err);
}

static lv_status expand(lv_expansion *x, const lv_item *part, lv_error *err)
{
    contact c = {.x = x, .family = lv_item_entry(part, "for")};
    const lv_entry *body = lv_item_entry(part, "body");
    LV_TRY(lv_end_read(x, &c.end, "b", &body->formulas[0], "what rolls is", err));
    LV_TRY(check_keys(&c, err));
    LV_TRY(read_holes(&c, err));
    LV_TRY(declare_contact(&c, err));
    LV_TRY(declare_rolling(&c, err));
    LV_TRY(lv_demand_constant(x, "radius", c.family, "a radius", err));
    LV_TRY(demand_axis(&c, err));
    LV_TRY(draw_contact(&c, err));
    return show_contact(&c, err);
}

static const lv_key keys[] = {
    {"body", LV_KEY_NAMES, true, false, 0, 0, NULL, NULL,
     "the body that rolls, in space, above z = 0"},
    {"shape", LV_KEY_TEXT, true, false, 0, 0, NULL, NULL, "\"disc\" or \"sphere\""},
    {"radius", LV_KEY_FORMULA, true, false, 1e-300, 1e300, "m", NULL,
     "of the disc or sphere"},
    {"axis", LV_KEY_VALUE, false, false, 0, 0, NULL, NULL, "of the disc, in body axes"},
    {"table", LV_KEY_FORMULA, false, false, 0, 0, "rad/s", "0",
     "the plane turns about the z axis at this rate"},
    {"contact", LV_KEY_FLAG, false, false, 0, 0, NULL, "true",
     "false leaves out the constraint that keeps the height, for bodies that keep it "
     "anyway"},
    {"for", LV_KEY_RANGES, false, false, 0, 0, NULL, NULL,
     "makes a family: one contact for every value of the index, e.g. \"i = 1..N\""},
    {0},
};

static const lv_word words[] = {
    {"shape", "disc", "A thin disc rolls on its edge: it needs its axis."},
    {"shape", "sphere", "A ball rolls about its centre of mass."},
    {0}};

const lv_part lv_part_rolling = {
    .section =
        {.name = "rolling",
         .one = "contact",
         .shape = LV_SHAPE_TABLES,
         .keys = keys,
         .doc = "Discs and spheres that roll on the plane z = 0 without slipping: a "
                "holonomic "
                "constraint NAME.contact keeps the contact, two nonholonomic ones the "
                "rolling.",
         .example =
             "[rolling.wheel]\nbody = \"disc\"\nshape = \"disc\"\nradius = 0.3\naxis = "
             "[0, 1, 0]\n[rolling.ball]\nbody = \"ball\"\nshape = \"sphere\"\nradius = "
             "0.1\ntable = \"Omega\""},
    .words = words,
    .expand = expand,
};
