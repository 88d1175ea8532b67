/* Numbers with the precision of a double and an extended exponent,
 *
 *     x = m * 2^(512 e),    m = 0 or 2^-256 <= |m| < 2^256,
 *
 * so that neither exp(-1e9) nor the square of 1e-200 is zero. Below 2^(-512 * 2^50)
 * numbers stay at the smallest exponent and never become zero; above 2^(512 * 2^50) they
 * are infinite. */
#ifndef LV_EXPR_WIDE_H
#define LV_EXPR_WIDE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct lv_wide {
    double m;
    long long e;
} lv_wide;

#define LV_WIDE_EXPONENT (1LL << 50)

/* m * 2^(512 e) for any m */
lv_wide lv_wide_scaled(double m, long long e);

static inline lv_wide lv_wide_make(double m, long long e)
{
    const double size = fabs(m);
    if (size >= 0x1p-256 && size < 0x1p256 && e < LV_WIDE_EXPONENT &&
        e > -LV_WIDE_EXPONENT)
        return (lv_wide){m, e};
    return lv_wide_scaled(m, e);
}

static inline lv_wide lv_wide_of(double x)
{
    return lv_wide_make(x, 0);
}

/* The nearest double: 0 or infinite beyond the range of doubles. */
double lv_wide_double(lv_wide x);

static inline bool lv_wide_is_zero(lv_wide x)
{
    return x.m == 0;
}

static inline bool lv_wide_is_finite(lv_wide x)
{
    return isfinite(x.m) != 0;
}

static inline lv_wide lv_wide_neg(lv_wide a)
{
    return (lv_wide){-a.m, a.e};
}

static inline lv_wide lv_wide_abs(lv_wide a)
{
    return (lv_wide){fabs(a.m), a.e};
}

static inline lv_wide lv_wide_mul(lv_wide a, lv_wide b)
{
    return lv_wide_make(a.m * b.m, a.e + b.e);
}

static inline lv_wide lv_wide_div(lv_wide a, lv_wide b)
{
    return lv_wide_make(a.m / b.m, a.e - b.e);
}

lv_wide lv_wide_add_apart(lv_wide a, lv_wide b); /* a + b for different exponents */

static inline lv_wide lv_wide_add(lv_wide a, lv_wide b)
{
    return a.e == b.e ? lv_wide_make(a.m + b.m, a.e) : lv_wide_add_apart(a, b);
}

static inline lv_wide lv_wide_sub(lv_wide a, lv_wide b)
{
    return lv_wide_add(a, lv_wide_neg(b));
}

/* -1, 0 or 1 as a < b, a == b, a > b */
int lv_wide_compare(lv_wide a, lv_wide b);

/* Is |a| <= factor * b, for factor > 0 and b >= 0? */
static inline bool lv_wide_is_below(lv_wide a, double factor, lv_wide b)
{
    if (a.e == b.e)
        return fabs(a.m) <= factor * b.m;
    return lv_wide_compare(lv_wide_abs(a), lv_wide_mul(lv_wide_of(factor), b)) <= 0;
}

/* The binary exponent of x != 0 */
long long lv_wide_exponent(lv_wide x);

lv_wide lv_wide_exp(lv_wide x);
lv_wide lv_wide_log(lv_wide x);
lv_wide lv_wide_sqrt(lv_wide x);
lv_wide lv_wide_pow(lv_wide x, lv_wide y);
lv_wide lv_wide_atan2(lv_wide y, lv_wide x);

/* Formats a number with three digits: "-9.81", "1e-7817" */
const char *lv_wide_text(lv_wide x, char *buffer, size_t size);

#endif
