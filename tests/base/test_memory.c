/* The allocator and its hook, checked sizes, growing arrays. */
#include "base/memory.h"
#include "check.h"
#include "deny.h"

#include <limits.h>
#include <stdlib.h>

static void checked_sizes_report_overflow_and_leave_the_result(void **state)
{
    (void)state;
    size_t size = 7;
    assert_true(lv_size_add(SIZE_MAX - 1, 1, &size));
    assert_true(size == SIZE_MAX);
    size = 7;
    assert_false(lv_size_add(SIZE_MAX, 1, &size));
    assert_false(lv_size_add(1, SIZE_MAX, &size));
    assert_false(lv_size_mul(SIZE_MAX / 2 + 1, 2, &size));
    assert_false(lv_size_mul(2, SIZE_MAX / 2 + 1, &size));
    assert_true(size == 7);
    assert_true(lv_size_mul(SIZE_MAX / 3, 3, &size));
    assert_true(size == SIZE_MAX / 3 * 3);
    assert_true(lv_size_mul(SIZE_MAX, 0, &size));
    assert_true(size == 0);
    assert_true(lv_size_mul(0, SIZE_MAX, &size));
    assert_true(size == 0);
}

static void checked_integers_report_overflow_in_both_directions(void **state)
{
    (void)state;
    int value = 7;
    assert_true(lv_int_add(INT_MAX, INT_MIN, &value));
    assert_int_equal(value, -1);
    value = 7;
    assert_false(lv_int_add(INT_MAX, 1, &value));
    assert_false(lv_int_add(INT_MIN, -1, &value));
    assert_false(lv_int_mul(INT_MIN, -1, &value));
    assert_false(lv_int_mul(INT_MIN, INT_MIN, &value));
    assert_false(lv_int_mul(46341, 46341, &value));
    assert_int_equal(value, 7);
    assert_true(lv_int_mul(46340, -46340, &value));
    assert_int_equal(value, -46340 * 46340);
    assert_true(lv_int_mul(INT_MIN, 1, &value));
    assert_int_equal(value, INT_MIN);
}

static void zeroed_memory_is_zero_and_refuses_impossible_sizes(void **state)
{
    (void)state;
    unsigned char *p = lv_memory_zeroed(37, 3);
    assert_non_null(p);
    for (int i = 0; i < 37 * 3; i++)
        assert_int_equal(p[i], 0);
    lv_memory_free(p);

    void *nothing = lv_memory_zeroed(0, 8);
    assert_non_null(nothing);
    lv_memory_free(nothing);
    assert_null(lv_memory_zeroed(SIZE_MAX / 2, 3));
    lv_memory_free(NULL);
}

static void resizing_keeps_the_content_and_size_zero_frees(void **state)
{
    (void)state;
    char *p = lv_memory_resize(NULL, 4);
    assert_non_null(p);
    for (int i = 0; i < 4; i++)
        p[i] = (char)('a' + i);
    p = lv_memory_resize(p, 100000);
    assert_non_null(p);
    assert_memory_equal(p, "abcd", 4);
    assert_null(lv_memory_resize(p, 0));
}

static int hook_calls;

static void *counting_hook(void *p, size_t size)
{
    hook_calls++;
    if (size == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, size);
}

static void the_hook_sees_every_request_until_it_is_removed(void **state)
{
    (void)state;
    hook_calls = 0;
    lv_memory_set_hook(counting_hook);
    void *p = lv_memory_resize(NULL, 10);
    void *z = lv_memory_zeroed(2, 2);
    lv_memory_free(p);
    lv_memory_free(z);
    lv_memory_free(NULL);
    lv_memory_set_hook(NULL);
    assert_int_equal(hook_calls, 4);
    lv_memory_free(lv_memory_resize(NULL, 10));
    assert_int_equal(hook_calls, 4);
}

static void arrays_grow_and_keep_their_items(void **state)
{
    (void)state;
    LV_ARRAY(int) squares = {0};
    int moves = 0;
    for (int i = 0; i < 10000; i++) {
        int before = squares.capacity;
        assert_true(LV_PUSH(squares, i * i));
        moves += squares.capacity != before;
    }
    assert_int_equal(squares.count, 10000);
    for (int i = 0; i < 10000; i++)
        assert_int_equal(squares.data[i], i * i);
    assert_true(moves < 20); /* doubling: linear cost in total */

    bool fits = LV_RESERVE(squares, 50000);
    assert_true(fits);
    assert_true(squares.capacity >= 60000);
    assert_int_equal(squares.data[9999], 9999 * 9999);
    LV_ARRAY_FREE(squares);
    assert_null(squares.data);
    assert_int_equal(squares.count, 0);
    assert_int_equal(squares.capacity, 0);
}

static void arrays_refuse_to_grow_beyond_the_largest_integer(void **state)
{
    (void)state;
    LV_ARRAY(int) items = {0};
    assert_true(LV_PUSH(items, 3));
    bool fits = LV_RESERVE(items, INT_MAX);
    assert_false(fits);
    assert_int_equal(items.count, 1);
    assert_int_equal(items.data[0], 3);
    LV_ARRAY_FREE(items);
}

static lv_status push_many(void *user, lv_error *err)
{
    LV_ARRAY(double) items = {0};
    lv_status status = LV_OK;
    for (int i = 0; i < 1000 && status == LV_OK; i++)
        if (!LV_PUSH(items, i))
            status = lv_fail_memory(err);
    for (int i = 0; i < items.count;
         i++) /* what was pushed before a denial is still there */
        assert_true(items.data[i] == i);
    *(int *)user = items.count;
    LV_ARRAY_FREE(items);
    return status;
}

static void a_denied_push_loses_nothing(void **state)
{
    (void)state;
    int count = 0;
    lv_deny_sweep(push_many, &count);
    assert_true(count < 1000); /* the last run was one with a denial */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(checked_sizes_report_overflow_and_leave_the_result),
        RUN(checked_integers_report_overflow_in_both_directions),
        RUN(zeroed_memory_is_zero_and_refuses_impossible_sizes),
        RUN(resizing_keeps_the_content_and_size_zero_frees),
        RUN(the_hook_sees_every_request_until_it_is_removed),
        RUN(arrays_grow_and_keep_their_items),
        RUN(arrays_refuse_to_grow_beyond_the_largest_integer),
        RUN(a_denied_push_loses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
