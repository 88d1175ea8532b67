/* A motor prescribes the angle or the shift of a joint as a formula f of time by an
 * additional constraint, or it acts with a torque or a force given by any formula. In
 * space the angle is prescribed by
 *
 *     g = sin(angle - f) = sin(angle) cos f - cos(angle) sin f,
 *
 * which is quadratic in the axes of the bodies and does not require counting turns. */
#include "part/joint.h"

/* A key that gives what a motor does, about the axis of its joint or along it. */
typedef struct motor_key {
    const char *name;
    bool is_about; /* about the axis; false: along it */
    bool is_given; /* it gives a torque or a force; false: it prescribes a motion */
} motor_key;

static const motor_key motor_keys[] = {{"angle", true, false},
                                       {"shift", false, false},
                                       {"torque", true, true},
                                       {"force", false, true}};

typedef struct motor {
    lv_expansion *x;
    const motor_key *key; /* the key that is present */
    const lv_entry *family;
    lv_joint_link link;
} motor;

static lv_status read_key(motor *m, lv_error *err)
{
    for (size_t k = 0; k < sizeof motor_keys / sizeof *motor_keys; k++) {
        if (!lv_item_entry(m->x->part, motor_keys[k].name))
            continue;
        if (m->key)
            return lv_part_refuse(m->x, motor_keys[k].name, err,
                                  "motor '%s' has both '%s' and '%s'; give one",
                                  m->x->part->name, m->key->name, motor_keys[k].name);
        m->key = &motor_keys[k];
    }
    if (m->key)
        return LV_OK;
    lv_status status =
        lv_part_refuse(m->x, "", err, "motor '%s' does nothing", m->x->part->name);
    lv_error_hint(err, "give 'angle' or 'shift', a formula of t, or 'torque' or 'force'");
    return status;
}

static lv_status check_joint(const motor *m, lv_error *err)
{
    if (m->key->is_about ? m->link.has_angle : m->link.has_shift)
        return LV_OK;
    lv_status status = lv_part_refuse(
        m->x, m->key->name, err, "joint '%s' is %s: it has no %s", m->link.item->name,
        lv_item_entry(m->link.item, "type")->text, m->key->is_about ? "angle" : "shift");
    if (m->link.has_angle || m->link.has_shift)
        lv_error_hint(err, "its motor has '%s' or '%s'",
                      m->link.has_angle ? "angle" : "shift",
                      m->link.has_angle ? "torque" : "force");
    else
        lv_error_hint(err, "motors drive revolute, prismatic and cylindrical joints");
    return status;
}

/* Requires that f begins less than a quarter turn from 0, the angle at the start, since
 * sin(angle - f) is zero half a turn away, too. */
static lv_status demand_near(motor *m, const lv_hole *holes, lv_error *err)
{
    lv_check check = {.kind = LV_CHECK_POSITIVE,
                      .family = m->family,
                      .place = lv_item_entry(m->x->part, m->key->name)->place,
                      .hint =
                          "let the formula begin at 0, and turn the body by the rest"};
    check.text =
        lv_term_text(m->x,
                     "motor '%s' begins a quarter turn or more away from the start, "
                     "where the angle is 0",
                     m->x->part->name);
    if (!check.text)
        return lv_fail_memory(err);
    LV_TRY(lv_term_formula(m->x, &check.formulas[0], "start(pi/2 - abs(f))", holes, err));
    return lv_expansion_check(m->x, check, err);
}

static lv_status declare_constraint(motor *m, const lv_hole *holes, lv_error *err)
{
    const char *row = !m->key->is_about   ? "h.shift - f"
                      : m->link.is_planar ? "h.angle - f"
                                          : "h.sin*cos(f) - h.cos*sin(f)";
    lv_item item;
    LV_TRY(lv_term_init(m->x, &item, LV_SECTION_CONSTRAINTS, m->family, err));
    LV_TRY(lv_term_write(m->x, &item, "holonomic", row, holes, err));
    LV_TRY(lv_expansion_add(m->x, item, err));
    if (m->key->is_about && !m->link.is_planar)
        LV_TRY(demand_near(m, holes, err));
    return lv_demand_still(m->x, m->key->name,
                           m->key->is_about ? "a prescribed angle, apart from t,"
                                            : "a prescribed shift, apart from t,",
                           err);
}

static lv_status declare_effort(motor *m, const lv_hole *holes, lv_error *err)
{
    lv_item item;
    LV_TRY(lv_term_init(m->x, &item, LV_SECTION_FORCES, m->family, err));
    LV_TRY(lv_term_write(m->x, &item, "on", m->key->is_about ? "h.rate" : "h.shift",
                         holes, err));
    LV_TRY(lv_term_write(m->x, &item, "force", "f", holes, err));
    LV_TRY(lv_expansion_add(m->x, item, err));
    if (m->family && m->family->count > 1)
        return LV_OK;
    return lv_term_define(m->x, m->key->name, m->family, "f", holes, err);
}

static lv_status show_motor(motor *m, const lv_hole *holes, lv_error *err)
{
    const bool opposite = m->link.ends[1].kind == LV_END_GROUND;
    const lv_end *on = &m->link.ends[opposite ? 0 : 1];
    lv_shown shown = {.kind = LV_SHOWN_MOTOR,
                      .family = m->family,
                      .is_planar = m->link.is_planar,
                      .effort = m->key->is_about ? "torque" : "force",
                      .is_given = m->key->is_given};
    if (!m->key->is_given) {
        shown.reaction = (lv_reaction){.constraints = {m->x->part->name},
                                       .on = on->hole.formula,
                                       .turns = lv_end_has_axes(on),
                                       .is_opposite = opposite,
                                       .point = on->hole.formula};
        if (!m->key->is_about || !m->link.is_planar)
            LV_TRY(lv_term_formula(m->x, &shown.axis, "h.axis", holes, err));
    }
    return lv_expansion_show(m->x, shown, err);
}

static lv_status expand(lv_expansion *x, const lv_item *part, lv_error *err)
{
    motor m = {.x = x, .family = lv_item_entry(part, "for")};
    lv_hole holes[3] = {{0}};
    LV_TRY(read_key(&m, err));
    LV_TRY(lv_joint_link_read(x, &m.link, err));
    LV_TRY(check_joint(&m, err));
    holes[0] = m.link.hole;
    LV_TRY(lv_hole_key(x, &holes[1], m.key->name, err));
    holes[1].name = "f";
    LV_TRY(m.key->is_given ? declare_effort(&m, holes, err)
                           : declare_constraint(&m, holes, err));
    return show_motor(&m, holes, err);
}

static const lv_key keys[] = {
    {"joint", LV_KEY_NAMES, true, false, 0, 0, NULL, NULL, "the joint that it drives"},
    {"angle", LV_KEY_FORMULA, false, false, 0, 0, "rad", NULL,
     "of a revolute joint, prescribed: a formula of t that is 0 at the start"},
    {"shift", LV_KEY_FORMULA, false, false, 0, 0, "m", NULL,
     "of a prismatic joint, prescribed: a formula of t"},
    {"torque", LV_KEY_FORMULA, false, false, 0, 0, "N m", NULL,
     "on the second of the joint, about its axis, and its opposite on the first: any "
     "formula"},
    {"force", LV_KEY_FORMULA, false, false, 0, 0, "N", NULL,
     "on the second of the joint, along its axis, and its opposite on the first: any "
     "formula"},
    {"for", LV_KEY_RANGES, false, false, 0, 0, NULL, NULL,
     "makes a family: one motor for every value of the index, e.g. \"i = 2..N\""},
    {0},
};

const lv_part lv_part_motor = {
    .section = {.name = "motors",
                .one = "motor",
                .shape = LV_SHAPE_NAMED_TABLES,
                .keys = keys,
                .doc =
                    "Motors in joints: they prescribe an angle or a shift as a formula "
                    "of t, or act with a torque or a force.",
                .example = "[motors.drive]\njoint = \"hinge\"\nangle = \"w*t\"\n"
                           "[motors.servo]\njoint = \"elbow\"\ntorque = \"-k*elbow.angle "
                           "- c*elbow.rate\""},
    .expand = expand,
};
