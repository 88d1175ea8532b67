#include "fused/node_free.h"

#include "fused/node_chart.h"
#include "fused/node_vector.h"
#include "group/angle.h"

/* Largest square of a half angle for which sine and cosine come from the series, which is
 * beyond half a turn of any body: omitted terms are below 1e-18. Derivatives are accurate
 * up to LV_ANGLE_SWITCH. */
static const double most_half_square = 12;

void lv_nodes_note_reach(lv_graph *g, lv_node *reach, lv_node s, double most)
{
    const lv_node factor = lv_graph_const(g, 1 / most);
    const lv_node part = lv_graph_mul(g, factor, s);
    *reach = *reach == LV_NODE_NONE
                 ? part
                 : lv_graph_op(g, LV_OP_MAX, *reach, part, LV_NODE_NONE);
}

/* cos t and sin t/t, with s = t^2 */
static void cosine(lv_graph *g, lv_node y[2], lv_node s, lv_node *reach)
{
    const lv_node one = lv_graph_const(g, 1);
    lv_node c[3];
    lv_nodes_of_angle(g, c, s, 0);
    const lv_node rest = lv_graph_mul(g, s, c[1]);
    y[0] = lv_graph_sub(g, one, rest);
    y[1] = c[0];
    lv_nodes_note_reach(g, reach, s, most_half_square);
}

void lv_nodes_exp(lv_graph *g, lv_node q[4], const lv_node x[3], lv_node *reach)
{
    const lv_node quarter = lv_graph_const(g, 0.25), half = lv_graph_const(g, 0.5);
    const lv_node square = lv_nodes_dot(g, x, x, 3);
    const lv_node s = lv_graph_mul(g, quarter, square);
    lv_node y[2];
    cosine(g, y, s, reach);
    const lv_node factor = lv_graph_mul(g, half, y[1]);
    q[0] = y[0];
    for (int i = 0; i < 3; i++)
        q[1 + i] = lv_graph_mul(g, factor, x[i]);
}

/* ---- parts of the motion ----------------------------------------------------------- */

/* A rotation about a coordinate axis: cosine and sine of half its angle. */
typedef struct turn {
    int axis;
    lv_node half[2];
} turn;

/* The parts of a rotation in principal axes, as in group/free.c. */
typedef struct parts {
    const lv_free_body *b;
    lv_graph *g;
    lv_node momentum[3][3];
    lv_node about[3];
    turn turns[3];
} parts;

static lv_node scaled(lv_graph *g, double by, lv_node x)
{
    const lv_node factor = lv_graph_const(g, by);
    return lv_graph_mul(g, factor, x);
}

static turn turn_about(lv_graph *g, int axis, lv_node angle, lv_node *reach)
{
    const lv_node half = scaled(g, 0.5, angle);
    const lv_node s = lv_graph_square(g, half);
    turn t = {.axis = axis};
    cosine(g, t.half, s, reach);
    t.half[1] = lv_graph_mul(g, half, t.half[1]);
    return t;
}

/* Cosine and sine of the whole angle. */
static void whole(lv_graph *g, const turn *t, lv_node y[2])
{
    const lv_node one = lv_graph_const(g, 1);
    const lv_node square = lv_graph_square(g, t->half[1]);
    const lv_node twice = scaled(g, 2, square);
    const lv_node product = lv_graph_mul(g, t->half[0], t->half[1]);
    y[0] = lv_graph_sub(g, one, twice);
    y[1] = scaled(g, 2, product);
}

static void turn_back(lv_graph *g, lv_node y[3], const lv_node a[3], const turn *t)
{
    const int i = (t->axis + 1) % 3, k = (t->axis + 2) % 3;
    lv_node c[2];
    whole(g, t, c);
    const lv_node pair[2] = {a[i], a[k]};
    y[t->axis] = a[t->axis];
    y[i] = lv_nodes_dot(g, c, pair, 2);
    y[k] = lv_nodes_cross_flat(g, c, pair);
}

static void principal(const lv_free_body *b, lv_graph *g, lv_node y[3],
                      const lv_node x[3])
{
    for (int i = 0; i < 3; i++) {
        lv_node axis[3];
        for (int k = 0; k < 3; k++)
            axis[k] = lv_graph_const(g, b->inertia[i] * b->axes[3 * i + k]);
        y[i] = lv_nodes_dot(g, axis, x, 3);
    }
}

static parts parts_of(const lv_free_body *b, lv_graph *g, const lv_node x[3],
                      lv_node *reach)
{
    parts p = {.b = b, .g = g};
    principal(b, g, p.momentum[0], x);
    const lv_node first = scaled(g, 0.5 * b->beside, p.momentum[0][1]);
    p.turns[0] = turn_about(g, 1, first, reach);
    turn_back(g, p.momentum[1], p.momentum[0], &p.turns[0]);
    for (int i = 0; i < 3; i++)
        p.about[i] = scaled(g, 1 / b->inertia[0], p.momentum[1][i]);
    const lv_node second = scaled(g, b->spin, p.momentum[1][2]);
    p.turns[1] = turn_about(g, 2, second, reach);
    turn_back(g, p.momentum[2], p.momentum[1], &p.turns[1]);
    const lv_node third = scaled(g, 0.5 * b->beside, p.momentum[2][1]);
    p.turns[2] = turn_about(g, 1, third, reach);
    return p;
}

/* y = a times a rotation about an axis */
static void multiply(lv_graph *g, lv_node y[4], const lv_node a[4], const turn *t)
{
    lv_node by[4] = {t->half[0]};
    for (int i = 0; i < 3; i++)
        by[1 + i] = i == t->axis ? t->half[1] : lv_graph_const(g, 0);
    lv_nodes_quaternion_multiply(g, y, a, by);
}

void lv_nodes_free_turn(const lv_free_body *b, lv_graph *g, lv_node q[4],
                        const lv_node x[3], lv_node *reach)
{
    const parts p = parts_of(b, g, x, reach);
    lv_node one[4], a[4], c[4], d[4];
    for (int i = 0; i < 4; i++)
        one[i] = lv_graph_const(g, i == 0);
    multiply(g, a, one, &p.turns[0]);
    lv_nodes_exp(g, c, p.about, reach);
    lv_nodes_quaternion_multiply(g, d, a, c);
    multiply(g, c, d, &p.turns[1]);
    multiply(g, d, c, &p.turns[2]);
    q[0] = d[0];
    for (int k = 0; k < 3; k++) {
        lv_node axis[3];
        for (int i = 0; i < 3; i++)
            axis[i] = lv_graph_const(g, b->axes[3 * i + k]);
        q[1 + k] = lv_nodes_dot(g, axis, d + 1, 3);
    }
}

/* ---- the derivative ---------------------------------------------------------------- */

/* The derivative of turn_back by its vector and its angle. */
static void change_back(lv_graph *g, lv_node y[3], const lv_node change[3],
                        const lv_node at[3], const turn *t, lv_node turned)
{
    const int i = (t->axis + 1) % 3, k = (t->axis + 2) % 3;
    turn_back(g, y, change, t);
    const lv_node up = lv_graph_mul(g, turned, at[k]);
    const lv_node down = lv_graph_mul(g, turned, at[i]);
    y[i] = lv_graph_add(g, y[i], up);
    y[k] = lv_graph_sub(g, y[k], down);
}

/* The body velocity of the rotation, in principal axes, for a change of x along y. D and
 * R are those of exp(about). */
static void velocity(const parts *p, lv_node w[3], const lv_node y[3], const lv_node D[9],
                     const lv_node R[9])
{
    const lv_free_body *b = p->b;
    lv_graph *g = p->g;
    lv_node momentum[3], next[3], about[3], d[3];
    principal(b, g, momentum, y);
    const lv_node first = scaled(g, 0.5 * b->beside, momentum[1]);
    change_back(g, next, momentum, p->momentum[1], &p->turns[0], first);
    for (int i = 0; i < 3; i++)
        about[i] = scaled(g, 1 / b->inertia[0], next[i]);
    lv_nodes_apply(g, w, D, about, 3);
    for (int i = 0; i < 3; i++) {
        const lv_node turned = lv_graph_mul(g, R[3 + i], first);
        w[i] = lv_graph_add(g, w[i], turned);
    }
    turn_back(g, d, w, &p->turns[1]);
    const lv_node second = scaled(g, b->spin, next[2]);
    d[2] = lv_graph_add(g, d[2], second);
    change_back(g, momentum, next, p->momentum[2], &p->turns[1], second);
    turn_back(g, w, d, &p->turns[2]);
    const lv_node third = scaled(g, 0.5 * b->beside, momentum[1]);
    w[1] = lv_graph_add(g, w[1], third);
}

/* The tangent of exp: 1 - c1 hat(x) + c2 hat(x)^2 */
static void tangent(lv_graph *g, lv_node m[9], const lv_node x[3], lv_node *reach)
{
    const lv_node s = lv_nodes_dot(g, x, x, 3);
    lv_node c[3], hat[9];
    lv_nodes_of_angle(g, c, s, 0);
    lv_nodes_note_reach(g, reach, s, LV_ANGLE_SWITCH);
    lv_nodes_hat(g, hat, x);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const lv_node turned = lv_graph_mul(g, c[1], hat[3 * i + k]);
            const lv_node product = lv_graph_mul(g, x[i], x[k]);
            const lv_node along = lv_graph_mul(g, c[2], product);
            m[3 * i + k] = lv_graph_sub(g, along, turned);
            if (i == k)
                m[3 * i + k] = lv_graph_add(g, m[3 * i + k], c[0]);
        }
}

void lv_nodes_free_slope(const lv_free_body *b, lv_graph *g, lv_node m[9],
                         const lv_node x[3], lv_node *reach)
{
    const parts p = parts_of(b, g, x, reach);
    lv_node D[9], R[9], q[4];
    tangent(g, D, p.about, reach);
    lv_nodes_exp(g, q, p.about, reach);
    lv_nodes_quaternion_matrix(g, R, q);
    for (int j = 0; j < 3; j++) {
        lv_node y[3], w[3];
        for (int i = 0; i < 3; i++)
            y[i] = lv_graph_const(g, i == j);
        velocity(&p, w, y, D, R);
        for (int i = 0; i < 3; i++) {
            lv_node axis[3];
            for (int k = 0; k < 3; k++)
                axis[k] = lv_graph_const(g, b->axes[3 * k + i]);
            m[3 * i + j] = lv_nodes_dot(g, axis, w, 3);
        }
    }
}
