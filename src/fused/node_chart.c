#include "fused/node_chart.h"

#include "base/memory.h"
#include "expr/diff.h"
#include "expr/import.h"
#include "fused/node_vector.h"
#include "group/angle.h"

#include <string.h>

enum { MOST = LV_LIE_TANGENT, FUNCTIONS = 3 * LV_ANGLE_ORDERS, MOST_NODES = 100000 };

struct lv_node_chart {
    const lv_lie_group *group;
    lv_chart chart;
    lv_graph *graph;
    lv_node x[MOST], e[MOST], w[MOST]; /* inputs Q, V and W */
    lv_node f[FUNCTIONS];              /* inputs Y: functions of the angle */
    lv_node part[LV_CHART_PARTS][MOST * MOST];
};

/* ---- functions of the angle -------------------------------------------------------- */

/* Even and odd powers are summed separately: the two sums do not depend on each other. */
static lv_node power_series(lv_graph *g, const double *c, lv_node s, lv_node ss)
{
    lv_node sum[2];
    for (int odd = 0; odd < 2; odd++) {
        int k = LV_ANGLE_TERMS - 2 + odd;
        sum[odd] = lv_graph_const(g, c[k]);
        for (k -= 2; k >= 0; k -= 2) {
            const lv_node term = lv_graph_const(g, c[k]);
            const lv_node before = lv_graph_mul(g, sum[odd], ss);
            sum[odd] = lv_graph_add(g, before, term);
        }
    }
    const lv_node odd = lv_graph_mul(g, sum[1], s);
    return lv_graph_add(g, sum[0], odd);
}

void lv_nodes_of_angle(lv_graph *g, lv_node *c, lv_node s, int order)
{
    const lv_node ss = lv_graph_square(g, s), one = lv_graph_const(g, 1);
    lv_node upper = power_series(g, lv_angle_series[0], s, ss);
    for (int k = 0; k <= order; k++) {
        const lv_node number = lv_graph_const(g, 3 + 2 * k);
        c[3 * k + 2] = upper;
        upper = power_series(g, lv_angle_series[k + 1], s, ss);
        const lv_node a = lv_graph_mul(g, number, c[3 * k + 2]);
        const lv_node b = lv_graph_mul(g, s, upper);
        c[3 * k + 1] = lv_graph_add(g, a, b);
    }
    const lv_node rest = lv_graph_mul(g, s, c[2]);
    c[0] = lv_graph_sub(g, one, rest);
    for (int k = 0; k < order; k++)
        c[3 * k + 3] = lv_graph_sub(g, c[3 * k + 2], c[3 * k + 1]);
}

/* k = 4/(4 + s), which takes the place of c0. With ' = (1/t) d/dt: k' = -k^2/2, k'' =
 * k^3/2, k''' = -3 k^4/4. */
static void fractions(lv_graph *g, lv_node *c, lv_node s, int order)
{
    static const double factor[LV_ANGLE_ORDERS] = {1, -0.5, 0.5, -0.75};
    const lv_node four = lv_graph_const(g, 4);
    const lv_node below = lv_graph_add(g, four, s);
    const lv_node k = lv_graph_div(g, four, below);
    lv_node power = k;
    for (int i = 0; i <= order; i++) {
        const lv_node by = lv_graph_const(g, factor[i]);
        lv_node *to = c + (ptrdiff_t)3 * i;
        to[0] = lv_graph_mul(g, by, power);
        to[1] = to[2] = LV_NODE_NONE;
        power = lv_graph_mul(g, power, k);
    }
}

/* ---- the number -------------------------------------------------------------------- */

/* The number of tangents on which the angle depends: all three of a rotation in space,
 * the first one in the plane. */
static int angles_of(const lv_lie_group *group)
{
    return group->axes == 3 ? 3 : 1;
}

/* f[0] m.e + f[1] w.(e x m) + f[2] (w.e)(w.m); functions that are LV_NODE_NONE are 0 */
static lv_node axial(lv_graph *g, const lv_node f[3], const lv_node *w, const lv_node *e,
                     const lv_node *m)
{
    const lv_node flat = lv_nodes_dot(g, m, e, 3);
    lv_node sum = lv_graph_mul(g, f[0], flat), axis[3];
    lv_nodes_cross(g, axis, e, m);
    const lv_node line = lv_nodes_dot(g, w, axis, 3);
    const lv_node turned = lv_graph_mul(g, f[1], line);
    sum = lv_graph_add(g, sum, turned);
    if (f[2] == LV_NODE_NONE)
        return sum;
    const lv_node we = lv_nodes_dot(g, w, e, 3);
    const lv_node wm = lv_nodes_dot(g, w, m, 3);
    const lv_node along = lv_graph_mul(g, f[2], we);
    const lv_node last = lv_graph_mul(g, along, wm);
    return lv_graph_add(g, sum, last);
}

/* m.D(x)e with the tangent D of the chart of SO(3). */
static lv_node turn(const lv_node_chart *c, const lv_node *e, const lv_node *m)
{
    lv_graph *g = c->graph;
    const lv_node by = lv_graph_const(g, c->chart == LV_CHART_EXP ? -1 : -0.5);
    const bool exp = c->chart == LV_CHART_EXP;
    const lv_node f[3] = {c->f[0], lv_graph_mul(g, by, c->f[exp ? 1 : 0]),
                          exp ? c->f[2] : LV_NODE_NONE};
    return axial(g, f, c->x, e, m);
}

/* The derivatives of formulas by x. The derivative of a function of the angle is the next
 * function times x. */
static void derive(const lv_node_chart *c, lv_node *out, const lv_node *of, int count)
{
    lv_graph *g = c->graph;
    const int n = c->group->tangent, known = FUNCTIONS - 3;
    lv_node by_f[MOST * FUNCTIONS];
    lv_diff_jacobian(g, out, of, count, c->x, n);
    lv_diff_jacobian(g, by_f, of, count, c->f, known);
    for (int i = 0; i < count; i++) {
        lv_node sum = lv_graph_const(g, 0);
        for (int k = 0; k < known; k++) {
            const lv_node term = lv_graph_mul(g, by_f[i * known + k], c->f[k + 3]);
            sum = lv_graph_add(g, sum, term);
        }
        for (int j = 0; j < angles_of(c->group); j++) {
            const lv_node term = lv_graph_mul(g, sum, c->x[j]);
            out[i * n + j] = lv_graph_add(g, out[i * n + j], term);
        }
    }
}

/* se3 (group/se3.c) */
static lv_node space_number(const lv_node_chart *c)
{
    lv_graph *g = c->graph;
    const lv_node *v = c->x + 3, *e = c->e, *m = c->w;
    const lv_node half = lv_graph_const(g, 0.5);
    if (c->chart == LV_CHART_EXP) {
        const lv_node first = turn(c, e, m);
        const lv_node second = turn(c, e + 3, m + 3);
        const lv_node mixed = turn(c, e, m + 3);
        lv_node slope[MOST];
        derive(c, slope, &mixed, 1);
        const lv_node third = lv_nodes_dot(g, slope, v, 3);
        const lv_node sum = lv_graph_add(g, first, second);
        return lv_graph_add(g, sum, third);
    }
    lv_node both[3];
    lv_nodes_cross(g, both, v, m + 3);
    for (int i = 0; i < 3; i++) {
        const lv_node part = lv_graph_mul(g, half, both[i]);
        both[i] = lv_graph_add(g, m[i], part);
    }
    const lv_node first = turn(c, e, both);
    const lv_node minus = lv_graph_const(g, -0.5), quarter = lv_graph_const(g, 0.25);
    const lv_node line = lv_graph_mul(g, minus, c->f[0]);
    const lv_node outer = lv_graph_mul(g, quarter, c->f[0]);
    const lv_node f[3] = {c->f[0], line, outer};
    const lv_node second = axial(g, f, c->x, e + 3, m + 3);
    return lv_graph_add(g, first, second);
}

/* se2 (group/se2.c): f m1 e1 + u (m2 e2 + m3 e3) + r (m2 e3 - m3 e2) + e1 [ y (m2 a + m3
 * b) + v (m3 a - m2 b) ] */
static lv_node plane_number(const lv_node_chart *c)
{
    lv_graph *g = c->graph;
    const bool exp = c->chart == LV_CHART_EXP;
    const lv_node *x = c->x, *e = c->e, *m = c->w;
    const lv_node half = lv_graph_const(g, 0.5), one = lv_graph_const(g, 1);
    const lv_node v = exp ? c->f[1] : lv_graph_mul(g, half, c->f[0]);
    const lv_node r = lv_graph_mul(g, x[0], v);
    const lv_node y = exp ? lv_graph_mul(g, x[0], c->f[2]) : lv_graph_const(g, 0);
    const lv_node straight = lv_nodes_dot(g, m + 1, x + 1, 2);
    const lv_node across = lv_nodes_cross_flat(g, x + 1, m + 1);
    const lv_node turned = lv_graph_mul(g, exp ? one : c->f[0], m[0]);
    const lv_node ahead = lv_graph_mul(g, y, straight);
    const lv_node aside = lv_graph_mul(g, v, across);
    const lv_node moved = lv_graph_add(g, ahead, aside);
    const lv_node all = lv_graph_add(g, turned, moved);
    const lv_node first = lv_graph_mul(g, e[0], all);
    const lv_node even = lv_nodes_dot(g, m + 1, e + 1, 2);
    const lv_node odd = lv_nodes_cross_flat(g, m + 1, e + 1);
    const lv_node second = lv_graph_mul(g, c->f[0], even);
    const lv_node third = lv_graph_mul(g, r, odd);
    const lv_node sum = lv_graph_add(g, first, second);
    return lv_graph_add(g, sum, third);
}

static lv_node number_of(const lv_node_chart *c)
{
    return c->group == &lv_so3   ? turn(c, c->e, c->w)
           : c->group == &lv_se3 ? space_number(c)
                                 : plane_number(c);
}

/* ---- creation ---------------------------------------------------------------------- */

static void name_inputs(lv_node_chart *c)
{
    for (int k = 0; k < c->group->tangent; k++) {
        c->x[k] = lv_graph_input(c->graph, LV_INPUT_Q, k);
        c->e[k] = lv_graph_input(c->graph, LV_INPUT_V, k);
        c->w[k] = lv_graph_input(c->graph, LV_INPUT_W, k);
    }
    for (int k = 0; k < FUNCTIONS; k++)
        c->f[k] = lv_graph_input(c->graph, LV_INPUT_Y, k);
}

static void derive_parts(lv_node_chart *c)
{
    const int n = c->group->tangent;
    lv_node(*part)[MOST * MOST] = c->part;
    name_inputs(c);
    const lv_node number = number_of(c);
    lv_diff_gradient(c->graph, part[LV_CHART_D], number, c->w, n);
    lv_diff_gradient(c->graph, part[LV_CHART_DT], number, c->e, n);
    lv_diff_jacobian(c->graph, part[LV_CHART_MATRIX], part[LV_CHART_D], n, c->e, n);
    derive(c, part[LV_CHART_B], &number, 1);
    derive(c, part[LV_CHART_D_SLOPE], part[LV_CHART_D], n);
    derive(c, part[LV_CHART_DT_SLOPE], part[LV_CHART_DT], n);
    derive(c, part[LV_CHART_HESSIAN], part[LV_CHART_B], n);
    /* the Hessian is symmetric: both halves differ only in rounding */
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            part[LV_CHART_HESSIAN][i * n + k] = part[LV_CHART_HESSIAN][k * n + i];
}

lv_node_chart *lv_node_chart_create(const lv_lie_group *group, lv_chart chart)
{
    lv_node_chart *c = lv_memory_zeroed(1, sizeof *c);
    if (!c)
        return NULL;
    *c = (lv_node_chart){
        .group = group, .chart = chart, .graph = lv_graph_create(MOST_NODES)};
    if (c->graph)
        derive_parts(c);
    if (c->graph && lv_graph_status(c->graph) == LV_OK)
        return c;
    lv_node_chart_free(c);
    return NULL;
}

void lv_node_chart_free(lv_node_chart *c)
{
    if (!c)
        return;
    lv_graph_free(c->graph);
    lv_memory_free(c);
}

/* ---- use --------------------------------------------------------------------------- */

/* The order of the derivatives of functions that a part contains. D of se3 itself
 * contains a derivative of D of so3. */
static int order_of(const lv_node_chart *c, lv_chart_part part)
{
    static const int order[LV_CHART_PARTS] = {
        [LV_CHART_B] = 1,
        [LV_CHART_D_SLOPE] = 1,
        [LV_CHART_DT_SLOPE] = 1,
        [LV_CHART_HESSIAN] = 2,
    };
    return order[part] + (c->group == &lv_se3 && c->chart == LV_CHART_EXP);
}

void lv_node_chart_put(const lv_node_chart *c, lv_graph *g, lv_chart_part part,
                       lv_node *out, const lv_node *x, const lv_node *e, const lv_node *w)
{
    const int n = c->group->tangent;
    const bool vector = part == LV_CHART_D || part == LV_CHART_DT || part == LV_CHART_B;
    lv_node f[FUNCTIONS];
    const lv_node *inputs[LV_INPUT_KINDS] = {
        [LV_INPUT_Q] = x, [LV_INPUT_V] = e, [LV_INPUT_W] = w, [LV_INPUT_Y] = f};
    const lv_node s = lv_nodes_dot(g, x, x, angles_of(c->group));
    if (c->chart == LV_CHART_EXP)
        lv_nodes_of_angle(g, f, s, order_of(c, part));
    else
        fractions(g, f, s, order_of(c, part));
    lv_graph_import(g, out, c->graph, c->part[part], vector ? n : n * n, inputs);
}
