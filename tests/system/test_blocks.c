/* Rank of matrices that fall into blocks. */
#include "check.h"
#include "deny.h"

#include "system/blocks.h"

static void add(lv_blocks *blocks, int row, int column, double value)
{
    assert_int_equal(lv_blocks_add(blocks, row, column, value, NULL), LV_OK);
}

static int rank_of(lv_blocks *blocks, int rows, int columns)
{
    int rank = -2;
    assert_int_equal(lv_blocks_rank(blocks, &rank, rows, columns, NULL), LV_OK);
    lv_blocks_done(blocks);
    return rank;
}

static void nothing_has_rank_zero(void **state)
{
    lv_blocks blocks = {0};
    (void)state;
    assert_int_equal(rank_of(&blocks, 0, 0), 0);
    assert_int_equal(rank_of(&blocks, 5, 0), 0);
    assert_int_equal(rank_of(&blocks, 0, 5), 0);
    assert_int_equal(rank_of(&blocks, 4, 5), 0);
}

static void entries_at_one_place_are_added(void **state)
{
    lv_blocks blocks = {0};
    (void)state;
    add(&blocks, 0, 0, 1);
    add(&blocks, 0, 0, -1);
    add(&blocks, 1, 1, 2);
    add(&blocks, 1, 1, 3);
    assert_int_equal(rank_of(&blocks, 2, 2), 1);
}

static void explicit_zeros_join_blocks_and_add_no_rank(void **state)
{
    lv_blocks blocks = {0};
    (void)state;
    add(&blocks, 0, 0, 1);
    add(&blocks, 0, 1, 0);
    add(&blocks, 1, 1, 0);
    assert_int_equal(rank_of(&blocks, 2, 2), 1);
}

/* Permuted 2 x 2 blocks, every third of them singular. */
static void scattered_blocks_are_found(void **state)
{
    enum { N = 3000 };
    lv_blocks blocks = {0};
    (void)state;
    for (int k = 0; k < N; k++) {
        int r = (7 * k) % N, c = (11 * k) % N;
        double corner = k % 3 == 0 ? 4 : 5;
        add(&blocks, r, c, 1);
        add(&blocks, r, N + c, 2);
        add(&blocks, N + r, c, 2);
        add(&blocks, N + r, N + c, corner);
    }
    assert_int_equal(rank_of(&blocks, 2 * N, 2 * N), 2 * N - N / 3);
}

/* Blocks of very different size do not disturb each other. */
static void units_of_one_block_do_not_matter_to_another(void **state)
{
    lv_blocks blocks = {0};
    (void)state;
    add(&blocks, 0, 0, 1e-200);
    add(&blocks, 1, 1, 1e200);
    add(&blocks, 2, 2, 1e-30);
    add(&blocks, 2, 3, 1e30);
    assert_int_equal(rank_of(&blocks, 3, 4), 3);
}

static void a_long_band(lv_blocks *blocks, int n)
{
    for (int k = 0; k < n; k++) {
        add(blocks, k, k, 2);
        if (k + 1 < n)
            add(blocks, k, k + 1, -1);
    }
}

static void a_large_block_is_not_tested(void **state)
{
    lv_blocks blocks = {0};
    (void)state;
    a_long_band(&blocks, LV_BLOCKS_LARGEST);
    assert_int_equal(rank_of(&blocks, LV_BLOCKS_LARGEST, LV_BLOCKS_LARGEST),
                     LV_BLOCKS_LARGEST);
    a_long_band(&blocks, LV_BLOCKS_LARGEST + 1);
    assert_int_equal(rank_of(&blocks, LV_BLOCKS_LARGEST + 1, LV_BLOCKS_LARGEST + 1), -1);
}

static lv_status some_rank(void *user, lv_error *err)
{
    lv_blocks blocks = {0};
    int rank = 0;
    lv_status status = LV_OK;
    (void)user;
    for (int k = 0; k < 40 && status == LV_OK; k++)
        status = lv_blocks_add(&blocks, k, (3 * k) % 40, 1, err);
    if (status == LV_OK)
        status = lv_blocks_rank(&blocks, &rank, 40, 40, err);
    lv_blocks_done(&blocks);
    return status;
}

static void missing_memory_is_reported(void **state)
{
    (void)state;
    lv_deny_sweep(some_rank, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(nothing_has_rank_zero),
        RUN(entries_at_one_place_are_added),
        RUN(explicit_zeros_join_blocks_and_add_no_rank),
        RUN(scattered_blocks_are_found),
        RUN(units_of_one_block_do_not_matter_to_another),
        RUN(a_large_block_is_not_tested),
        RUN(missing_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
