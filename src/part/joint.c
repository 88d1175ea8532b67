/* Joints between two bodies a and b, of which one may be the ground or a particle. Their
 * rows are
 *
 *     p_a - p_b                 two points that coincide,
 *     u_a . v_b                 two directions that stay perpendicular,
 *     u_a . (p_b - p_a)         an offset that stays perpendicular to a direction,
 *
 * where p, u, v are fixed in a body: at most quadratic in positions and axes. u is along
 * the axis of the joint, and n1, n2 = u x n1 are two directions normal to it. Points and
 * directions given in space are those at the start, so angle and shift are 0 there. */
#include "part/draw.h"
#include "part/joint_private.h"

/* ---- points and directions ---------------------------------------------------------------------- */

static lv_status write_hole(joint *j, int hole, const char *name, const char *template,
                            lv_error *err)
{
    return lv_hole_write(j->x, &j->holes[hole], name, template, j->holes, err);
}

/* The template of the point of end k in its own axes: as given, or computed from its
 * position in space at the start. */
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
            LV_TRY(write_hole(j, SA + k, own[k], own_point(j, k), err));
        LV_TRY(write_hole(j, PA + k, here[k], particle ? particles[k] : points[k], err));
    }
    return LV_OK;
}

/* The template of the axis in space at the start, of length 1. */
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
        LV_TRY(write_hole(j, U, "u", axis_in_space(j), err));
        LV_TRY(write_hole(j, N1, "n1", "[-u[2], u[1]]", err));
        LV_TRY(write_hole(j, UA, "ua", "start(local(a, u))", err));
        return write_hole(j, N1A, "n1a", "start(local(a, n1))", err);
    }
    if (!(flags & NEEDS_AXIS) && !frame)
        return LV_OK;
    LV_TRY(write_hole(j, U, "u", frame ? "[0, 0, 1]" : axis_in_space(j), err));
    LV_TRY(write_hole(j, N1, "n1", "normal(u)", err));
    LV_TRY(write_hole(j, UA, "ua",
                      has(j, "axis_a") ? "axis_a/norm(axis_a)" : "start(local(a, u))",
                      err));
    LV_TRY(write_hole(j, N1A, "n1a", "start(local(a, n1))", err));
    LV_TRY(write_hole(j, N2A, "n2a", "start(local(a, cross(u, n1)))", err));
    if (flags & ROWS_CROSS)
        return write_hole(j, U2B, "vb", "start(local(b, axis2))/norm(axis2)", err);
    if (!second)
        return LV_OK;
    LV_TRY(write_hole(j, UB, "ub",
                      has(j, "axis_b") ? "axis_b/norm(axis_b)" : "start(local(b, u))",
                      err));
    LV_TRY(write_hole(j, N1B, "n1b", "start(local(b, n1))", err));
    return write_hole(j, N2B, "n2b", "start(local(b, cross(u, n1)))", err);
}

/* ---- declarations ------------------------------------------------------------------ */

enum { ROWS_MOST = 6 };

/* Lists the templates of all rows, at most six. */
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

static lv_status define_member(joint *j, const char *member, const char *template,
                               lv_error *err)
{
    return lv_term_define(j->x, member, j->family, template, j->holes, err);
}

/* Defines the angle by which b is rotated relative to a, and its rate. */
static lv_status define_angle(joint *j, lv_error *err)
{
    const bool a_turns = lv_end_has_axes(&j->ends[0]),
               b_turns = lv_end_has_axes(&j->ends[1]);
    if (j->is_planar) {
        LV_TRY(define_member(j, "rate",
                             a_turns && b_turns ? "b.omega - a.omega"
                             : b_turns          ? "b.omega"
                                                : "-a.omega",
                             err));
        return define_member(j, "angle",
                             a_turns && b_turns
                                 ? "b.angle - a.angle - start(b.angle - a.angle)"
                             : b_turns ? "b.angle - start(b.angle)"
                                       : "start(a.angle) - a.angle",
                             err);
    }
    LV_TRY(define_member(j, "cos", "dot(direction(a, n1a), direction(b, n1b))", err));
    LV_TRY(define_member(j, "sin", "dot(direction(a, n2a), direction(b, n1b))", err));
    LV_TRY(define_member(j, "rate",
                         a_turns && b_turns ? "dot(direction(a, ua), b.spin - a.spin)"
                         : b_turns          ? "dot(ua, b.spin)"
                                            : "-dot(direction(a, ua), a.spin)",
                         err));
    return define_member(
        j, "angle",
        "winding(dot(direction(a, n1a), direction(b, n1b)), dot(direction(a, n2a), "
        "direction(b, n1b)))",
        err);
}

/* Defines the shift of b along the axis of a. If both points are given, this is the
 * distance from one to the other along the axis. */
static lv_status define_shift(joint *j, lv_error *err)
{
    const bool both = has(j, "point_a") && has(j, "point_b");
    return define_member(
        j, "shift",
        both ? "dot(direction(a, ua), pb - pa)"
             : "dot(direction(a, ua), pb - pa) - start(dot(direction(a, ua), pb - pa))",
        err);
}

static lv_status declare_amounts(joint *j, lv_error *err)
{
    if (j->family && j->family->count > 1)
        return LV_OK; /* members of definitions have one index only */
    if (j->type->flags & (HAS_ANGLE | HAS_SHIFT) && j->holes[UA].formula.root)
        LV_TRY(define_member(j, "axis", "direction(a, ua)", err));
    if (j->type->flags & HAS_ANGLE)
        LV_TRY(define_angle(j, err));
    return j->type->flags & HAS_SHIFT ? define_shift(j, err) : LV_OK;
}

/* ---- checks of values -------------------------------------------------------------- */

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

/* The number of rows of list_rows that are sines of angles. */
static int angle_rows(const joint *j)
{
    const unsigned flags = j->type->flags;
    if (j->is_planar)
        return flags & ROWS_FRAME ? 1 : 0;
    return (flags & ROWS_CROSS ? 1 : 0) + (flags & ROWS_AXIS ? 2 : 0) +
           (flags & ROWS_FRAME ? 3 : 0);
}

static lv_status show_joint(joint *j, lv_error *err)
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

/* Draws a symbol of the joint, and a bar from the centre of each body without a shape to
 * its point. */
static lv_status draw_joint(joint *j, lv_error *err)
{
    static const char *const centres[] = {"a", "b"}, *const points[] = {"pa", "pb"};
    const char *symbol[] = {j->ends[1].kind == LV_END_GROUND ? "pa" : "pb",
                            j->holes[UA].formula.root ? "direction(a, ua)" : NULL};
    const lv_picture p = {
        .kind = LV_VIEW_JOINT, .family = j->family, .shape = j->type->word};
    for (int k = 0; k < 2; k++)
        if (lv_end_has_axes(&j->ends[k]) && !lv_item_entry(j->ends[k].item, "shape"))
            LV_TRY(lv_draw_line(j->x, "rod", j->family, centres[k], points[k], j->holes,
                                err));
    return lv_draw(j->x, p, symbol, 2, NULL, NULL, j->holes, err);
}

static lv_status expand(lv_expansion *x, const lv_item *part, lv_error *err)
{
    joint j = {.x = x, .part = part, .family = lv_item_entry(part, "for")};
    LV_TRY(lv_joint_read(&j, err));
    LV_TRY(read_points(&j, err));
    LV_TRY(read_directions(&j, err));
    LV_TRY(declare_constraint(&j, err));
    LV_TRY(declare_amounts(&j, err));
    LV_TRY(demand_axes(&j, err));
    LV_TRY(draw_joint(&j, err));
    return show_joint(&j, err);
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
    .words = lv_joint_words,
    .expand = expand,
};
