/* Which gradients depend on others, with which weights, against matrices made to order. */
#include "check.h"
#include "random_formula.h"

#include "system/dependence.h"
#include "system/sparse.h"

#include <string.h>

enum { ROWS = 7, COLUMNS = 9 };

typedef struct fixture {
    double g[ROWS][COLUMNS];
    int start[ROWS + 1], column[ROWS * COLUMNS];
    lv_pattern pattern;
    lv_dependence *dependence;
} fixture;

/* Random rows; row 4 is 3 times row 1 minus row 5 divided by 2. */
static void setup(fixture *f, uint64_t seed)
{
    memset(f, 0, sizeof *f);
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            f->g[r][c] = lv_random_between(&seed, -1, 1);
    for (int c = 0; c < COLUMNS; c++)
        f->g[4][c] = 3 * f->g[1][c] - 0.5 * f->g[5][c];
    for (int e = 0; e < ROWS * COLUMNS; e++)
        f->column[e] = e % COLUMNS;
    for (int r = 0; r <= ROWS; r++)
        f->start[r] = r * COLUMNS;
    f->pattern = (lv_pattern){
        .rows = ROWS, .columns = COLUMNS, .start = f->start, .column = f->column};
    assert_int_equal(lv_dependence_create(&f->dependence, ROWS, COLUMNS, NULL), LV_OK);
}

static int look(fixture *f)
{
    return lv_dependence_look(f->dependence, &f->pattern, &f->g[0][0], LV_DEPENDENT);
}

static void a_combination_is_found_with_its_weights(void **state)
{
    (void)state;
    static const double made[ROWS] = {0, -3, 0, 0, 1, 0.5, 0};
    for (uint64_t seed = 1; seed < 20; seed++) {
        fixture f;
        setup(&f, seed);
        assert_int_equal(look(&f), 1);
        const int row = lv_dependence_row(f.dependence, 0);
        const double *weights = lv_dependence_weights(f.dependence, 0);
        assert_true(weights[row] == 1);
        for (int r = 0; r < ROWS; r++)
            assert_close(weights[r], made[r] / made[row], 1e-11);
        assert_false(lv_dependence_vanishes(f.dependence, 0));
        lv_dependence_free(f.dependence);
    }
}

/* Units do not matter; rounding does not hide a dependence, nor does 1e-6 make one. */
static void scales_do_not_matter(void **state)
{
    (void)state;
    fixture f;
    setup(&f, 3);
    for (int c = 0; c < COLUMNS; c++) {
        f.g[4][c] = f.g[4][c] * 1e9 + 1e-4 * sin(c);
        f.g[5][c] *= 1e-7;
    }
    assert_int_equal(look(&f), 1);
    f.g[4][2] += 1e3;
    assert_int_equal(look(&f), 0);
    lv_dependence_free(f.dependence);
}

static void zero_rows_depend_on_nothing(void **state)
{
    (void)state;
    fixture f;
    setup(&f, 5);
    memset(f.g[4], 0, sizeof f.g[4]);
    assert_int_equal(look(&f), 1);
    assert_int_equal(lv_dependence_row(f.dependence, 0), 4);
    assert_true(lv_dependence_vanishes(f.dependence, 0));
    const double *weights = lv_dependence_weights(f.dependence, 0);
    for (int r = 0; r < ROWS; r++)
        assert_true(weights[r] == (r == 4));
    lv_dependence_free(f.dependence);
}

/* The same sum, and nothing along the combination that is zero. */
static void least_norms_have_the_same_sum(void **state)
{
    (void)state;
    fixture f;
    uint64_t seed = 11;
    double y[ROWS], before[COLUMNS] = {0}, after[COLUMNS] = {0};
    setup(&f, 7);
    for (int r = 0; r < ROWS; r++)
        y[r] = lv_random_between(&seed, -1, 1);
    lv_sparse_multiply_transposed(&f.pattern, &f.g[0][0], 1, y, before);
    assert_int_equal(look(&f), 1);
    lv_dependence_least_norm(f.dependence, &f.pattern, &f.g[0][0], y);
    lv_sparse_multiply_transposed(&f.pattern, &f.g[0][0], 1, y, after);
    for (int c = 0; c < COLUMNS; c++)
        assert_close(after[c], before[c], 1e-13);
    assert_close(-3 * y[1] + y[4] + 0.5 * y[5], 0, 1e-13);
    lv_dependence_free(f.dependence);
}

static void what_is_not_finite_tells_nothing(void **state)
{
    (void)state;
    fixture f;
    setup(&f, 1);
    f.g[2][3] = (double)NAN;
    assert_int_equal(look(&f), -1);
    assert_int_equal(lv_dependence_count(f.dependence), 0);
    lv_dependence_free(f.dependence);
}

static void too_many_rows_are_not_looked_at(void **state)
{
    (void)state;
    fixture f;
    lv_dependence *large = NULL;
    setup(&f, 1);
    assert_int_equal(lv_dependence_create(&large, 100000, 300000, NULL), LV_OK);
    assert_int_equal(lv_dependence_look(large, &f.pattern, &f.g[0][0], LV_DEPENDENT), -1);
    lv_dependence_free(large);
    lv_dependence_free(f.dependence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_combination_is_found_with_its_weights),
        RUN(scales_do_not_matter),
        RUN(zero_rows_depend_on_nothing),
        RUN(least_norms_have_the_same_sum),
        RUN(what_is_not_finite_tells_nothing),
        RUN(too_many_rows_are_not_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
