#include "expr/wide.h"

#include <stdio.h>

/* 512 ln 2 in two parts; the first has few digits, so that its multiples are exact. */
static const double block_high = 0x1.62e42fefp+8, block_low = 0x1.473de6af278edp-25;

lv_wide lv_wide_scaled(double m, long long e)
{
    if (m == 0)
        return (lv_wide){m, 0};
    if (!isfinite(m))
        return (lv_wide){m, 0};
    for (; fabs(m) >= 0x1p256; e++)
        m *= 0x1p-512;
    for (; fabs(m) < 0x1p-256; e--)
        m *= 0x1p512;
    if (e >= LV_WIDE_EXPONENT)
        return (lv_wide){copysign(INFINITY, m), 0};
    return (lv_wide){m, e > -LV_WIDE_EXPONENT ? e : -LV_WIDE_EXPONENT + 1};
}

double lv_wide_double(lv_wide x)
{
    if (x.e == 0 || x.m == 0 || !isfinite(x.m))
        return x.m;
    if (x.e > 2 || x.e < -3)
        return x.e > 0 ? copysign(INFINITY, x.m) : copysign(0, x.m);
    return ldexp(x.m, (int)x.e * 512);
}

lv_wide lv_wide_add_apart(lv_wide a, lv_wide b)
{
    if (a.m == 0 || b.m == 0 || !isfinite(a.m) || !isfinite(b.m))
        return a.m == 0 ? b : b.m == 0 ? a : lv_wide_scaled(a.m + b.m, 0);
    const lv_wide big = a.e > b.e ? a : b, small = a.e > b.e ? b : a;
    if (big.e - small.e > 1)
        return big;
    return lv_wide_make(big.m + small.m * 0x1p-512, big.e);
}

int lv_wide_compare(lv_wide a, lv_wide b)
{
    const lv_wide difference = lv_wide_sub(a, b);
    return (difference.m > 0) - (difference.m < 0);
}

long long lv_wide_exponent(lv_wide x)
{
    int exponent = 0;
    (void)frexp(x.m, &exponent);
    return x.e * 512 + exponent;
}

lv_wide lv_wide_exp(lv_wide x)
{
    if (x.e < 0 || x.m == 0)
        return lv_wide_of(1);
    if (isnan(x.m))
        return x;
    if (x.e > 0 || fabs(x.m) > 0x1p40)
        return x.m > 0 ? (lv_wide){INFINITY, 0} : (lv_wide){1, -LV_WIDE_EXPONENT + 1};
    const double blocks = floor(x.m / block_high + 0.5);
    const double rest = (x.m - blocks * block_high) - blocks * block_low;
    return lv_wide_make(exp(rest), (long long)blocks);
}

lv_wide lv_wide_log(lv_wide x)
{
    const double e = (double)x.e;
    return lv_wide_of(log(x.m) + (e * block_high + e * block_low));
}

lv_wide lv_wide_sqrt(lv_wide x)
{
    if (x.e % 2 == 0)
        return lv_wide_make(sqrt(x.m), x.e / 2);
    return lv_wide_make(sqrt(x.m * 0x1p512), (x.e - 1) / 2);
}

/* exp(y log|x|) if doubles do not suffice, with the sign of an integer exponent */
lv_wide lv_wide_pow(lv_wide x, lv_wide y)
{
    const double exponent = lv_wide_double(y);
    if (x.e == 0) {
        const double power = pow(x.m, exponent);
        if (isnan(power) || (isfinite(power) && fabs(power) > 0x1p-1000) || x.m == 0)
            return lv_wide_of(power);
    }
    if (x.m == 0 || !isfinite(x.m))
        return lv_wide_of(pow(x.m, exponent));
    if (x.m < 0 && floor(exponent) != exponent)
        return lv_wide_of(NAN);
    const lv_wide log = lv_wide_log(lv_wide_abs(x));
    const lv_wide size = lv_wide_exp(lv_wide_mul(lv_wide_of(exponent), log));
    return x.m < 0 && fmod(exponent, 2) != 0 ? lv_wide_neg(size) : size;
}

lv_wide lv_wide_atan2(lv_wide y, lv_wide x)
{
    if (y.m != 0 && x.m != 0 && y.e != x.e) {
        const lv_wide ratio = lv_wide_div(lv_wide_abs(y), lv_wide_abs(x));
        if (ratio.e < 0 && x.m > 0)
            return y.m > 0 ? ratio : lv_wide_neg(ratio);
        return lv_wide_of(y.e > x.e ? atan2(y.m, 0) : atan2(copysign(0, y.m), x.m));
    }
    return lv_wide_of(atan2(y.m, x.m));
}

const char *lv_wide_text(lv_wide x, char *buffer, size_t size)
{
    const double value = lv_wide_double(x);
    if ((value != 0 && isfinite(value)) || x.m == 0 || !isfinite(x.m)) {
        (void)snprintf(buffer, size, "%.3g", value);
        return buffer;
    }
    const double digits =
        log10(fabs(x.m)) + (double)x.e * 154.12735777995837; /* 512 log10(2) */
    const double whole = floor(digits);
    (void)snprintf(buffer, size, "%s%.2fe%+.0f", x.m < 0 ? "-" : "",
                   pow(10, digits - whole), whole);
    return buffer;
}
