/* Reads the keys of joints and checks that they fit together. */
#include "part/joint_private.h"

#include "base/text.h"

#include <string.h>

static const joint_type types[] = {
    {"spherical", ROWS_POINT | TAKES_POINTS, "two points coincide"},
    {"revolute", ROWS_POINT | ROWS_AXIS | HAS_ANGLE | NEEDS_AXIS | IN_PLANE,
     "turns about an axis"},
    {"universal", ROWS_POINT | ROWS_CROSS | NEEDS_AXIS, "turns about two axes"},
    {"cylindrical", ROWS_AXIS | ROWS_LINE | HAS_ANGLE | HAS_SHIFT | NEEDS_AXIS,
     "turns about an axis and slides along it"},
    {"prismatic", ROWS_FRAME | ROWS_LINE | HAS_SHIFT | NEEDS_AXIS | IN_PLANE,
     "slides along an axis"},
    {"planar", ROWS_AXIS | ROWS_PLANE | NEEDS_AXIS,
     "slides on a plane, turns about its normal"},
    {"fixed", ROWS_POINT | ROWS_FRAME | IN_PLANE, "nothing moves"},
    {"point_on_line", ROWS_LINE | NEEDS_AXIS | IN_PLANE | TAKES_POINTS,
     "a point slides on a line"},
    {"point_on_plane", ROWS_PLANE | NEEDS_AXIS | TAKES_POINTS,
     "a point slides on a plane"},
};

#define TYPE(name, doc)                                                                  \
    {                                                                                    \
        "type", name, doc                                                                \
    }

const lv_word lv_joint_words[] = {
    TYPE("spherical",
         "Two points coincide: 3 constraints. The second end may be a particle."),
    TYPE("revolute",
         "Turns about an axis, NAME.angle at the rate NAME.rate: 5 constraints, in the "
         "plane 2. Motors and springs act on it."),
    TYPE("universal",
         "Turns about two axes, axis in the first and axis2 in the second, which stay "
         "perpendicular: 4 constraints."),
    TYPE("cylindrical",
         "Turns about an axis, NAME.angle, and slides along it, NAME.shift: 4 "
         "constraints. Motors act on it."),
    TYPE("prismatic",
         "Slides along an axis that is fixed in the first, NAME.shift: 5 constraints, "
         "in the plane 2. Motors and springs act on it."),
    TYPE("planar",
         "Slides on a plane and turns about its normal, the axis: 3 constraints."),
    TYPE("fixed", "Nothing moves: 6 constraints, in the plane 3."),
    TYPE("point_on_line",
         "A point of the second slides on a line along the axis in the first: 2 "
         "constraints, in the plane 1. The second end may be a particle."),
    TYPE("point_on_plane",
         "A point of the second slides on a plane normal to the axis in the "
         "first: 1 constraint. The second end may be a particle."),
    {0}};

enum { TYPES = sizeof types / sizeof *types };

/* ---- reading ------------------------------------------------------------------------------------ */

const joint_type *lv_joint_type_find(const char *word)
{
    for (int k = 0; k < TYPES; k++)
        if (strcmp(types[k].word, word) == 0)
            return &types[k];
    return NULL;
}

static lv_status read_type(joint *j, lv_error *err)
{
    const char *word = lv_item_entry(j->part, "type")->text;
    lv_nearest nearest;
    j->type = lv_joint_type_find(word);
    if (j->type)
        return LV_OK;
    lv_nearest_start(&nearest, word);
    for (int k = 0; k < TYPES; k++)
        lv_nearest_offer(&nearest, types[k].word);
    lv_status status =
        lv_part_refuse(j->x, "type", err, "there is no joint of type '%s'", word);
    const char *best = lv_nearest_result(&nearest);
    if (best)
        lv_error_hint(err, "did you mean '%s'?", best);
    else
        lv_error_hint(err,
                      "types are spherical, revolute, universal, cylindrical, prismatic, "
                      "planar, fixed, point_on_line and point_on_plane");
    return status;
}

static bool same_name(const lv_syntax *a, const lv_syntax *b)
{
    return a->count == 0 && b->count == 0 && strcmp(a->name, b->name) == 0;
}

/* The number of components of a particle or point of the joint; 0: the text does not
 * determine it. */
static int dimension(const joint *j)
{
    static const char *const keys[] = {"at", "axis", "point_a", "point_b", "axis_a"};
    for (int k = 0; k < 2; k++) {
        const lv_end *end = &j->ends[k];
        int length = lv_end_has_axes(end) ? lv_end_dimension(end) : 0;
        if (length == 0 && end->kind == LV_END_PARTICLE)
            length = lv_entry_length(j->x, lv_item_entry(end->item, "position"));
        if (length > 0)
            return length;
    }
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (has(j, keys[k]))
            return lv_entry_length(j->x, lv_item_entry(j->part, keys[k]));
    return 0;
}

static lv_status check_ends(const joint *j, lv_error *err)
{
    const lv_end *a = &j->ends[0], *b = &j->ends[1];
    if (a->kind == LV_END_GROUND && b->kind == LV_END_GROUND)
        return lv_part_refuse(j->x, "between", err,
                              "joint '%s' joins the ground to itself", j->part->name);
    if (same_name(a->hole.formula.root, b->hole.formula.root))
        return lv_part_refuse(j->x, "between", err, "joint '%s' joins '%s' to itself",
                              j->part->name, a->hole.formula.root->name);
    if (lv_end_has_axes(a) && lv_end_has_axes(b) && a->kind != b->kind)
        return lv_part_refuse(j->x, "between", err,
                              "joint '%s' joins a body in space to one in the plane",
                              j->part->name);
    for (int k = 0; k < 2; k++) {
        if (j->ends[k].kind != LV_END_PARTICLE ||
            ((j->type->flags & TAKES_POINTS) &&
             (k == 1 || (j->type->flags & ROWS_POINT))))
            continue;
        const lv_formula *name = &j->ends[k].hole.formula;
        lv_status status =
            lv_formula_fail(err, LV_ERR_MODEL, name->snippet, name->root,
                            "'%s' is a particle: it has no axes for a %s joint",
                            name->root->name, j->type->word);
        lv_error_hint(err, "particles take spherical joints, and may be the second of "
                           "point_on_line and point_on_plane");
        return status;
    }
    return LV_OK;
}

static lv_status read_ends(joint *j, lv_error *err)
{
    const lv_entry *between = lv_item_entry(j->part, "between");
    static const char *const names[] = {"a", "b"};
    for (int k = 0; k < 2; k++)
        LV_TRY(lv_end_read(j->x, &j->ends[k], names[k], &between->formulas[k],
                           "an end of a joint is", err));
    LV_TRY(check_ends(j, err));
    j->is_planar = dimension(j) == 2;
    if (!j->is_planar || (j->type->flags & IN_PLANE))
        return LV_OK;
    lv_status status = lv_part_refuse(j->x, "type", err,
                                      "there is no %s joint in the plane", j->type->word);
    lv_error_hint(err,
                  "in the plane joints are revolute, prismatic, fixed and point_on_line");
    return status;
}

static lv_status refuse_both(const joint *j, const char *key, const char *other,
                             lv_error *err)
{
    if (!has(j, key) || !has(j, other))
        return LV_OK;
    return lv_part_refuse(j->x, other, err, "'%s' and '%s' say the same; give one", key,
                          other);
}

static lv_status check_keys(const joint *j, lv_error *err)
{
    const bool turns_in_plane = j->is_planar && !(j->type->flags & ROWS_LINE);
    const bool needs_axis = (j->type->flags & NEEDS_AXIS) && !turns_in_plane;
    const bool has_axis = has(j, "axis") || has(j, "axis_a") || has(j, "axis_b");
    LV_TRY(refuse_both(j, "at", "point_a", err));
    LV_TRY(refuse_both(j, "at", "point_b", err));
    LV_TRY(refuse_both(j, "axis", "axis_a", err));
    LV_TRY(refuse_both(j, "axis", "axis_b", err));
    if (needs_axis && !has_axis) {
        lv_status status = lv_part_refuse(
            j->x, "type", err, "joint '%s' lacks the key 'axis'", j->part->name);
        lv_error_hint(err,
                      "a %s joint %s: axis = [0, 0, 1] in space at the start, or axis_a, "
                      "axis_b in the axes of a body",
                      j->type->word, j->type->does);
        return status;
    }
    if (!needs_axis && has_axis)
        return lv_part_refuse(j->x,
                              has(j, "axis")     ? "axis"
                              : has(j, "axis_a") ? "axis_a"
                                                 : "axis_b",
                              err, "a %s joint%s has no axis", j->type->word,
                              j->is_planar ? " in the plane" : "");
    if ((j->type->flags & ROWS_CROSS) && !has(j, "axis2"))
        return lv_part_refuse(
            j->x, "type", err,
            "joint '%s' lacks the key 'axis2': a universal joint turns about "
            "'axis', fixed in the first body, and 'axis2', fixed in the second",
            j->part->name);
    if (!(j->type->flags & ROWS_CROSS) && has(j, "axis2"))
        return lv_part_refuse(j->x, "axis2", err,
                              "only universal joints have a second axis");
    return LV_OK;
}

static lv_status check_lengths(const joint *j, lv_error *err)
{
    static const char *const keys[] = {"at",     "point_a", "point_b", "axis",
                                       "axis_a", "axis_b",  "axis2"};
    enum { AXES = 3 }; /* index of the first axis in `keys` */
    const int want = j->is_planar ? 2 : 3;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        LV_TRY(lv_want_length(j->x, keys[k], want, err));
    for (size_t k = AXES; k < sizeof keys / sizeof *keys; k++)
        LV_TRY(lv_want_direction(j->x, keys[k], err));
    return LV_OK;
}

static lv_status read_keys(joint *j, lv_error *err)
{
    static const struct {
        int hole;
        const char *key;
    } keys[] = {{AT, "at"},      {POINT_A, "point_a"}, {POINT_B, "point_b"},
                {AXIS, "axis"},  {AXIS_A, "axis_a"},   {AXIS_B, "axis_b"},
                {AXIS2, "axis2"}};
    for (int k = 0; k < END; k++)
        j->holes[k].name = " "; /* no template uses this name */
    j->holes[A] = j->ends[0].hole;
    j->holes[B] = j->ends[1].hole;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        LV_TRY(lv_hole_key(j->x, &j->holes[keys[k].hole], keys[k].key, err));
    return LV_OK;
}

lv_status lv_joint_read(joint *j, lv_error *err)
{
    LV_TRY(read_type(j, err));
    LV_TRY(read_ends(j, err));
    LV_TRY(check_keys(j, err));
    LV_TRY(check_lengths(j, err));
    return read_keys(j, err);
}

/* ---- links -------------------------------------------------------------------------------------- */

static lv_status unknown_joint(const lv_expansion *x, const lv_formula *name,
                               lv_error *err)
{
    const bool is_name = name->root->kind == LV_SYNTAX_NAME;
    lv_nearest nearest;
    lv_nearest_start(&nearest, is_name ? name->root->name : "");
    for (int k = 0; k < x->given->items.count; k++)
        if (strcmp(lv_section_at(x->given->items.data[k].section)->name, "joints") == 0)
            lv_nearest_offer(&nearest, x->given->items.data[k].name);
    lv_status status =
        lv_formula_fail(err, LV_ERR_MODEL, name->snippet, name->root,
                        "there is no joint '%s'", is_name ? name->root->name : "");
    const char *best = lv_nearest_result(&nearest);
    if (best)
        lv_error_hint(err, "did you mean '%s'?", best);
    else
        lv_error_hint(err, "joints are declared in [joints.NAME]");
    return status;
}

lv_status lv_joint_link_read(lv_expansion *x, lv_joint_link *link, lv_error *err)
{
    const lv_entry *entry = lv_item_entry(x->part, "joint");
    const lv_formula *name = &entry->formulas[0];
    *link = (lv_joint_link){.hole = {.name = "h", .formula = *name, .is_name = true}};
    link->item = name->root->kind == LV_SYNTAX_NAME
                     ? lv_part_named(x, "joints", "for", name->root)
                     : NULL;
    if (!link->item)
        return unknown_joint(x, name, err);
    LV_TRY(lv_want_member(link->item, "for", name, err));
    const lv_entry *between = lv_item_entry(link->item, "between");
    const joint_type *type = lv_joint_type_find(lv_item_entry(link->item, "type")->text);
    for (int k = 0; k < 2; k++)
        LV_TRY(lv_end_read(x, &link->ends[k], k == 0 ? "a" : "b", &between->formulas[k],
                           "an end of a joint is", err));
    link->has_angle = type && (type->flags & HAS_ANGLE);
    link->has_shift = type && (type->flags & HAS_SHIFT);
    link->is_planar =
        link->ends[0].kind == LV_END_PLANAR || link->ends[1].kind == LV_END_PLANAR;
    return LV_OK;
}
