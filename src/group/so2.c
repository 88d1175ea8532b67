/* SO(2): rotations of the plane as angles (theory 10.4). With exp the angle is a plain coordinate. With cay
 *   tau(x) turns by 2 atan(x/2),   D(x) = k = 4/(4 + x^2). */
#include <math.h>

#include "group/line.h"

static void rotation(double *r, const double *g)
{
    const double c = cos(*g), s = sin(*g);
    r[0] = c, r[1] = -s;
    r[2] = s, r[3] = c;
}

static void tau(lv_chart chart, double *g, const double *x)
{
    *g = chart == LV_CHART_EXP ? *x : 2 * atan(0.5 * *x);
}

static void tau_inverse(lv_chart chart, double *x, const double *g)
{
    *x = chart == LV_CHART_EXP ? *g : 2 * tan(0.5 * *g);
}

/* D and its first two derivatives */
static void tangent(double f[3], lv_chart chart, double x)
{
    f[0] = 1, f[1] = f[2] = 0;
    if (chart == LV_CHART_EXP)
        return;
    const double k = 4 / (4 + x * x);
    f[0] = k;
    f[1] = -0.5 * k * k * x;
    f[2] = 0.5 * k * k * (k * x * x - 1);
}

static void D(lv_chart chart, double *y, const double *x, const double *e)
{
    double f[3];
    tangent(f, chart, *x);
    *y = f[0] * *e;
}

static void D_matrix(lv_chart chart, double *m, const double *x)
{
    double f[3];
    tangent(f, chart, *x);
    *m = f[0];
}

static void B(lv_chart chart, double *y, const double *x, const double *e,
              const double *w)
{
    double f[3];
    tangent(f, chart, *x);
    *y = f[1] * *e * *w;
}

static void hessian(lv_chart chart, double *m, const double *x, const double *e,
                    const double *w)
{
    double f[3];
    tangent(f, chart, *x);
    *m = f[2] * *e * *w;
}

static void D_slope(lv_chart chart, double *m, const double *x, const double *e)
{
    double f[3];
    tangent(f, chart, *x);
    *m = f[1] * *e;
}

const lv_lie_group lv_so2 = {
    .name = "so2",
    .axes = 2,
    .adds = {[LV_CHART_EXP] = true},
    .rotation = rotation,
    LV_LINE,
    .tau = tau,
    .tau_inverse = tau_inverse,
    .D = D,
    .DT = D,
    .D_matrix = D_matrix,
    .B = B,
    .hessian = hessian,
    .D_slope = D_slope,
    .DT_slope = D_slope,
};
