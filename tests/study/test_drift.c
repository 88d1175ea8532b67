/* Lines through oscillating errors. */
#include "check.h"

#include "study/drift.h"

#include <math.h>

enum { COUNT = 4000 };
static const double dt = 0.01;

static lv_drift drift_of(double rate, double amplitude, double frequency)
{
    static double x[COUNT];
    for (int k = 0; k < COUNT; k++)
        x[k] = rate * dt * (k + 1) + amplitude * sin(frequency * dt * (k + 1));
    return lv_drift_of(x, COUNT, dt);
}

static void a_drift_is_seen_below_an_oscillation(void **state)
{
    (void)state;
    const lv_drift d = drift_of(1e-4, 1e-3, 17);
    assert_at_most(fabs(d.rate - 1e-4), d.interval);
    assert_below(d.interval, 2e-5);
    assert_in_range(d.turns, 200, 220); /* 17 * 40 / pi = 216 */
}

static void an_oscillation_is_no_drift(void **state)
{
    (void)state;
    const lv_drift d = drift_of(0, 1e-3, 17);
    assert_at_most(fabs(d.rate), d.interval);
    assert_true(fabs(d.largest - 1e-3) < 1e-6);
    assert_below(d.growth, 1.01);
}

/* The line covers the true rate in about 99 of 100 cases: noise, here. */
static void the_interval_has_its_level(void **state)
{
    (void)state;
    int missed = 0;
    unsigned long long seed = 12345;
    for (int trial = 0; trial < 2000; trial++) {
        double x[400];
        for (int k = 0; k < 400; k++) {
            double sum = 0;
            for (int i = 0; i < 12; i++) { /* nearly normal */
                seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
                sum += (double)(seed >> 11) / 9007199254740992.0;
            }
            x[k] = sum - 6 + 0.3 * (k + 1);
        }
        const lv_drift d = lv_drift_of(x, 400, 1);
        missed += fabs(d.rate - 0.3) > d.interval;
    }
    assert_in_range(missed, 5, 45); /* 20 +- 4.5 are expected */
}

static void a_part_of_an_oscillation_does_not_turn(void **state)
{
    (void)state;
    assert_below(drift_of(0, 1e-3, 0.04).turns, 4);
}

static void few_numbers_have_no_line(void **state)
{
    (void)state;
    const double x[] = {1, -2, 3};
    const lv_drift d = lv_drift_of(x, 3, 1);
    assert_true(isnan(d.rate) && isnan(d.interval));
    assert_true(d.largest == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_drift_is_seen_below_an_oscillation),
        RUN(an_oscillation_is_no_drift),
        RUN(the_interval_has_its_level),
        RUN(a_part_of_an_oscillation_does_not_turn),
        RUN(few_numbers_have_no_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
