#include "system/consistent.h"

#include "num/extent.h"

#include <float.h>
#include <math.h>

/* Tolerances of the bound in system/consistent.h: `allowed` is relative to the length
 * within which a constraint is curved, `rounding` to the coordinates. */
static const double allowed = 1e-8, rounding = 1e-13;

/* Rounding error of a few operations with coordinates, relative to them; in zeros
 * relative to the largest coordinate of all. */
static const double several = 16 * DBL_EPSILON;

/* Coordinates are displaced by this fraction of their size to measure how constraints are
 * curved. */
static const double aside = 1e-5;

/* The part of system->work that is used here. The accelerations use the n + rates numbers
 * before. */
typedef struct room {
    double *q, *v; /* sizes of coordinates and velocities */
    double *moved; /* displaced positions */
    double *accelerations;
    double *limits; /* limit of each constraint */
} room;

static room locate(const lv_system *s)
{
    double *free = s->work + s->n + s->constraint_count;
    const size_t n = (size_t)s->n;
    return (room){.q = free,
                  .v = free + n,
                  .moved = free + 2 * n,
                  .accelerations = free + 3 * n,
                  .limits = free + 4 * n};
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

/* Rounding errors of velocities in a step of size h: differences of positions over h, and
 * forces that cancel those of the constraints. The diagonal of M is accurate enough for
 * that. */
static void find_speed_rounding(const lv_system *s, const room *r, double h,
                                double *speed)
{
    const lv_pattern *p = lv_plan_pattern(s->dynamics_plan, LV_Q_MASS);
    const double *mass = lv_plan_result(s->dynamics_plan, LV_Q_MASS);
    const double *force = lv_plan_result(s->dynamics_plan, LV_Q_FORCE);
    for (int i = 0; i < s->n; i++) {
        double own = 0;
        for (int e = p->start[i]; e < p->start[i + 1]; e++)
            own = p->column[e] == i ? fabs(mass[e]) : own;
        const double push = own > 0 ? fabs(h * force[i]) / own : 0;
        speed[i] = several * (r->q[i] / fabs(h) + (isfinite(push) ? push : 0));
    }
}

/* |G W| of a row; |G| if `size` is NULL. */
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
    lv_plan_run(s->position_plan, &point);
    return lv_plan_result(s->position_plan, LV_Q_CONSTRAINT);
}

/* bend = |g(q + w) - 2 g(q) + g(q - w)| / |w|^2, with w relative to the sizes. Leaves the
 * plan at q. */
static void find_bends(lv_system *s, const room *r, double *bend, double t,
                       const double *q)
{
    static const int sides[] = {-1, 1, 0};
    for (int row = 0; row < s->m; row++)
        bend[row] = 0;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < s->n; i++)
            r->moved[i] = sides[k] == 0
                              ? q[i]
                              : q[i] + sides[k] * aside * r->q[i] * s->directions[i];
        const double *g = constraints_at(s, t, r->moved);
        for (int row = 0; row < s->m; row++)
            bend[row] += (sides[k] == 0 ? -2 : 1) * g[row];
    }
    const lv_pattern *p = lv_plan_pattern(s->position_plan, LV_Q_JACOBIAN);
    double *square = r->moved;
    for (int i = 0; i < s->n; i++) {
        const double part = aside * s->directions[i];
        square[i] = part * part;
    }
    for (int row = 0; row < s->m; row++) {
        double way = 0;
        for (int e = p->start[row]; e < p->start[row + 1]; e++)
            way += square[p->column[e]];
        bend[row] = way > 0 ? fabs(bend[row]) / way : 0;
    }
}

/* Computes the change of the rates due to rounding of the coordinates. The rates are
 * evaluated with coordinates displaced by the rounding in two directions, one of which
 * moves each coordinate by more than half of it. Overwrites the accelerations. */
static void find_rate_rounding(lv_system *s, const room *r, const lv_point *at,
                               double *limits)
{
    double *before = s->work, *moved = r->accelerations;
    const lv_point point = {.q = moved, .v = at->v, .t = at->t};
    for (int row = 0; row < s->constraint_count; row++)
        limits[row] = 0;
    for (int k = 0; k < 4; k++) {
        const double side = k % 2 == 0 ? several : -several;
        for (int i = 0; i < s->n; i++)
            moved[i] = at->q[i] * (1 + side * s->directions[k < 2 ? i : s->n + i]);
        lv_plan_run(s->velocity_plan, &point);
        const double *rates = lv_plan_result(s->velocity_plan, LV_Q_RATE);
        for (int row = 0; row < s->constraint_count; row++) {
            const double change = fabs(rates[row] - before[row]);
            limits[row] += k % 2 == 1 && isfinite(change) ? change : 0;
            before[row] = rates[row];
        }
    }
}

void lv_system_position_limits(lv_system *s, double t, const double *q, double share,
                               double *limits)
{
    const room r = locate(s);
    const lv_pattern *p = lv_plan_pattern(s->position_plan, LV_Q_JACOBIAN);
    lv_system_sizes(s, q, r.q);
    find_bends(s, &r, limits, t, q);
    const double *gradients = lv_plan_result(s->position_plan, LV_Q_JACOBIAN);
    const double all = lv_extent(q, s->n);
    for (int row = 0; row < s->m; row++) {
        const double size = reach(p, gradients, r.q, row), bend = limits[row];
        const double part = size < bend ? size / bend : 1;
        limits[row] = (share * allowed * part + rounding) * size +
                      several * all * reach(p, gradients, NULL, row);
    }
}

void lv_system_velocity_limits(lv_system *s, double t, const double *q, const double *v,
                               double h, double share, double *limits)
{
    const room r = locate(s);
    const lv_pattern *p = lv_plan_pattern(s->velocity_plan, LV_Q_RATE_V);
    const lv_point point = {.q = q, .v = v, .t = t};
    lv_system_sizes(s, q, r.q);
    find_speeds(s, &r, t, q, v);
    if (h != 0)
        find_speed_rounding(s, &r, h, r.moved);
    find_rate_rounding(s, &r, &point, limits);
    lv_plan_run(s->velocity_plan, &point);
    const double *gradients = lv_plan_result(s->velocity_plan, LV_Q_RATE_V);
    const double all = lv_extent(v, s->n);
    for (int row = 0; row < s->constraint_count; row++)
        limits[row] += share * allowed * reach(p, gradients, r.v, row) +
                       several * all * reach(p, gradients, NULL, row) +
                       (h != 0 ? reach(p, gradients, r.moved, row) : 0);
}

int lv_system_furthest(const double *residuals, const double *limits, int count,
                       double least)
{
    int row = -1;
    for (int r = 0; r < count && (row < 0 || least < HUGE_VAL); r++) {
        const double size = fabs(residuals[r]);
        if (size == 0 || size <= limits[r] * least)
            continue;
        row = r;
        least = limits[r] > 0 ? size / limits[r] : HUGE_VAL;
    }
    return row;
}

int lv_system_violated_position(lv_system *s, double t, const double *q, double *residual)
{
    double *limits = locate(s).limits;
    if (s->m == 0)
        return -1;
    lv_system_position_limits(s, t, q, 1, limits);
    const double *g = lv_plan_result(s->position_plan, LV_Q_CONSTRAINT);
    const int row = lv_system_furthest(g, limits, s->m, 1);
    *residual = row < 0 ? 0 : fabs(g[row]);
    return row;
}

int lv_system_violated_velocity(lv_system *s, double t, const double *q, const double *v,
                                double *residual)
{
    double *limits = locate(s).limits;
    if (s->constraint_count == 0)
        return -1;
    lv_system_velocity_limits(s, t, q, v, 0, 1, limits);
    const double *rate = lv_plan_result(s->velocity_plan, LV_Q_RATE);
    const int row = lv_system_furthest(rate, limits, s->constraint_count, 1);
    *residual = row < 0 ? 0 : fabs(rate[row]);
    return row;
}
