#include "scheme/indicator.h"

#include "scheme/dense.h"

#include <math.h>
#include <string.h>

int lv_indicator_room(int n)
{
    return 6 * n;
}

/* |raw - integrated| at one end of the step, x = 0 or 1 */
static double jump(const lv_slopes *slopes, int n, double x, double *room,
                   void (*at)(const lv_slopes *, lv_dense, int, double, double *))
{
    double sum = 0;
    at(slopes, LV_DENSE_RAW, n, x, room);
    at(slopes, LV_DENSE_INTEGRATED, n, x, room + n);
    for (int k = 0; k < n; k++)
        sum += (room[k] - room[n + k]) * (room[k] - room[n + k]);
    return sqrt(sum);
}

static double distance2(const double *rate, double h, const double *slope, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += (rate[k] - h * slope[k]) * (rate[k] - h * slope[k]);
    return sum;
}

/* Squares of h |q~' - v| and h |p~' - w| at the local time x. Derivatives in local time
 * have the factor h already. */
static lv_status residuals(lv_system *system, const lv_slopes *d, double t, double x,
                           double *room, double square[2], lv_error *err)
{
    int n = system->n;
    double *v = room, *q = v + n, *p = q + n, *dq = p + n, *dp = dq + n, *w = dp + n;
    lv_dense_position(d, LV_DENSE_RAW, n, x, q);
    lv_dense_momentum(d, LV_DENSE_RAW, n, x, p);
    lv_dense_rates(d, n, x, dq, dp);
    LV_TRY(lv_system_velocity(system, v, t + x * d->h, q, p, err));
    LV_TRY(lv_system_momentum_change(system, w, t + x * d->h, q, v, err));
    square[0] = distance2(dq, d->h, v, n);
    square[1] = distance2(dp, d->h, w, n);
    return LV_OK;
}

lv_status lv_indicator(double *value, lv_system *system, const lv_slopes *d, double t,
                       const double *guess, double *room, lv_error *err)
{
    double c[LV_RULE_MOST], b[LV_RULE_MOST], sum[2] = {0}, square[2];
    int n = system->n,
        points = d->degree + 3 < LV_RULE_MOST ? d->degree + 3 : LV_RULE_MOST;
    double jumps = 0;
    for (int end = 0; end < 2; end++)
        jumps += jump(d, n, end, room, lv_dense_position) +
                 jump(d, n, end, room, lv_dense_momentum);
    lv_rule_nodes(c, b, LV_RULE_GAUSS, points);
    memcpy(room, guess, (size_t)n * sizeof *room);
    for (int i = 0; i < points; i++) {
        LV_TRY(residuals(system, d, t, c[i], room, square, err));
        sum[0] += b[i] * square[0];
        sum[1] += b[i] * square[1];
    }
    *value = jumps + sqrt(sum[0]) + sqrt(sum[1]);
    return LV_OK;
}
