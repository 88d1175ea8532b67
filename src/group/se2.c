/* SE(2): poses in the plane, element (angle, px, py), tangent x = (w, a, b) (theory 10.4).
 *
 * Displacements are complex numbers z = a + i b. Both charts have the tangent
 *   D(x) e = (f e1,  (u - i r) z_e + (y + i v) z e1)
 * with real functions of w that all follow from those of the angle:
 *   exp   f = 1,  u = c0,  r = w c1,   y = w c2,  v = c1
 *   cay   f = k,  u = k,   r = w k/2,  y = 0,     v = k/2,     k = 4/(4 + w^2)
 * so that
 *   m.D e = f m1 e1 + u (m2 e2 + m3 e3) + r (m2 e3 - m3 e2)
 *         + e1 [ y (m2 a + m3 b) + v (m3 a - m2 b) ]. */
#include <math.h>

#include "group/angle.h"
#include "group/group.h"

/* A function of w with its first and second derivative */
typedef struct jet {
    double d[3];
} jet;

typedef struct tangent {
    jet f, u, r, y, v;
} tangent;

/* c(w^2) and w c(w^2) from c and its derivatives by (1/w) d/dw */
static jet even(const double c[3], double w, double factor)
{
    const double slope = w * c[1], bend = c[1] + w * w * c[2];
    return (jet){{factor * c[0], factor * slope, factor * bend}};
}

static jet odd(const double c[3], double w, double factor)
{
    const double s = w * w;
    const double slope = c[0] + s * c[1], bend = w * (3 * c[1] + s * c[2]);
    return (jet){{factor * w * c[0], factor * slope, factor * bend}};
}

static tangent tangent_at(lv_chart chart, double w)
{
    if (chart == LV_CHART_EXP) {
        lv_angle angle;
        lv_angle_at(&angle, w * w, 2);
        return (tangent){.f = {{1}},
                         .u = even(angle.c0, w, 1),
                         .r = odd(angle.c1, w, 1),
                         .y = odd(angle.c2, w, 1),
                         .v = even(angle.c1, w, 1)};
    }
    const double k = 4 / (4 + w * w);
    const double c[3] = {k, -k * k / 2, k * k * k / 2};
    return (tangent){.f = even(c, w, 1),
                     .u = even(c, w, 1),
                     .r = odd(c, w, 0.5),
                     .v = even(c, w, 0.5)};
}

/* ---- charts ---- */

/* The displacement is (u + i r) z with the functions of the tangent. */
static void tau(lv_chart chart, double *g, const double *x)
{
    const tangent t = tangent_at(chart, x[0]);
    const double u = t.u.d[0], r = t.r.d[0];
    g[0] = chart == LV_CHART_EXP ? x[0] : 2 * atan(0.5 * x[0]);
    g[1] = u * x[1] - r * x[2];
    g[2] = r * x[1] + u * x[2];
}

static void tau_inverse(lv_chart chart, double *x, const double *g)
{
    x[0] = chart == LV_CHART_EXP ? g[0] : 2 * tan(0.5 * g[0]);
    const tangent t = tangent_at(chart, x[0]);
    const double u = t.u.d[0], r = t.r.d[0], square = u * u + r * r;
    x[1] = (u * g[1] + r * g[2]) / square;
    x[2] = (u * g[2] - r * g[1]) / square;
}

/* ---- tangents of charts ---- */

static void D_matrix(lv_chart chart, double *m, const double *x)
{
    const tangent t = tangent_at(chart, x[0]);
    const double u = t.u.d[0], r = t.r.d[0], y = t.y.d[0], v = t.v.d[0];
    m[0] = t.f.d[0], m[1] = 0, m[2] = 0;
    m[3] = y * x[1] - v * x[2], m[4] = u, m[5] = r;
    m[6] = v * x[1] + y * x[2], m[7] = -r, m[8] = u;
}

static void D(lv_chart chart, double *y, const double *x, const double *e)
{
    double m[9];
    D_matrix(chart, m, x);
    y[0] = m[0] * e[0];
    y[1] = m[3] * e[0] + m[4] * e[1] + m[5] * e[2];
    y[2] = m[6] * e[0] + m[7] * e[1] + m[8] * e[2];
}

static void DT(lv_chart chart, double *y, const double *x, const double *w)
{
    double m[9];
    D_matrix(chart, m, x);
    y[0] = m[0] * w[0] + m[3] * w[1] + m[6] * w[2];
    y[1] = m[4] * w[1] + m[7] * w[2];
    y[2] = m[5] * w[1] + m[8] * w[2];
}

/* The number m.D(x)e with the functions' derivatives of order k: its k-th derivative by w */
static double form(const tangent *t, int k, const double *x, const double *e,
                   const double *m)
{
    const double straight = m[1] * x[1] + m[2] * x[2], across = m[2] * x[1] - m[1] * x[2];
    return t->f.d[k] * m[0] * e[0] + t->u.d[k] * (m[1] * e[1] + m[2] * e[2]) +
           t->r.d[k] * (m[1] * e[2] - m[2] * e[1]) +
           e[0] * (t->y.d[k] * straight + t->v.d[k] * across);
}

static void B(lv_chart chart, double *y, const double *x, const double *e,
              const double *w)
{
    const tangent t = tangent_at(chart, x[0]);
    y[0] = form(&t, 1, x, e, w);
    y[1] = e[0] * (t.y.d[0] * w[1] + t.v.d[0] * w[2]);
    y[2] = e[0] * (t.y.d[0] * w[2] - t.v.d[0] * w[1]);
}

static void hessian(lv_chart chart, double *m, const double *x, const double *e,
                    const double *w)
{
    const tangent t = tangent_at(chart, x[0]);
    m[0] = form(&t, 2, x, e, w);
    m[1] = m[3] = e[0] * (t.y.d[1] * w[1] + t.v.d[1] * w[2]);
    m[2] = m[6] = e[0] * (t.y.d[1] * w[2] - t.v.d[1] * w[1]);
    m[4] = m[5] = m[7] = m[8] = 0;
}

static void D_slope(lv_chart chart, double *m, const double *x, const double *e)
{
    const tangent t = tangent_at(chart, x[0]);
    const double u = t.u.d[1], r = t.r.d[1], y = t.y.d[1], v = t.v.d[1];
    m[0] = t.f.d[1] * e[0], m[1] = 0, m[2] = 0;
    m[3] = u * e[1] + r * e[2] + e[0] * (y * x[1] - v * x[2]);
    m[6] = u * e[2] - r * e[1] + e[0] * (v * x[1] + y * x[2]);
    m[4] = m[8] = e[0] * t.y.d[0];
    m[7] = e[0] * t.v.d[0];
    m[5] = -m[7];
}

static void DT_slope(lv_chart chart, double *m, const double *x, const double *w)
{
    const tangent t = tangent_at(chart, x[0]);
    const double u = t.u.d[1], r = t.r.d[1], y = t.y.d[1], v = t.v.d[1];
    m[0] = t.f.d[1] * w[0] + y * (w[1] * x[1] + w[2] * x[2]) +
           v * (w[2] * x[1] - w[1] * x[2]);
    m[1] = t.y.d[0] * w[1] + t.v.d[0] * w[2];
    m[2] = t.y.d[0] * w[2] - t.v.d[0] * w[1];
    m[3] = u * w[1] - r * w[2];
    m[6] = u * w[2] + r * w[1];
    m[4] = m[5] = m[7] = m[8] = 0;
}

/* ---- group ---- */

static void compose(double *g, const double *a, const double *b)
{
    const double c = cos(a[0]), s = sin(a[0]);
    g[0] = a[0] + b[0];
    g[1] = a[1] + (c * b[1] - s * b[2]);
    g[2] = a[2] + (s * b[1] + c * b[2]);
}

static void inverse(double *g, const double *a)
{
    const double c = cos(a[0]), s = sin(a[0]);
    g[0] = -a[0];
    g[1] = -(c * a[1] + s * a[2]);
    g[2] = s * a[1] - c * a[2];
}

static void rotation(double *r, const double *g)
{
    const double c = cos(g[0]), s = sin(g[0]);
    r[0] = c, r[1] = -s;
    r[2] = s, r[3] = c;
}

static void Ad(double *m, const double *g)
{
    const double c = cos(g[0]), s = sin(g[0]);
    m[0] = 1, m[1] = 0, m[2] = 0;
    m[3] = g[2], m[4] = c, m[5] = -s;
    m[6] = -g[1], m[7] = s, m[8] = c;
}

static void ad(double *m, const double *x)
{
    m[0] = m[1] = m[2] = m[4] = m[8] = 0;
    m[3] = x[2], m[5] = -x[0];
    m[6] = -x[1], m[7] = x[0];
}

static void coad(double *m, const double *w)
{
    m[0] = m[4] = m[5] = m[7] = m[8] = 0;
    m[1] = -w[2], m[2] = w[1];
    m[3] = w[2], m[6] = -w[1];
}

static void space(double *y, const double *g, const double *w)
{
    const double c = cos(g[0]), s = sin(g[0]);
    y[1] = c * w[1] - s * w[2];
    y[2] = s * w[1] + c * w[2];
    y[0] = w[0] + (g[1] * y[2] - g[2] * y[1]);
}

static void body(double *y, const double *g, const double *w)
{
    const double c = cos(g[0]), s = sin(g[0]);
    y[0] = w[0] - (g[1] * w[2] - g[2] * w[1]);
    y[1] = c * w[1] + s * w[2];
    y[2] = c * w[2] - s * w[1];
}

const lv_lie_group lv_se2 = {
    .name = "se2",
    .element = 3,
    .tangent = 3,
    .axes = 2,
    .compose = compose,
    .inverse = inverse,
    .rotation = rotation,
    .Ad = Ad,
    .ad = ad,
    .coad = coad,
    .space = space,
    .body = body,
    .tau = tau,
    .tau_inverse = tau_inverse,
    .D = D,
    .DT = DT,
    .D_matrix = D_matrix,
    .B = B,
    .hessian = hessian,
    .D_slope = D_slope,
    .DT_slope = DT_slope,
};
