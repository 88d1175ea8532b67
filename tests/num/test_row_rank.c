/* Rows of sparse matrices that depend on others: trusses, whose dependences are known. */
#include "check.h"
#include "random_formula.h"

#include "num/least_norm.h"
#include "num/row_rank.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 1200, WIDTH = 6 };

/* Rods between points of the space. */
typedef struct truss {
    int points, rows;
    double (*at)[3];
    int start[MOST_ROWS + 1], column[MOST_ROWS * WIDTH];
    double value[MOST_ROWS * WIDTH];
    lv_pattern pattern;
} truss;

static truss t;

static void begin(int points, uint64_t seed)
{
    free(t.at);
    memset(&t, 0, sizeof t);
    t.points = points;
    t.at = calloc((size_t)points, sizeof *t.at);
    for (int i = 0; i < points; i++)
        for (int k = 0; k < 3; k++)
            t.at[i][k] = lv_random_between(&seed, -1, 1);
}

/* Returns its row. */
static int rod(int a, int b, double scale)
{
    const int low = a < b ? a : b, high = a < b ? b : a;
    int e = t.start[t.rows];
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++, e++) {
            const double d = scale * (t.at[high][k] - t.at[low][k]);
            t.column[e] = 3 * (side ? high : low) + k;
            t.value[e] = side ? d : -d;
        }
    t.start[++t.rows] = e;
    return t.rows - 1;
}

static lv_row_rank *analyse(void)
{
    lv_row_rank *rank;
    t.pattern = (lv_pattern){t.rows, 3 * t.points, t.start, t.column};
    assert_int_equal(lv_row_rank_create(&rank, &t.pattern, NULL), LV_OK);
    assert_non_null(rank);
    return rank;
}

static double norm_of(int r)
{
    double sum = 0;
    for (int e = t.start[r]; e < t.start[r + 1]; e++)
        sum += t.value[e] * t.value[e];
    return sqrt(sum);
}

/* The k-th dependent row is the combination that it is said to be. */
static void check_combination(lv_row_rank *rank, int k, double limit)
{
    const int row = lv_row_rank_row(rank, k);
    double left;
    const double *c = lv_row_rank_combination(rank, k, &left);
    double *sum = calloc((size_t)(3 * t.points), sizeof *sum);
    assert_true(c[row] == 0 && left <= limit);
    for (int r = 0; r < t.rows; r++)
        for (int e = t.start[r]; e < t.start[r + 1]; e++)
            sum[t.column[e]] += (r == row ? -1 : c[r]) * t.value[e] / norm_of(r);
    for (int i = 0; i < 3 * t.points; i++)
        assert_close(sum[i], 0, limit);
    free(sum);
}

static void chains_have_no_dependent_rods(void **state)
{
    (void)state;
    begin(1001, 1);
    for (int i = 0; i < 1000; i++)
        rod(i, i + 1, i % 7 ? 1 : 1e-9);
    lv_row_rank *rank = analyse();
    assert_int_equal(lv_row_rank_find(rank, &t.pattern, t.value, 1e-8), 0);
    lv_row_rank_free(rank);
}

/* Doubled rods, wherever they stand: one of each pair, with the other one alone. */
static void doubled_rods_are_found_with_their_twins(void **state)
{
    (void)state;
    enum { PAIRS = 5 };
    int twins[PAIRS][2];
    begin(801, 2);
    for (int i = 0; i < 800; i++)
        rod(i, i + 1, 1);
    for (int k = 0; k < PAIRS; k++) {
        twins[k][0] = 97 * k + 3;
        twins[k][1] = rod(97 * k + 3, 97 * k + 4, k % 2 ? 1e6 : -2);
    }
    lv_row_rank *rank = analyse();
    assert_int_equal(lv_row_rank_find(rank, &t.pattern, t.value, 1e-8), PAIRS);
    for (int k = 0; k < PAIRS; k++) {
        const int row = lv_row_rank_row(rank, k);
        double left;
        const double *c = lv_row_rank_combination(rank, k, &left);
        int pair = 0;
        while (pair < PAIRS && twins[pair][0] != row && twins[pair][1] != row)
            pair++;
        assert_true(pair < PAIRS);
        const int other = twins[pair][0] == row ? twins[pair][1] : twins[pair][0];
        for (int r = 0; r < t.rows; r++)
            assert_close(fabs(c[r]), r == other, 1e-11);
        check_combination(rank, k, 1e-12);
    }
    lv_row_rank_free(rank);
}

/* n points in space with all rods between them have 3 n - 6 independent ones. */
static void complete_trusses_have_the_rank_of_rigid_bodies(void **state)
{
    (void)state;
    for (int n = 4; n <= 12; n++) {
        begin(n, (uint64_t)n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                rod(i, j, 1);
        lv_row_rank *rank = analyse();
        const int count = lv_row_rank_find(rank, &t.pattern, t.value, 1e-4);
        assert_int_equal(count, t.rows - (3 * n - 6));
        for (int k = 0; k < count; k++)
            check_combination(rank, k, 1e-11);
        lv_row_rank_free(rank);
    }
}

/* A tower of octahedra between plates, each rod of which closes loops: as many as a dense judge finds. */
static void towers_have_the_rank_that_dense_factors_have(void **state)
{
    (void)state;
    enum { FLOORS = 24 };
    begin(3 * FLOORS, 5);
    for (int f = 0; f < FLOORS; f++)
        for (int i = 0; i < 3; i++) {
            rod(3 * f + i, 3 * f + (i + 1) % 3, 1);
            for (int j = 0; j < 3 && f > 0; j++)
                rod(3 * f + i, 3 * f - 3 + j, 1);
        }
    const size_t size = (size_t)t.rows * (size_t)(3 * t.points);
    lv_least_norm dense = {.rows = t.rows, .columns = 3 * t.points};
    dense.a = calloc(size, sizeof(double));
    dense.row_order = calloc((size_t)t.rows, sizeof(int));
    dense.work = calloc(lv_least_norm_work(t.rows, 3 * t.points), sizeof(double));
    for (int r = 0; r < t.rows; r++)
        for (int e = t.start[r]; e < t.start[r + 1]; e++)
            dense.a[(size_t)r * (size_t)(3 * t.points) + (size_t)t.column[e]] =
                t.value[e];
    lv_least_norm_factor(&dense, 1e-9);
    lv_row_rank *rank = analyse();
    const int count = lv_row_rank_find(rank, &t.pattern, t.value, 0.03);
    assert_true(count > FLOORS);
    assert_int_equal(count, t.rows - dense.rank);
    for (int k = 0; k < count; k++)
        check_combination(rank, k, 1e-8); /* there are weights of 3e6 */
    lv_row_rank_free(rank);
    free(dense.a);
    free(dense.row_order);
    free(dense.work);
}

/* What is left of a row counts relative to the row; zero rows depend on nothing; rows may be missing at the end. */
static void nearly_dependent_rows_depend_on_the_tolerance(void **state)
{
    (void)state;
    begin(50, 6);
    for (int i = 0; i + 1 < 50; i++)
        rod(i, i + 1, 1);
    const int twin = rod(20, 21, 1e5);
    t.value[t.start[twin]] += 1e5 * 1e-6 * norm_of(20);
    lv_row_rank *rank = analyse();
    assert_int_equal(lv_row_rank_find(rank, &t.pattern, t.value, 1e-8), 0);
    assert_int_equal(lv_row_rank_find(rank, &t.pattern, t.value, 1e-5), 1);
    double left;
    (void)lv_row_rank_combination(rank, 0, &left);
    assert_true(left > 1e-7 && left < 1e-6);
    for (int e = t.start[7]; e < t.start[8]; e++)
        t.value[e] = 0;
    assert_int_equal(lv_row_rank_find(rank, &t.pattern, t.value, 1e-8), 1);
    assert_int_equal(lv_row_rank_row(rank, 0), 7);
    const double *c = lv_row_rank_combination(rank, 0, &left);
    assert_true(left == 0);
    for (int r = 0; r < t.rows; r++)
        assert_true(c[r] == 0);
    lv_pattern shorter = t.pattern;
    shorter.rows = 7;
    assert_int_equal(lv_row_rank_find(rank, &shorter, t.value, 1e-8), 0);
    t.value[3] = (double)INFINITY;
    assert_int_equal(lv_row_rank_find(rank, &t.pattern, t.value, 1e-8), -1);
    lv_row_rank_free(rank);
}

/* Rods that all share a point are too closely knit to be analysed, beyond some number. */
static void dense_patterns_are_declined(void **state)
{
    (void)state;
    enum { ROWS = 5000 };
    static int start[ROWS + 1], column[ROWS];
    lv_row_rank *rank;
    for (int r = 0; r <= ROWS; r++)
        start[r] = r;
    const lv_pattern pattern = {ROWS, 1, start, column};
    assert_int_equal(lv_row_rank_create(&rank, &pattern, NULL), LV_OK);
    assert_null(rank);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(chains_have_no_dependent_rods),
        RUN(doubled_rods_are_found_with_their_twins),
        RUN(complete_trusses_have_the_rank_of_rigid_bodies),
        RUN(towers_have_the_rank_that_dense_factors_have),
        RUN(nearly_dependent_rows_depend_on_the_tolerance),
        RUN(dense_patterns_are_declined),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(t.at);
    return failed;
}
