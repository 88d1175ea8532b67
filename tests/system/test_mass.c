/* Which mass matrices are inverted block by block, and that all are solved with alike. */
#include "check.h"

#include "num/sparse.h"
#include "system/mass.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 80 };
static int start[MOST + 1], column[MOST * MOST];
static double values[MOST * MOST];

/* `blocks` blocks of `size` coordinates, in each of which those are coupled that are at most `reach` apart. */
static lv_pattern make(int blocks, int size, int reach)
{
    int count = 0;
    for (int i = 0; i < blocks * size; i++) {
        for (int j = 0; j < blocks * size; j++)
            if (i / size == j / size && abs(i - j) <= reach) {
                values[count] = i == j ? 2 + 0.1 * i : 0.5 / (1 + abs(i - j));
                column[count++] = j;
            }
        start[i + 1] = count;
    }
    return (lv_pattern){.rows = blocks * size,
                        .columns = blocks * size,
                        .start = start,
                        .column = column};
}

/* The number of blocks; M^-1 M x is x whatever it is. */
static int count_blocks(int blocks, int size, int reach)
{
    const lv_pattern pattern = make(blocks, size, reach);
    double x[MOST], y[MOST];
    lv_mass *mass;
    assert_int_equal(lv_mass_create(&mass, &pattern, NULL, NULL), LV_OK);
    assert_true(lv_mass_factor(mass, values));
    for (int i = 0; i < pattern.rows; i++)
        x[i] = sin(1 + i);
    memset(y, 0, sizeof y);
    lv_sparse_multiply(&pattern, values, 1, x, y);
    lv_mass_solve(mass, y);
    for (int i = 0; i < pattern.rows; i++)
        assert_close(y[i], x[i], 1e-13);
    const int count = lv_mass_block_count(mass);
    lv_mass_free(mass);
    return count;
}

static void small_and_full_blocks_are_inverted(void **state)
{
    (void)state;
    assert_int_equal(count_blocks(7, 1, 0), 7);
    assert_int_equal(count_blocks(5, 3, 1), 5);
    assert_int_equal(count_blocks(2, 12, 1), 2);
    assert_int_equal(count_blocks(1, 40, 40), 1);
    assert_int_equal(count_blocks(1, 64, 40), 1);
}

/* Their inverses are full, and G M^-1 G^T would be. */
static void large_sparse_blocks_are_not(void **state)
{
    (void)state;
    assert_int_equal(count_blocks(2, 13, 1), 0);
    assert_int_equal(count_blocks(1, 41, 1), 0);
    assert_int_equal(count_blocks(1, 41, 5), 0);
    assert_int_equal(count_blocks(1, 65, 65), 0);
}

/* `rows` constraints, each on a coordinate of its own and, joined, on the last one. */
static int count_with_constraints(int rows, bool joined)
{
    enum { ROWS = 400 };
    static int from[ROWS + 1], at[2 * ROWS], mass_from[ROWS + 2], mass_at[ROWS + 1];
    lv_mass *mass;
    int entries = 0;
    for (int r = 0; r < rows; r++) {
        at[entries++] = r;
        if (joined)
            at[entries++] = rows;
        from[r + 1] = entries;
    }
    for (int i = 0; i <= rows; i++) {
        mass_at[i] = i;
        mass_from[i + 1] = i + 1;
    }
    const lv_pattern g = {.rows = rows, .columns = rows + 1, .start = from, .column = at};
    const lv_pattern m = {
        .rows = rows + 1, .columns = rows + 1, .start = mass_from, .column = mass_at};
    assert_int_equal(lv_mass_create(&mass, &m, &g, NULL), LV_OK);
    const int count = lv_mass_block_count(mass);
    lv_mass_free(mass);
    return count;
}

/* G M^-1 G^T of constraints that share a coordinate has no zeros. */
static void constraints_may_join_too_many_blocks(void **state)
{
    (void)state;
    assert_int_equal(count_with_constraints(400, false), 401);
    assert_int_equal(count_with_constraints(20, true), 21);
    assert_int_equal(count_with_constraints(400, true), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(small_and_full_blocks_are_inverted),
        RUN(large_sparse_blocks_are_not),
        RUN(constraints_may_join_too_many_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
