/* Seventeen digits: printf is the reference. */
#include "check.h"
#include "out/decimal.h"

#include <float.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static lv_decimal decimal;

static int prepare(void **state)
{
    (void)state;
    lv_decimal_init(&decimal);
    return 0;
}

static void assert_like_printf(double value)
{
    char ours[LV_DECIMAL_SIZE + 1], expected[64];
    const int n = lv_decimal_write(&decimal, value, ours);
    assert_true(n > 0 && n <= LV_DECIMAL_SIZE);
    ours[n] = '\0';
    snprintf(expected, sizeof expected, "%.17g", value);
    if (strcmp(ours, expected) != 0)
        fail_msg("%a is written '%s', printf writes '%s'", value, ours, expected);
}

/* xorshift64* */
static uint64_t next_random(uint64_t *x)
{
    *x ^= *x >> 12;
    *x ^= *x << 25;
    *x ^= *x >> 27;
    return *x * 2685821657736338717u;
}

static void all_kinds_of_numbers_are_written_as_printf_does(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < 200000; i++) {
        const uint64_t bits = next_random(&seed);
        double value = 0;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            assert_like_printf(value);
        assert_like_printf((double)(bits >> 11) * 0x1p-53);
        assert_like_printf((double)(int64_t)(bits % 2000001) / 1000 - 1000);
        assert_like_printf((double)(bits >> (bits & 63)));
        assert_like_printf(ldexp((double)(bits >> 50), (int)(bits % 200) - 100));
    }
}

static void powers_and_their_neighbours_are_written_as_printf_does(void **state)
{
    (void)state;
    for (int e = -330; e <= 308; e++) {
        char text[20];
        snprintf(text, sizeof text, "1e%d", e);
        const double ten = strtod(text, NULL);
        assert_like_printf(ten);
        assert_like_printf(-ten);
        assert_like_printf(nextafter(ten, 0));
        assert_like_printf(nextafter(ten, INFINITY));
    }
    for (int e = -1074; e <= 1023; e++)
        assert_like_printf(ldexp(1, e));
}

static void ties_between_two_last_digits_go_to_the_even_one(void **state)
{
    (void)state;
    /* m / 2^k with 18 digits, the last a 5: exactly half way. */
    for (int k = 1; k < 60; k++)
        for (uint64_t m = 1; m < 2000; m += 2)
            assert_like_printf(ldexp((double)m, -k));
    assert_like_printf(0x1p-54);
    assert_like_printf(36028797018963970.0);
    assert_like_printf(144115188075855874.0);
}

static void extremes_are_written_as_printf_does(void **state)
{
    (void)state;
    static const double extremes[] = {0,           -0.0,   DBL_MIN,  DBL_MAX,  -DBL_MAX,
                                      DBL_EPSILON, 5e-324, 4.9e-320, INFINITY, -INFINITY};
    for (size_t k = 0; k < sizeof extremes / sizeof extremes[0]; k++)
        assert_like_printf(extremes[k]);
    char text[LV_DECIMAL_SIZE];
    assert_int_equal(lv_decimal_write(&decimal, NAN, text), 3);
    assert_memory_equal(text, "nan", 3);
    assert_int_equal(lv_decimal_write(&decimal, -NAN, text), 3);
    assert_memory_equal(text, "nan", 3);
}

static void a_locale_with_a_decimal_comma_changes_nothing(void **state)
{
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
        skip();
    char text[LV_DECIMAL_SIZE + 1], tiny[LV_DECIMAL_SIZE + 1];
    text[lv_decimal_write(&decimal, 1.5, text)] = '\0';
    tiny[lv_decimal_write(&decimal, 4.9e-320, tiny)] = '\0'; /* printf's digits */
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(text, "1.5");
    assert_null(strchr(tiny, ','));
    assert_non_null(strchr(tiny, '.'));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(all_kinds_of_numbers_are_written_as_printf_does),
        RUN(powers_and_their_neighbours_are_written_as_printf_does),
        RUN(ties_between_two_last_digits_go_to_the_even_one),
        RUN(extremes_are_written_as_printf_does),
        RUN(a_locale_with_a_decimal_comma_changes_nothing),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
