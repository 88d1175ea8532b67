/* Numerical rank of dense matrices. */
#include "check.h"
#include "random_formula.h"

#include "num/rank.h"

#include <string.h>

enum { LARGEST = 40 };

static double random_factor(uint64_t *seed)
{
    return lv_random_between(seed, 0.5, 2) * (lv_random_below(seed, 2) ? 1 : -1);
}

/* a = sum of `rank` products of a random column with a random row */
static void random_matrix(uint64_t *seed, double *a, int rows, int columns, int rank)
{
    double u[LARGEST], v[LARGEST];
    memset(a, 0, (size_t)(rows * columns) * sizeof *a);
    for (int r = 0; r < rank; r++) {
        for (int i = 0; i < rows; i++)
            u[i] = random_factor(seed);
        for (int k = 0; k < columns; k++)
            v[k] = random_factor(seed);
        for (int i = 0; i < rows; i++)
            for (int k = 0; k < columns; k++)
                a[i * columns + k] += u[i] * v[k];
    }
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static void random_matrices_have_the_rank_they_were_built_with(void **state)
{
    static double a[LARGEST * LARGEST];
    uint64_t seed = 1;
    (void)state;
    for (int trial = 0; trial < 400; trial++) {
        int rows = 1 + lv_random_below(&seed, LARGEST);
        int columns = 1 + lv_random_below(&seed, LARGEST);
        int rank = lv_random_below(&seed, smaller(rows, columns) + 1);
        random_matrix(&seed, a, rows, columns, rank);
        assert_int_equal(lv_rank(a, rows, columns, 1e-10), rank);
    }
}

static void scaling_rows_and_columns_changes_nothing(void **state)
{
    static double a[LARGEST * LARGEST];
    uint64_t seed = 2;
    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        int rows = 1 + lv_random_below(&seed, LARGEST);
        int columns = 1 + lv_random_below(&seed, LARGEST);
        int rank = lv_random_below(&seed, smaller(rows, columns) + 1);
        random_matrix(&seed, a, rows, columns, rank);
        for (int i = 0; i < rows; i++) {
            double scale = pow(10, lv_random_between(&seed, -100, 100));
            for (int k = 0; k < columns; k++)
                a[i * columns + k] *= scale;
        }
        for (int k = 0; k < columns; k++) {
            double scale = pow(10, lv_random_between(&seed, -20, 20));
            for (int i = 0; i < rows; i++)
                a[i * columns + k] *= scale;
        }
        assert_int_equal(lv_rank(a, rows, columns, 1e-10), rank);
    }
}

static void simple_matrices_have_the_known_rank(void **state)
{
    double zero[6] = {0}, one[1] = {-1e-300}, row[3] = {0, 0, 2};
    double unit[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
    double ones[4] = {1, 1, 1, 1}, nearly[4] = {1, 1, 1, 1 + 1e-13};
    double distinct[4] = {1, 1, 1, 1 + 1e-6};
    (void)state;
    assert_int_equal(lv_rank(zero, 2, 3, 1e-10), 0);
    assert_int_equal(lv_rank(zero, 0, 3, 1e-10), 0);
    assert_int_equal(lv_rank(zero, 2, 0, 1e-10), 0);
    assert_int_equal(lv_rank(one, 1, 1, 1e-10), 1);
    assert_int_equal(lv_rank(row, 1, 3, 1e-10), 1);
    assert_int_equal(lv_rank(row, 3, 1, 1e-10), 1);
    assert_int_equal(lv_rank(unit, 3, 3, 1e-10), 3);
    assert_int_equal(lv_rank(ones, 2, 2, 1e-10), 1);
    assert_int_equal(lv_rank(nearly, 2, 2, 1e-10), 1);
    assert_int_equal(lv_rank(distinct, 2, 2, 1e-10), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(random_matrices_have_the_rank_they_were_built_with),
        RUN(scaling_rows_and_columns_changes_nothing),
        RUN(simple_matrices_have_the_known_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
