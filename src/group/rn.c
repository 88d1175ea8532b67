/* The real numbers with addition: a plain coordinate. Tangents and elements are the same. */
#include "group/group.h"

static void compose(double *g, const double *a, const double *b)
{
    *g = *a + *b;
}

static void inverse(double *g, const double *a)
{
    *g = -*a;
}

static void one(double *m, const double *g)
{
    (void)g;
    *m = 1;
}

static void zero(double *m, const double *x)
{
    (void)x;
    *m = 0;
}

static void same(double *y, const double *g, const double *w)
{
    (void)g;
    *y = *w;
}

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
    .element = 1,
    .tangent = 1,
    .adds = {true, true},
    .commutes = true,
    .compose = compose,
    .inverse = inverse,
    .Ad = one,
    .ad = zero,
    .coad = zero,
    .space = same,
    .body = same,
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
