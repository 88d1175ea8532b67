/* Pairs of small systems: solutions are those of each alone, to the bit, whoever the partner is. */
#include "check.h"
#include "random_formula.h"

#include "num/dense.h"
#include "num/twin.h"

#include <math.h>
#include <string.h>

enum { MOST = LV_TWIN_LARGEST, ENTRIES = MOST * MOST };

/* Two matrices and right-hand sides, one behind the other. */
typedef struct fixture {
    double a[2 * ENTRIES], b[2 * MOST];
    int matrix_index[2 * ENTRIES], vector_index[2 * MOST];
} fixture;

/* Lanes of `one` and `other`, which may be the same. */
static void make(fixture *f, uint64_t seed, int n, int one, int other)
{
    const int lane[2] = {one, other};
    for (int k = 0; k < 2 * ENTRIES; k++)
        f->a[k] = lv_random_between(&seed, -0.3, 0.3);
    for (int k = 0; k < 2 * MOST; k++)
        f->b[k] = lv_random_between(&seed, -1, 1);
    for (int l = 0; l < 2; l++)
        for (int i = 0; i < n; i++)
            f->a[l * ENTRIES + i * n + i] += 2 + l;
    for (int l = 0; l < 2; l++) {
        for (int k = 0; k < n * n; k++)
            f->matrix_index[2 * k + l] = lane[l] * ENTRIES + k;
        for (int i = 0; i < n; i++)
            f->vector_index[2 * i + l] = lane[l] * MOST + i;
    }
}

static void solve(const fixture *f, int n, double *x)
{
    double factors[2 * ENTRIES];
    lv_twin_put(factors, 1, f->a, f->matrix_index, n * n);
    assert_true(lv_twin_factor(factors, n));
    lv_twin_solve(factors, n, x, f->b, f->vector_index);
}

static void solutions_are_those_of_elimination(void **state)
{
    (void)state;
    fixture f;
    for (int n = 1; n <= MOST; n++) {
        double x[2 * MOST], a[ENTRIES], y[MOST];
        int pivot[MOST];
        make(&f, 17 + (uint64_t)n, n, 0, 1);
        solve(&f, n, x);
        for (int l = 0; l < 2; l++) {
            memcpy(a, f.a + l * ENTRIES, sizeof a);
            memcpy(y, f.b + l * MOST, sizeof y);
            assert_true(lv_lu_factor(a, n, pivot));
            lv_lu_solve(a, n, pivot, y);
            for (int i = 0; i < n; i++)
                assert_close(x[2 * i + l], y[i], 1e-13);
        }
    }
}

static void partners_do_not_matter(void **state)
{
    (void)state;
    fixture f;
    for (int n = 1; n <= MOST; n++) {
        double both[2 * MOST], alone[2 * MOST], turned[2 * MOST];
        make(&f, 5, n, 0, 1);
        solve(&f, n, both);
        make(&f, 5, n, 0, 0);
        solve(&f, n, alone);
        make(&f, 5, n, 1, 0);
        solve(&f, n, turned);
        for (int i = 0; i < n; i++) {
            assert_true(both[2 * i] == alone[2 * i] && both[2 * i] == alone[2 * i + 1]);
            assert_true(both[2 * i] == turned[2 * i + 1]);
            assert_true(both[2 * i + 1] == turned[2 * i]);
        }
    }
}

static void what_is_missing_is_nothing(void **state)
{
    (void)state;
    const double from[] = {3, 5, 7};
    const int index[] = {0, -1, -1, 2}, at[] = {1, 0}, full[] = {0, 1, 2, 0};
    double to[4] = {1, 1, 1, 1};
    lv_twin_add(to, at, 2, from, index, 2, false);
    const double expected[] = {1, 15, 7, 1};
    assert_memory_equal(to, expected, sizeof to);
    lv_twin_add(to, at, -1, from, full, 2, true);
    const double then[] = {-6, 12, 4, -4};
    assert_memory_equal(to, then, sizeof to);
}

/* In either lane. */
static void small_pivots_are_refused(void **state)
{
    (void)state;
    fixture f;
    for (int n = 2; n <= MOST; n++)
        for (int l = 0; l < 2; l++) {
            double factors[2 * ENTRIES];
            make(&f, 3, n, 0, 1);
            for (int j = 0; j < n; j++) /* the last row is nearly the first */
                f.a[l * ENTRIES + (n - 1) * n + j] =
                    f.a[l * ENTRIES + j] + (j == n - 1 ? 1e-9 : 0);
            lv_twin_put(factors, 1, f.a, f.matrix_index, n * n);
            assert_false(lv_twin_factor(factors, n));
        }
}

static void what_is_not_finite_is_refused(void **state)
{
    (void)state;
    fixture f;
    for (int n = 1; n <= MOST; n++)
        for (int l = 0; l < 2; l++) {
            double factors[2 * ENTRIES];
            make(&f, 3, n, 0, 1);
            f.a[l * ENTRIES] = (double)NAN;
            lv_twin_put(factors, 1, f.a, f.matrix_index, n * n);
            assert_false(lv_twin_factor(factors, n));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(solutions_are_those_of_elimination), RUN(partners_do_not_matter),
        RUN(what_is_missing_is_nothing), RUN(small_pivots_are_refused),
        RUN(what_is_not_finite_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
