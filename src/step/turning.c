#include "step/turning.h"

#include <math.h>
#include <string.h>

static const lv_lie_group *const so3 = &lv_so3;

/* ---- positions ------------------------------------------------------------------------------------------ */

/* The axes of a body, as its quaternion has them. */
static void put_axes(const lv_rotation *r, double *q, const double *g)
{
    double m[9];
    so3->rotation(m, g);
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++)
            q[r->axis[a] + i] = m[3 * i + a];
}

/* By tau(x), or by free motion. */
static void move(const lv_turning *t, lv_turn_of op, double *out, const double *q,
                 const double *x)
{
    const lv_motion *m = t->motion;
    for (int i = 0; i < m->tangents; i++)
        if (m->place[i] >= 0)
            out[m->place[i]] = q[m->place[i]] + x[i];
    for (int k = 0; k < m->rotation_count; k++) {
        const ptrdiff_t at = t->coordinates + (ptrdiff_t)4 * k;
        double *g = out + at, turn[4];
        const double *by = x + m->rotations[k].tangent;
        if (op == LV_TURN_DRIFT) {
            lv_free_body_turn(&t->bodies[k], turn, by);
            so3->compose(g, q + at, turn);
        } else {
            lv_lie_group_move(so3, t->chart, g, q + at, by);
        }
        put_axes(&m->rotations[k], out, g);
    }
}

/* The quaternion of a rotation matrix; the largest of its four numbers is found first. */
static void find_quaternion(double *g, const double *m)
{
    const double trace = m[0] + m[4] + m[8];
    const double size[4] = {trace, m[0], m[4], m[8]};
    int best = 0;
    for (int k = 1; k < 4; k++)
        best = size[k] > size[best] ? k : best;
    const double twice = best == 0 ? sqrt(1 + trace) : sqrt(1 + 2 * size[best] - trace),
                 f = 0.5 / twice;
    if (best == 0) {
        g[0] = 0.5 * twice;
        g[1] = f * (m[7] - m[5]);
        g[2] = f * (m[2] - m[6]);
        g[3] = f * (m[3] - m[1]);
        return;
    }
    const int a = best - 1, b = (a + 1) % 3, c = (a + 2) % 3;
    g[1 + a] = 0.5 * twice;
    g[0] = f * (m[3 * c + b] - m[3 * b + c]);
    g[1 + b] = f * (m[3 * b + a] + m[3 * a + b]);
    g[1 + c] = f * (m[3 * c + a] + m[3 * a + c]);
}

void lv_turning_complete(const lv_turning *t, double *q)
{
    for (int k = 0; k < t->motion->rotation_count; k++) {
        const lv_rotation *r = &t->motion->rotations[k];
        double m[9], g[4], *to = q + t->coordinates + (ptrdiff_t)4 * k, along = 0,
                           size = 0;
        for (int a = 0; a < 3; a++)
            for (int i = 0; i < 3; i++)
                m[3 * i + a] = q[r->axis[a] + i];
        find_quaternion(g, m);
        for (int i = 0; i < 4; i++) {
            along += g[i] * to[i];
            size += g[i] * g[i];
        }
        for (int i = 0; i < 4; i++)
            to[i] = (along < 0 ? -1 : 1) * g[i] / sqrt(size);
        put_axes(r, q, to);
    }
}

/* ---- operators -------------------------------------------------------------------------------------------- */

/* One body; q, x, v, w are its own numbers. */
static void apply_one(lv_chart chart, lv_turn_of op, double *out, const double *g,
                      const double *x, const double *v, const double *w)
{
    switch (op) {
    case LV_TURN_D:
        so3->D(chart, out, x, v);
        break;
    case LV_TURN_DT:
        so3->DT(chart, out, x, w);
        break;
    case LV_TURN_DTM:
        lv_lie_group_DTm(so3, chart, out, x, w);
        break;
    case LV_TURN_B:
        so3->B(chart, out, x, v, w);
        break;
    case LV_TURN_SPACE:
        so3->space(out, g, w);
        break;
    case LV_TURN_BODY:
        so3->body(out, g, w);
        break;
    case LV_TURN_MOVE:
    case LV_TURN_DRIFT:
    case LV_TURN_NONE:
        break;
    }
}

static const double *at(const double *x, int first)
{
    return x ? x + first : NULL;
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
    for (int i = 0; i < m->tangents; i++)
        out[i] = op == LV_TURN_B ? 0 : plain[i];
    for (int k = 0; k < m->rotation_count; k++) {
        const int first = m->rotations[k].tangent;
        apply_one(t->chart, op, out + first, at(x[LV_ARG_Q], t->coordinates + 4 * k),
                  at(x[LV_ARG_V0], first), at(x[LV_ARG_V], first),
                  at(x[LV_ARG_W], first));
    }
}

/* ---- derivatives -------------------------------------------------------------------------------------------- */

static void transpose(double *m)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < i; k++) {
            const double x = m[3 * i + k];
            m[3 * i + k] = m[3 * k + i];
            m[3 * k + i] = x;
        }
}

static void D_of_minus(lv_chart chart, double *m, const double *x)
{
    const double minus[3] = {-x[0], -x[1], -x[2]};
    so3->D_matrix(chart, m, minus);
}

/* By x, the argument of the chart. */
static void slope_by_x(lv_chart chart, lv_turn_of op, double *m, const double *x,
                       const double *v, const double *w)
{
    if (op == LV_TURN_MOVE)
        so3->D_matrix(chart, m, x);
    else if (op == LV_TURN_D)
        so3->D_slope(chart, m, x, v);
    else if (op == LV_TURN_DT)
        so3->DT_slope(chart, m, x, w);
    else if (op == LV_TURN_DTM)
        lv_lie_group_DTm_slope(so3, chart, m, x, w);
    else
        so3->hessian(chart, m, x, v, w);
}

/* By the velocity or the momentum. */
static void slope_by_vector(lv_chart chart, lv_turn_of op, lv_argument by, double *m,
                            const double *x, const double *v, const double *w)
{
    if (op == LV_TURN_B && by == LV_ARG_V)
        so3->DT_slope(chart, m, x, w);
    else if (op == LV_TURN_B)
        so3->D_slope(chart, m, x, v);
    else if (op == LV_TURN_DTM)
        D_of_minus(chart, m, x);
    else
        so3->D_matrix(chart, m, x);
    if (op != LV_TURN_D)
        transpose(m);
}

static void slope_one(lv_chart chart, lv_turn_of op, lv_argument by, double *m,
                      const double *g, const double *x, const double *v, const double *w)
{
    if (op == LV_TURN_MOVE && by == LV_ARG_Q) {
        const double minus[3] = {-x[0], -x[1], -x[2]};
        lv_lie_group_Ad_tau(so3, chart, m, minus);
    } else if (op == LV_TURN_SPACE && by == LV_ARG_Q) {
        lv_lie_group_space_slope(so3, m, g, w);
    } else if (op == LV_TURN_SPACE) {
        lv_lie_group_space_matrix(so3, m, g);
    } else if (op == LV_TURN_BODY && by == LV_ARG_Q) {
        lv_lie_group_body_slope(so3, m, g, w);
    } else if (op == LV_TURN_BODY) {
        lv_lie_group_body_matrix(so3, m, g);
    } else if (by == LV_ARG_V0) {
        slope_by_x(chart, op, m, x, v, w);
    } else {
        slope_by_vector(chart, op, by, m, x, v, w);
    }
}

/* Of free motion: by the position it is the rotation back. */
static void slope_of_drift(const lv_free_body *body, lv_argument by, double *m,
                           const double *x)
{
    double g[4];
    if (by == LV_ARG_V0) {
        lv_free_body_slope(body, m, x);
        return;
    }
    lv_free_body_turn(body, g, x);
    so3->Ad(m, g);
    transpose(m);
}

void lv_turning_slope(const lv_turning *t, lv_turn_of op, lv_argument by, double *blocks,
                      lv_turn_arguments x)
{
    const lv_motion *m = t->motion;
    for (int k = 0; k < m->rotation_count; k++) {
        const int first = m->rotations[k].tangent;
        if (op == LV_TURN_DRIFT) {
            slope_of_drift(&t->bodies[k], by, blocks + (ptrdiff_t)9 * k,
                           x[LV_ARG_V0] + first);
            continue;
        }
        slope_one(t->chart, op, by, blocks + (ptrdiff_t)9 * k,
                  at(x[LV_ARG_Q], t->coordinates + 4 * k), at(x[LV_ARG_V0], first),
                  at(x[LV_ARG_V], first), at(x[LV_ARG_W], first));
    }
}

bool lv_turning_is_plain(lv_turn_of op, lv_argument by)
{
    return op == LV_TURN_MOVE || op == LV_TURN_DRIFT ||
           (op != LV_TURN_B && by != LV_ARG_V0 && by != LV_ARG_Q);
}
