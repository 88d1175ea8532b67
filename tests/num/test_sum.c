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

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(sum_keeps_what_rounding_loses),
        RUN(sum_of_steps_is_the_rounded_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
