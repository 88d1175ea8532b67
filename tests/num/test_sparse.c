/* Products with sparse matrices, with entries that come in threes and that do not. */
#include "check.h"
#include "random_formula.h"

#include "num/sparse.h"

#include <math.h>

enum { ROWS = 5, COLUMNS = 12 };

static double dense[ROWS][COLUMNS];

/* `width` columns at once; row 2 is empty. */
static void make(lv_pattern *p, double *values, lv_arena *arena, int width)
{
    uint64_t seed = 11;
    lv_entry_list list = {0};
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k < 2 && r != 2; k++) {
            const int at = lv_random_below(&seed, COLUMNS - width + 1);
            const int first = width == 3 ? at - at % 3 : at;
            for (int j = 0; j < width; j++)
                assert_true(LV_PUSH(list, ((lv_entry_place){r, first + j})));
        }
    assert_int_equal(
        lv_pattern_build(p, NULL, arena, list.data, list.count, ROWS, COLUMNS, NULL),
        LV_OK);
    LV_ARRAY_FREE(list);
    for (int r = 0; r < ROWS; r++)
        for (int j = 0; j < COLUMNS; j++)
            dense[r][j] = 0;
    for (int r = 0; r < ROWS; r++)
        for (int e = p->start[r]; e < p->start[r + 1]; e++)
            dense[r][p->column[e]] = values[e] = sin(1.0 + e);
}

static void check_products(const lv_pattern *p, const double *values)
{
    double x[COLUMNS], y[COLUMNS], image[ROWS], back[COLUMNS];
    for (int j = 0; j < COLUMNS; j++) {
        x[j] = cos(2.0 * j);
        y[j] = back[j] = j;
    }
    for (int r = 0; r < ROWS; r++)
        image[r] = 1;
    lv_sparse_multiply(p, values, 2, x, image);
    lv_sparse_multiply_transposed(p, values, -3, x, back);
    for (int r = 0; r < ROWS; r++) {
        double sum = 0;
        for (int j = 0; j < COLUMNS; j++) {
            sum += dense[r][j] * x[j];
            y[j] -= 3 * dense[r][j] * x[r];
        }
        assert_close(image[r], 1 + 2 * sum, 1e-14);
    }
    for (int j = 0; j < COLUMNS; j++)
        assert_close(back[j], y[j], 1e-14);
}

static void products_are_those_of_dense_matrices(void **state)
{
    (void)state;
    for (int width = 1; width <= 4; width++) {
        lv_arena arena = {0};
        lv_pattern p;
        double values[ROWS * COLUMNS];
        make(&p, values, &arena, width);
        assert_int_equal(p.threes, width == 3);
        check_products(&p, values);
        lv_arena_done(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {RUN(products_are_those_of_dense_matrices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
