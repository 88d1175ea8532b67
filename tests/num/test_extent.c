/* The largest entries of vectors of all lengths, wherever they stand. */
#include "check.h"
#include "num/extent.h"

enum { LONGEST = 70 };

static void the_largest_entry_counts_wherever_it_stands(void **state)
{
    (void)state;
    double x[LONGEST];
    for (int n = 0; n <= LONGEST; n++)
        for (int at = 0; at < n; at++) {
            for (int i = 0; i < n; i++)
                x[i] = sin(i);
            x[at] = at % 2 ? 2.5 : -2.5;
            assert_true(lv_extent(x, n) == 2.5);
        }
    assert_true(lv_extent(x, 0) == 0);
}

static void entries_that_are_not_finite_are_seen(void **state)
{
    (void)state;
    const double odd[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    double x[LONGEST];
    for (int n = 1; n <= LONGEST; n++)
        for (int at = 0; at < n; at++) {
            for (int i = 0; i < n; i++)
                x[i] = i;
            x[at] = odd[at % 3];
            assert_true(isnan(lv_extent(x, n)));
        }
}

/* Their sum overflows, they do not. */
static void huge_entries_are_finite(void **state)
{
    (void)state;
    double x[LONGEST];
    for (int i = 0; i < LONGEST; i++)
        x[i] = 1e308 * (1 + 0.01 * (i % 7));
    assert_true(lv_extent(x, LONGEST) == 1e308 * (1 + 0.01 * 6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_largest_entry_counts_wherever_it_stands),
        RUN(entries_that_are_not_finite_are_seen),
        RUN(huge_entries_are_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
