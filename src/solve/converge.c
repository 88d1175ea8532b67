#include "solve/converge.h"

#include <float.h>
#include <math.h>

void lv_converge_start(lv_converge *c, double tolerance, int most)
{
    *c = (lv_converge){.tolerance = tolerance,
                       .most = most,
                       .smallest = INFINITY,
                       .rate = 1,
                       .mark = INFINITY};
}

lv_verdict lv_converge_test(lv_converge *c, double size)
{
    const double rounding = 1e4 * DBL_EPSILON;
    double before = c->size, rate_before = c->rate;
    c->count++;
    c->size = size;
    if (!isfinite(size))
        return LV_DIVERGED;
    if (c->count > 1)
        c->rate = before > 0 ? size / before : 0;
    bool shrinking = size < c->smallest;
    c->smallest = fmin(c->smallest, size);
    c->idle++;
    if (size < 0.5 * c->mark) {
        c->mark = size;
        c->idle = 0;
    }

    if (size <= c->tolerance)
        return LV_CONVERGED;
    double rate = c->linear ? fmax(c->rate, rate_before) : c->rate;
    if (c->count > 1 && rate < 0.5 && size * rate <= c->tolerance * (1 - rate))
        return LV_CONVERGED;
    if ((!shrinking || c->count >= c->most) && size < rounding)
        return LV_CONVERGED; /* as good as it gets */
    if (c->count >= c->most ||
        (c->count > 2 && size > 1e3 * c->smallest && size > rounding))
        return LV_DIVERGED;
    return c->count > 2 && c->rate > 0.3 ? LV_SLOW : LV_GO_ON;
}

bool lv_converge_stagnates(const lv_converge *c)
{
    enum { PATIENCE = 6 };
    const double most = 1e-6;
    return c->idle >= PATIENCE && c->size <= most;
}

lv_reason lv_converge_reason(const lv_converge *c)
{
    return isfinite(c->size) && c->size <= 1e3 * c->smallest ? LV_WHY_STALLED
                                                             : LV_WHY_DIVERGED;
}
