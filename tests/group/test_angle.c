/* The functions of the angle against their power series, summed in long double term by term. */
#include "check.h"
#include "group/angle.h"

/* (1/t d/dt)^k of sum_j (-1)^j s^j/(2j + first)!, first = 1, 2, 3 for c0, c1, c2 */
static long double reference(int first, int k, long double s)
{
    long double sum = 0;
    for (int j = 60; j >= k; j--) {
        long double term = j % 2 ? -1 : 1;
        for (int i = 2; i <= 2 * j + first; i++)
            term /= i;
        for (int i = 0; i < k; i++)
            term *= 2 * (j - i);
        for (int i = 0; i < j - k; i++)
            term *= s;
        sum += term;
    }
    return sum;
}

static void check(double s, const double tolerance[LV_ANGLE_ORDERS])
{
    lv_angle a;
    lv_angle_at(&a, s, LV_ANGLE_ORDERS - 1);
    for (int k = 0; k < LV_ANGLE_ORDERS; k++) {
        const double *value[] = {a.c0, a.c1, a.c2};
        for (int first = 1; first <= 3; first++) {
            /* c0 and its derivatives have zeros: compare with its value at 0 */
            const long double exact = reference(first, k, (long double)s);
            const long double scale = first == 1 ? reference(1, k, 0) : exact;
            const double error =
                (double)fabsl(((long double)value[first - 1][k] - exact) / scale);
            if (!(error <= tolerance[k]))
                fail_msg("c%d, order %d, s = %.17g: error %.3g, allowed %.3g", first - 1,
                         k, s, error, tolerance[k]);
        }
    }
}

static void series_has_full_precision(void **state)
{
    (void)state;
    const double tolerance[] = {5e-16, 5e-16, 5e-16, 5e-16};
    for (int i = 0; i < 2000; i++)
        check(LV_ANGLE_SWITCH * i / 2000, tolerance);
    const double radii[] = {0, 1e-9, 1e-4, 1e-2, 0.3, 0.99, 1.01, 2.5, 2.9999999};
    for (int i = 0; i < 9; i++)
        check(radii[i] * radii[i], tolerance);
}

static void closed_forms_lose_little_beyond_the_switch(void **state)
{
    (void)state;
    const double tolerance[] = {4e-15, 2e-15, 1e-14, 1e-13};
    for (int i = 0; i < 2000; i++)
        check(LV_ANGLE_SWITCH + (36 - LV_ANGLE_SWITCH) * i / 2000, tolerance);
}

/* Lower orders do not depend on how many are asked for. */
static void orders_agree_in_every_bit(void **state)
{
    (void)state;
    const double s[] = {0.2, 8.9, 9.1, 20};
    for (int i = 0; i < 4; i++) {
        lv_angle all, some;
        lv_angle_at(&all, s[i], 3);
        for (int order = 0; order < 4; order++) {
            lv_angle_at(&some, s[i], order);
            for (int k = 0; k <= order; k++)
                assert_true(some.c0[k] == all.c0[k] && some.c1[k] == all.c1[k] &&
                            some.c2[k] == all.c2[k]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(series_has_full_precision),
        RUN(closed_forms_lose_little_beyond_the_switch),
        RUN(orders_agree_in_every_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
