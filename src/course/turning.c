#include "course/turning.h"

#include "group/quaternion.h"
#include "num/rotation.h"

#include <math.h>
#include <string.h>

/* ---- positions --------------------------------------------------------------------- */

/* Whether the body only rotates on its group, so3. Its quaternion and its tangents then
 * stand side by side in positions and vectors, and are used where they are. */
static bool is_rotation(const lv_pose *p)
{
    return p->angle < 0 && p->centre < 0;
}

/* The numbers of a body in a vector with one number per tangent, in `own` if they have to
 * be copied; NULL for NULL. */
static const double *take(const lv_pose *p, double *own, const double *x)
{
    if (!x)
        return NULL;
    if (is_rotation(p))
        return x + p->tangent[0];
    for (int k = 0; k < p->group->tangent; k++)
        own[k] = x[p->tangent[k]];
    return own;
}

static void put(const lv_pose *p, double *x, const double *own)
{
    if (is_rotation(p))
        memcpy(x + p->tangent[0], own, 3 * sizeof *own);
    else
        for (int k = 0; k < p->group->tangent; k++)
            x[p->tangent[k]] = own[k];
}

/* Index of the quaternion of a body in positions. */
static ptrdiff_t quaternion_of(const lv_turning *t, const lv_pose *p)
{
    return t->coordinates + (ptrdiff_t)4 * p->quaternion;
}

/* The group element of a body in a position, in `g` if it has to be copied; NULL for
 * NULL. */
static const double *element_of(const lv_turning *t, const lv_pose *p, double *g,
                                const double *q)
{
    int at = 0;
    if (!q)
        return NULL;
    if (is_rotation(p))
        return q + quaternion_of(t, p);
    if (p->angle >= 0)
        g[at++] = q[p->angle];
    for (int i = 0; p->angle < 0 && i < 4; i++)
        g[at++] = q[quaternion_of(t, p) + i];
    for (int i = 0; p->centre >= 0 && i < (p->angle < 0 ? 3 : 2); i++)
        g[at++] = q[p->centre + i];
    return g;
}

/* Writes the axes of a body from its quaternion. */
static void put_axes(const lv_pose *p, double *q, const double *g)
{
    double m[9];
    lv_quaternion_matrix(m, g);
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++)
            q[p->axis[a] + i] = m[3 * i + a];
}

static void put_element(const lv_turning *t, const lv_pose *p, double *q, const double *g)
{
    int at = 0;
    if (p->angle >= 0) {
        q[p->angle] = g[at++];
    } else {
        put_axes(p, q, g);
        memcpy(q + quaternion_of(t, p), g, 4 * sizeof *g);
        at = 4;
    }
    for (int i = 0; p->centre >= 0 && i < (p->angle < 0 ? 3 : 2); i++)
        q[p->centre + i] = g[at++];
}

/* Moves all positions by tau(x), or by free rotation. */
static void move(const lv_turning *t, lv_turn_of op, double *out, const double *q,
                 const double *x)
{
    const lv_motion *m = t->motion;
    for (int i = 0; i < m->tangents; i++)
        if (m->place[i] >= 0)
            out[m->place[i]] = q[m->place[i]] + x[i];
    for (int k = 0; k < m->pose_count; k++) {
        const lv_pose *p = &m->poses[k];
        double room[LV_LIE_ELEMENT], to[LV_LIE_ELEMENT], own[LV_LIE_TANGENT], turn[4];
        const double *g = element_of(t, p, room, q), *by = take(p, own, x);
        if (op == LV_TURN_DRIFT) {
            lv_free_body_turn(&t->bodies[k], turn, by);
            lv_quaternion_product(to, g, turn);
        } else {
            lv_lie_group_move(p->group, t->chart, to, g, by);
        }
        put_element(t, p, out, to);
    }
}

void lv_turning_complete(const lv_turning *t, double *q)
{
    for (int k = 0; k < t->motion->pose_count; k++) {
        const lv_pose *p = &t->motion->poses[k];
        if (p->angle >= 0)
            continue;
        double axes[9], g[4], *to = q + quaternion_of(t, p), along = 0, size = 0;
        for (int a = 0; a < 3; a++)
            memcpy(axes + (ptrdiff_t)3 * a, q + p->axis[a], 3 * sizeof *axes);
        lv_quaternion_of_axes(g, axes);
        for (int i = 0; i < 4; i++) {
            along += g[i] * to[i];
            size += g[i] * g[i];
        }
        for (int i = 0; i < 4; i++)
            to[i] = (along < 0 ? -1 : 1) * g[i] / sqrt(size);
        put_axes(p, q, to);
    }
}

/* ---- operators --------------------------------------------------------------------- */

/* Applies an operator for one body, whose own numbers are g, x, v and w. */
static void apply_one(const lv_lie_group *group, lv_chart chart, lv_turn_of op,
                      double *out, const double *g, const double *x, const double *v,
                      const double *w)
{
    switch (op) {
    case LV_TURN_D:
        group->D(chart, out, x, v);
        break;
    case LV_TURN_DT:
        group->DT(chart, out, x, w);
        break;
    case LV_TURN_DTM:
        lv_lie_group_DTm(group, chart, out, x, w);
        break;
    case LV_TURN_B:
        group->B(chart, out, x, v, w);
        break;
    case LV_TURN_SPACE:
        group->space(out, g, w);
        break;
    case LV_TURN_BODY:
        group->body(out, g, w);
        break;
    case LV_TURN_MOVE:
    case LV_TURN_DRIFT:
    case LV_TURN_NONE:
        break;
    }
}

void lv_turning_apply(const lv_turning *t, lv_turn_of op, double *out,
                      lv_turn_arguments x)
{
    const lv_motion *m = t->motion;
    if (op == LV_TURN_MOVE || op == LV_TURN_DRIFT) {
        move(t, op, out, x[LV_ARG_Q], x[LV_ARG_V0]);
        return;
    }
    const double *plain = op == LV_TURN_D ? x[LV_ARG_V] : x[LV_ARG_W];
    const size_t size = (size_t)m->tangents * sizeof *out;
    if (op == LV_TURN_B)
        memset(out, 0, size);
    else
        memcpy(out, plain, size);
    for (int k = 0; k < m->pose_count; k++) {
        const lv_pose *p = &m->poses[k];
        double g[LV_LIE_ELEMENT], own[4][LV_LIE_TANGENT];
        apply_one(p->group, t->chart, op, own[3], element_of(t, p, g, x[LV_ARG_Q]),
                  take(p, own[0], x[LV_ARG_V0]), take(p, own[1], x[LV_ARG_V]),
                  take(p, own[2], x[LV_ARG_W]));
        put(p, out, own[3]);
    }
}

/* ---- derivatives ------------------------------------------------------------------- */

static void transpose(double *m, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++) {
            const double x = m[n * i + k];
            m[n * i + k] = m[n * k + i];
            m[n * k + i] = x;
        }
}

static const double *minus(const lv_lie_group *group, double *to, const double *x)
{
    for (int k = 0; k < group->tangent; k++)
        to[k] = -x[k];
    return to;
}

/* The derivative by x, the argument of the chart. */
static void slope_by_x(const lv_lie_group *group, lv_chart chart, lv_turn_of op,
                       double *m, const double *x, const double *v, const double *w)
{
    if (op == LV_TURN_MOVE)
        group->D_matrix(chart, m, x);
    else if (op == LV_TURN_D)
        group->D_slope(chart, m, x, v);
    else if (op == LV_TURN_DT)
        group->DT_slope(chart, m, x, w);
    else if (op == LV_TURN_DTM)
        lv_lie_group_DTm_slope(group, chart, m, x, w);
    else
        group->hessian(chart, m, x, v, w);
}

/* The derivative by the velocity or the momentum. */
static void slope_by_vector(const lv_lie_group *group, lv_chart chart, lv_turn_of op,
                            lv_argument by, double *m, const double *x, const double *v,
                            const double *w)
{
    double other[LV_LIE_TANGENT];
    if (op == LV_TURN_B && by == LV_ARG_V)
        group->DT_slope(chart, m, x, w);
    else if (op == LV_TURN_B)
        group->D_slope(chart, m, x, v);
    else if (op == LV_TURN_DTM)
        group->D_matrix(chart, m, minus(group, other, x));
    else
        group->D_matrix(chart, m, x);
    if (op != LV_TURN_D)
        transpose(m, group->tangent);
}

static void slope_one(const lv_lie_group *group, lv_chart chart, lv_turn_of op,
                      lv_argument by, double *m, const double *g, const double *x,
                      const double *v, const double *w)
{
    if (op == LV_TURN_MOVE && by == LV_ARG_Q) {
        double other[LV_LIE_TANGENT];
        lv_lie_group_Ad_tau(group, chart, m, minus(group, other, x));
    } else if (op == LV_TURN_SPACE && by == LV_ARG_Q) {
        lv_lie_group_space_slope(group, m, g, w);
    } else if (op == LV_TURN_SPACE) {
        lv_lie_group_space_matrix(group, m, g);
    } else if (op == LV_TURN_BODY && by == LV_ARG_Q) {
        lv_lie_group_body_slope(group, m, g, w);
    } else if (op == LV_TURN_BODY) {
        lv_lie_group_body_matrix(group, m, g);
    } else if (by == LV_ARG_V0) {
        slope_by_x(group, chart, op, m, x, v, w);
    } else {
        slope_by_vector(group, chart, op, by, m, x, v, w);
    }
}

/* The derivative of free rotation; by the position it is the inverse rotation. */
static void slope_of_drift(const lv_free_body *body, lv_argument by, double *m,
                           const double *x)
{
    double g[4];
    if (by == LV_ARG_V0) {
        lv_free_body_slope(body, m, x);
        return;
    }
    lv_free_body_turn(body, g, x);
    lv_so3.Ad(m, g);
    transpose(m, 3);
}

void lv_turning_slope(const lv_turning *t, lv_turn_of op, lv_argument by, double *blocks,
                      lv_turn_arguments x)
{
    const lv_motion *m = t->motion;
    for (int k = 0; k < m->pose_count; k++) {
        const lv_pose *p = &m->poses[k];
        double g[LV_LIE_ELEMENT], own[3][LV_LIE_TANGENT];
        if (op == LV_TURN_DRIFT) {
            slope_of_drift(&t->bodies[k], by, blocks + (ptrdiff_t)LV_POSE_BLOCK * k,
                           take(p, own[0], x[LV_ARG_V0]));
            continue;
        }
        slope_one(p->group, t->chart, op, by, blocks + (ptrdiff_t)LV_POSE_BLOCK * k,
                  element_of(t, p, g, x[LV_ARG_Q]), take(p, own[0], x[LV_ARG_V0]),
                  take(p, own[1], x[LV_ARG_V]), take(p, own[2], x[LV_ARG_W]));
    }
}

bool lv_turning_is_plain(lv_turn_of op, lv_argument by)
{
    return op == LV_TURN_MOVE || op == LV_TURN_DRIFT ||
           (op != LV_TURN_B && by != LV_ARG_V0 && by != LV_ARG_Q);
}

/* ---- angles ------------------------------------------------------------------------ */

/* Numbers of rotations come first. */
double lv_turning_rate(const lv_turning *t, int pose, const double *v)
{
    const lv_pose *p = &t->motion->poses[pose];
    double own[LV_LIE_TANGENT] = {0};
    const double *w = take(p, own, v);
    return p->angle >= 0 ? fabs(w[0]) : sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
}

/* The vector part of the quaternion between both positions has the sine of half the angle
 * as norm. */
double lv_turning_angle(const lv_turning *t, int pose, const double *from,
                        const double *to)
{
    const lv_pose *p = &t->motion->poses[pose];
    double room[2][LV_LIE_ELEMENT], back[4], g[4];
    const double *a = element_of(t, p, room[0], from), *b = element_of(t, p, room[1], to);
    if (p->angle >= 0)
        return fabs(b[0] - a[0]);
    lv_so3.inverse(back, a);
    lv_so3.compose(g, back, b);
    return 2 * atan2(sqrt(g[1] * g[1] + g[2] * g[2] + g[3] * g[3]), fabs(g[0]));
}

/* The angle is below 1 if the scalar product of both unit quaternions, which is the
 * cosine of half the angle, exceeds cos(1/2) = 0.87758. */
bool lv_turning_is_small(const lv_turning *t, int pose, const double *from,
                         const double *to)
{
    const lv_pose *p = &t->motion->poses[pose];
    double room[2][LV_LIE_ELEMENT];
    const double *a = element_of(t, p, room[0], from), *b = element_of(t, p, room[1], to);
    return p->angle >= 0
               ? fabs(b[0] - a[0]) < 1
               : fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]) > 0.8776;
}
