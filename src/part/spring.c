/* A spring between two ends a and b, with r = b - a:
 *
 *     linear      V = k/2 (|r| - L)^2
 *     quadratic   V = k/2 (|r|^2 - L^2)^2,
 *
 * and a damper parallel to it, given by its dissipation function
 *
 *     R = c/2 (d|r|/dt)^2.
 *
 * Its force is -c d|r|/dt along the spring on b and the opposite on a, so that the energy
 * decreases by c (d|r|/dt)^2 in unit time; momentum and angular momentum do not change.
 *
 * Both potentials depend on the ends through the invariant |r|^2 only. The quadratic one
 * is a polynomial of it: Kinon, Betsch, Schneider (2023), equation (116), with L = 1. */
#include "part/draw_ends.h"
#include "part/joint.h"

#include <string.h>

enum { A, B, STIFFNESS, LENGTH, DAMPING, END };

/* Whether a key is absent or the number 0. */
static bool is_zero(const lv_expansion *x, const char *key)
{
    const lv_entry *entry = lv_item_entry(x->part, key);
    if (!entry)
        return true;
    const lv_syntax *root = entry->formulas[0].root;
    return root->kind == LV_SYNTAX_NUMBER && root->number == 0;
}

static lv_status read_form(const lv_expansion *x, bool *is_quadratic, lv_error *err)
{
    const lv_entry *form = lv_item_entry(x->part, "form");
    *is_quadratic = form && strcmp(form->text, "quadratic") == 0;
    if (!form || *is_quadratic || strcmp(form->text, "linear") == 0)
        return LV_OK;
    return lv_fail_at(err, LV_ERR_MODEL, LV_AT(form->place),
                      "'form' is \"linear\" or \"quadratic\", not \"%s\"", form->text);
}

static lv_status read_holes(lv_expansion *x, lv_hole holes[END + 1], lv_error *err)
{
    LV_TRY(lv_ends_read(x, &holes[A], &holes[B], err));
    LV_TRY(lv_hole_key(x, &holes[STIFFNESS], "stiffness", err));
    LV_TRY(lv_hole_key(x, &holes[LENGTH], "length", err));
    return lv_hole_key(x, &holes[DAMPING], "damping", err);
}

/* The template of the potential. Without a natural length it needs no square root, so the
 * ends may coincide. */
static const char *potential(bool is_quadratic, bool has_length)
{
    if (is_quadratic)
        return has_length ? "stiffness/2*(norm2(b - a) - length^2)^2"
                          : "stiffness/2*norm2(b - a)^2";
    return has_length ? "stiffness/2*(norm(b - a) - length)^2"
                      : "stiffness/2*norm2(b - a)";
}

/* A spring and damper on the angle or the shift of a joint:
 *
 *     V = k/2 (angle - L)^2,   R = c/2 angle'^2. */
static lv_status expand_on_joint(lv_expansion *x, const lv_item *part, lv_error *err)
{
    lv_hole holes[END + 1] = {{0}};
    const lv_entry *family = lv_item_entry(part, "for");
    lv_joint_link link;
    lv_item energy, force;
    LV_TRY(lv_joint_link_read(x, &link, err));
    if (link.has_angle == link.has_shift) {
        lv_status status = lv_part_refuse(
            x, "joint", err, "joint '%s' is %s: it has %s", link.item->name,
            lv_item_entry(link.item, "type")->text,
            link.has_angle ? "an angle and a shift" : "neither an angle nor a shift");
        lv_error_hint(err,
                      link.has_angle ? "write the energy as a formula: potential = "
                                       "\"k/2*%s.angle^2\""
                                     : "springs act on revolute and prismatic joints, "
                                       "or between two points%.0s",
                      link.item->name);
        return status;
    }
    if (lv_item_entry(part, "form"))
        return lv_part_refuse(x, "form", err, "a spring on a joint has no 'form'");
    holes[A] = link.hole;
    holes[B].name = " "; /* not used */
    LV_TRY(lv_hole_key(x, &holes[STIFFNESS], "stiffness", err));
    LV_TRY(lv_hole_key(x, &holes[LENGTH], "length", err));
    LV_TRY(lv_hole_key(x, &holes[DAMPING], "damping", err));
    LV_TRY(lv_term_init(x, &energy, LV_SECTION_ENERGY, family, err));
    const char *amount = link.has_angle ? "h.angle" : "h.shift";
    const char *potential =
        lv_term_text(x,
                     lv_item_entry(part, "length") ? "stiffness/2*(%s - length)^2"
                                                   : "stiffness/2*%s^2",
                     amount);
    if (!potential)
        return lv_fail_memory(err);
    LV_TRY(lv_term_write(x, &energy, "potential", potential, holes, err));
    LV_TRY(lv_expansion_add(x, energy, err));
    if (!is_zero(x, "damping")) {
        LV_TRY(lv_term_init(x, &force, LV_SECTION_FORCES, family, err));
        LV_TRY(lv_term_write(x, &force, "dissipation",
                             link.has_angle ? "damping/2*h.rate^2"
                                            : "damping/2*(h.shift')^2",
                             holes, err));
        LV_TRY(lv_expansion_add(x, force, err));
    }
    LV_TRY(lv_demand_range(x, "stiffness", family, err));
    return lv_demand_range(x, "damping", family, err);
}

/* Fails unless a spring has either two ends or a joint. */
static lv_status check_ends(const lv_expansion *x, lv_error *err)
{
    const bool ends = lv_item_entry(x->part, "between"),
               joint = lv_item_entry(x->part, "joint");
    if (ends != joint)
        return LV_OK;
    lv_status status =
        lv_part_refuse(x, "joint", err,
                       ends ? "spring '%s' has both 'between' and 'joint'; give one"
                            : "spring '%s' lacks the key 'between'",
                       x->part->name);
    if (!ends)
        lv_error_hint(
            err,
            "between: its ends, names of particles or bodies, or points; or joint: on "
            "whose angle or shift it acts");
    return status;
}

static lv_status expand(lv_expansion *x, const lv_item *part, lv_error *err)
{
    LV_TRY(check_ends(x, err));
    if (lv_item_entry(part, "joint"))
        return expand_on_joint(x, part, err);
    lv_hole holes[END + 1] = {{0}};
    const lv_entry *family = lv_item_entry(part, "for");
    bool is_quadratic = false, has_length = !is_zero(x, "length");
    bool is_damped = !is_zero(x, "damping");
    lv_item energy, force;
    LV_TRY(read_form(x, &is_quadratic, err));
    LV_TRY(read_holes(x, holes, err));
    LV_TRY(lv_term_init(x, &energy, LV_SECTION_ENERGY, family, err));
    LV_TRY(lv_term_write(x, &energy, "potential", potential(is_quadratic, has_length),
                         holes, err));
    LV_TRY(lv_expansion_add(x, energy, err));
    if (is_damped) {
        LV_TRY(lv_term_init(x, &force, LV_SECTION_FORCES, family, err));
        LV_TRY(lv_term_write(x, &force, "dissipation", "damping/2*(norm(b - a)')^2",
                             holes, err));
        LV_TRY(lv_expansion_add(x, force, err));
    }

    LV_TRY(lv_draw_ends(x, "spring", family, holes, err));
    LV_TRY(lv_demand_range(x, "stiffness", family, err));
    LV_TRY(lv_demand_range(x, "length", family, err));
    LV_TRY(lv_demand_range(x, "damping", family, err));
    if (!is_damped && (is_quadratic || !has_length))
        return LV_OK;
    return lv_ends_apart(x, holes,
                         is_damped ? "the damping force would have no direction"
                                   : "its force would have no direction; length = 0 or "
                                     "form = \"quadratic\" allow it",
                         err);
}

static const lv_key keys[] = {
    {"for", LV_KEY_RANGES, false, false, 0, 0, NULL, NULL,
     "makes a family: one spring for every value of the index, e.g. \"i = 2..N\""},
    {"between", LV_KEY_ENDS, false, false, 0, 0, NULL, NULL,
     "its ends: names of bodies, particles or coordinates, points as formulas or arrays"},
    {"joint", LV_KEY_NAMES, false, false, 0, 0, NULL, NULL,
     "instead of between: the joint on whose angle or shift it acts"},
    {"stiffness", LV_KEY_FORMULA, true, false, 0, 1e300,
     "N/m, quadratic N/m^3, angle N m/rad", NULL, "k in the potential k/2*(r - L)^2"},
    {"length", LV_KEY_FORMULA, false, false, 0, 1e300, "m, angle rad", "0",
     "natural length L, at which there is no force; of a joint, angle or shift of rest, "
     "of "
     "either sign"},
    {"damping", LV_KEY_FORMULA, false, false, 0, 1e300, "N s/m", "0",
     "c of the damping force -c*r' along the spring, whatever its form"},
    {"form", LV_KEY_TEXT, false, false, 0, 0, NULL, "linear",
     "\"linear\", or \"quadratic\" for the potential k/2*(r^2 - L^2)^2"},
    {0},
};

static const lv_word words[] = {
    {"form", "linear", "The potential k/2*(r - L)^2: the force grows with the length."},
    {"form", "quadratic",
     "The potential k/2*(r^2 - L^2)^2, a polynomial of the coordinates."},
    {0}};

const lv_part lv_part_spring = {
    .section = {.name = "springs",
                .one = "spring",
                .shape = LV_SHAPE_TABLES,
                .keys = keys,
                .doc =
                    "Springs and dampers between two ends, r apart, with the potential "
                    "k/2*(r - L)^2.",
                .example =
                    "[springs.hanger]\nbetween = [[0, 0, 1], \"ball\"]\nstiffness = "
                    "\"k\"\nlength = 0.5\ndamping = 0.1\n[springs.links]\nfor = "
                    "\"i = 2..N\"\nbetween = [\"bead_{i-1}\", \"bead_i\"]\n"
                    "stiffness = 50\nform = \"quadratic\""},
    .words = words,
    .expand = expand,
};
