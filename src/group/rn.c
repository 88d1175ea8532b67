/* The real numbers with addition: a plain coordinate. Tangents and elements are the same. */
#include "group/line.h"

static void tau(lv_chart chart, double *g, const double *x)
{
    (void)chart;
    *g = *x;
}

static void D(lv_chart chart, double *y, const double *x, const double *e)
{
    (void)chart, (void)x;
    *y = *e;
}

static void D_matrix(lv_chart chart, double *m, const double *x)
{
    (void)chart, (void)x;
    *m = 1;
}

static void B(lv_chart chart, double *y, const double *x, const double *e,
              const double *w)
{
    (void)chart, (void)x, (void)e, (void)w;
    *y = 0;
}

static void D_slope(lv_chart chart, double *m, const double *x, const double *e)
{
    (void)chart, (void)x, (void)e;
    *m = 0;
}

const lv_lie_group lv_rn = {
    .name = "rn",
    .adds = {true, true},
    LV_LINE,
    .tau = tau,
    .tau_inverse = tau,
    .D = D,
    .DT = D,
    .D_matrix = D_matrix,
    .B = B,
    .hessian = B,
    .D_slope = D_slope,
    .DT_slope = D_slope,
};
