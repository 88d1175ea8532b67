/* Compensated sums (Neumaier 1974): the rounding errors of a long accumulation, such as
 * time over many steps, are collected beside it. The value is as if summed in twice the
 * precision and rounded once. */
#ifndef LV_NUM_SUM_H
#define LV_NUM_SUM_H

#include <math.h>

/* Zero-initialise to start, or {start, 0}. */
typedef struct lv_sum {
    double sum;
    double lost; /* sum of the rounding errors so far */
} lv_sum;

static inline void lv_sum_add(lv_sum *s, double x)
{
    const double t = s->sum + x;
    s->lost += fabs(s->sum) >= fabs(x) ? (s->sum - t) + x : (x - t) + s->sum;
    s->sum = t;
}

static inline double lv_sum_value(const lv_sum *s)
{
    return s->sum + s->lost;
}

#endif
