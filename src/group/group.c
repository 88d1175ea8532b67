#include "group/group.h"

#include <stddef.h>

const lv_lie_group *const lv_lie_groups[] = {&lv_so3, &lv_se2, &lv_se3, NULL};

const char *lv_chart_name(lv_chart chart)
{
    return chart == LV_CHART_EXP ? "exp" : "cay";
}

void lv_lie_group_move(const lv_lie_group *group, lv_chart chart, double *moved,
                       const double *g, const double *x)
{
    double step[LV_LIE_ELEMENT];
    group->tau(chart, step, x);
    group->compose(moved, g, step);
}

void lv_lie_group_between(const lv_lie_group *group, lv_chart chart, double *x,
                          const double *a, const double *b)
{
    double back[LV_LIE_ELEMENT], step[LV_LIE_ELEMENT];
    group->inverse(back, a);
    group->compose(step, back, b);
    group->tau_inverse(chart, x, step);
}

void lv_lie_group_Ad_tau(const lv_lie_group *group, lv_chart chart, double *m,
                         const double *x)
{
    double step[LV_LIE_ELEMENT];
    group->tau(chart, step, x);
    group->Ad(m, step);
}

static void negate(double *y, const double *x, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = -x[i];
}

void lv_lie_group_DTm(const lv_lie_group *group, lv_chart chart, double *y,
                      const double *x, const double *w)
{
    double back[LV_LIE_TANGENT];
    negate(back, x, group->tangent);
    group->DT(chart, y, back, w);
}

void lv_lie_group_DTm_slope(const lv_lie_group *group, lv_chart chart, double *m,
                            const double *x, const double *w)
{
    double back[LV_LIE_TANGENT];
    negate(back, x, group->tangent);
    group->DT_slope(chart, m, back, w);
    negate(m, m, group->tangent * group->tangent);
}

/* Column j of the matrix is the map of unit vector j. */
static void columns(const lv_lie_group *group, double *m, const double *g,
                    void (*map)(double *, const double *, const double *))
{
    const int n = group->tangent;
    for (int j = 0; j < n; j++) {
        double unit[LV_LIE_TANGENT] = {0}, column[LV_LIE_TANGENT];
        unit[j] = 1;
        map(column, g, unit);
        for (int i = 0; i < n; i++)
            m[n * i + j] = column[i];
    }
}

void lv_lie_group_space_matrix(const lv_lie_group *group, double *m, const double *g)
{
    columns(group, m, g, group->space);
}

void lv_lie_group_body_matrix(const lv_lie_group *group, double *m, const double *g)
{
    columns(group, m, g, group->body);
}

/* space(g tau(y), w) = space(g, Ad_{tau(-y)}^T w), so along y it changes by -space(g, ad_y^T w). */
void lv_lie_group_space_slope(const lv_lie_group *group, double *m, const double *g,
                              const double *w)
{
    const int n = group->tangent;
    double coad[LV_LIE_TANGENT * LV_LIE_TANGENT];
    group->coad(coad, w);
    for (int j = 0; j < n; j++) {
        double change[LV_LIE_TANGENT], column[LV_LIE_TANGENT];
        for (int i = 0; i < n; i++)
            change[i] = -coad[n * i + j];
        group->space(column, g, change);
        for (int i = 0; i < n; i++)
            m[n * i + j] = column[i];
    }
}

/* body(g tau(y), w) = Ad_{tau(y)}^T body(g, w) */
void lv_lie_group_body_slope(const lv_lie_group *group, double *m, const double *g,
                             const double *w)
{
    double b[LV_LIE_TANGENT];
    group->body(b, g, w);
    group->coad(m, b);
}
