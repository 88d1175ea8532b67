#include "fused/node_turning.h"

#include "fused/node_free.h"
#include "fused/node_vector.h"
#include "group/angle.h"

#include <string.h>

/* The arguments of an operator for one body; those that it does not have are
 * LV_NODE_NONE. */
typedef struct body {
    lv_node_turning *t;
    lv_graph *g;
    const lv_pose *pose;
    const lv_lie_group *group;
    int number, n;
    lv_node element[LV_LIE_ELEMENT], x[LV_LIE_TANGENT], v[LV_LIE_TANGENT],
        w[LV_LIE_TANGENT];
} body;

static void take(const lv_pose *p, lv_node *own, const lv_node *x)
{
    for (int k = 0; k < p->group->tangent; k++)
        own[k] = x ? x[p->tangent[k]] : LV_NODE_NONE;
}

/* Number of nodes of the rotation in an element: an angle, or a quaternion. */
static int rotation_size(const lv_pose *p)
{
    return p->angle >= 0 ? 1 : 4;
}

static int centre_size(const lv_pose *p)
{
    return p->centre < 0 ? 0 : p->angle >= 0 ? 2 : 3;
}

/* The index in a position of number k of an element. */
static int place_in(const lv_turning *t, const lv_pose *p, int k)
{
    const int turned = rotation_size(p);
    return k >= turned     ? p->centre + k - turned
           : p->angle >= 0 ? p->angle
                           : t->coordinates + 4 * p->quaternion + k;
}

static body body_of(lv_node_turning *t, int number, lv_turn_nodes x)
{
    const lv_pose *p = &t->turning->motion->poses[number];
    body b = {.t = t,
              .g = t->graph,
              .pose = p,
              .group = p->group,
              .number = number,
              .n = p->group->tangent};
    for (int k = 0; x[LV_ARG_Q] && k < p->group->element; k++)
        b.element[k] = x[LV_ARG_Q][place_in(t->turning, p, k)];
    take(p, b.x, x[LV_ARG_V0]);
    take(p, b.v, x[LV_ARG_V]);
    take(p, b.w, x[LV_ARG_W]);
    return b;
}

/* ---- charts ------------------------------------------------------------------------ */

/* Bodies of one group share a chart. */
static const lv_node_chart *chart_of(const body *b)
{
    lv_node_chart **charts = b->t->charts;
    const lv_pose *poses = b->t->turning->motion->poses;
    int first = 0;
    while (poses[first].group != b->group)
        first++;
    if (!charts[first])
        charts[first] = lv_node_chart_create(b->group, b->t->turning->chart);
    if (!charts[first])
        lv_graph_give_up(b->g, LV_ERR_MEMORY);
    return charts[first];
}

static void put_part(const body *b, lv_chart_part part, lv_node *out, const lv_node *x)
{
    const lv_node_chart *chart = chart_of(b);
    if (chart)
        lv_node_chart_put(chart, b->g, part, out, x, b->v, b->w);
    if (b->t->turning->chart != LV_CHART_EXP)
        return;
    const lv_node s = lv_nodes_dot(b->g, b->x, b->x, b->group->axes == 3 ? 3 : 1);
    lv_nodes_note_reach(b->g, &b->t->reach, s, LV_ANGLE_SWITCH);
}

static void negate(lv_graph *g, lv_node *y, const lv_node *x, int n)
{
    for (int k = 0; k < n; k++)
        y[k] = lv_graph_neg(g, x[k]);
}

static void transpose(lv_node *m, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++) {
            const lv_node x = m[n * i + k];
            m[n * i + k] = m[n * k + i];
            m[n * k + i] = x;
        }
}

/* ---- elements ---------------------------------------------------------------------- */

static void scale(lv_graph *g, lv_node *y, const lv_node *x, lv_node by, int n)
{
    for (int k = 0; k < n; k++)
        y[k] = lv_graph_mul(g, by, x[k]);
}

/* The quaternion of a chart of SO(3). */
static void chart_quaternion(const body *b, lv_node q[4], const lv_node *x)
{
    lv_graph *g = b->g;
    if (b->t->turning->chart == LV_CHART_EXP) {
        lv_nodes_exp(g, q, x, &b->t->reach);
        return;
    }
    const lv_node one = lv_graph_const(g, 1), half = lv_graph_const(g, 0.5),
                  quarter = lv_graph_const(g, 0.25);
    const lv_node square = lv_nodes_dot(g, x, x, 3);
    const lv_node part = lv_graph_mul(g, quarter, square);
    const lv_node sum = lv_graph_add(g, one, part);
    const lv_node root = lv_graph_op(g, LV_OP_SQRT, sum, LV_NODE_NONE, LV_NODE_NONE);
    q[0] = lv_graph_div(g, one, root);
    const lv_node factor = lv_graph_mul(g, half, q[0]);
    scale(g, q + 1, x, factor, 3);
}

static lv_node chart_angle(const body *b, const lv_node *x)
{
    lv_graph *g = b->g;
    if (b->t->turning->chart == LV_CHART_EXP)
        return x[0];
    const lv_node half = lv_graph_const(g, 0.5), two = lv_graph_const(g, 2);
    const lv_node tangent = lv_graph_mul(g, half, x[0]);
    const lv_node angle = lv_graph_op(g, LV_OP_ATAN, tangent, LV_NODE_NONE, LV_NODE_NONE);
    return lv_graph_mul(g, two, angle);
}

/* tau(x). Its displacement is the displacement part of D(-x), times that of x. */
static void chart_element(const body *b, lv_node *to, const lv_node *x)
{
    const int turned = rotation_size(b->pose), moved = centre_size(b->pose);
    if (b->pose->angle >= 0)
        to[0] = chart_angle(b, x);
    else
        chart_quaternion(b, to, x);
    if (moved == 0)
        return;
    lv_node back[LV_LIE_TANGENT], matrix[LV_POSE_BLOCK];
    negate(b->g, back, x, b->n);
    put_part(b, LV_CHART_MATRIX, matrix, back);
    const int first = b->n - moved;
    for (int i = 0; i < moved; i++)
        to[turned + i] = lv_nodes_dot(
            b->g, matrix + (ptrdiff_t)b->n * (first + i) + first, x + first, moved);
}

/* The matrix of a rotation, in the plane or in space. */
static void rotation_matrix(const body *b, lv_node *r, const lv_node *element)
{
    lv_graph *g = b->g;
    if (b->pose->angle < 0) {
        lv_nodes_quaternion_matrix(g, r, element);
        return;
    }
    r[0] = r[3] = lv_graph_op(g, LV_OP_COS, element[0], LV_NODE_NONE, LV_NODE_NONE);
    r[2] = lv_graph_op(g, LV_OP_SIN, element[0], LV_NODE_NONE, LV_NODE_NONE);
    r[1] = lv_graph_neg(g, r[2]);
}

/* a b, renormalised */
static void compose(const body *b, lv_node *to, const lv_node *a, const lv_node *by)
{
    const int turned = rotation_size(b->pose), moved = centre_size(b->pose);
    if (b->pose->angle >= 0)
        to[0] = lv_graph_add(b->g, a[0], by[0]);
    else
        lv_nodes_quaternion_product(b->g, to, a, by);
    if (moved == 0)
        return;
    lv_node r[9], shift[3];
    rotation_matrix(b, r, a);
    lv_nodes_apply(b->g, shift, r, by + turned, moved);
    for (int i = 0; i < moved; i++)
        to[turned + i] = lv_graph_add(b->g, a[turned + i], shift[i]);
}

static void put_element(const body *b, lv_node *q, const lv_node *element)
{
    const lv_turning *t = b->t->turning;
    lv_node r[9];
    for (int k = 0; k < b->group->element; k++)
        q[place_in(t, b->pose, k)] = element[k];
    if (b->pose->angle >= 0)
        return;
    lv_nodes_quaternion_matrix(b->g, r, element);
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++)
            q[b->pose->axis[a] + i] = r[3 * i + a];
}

static void move(lv_node_turning *t, lv_turn_of op, lv_node *out, lv_turn_nodes x)
{
    const lv_motion *m = t->turning->motion;
    for (int i = 0; i < m->tangents; i++)
        if (m->place[i] >= 0)
            out[m->place[i]] =
                lv_graph_add(t->graph, x[LV_ARG_Q][m->place[i]], x[LV_ARG_V0][i]);
    for (int k = 0; k < m->pose_count; k++) {
        const body b = body_of(t, k, x);
        lv_node by[LV_LIE_ELEMENT], to[LV_LIE_ELEMENT];
        if (op == LV_TURN_DRIFT) {
            lv_nodes_free_turn(&t->turning->bodies[k], b.g, by, b.x, &t->reach);
        } else {
            chart_element(&b, by, b.x);
        }
        compose(&b, to, b.element, by);
        put_element(&b, out, to);
    }
}

/* ---- momenta ----------------------------------------------------------------------- */

/* Copies a block, or its transpose, into a matrix. */
static void place(lv_node *m, int n, int row, int column, const lv_node *block, int size,
                  bool transposed)
{
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            m[n * (row + i) + column + j] =
                block[transposed ? size * j + i : size * i + j];
}

static void clear(lv_graph *g, lv_node *m, int n)
{
    for (int k = 0; k < n * n; k++)
        m[k] = lv_graph_const(g, 0);
}

/* Ad of an element: (R, 0; hat(p) R, R); in the plane (1, 0; (py, -px), R) */
static void adjoint(const body *b, lv_node *m, const lv_node *element)
{
    lv_graph *g = b->g;
    const lv_node *p = element + rotation_size(b->pose);
    lv_node r[9], hat[9], product[9];
    clear(g, m, b->n);
    if (b->n == 1) {
        m[0] = lv_graph_const(g, 1);
        return;
    }
    rotation_matrix(b, r, element);
    if (b->pose->angle >= 0) {
        m[0] = lv_graph_const(g, 1);
        m[3] = p[1];
        m[6] = lv_graph_neg(g, p[0]);
        place(m, 3, 1, 1, r, 2, false);
        return;
    }
    place(m, b->n, 0, 0, r, 3, false);
    if (b->n == 3)
        return;
    lv_nodes_hat(g, hat, p);
    lv_nodes_product(g, product, hat, r, 3);
    place(m, 6, 3, 0, product, 3, false);
    place(m, 6, 3, 3, r, 3, false);
}

static void inverse(const body *b, lv_node *to, const lv_node *element)
{
    lv_graph *g = b->g;
    const int turned = rotation_size(b->pose), moved = centre_size(b->pose);
    lv_node r[9], shift[3];
    if (b->pose->angle < 0)
        to[0] = element[0];
    for (int k = b->pose->angle < 0; k < turned; k++)
        to[k] = lv_graph_neg(g, element[k]);
    if (moved == 0)
        return;
    rotation_matrix(b, r, element);
    lv_nodes_apply_transposed(g, shift, r, element + turned, moved);
    negate(g, to + turned, shift, moved);
}

/* Body momenta are Ad_g^T times spatial ones; spatial momenta are the transposed Ad of
 * the inverse times body momenta. */
static void momentum_matrix(const body *b, lv_turn_of op, lv_node *m)
{
    lv_node other[LV_LIE_ELEMENT];
    if (op == LV_TURN_SPACE)
        inverse(b, other, b->element);
    adjoint(b, m, op == LV_TURN_SPACE ? other : b->element);
    transpose(m, b->n);
}

/* The matrix of y -> ad_y^T w (group/se3.c, group/se2.c) */
static void coadjoint(const body *b, lv_node *m, const lv_node *w)
{
    lv_graph *g = b->g;
    lv_node hat[9];
    clear(g, m, b->n);
    if (b->n == 1)
        return;
    if (b->pose->angle >= 0) {
        m[1] = lv_graph_neg(g, w[2]);
        m[2] = w[1];
        m[3] = w[2];
        m[6] = lv_graph_neg(g, w[1]);
        return;
    }
    lv_nodes_hat(g, hat, w);
    place(m, b->n, 0, 0, hat, 3, false);
    if (b->n == 3)
        return;
    lv_nodes_hat(g, hat, w + 3);
    place(m, 6, 0, 3, hat, 3, false);
    place(m, 6, 3, 0, hat, 3, false);
}

/* The derivative by the position of body(g, w); and of space(g, w), which is minus
 * space(g, ad_y^T w). */
static void momentum_slope(const body *b, lv_turn_of op, lv_node *m)
{
    lv_graph *g = b->g;
    lv_node at[LV_POSE_BLOCK], turned[LV_LIE_TANGENT], other[LV_POSE_BLOCK];
    momentum_matrix(b, op, at);
    if (op == LV_TURN_BODY) {
        lv_nodes_apply(g, turned, at, b->w, b->n);
        coadjoint(b, m, turned);
        return;
    }
    coadjoint(b, other, b->w);
    lv_nodes_product(g, m, at, other, b->n);
    negate(g, m, m, b->n * b->n);
}

/* ---- operators --------------------------------------------------------------------- */

static void apply_one(const body *b, lv_turn_of op, lv_node *out)
{
    lv_node other[LV_POSE_BLOCK];
    switch (op) {
    case LV_TURN_D:
        put_part(b, LV_CHART_D, out, b->x);
        break;
    case LV_TURN_DT:
        put_part(b, LV_CHART_DT, out, b->x);
        break;
    case LV_TURN_DTM:
        negate(b->g, other, b->x, b->n);
        put_part(b, LV_CHART_DT, out, other);
        break;
    case LV_TURN_B:
        put_part(b, LV_CHART_B, out, b->x);
        break;
    case LV_TURN_SPACE:
    case LV_TURN_BODY:
        momentum_matrix(b, op, other);
        lv_nodes_apply(b->g, out, other, b->w, b->n);
        break;
    case LV_TURN_MOVE:
    case LV_TURN_DRIFT:
    case LV_TURN_NONE:
        break;
    }
}

void lv_node_turning_apply(lv_node_turning *t, lv_turn_of op, lv_node *out,
                           lv_turn_nodes x)
{
    const lv_motion *m = t->turning->motion;
    if (op == LV_TURN_MOVE || op == LV_TURN_DRIFT) {
        move(t, op, out, x);
        return;
    }
    const lv_node *plain = op == LV_TURN_D ? x[LV_ARG_V] : x[LV_ARG_W];
    for (int i = 0; i < m->tangents; i++)
        out[i] = op == LV_TURN_B ? lv_graph_const(t->graph, 0) : plain[i];
    for (int k = 0; k < m->pose_count; k++) {
        const body b = body_of(t, k, x);
        lv_node own[LV_LIE_TANGENT];
        apply_one(&b, op, own);
        for (int i = 0; i < b.n; i++)
            out[b.pose->tangent[i]] = own[i];
    }
}

/* ---- derivatives ------------------------------------------------------------------- */

/* The derivative of moving by x, or of free rotation, by the position: Ad of the inverse
 * motion. */
static void position_slope(const body *b, lv_turn_of op, lv_node *m)
{
    lv_node by[LV_LIE_ELEMENT], back[LV_LIE_ELEMENT];
    if (op == LV_TURN_DRIFT)
        lv_nodes_free_turn(&b->t->turning->bodies[b->number], b->g, by, b->x,
                           &b->t->reach);
    else
        chart_element(b, by, b->x);
    inverse(b, back, by);
    adjoint(b, m, back);
}

static void chart_slope(const body *b, lv_turn_of op, lv_node *m)
{
    lv_node other[LV_LIE_TANGENT];
    if (op == LV_TURN_DTM) {
        negate(b->g, other, b->x, b->n);
        put_part(b, LV_CHART_DT_SLOPE, m, other);
        negate(b->g, m, m, b->n * b->n);
        return;
    }
    const lv_chart_part part = op == LV_TURN_MOVE ? LV_CHART_MATRIX
                               : op == LV_TURN_D  ? LV_CHART_D_SLOPE
                               : op == LV_TURN_DT ? LV_CHART_DT_SLOPE
                                                  : LV_CHART_HESSIAN;
    put_part(b, part, m, b->x);
}

static void vector_slope(const body *b, lv_turn_of op, lv_argument by, lv_node *m)
{
    lv_node other[LV_LIE_TANGENT];
    if (op == LV_TURN_DTM)
        negate(b->g, other, b->x, b->n);
    const lv_chart_part part = op != LV_TURN_B  ? LV_CHART_MATRIX
                               : by == LV_ARG_V ? LV_CHART_DT_SLOPE
                                                : LV_CHART_D_SLOPE;
    put_part(b, part, m, op == LV_TURN_DTM ? other : b->x);
    if (op != LV_TURN_D)
        transpose(m, b->n);
}

static void slope_one(const body *b, lv_turn_of op, lv_argument by, lv_node *m)
{
    const bool momentum = op == LV_TURN_SPACE || op == LV_TURN_BODY;
    if (momentum && by == LV_ARG_Q)
        momentum_slope(b, op, m);
    else if (momentum)
        momentum_matrix(b, op, m);
    else if (by == LV_ARG_Q)
        position_slope(b, op, m);
    else if (op == LV_TURN_DRIFT)
        lv_nodes_free_slope(&b->t->turning->bodies[b->number], b->g, m, b->x,
                            &b->t->reach);
    else if (by == LV_ARG_V0)
        chart_slope(b, op, m);
    else
        vector_slope(b, op, by, m);
}

void lv_node_turning_slope(lv_node_turning *t, lv_turn_of op, lv_argument by,
                           lv_node *blocks, lv_turn_nodes x)
{
    for (int k = 0; k < t->turning->motion->pose_count; k++) {
        const body b = body_of(t, k, x);
        slope_one(&b, op, by, blocks + (ptrdiff_t)LV_POSE_BLOCK * k);
    }
}

void lv_node_turning_done(lv_node_turning *t)
{
    const lv_motion *m = t->turning ? t->turning->motion : NULL;
    for (int k = 0; t->charts && m && k < m->pose_count; k++)
        lv_node_chart_free(t->charts[k]);
}
