/* Twofold arithmetic: a number as the unevaluated sum of two doubles, hi + lo with |lo|
 * <= ulp(hi)/2, about 32 digits. For constants that shall be correct to the last bit of a
 * double, the same on every machine; long double has a different size on each.
 *
 * Algorithms: Joldes, Muller, Popescu, "Tight and rigorous error bounds for basic
 * building blocks of double-word arithmetic", ACM TOMS 44 (2017): relative errors of a
 * few 2^-106. Arguments are finite and far from overflow and underflow. */
#ifndef LV_NUM_DD_H
#define LV_NUM_DD_H

#include <math.h>

typedef struct lv_dd {
    double hi, lo; /* hi is the nearest double */
} lv_dd;

static inline lv_dd lv_dd_from(double a)
{
    return (lv_dd){a, 0};
}

/* a + b exactly, for |a| >= |b| (Dekker). */
static inline lv_dd lv_dd_fast_sum(double a, double b)
{
    double s = a + b;
    return (lv_dd){s, b - (s - a)};
}

/* a + b exactly (Knuth). */
static inline lv_dd lv_dd_exact_sum(double a, double b)
{
    double s = a + b, a_part = s - b, b_part = s - a_part;
    return (lv_dd){s, (a - a_part) + (b - b_part)};
}

/* a b exactly. */
static inline lv_dd lv_dd_exact_product(double a, double b)
{
    double p = a * b;
    return (lv_dd){p, fma(a, b, -p)};
}

static inline lv_dd lv_dd_neg(lv_dd a)
{
    return (lv_dd){-a.hi, -a.lo};
}

static inline lv_dd lv_dd_add(lv_dd a, lv_dd b)
{
    lv_dd s = lv_dd_exact_sum(a.hi, b.hi), t = lv_dd_exact_sum(a.lo, b.lo);
    lv_dd v = lv_dd_fast_sum(s.hi, s.lo + t.hi);
    return lv_dd_fast_sum(v.hi, t.lo + v.lo);
}

static inline lv_dd lv_dd_sub(lv_dd a, lv_dd b)
{
    return lv_dd_add(a, lv_dd_neg(b));
}

static inline lv_dd lv_dd_mul(lv_dd a, lv_dd b)
{
    lv_dd p = lv_dd_exact_product(a.hi, b.hi);
    double cross = fma(a.lo, b.hi, fma(a.hi, b.lo, a.lo * b.lo));
    return lv_dd_fast_sum(p.hi, p.lo + cross);
}

static inline lv_dd lv_dd_scale(lv_dd a, double b)
{
    return lv_dd_mul(a, lv_dd_from(b));
}

/* Long division, three digits of 53 bits; a / a is exactly 1. */
static inline lv_dd lv_dd_div(lv_dd a, lv_dd b)
{
    double first = a.hi / b.hi;
    a = lv_dd_sub(a, lv_dd_scale(b, first));
    double second = a.hi / b.hi;
    a = lv_dd_sub(a, lv_dd_scale(b, second));
    return lv_dd_add(lv_dd_fast_sum(first, second), lv_dd_from(a.hi / b.hi));
}

static inline lv_dd lv_dd_ratio(double a, double b)
{
    return lv_dd_div(lv_dd_from(a), lv_dd_from(b));
}

#endif
