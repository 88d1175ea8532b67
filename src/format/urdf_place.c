#include "format/urdf.h"

#include "group/quaternion.h"

#include <math.h>
#include <string.h>

/* ---- poses ------------------------------------------------------------------------------------------------ */

/* Roll about x, then pitch about y, then yaw about z, all about fixed axes. */
lv_pose lv_pose_of(const double xyz[3], const double rpy[3])
{
    const double roll[4] = {cos(rpy[0] / 2), sin(rpy[0] / 2), 0, 0};
    const double pitch[4] = {cos(rpy[1] / 2), 0, sin(rpy[1] / 2), 0};
    const double yaw[4] = {cos(rpy[2] / 2), 0, 0, sin(rpy[2] / 2)};
    double both[4];
    lv_pose pose;
    memcpy(pose.r, xyz, sizeof pose.r);
    lv_quaternion_product(both, pitch, roll);
    lv_quaternion_product(pose.c, yaw, both);
    return pose;
}

void lv_pose_turn(const lv_pose *a, const double v[3], double to[3])
{
    double matrix[9];
    lv_quaternion_matrix(matrix, a->c);
    lv_m3_apply(to, matrix, v);
}

/* R J R^T */
void lv_pose_turn_tensor(const lv_pose *a, const double from[9], double to[9])
{
    double matrix[9];
    lv_quaternion_matrix(matrix, a->c);
    memset(to, 0, 9 * sizeof *to);
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 9; k++)
            to[i] += matrix[i / 3 * 3 + k / 3] * from[k] * matrix[i % 3 * 3 + k % 3];
}

lv_pose lv_pose_product(const lv_pose *a, const lv_pose *b)
{
    lv_pose product;
    lv_quaternion_product(product.c, a->c, b->c);
    lv_pose_turn(a, b->r, product.r);
    for (int k = 0; k < 3; k++)
        product.r[k] += a->r[k];
    return product;
}

/* ---- the tree ---------------------------------------------------------------------------------------------- */

static lv_status find_parents(lv_urdf *robot)
{
    for (int k = 0; k < robot->joints.count; k++) {
        const lv_urdf_joint *joint = &robot->joints.data[k];
        lv_urdf_link *child = &robot->links.data[joint->child];
        if (joint->child == joint->parent)
            return lv_fail_at(robot->err, LV_ERR_MODEL, LV_AT(joint->place),
                              "joint '%s' connects link '%s' to itself", joint->name,
                              child->name);
        if (child->joint >= 0) {
            const lv_status status = lv_fail_at(
                robot->err, LV_ERR_MODEL, LV_AT(joint->place),
                "link '%s' is the child of joint '%s' and of joint '%s'", child->name,
                robot->joints.data[child->joint].name, joint->name);
            lv_error_hint(robot->err,
                          "URDF has no loops: leave '%s' out, and add it as a "
                          "joint to the model",
                          joint->name);
            return status;
        }
        child->joint = k;
    }
    robot->root = -1;
    for (int k = 0; k < robot->links.count; k++) {
        if (robot->links.data[k].joint >= 0)
            continue;
        if (robot->root >= 0)
            return lv_fail_at(robot->err, LV_ERR_MODEL, LV_AT(robot->links.data[k].place),
                              "links '%s' and '%s' have no parent: a robot has one root",
                              robot->links.data[robot->root].name,
                              robot->links.data[k].name);
        robot->root = k;
    }
    return robot->root >= 0
               ? LV_OK
               : lv_fail_at(robot->err, LV_ERR_MODEL, LV_AT(robot->links.data[0].place),
                            "every link has a parent: they form a loop");
}

/* Sorts links so that parents come before children. */
static lv_status sort_links(lv_urdf *robot)
{
    const int count = robot->links.count;
    int done = 1;
    robot->order = lv_arena_alloc(robot->arena, (size_t)count, sizeof *robot->order);
    if (!robot->order)
        return lv_fail_memory(robot->err);
    robot->order[0] = robot->root;
    for (int at = 0; at < done; at++)
        for (int k = 0; k < robot->joints.count; k++)
            if (robot->joints.data[k].parent == robot->order[at])
                robot->order[done++] = robot->joints.data[k].child;
    for (int k = 0; k < count && done < count; k++) {
        bool sorted = false;
        for (int i = 0; i < done; i++)
            sorted = sorted || robot->order[i] == k;
        if (!sorted)
            return lv_fail_at(
                robot->err, LV_ERR_MODEL, LV_AT(robot->links.data[k].place),
                "link '%s' is not connected with the root '%s': its parents form a loop",
                robot->links.data[k].name, robot->links.data[robot->root].name);
    }
    return LV_OK;
}

/* ---- positions of joints ----------------------------------------------------------------------------------- */

static int find_joint(const lv_urdf *robot, const char *name, lv_nearest *nearest)
{
    lv_nearest_start(nearest, name);
    for (int k = 0; k < robot->joints.count; k++) {
        if (strcmp(robot->joints.data[k].name, name) == 0)
            return k;
        lv_nearest_offer(nearest, robot->joints.data[k].name);
    }
    return -1;
}

static lv_status set_positions(lv_urdf *robot, const lv_import_request *request)
{
    for (int k = 0; request && k < request->position_count; k++) {
        lv_nearest nearest;
        const lv_joint_position *p = &request->positions[k];
        const int j = find_joint(robot, p->joint, &nearest);
        if (j < 0) {
            const lv_status status = lv_fail(robot->err, LV_ERR_USAGE,
                                             "the robot has no joint '%s'", p->joint);
            lv_nearest_hint(&nearest, robot->err,
                            "joints are the elements <joint name=\"...\">");
            return status;
        }
        lv_urdf_joint *joint = &robot->joints.data[j];
        if (joint->type > LV_URDF_PRISMATIC)
            return lv_fail(
                robot->err, LV_ERR_USAGE,
                "joint '%s' has no position: it neither turns about an axis nor "
                "slides along one",
                p->joint);
        if (joint->mimics)
            return lv_fail(robot->err, LV_ERR_USAGE,
                           "joint '%s' has no position of its own: it follows '%s'",
                           p->joint, joint->mimics);
        joint->position = p->value;
        joint->is_set = true;
    }
    return LV_OK;
}

static lv_status follow_mimicked(lv_urdf *robot, lv_urdf_joint *joint)
{
    lv_nearest nearest;
    const int leader = find_joint(robot, joint->mimics, &nearest);
    lv_status status = LV_OK;
    if (leader < 0) {
        status = lv_fail_at(robot->err, LV_ERR_MODEL, LV_AT(joint->mimics_place),
                            "there is no joint '%s'", joint->mimics);
        lv_nearest_hint(&nearest, robot->err,
                        "joints are the elements <joint name=\"...\">");
    } else if (joint->type > LV_URDF_PRISMATIC ||
               robot->joints.data[leader].type > LV_URDF_PRISMATIC) {
        status = lv_fail_at(robot->err, LV_ERR_MODEL, LV_AT(joint->mimics_place),
                            "joint '%s' cannot follow '%s': one of them has no position",
                            joint->name, joint->mimics);
    } else if (robot->joints.data[leader].mimics) {
        status = lv_fail_at(robot->err, LV_ERR_MODEL, LV_AT(joint->mimics_place),
                            "joint '%s' follows '%s', which follows a joint itself",
                            joint->name, joint->mimics);
    } else {
        joint->mimic = leader;
        joint->position =
            joint->multiplier * robot->joints.data[leader].position + joint->offset;
    }
    return status;
}

static lv_status place_joints(lv_urdf *robot, const lv_import_request *request)
{
    LV_TRY(set_positions(robot, request));
    for (int k = 0; k < robot->joints.count; k++)
        if (robot->joints.data[k].mimics)
            LV_TRY(follow_mimicked(robot, &robot->joints.data[k]));
    for (int k = 0; k < robot->joints.count; k++) {
        const lv_urdf_joint *j = &robot->joints.data[k];
        const bool limited = j->has_limits && (j->type == LV_URDF_REVOLUTE ||
                                               j->type == LV_URDF_PRISMATIC);
        if (limited && (j->position < j->lower || j->position > j->upper))
            LV_TRY(lv_urdf_say(robot, j->place,
                               "joint '%s' starts at %g, outside of its limits %g to %g",
                               j->name, j->position, j->lower, j->upper));
    }
    return LV_OK;
}

/* The pose of the child's frame in the parent's. */
static lv_pose joint_pose(const lv_urdf_joint *j)
{
    lv_pose motion = {.c = {1, 0, 0, 0}};
    if (j->type == LV_URDF_PRISMATIC)
        for (int k = 0; k < 3; k++)
            motion.r[k] = j->position * j->axis[k];
    if (j->type == LV_URDF_REVOLUTE || j->type == LV_URDF_CONTINUOUS) {
        motion.c[0] = cos(j->position / 2);
        for (int k = 0; k < 3; k++)
            motion.c[k + 1] = sin(j->position / 2) * j->axis[k];
    }
    return lv_pose_product(&j->origin, &motion);
}

/* ---- bodies ------------------------------------------------------------------------------------------------- */

/* Adds masses, centres and inertias (parallel axis theorem). */
static void add_inertial(lv_inertial *to, const lv_inertial *part)
{
    const double mass = to->mass + part->mass;
    const lv_inertial *const parts[] = {to, part};
    lv_inertial sum = {.mass = mass};
    if (!(mass > 0))
        return;
    for (int k = 0; k < 3; k++)
        sum.centre[k] = (to->mass * to->centre[k] + part->mass * part->centre[k]) / mass;
    for (int p = 0; p < 2; p++) {
        double d[3], square = 0;
        for (int k = 0; k < 3; k++) {
            d[k] = parts[p]->centre[k] - sum.centre[k];
            square += d[k] * d[k];
        }
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                sum.tensor[3 * i + k] +=
                    parts[p]->tensor[3 * i + k] +
                    parts[p]->mass * ((i == k ? square : 0) - d[i] * d[k]);
    }
    *to = sum;
}

/* The inertia of a link in the axes of its body. */
static lv_inertial in_body(const lv_urdf *robot, const lv_urdf_link *link)
{
    const lv_urdf_link *body = &robot->links.data[link->body];
    const lv_pose pose = link->local;
    lv_inertial there = {.mass = link->inertial.mass};
    if (link == body)
        return link->inertial;
    lv_pose_turn(&pose, link->inertial.centre, there.centre);
    for (int k = 0; k < 3; k++)
        there.centre[k] += pose.r[k];
    lv_pose_turn_tensor(&pose, link->inertial.tensor, there.tensor);
    return there;
}

static void join_links(lv_urdf *robot)
{
    for (int i = 0; i < robot->links.count; i++) {
        lv_urdf_link *link = &robot->links.data[robot->order[i]];
        link->body = robot->order[i];
        link->start = link->local = (lv_pose){.c = {1, 0, 0, 0}};
        if (link->joint >= 0) {
            const lv_urdf_joint *joint = &robot->joints.data[link->joint];
            const lv_pose pose = joint_pose(joint);
            const lv_urdf_link *parent = &robot->links.data[joint->parent];
            link->start = lv_pose_product(&parent->start, &pose);
            if (joint->type == LV_URDF_FIXED) {
                link->body = parent->body;
                link->local = lv_pose_product(&parent->local, &joint->origin);
            }
        }
        const lv_inertial part = in_body(robot, link);
        lv_inertial *whole = &robot->links.data[link->body].whole;
        if (link->body == robot->order[i] && part.mass > 0)
            *whole = part;
        else
            add_inertial(whole, &part);
    }
}

/* Whether an inertia is physical: tr(J)/2 - J must be a sum of masses times x x^T, so
 * that all its minors are not negative, up to rounding. */
static bool is_physical(const double j[9])
{
    const double half = (j[0] + j[4] + j[8]) / 2, small = 1e-9 * half;
    const double a = half - j[0], b = half - j[4], c = half - j[8];
    const double x = -j[1], y = -j[2], z = -j[5];
    const double det = a * (b * c - z * z) - x * (x * c - y * z) + y * (x * z - b * y);
    return half > 0 && a >= -small && b >= -small && c >= -small &&
           a * b - x * x >= -small * half && a * c - y * y >= -small * half &&
           b * c - z * z >= -small * half && det >= -small * half * half;
}

static lv_status check_inertia(const lv_urdf *robot, const lv_urdf_link *link)
{
    const double *j = link->whole.tensor;
    if (is_physical(j))
        return LV_OK;
    const lv_status status =
        lv_fail_at(robot->err, LV_ERR_MODEL, LV_AT(link->place),
                   "no body has the inertia of link '%s'", link->name);
    lv_error_note(
        robot->err,
        "about its centre of mass: ixx %g, iyy %g, izz %g, ixy %g, ixz %g, iyz %g", j[0],
        j[4], j[8], j[1], j[2], j[5]);
    lv_error_hint(robot->err,
                  "each principal moment is positive, and at most the sum of the "
                  "two others");
    return status;
}

bool lv_urdf_moves(const lv_urdf *robot, int link)
{
    return link != robot->root || robot->floating;
}

/* Bodies without mass at the ends of the tree are left out; elsewhere they are
 * refused. */
static lv_status check_masses(lv_urdf *robot)
{
    int *carried =
        lv_arena_alloc(robot->arena, (size_t)robot->links.count, sizeof *carried);
    if (!carried)
        return lv_fail_memory(robot->err);
    for (int i = robot->links.count - 1; i >= 0; i--) {
        const int k = robot->order[i];
        lv_urdf_link *link = &robot->links.data[k];
        if (link->body != k || !lv_urdf_moves(robot, k))
            continue;
        lv_urdf_joint *joint = link->joint >= 0 ? &robot->joints.data[link->joint] : NULL;
        if (!(link->whole.mass > 0) && (carried[k] > 0 || !joint)) {
            const lv_status status =
                lv_fail_at(robot->err, LV_ERR_MODEL, LV_AT(link->place),
                           "link '%s' moves and has no mass", link->name);
            lv_error_hint(robot->err,
                          joint ? "give it an <inertial>, or make joint '%s' fixed"
                                : "give it an <inertial>; it is the root%s",
                          joint ? joint->name : "");
            return status;
        }
        if (!(link->whole.mass > 0)) {
            link->left_out = joint->left_out = true;
            LV_TRY(
                lv_urdf_say(robot, link->place,
                            "link '%s' and joint '%s' are left out: the link has no mass",
                            link->name, joint->name));
            continue;
        }
        LV_TRY(check_inertia(robot, link));
        if (joint)
            carried[robot->links.data[joint->parent].body]++;
    }
    return LV_OK;
}

static lv_status note_joined(lv_urdf *robot)
{
    for (int i = 0; i < robot->links.count; i++) {
        const lv_urdf_link *link = &robot->links.data[robot->order[i]];
        const lv_urdf_link *body = &robot->links.data[link->body];
        if (!lv_urdf_moves(robot, link->body) && link->inertial.mass > 0)
            LV_TRY(lv_urdf_say(robot, link->place,
                               "link '%s' is the ground: its mass does not matter",
                               link->name));
        else if (link != body && !body->left_out && link->inertial.mass > 0)
            LV_TRY(lv_urdf_say(robot, link->place,
                               "link '%s' is fixed: a part of body '%s'", link->name,
                               body->name));
    }
    return LV_OK;
}

lv_status lv_urdf_place(lv_urdf *robot, const lv_import_request *request)
{
    robot->floating = request && request->floating;
    LV_TRY(find_parents(robot));
    LV_TRY(sort_links(robot));
    LV_TRY(place_joints(robot, request));
    join_links(robot);
    LV_TRY(check_masses(robot));
    return note_joined(robot);
}
