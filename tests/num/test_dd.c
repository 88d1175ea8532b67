/* Twofold arithmetic against identities that need its 32 digits. */
#include "check.h"
#include "num/dd.h"

static double distance(lv_dd a, lv_dd b)
{
    return fabs(lv_dd_sub(a, b).hi);
}

static void sums_and_products_of_doubles_are_exact(void **state)
{
    (void)state;
    lv_dd s = lv_dd_exact_sum(1, 1e-25);
    assert_true(s.hi == 1 && s.lo == 1e-25);
    s = lv_dd_exact_sum(1e-25, 1);
    assert_true(s.hi == 1 && s.lo == 1e-25);
    double e = ldexp(1, -40);
    lv_dd p = lv_dd_exact_product(1 + e, 1 + e); /* 1 + 2e + e^2 */
    assert_true(p.hi == 1 + 2 * e && p.lo == e * e);
}

static void quotients_multiply_back(void **state)
{
    (void)state;
    for (int i = 1; i < 200; i++)
        for (int j = 1; j < 200; j++) {
            lv_dd q = lv_dd_ratio(i, j);
            assert_true(q.hi == (double)i / j);
            assert_at_most(distance(lv_dd_scale(q, j), lv_dd_from(i)), i * 1e-31);
            lv_dd one = lv_dd_div(q, q);
            assert_true(one.hi == 1 && one.lo == 0);
        }
}

/* sum 1/k! against the digits of e = 2.718281828459045 + 2.35360287471352662e-16 .. */
static void a_series_reaches_thirty_digits(void **state)
{
    (void)state;
    lv_dd sum = lv_dd_from(1), term = lv_dd_from(1);
    for (int k = 1; k < 40; k++) {
        term = lv_dd_div(term, lv_dd_from(k));
        sum = lv_dd_add(sum, term);
    }
    lv_dd e = lv_dd_div(lv_dd_from(2718281828459045), lv_dd_from(1e15));
    e = lv_dd_add(e, lv_dd_div(lv_dd_from(2353602874713527), lv_dd_from(1e31)));
    assert_at_most(distance(sum, e), 5e-31);
}

static void cancellation_leaves_the_rest(void **state)
{
    (void)state;
    lv_dd third = lv_dd_ratio(1, 3);
    lv_dd a = lv_dd_add(lv_dd_from(1), lv_dd_scale(third, 1e-15));
    lv_dd rest = lv_dd_scale(lv_dd_sub(a, lv_dd_from(1)), 1e15);
    assert_at_most(distance(rest, third), 1e-16);
    lv_dd zero = lv_dd_sub(a, a);
    assert_true(zero.hi == 0 && zero.lo == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(sums_and_products_of_doubles_are_exact),
        RUN(quotients_multiply_back),
        RUN(a_series_reaches_thirty_digits),
        RUN(cancellation_leaves_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
