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

/* All extents of an update, of all lengths, with the largest numbers anywhere. */
static void extents_of_updates_are_found_wherever_they_are(void **state)
{
    (void)state;
    double update[LONGEST], q[LONGEST], v[LONGEST];
    for (int n = 1; n <= LONGEST; n++)
        for (int at = 0; at < n; at++) {
            for (int i = 0; i < n; i++) {
                update[i] = i % 4 < 2 ? 1e308 : -1e308;
                q[i] = v[i] = sin(i);
            }
            update[at] = -1.5e308;
            q[at] = -2;
            v[n - 1 - at] = -8;
            lv_extents all = lv_extents_of(update, q, v, 0.25, n);
            const double other = fabs(q[n - 1 - at]) + 2, own = 2 + 0.25 * fabs(v[at]);
            assert_true(all.size == (other > own ? other : own));
            assert_true(all.change == 1.5e308 && all.sum == 0);
            update[at] = at % 2 ? (double)INFINITY : (double)NAN;
            all = lv_extents_of(update, q, v, 0.25, n);
            assert_true(isnan(all.sum));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_largest_entry_counts_wherever_it_stands),
        RUN(entries_that_are_not_finite_are_seen),
        RUN(huge_entries_are_finite),
        RUN(extents_of_updates_are_found_wherever_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
