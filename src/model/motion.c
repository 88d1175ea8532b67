#include "model/motion.h"

#include <math.h>

int lv_model_tangents(const lv_model *m)
{
    return m->motion ? m->motion->tangents : m->coordinate_count;
}

/* ---- which coordinates turn ------------------------------------------------------------------------ */

bool lv_group_is_axis(const lv_model *m, int group)
{
    const lv_group *g = &m->groups.data[group];
    return g->item->nature == LV_NATURE_DIRECTION && g->length == 3;
}

/* The number of an axis of a body, whose axes are declared one after the other. */
static int axis_number(const lv_model *m, int group)
{
    int axes = 0;
    while (axes <= group && lv_group_is_axis(m, group - axes))
        axes++;
    return (axes - 1) % 3;
}

/* Whether the group is the angle or the first axis of a body. */
static bool stands_for_body(const lv_model *m, int group)
{
    const lv_item *item = m->groups.data[group].item;
    return item->is_inner && item->origin &&
           (item->nature == LV_NATURE_ANGLE ||
            (lv_group_is_axis(m, group) && axis_number(m, group) == 0));
}

/* Whether the group is the centre of mass of a body. It is declared before the axes or
 * the angle; a body with a pivot has none. */
static bool is_centre(const lv_model *m, int group)
{
    const lv_item *item = m->groups.data[group].item;
    return group + 1 < m->groups.count && item->is_inner && item->origin &&
           item->nature == LV_NATURE_PLAIN && stands_for_body(m, group + 1) &&
           m->groups.data[group + 1].item->origin == item->origin;
}

lv_part_of_pose lv_part_of(const lv_model *m, int group, bool coupled)
{
    if (lv_group_is_axis(m, group)) {
        const int axis = axis_number(m, group);
        return (lv_part_of_pose){LV_IS_AXIS, group - axis, axis};
    }
    if (coupled && is_centre(m, group))
        return (lv_part_of_pose){LV_IS_CENTRE, group + 1, 0};
    if (coupled && stands_for_body(m, group) && group > 0 && is_centre(m, group - 1))
        return (lv_part_of_pose){LV_IS_ANGLE, group, 0};
    return (lv_part_of_pose){LV_NO_PART, -1, 0};
}

bool lv_model_has_poses(const lv_model *m, bool coupled)
{
    for (int k = 0; k < m->groups.count; k++)
        if (lv_part_of(m, k, coupled).role != LV_NO_PART)
            return true;
    return false;
}

/* ---- numbers ------------------------------------------------------------------------------------------ */

/* The group of the centre of mass of a body; -1: it does not move on the group. */
static int centre_of(const lv_model *m, int body, bool coupled)
{
    return coupled && body > 0 && is_centre(m, body - 1) ? body - 1 : -1;
}

int lv_member_first(const lv_model *m, int group, int member)
{
    const lv_group *g = &m->groups.data[group];
    return g->first + member * lv_group_width(g);
}

static lv_pose pose_of(const lv_model *m, lv_motion *x, int body, int centre, int member)
{
    const bool space = lv_group_is_axis(m, body);
    const int turns = space ? 3 : 1, moves = centre < 0 ? 0 : space ? 3 : 2;
    lv_pose p = {.group = !space       ? &lv_se2
                          : centre < 0 ? &lv_so3
                                       : &lv_se3,
                 .axis = {-1, -1, -1},
                 .angle = space ? -1 : lv_member_first(m, body, member),
                 .centre = centre < 0 ? -1 : lv_member_first(m, centre, member),
                 .quaternion = space ? x->quaternions++ : -1};
    for (int k = 0; space && k < 3; k++)
        p.axis[k] = lv_member_first(m, body + k, member);
    for (int k = 0; k < turns; k++)
        p.tangent[k] = x->tangent[lv_member_first(m, body, member) + k];
    for (int k = 0; k < moves; k++)
        p.tangent[turns + k] = x->tangent[p.centre + k];
    return p;
}

static void add_poses(const lv_model *m, lv_motion *x)
{
    for (int g = 0; g < m->groups.count; g++) {
        const lv_part_of_pose part = lv_part_of(m, g, x->coupled);
        if (part.body != g)
            continue;
        const int centre = centre_of(m, g, x->coupled);
        for (int i = 0; i < m->groups.data[g].count; i++) {
            const lv_pose pose = pose_of(m, x, g, centre, i);
            for (int k = 0; k < pose.group->tangent; k++) {
                x->pose_of[pose.tangent[k]] = x->pose_count;
                x->within[pose.tangent[k]] = k;
            }
            x->poses[x->pose_count++] = pose;
        }
    }
}

static void number_tangents(const lv_model *m, lv_motion *x)
{
    for (int g = 0; g < m->groups.count; g++) {
        const lv_group *group = &m->groups.data[g];
        const lv_part_of_pose part = lv_part_of(m, g, x->coupled);
        const int size = group->count * lv_group_width(group);
        for (int k = 0; k < size; k++) {
            const bool none = part.role == LV_IS_AXIS && part.axis > 0;
            x->tangent[group->first + k] = none ? -1 : x->tangents;
            x->pose_of[x->tangents] = -1;
            x->place[x->tangents] = part.role == LV_IS_AXIS ? -1 : group->first + k;
            x->tangents += !none;
        }
    }
}

lv_status lv_motion_make(lv_model *m, bool coupled, lv_error *err)
{
    const size_t n = (size_t)m->coordinate_count + 1;
    lv_motion *x = lv_arena_alloc(&m->arena, 1, sizeof *x);
    if (!x)
        return lv_fail_memory(err);
    x->coupled = coupled;
    x->tangent = lv_arena_alloc(&m->arena, n, sizeof *x->tangent);
    x->place = lv_arena_alloc(&m->arena, n, sizeof *x->place);
    x->pose_of = lv_arena_alloc(&m->arena, n, sizeof *x->pose_of);
    x->within = lv_arena_alloc(&m->arena, n, sizeof *x->within);
    x->poses = lv_arena_alloc(&m->arena, n / 3 + 1, sizeof *x->poses);
    x->row = lv_arena_alloc(&m->arena, (size_t)m->row_count[LV_ROLE_HOLONOMIC] + 1,
                            sizeof *x->row);
    if (!x->tangent || !x->place || !x->pose_of || !x->within || !x->poses || !x->row)
        return lv_fail_memory(err);
    number_tangents(m, x);
    add_poses(m, x);
    m->motion = x;
    return LV_OK;
}

/* ---- velocities ---------------------------------------------------------------------------------------- */

/* Axis a of a body, component i. */
static double axis_component(const lv_pose *p, const double *q, int a, int i)
{
    if (p->angle < 0)
        return q[p->axis[a] + i];
    return a == i ? cos(q[p->angle]) : (a == 0 ? 1 : -1) * sin(q[p->angle]);
}

static void velocity_to_body(const lv_pose *p, double *tangents, const double *q,
                             const double *v)
{
    const int size = p->angle < 0 ? 3 : 2, turns = p->angle < 0 ? 3 : 1;
    for (int a = 0; p->angle < 0 && a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        double sum = 0;
        for (int i = 0; i < 3; i++)
            sum += q[p->axis[c] + i] * v[p->axis[b] + i] -
                   q[p->axis[b] + i] * v[p->axis[c] + i];
        tangents[p->tangent[a]] = 0.5 * sum;
    }
    for (int a = 0; p->centre >= 0 && a < size; a++) {
        double sum = 0;
        for (int i = 0; i < size; i++)
            sum += axis_component(p, q, a, i) * v[p->centre + i];
        tangents[p->tangent[turns + a]] = sum;
    }
}

void lv_motion_tangents(const lv_motion *x, double *tangents, const double *q,
                        const double *v)
{
    for (int i = 0; i < x->tangents; i++)
        if (x->place[i] >= 0)
            tangents[i] = v[x->place[i]];
    for (int k = 0; k < x->pose_count; k++)
        velocity_to_body(&x->poses[k], tangents, q, v);
}

static void velocity_to_space(const lv_pose *p, double *v, const double *q,
                              const double *tangents)
{
    const int size = p->angle < 0 ? 3 : 2, turns = p->angle < 0 ? 3 : 1;
    for (int a = 0; p->angle < 0 && a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        const double wb = tangents[p->tangent[b]], wc = tangents[p->tangent[c]];
        for (int i = 0; i < 3; i++)
            v[p->axis[a] + i] = wc * q[p->axis[b] + i] - wb * q[p->axis[c] + i];
    }
    for (int i = 0; p->centre >= 0 && i < size; i++) {
        double sum = 0;
        for (int a = 0; a < size; a++)
            sum += axis_component(p, q, a, i) * tangents[p->tangent[turns + a]];
        v[p->centre + i] = sum;
    }
}

void lv_motion_velocities(const lv_motion *x, double *v, int coordinates, const double *q,
                          const double *tangents)
{
    for (int k = 0; k < coordinates; k++)
        v[k] = x->tangent[k] < 0 ? 0 : tangents[x->tangent[k]];
    for (int k = 0; k < x->pose_count; k++)
        velocity_to_space(&x->poses[k], v, q, tangents);
}
