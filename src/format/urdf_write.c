/* Writes robots as model files. */
#include "format/urdf.h"

#include "expr/function.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- names ------------------------------------------------------------------------------------------------- */

static bool is_taken(const lv_urdf *robot, const char *id)
{
    static const char *const words[] = {"t", "pi", "e",      "g",
                                        "i", "j",  "ground", "friction_rate"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(words[k], id) == 0)
            return true;
    for (int k = 0; lv_function_table[k].name; k++)
        if (strcmp(lv_function_table[k].name, id) == 0)
            return true;
    for (int k = 0; k < robot->links.count; k++)
        if (robot->links.data[k].id && strcmp(robot->links.data[k].id, id) == 0)
            return true;
    for (int k = 0; k < robot->joints.count; k++)
        if (robot->joints.data[k].id && strcmp(robot->joints.data[k].id, id) == 0)
            return true;
    return false;
}

/* Makes a unique name of letters, digits and underscores. */
static lv_status make_name(lv_urdf *robot, const char **id, const char *name,
                           const char *kind, lv_place place)
{
    char made[80] = "";
    size_t used = 0;
    const bool letter =
        (name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z');
    if (!letter)
        made[used++] = kind[0];
    for (const char *c = name; *c && used < sizeof made - 20; c++) {
        const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                           (*c >= '0' && *c <= '9') || *c == '_';
        made[used++] = plain ? *c : '_';
    }
    made[used] = '\0';
    for (int k = 0; is_taken(robot, made); k++)
        if (k == 0)
            (void)snprintf(made + used, sizeof made - used, "_%s", kind);
        else
            (void)snprintf(made + used, sizeof made - used, "_%s%d", kind, k);
    *id = lv_arena_text(robot->arena, made, strlen(made));
    if (!*id)
        return lv_fail_memory(robot->err);
    return strcmp(made, name) == 0
               ? LV_OK
               : lv_urdf_say(robot, place, "%s '%s' is called '%s' in the model", kind,
                             name, made);
}

lv_status lv_urdf_name(lv_urdf *robot)
{
    for (int k = 0; k < robot->links.count; k++) {
        lv_urdf_link *link = &robot->links.data[k];
        if (link->body == k && lv_urdf_moves(robot, k) && !link->left_out)
            LV_TRY(make_name(robot, &link->id, link->name, "link", link->place));
    }
    for (int k = 0; k < robot->joints.count; k++) {
        lv_urdf_joint *joint = &robot->joints.data[k];
        if (joint->type != LV_URDF_FIXED && joint->type != LV_URDF_FLOATING &&
            !joint->left_out)
            LV_TRY(make_name(robot, &joint->id, joint->name, "joint", joint->place));
    }
    return LV_OK;
}

/* ---- values ------------------------------------------------------------------------------------------------ */

/* Writes a list; numbers far below the others are rounding errors and become 0. */
static void put_list(lv_text *text, const char *key, const double *values, int count)
{
    char buffer[LV_NUMBER_SIZE];
    double size = 0;
    for (int k = 0; k < count; k++)
        size = fmax(size, fabs(values[k]));
    lv_text_append(text, "%s[", key);
    for (int k = 0; k < count; k++) {
        const double value = fabs(values[k]) < 1e-15 * fmax(size, 1e-3) ? 0 : values[k];
        lv_text_append(text, "%s%s", k ? ", " : "", lv_number_format(value, buffer));
    }
    lv_text_append(text, "]");
}

static void put_value(lv_text *text, const char *key, double value)
{
    char buffer[LV_NUMBER_SIZE];
    lv_text_append(text, "%s%s\n", key, lv_number_format(value, buffer));
}

/* Names of files may contain anything; replaces characters that could end a comment or a
 * string. */
static void put_quiet(lv_text *text, const char *words)
{
    for (const char *c = words; *c; c++) {
        const unsigned char byte = (unsigned char)*c;
        const bool plain = byte >= 0x20 && byte < 0x7f && *c != '"' && *c != '\\';
        lv_text_bytes(text, plain ? c : "?", 1);
    }
}

static const char *body_id(const lv_urdf *robot, int link)
{
    const lv_urdf_link *body = &robot->links.data[robot->links.data[link].body];
    return body->id ? body->id : "ground";
}

static bool is_unturned(const double c[4])
{
    return fabs(c[1]) < 1e-15 && fabs(c[2]) < 1e-15 && fabs(c[3]) < 1e-15;
}

/* ---- sections ---------------------------------------------------------------------------------------------- */

static void put_head(lv_text *text, const lv_urdf *robot)
{
    const char *slash = strrchr(robot->source->name, '/');
    lv_text_append(text, "# ");
    put_quiet(text, robot->name);
    lv_text_append(text, ", from ");
    put_quiet(text, slash ? slash + 1 : robot->source->name);
    lv_text_append(
        text, " by livens import.\n#\n"
              "# Bodies have the axes of their links. Positions are those of centres of "
              "mass at the start.\n");
    if (robot->notes.count > 0)
        lv_text_append(text,
                       "#\n# What is otherwise than in the file, by lines of it:\n");
    for (int k = 0; k < robot->notes.count; k++) {
        lv_text_append(text, "#   %d: ", robot->notes.data[k].line);
        put_quiet(text, robot->notes.data[k].text);
        lv_text_append(text, "\n");
    }
    lv_text_append(text, "\nname = \"");
    put_quiet(text, robot->name);
    lv_text_append(text, "\"\n\n[parameters]\ng = 9.81                # m/s^2\n");
}

static bool acts(const lv_urdf_joint *joint)
{
    return joint->id && joint->type <= LV_URDF_PRISMATIC;
}

/* Efforts of motors are inputs, because they may change while the robot moves. */
static void put_inputs(lv_text *text, const lv_urdf *robot)
{
    bool begun = false;
    for (int k = 0; k < robot->joints.count; k++) {
        const lv_urdf_joint *j = &robot->joints.data[k];
        if (!acts(j) || !j->driven)
            continue;
        if (!begun)
            lv_text_append(text, "\n[inputs]   # of motors\n");
        begun = true;
        lv_text_append(text, "effort_%s = 0   # %s\n", j->id,
                       j->type == LV_URDF_PRISMATIC ? "N" : "N m");
    }
}

static void put_parameters(lv_text *text, const lv_urdf *robot)
{
    bool rubs = false;
    for (int k = 0; k < robot->joints.count; k++)
        rubs =
            rubs || (acts(&robot->joints.data[k]) && robot->joints.data[k].friction > 0);
    if (rubs)
        lv_text_append(text,
                       "friction_rate = 0.01    # rad/s or m/s, below which dry friction "
                       "fades\n");
    put_inputs(text, robot);
    lv_text_append(text, "\n[gravity]\nacceleration = [0, 0, \"-g\"]\n");
}

/* Whether a visual is the shape of its body: it is where the body is. */
static bool is_shape(const lv_urdf *robot, const lv_urdf_visual *v)
{
    const lv_urdf_link *link = &robot->links.data[v->link];
    double distance = 0;
    if (link->body != v->link || !is_unturned(v->pose.c))
        return false;
    for (int k = 0; k < 3; k++)
        distance = fmax(distance, fabs(v->pose.r[k] - link->whole.centre[k]));
    for (const lv_urdf_visual *other = robot->visuals.data; other < v; other++)
        if (other->link == v->link)
            return false;
    return distance < 1e-12;
}

static void put_shape(lv_text *text, const lv_urdf_visual *v)
{
    char key[40], buffer[LV_NUMBER_SIZE];
    (void)snprintf(key, sizeof key, "shape = { %s = ", v->shape);
    if (v->size_count == 1)
        lv_text_append(text, "%s%s", key, lv_number_format(v->sizes[0], buffer));
    else
        put_list(text, key, v->sizes, v->size_count);
    lv_text_append(text, " }\n");
}

static void put_inertia(lv_text *text, const double t[9])
{
    const double values[6] = {t[0], t[4], t[8], t[1], t[2], t[5]};
    const double off = fmax(fabs(t[1]), fmax(fabs(t[2]), fabs(t[5])));
    const bool principal = off < 1e-15 * fmax(t[0], fmax(t[4], t[8]));
    put_list(text, "inertia = ", values, principal ? 3 : 6);
    lv_text_append(text, principal ? "\n" : "   # xx yy zz xy xz yz\n");
}

static void put_body(lv_text *text, const lv_urdf *robot, int k)
{
    const lv_urdf_link *link = &robot->links.data[k];
    double centre[3];
    lv_text_append(text, "\n[bodies.%s]\n", link->id);
    put_value(text, "mass = ", link->whole.mass);
    put_inertia(text, link->whole.tensor);
    lv_pose_turn(&link->start, link->whole.centre, centre);
    for (int i = 0; i < 3; i++)
        centre[i] += link->start.r[i];
    put_list(text, "position = ", centre, 3);
    lv_text_append(text, "\n");
    if (!is_unturned(link->start.c)) {
        put_list(text, "quaternion = ", link->start.c, 4);
        lv_text_append(text, "\n");
    }
    for (int v = 0; v < robot->visuals.count; v++)
        if (robot->visuals.data[v].link == k && is_shape(robot, &robot->visuals.data[v]))
            put_shape(text, &robot->visuals.data[v]);
}

static void put_joint(lv_text *text, const lv_urdf *robot, const lv_urdf_joint *j)
{
    static const char *const kinds[LV_URDF_TYPES] = {"revolute", "revolute", "prismatic",
                                                     "fixed",    "",         "planar"};
    const lv_urdf_link *child = &robot->links.data[j->child];
    double axis[3];
    lv_text_append(text, "\n[joints.%s]", j->id);
    if (j->position != 0)
        lv_text_append(text, "   # at %g at the start, where its %s is 0", j->position,
                       j->type == LV_URDF_PRISMATIC ? "shift" : "angle");
    lv_text_append(text, "\ntype = \"%s\"\nbetween = [\"%s\", \"%s\"]\n", kinds[j->type],
                   body_id(robot, j->parent), body_id(robot, j->child));
    put_list(text, "at = ", child->start.r, 3);
    lv_text_append(text, "\n");
    lv_pose_turn(&child->start, j->axis, axis);
    put_list(text, "axis = ", axis, 3);
    lv_text_append(text, "\n");
    if (j->has_limits && (j->type == LV_URDF_REVOLUTE || j->type == LV_URDF_PRISMATIC))
        lv_text_append(text, "# limits: %g to %g, effort %g, velocity %g; not enforced\n",
                       j->lower, j->upper, j->effort, j->velocity);
}

/* Damping, motors and dry friction of a joint. */
static void put_forces(lv_text *text, const lv_urdf_joint *j)
{
    const bool slides = j->type == LV_URDF_PRISMATIC;
    char buffer[LV_NUMBER_SIZE];
    if (j->damping > 0) {
        lv_text_append(text, "\n[springs.%s_damping]\njoint = \"%s\"\nstiffness = 0\n",
                       j->id, j->id);
        put_value(text, "damping = ", j->damping);
    }
    if (!j->driven && !(j->friction > 0))
        return;
    lv_text_append(text, "\n[motors.%s_motor]\njoint = \"%s\"\n%s = \"", j->id, j->id,
                   slides ? "force" : "torque");
    if (j->driven)
        lv_text_append(text, "effort_%s", j->id);
    if (j->friction > 0)
        lv_text_append(text, "%s%s*tanh(%s.%s/friction_rate)", j->driven ? " - " : "-",
                       lv_number_format(j->friction, buffer), j->id,
                       slides ? "shift'" : "rate");
    lv_text_append(text, "\"\n");
}

static void put_mimic(lv_text *text, const lv_urdf *robot, const lv_urdf_joint *j)
{
    const lv_urdf_joint *leader = j->mimic >= 0 ? &robot->joints.data[j->mimic] : NULL;
    char buffer[LV_NUMBER_SIZE];
    if (!leader || !leader->id)
        return;
    lv_text_append(text,
                   "\n[constraints.%s_mimic]   # both are 0 at the start\n"
                   "holonomic = \"%s.%s - (%s)*%s.%s\"\n",
                   j->id, j->id, j->type == LV_URDF_PRISMATIC ? "shift" : "angle",
                   lv_number_format(j->multiplier, buffer), leader->id,
                   leader->type == LV_URDF_PRISMATIC ? "shift" : "angle");
}

/* Writes a visual as a frame of [view]; for the ground a fixed one. */
static void put_visual(lv_text *text, const lv_urdf *robot, int number)
{
    const lv_urdf_visual *v = &robot->visuals.data[number];
    const lv_urdf_link *link = &robot->links.data[v->link];
    const lv_urdf_link *body = &robot->links.data[link->body];
    static const char *const axes[] = {"e1", "e2", "e3"};
    const bool still = !body->id;
    lv_pose pose = lv_pose_product(still ? &link->start : &link->local, &v->pose);
    if (body->left_out || is_shape(robot, v))
        return;
    for (int k = 0; !still && k < 3; k++)
        pose.r[k] -= body->whole.centre[k];
    lv_text_append(text, "\n[view.frames.visual_%d]   # of ", number + 1);
    put_quiet(text, link->name);
    lv_text_append(text, "\nat = ");
    if (!still)
        lv_text_append(text, "\"point(%s, ", body->id);
    put_list(text, "", pose.r, 3);
    lv_text_append(text, still ? "\n" : ")\"\n");
    for (int k = 0; k < 3; k++) {
        double axis[3];
        lv_pose_turn(&pose, (double[]){k == 0, k == 1, k == 2}, axis);
        lv_text_append(text, "%s = ", axes[k]);
        if (!still)
            lv_text_append(text, "\"direction(%s, ", body->id);
        put_list(text, "", axis, 3);
        lv_text_append(text, still ? "\n" : ")\"\n");
    }
    put_shape(text, v);
}

/* Positions of joints, counted as in URDF. */
static void put_outputs(lv_text *text, const lv_urdf *robot)
{
    bool begun = false;
    char buffer[LV_NUMBER_SIZE];
    for (int k = 0; k < robot->joints.count; k++) {
        const lv_urdf_joint *j = &robot->joints.data[k];
        if (!acts(j))
            continue;
        if (!begun)
            lv_text_append(text,
                           "\n[outputs]   # positions of joints as URDF counts them\n");
        begun = true;
        lv_text_append(text, "%s_position = \"%s.%s", j->id, j->id,
                       j->type == LV_URDF_PRISMATIC ? "shift" : "angle");
        if (j->position != 0)
            lv_text_append(text, " + (%s)", lv_number_format(j->position, buffer));
        lv_text_append(text, "\"\n");
    }
}

void lv_urdf_write(lv_text *text, const lv_urdf *robot)
{
    put_head(text, robot);
    put_parameters(text, robot);
    for (int i = 0; i < robot->links.count; i++)
        if (robot->links.data[robot->order[i]].id)
            put_body(text, robot, robot->order[i]);
    for (int k = 0; k < robot->joints.count; k++)
        if (robot->joints.data[k].id)
            put_joint(text, robot, &robot->joints.data[k]);
    for (int k = 0; k < robot->joints.count; k++)
        if (acts(&robot->joints.data[k]))
            put_forces(text, &robot->joints.data[k]);
    for (int k = 0; k < robot->joints.count; k++)
        if (robot->joints.data[k].id)
            put_mimic(text, robot, &robot->joints.data[k]);
    for (int k = 0; k < robot->visuals.count; k++)
        put_visual(text, robot, k);
    put_outputs(text, robot);
    lv_text_append(text, "\n[run]\nscheme = \"lobatto\"\nstep = 0.001\nuntil = 1\n");
}
