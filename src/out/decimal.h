/* Fast conversion of doubles to decimal texts of 17 significant digits. */
#ifndef LV_OUT_DECIMAL_H
#define LV_OUT_DECIMAL_H

#include <stdint.h>

/* Powers of ten as 128-bit numbers. A call needs nothing else, so that threads with
 * tables of their own share no data. */
enum { LV_DECIMAL_LOW = -293, LV_DECIMAL_HIGH = 325 };

typedef struct lv_power {
    uint64_t high, low; /* 10^k = (high 2^64 + low) 2^exponent, high >= 2^63 */
    int exponent;
} lv_power;

typedef struct lv_decimal {
    lv_power power[LV_DECIMAL_HIGH - LV_DECIMAL_LOW + 1];
} lv_decimal;

void lv_decimal_init(lv_decimal *decimal);

/* Writes what printf writes for "%.17g" in the C locale, in any locale, with "nan" for every
 * NaN; returns the number of characters. There is no NUL. */
enum { LV_DECIMAL_SIZE = 40 };
int lv_decimal_write(const lv_decimal *decimal, double value, char to[LV_DECIMAL_SIZE]);

#endif
