#include "format/urdf.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Counts lines from the last note on, because most notes come in the order of the
 * file. */
static int line_of(lv_urdf *robot, size_t offset)
{
    if (offset < robot->counted) {
        robot->counted = 0;
        robot->lines = 0;
    }
    for (; robot->counted < offset; robot->counted++)
        robot->lines += robot->source->text[robot->counted] == '\n';
    return robot->lines + 1;
}

lv_status lv_urdf_say(lv_urdf *robot, lv_place place, const char *format, ...)
{
    char buffer[600];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(buffer, sizeof buffer, format, args);
    va_end(args);
    const char *text = lv_arena_text(robot->arena, buffer, strlen(buffer));
    const lv_import_note note = {line_of(robot, place.offset), text};
    return text && LV_PUSH(robot->notes, note) ? LV_OK : lv_fail_memory(robot->err);
}

void lv_urdf_done(lv_urdf *robot)
{
    LV_ARRAY_FREE(robot->links);
    LV_ARRAY_FREE(robot->joints);
    LV_ARRAY_FREE(robot->visuals);
    LV_ARRAY_FREE(robot->notes);
}

/* ---- attributes ---------------------------------------------------------------------------------------- */

/* A child that is marked as used; NULL: there is none. */
static lv_xml *use_child(const lv_xml *e, const char *name)
{
    lv_xml *child = e ? lv_xml_child(e, name) : NULL;
    if (child)
        child->used = true;
    return child;
}

#define FAIL(robot, place, ...)                                                          \
    lv_fail_at((robot)->err, LV_ERR_MODEL, LV_AT(place), __VA_ARGS__)

static lv_status use_text(lv_urdf *robot, const lv_xml *e, const char *name,
                          const char **value, lv_place *place)
{
    lv_xml_attribute *a = lv_xml_find(e, name);
    if (!a || a->value[strspn(a->value, " ")] == '\0')
        return FAIL(robot, a ? a->place : e->place, "<%s> needs a '%s'", e->name, name);
    a->used = true;
    *value = a->value;
    if (place)
        *place = a->place;
    return LV_OK;
}

/* Reads `count` numbers, which stay unchanged if the attribute or the element is
 * missing. */
static lv_status use_numbers(lv_urdf *robot, const lv_xml *e, const char *name,
                             double *values, int count)
{
    lv_xml_attribute *a = e ? lv_xml_find(e, name) : NULL;
    int read = 0;
    if (!a)
        return LV_OK;
    a->used = true;
    for (const char *c = a->value + strspn(a->value, " "); *c;) {
        const size_t length = strcspn(c, " ");
        double value = 0;
        if (!lv_number_parse(c, length, &value) || !isfinite(value) || read == count)
            break;
        values[read++] = value;
        c += length;
        c += strspn(c, " ");
        if (read == count && !*c)
            return LV_OK;
    }
    return count == 1
               ? FAIL(robot, a->place, "'%s' of <%s> must be a number", name, e->name)
               : FAIL(robot, a->place, "'%s' of <%s> must be three numbers", name,
                      e->name);
}

static lv_status need_numbers(lv_urdf *robot, const lv_xml *e, const char *name,
                              double *values, int count)
{
    return lv_xml_find(e, name)
               ? use_numbers(robot, e, name, values, count)
               : FAIL(robot, e->place, "<%s> needs a '%s'", e->name, name);
}

static lv_status use_origin(lv_urdf *robot, const lv_xml *e, lv_pose *pose)
{
    double xyz[3] = {0}, rpy[3] = {0};
    const lv_xml *origin = use_child(e, "origin");
    LV_TRY(use_numbers(robot, origin, "xyz", xyz, 3));
    LV_TRY(use_numbers(robot, origin, "rpy", rpy, 3));
    *pose = lv_pose_of(xyz, rpy);
    return LV_OK;
}

/* ---- links ---------------------------------------------------------------------------------------------- */

static lv_status read_inertial(lv_urdf *robot, lv_urdf_link *link, const lv_xml *e)
{
    static const char *const names[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    double v[6] = {0};
    lv_pose pose;
    LV_TRY(use_origin(robot, e, &pose));
    const lv_xml *mass = use_child(e, "mass"), *inertia = use_child(e, "inertia");
    if (!mass)
        return FAIL(robot, e->place, "<inertial> of link '%s' needs a <%s>", link->name,
                    "mass");
    LV_TRY(need_numbers(robot, mass, "value", &link->inertial.mass, 1));
    if (link->inertial.mass < 0)
        return FAIL(robot, mass->place, "the mass of link '%s' is negative", link->name);
    if (!inertia)
        return FAIL(robot, e->place, "<inertial> of link '%s' needs an <%s>", link->name,
                    "inertia");
    for (int k = 0; k < 6; k++)
        LV_TRY(k == 0 || k == 3 || k == 5
                   ? need_numbers(robot, inertia, names[k], &v[k], 1)
                   : use_numbers(robot, inertia, names[k], &v[k], 1));
    const double tensor[9] = {v[0], v[1], v[2], v[1], v[3], v[4], v[2], v[4], v[5]};
    memcpy(link->inertial.centre, pose.r, sizeof pose.r);
    lv_pose_turn_tensor(&pose, tensor, link->inertial.tensor);
    link->has_inertial = true;
    return LV_OK;
}

/* Reads a box, a cylinder or a sphere; other shapes are noted. */
static lv_status read_visual(lv_urdf *robot, int link, lv_xml *e)
{
    lv_urdf_visual v = {.link = link};
    lv_xml *geometry = lv_xml_child(e, "geometry");
    const char *owner = robot->links.data[link].name;
    lv_xml *shape = geometry ? geometry->first : NULL;
    e->used = true;
    if (!shape)
        return lv_urdf_say(robot, e->place, "<visual> of link '%s' has no geometry",
                           owner);
    geometry->used = shape->used = true;
    LV_TRY(use_origin(robot, e, &v.pose));
    if (strcmp(shape->name, "box") == 0) {
        v.shape = "box";
        v.size_count = 3;
        LV_TRY(need_numbers(robot, shape, "size", v.sizes, 3));
    } else if (strcmp(shape->name, "cylinder") == 0) {
        v.shape = "cylinder";
        v.size_count = 2;
        LV_TRY(need_numbers(robot, shape, "radius", v.sizes, 1));
        LV_TRY(need_numbers(robot, shape, "length", v.sizes + 1, 1));
    } else if (strcmp(shape->name, "sphere") == 0) {
        v.shape = "sphere";
        v.size_count = 1;
        LV_TRY(need_numbers(robot, shape, "radius", v.sizes, 1));
    } else {
        const lv_xml_attribute *file = lv_xml_find(shape, "filename");
        for (lv_xml_attribute *a = shape->attributes; a; a = a->next)
            a->used = true;
        return lv_urdf_say(robot, shape->place,
                           "<%s>%s%s%s of link '%s' is left out: it is not drawn",
                           shape->name, file ? " '" : "", file ? file->value : "",
                           file ? "'" : "", owner);
    }
    for (int k = 0; k < v.size_count; k++)
        if (!(v.sizes[k] > 0))
            return FAIL(robot, shape->place, "sizes of <%s> must be positive",
                        shape->name);
    return LV_PUSH(robot->visuals, v) ? LV_OK : lv_fail_memory(robot->err);
}

static lv_status read_link(lv_urdf *robot, lv_xml *e)
{
    lv_urdf_link link = {.joint = -1};
    e->used = true;
    if (robot->links.count == LV_URDF_MOST)
        return lv_fail_at(robot->err, LV_ERR_LIMIT, LV_AT(e->place),
                          "a robot has at most %d links", LV_URDF_MOST);
    LV_TRY(use_text(robot, e, "name", &link.name, &link.place));
    for (int k = 0; k < robot->links.count; k++)
        if (strcmp(robot->links.data[k].name, link.name) == 0)
            return FAIL(robot, link.place, "there are two links called '%s'", link.name);
    lv_xml *inertial = use_child(e, "inertial");
    if (inertial)
        LV_TRY(read_inertial(robot, &link, inertial));
    if (!LV_PUSH(robot->links, link))
        return lv_fail_memory(robot->err);
    for (lv_xml *v = lv_xml_child(e, "visual"); v; v = lv_xml_again(v))
        LV_TRY(read_visual(robot, robot->links.count - 1, v));
    return LV_OK;
}

/* ---- joints --------------------------------------------------------------------------------------------- */

static const char *const types[LV_URDF_TYPES] = {"revolute", "continuous", "prismatic",
                                                 "fixed",    "floating",   "planar"};

static lv_status read_type(lv_urdf *robot, const lv_xml *e, lv_urdf_joint *joint)
{
    const char *name;
    lv_place place;
    lv_nearest nearest;
    LV_TRY(use_text(robot, e, "type", &name, &place));
    lv_nearest_start(&nearest, name);
    for (int k = 0; k < LV_URDF_TYPES; k++) {
        joint->type = (lv_urdf_type)k;
        if (strcmp(name, types[k]) == 0)
            return LV_OK;
        lv_nearest_offer(&nearest, types[k]);
    }
    const lv_status status = FAIL(robot, place, "there is no type '%s' of joints", name);
    lv_nearest_hint(&nearest, robot->err,
                    "revolute, continuous, prismatic, fixed, floating or planar");
    return status;
}

static lv_status read_end(lv_urdf *robot, const lv_xml *e, const char *which, int *link)
{
    const char *name;
    lv_place place;
    lv_nearest nearest;
    const lv_xml *end = use_child(e, which);
    if (!end)
        return FAIL(robot, e->place, "<%s> needs a <%s>", e->name, which);
    LV_TRY(use_text(robot, end, "link", &name, &place));
    lv_nearest_start(&nearest, name);
    for (int k = 0; k < robot->links.count; k++) {
        *link = k;
        if (strcmp(robot->links.data[k].name, name) == 0)
            return LV_OK;
        lv_nearest_offer(&nearest, robot->links.data[k].name);
    }
    const lv_status status = FAIL(robot, place, "there is no link '%s'", name);
    lv_nearest_hint(&nearest, robot->err, "links are the elements <link name=\"...\">");
    return status;
}

static lv_status read_axis(lv_urdf *robot, const lv_xml *e, lv_urdf_joint *joint)
{
    double *a = joint->axis;
    a[0] = 1;
    const lv_xml *axis = use_child(e, "axis");
    LV_TRY(use_numbers(robot, axis, "xyz", a, 3));
    const double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    if (!(length > 0) || !isfinite(length))
        return joint->type == LV_URDF_FIXED || joint->type == LV_URDF_FLOATING
                   ? LV_OK
                   : FAIL(robot, axis->place, "the axis of joint '%s' is zero",
                          joint->name);
    for (int k = 0; k < 3; k++)
        a[k] /= length;
    return LV_OK;
}

static lv_status read_limits(lv_urdf *robot, const lv_xml *e, lv_urdf_joint *joint)
{
    const lv_xml *limit = use_child(e, "limit");
    if (!limit)
        return LV_OK;
    joint->has_limits = true;
    LV_TRY(use_numbers(robot, limit, "lower", &joint->lower, 1));
    LV_TRY(use_numbers(robot, limit, "upper", &joint->upper, 1));
    LV_TRY(use_numbers(robot, limit, "effort", &joint->effort, 1));
    LV_TRY(use_numbers(robot, limit, "velocity", &joint->velocity, 1));
    if (joint->lower > joint->upper)
        return FAIL(robot, limit->place,
                    "the lower limit of joint '%s' lies above the upper one",
                    joint->name);
    if (joint->type == LV_URDF_REVOLUTE || joint->type == LV_URDF_PRISMATIC)
        return lv_urdf_say(
            robot, limit->place,
            "limits of joint '%s', %g to %g, effort %g, velocity %g, are not enforced",
            joint->name, joint->lower, joint->upper, joint->effort, joint->velocity);
    return lv_urdf_say(robot, limit->place,
                       "limits of joint '%s', effort %g, velocity %g, are not enforced",
                       joint->name, joint->effort, joint->velocity);
}

static lv_status read_dynamics(lv_urdf *robot, const lv_xml *e, lv_urdf_joint *joint)
{
    const lv_xml *dynamics = use_child(e, "dynamics");
    LV_TRY(use_numbers(robot, dynamics, "damping", &joint->damping, 1));
    LV_TRY(use_numbers(robot, dynamics, "friction", &joint->friction, 1));
    if (joint->damping < 0 || joint->friction < 0)
        return FAIL(robot, dynamics->place,
                    "damping and friction of joint '%s' cannot be negative", joint->name);
    const bool acts = joint->type <= LV_URDF_PRISMATIC;
    return !acts && (joint->damping > 0 || joint->friction > 0)
               ? lv_urdf_say(robot, dynamics->place,
                             "<dynamics> of joint '%s' is left out: it is %s",
                             joint->name, types[joint->type])
               : LV_OK;
}

static lv_status read_joint(lv_urdf *robot, lv_xml *e)
{
    lv_urdf_joint joint = {.mimic = -1, .multiplier = 1};
    e->used = true;
    if (robot->joints.count == LV_URDF_MOST)
        return lv_fail_at(robot->err, LV_ERR_LIMIT, LV_AT(e->place),
                          "a robot has at most %d joints", LV_URDF_MOST);
    LV_TRY(use_text(robot, e, "name", &joint.name, &joint.place));
    for (int k = 0; k < robot->joints.count; k++)
        if (strcmp(robot->joints.data[k].name, joint.name) == 0)
            return FAIL(robot, joint.place, "there are two joints called '%s'",
                        joint.name);
    LV_TRY(read_type(robot, e, &joint));
    LV_TRY(read_end(robot, e, "parent", &joint.parent));
    LV_TRY(read_end(robot, e, "child", &joint.child));
    LV_TRY(use_origin(robot, e, &joint.origin));
    LV_TRY(read_axis(robot, e, &joint));
    LV_TRY(read_limits(robot, e, &joint));
    LV_TRY(read_dynamics(robot, e, &joint));
    const lv_xml *mimic = use_child(e, "mimic");
    if (mimic) {
        LV_TRY(use_text(robot, mimic, "joint", &joint.mimics, &joint.mimics_place));
        LV_TRY(use_numbers(robot, mimic, "multiplier", &joint.multiplier, 1));
        LV_TRY(use_numbers(robot, mimic, "offset", &joint.offset, 1));
    }
    return LV_PUSH(robot->joints, joint) ? LV_OK : lv_fail_memory(robot->err);
}

/* Finds the joints that have a motor. */
static lv_status read_transmission(lv_urdf *robot, lv_xml *e)
{
    e->used = true;
    for (lv_xml *j = lv_xml_child(e, "joint"); j; j = lv_xml_again(j)) {
        const char *name;
        lv_place place;
        bool known = false;
        j->used = true;
        LV_TRY(use_text(robot, j, "name", &name, &place));
        for (int k = 0; k < robot->joints.count; k++)
            if (strcmp(robot->joints.data[k].name, name) == 0)
                known = robot->joints.data[k].driven = true;
        if (!known)
            return FAIL(robot, place,
                        "a transmission drives joint '%s', which there is not", name);
    }
    lv_xml_attribute *name = lv_xml_find(e, "name");
    if (name)
        name->used = true;
    return LV_OK;
}

/* ---- what is left out ------------------------------------------------------------------------------------ */

/* "link 'arm'": the link, joint or transmission around an element. */
static void owner_of(const lv_xml *e, char *buffer, size_t size)
{
    while (e->parent && e->parent->parent)
        e = e->parent;
    const lv_xml_attribute *name = lv_xml_find(e, "name");
    if (e->parent && name)
        (void)snprintf(buffer, size, " of %s '%s'", e->name, name->value);
    else
        buffer[0] = '\0';
}

static lv_status note_unused(lv_urdf *robot, lv_xml *e)
{
    char owner[200];
    for (lv_xml *child = e->first; child; child = child->next) {
        owner_of(child, owner, sizeof owner);
        if (!child->used) {
            const lv_xml_attribute *name = lv_xml_find(child, "name");
            LV_TRY(lv_urdf_say(robot, child->place, "<%s>%s%s%s%s is left out",
                               child->name,
                               name && child->parent->parent == NULL ? " '" : "",
                               name && child->parent->parent == NULL ? name->value : "",
                               name && child->parent->parent == NULL ? "'" : "",
                               child->parent->parent ? owner : ""));
            continue;
        }
        for (const lv_xml_attribute *a = child->attributes; a; a = a->next)
            if (!a->used && strcmp(a->name, "name") != 0)
                LV_TRY(lv_urdf_say(robot, a->name_place, "'%s' of <%s>%s is left out",
                                   a->name, child->name, owner));
        LV_TRY(note_unused(robot, child));
    }
    return LV_OK;
}

static lv_status check_root(lv_urdf *robot, const lv_xml *root)
{
    lv_status status = LV_OK;
    if (strcmp(root->name, "robot") != 0) {
        status = FAIL(robot, root->place,
                      "this is no URDF file: it begins with <%s>, not <%s>", root->name,
                      "robot");
        if (strcmp(root->name, "sdf") == 0)
            lv_error_hint(robot->err, "SDF files are not read");
    }
    for (const lv_xml *e = root->first; e && status == LV_OK; e = e->next)
        if (strncmp(e->name, "xacro:", 6) == 0) {
            status = FAIL(robot, e->place, "<%s> is a macro of xacro", e->name);
            lv_error_hint(robot->err, "expand it first: xacro robot.xacro > robot.urdf");
        }
    return status;
}

lv_status lv_urdf_read(lv_urdf *robot, lv_xml *root)
{
    LV_TRY(check_root(robot, root));
    const lv_xml_attribute *name = lv_xml_find(root, "name");
    robot->name = name ? name->value : "robot";
    for (lv_xml *e = lv_xml_child(root, "link"); e; e = lv_xml_again(e))
        LV_TRY(read_link(robot, e));
    if (robot->links.count == 0)
        return FAIL(robot, root->place, "<%s> has no <%s>", root->name, "link");
    for (lv_xml *e = lv_xml_child(root, "joint"); e; e = lv_xml_again(e))
        LV_TRY(read_joint(robot, e));
    for (lv_xml *e = lv_xml_child(root, "transmission"); e; e = lv_xml_again(e))
        LV_TRY(read_transmission(robot, e));
    return note_unused(robot, root);
}
