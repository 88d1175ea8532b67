/* Checked by what defines the solution: A^T (A x - b) = 0 and x in the span of A's rows, that
 * is x = A^T y for some y, and by the normal equations where A has full rank. */
#include "check.h"
#include "elimination.h"
#include "num/least_norm.h"
#include "random_formula.h"

#include <string.h>

enum { MOST = 24 };

static double original[MOST * MOST], a[MOST * MOST], b[MOST], x[MOST];
static double work[5 * MOST * MOST];
static int row_order[MOST];

/* A random matrix of the given rank: a product of two thin ones. */
static void fill(uint64_t *seed, int rows, int columns, int rank)
{
    double left[MOST * MOST], right[MOST * MOST];
    for (int k = 0; k < rows * rank; k++)
        left[k] = lv_random_between(seed, -1, 1);
    for (int k = 0; k < rank * columns; k++)
        right[k] = lv_random_between(seed, -1, 1);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double sum = 0;
            for (int k = 0; k < rank; k++)
                sum += left[i * rank + k] * right[k * columns + j];
            original[i * columns + j] = sum;
        }
    for (int i = 0; i < rows; i++)
        b[i] = lv_random_between(seed, -1, 1);
}

static lv_least_norm factor(int rows, int columns, double tolerance)
{
    assert_true(lv_least_norm_work(rows, columns) <= sizeof work / sizeof *work);
    memcpy(a, original, sizeof a);
    lv_least_norm f = {
        .rows = rows, .columns = columns, .a = a, .row_order = row_order, .work = work};
    lv_least_norm_factor(&f, tolerance);
    return f;
}

static double residual(int i, int columns)
{
    double sum = -b[i];
    for (int j = 0; j < columns; j++)
        sum += original[i * columns + j] * x[j];
    return sum;
}

static void normal_equations_hold(int rows, int columns, double tolerance)
{
    for (int j = 0; j < columns; j++) {
        double sum = 0;
        for (int i = 0; i < rows; i++)
            sum += original[i * columns + j] * residual(i, columns);
        assert_close(sum, 0, tolerance);
    }
}

/* x is orthogonal to the kernel if it is its own projection on the rows: solving A x' = A x
 * for the x' of least norm, through A A^T y = A x with the independent rows only. */
static void solution_has_no_part_in_the_kernel(const lv_least_norm *f, double tolerance)
{
    const int r = f->rank, c = f->columns;
    double gram[MOST * MOST], right[MOST];
    long double y[MOST];
    for (int i = 0; i < r; i++) {
        const double *row = original + row_order[i] * c;
        right[i] = 0;
        for (int j = 0; j < c; j++)
            right[i] += row[j] * x[j];
        for (int k = 0; k < r; k++) {
            gram[i * r + k] = 0;
            for (int j = 0; j < c; j++)
                gram[i * r + k] += row[j] * original[row_order[k] * c + j];
        }
    }
    const double condition = eliminate_exactly(y, gram, right, r);
    for (int j = 0; j < c; j++) {
        long double sum = 0;
        for (int i = 0; i < r; i++)
            sum += y[i] * (long double)original[row_order[i] * c + j];
        assert_close(x[j], (double)sum, tolerance * (1 + condition * 1e-2));
    }
}

static void least_norm_finds_rank_and_solution_of_any_shape(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int rows = 1; rows <= 12; rows++)
        for (int columns = 1; columns <= 12; columns++)
            for (int rank = 0; rank <= rows && rank <= columns; rank++) {
                fill(&seed, rows, columns, rank);
                const lv_least_norm f = factor(rows, columns, 1e-9);
                assert_int_equal(f.rank, rank);
                assert_true(f.kept > 1e-9 && f.dropped <= 1e-9);
                lv_least_norm_solve(&f, x, b);
                normal_equations_hold(rows, columns, 1e-7);
                solution_has_no_part_in_the_kernel(&f, 1e-8);
            }
}

static void least_norm_solves_consistent_redundant_systems_exactly(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int rank = 1; rank <= 8; rank++) {
        fill(&seed, 14, 10, rank);
        double wanted[MOST];
        for (int j = 0; j < 10; j++)
            wanted[j] = lv_random_between(&seed, -1, 1);
        for (int i = 0; i < 14; i++) {
            b[i] = 0;
            for (int j = 0; j < 10; j++)
                b[i] += original[i * 10 + j] * wanted[j];
        }
        const lv_least_norm f = factor(14, 10, 1e-10);
        assert_int_equal(f.rank, rank);
        lv_least_norm_solve(&f, x, b);
        for (int i = 0; i < 14; i++)
            assert_close(residual(i, 10), 0, 1e-11);
    }
}

static void least_norm_names_dependent_rows_and_their_combination(void **state)
{
    (void)state;
    /* Row 1 is zero, row 3 = 2 row 0 - row 2 in other units. */
    static const double rows[5][4] = {
        {1, 2, 0, 1}, {0, 0, 0, 0}, {0, 1, 1, 3}, {2e6, 3e6, -1e6, -1e6}, {1, 0, 0, 0}};
    memcpy(original, rows, sizeof rows);
    const lv_least_norm f = factor(5, 4, 1e-10);
    assert_int_equal(f.rank, 3);
    for (int d = f.rank; d < 5; d++) {
        double combination[4], sum[4] = {0};
        assert_int_not_equal(row_order[d], 4);
        lv_least_norm_combination(&f, d, combination);
        for (int k = 0; k < f.rank; k++)
            for (int j = 0; j < 4; j++)
                sum[j] += combination[k] * rows[row_order[k]][j];
        for (int j = 0; j < 4; j++)
            assert_close(sum[j], rows[row_order[d]][j], 1e-12);
    }
}

static void least_norm_ignores_the_units_of_rows_and_of_everything(void **state)
{
    (void)state;
    uint64_t seed = 3;
    static const double scales[] = {1e-150, 1e-9, 1, 1e9, 1e150};
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
        fill(&seed, 6, 8, 4);
        for (int k = 0; k < 48; k++)
            original[k] *= scales[s] * (k / 8 == 2 ? 1e-6 : 1);
        const lv_least_norm f = factor(6, 8, 1e-10);
        assert_int_equal(f.rank, 4);
        for (int i = 0; i < 6; i++)
            b[i] = 0;
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 8; j++)
                b[i] += original[i * 8 + j];
        lv_least_norm_solve(&f, x, b);
        for (int i = 0; i < 6; i++) {
            double size = 0;
            for (int j = 0; j < 8; j++)
                size += fabs(original[i * 8 + j]);
            assert_close(residual(i, 8) / size, 0, 1e-11);
        }
    }
}

static void least_norm_of_nothing_is_zero(void **state)
{
    (void)state;
    const lv_least_norm none = factor(0, 3, 1e-10);
    x[0] = x[1] = x[2] = 1;
    lv_least_norm_solve(&none, x, b);
    assert_int_equal(none.rank, 0);
    assert_true(x[0] == 0 && x[1] == 0 && x[2] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(least_norm_finds_rank_and_solution_of_any_shape),
        RUN(least_norm_solves_consistent_redundant_systems_exactly),
        RUN(least_norm_names_dependent_rows_and_their_combination),
        RUN(least_norm_ignores_the_units_of_rows_and_of_everything),
        RUN(least_norm_of_nothing_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
