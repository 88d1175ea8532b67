/* Numbers with a wide exponent, against logarithms and identities. */
#include "check.h"
#include "expr/wide.h"

static lv_wide of(double x)
{
    return lv_wide_of(x);
}

static void doubles_come_back(void **state)
{
    static const double cases[] = {0,         1,         -3.5,
                                   0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023,
                                   -0x1p300,  0x1p-300,  1e200};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_true(lv_wide_double(of(cases[k])) == cases[k]);
}

static void products_do_not_underflow(void **state)
{
    lv_wide x = of(1e-200), product = of(1);
    (void)state;
    for (int k = 0; k < 10; k++)
        product = lv_wide_mul(product, x);
    assert_true(lv_wide_double(product) == 0 && !lv_wide_is_zero(product));
    for (int k = 0; k < 10; k++)
        product = lv_wide_div(product, x);
    assert_close(lv_wide_double(product), 1, 1e-14);
}

static void exponentials_obey_their_law(void **state)
{
    static const double cases[] = {0.3, -18000.25, 1e6 + 0.5, -3e9, 700, -746};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        lv_wide up = lv_wide_exp(of(cases[k])), down = lv_wide_exp(of(-cases[k]));
        assert_close(lv_wide_double(lv_wide_mul(up, down)), 1,
                     1e-15 * fmax(100, fabs(cases[k])));
        assert_close(lv_wide_double(lv_wide_log(up)) / cases[k], 1, 1e-14);
    }
    assert_false(lv_wide_is_zero(lv_wide_exp(of(-1e300))));
    assert_false(lv_wide_is_finite(lv_wide_exp(of(1e300))));
}

static void powers_and_roots_are_exponentials(void **state)
{
    lv_wide small = lv_wide_exp(of(-5000));
    (void)state;
    assert_close(lv_wide_double(lv_wide_log(lv_wide_sqrt(small))), -2500, 1e-9);
    assert_close(lv_wide_double(lv_wide_log(lv_wide_pow(small, of(-1.5)))), 7500, 1e-9);
    assert_close(lv_wide_double(lv_wide_log(lv_wide_abs(lv_wide_pow(of(-30), of(401))))),
                 401 * log(30), 1e-9);
    assert_true(lv_wide_pow(of(-30), of(401)).m < 0);
    assert_true(lv_wide_pow(of(-30), of(400)).m > 0);
    assert_close(lv_wide_double(lv_wide_pow(of(2), of(-1060))), 0x1p-1060, 1e-320);
}

static void sums_and_order_respect_exponents(void **state)
{
    lv_wide tiny = lv_wide_exp(of(-1e4)), large = lv_wide_exp(of(1e4));
    (void)state;
    assert_close(lv_wide_double(lv_wide_add(of(2), tiny)), 2, 0);
    assert_true(lv_wide_compare(tiny, of(0)) > 0);
    assert_true(lv_wide_compare(tiny, large) < 0);
    assert_true(lv_wide_compare(of(-1), tiny) < 0);
    assert_true(lv_wide_compare(large, large) == 0);
    /* neighbours of different blocks */
    assert_close(lv_wide_double(lv_wide_sub(of(0x1.8p256), of(0x1.8p255))), 0x1.8p255, 0);
    assert_true(lv_wide_is_below(tiny, 1e-11, of(1)));
    assert_false(lv_wide_is_below(of(1), 1e-11, tiny));
}

static void angles_far_from_the_axes_have_both_signs(void **state)
{
    lv_wide tiny = lv_wide_exp(of(-1e4));
    const double pi = acos(-1);
    (void)state;
    assert_close(lv_wide_double(lv_wide_atan2(of(1), tiny)), pi / 2, 1e-15);
    assert_close(lv_wide_double(lv_wide_atan2(of(-1), tiny)), -pi / 2, 1e-15);
    assert_close(lv_wide_double(lv_wide_atan2(tiny, of(-1))), pi, 1e-15);
    assert_true(lv_wide_compare(lv_wide_atan2(tiny, of(1)), tiny) == 0);
    assert_close(lv_wide_double(lv_wide_atan2(of(3), of(-4))), atan2(3, -4), 0);
}

static void texts_have_three_digits(void **state)
{
    char buffer[40];
    (void)state;
    assert_string_equal(lv_wide_text(of(-9.81), buffer, sizeof buffer), "-9.81");
    assert_string_equal(lv_wide_text(of(0), buffer, sizeof buffer), "0");
    lv_wide x = lv_wide_mul(of(2.5e-200), of(1e-200));
    assert_string_equal(lv_wide_text(x, buffer, sizeof buffer), "2.50e-400");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_come_back),
        cmocka_unit_test(products_do_not_underflow),
        cmocka_unit_test(exponentials_obey_their_law),
        cmocka_unit_test(powers_and_roots_are_exponentials),
        cmocka_unit_test(sums_and_order_respect_exponents),
        cmocka_unit_test(angles_far_from_the_axes_have_both_signs),
        cmocka_unit_test(texts_have_three_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
