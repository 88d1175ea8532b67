#include "system/consistent.h"

#include "num/extent.h"

#include <math.h>

/* Relative to the length within which a constraint is curved, and to the coordinates. */
static const double allowed = 1e-8, rounding = 1e-13;

/* Zeros, relative to the largest coordinate of all. */
static const double nothing = 1e-15;

/* Coordinates are moved by this part of them to see how constraints are curved. */
static const double aside = 1e-5;

/* What is needed of system->work besides what the accelerations use, n + rates numbers. */
typedef struct room {
    double *q, *v; /* sizes of positions and velocities */
    double *moved; /* positions aside */
    double *bend;  /* of each holonomic constraint */
    double *accelerations;
} room;

static room locate(const lv_system *s)
{
    double *free = s->work + s->n + s->rates;
    const size_t n = (size_t)s->n;
    return (room){.q = free,
                  .v = free + n,
                  .moved = free + 2 * n,
                  .accelerations = free + 3 * n,
                  .bend = free + 4 * n};
}

void lv_system_sizes(const lv_system *s, const double *x, double *size)
{
    const double all = lv_extent(x, s->n), other = all > 0 && all < 1 ? all : 1;
    for (int k = 0, i = 0; k < s->model->groups.count; k++) {
        const int end = s->group_end[k];
        const double own = lv_extent(x + i, end - i);
        for (; i < end; i++)
            size[i] = own > 0 ? own : other;
    }
}

/* Sizes of velocities: |v| + sqrt(|a| |q|). */
static void find_speeds(lv_system *s, const room *r, double t, const double *q,
                        const double *v)
{
    double *a = r->accelerations;
    if (lv_system_accelerations(s, a, NULL, t, q, v, NULL) != LV_OK ||
        !isfinite(lv_extent(a, s->n)))
        for (int i = 0; i < s->n; i++)
            a[i] = 0;
    for (int i = 0; i < s->n; i++)
        r->moved[i] = fabs(v[i]) + sqrt(fabs(a[i]) * r->q[i]);
    lv_system_sizes(s, r->moved, r->v);
}

/* |G W| of a row; |G| without sizes. */
static double reach(const lv_pattern *p, const double *gradients, const double *size,
                    int row)
{
    double sum = 0;
    for (int e = p->start[row]; e < p->start[row + 1]; e++) {
        const double part = gradients[e] * (size ? size[p->column[e]] : 1);
        sum += part * part;
    }
    return sqrt(sum);
}

static const double *constraints_at(lv_system *s, double t, const double *q)
{
    const lv_point point = {.q = q, .v = s->model->start_v, .t = t};
    lv_plan_run(s->place, &point);
    return lv_plan_result(s->place, LV_Q_CONSTRAINT);
}

/* bend = |g(q + w) - 2 g(q) + g(q - w)| / |w|^2, with w relative to the sizes. */
static void find_bends(lv_system *s, const room *r, double t, const double *q)
{
    for (int row = 0; row < s->m; row++)
        r->bend[row] = 0;
    for (int side = -1; side <= 1; side++) {
        for (int i = 0; i < s->n; i++)
            r->moved[i] = q[i] + side * aside * r->q[i] * sin(1 + 0.7 * i);
        const double *g = constraints_at(s, t, r->moved);
        for (int row = 0; row < s->m; row++)
            r->bend[row] += (side == 0 ? -2 : 1) * g[row];
    }
    const lv_pattern *p = lv_plan_pattern(s->place, LV_Q_JACOBIAN);
    for (int row = 0; row < s->m; row++) {
        double way = 0;
        for (int e = p->start[row]; e < p->start[row + 1]; e++)
            way += pow(aside * sin(1 + 0.7 * p->column[e]), 2);
        r->bend[row] = way > 0 ? fabs(r->bend[row]) / way : 0;
    }
}

/* The row that is furthest beyond its limit so far. */
typedef struct worst {
    int row;
    double excess, residual;
} worst;

static void compare(worst *w, int row, double residual, double limit)
{
    const double size = fabs(residual);
    if (size <= limit)
        return;
    const double excess = limit > 0 ? size / limit : HUGE_VAL;
    if (w->row >= 0 && !(excess > w->excess))
        return;
    *w = (worst){row, excess, size};
}

int lv_system_violated_position(lv_system *s, double t, const double *q, double *residual)
{
    const room r = locate(s);
    const lv_pattern *p = lv_plan_pattern(s->place, LV_Q_JACOBIAN);
    worst w = {.row = -1};
    if (s->m == 0)
        return -1;
    lv_system_sizes(s, q, r.q);
    find_bends(s, &r, t, q);
    const double *g = constraints_at(s, t, q), all = lv_extent(q, s->n);
    const double *gradients = lv_plan_result(s->place, LV_Q_JACOBIAN);
    for (int row = 0; row < s->m; row++) {
        const double size = reach(p, gradients, r.q, row);
        const double part = size < r.bend[row] ? size / r.bend[row] : 1;
        compare(&w, row, g[row],
                (allowed * part + rounding) * size +
                    nothing * all * reach(p, gradients, NULL, row));
    }
    *residual = w.residual;
    return w.row;
}

int lv_system_violated_velocity(lv_system *s, double t, const double *q, const double *v,
                                double *residual)
{
    const room r = locate(s);
    const lv_pattern *p = lv_plan_pattern(s->gauge, LV_Q_RATE_V);
    const lv_point point = {.q = q, .v = v, .t = t};
    worst w = {.row = -1};
    if (s->rates == 0)
        return -1;
    lv_system_sizes(s, q, r.q);
    find_speeds(s, &r, t, q, v);
    lv_plan_run(s->gauge, &point);
    const double *rate = lv_plan_result(s->gauge, LV_Q_RATE);
    for (int row = 0; row < s->rates; row++)
        compare(&w, row, rate[row],
                allowed * reach(p, lv_plan_result(s->gauge, LV_Q_RATE_V), r.v, row));
    *residual = w.residual;
    return w.row;
}
