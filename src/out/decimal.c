/* x = m 2^e has the decimal exponent E and the digits d = round(x 10^(16 - E)), 17 of
 * them. The product of m (64 bits) and the truncated power (128 bits) is x 10^(16 - E)
 * with an error below 2^-54 of the last digit. This determines how d is rounded unless
 * the remainder is that close to one half. In this case, and for subnormal numbers,
 * printf computes the digits exactly. */
#include "out/decimal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- powers of ten -------------------------------------------------------------------- */

/* high 2^64 + low = a b */
static void multiply(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low)
{
    const uint64_t mask = 0xffffffffu;
    const uint64_t al = a & mask, ah = a >> 32, bl = b & mask, bh = b >> 32;
    const uint64_t ll = al * bl, lh = al * bh, hl = ah * bl, hh = ah * bh;
    const uint64_t middle = (ll >> 32) + (lh & mask) + (hl & mask);
    *low = middle << 32 | (ll & mask);
    *high = hh + (lh >> 32) + (hl >> 32) + (middle >> 32);
}

static lv_power times_ten(lv_power p)
{
    /* 10 p / 16, rounded down; afterwards at most one leading bit is missing. */
    uint64_t top = 0, high = 0, over = 0, low = 0;
    multiply(p.low, 10, &over, &low);
    multiply(p.high, 10, &top, &high);
    high += over;
    top += high < over;
    lv_power r = {top << 60 | high >> 4, high << 60 | low >> 4, p.exponent + 4};
    if (!(r.high >> 63))
        r = (lv_power){r.high << 1 | r.low >> 63, r.low << 1 | (low >> 3 & 1),
                       p.exponent + 3};
    return r;
}

static lv_power by_ten(lv_power p)
{
    /* 16 p / 10, in pieces of 32 bits, with one bit more if it fits. */
    const int shift = p.high >= (uint64_t)10 << 60 ? 3 : 4;
    uint64_t piece[5] = {p.high >> (64 - shift),
                         (p.high << shift | p.low >> (64 - shift)) >> 32,
                         (p.high << shift | p.low >> (64 - shift)) & 0xffffffffu,
                         p.low << shift >> 32, p.low << shift & 0xffffffffu};
    uint64_t rest = 0;
    for (int k = 0; k < 5; k++) {
        const uint64_t number = rest << 32 | piece[k];
        piece[k] = number / 10;
        rest = number % 10;
    }
    return (lv_power){piece[1] << 32 | piece[2], piece[3] << 32 | piece[4],
                      p.exponent - shift};
}

void lv_decimal_init(lv_decimal *decimal)
{
    lv_power *one = decimal->power - LV_DECIMAL_LOW;
    one[0] = (lv_power){(uint64_t)1 << 63, 0, -127};
    for (int k = 0; k < LV_DECIMAL_HIGH; k++)
        one[k + 1] = times_ten(one[k]);
    for (int k = 0; k > LV_DECIMAL_LOW; k--)
        one[k - 1] = by_ten(one[k]);
}

/* ---- digits --------------------------------------------------------------------------- */

static const uint64_t ten_to_16 = 10000000000000000u;

/* d for the power 10^scale, or 0 if the approximation cannot decide the rounding. m >=
 * 2^63. */
static uint64_t scaled(const lv_decimal *decimal, uint64_t m, int e, int scale)
{
    const lv_power *p = &decimal->power[scale - LV_DECIMAL_LOW];
    uint64_t high = 0, middle = 0, carry = 0, low = 0;
    multiply(m, p->low, &carry, &low);
    multiply(m, p->high, &high, &middle);
    middle += carry;
    high += middle < carry;

    /* x 10^scale = (high 2^64 + middle) 2^-(64 + shift), plus a truncated remainder */
    const int shift = -(e + p->exponent + 128);
    const uint64_t half = (uint64_t)1 << (shift - 1);
    const uint64_t rest = high & (half * 2 - 1);
    const uint64_t doubt = 4096;
    if ((rest == half && middle < doubt) || (rest == half - 1 && middle > -doubt))
        return 0;
    return (high >> shift) + (rest >= half);
}

/* The digits and the exponent of a positive normal number; 0 if only printf can find
 * them. */
static uint64_t find_digits(const lv_decimal *decimal, double value, int *exponent)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t m = (bits << 11) | (uint64_t)1 << 63;
    const int e = (int)(bits >> 52 & 0x7ff) - 1075 - 11;

    /* floor((e + 63) log10(2)) is E or E - 1. */
    *exponent = (int)floor((e + 63) * 0.30102999566398120);
    uint64_t digits = scaled(decimal, m, e, 16 - *exponent);
    if (digits >= 10 * ten_to_16) {
        ++*exponent;
        digits = scaled(decimal, m, e, 16 - *exponent);
    }
    return digits;
}

/* ---- texts ---------------------------------------------------------------------------- */

/* The digits that printf writes, whatever the decimal point of the locale. */
static uint64_t exact_digits(double value, int *exponent)
{
    char text[64];
    uint64_t digits = 0;
    snprintf(text, sizeof text, "%.16e", value);
    const char *c = text;
    for (; *c != 'e'; c++)
        if (*c >= '0' && *c <= '9')
            digits = 10 * digits + (uint64_t)(*c - '0');
    const int sign = c[1] == '-' ? -1 : 1;
    *exponent = 0;
    for (c += 2; *c; c++)
        *exponent = 10 * *exponent + (*c - '0');
    *exponent *= sign;
    return digits;
}

static int put_exponent(char *to, int exponent)
{
    int n = 0;
    to[n++] = 'e';
    to[n++] = exponent < 0 ? '-' : '+';
    const int size = exponent < 0 ? -exponent : exponent;
    if (size >= 100)
        to[n++] = (char)('0' + size / 100);
    to[n++] = (char)('0' + size / 10 % 10);
    to[n++] = (char)('0' + size % 10);
    return n;
}

/* Writes digits as %g does: without trailing zeros, with an exponent if it is below -4 or
 * above 16. */
static int put_digits(char *to, uint64_t digits, int exponent)
{
    char text[17];
    int count = 17, n = 0;
    uint32_t high = (uint32_t)(digits / 100000000), low = (uint32_t)(digits % 100000000);
    for (int k = 16; k > 8; k--, low /= 10)
        text[k] = (char)('0' + low % 10);
    for (int k = 8; k >= 0; k--, high /= 10)
        text[k] = (char)('0' + high % 10);
    while (count > 1 && text[count - 1] == '0')
        count--;

    const int scientific = exponent < -4 || exponent > 16;
    int point = scientific ? 1 : exponent + 1; /* digits before the point */
    if (point <= 0) {
        to[n++] = '0';
        to[n++] = '.';
        for (; point < 0; point++)
            to[n++] = '0';
        point = -1;
    }
    for (int k = 0; k < count || k < point; k++) {
        if (k == point)
            to[n++] = '.';
        to[n++] = k < count ? text[k] : '0';
    }
    return scientific ? n + put_exponent(to + n, exponent) : n;
}

static int put_word(char *to, const char *word)
{
    int n = 0;
    for (; word[n]; n++)
        to[n] = word[n];
    return n;
}

int lv_decimal_write(const lv_decimal *decimal, double value, char to[LV_DECIMAL_SIZE])
{
    int n = 0, exponent = 0;
    if (isnan(value))
        return put_word(to, "nan");
    if (signbit(value))
        to[n++] = '-';
    value = fabs(value);
    if (isinf(value))
        return n + put_word(to + n, "inf");
    if (value == 0)
        return n + put_word(to + n, "0");

    uint64_t digits = value >= DBL_MIN ? find_digits(decimal, value, &exponent) : 0;
    if (digits == 0)
        digits = exact_digits(value, &exponent);
    if (digits == 10 * ten_to_16) {
        digits = ten_to_16;
        exponent++;
    }
    return n + put_digits(to + n, digits, exponent);
}
