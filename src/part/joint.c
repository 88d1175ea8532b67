/* Joints between two bodies a and b, of which one may be the ground or a particle. Rows are made of
 *
 *     p_a - p_b                 two points that coincide,
 *     u_a . v_b                 two directions that stay perpendicular,
 *     u_a . (p_b - p_a)         an offset that stays perpendicular to a direction,
 *
 * where p, u, v are fixed in a body: at most quadratic in positions and axes. Along the axis of the
 * joint is u, and n1, n2 = u x n1 are two directions normal to it. Where points and directions are
 * given in space, they are those at the start; so angle and shift are 0 there. */
#include "part/joint.h"

#include "base/text.h"

#include <string.h>

/* What joints are made of. In the plane points have two rows, directions are angles. */
enum {
    ROWS_POINT = 1, /* p_a = p_b */
    ROWS_AXIS = 2,  /* the axes stay parallel: two rows */
    ROWS_FRAME = 4, /* nothing turns: three rows, in the plane one */
    ROWS_LINE =
        8, /* p_b stays on the line along the axis of a: two rows, in the plane one */
    ROWS_PLANE = 16, /* p_b stays in the plane normal to the axis of a */
    ROWS_CROSS = 32, /* axis of a and second axis of b stay perpendicular */
    HAS_ANGLE = 64,
    HAS_SHIFT = 128,
    NEEDS_AXIS = 256,
    IN_PLANE = 512,     /* there is such a joint in the plane */
    TAKES_POINTS = 1024 /* the second end may be a particle */
};

typedef struct joint_type {
    const char *word;
    unsigned flags;
    const char *does;
} joint_type;

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

enum { TYPES = sizeof types / sizeof *types };

enum {
    A,
    B,
    AT,
    POINT_A,
    POINT_B,
    AXIS,
    AXIS_A,
    AXIS_B,
    AXIS2,
    OWN, /* what is made of these */
    SA = OWN,
    SB,
    PA,
    PB,
    U,
    UA,
    UB,
    N1,
    N1A,
    N2A,
    N1B,
    N2B,
    U2B,
    END
};

typedef struct joint {
    lv_expansion *x;
    const lv_item *part;
    const joint_type *type;
    const lv_entry *family;
    lv_end ends[2];
    bool is_planar;
    lv_hole holes[END + 1];
} joint;

static bool has(const joint *j, const char *key)
{
    return lv_item_entry(j->part, key) != NULL;
}

/* ---- reading ------------------------------------------------------------------------------------ */

static const joint_type *find_type(const char *word)
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
    j->type = find_type(word);
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

/* Components of what a particle or a point is made of; 0: the text does not tell. */
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
    enum { AXES = 3 }; /* from here on */
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
        j->holes[k].name = " "; /* a hole that no template mentions */
    j->holes[A] = j->ends[0].hole;
    j->holes[B] = j->ends[1].hole;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        LV_TRY(lv_hole_key(j->x, &j->holes[keys[k].hole], keys[k].key, err));
    return LV_OK;
}

/* ---- points and directions ---------------------------------------------------------------------- */

static lv_status write(joint *j, int hole, const char *name, const char *template,
                       lv_error *err)
{
    return lv_hole_write(j->x, &j->holes[hole], name, template, j->holes, err);
}

/* The point of end k in its own axes: given, or found at the start from where it is in space. */
static const char *own_point(const joint *j, int k)
{
    static const char *const given[] = {"point_a", "point_b"};
    static const char *const from_space[][2] = {
        {"start(local(a, at - a))", "start(local(b, at - b))"},
        {"start(local(a, point(b, point_b) - a))",
         "start(local(b, point(a, point_a) - b))"},
        {"start(local(a, b - a))", "start(local(b, a - b))"}};
    static const char *const on_ground[][2] = {
        {"at", "at"},
        {"start(point(b, point_b))", "start(point(a, point_a))"},
        {"start(b)", "start(a)"}};
    const bool ground = j->ends[k].kind == LV_END_GROUND;
    if (has(j, given[k]))
        return given[k];
    const int how = has(j, "at") ? 0 : has(j, given[1 - k]) ? 1 : 2;
    return ground ? on_ground[how][k] : from_space[how][k];
}

static lv_status read_points(joint *j, lv_error *err)
{
    const bool has_particle =
        j->ends[0].kind == LV_END_PARTICLE || j->ends[1].kind == LV_END_PARTICLE;
    if (!has(j, "at") && !has(j, "point_a") && !has(j, "point_b") && !has_particle) {
        lv_status status =
            lv_part_refuse(j->x, "", err, "joint '%s' lacks the key 'at'", j->part->name);
        lv_error_hint(
            err, "at: where it is, in space at the start; or point_a, point_b in the "
                 "axes of the bodies");
        return status;
    }
    for (int k = 0; k < 2; k++) {
        static const char *const own[] = {"sa", "sb"}, *const here[] = {"pa", "pb"};
        static const char *const points[] = {"point(a, sa)", "point(b, sb)"};
        static const char *const particles[] = {"a", "b"};
        const bool particle = j->ends[k].kind == LV_END_PARTICLE;
        if (particle && has(j, k == 0 ? "point_a" : "point_b"))
            return lv_part_refuse(j->x, k == 0 ? "point_a" : "point_b", err,
                                  "a particle has no points but itself");
        if (!particle)
            LV_TRY(write(j, SA + k, own[k], own_point(j, k), err));
        LV_TRY(write(j, PA + k, here[k], particle ? particles[k] : points[k], err));
    }
    return LV_OK;
}

/* The axis in space at the start, of length 1. */
static const char *axis_in_space(const joint *j)
{
    return has(j, "axis")     ? "axis/norm(axis)"
           : has(j, "axis_a") ? "start(direction(a, axis_a))/norm(axis_a)"
                              : "start(direction(b, axis_b))/norm(axis_b)";
}

static lv_status read_directions(joint *j, lv_error *err)
{
    const unsigned flags = j->type->flags;
    const bool second = flags & (ROWS_AXIS | ROWS_FRAME);
    const bool frame =
        (flags & ROWS_FRAME) && !has(j, "axis") && !has(j, "axis_a") && !has(j, "axis_b");
    if (j->is_planar) {
        if (!(flags & ROWS_LINE))
            return LV_OK;
        LV_TRY(write(j, U, "u", axis_in_space(j), err));
        LV_TRY(write(j, N1, "n1", "[-u[2], u[1]]", err));
        LV_TRY(write(j, UA, "ua", "start(local(a, u))", err));
        return write(j, N1A, "n1a", "start(local(a, n1))", err);
    }
    if (!(flags & NEEDS_AXIS) && !frame)
        return LV_OK;
    LV_TRY(write(j, U, "u", frame ? "[0, 0, 1]" : axis_in_space(j), err));
    LV_TRY(write(j, N1, "n1", "normal(u)", err));
    LV_TRY(write(j, UA, "ua",
                 has(j, "axis_a") ? "axis_a/norm(axis_a)" : "start(local(a, u))", err));
    LV_TRY(write(j, N1A, "n1a", "start(local(a, n1))", err));
    LV_TRY(write(j, N2A, "n2a", "start(local(a, cross(u, n1)))", err));
    if (flags & ROWS_CROSS)
        return write(j, U2B, "vb", "start(local(b, axis2))/norm(axis2)", err);
    if (!second)
        return LV_OK;
    LV_TRY(write(j, UB, "ub",
                 has(j, "axis_b") ? "axis_b/norm(axis_b)" : "start(local(b, u))", err));
    LV_TRY(write(j, N1B, "n1b", "start(local(b, n1))", err));
    return write(j, N2B, "n2b", "start(local(b, cross(u, n1)))", err);
}

/* ---- what a joint declares ---------------------------------------------------------------------- */

enum { ROWS_MOST = 6 };

/* The templates of all rows, at most six. */
static int list_rows(const joint *j, const char *rows[ROWS_MOST])
{
    const unsigned flags = j->type->flags;
    const bool a_turns = lv_end_has_axes(&j->ends[0]),
               b_turns = lv_end_has_axes(&j->ends[1]);
    int count = 0;
    if (flags & ROWS_POINT)
        rows[count++] = "pa - pb";
    if (j->is_planar) {
        if (flags & ROWS_FRAME)
            rows[count++] = a_turns && b_turns
                                ? "b.angle - a.angle - start(b.angle - a.angle)"
                            : b_turns ? "b.angle - start(b.angle)"
                                      : "a.angle - start(a.angle)";
        if (flags & ROWS_LINE)
            rows[count++] = "dot(direction(a, n1a), pb - pa)";
        return count;
    }
    if (flags & ROWS_CROSS)
        rows[count++] = "dot(direction(a, ua), direction(b, vb))";
    if (flags & ROWS_AXIS) {
        rows[count++] = "dot(direction(a, n1a), direction(b, ub))";
        rows[count++] = "dot(direction(a, n2a), direction(b, ub))";
    }
    if (flags & ROWS_FRAME) {
        rows[count++] = "dot(direction(a, n1a), direction(b, n2b))";
        rows[count++] = "dot(direction(a, n2a), direction(b, ub))";
        rows[count++] = "dot(direction(a, ua), direction(b, n1b))";
    }
    if (flags & ROWS_LINE) {
        rows[count++] = "dot(direction(a, n1a), pb - pa)";
        rows[count++] = "dot(direction(a, n2a), pb - pa)";
    }
    if (flags & ROWS_PLANE)
        rows[count++] = "dot(direction(a, ua), pb - pa)";
    return count;
}

static lv_status declare_constraint(joint *j, lv_error *err)
{
    const char *rows[ROWS_MOST] = {NULL};
    const int count = list_rows(j, rows);
    lv_formula *formulas = lv_arena_alloc(j->x->arena, (size_t)count, sizeof *formulas);
    lv_entry *entry = lv_arena_alloc(j->x->arena, 1, sizeof *entry);
    lv_item item;
    if (!formulas || !entry)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++)
        LV_TRY(lv_term_formula(j->x, &formulas[k], rows[k], j->holes, err));
    *entry = (lv_entry){
        .place = j->part->place, .is_array = true, .count = count, .formulas = formulas};
    LV_TRY(lv_term_init(j->x, &item, LV_SECTION_CONSTRAINTS, j->family, err));
    lv_term_set(&item, "holonomic", entry);
    return lv_expansion_add(j->x, item, err);
}

static lv_status define(joint *j, const char *member, const char *template, lv_error *err)
{
    return lv_term_define(j->x, member, j->family, template, j->holes, err);
}

/* The angle by which b has turned against a, and its rate. */
static lv_status define_angle(joint *j, lv_error *err)
{
    const bool a_turns = lv_end_has_axes(&j->ends[0]),
               b_turns = lv_end_has_axes(&j->ends[1]);
    if (j->is_planar) {
        LV_TRY(define(j, "rate",
                      a_turns && b_turns ? "b.omega - a.omega"
                      : b_turns          ? "b.omega"
                                         : "-a.omega",
                      err));
        return define(j, "angle",
                      a_turns && b_turns ? "b.angle - a.angle - start(b.angle - a.angle)"
                      : b_turns          ? "b.angle - start(b.angle)"
                                         : "start(a.angle) - a.angle",
                      err);
    }
    LV_TRY(define(j, "cos", "dot(direction(a, n1a), direction(b, n1b))", err));
    LV_TRY(define(j, "sin", "dot(direction(a, n2a), direction(b, n1b))", err));
    LV_TRY(define(j, "rate",
                  a_turns && b_turns ? "dot(direction(a, ua), b.spin - a.spin)"
                  : b_turns          ? "dot(ua, b.spin)"
                                     : "-dot(direction(a, ua), a.spin)",
                  err));
    return define(
        j, "angle",
        "winding(dot(direction(a, n1a), direction(b, n1b)), dot(direction(a, n2a), "
        "direction(b, n1b)))",
        err);
}

/* How far b has slid along the axis of a. With both points given, the distance from one to the other. */
static lv_status define_shift(joint *j, lv_error *err)
{
    const bool both = has(j, "point_a") && has(j, "point_b");
    return define(
        j, "shift",
        both ? "dot(direction(a, ua), pb - pa)"
             : "dot(direction(a, ua), pb - pa) - start(dot(direction(a, ua), pb - pa))",
        err);
}

static lv_status declare_amounts(joint *j, lv_error *err)
{
    if (j->family && j->family->count > 1)
        return LV_OK; /* members of definitions have one index */
    if (j->type->flags & (HAS_ANGLE | HAS_SHIFT) && j->holes[UA].formula.root)
        LV_TRY(define(j, "axis", "direction(a, ua)", err));
    if (j->type->flags & HAS_ANGLE)
        LV_TRY(define_angle(j, err));
    return j->type->flags & HAS_SHIFT ? define_shift(j, err) : LV_OK;
}

/* ---- demands ------------------------------------------------------------------------------------ */

static lv_status demand_positive(joint *j, const char *key, const char *template,
                                 const char *text, const char *hint, lv_error *err)
{
    lv_check check = {.kind = LV_CHECK_POSITIVE,
                      .family = j->family,
                      .place = lv_item_entry(j->part, key)->place,
                      .hint = hint};
    check.text = lv_term_text(j->x, "joint '%s': %s", j->part->name, text);
    if (!check.text)
        return lv_fail_memory(err);
    LV_TRY(lv_term_formula(j->x, &check.formulas[0], template, j->holes, err));
    return lv_expansion_check(j->x, check, err);
}

static lv_status demand_axes(joint *j, lv_error *err)
{
    static const char *const axes[][2] = {{"axis", "start(norm2(axis))"},
                                          {"axis_a", "start(norm2(axis_a))"},
                                          {"axis_b", "start(norm2(axis_b))"},
                                          {"axis2", "start(norm2(axis2))"}};
    for (size_t k = 0; k < sizeof axes / sizeof *axes; k++)
        if (has(j, axes[k][0]))
            LV_TRY(demand_positive(j, axes[k][0], axes[k][1],
                                   "an axis is zero and has no direction", NULL, err));
    if (has(j, "axis2") && (has(j, "axis") || has(j, "axis_a")))
        LV_TRY(demand_positive(j, "axis2", "start(1e-6 - abs(dot(u, axis2/norm(axis2))))",
                               "its two axes are not perpendicular at the start", NULL,
                               err));
    if (!has(j, "axis_a") || !has(j, "axis_b") || (j->type->flags & ROWS_CROSS))
        return LV_OK;
    return demand_positive(j, "axis_b",
                           "start(dot(direction(a, axis_a), direction(b, axis_b)))",
                           "its two axes do not point the same way at the start",
                           "turn one of them round, or a body", err);
}

/* ---- expansion ---------------------------------------------------------------------------------- */

/* Rows of list_rows that are sines of angles. */
static int angle_rows(const joint *j)
{
    const unsigned flags = j->type->flags;
    if (j->is_planar)
        return flags & ROWS_FRAME ? 1 : 0;
    return (flags & ROWS_CROSS ? 1 : 0) + (flags & ROWS_AXIS ? 2 : 0) +
           (flags & ROWS_FRAME ? 3 : 0);
}

static lv_status show(joint *j, lv_error *err)
{
    const bool opposite = j->ends[1].kind == LV_END_GROUND;
    const lv_end *on = &j->ends[opposite ? 0 : 1];
    const lv_shown shown = {
        .kind = LV_SHOWN_JOINT,
        .family = j->family,
        .is_planar = j->is_planar,
        .reaction = {.constraints = {j->part->name},
                     .on = on->hole.formula,
                     .turns = lv_end_has_axes(on),
                     .is_opposite = opposite,
                     .point = j->holes[opposite ? PA : PB].formula},
        .amount = j->type->flags & HAS_ANGLE   ? "angle"
                  : j->type->flags & HAS_SHIFT ? "shift"
                                               : NULL,
        .point_rows = !(j->type->flags & ROWS_POINT) ? 0
                      : j->is_planar                 ? 2
                                                     : 3,
        .angle_rows = angle_rows(j),
    };
    return lv_expansion_show(j->x, shown, err);
}

static lv_status expand(lv_expansion *x, const lv_item *part, lv_error *err)
{
    joint j = {.x = x, .part = part, .family = lv_item_entry(part, "for")};
    LV_TRY(read_type(&j, err));
    LV_TRY(read_ends(&j, err));
    LV_TRY(check_keys(&j, err));
    LV_TRY(check_lengths(&j, err));
    LV_TRY(read_keys(&j, err));
    LV_TRY(read_points(&j, err));
    LV_TRY(read_directions(&j, err));
    LV_TRY(declare_constraint(&j, err));
    LV_TRY(declare_amounts(&j, err));
    LV_TRY(demand_axes(&j, err));
    return show(&j, err);
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
    const joint_type *type = find_type(lv_item_entry(link->item, "type")->text);
    for (int k = 0; k < 2; k++)
        LV_TRY(lv_end_read(x, &link->ends[k], k == 0 ? "a" : "b", &between->formulas[k],
                           "an end of a joint is", err));
    link->has_angle = type && (type->flags & HAS_ANGLE);
    link->has_shift = type && (type->flags & HAS_SHIFT);
    link->is_planar =
        link->ends[0].kind == LV_END_PLANAR || link->ends[1].kind == LV_END_PLANAR;
    return LV_OK;
}

static const lv_key keys[] = {
    {"type", LV_KEY_TEXT, true, false, 0, 0, NULL, NULL,
     "spherical, revolute, universal, cylindrical, prismatic, planar, fixed, "
     "point_on_line or "
     "point_on_plane; in the plane revolute, prismatic, fixed or point_on_line"},
    {"between", LV_KEY_ENDS, true, false, 0, 0, NULL, NULL,
     "two names: bodies, particles (spherical, point_on_line, point_on_plane), or "
     "\"ground\""},
    {"at", LV_KEY_VALUE, false, false, 0, 0, "m", NULL,
     "where it is, in space at the start"},
    {"point_a", LV_KEY_VALUE, false, false, 0, 0, "m", "follows from the start",
     "instead of at: where it is in the first, in its body axes"},
    {"point_b", LV_KEY_VALUE, false, false, 0, 0, "m", "follows from the start",
     "where it is in the second, in its body axes"},
    {"axis", LV_KEY_VALUE, false, false, 0, 0, NULL, NULL,
     "of any length, in space at the start; of prismatic, point_on_line and "
     "point_on_plane it is "
     "fixed in the first"},
    {"axis_a", LV_KEY_VALUE, false, false, 0, 0, NULL, "follows from the start",
     "instead of axis: in body axes of the first"},
    {"axis_b", LV_KEY_VALUE, false, false, 0, 0, NULL, "follows from the start",
     "in body axes of the second"},
    {"axis2", LV_KEY_VALUE, false, false, 0, 0, NULL, NULL,
     "second axis of a universal joint, fixed in the second body, in space at the start"},
    {"for", LV_KEY_RANGES, false, false, 0, 0, NULL, NULL,
     "makes a family: one joint for every value of the index, e.g. \"i = 2..N\""},
    {0},
};

const lv_part lv_part_joint = {
    .section =
        {.name = "joints",
         .one = "joint",
         .shape = LV_SHAPE_NAMED_TABLES,
         .keys = keys,
         .doc =
             "Joints between bodies, the ground and particles. In formulas NAME.angle "
             "and "
             "NAME.rate are the angle of a revolute or cylindrical joint, which counts "
             "turns, and its rate, NAME.shift the shift of a prismatic or cylindrical "
             "one; both are 0 at the start. Results have the force and the torque with "
             "which the first acts on the second.",
         .example =
             "[joints.hinge]\ntype = \"revolute\"\nbetween = [\"ground\", \"top\"]\nat = "
             "[0, 0, 0]\naxis = [0, 1, 0]\n[joints.link]\nfor = \"i = 2..N\"\ntype = "
             "\"spherical\"\nbetween = [\"rod_{i-1}\", \"rod_i\"]\nat = [\"i\", 0, 0]"},
    .expand = expand,
};
