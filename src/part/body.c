/* A rigid body. In space its configuration is the centre of mass x and three axes e1, e2,
 * e3, fixed in the body, with
 *
 *     T = m/2 |x'|^2 + 1/2 sum_jk E_jk e_j' . e_k',    E = tr(J)/2 1 - J,
 *
 * E being Euler's tensor of the inertia J about the centre of mass. These are twelve
 * coordinates, a constant mass matrix, and six constraints that keep the axes
 * orthonormal. A body with a fixed point s (`pivot`) has only the axes as coordinates; x
 * is then x(0) + R(0) s - R s.
 *
 * In the plane its configuration is x and an angle, with T = m/2 |x'|^2 + J/2
 * angle'^2. */
#include "part/body_private.h"
#include "part/gravity.h"
#include "part/shape.h"

#include <string.h>

/* ---- checks of keys ---------------------------------------------------------------- */

static lv_status want_one_of(const body *b, const char *first, const char *second,
                             lv_error *err)
{
    if (!has(b, first) || !has(b, second))
        return LV_OK;
    return lv_part_refuse(b->x, second, err, "'%s' and '%s' say the same; give one",
                          first, second);
}

static lv_status refuse_key(const body *b, const char *key, const char *hint,
                            lv_error *err)
{
    if (!has(b, key))
        return LV_OK;
    lv_status status = lv_part_refuse(b->x, key, err, "a body in %s has no '%s'",
                                      b->is_planar ? "the plane" : "space", key);
    lv_error_hint(err, "%s", hint);
    return status;
}

static lv_status read_dimension(body *b, lv_error *err)
{
    const lv_entry *position = lv_item_entry(b->part, "position");
    int length = lv_entry_length(b->x, position);
    b->is_planar = length == 2;
    if (length == 2 || length == 3)
        return LV_OK;
    lv_status status =
        length == 0 ? lv_part_refuse(b->x, "position", err,
                                     "the position of body '%s' must show whether it "
                                     "has 2 or 3 components",
                                     b->part->name)
                    : lv_part_refuse(b->x, "position", err,
                                     "the position of a body has 2 or 3 components, "
                                     "this has %d",
                                     length);
    lv_error_hint(err, "write it as an array, [0, 0, \"z0\"], in the plane [0, \"y0\"], "
                       "or as the name of a parameter that is one");
    return status;
}

static lv_status check_planar_keys(const body *b, lv_error *err)
{
    LV_TRY(refuse_key(b, "rotation", "its orientation is 'angle', a number", err));
    LV_TRY(refuse_key(b, "quaternion", "its orientation is 'angle', a number", err));
    LV_TRY(refuse_key(b, "spin", "its 'angular_velocity' is a number", err));
    LV_TRY(lv_want_length(b->x, "velocity", 2, err));
    LV_TRY(lv_want_length(b->x, "pivot", 2, err));
    LV_TRY(lv_want_length(b->x, "angular_velocity", 0, err));
    return lv_want_length(b->x, "inertia", 0, err);
}

static lv_status check_keys(const body *b, lv_error *err)
{
    static const char *const vectors[] = {"velocity", "pivot", "rotation",
                                          "angular_velocity", "spin"};
    if (b->is_planar)
        return check_planar_keys(b, err);
    LV_TRY(want_one_of(b, "rotation", "quaternion", err));
    LV_TRY(want_one_of(b, "angular_velocity", "spin", err));
    LV_TRY(refuse_key(b, "angle", "its orientation is 'rotation' or 'quaternion'", err));
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        LV_TRY(lv_want_length(b->x, vectors[k], 3, err));
    return lv_want_length(b->x, "quaternion", 4, err);
}

/* ---- orientation at the start ----------------------------------------------------------------- */

/* The template of axis k after all rotations: rotate(r1, rotate(r2, [1, 0, 0])). */
static const char *turned_axis(body *b, int turns, int k)
{
    static const char *const units[] = {"[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"};
    const char *text = units[k];
    for (int j = turns; j > 0 && text; j--)
        text = lv_term_text(b->x, "rotate(r%d, %s)", j, text);
    return text;
}

/* Fails if one of a list of rotation vectors is visibly not a vector of three
 * components. */
static lv_status want_rotation(const lv_formula *turn, lv_error *err)
{
    const lv_syntax *root = turn->root;
    if (root->kind == LV_SYNTAX_VECTOR && root->count != 3)
        return lv_formula_fail(err, LV_ERR_MODEL, turn->snippet, root,
                               "a rotation vector has 3 components, this has %d",
                               root->count);
    if (root->kind == LV_SYNTAX_NUMBER || root->kind == LV_SYNTAX_NEGATE)
        return lv_formula_fail(err, LV_ERR_MODEL, turn->snippet, root,
                               "a rotation vector has 3 components, this is a number");
    return LV_OK;
}

static lv_status read_turns(body *b, int *turns, lv_error *err)
{
    static const char *const names[LV_TURNS_MOST] = {"r1", "r2", "r3", "r4",
                                                     "r5", "r6", "r7", "r8"};
    const lv_entry *entry = lv_item_entry(b->part, "rotation");
    *turns = !entry ? 0 : entry->is_nested ? entry->count : 1;
    if (*turns > LV_TURNS_MOST)
        return lv_part_refuse(b->x, "rotation", err,
                              "a list of rotations has at most %d, this has %d",
                              LV_TURNS_MOST, *turns);
    for (int k = 0; k < *turns; k++) {
        b->holes[ROTATION + k] = (lv_hole){.name = names[k]};
        if (entry->is_nested) {
            LV_TRY(want_rotation(&entry->formulas[k], err));
            b->holes[ROTATION + k].formula = entry->formulas[k];
        } else
            LV_TRY(
                lv_entry_formula(&b->holes[ROTATION].formula, entry, b->x->arena, err));
    }
    return LV_OK;
}

/* Writes the axes at the start as holes f1, f2, f3. */
static lv_status read_axes(body *b, lv_error *err)
{
    static const char *const names[] = {"f1", "f2", "f3"};
    static const char *const columns[] = {
        "[q[1]^2 + q[2]^2 - q[3]^2 - q[4]^2, 2*(q[2]*q[3] + q[1]*q[4]), "
        "2*(q[2]*q[4] - q[1]*q[3])]/max(norm2(q), 1e-300)",
        "[2*(q[2]*q[3] - q[1]*q[4]), q[1]^2 - q[2]^2 + q[3]^2 - q[4]^2, "
        "2*(q[3]*q[4] + q[1]*q[2])]/max(norm2(q), 1e-300)",
        "[2*(q[2]*q[4] + q[1]*q[3]), 2*(q[3]*q[4] - q[1]*q[2]), "
        "q[1]^2 - q[2]^2 - q[3]^2 + q[4]^2]/max(norm2(q), 1e-300)"};
    int turns = 0;
    LV_TRY(read_turns(b, &turns, err));
    LV_TRY(lv_hole_key(b->x, &b->holes[QUATERNION], "quaternion", err));
    b->holes[QUATERNION].name = "q";
    for (int k = 0; k < 3; k++) {
        const char *text = has(b, "quaternion") ? columns[k] : turned_axis(b, turns, k);
        if (!text)
            return lv_fail_memory(err);
        LV_TRY(lv_hole_write(b->x, &b->holes[F1 + k], names[k], text, b->holes, err));
    }
    return LV_OK;
}

static const char *axis_velocity(const body *b, int k)
{
    static const char *const by_omega[] = {
        "angular_velocity[3]*f2 - angular_velocity[2]*f3",
        "angular_velocity[1]*f3 - angular_velocity[3]*f1",
        "angular_velocity[2]*f1 - angular_velocity[1]*f2"};
    static const char *const by_spin[] = {"cross(spin, f1)", "cross(spin, f2)",
                                          "cross(spin, f3)"};
    return has(b, "angular_velocity") ? by_omega[k] : has(b, "spin") ? by_spin[k] : NULL;
}

/* ---- declarations ------------------------------------------------------------------ */

static lv_status declare_axis(body *b, int k, lv_error *err)
{
    static const char *const members[] = {"e1", "e2", "e3"};
    static const char *const values[] = {"f1", "f2", "f3"};
    lv_item item;
    LV_TRY(lv_term_member(b->x, &item, LV_SECTION_COORDINATES, members[k], NULL, err));
    LV_TRY(lv_term_write(b->x, &item, "value", values[k], b->holes, err));
    if (axis_velocity(b, k))
        LV_TRY(
            lv_term_write(b->x, &item, "velocity", axis_velocity(b, k), b->holes, err));
    lv_term_set(&item, "count", lv_item_entry(b->part, "count"));
    item.is_inner = true;
    item.nature = LV_NATURE_DIRECTION;
    return lv_expansion_add(b->x, item, err);
}

/* Declares the centre of mass: coordinates, or a definition by the axes for a body with a
 * pivot. */
static lv_status declare_centre(body *b, lv_error *err)
{
    lv_item item;
    if (b->has_pivot)
        return lv_term_define(
            b->x, NULL, b->family,
            "position + start(direction(b, pivot)) - direction(b, pivot)", b->holes, err);
    LV_TRY(lv_term_init(b->x, &item, LV_SECTION_COORDINATES, NULL, err));
    lv_term_set(&item, "value", lv_item_entry(b->part, "position"));
    lv_term_set(&item, "velocity", lv_item_entry(b->part, "velocity"));
    lv_term_set(&item, "count", lv_item_entry(b->part, "count"));
    item.is_inner = true;
    return lv_expansion_add(b->x, item, err);
}

static lv_status declare_in_space(body *b, lv_error *err)
{
    lv_item rigid;
    LV_TRY(declare_centre(b, err));
    for (int k = 0; k < 3; k++)
        LV_TRY(declare_axis(b, k, err));
    LV_TRY(lv_term_define(b->x, "omega", b->family,
                          "[dot(b.e3, b.e2') - dot(b.e2, b.e3'), dot(b.e1, b.e3') - "
                          "dot(b.e3, b.e1'), dot(b.e2, b.e1') - dot(b.e1, b.e2')]/2",
                          b->holes, err));
    LV_TRY(
        lv_term_define(b->x, "spin", b->family,
                       "(cross(b.e1, b.e1') + cross(b.e2, b.e2') + cross(b.e3, b.e3'))/2",
                       b->holes, err));
    LV_TRY(lv_term_member(b->x, &rigid, LV_SECTION_CONSTRAINTS, "rigid", b->family, err));
    LV_TRY(
        lv_term_write(b->x, &rigid, "holonomic",
                      "[(norm2(b.e1) - 1)/2, (norm2(b.e2) - 1)/2, (norm2(b.e3) - 1)/2, "
                      "dot(b.e1, b.e2), dot(b.e1, b.e3), dot(b.e2, b.e3)]",
                      b->holes, err));
    rigid.is_inner = true;
    return lv_expansion_add(b->x, rigid, err);
}

static lv_status declare_in_plane(body *b, lv_error *err)
{
    lv_item angle;
    lv_hole zero = {0};
    LV_TRY(declare_centre(b, err));
    LV_TRY(lv_term_member(b->x, &angle, LV_SECTION_COORDINATES, "angle", NULL, err));
    if (has(b, "angle"))
        lv_term_set(&angle, "value", lv_item_entry(b->part, "angle"));
    else
        LV_TRY(lv_term_write(b->x, &angle, "value", "0", &zero, err));
    lv_term_set(&angle, "velocity", lv_item_entry(b->part, "angular_velocity"));
    lv_term_set(&angle, "count", lv_item_entry(b->part, "count"));
    angle.is_inner = true;
    angle.nature = LV_NATURE_ANGLE;
    LV_TRY(lv_expansion_add(b->x, angle, err));
    LV_TRY(lv_term_define(b->x, "e1", b->family, "[cos(b.angle), sin(b.angle)]", b->holes,
                          err));
    LV_TRY(lv_term_define(b->x, "e2", b->family, "[-sin(b.angle), cos(b.angle)]",
                          b->holes, err));
    return lv_term_define(b->x, "omega", b->family, "b.angle'", b->holes, err);
}

/* ---- mass and inertia -------------------------------------------------------------------------- */

static lv_status lacks_mass(const body *b, lv_error *err)
{
    const char *lacks = has(b, "mass") ? "inertia" : "mass";
    lv_status status = lv_part_refuse(b->x, "", err, "body '%s' lacks the key '%s'",
                                      b->part->name, lacks);
    lv_error_hint(err,
                  b->is_planar
                      ? "a body needs 'mass' and 'inertia', a number in the plane"
                      : "a body needs 'mass' and 'inertia', or 'density' and 'shape'");
    return status;
}

/* Reads mass and inertia as holes, as given or from shape and density. */
static lv_status read_mass(body *b, lv_error *err)
{
    const lv_entry *inertia = lv_item_entry(b->part, "inertia");
    if (has(b, "density")) {
        LV_TRY(want_one_of(b, "density", "mass", err));
        LV_TRY(want_one_of(b, "density", "inertia", err));
        if (b->is_planar || !has(b, "shape"))
            return lv_part_refuse(b->x, "density", err,
                                  b->is_planar ? "in the plane give 'mass' and 'inertia' "
                                                 "instead of 'density'"
                                               : "'density' needs a 'shape'");
        return lv_shape_holes(b->x, &b->holes[MASS], &b->holes[INERTIA], err);
    }
    if (!has(b, "mass") || !inertia)
        return lacks_mass(b, err);
    LV_TRY(lv_hole_key(b->x, &b->holes[MASS], "mass", err));
    LV_TRY(lv_hole_key(b->x, &b->holes[INERTIA], "inertia", err));
    if (b->is_planar)
        return LV_OK;
    int length = lv_entry_length(b->x, inertia);
    b->has_products = length == 6;
    if (length == 3 || length == 6)
        return LV_OK;
    lv_status status = lv_part_refuse(
        b->x, "inertia", err, "the inertia of a body in space has 3 or 6 components");
    lv_error_hint(err, "an array: principal values [J1, J2, J3], or [Jxx, Jyy, Jzz, Jxy, "
                       "Jxz, Jyz]");
    return status;
}

/* Writes Euler's tensor as holes E1, E2, E3, and E12, E13, E23 if there are products of
 * inertia. */
static lv_status write_euler(body *b, lv_error *err)
{
    static const char *const names[] = {"E1", "E2", "E3", "E12", "E13", "E23"};
    static const char *const templates[] = {"(inertia[2] + inertia[3] - inertia[1])/2",
                                            "(inertia[1] + inertia[3] - inertia[2])/2",
                                            "(inertia[1] + inertia[2] - inertia[3])/2",
                                            "-inertia[4]",
                                            "-inertia[5]",
                                            "-inertia[6]"};
    for (int k = 0; k < (b->has_products ? 6 : 3); k++)
        LV_TRY(lv_hole_write(b->x, &b->holes[EULER + k], names[k], templates[k], b->holes,
                             err));
    return LV_OK;
}

static const char *kinetic(const body *b)
{
    if (b->is_planar)
        return "mass/2*norm2(b') + inertia/2*(b.angle')^2";
    return b->has_products
               ? "mass/2*norm2(b') + (E1*norm2(b.e1') + E2*norm2(b.e2') + "
                 "E3*norm2(b.e3'))/2 + E12*dot(b.e1', b.e2') + E13*dot(b.e1', b.e3') + "
                 "E23*dot(b.e2', b.e3')"
               : "mass/2*norm2(b') + (E1*norm2(b.e1') + E2*norm2(b.e2') + "
                 "E3*norm2(b.e3'))/2";
}

static lv_status declare_energy(body *b, lv_error *err)
{
    lv_item energy;
    LV_TRY(lv_term_init(b->x, &energy, LV_SECTION_ENERGY, b->family, err));
    if (!b->is_planar)
        LV_TRY(write_euler(b, err));
    LV_TRY(lv_term_write(b->x, &energy, "kinetic", kinetic(b), b->holes, err));
    if (b->is_heavy)
        LV_TRY(
            lv_term_write(b->x, &energy, "potential", "-mass*dot(g, b)", b->holes, err));
    return lv_expansion_add(b->x, energy, err);
}

/* ---- checks of values -------------------------------------------------------------- */

static lv_status demand_inertia(body *b, lv_error *err)
{
    const lv_entry *inertia = lv_item_entry(b->part, "inertia");
    lv_check check = {.kind = LV_CHECK_INERTIA, .family = b->family};
    if (!inertia || b->is_planar)
        return LV_OK;
    check.place = inertia->place;
    check.still = check.timeless = "an inertia";
    check.text = lv_term_text(b->x, "no body has the inertia of '%s'", b->part->name);
    if (!check.text)
        return lv_fail_memory(err);
    LV_TRY(lv_term_formula(b->x, &check.formulas[0],
                           b->has_products ? "start(inertia)"
                                           : "start([inertia[1], inertia[2], inertia[3], "
                                             "0, 0, 0])",
                           b->holes, err));
    return lv_expansion_check(b->x, check, err);
}

static lv_status demand_positive(body *b, const char *key, const char *template,
                                 const char *text, lv_error *err)
{
    lv_check check = {.kind = LV_CHECK_POSITIVE, .family = b->family, .text = text};
    if (!has(b, key))
        return LV_OK;
    check.place = lv_item_entry(b->part, key)->place;
    LV_TRY(lv_term_formula(b->x, &check.formulas[0], template, b->holes, err));
    return lv_expansion_check(b->x, check, err);
}

/* The velocity of the centre of mass that follows from the pivot and the angular
 * velocity. */
static const char *turning_velocity(const body *b)
{
    if (b->is_planar)
        return has(b, "angular_velocity")
                   ? "angular_velocity*[direction(b, pivot)[2], -direction(b, pivot)[1]]"
                   : "0*pivot";
    return has(b, "spin")               ? "cross(direction(b, pivot), spin)"
           : has(b, "angular_velocity") ? "direction(b, cross(pivot, angular_velocity))"
                                        : "0*pivot";
}

/* Requires that a given velocity of a body with a pivot is that of the rotation. */
static lv_status demand_velocity(body *b, lv_error *err)
{
    lv_hole holes[END + 3];
    if (!b->has_pivot || !has(b, "velocity"))
        return LV_OK;
    memcpy(holes, b->holes, sizeof b->holes);
    holes[END + 2] = (lv_hole){0};
    LV_TRY(lv_hole_write(b->x, &holes[END], "w", turning_velocity(b), b->holes, err));
    LV_TRY(lv_hole_key(b->x, &holes[END + 1], "velocity", err));
    lv_check check = {.kind = LV_CHECK_POSITIVE,
                      .family = b->family,
                      .place = lv_item_entry(b->part, "velocity")->place,
                      .hint = "leave it out: it follows from these"};
    check.text = lv_term_text(
        b->x, "the velocity of body '%s' does not fit its pivot and angular velocity",
        b->part->name);
    if (!check.text)
        return lv_fail_memory(err);
    LV_TRY(lv_term_formula(
        b->x, &check.formulas[0],
        "start(1e-16*(norm2(velocity) + norm2(w)) + 1e-300 - norm2(velocity - w))", holes,
        err));
    return lv_expansion_check(b->x, check, err);
}

static lv_status demand_values(body *b, lv_error *err)
{
    LV_TRY(lv_demand_constant(b->x, "mass", b->family, "a mass", err));
    LV_TRY(lv_demand_constant(b->x, "density", b->family, "a density", err));
    if (b->is_planar)
        LV_TRY(lv_demand_constant(b->x, "inertia", b->family, "an inertia", err));
    LV_TRY(demand_inertia(b, err));
    LV_TRY(lv_shape_check(b->x, b->family, err));
    LV_TRY(demand_positive(b, "quaternion", "start(norm2(q))",
                           "a quaternion of length 0 is no orientation", err));
    return demand_velocity(b, err);
}

/* ---- expansion ---------------------------------------------------------------------------------- */

static lv_status read_holes(body *b, lv_error *err)
{
    for (int k = 0; k < END; k++)
        b->holes[k].name = " "; /* no template uses this name */
    LV_TRY(lv_hole_self(b->x, &b->holes[SELF], "b", err));
    LV_TRY(lv_hole_key(b->x, &b->holes[POSITION], "position", err));
    LV_TRY(lv_hole_key(b->x, &b->holes[OMEGA], "angular_velocity", err));
    LV_TRY(lv_hole_key(b->x, &b->holes[SPIN], "spin", err));
    LV_TRY(lv_hole_key(b->x, &b->holes[PIVOT], "pivot", err));
    LV_TRY(lv_gravity_hole(b->x, &b->holes[GRAVITY], &b->is_heavy, err));
    if (!b->is_planar)
        LV_TRY(read_axes(b, err));
    return read_mass(b, err);
}

static lv_status demand_gravity(body *b, lv_error *err)
{
    lv_check check = {.kind = LV_CHECK_LENGTHS,
                      .formulas = {b->holes[GRAVITY].formula, b->holes[POSITION].formula},
                      .place = lv_item_entry(b->part, "position")->place};
    check.text = lv_term_text(b->x, "[gravity] and body '%s' are of different lengths",
                              b->part->name);
    return check.text ? lv_expansion_check(b->x, check, err) : lv_fail_memory(err);
}

static lv_status expand(lv_expansion *x, const lv_item *part, lv_error *err)
{
    body b = {.x = x, .part = part, .has_pivot = lv_item_entry(part, "pivot") != NULL};
    LV_TRY(read_dimension(&b, err));
    LV_TRY(check_keys(&b, err));
    LV_TRY(lv_term_family(x, &b.family, err));
    LV_TRY(read_holes(&b, err));
    LV_TRY(b.is_planar ? declare_in_plane(&b, err) : declare_in_space(&b, err));
    LV_TRY(declare_energy(&b, err));
    LV_TRY(demand_values(&b, err));
    if (b.is_heavy)
        LV_TRY(demand_gravity(&b, err));
    LV_TRY(lv_body_draw(&b, err));
    const lv_shown shown = {
        .kind = LV_SHOWN_BODY, .family = b.family, .is_planar = b.is_planar};
    return lv_expansion_show(x, shown, err);
}

static const lv_key keys[] = {
    {"mass", LV_KEY_FORMULA, false, false, 1e-300, 1e300, "kg", NULL,
     "a formula of parameters, and of the index i in a family"},
    {"inertia", LV_KEY_VALUE, false, false, 1e-300, 1e300, "kg m^2", NULL,
     "about the centre of mass, body axes: [J1, J2, J3] or [Jxx, Jyy, Jzz, Jxy, Jxz, "
     "Jyz] with Jxy = -integral of x*y; in the plane a number"},
    {"density", LV_KEY_FORMULA, false, false, 1e-300, 1e300, "kg/m^3", NULL,
     "instead of mass and inertia, which follow from it and the shape"},
    {"shape", LV_KEY_VARIANT, false, false, 0, 0, "m", NULL,
     "{ sphere = r }, { box = [a, b, c] }, { cylinder = [r, l] }, { capsule = [r, l] } "
     "or { cone = [r, l] } with its axis along e3, centred at the centre of mass"},
    {"position", LV_KEY_VALUE, true, false, 0, 0, "m", NULL,
     "of the centre of mass at the start; three components: a body in space, two: in "
     "the plane"},
    {"rotation", LV_KEY_VECTORS, false, false, 0, 0, "rad", "none",
     "orientation at the start: a rotation vector, or a list of them, multiplied from "
     "left to right"},
    {"quaternion", LV_KEY_VALUE, false, false, 0, 0, NULL, NULL,
     "instead of rotation: [w, x, y, z], of any length but 0"},
    {"angle", LV_KEY_FORMULA, false, false, 0, 0, "rad", "0",
     "orientation at the start, in the plane"},
    {"velocity", LV_KEY_VALUE, false, false, 0, 0, "m/s", "0",
     "of the centre of mass at the start"},
    {"angular_velocity", LV_KEY_VALUE, false, false, 0, 0, "rad/s", "0",
     "at the start, in body axes; in the plane a number"},
    {"spin", LV_KEY_VALUE, false, false, 0, 0, "rad/s", NULL,
     "instead of angular_velocity: in space axes"},
    {"pivot", LV_KEY_VALUE, false, false, 0, 0, "m", NULL,
     "a point of the body, in body axes, that stays where it is: the body only turns"},
    {"count", LV_KEY_FORMULA, false, true, 0, 100000000, NULL, NULL,
     "makes a family NAME_1, NAME_2, ...; the other keys may use the index i"},
    {0},
};

const lv_part lv_part_body = {
    .section = {.name = "bodies",
                .one = "body",
                .shape = LV_SHAPE_NAMED_TABLES,
                .keys = keys,
                .doc = "Rigid bodies in space or in the plane. In formulas NAME is the "
                       "centre of mass, NAME.e1, NAME.e2, NAME.e3 the body axes in "
                       "space, NAME.omega the angular velocity in body axes, NAME.spin "
                       "in space axes; point(NAME, [x, y, z]), direction(NAME, v) and "
                       "local(NAME, v) go from body axes to space and back. In the "
                       "plane: NAME.e1, NAME.e2, NAME.angle, NAME.omega.",
                .example =
                    "[bodies.top]\nmass = 15\ninertia = [0.3, 0.46875, 0.25]\nposition = "
                    "[0, 1, 0]\nrotation = [0, 0, \"pi/6\"]\nangular_velocity = [0, 150, "
                    "-4.61538]\n[bodies.rod]\ncount = \"N\"\nmass = \"m/i\"\ninertia = "
                    "0.1\nposition = [\"i\", 0]\nangle = 0.3"},
    .words = lv_shape_words,
    .expand = expand,
};
