/* SE(3): poses in space, element (unit quaternion, p), tangent x = (w, v) (theory 10.5).
 *
 * F is the axial matrix of the chart of SO(3) at w, A = (1 + hat(w)/2)^-1, F'[v] the derivative of F along v.
 *   exp   p = F^T v    D(x) (e_w, e_v) = (F e_w,  F e_v + F'[v] e_w)
 *   cay   p = A^T v    D(x) (e_w, e_v) = (F e_w,  A e_v + (F e_w) x v/2)
 * exp: SE(3) is SO(3) over the numbers w + d v with d^2 = 0, and so is its exponential map. cay is the Cayley map of
 * 4 x 4 matrices, with cof(A) = k A^-T. With [w; e, m] = m.F(w)e the number of theory 10.1 is
 *   exp   m.D e = [w; e_w, m_w] + [w; e_v, m_v] + d/dw [w; e_w, m_v].v
 *   cay   m.D e = [w; e_w, m_w + v x m_v/2] + m_v.A e_v. */
#include "group/axial.h"
#include "group/group.h"
#include "group/quaternion.h"
#include "group/so3.h"

/* Sets a to the diagonal block of D for displacements: F or A */
static void displacement_block(lv_axial *a, lv_chart chart, const double *x, int order)
{
    if (chart == LV_CHART_EXP)
        lv_axial_tangent(a, chart, x, order);
    else
        lv_axial_cay_inverse(a, x, order);
}

/* ---- charts ---- */

static void tau(lv_chart chart, double *g, const double *x)
{
    lv_axial a;
    if (chart == LV_CHART_EXP)
        lv_so3_exp(g, x);
    else
        lv_so3_cay(g, x);
    displacement_block(&a, chart, x, 0);
    lv_axial_transpose(&a);
    lv_axial_apply(g + 4, &a, x + 3);
}

/* exp: v = F^-T p = p - w x p/2 + d w x (w x p) with d = -c1'/(2 c1); cay: v = p - w x p/2 */
static void tau_inverse(lv_chart chart, double *x, const double *g)
{
    const double *p = g + 4;
    double *w = x, *v = x + 3, wp[3], wwp[3];
    if (chart == LV_CHART_EXP)
        lv_so3_exp_inverse(w, g);
    else
        lv_so3_cay_inverse(w, g);
    lv_v3_cross(wp, w, p);
    for (int i = 0; i < 3; i++)
        v[i] = p[i] - 0.5 * wp[i];
    if (chart == LV_CHART_CAY)
        return;
    lv_axial a;
    lv_axial_tangent(&a, chart, w, 1);
    lv_v3_cross(wwp, w, wp);
    lv_v3_add(v, wwp, -a.f[1][1] / (2 * a.f[0][1]));
}

/* ---- tangents of charts ---- */

/* The matrix of e_w -> displacement: F'[v] or -hat(v) F/2 */
static void coupling(double m[9], lv_chart chart, const lv_axial *a, const double v[3])
{
    if (chart == LV_CHART_EXP) {
        lv_axial_along(m, a, v);
    } else {
        double f[9], half[9];
        lv_axial_matrix(f, a);
        lv_m3_hat(half, v, -0.5);
        lv_m3_product(m, half, f);
    }
}

static void D_matrix(lv_chart chart, double *m, const double *x)
{
    lv_axial a, b;
    double block[9];
    lv_axial_tangent(&a, chart, x, 1);
    displacement_block(&b, chart, x, 0);
    lv_axial_matrix(block, &a);
    lv_m3_place(m, 0, 0, block, 1);
    lv_m3_place(m, 0, 3, block, 0);
    lv_axial_matrix(block, &b);
    lv_m3_place(m, 3, 3, block, 1);
    coupling(block, chart, &a, x + 3);
    lv_m3_place(m, 3, 0, block, 1);
}

static void D(lv_chart chart, double *y, const double *x, const double *e)
{
    lv_axial a, b;
    double part[3];
    lv_axial_tangent(&a, chart, x, 1);
    displacement_block(&b, chart, x, 0);
    lv_axial_apply(y, &a, e);
    lv_axial_apply(y + 3, &b, e + 3);
    if (chart == LV_CHART_EXP) {
        double along[9];
        lv_axial_along(along, &a, x + 3);
        lv_m3_apply(part, along, e);
        lv_v3_add(y + 3, part, 1);
    } else {
        lv_v3_cross(part, y, x + 3);
        lv_v3_add(y + 3, part, 0.5);
    }
}

/* m_w + v x m_v/2 */
static void combined_momentum(double y[3], const double *x, const double *w)
{
    lv_v3_cross(y, x + 3, w + 3);
    for (int i = 0; i < 3; i++)
        y[i] = w[i] + 0.5 * y[i];
}

static void DT(lv_chart chart, double *y, const double *x, const double *w)
{
    lv_axial a, b;
    double part[3];
    lv_axial_tangent(&a, chart, x, 1);
    displacement_block(&b, chart, x, 0);
    lv_axial_transpose(&a);
    lv_axial_transpose(&b);
    lv_axial_apply(y + 3, &b, w + 3);
    if (chart == LV_CHART_EXP) {
        double along[9];
        lv_axial_along(along, &a, x + 3);
        lv_axial_apply(y, &a, w);
        lv_m3_apply(part, along, w + 3);
        lv_v3_add(y, part, 1);
    } else {
        combined_momentum(part, x, w);
        lv_axial_apply(y, &a, part);
    }
}

static void B(lv_chart chart, double *y, const double *x, const double *e,
              const double *w)
{
    lv_axial a, b;
    double part[3], matrix[9];
    lv_axial_tangent(&a, chart, x, 2);
    displacement_block(&b, chart, x, 1);
    if (chart == LV_CHART_EXP) {
        lv_axial_gradient(y, &a, e, w);
        lv_axial_hessian(matrix, &a, e, w + 3);
        lv_m3_apply(part, matrix, x + 3);
        lv_v3_add(y, part, 1);
        lv_axial_gradient(y + 3, &a, e, w + 3);
    } else {
        combined_momentum(part, x, w);
        lv_axial_gradient(y, &a, e, part);
        lv_axial_apply(part, &a, e);
        lv_v3_cross(y + 3, w + 3, part);
        for (int i = 3; i < 6; i++)
            y[i] *= 0.5;
    }
    lv_axial_gradient(part, &b, e + 3, w + 3);
    lv_v3_add(y, part, 1);
}

static void add_matrix(double m[9], const double a[9])
{
    for (int i = 0; i < 9; i++)
        m[i] += a[i];
}

static void transpose(double m[9], const double a[9])
{
    for (int i = 0; i < 9; i++)
        m[i] = a[3 * (i % 3) + i / 3];
}

/* The number is linear in v: there are blocks (w, w) and (w, v) only. */
static void hessian(lv_chart chart, double *m, const double *x, const double *e,
                    const double *w)
{
    lv_axial a, b;
    double ww[9], wv[9], part[9];
    lv_axial_tangent(&a, chart, x, 3);
    displacement_block(&b, chart, x, 2);
    lv_axial_hessian(ww, &b, e + 3, w + 3);
    if (chart == LV_CHART_EXP) {
        lv_axial_hessian(part, &a, e, w);
        add_matrix(ww, part);
        lv_axial_third(part, &a, e, w + 3, x + 3);
        lv_axial_hessian(wv, &a, e, w + 3);
    } else {
        double both[3], slope[9];
        combined_momentum(both, x, w);
        lv_axial_hessian(part, &a, e, both);
        lv_axial_slope(slope, &a, e);
        double half[9];
        lv_m3_hat(half, w + 3, -0.5);
        lv_m3_transposed_product(wv, slope, half);
    }
    add_matrix(ww, part);
    transpose(part, wv);
    lv_m3_place(m, 0, 0, ww, 1);
    lv_m3_place(m, 0, 3, wv, 1);
    lv_m3_place(m, 3, 0, part, 1);
    lv_m3_place(m, 3, 3, part, 0);
}

static void D_slope(lv_chart chart, double *m, const double *x, const double *e)
{
    lv_axial a, b;
    double first[9], second[9], part[9];
    lv_axial_tangent(&a, chart, x, 2);
    displacement_block(&b, chart, x, 1);
    lv_axial_slope(first, &a, e);
    lv_axial_slope(second, &b, e + 3);
    lv_m3_place(m, 0, 0, first, 1);
    lv_m3_place(m, 0, 3, first, 0);
    if (chart == LV_CHART_EXP) {
        lv_m3_place(m, 3, 3, first, 1);
        lv_axial_bend(part, &a, e, x + 3);
    } else {
        double half[9], turned[3];
        lv_axial_apply(turned, &a, e);
        lv_m3_hat(half, turned, 0.5);
        lv_m3_place(m, 3, 3, half, 1);
        lv_m3_hat(half, x + 3, -0.5);
        lv_m3_product(part, half, first);
    }
    add_matrix(second, part);
    lv_m3_place(m, 3, 0, second, 1);
}

static void DT_slope(lv_chart chart, double *m, const double *x, const double *w)
{
    lv_axial a, b;
    double first[9], second[9], part[9];
    lv_axial_tangent(&a, chart, x, 2);
    displacement_block(&b, chart, x, 1);
    lv_axial_transpose(&a);
    lv_axial_transpose(&b);
    lv_axial_slope(second, &b, w + 3);
    lv_m3_place(m, 3, 0, second, 1);
    lv_m3_place(m, 3, 3, second, 0);
    if (chart == LV_CHART_EXP) {
        lv_m3_place(m, 0, 3, second, 1);
        lv_axial_slope(first, &a, w);
        lv_axial_bend(part, &a, w + 3, x + 3);
        add_matrix(first, part);
    } else {
        double both[3], half[9], f[9];
        lv_axial_matrix(f, &a);
        lv_m3_hat(half, w + 3, -0.5);
        lv_m3_product(part, f, half);
        lv_m3_place(m, 0, 3, part, 1);
        combined_momentum(both, x, w);
        lv_axial_slope(first, &a, both);
    }
    lv_m3_place(m, 0, 0, first, 1);
}

/* ---- group ---- */

static void compose(double *g, const double *a, const double *b)
{
    double r[9], shift[3];
    lv_quaternion_matrix(r, a);
    lv_m3_apply(shift, r, b + 4);
    lv_quaternion_product(g, a, b);
    for (int i = 0; i < 3; i++)
        g[4 + i] = a[4 + i] + shift[i];
}

static void inverse(double *g, const double *a)
{
    double r[9], shift[3];
    lv_quaternion_matrix(r, a);
    lv_m3_apply_transposed(shift, r, a + 4);
    lv_quaternion_inverse(g, a);
    for (int i = 0; i < 3; i++)
        g[4 + i] = -shift[i];
}

/* (R, 0; hat(p) R, R) */
static void Ad(double *m, const double *g)
{
    double r[9], p[9], pr[9];
    lv_quaternion_matrix(r, g);
    lv_m3_hat(p, g + 4, 1);
    lv_m3_product(pr, p, r);
    lv_m3_place(m, 0, 0, r, 1);
    lv_m3_place(m, 0, 3, r, 0);
    lv_m3_place(m, 3, 0, pr, 1);
    lv_m3_place(m, 3, 3, r, 1);
}

/* (hat(w), 0; hat(v), hat(w)) */
static void ad(double *m, const double *x)
{
    double w[9], v[9];
    lv_m3_hat(w, x, 1);
    lv_m3_hat(v, x + 3, 1);
    lv_m3_place(m, 0, 0, w, 1);
    lv_m3_place(m, 0, 3, w, 0);
    lv_m3_place(m, 3, 0, v, 1);
    lv_m3_place(m, 3, 3, w, 1);
}

/* ad_y^T w = (w_w x y_w + w_v x y_v, w_v x y_w) */
static void coad(double *m, const double *w)
{
    double angular[9], linear[9];
    lv_m3_hat(angular, w, 1);
    lv_m3_hat(linear, w + 3, 1);
    lv_m3_place(m, 0, 0, angular, 1);
    lv_m3_place(m, 0, 3, linear, 1);
    lv_m3_place(m, 3, 0, linear, 1);
    lv_m3_place(m, 3, 3, linear, 0);
}

static void space(double *y, const double *g, const double *w)
{
    double r[9], moment[3];
    lv_quaternion_matrix(r, g);
    lv_m3_apply(y, r, w);
    lv_m3_apply(y + 3, r, w + 3);
    lv_v3_cross(moment, g + 4, y + 3);
    lv_v3_add(y, moment, 1);
}

static void body(double *y, const double *g, const double *w)
{
    double r[9], about[3];
    lv_quaternion_matrix(r, g);
    lv_v3_cross(about, g + 4, w + 3);
    for (int i = 0; i < 3; i++)
        about[i] = w[i] - about[i];
    lv_m3_apply_transposed(y, r, about);
    lv_m3_apply_transposed(y + 3, r, w + 3);
}

const lv_lie_group lv_se3 = {
    .name = "se3",
    .element = 7,
    .tangent = 6,
    .axes = 3,
    .identity = {1},
    .compose = compose,
    .inverse = inverse,
    .rotation = lv_quaternion_matrix,
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
