#include "check.h"
#include "num/sum.h"

static void sum_keeps_what_rounding_loses(void **state)
{
    (void)state;
    lv_sum s = {0};
    lv_sum_add(&s, 1);
    lv_sum_add(&s, 1e100);
    lv_sum_add(&s, 1);
    lv_sum_add(&s, -1e100);
    assert_true(lv_sum_value(&s) == 2);
}

static void sum_of_steps_is_the_rounded_product(void **state)
{
    (void)state;
    const double h = 0.1;
    const int steps = 3000000;
    lv_sum t = {2.5, 0};
    double plain = 2.5;
    for (int k = 0; k < steps; k++) {
        lv_sum_add(&t, h);
        plain += h;
    }
    const double exact = (double)(2.5L + (long double)h * steps);
    assert_true(lv_sum_value(&t) == exact);
    assert_true(plain != exact);
}

/* The value is the nearest double to the exact sum after every step, and the rest is what is missing. */
static void carried_sums_are_the_nearest_doubles(void **state)
{
    (void)state;
    const double h = 0.1;
    double value = 1e4, rest = 0, left = 0;
    for (int k = 1; k <= 1000; k++) {
        value = lv_sum_carry(&left, value, rest, h);
        rest = left;
        const long double exact = 1e4L + (long double)h * k;
        assert_true(value == (double)exact);
        assert_at_most(fabs((double)(exact - (long double)value) - rest), 1e-15);
    }
    assert_true(lv_sum_carry(&left, 1, 0, 1e-20) == 1 && left == 1e-20);
    assert_true(lv_sum_carry(&left, 1e-20, 0, 1) == 1 && left == 1e-20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(sum_keeps_what_rounding_loses),
        RUN(sum_of_steps_is_the_rounded_product),
        RUN(carried_sums_are_the_nearest_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
