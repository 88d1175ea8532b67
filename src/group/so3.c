/* SO(3): rotations of space as unit quaternions (theory 10.3). D(x) is an axial matrix. */
#include "group/so3.h"

#include <math.h>

#include "group/angle.h"
#include "group/axial.h"
#include "group/group.h"
#include "group/quaternion.h"

/* ---- charts ---- */

/* (cos t/2, x sin(t/2)/t), with the functions of the half angle */
void lv_so3_exp(double q[4], const double x[3])
{
    const double s = 0.25 * lv_v3_dot(x, x);
    lv_angle half;
    lv_angle_at(&half, s, 0);
    q[0] = 1 - s * half.c1[0];
    for (int i = 0; i < 3; i++)
        q[1 + i] = 0.5 * half.c0[0] * x[i];
}

/* (1, x/2)/sqrt(1 + t^2/4) */
void lv_so3_cay(double q[4], const double x[3])
{
    const double factor = 1 / sqrt(1 + 0.25 * lv_v3_dot(x, x));
    q[0] = factor;
    for (int i = 0; i < 3; i++)
        q[1 + i] = 0.5 * factor * x[i];
}

/* Both signs of q are the same rotation: the one with q0 >= 0 turns by at most pi. */
void lv_so3_exp_inverse(double x[3], const double q[4])
{
    const double sign = q[0] < 0 ? -1 : 1, *v = q + 1;
    const double length = sqrt(lv_v3_dot(v, v));
    const double factor =
        length < 1e-8 ? 2 / q[0] : sign * 2 * atan2(length, fabs(q[0])) / length;
    for (int i = 0; i < 3; i++)
        x[i] = factor * v[i];
}

void lv_so3_cay_inverse(double x[3], const double q[4])
{
    for (int i = 0; i < 3; i++)
        x[i] = 2 * q[1 + i] / q[0];
}

static void tau(lv_chart chart, double *g, const double *x)
{
    if (chart == LV_CHART_EXP)
        lv_so3_exp(g, x);
    else
        lv_so3_cay(g, x);
}

static void tau_inverse(lv_chart chart, double *x, const double *g)
{
    if (chart == LV_CHART_EXP)
        lv_so3_exp_inverse(x, g);
    else
        lv_so3_cay_inverse(x, g);
}

/* ---- tangents of charts ---- */

static void D(lv_chart chart, double *y, const double *x, const double *e)
{
    lv_axial a;
    lv_axial_tangent(&a, chart, x, 0);
    lv_axial_apply(y, &a, e);
}

static void DT(lv_chart chart, double *y, const double *x, const double *w)
{
    lv_axial a;
    lv_axial_tangent(&a, chart, x, 0);
    lv_axial_transpose(&a);
    lv_axial_apply(y, &a, w);
}

static void D_matrix(lv_chart chart, double *m, const double *x)
{
    lv_axial a;
    lv_axial_tangent(&a, chart, x, 0);
    lv_axial_matrix(m, &a);
}

static void B(lv_chart chart, double *y, const double *x, const double *e,
              const double *w)
{
    lv_axial a;
    lv_axial_tangent(&a, chart, x, 1);
    lv_axial_gradient(y, &a, e, w);
}

static void hessian(lv_chart chart, double *m, const double *x, const double *e,
                    const double *w)
{
    lv_axial a;
    lv_axial_tangent(&a, chart, x, 2);
    lv_axial_hessian(m, &a, e, w);
}

static void D_slope(lv_chart chart, double *m, const double *x, const double *e)
{
    lv_axial a;
    lv_axial_tangent(&a, chart, x, 1);
    lv_axial_slope(m, &a, e);
}

static void DT_slope(lv_chart chart, double *m, const double *x, const double *w)
{
    lv_axial a;
    lv_axial_tangent(&a, chart, x, 1);
    lv_axial_transpose(&a);
    lv_axial_slope(m, &a, w);
}

/* ---- group ---- */

static void hat(double *m, const double *x)
{
    lv_m3_hat(m, x, 1);
}

static void space(double *y, const double *g, const double *w)
{
    double r[9];
    lv_quaternion_matrix(r, g);
    lv_m3_apply(y, r, w);
}

static void body(double *y, const double *g, const double *w)
{
    double r[9];
    lv_quaternion_matrix(r, g);
    lv_m3_apply_transposed(y, r, w);
}

/* ad_y^T w = w x y */
const lv_lie_group lv_so3 = {
    .name = "so3",
    .element = 4,
    .tangent = 3,
    .axes = 3,
    .identity = {1},
    .compose = lv_quaternion_product,
    .inverse = lv_quaternion_inverse,
    .rotation = lv_quaternion_matrix,
    .Ad = lv_quaternion_matrix,
    .ad = hat,
    .coad = hat,
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
