/* The budget of the allocator: what is counted, what is refused, and how calls say so. */
#include "base/budget.h"

#include "base/memory.h"
#include "check.h"

#include <string.h>

enum { MEGABYTE = 1 << 20 };

static void blocks_are_counted_until_they_are_freed(void **state)
{
    (void)state;
    const size_t before = lv_memory_used();
    void *p = lv_memory_zeroed(MEGABYTE, 1);
    assert_true(lv_memory_used() >= before + MEGABYTE);
    p = lv_memory_resize(p, 3 * (size_t)MEGABYTE);
    assert_true(lv_memory_used() >= before + 3 * (size_t)MEGABYTE);
    assert_true(lv_memory_used() < before + 4 * (size_t)MEGABYTE);
    p = lv_memory_resize(p, 100);
    assert_true(lv_memory_used() < before + MEGABYTE);
    lv_memory_free(p);
    assert_true(lv_memory_used() == before);
}

static void what_exceeds_the_budget_is_refused_and_nothing_is_lost(void **state)
{
    (void)state;
    lv_memory_set_budget(lv_memory_used() + 8 * (size_t)MEGABYTE);
    unsigned char *p = lv_memory_zeroed(4 * (size_t)MEGABYTE, 1);
    assert_non_null(p);
    p[17] = 5;
    const size_t used = lv_memory_used();
    assert_null(lv_memory_zeroed(5 * (size_t)MEGABYTE, 1));
    assert_null(lv_memory_resize(p, 9 * (size_t)MEGABYTE));
    assert_true(lv_memory_used() == used);
    assert_int_equal(p[17], 5);
    void *q = lv_memory_zeroed(3 * (size_t)MEGABYTE, 1); /* this one fits */
    assert_non_null(q);
    lv_memory_free(q);
    lv_memory_free(p);
    lv_memory_set_budget(0);
}

static void small_blocks_add_up_to_the_budget(void **state)
{
    (void)state;
    enum { BLOCKS = 100000, SIZE = 100 };
    static void *blocks[BLOCKS];
    lv_memory_set_budget(lv_memory_used() + MEGABYTE);
    int count = 0;
    while (count < BLOCKS && (blocks[count] = lv_memory_zeroed(SIZE, 1)) != NULL)
        count++;
    /* Threads report what they use in pieces of 64 kB. */
    assert_true(count < (MEGABYTE + 65536) / SIZE + 1);
    assert_true(count > MEGABYTE / SIZE / 2);
    while (count > 0)
        lv_memory_free(blocks[--count]);
    lv_memory_set_budget(0);
}

static void a_call_says_that_the_budget_was_the_reason(void **state)
{
    (void)state;
    lv_error err;
    lv_memory_set_budget(lv_memory_used() + MEGABYTE);
    assert_null(lv_memory_zeroed(300 * (size_t)MEGABYTE, 1));
    lv_status status = lv_fail_memory(&err);
    assert_true(lv_budget_settle(&status, &err));
    assert_int_equal(status, LV_ERR_LIMIT);
    assert_int_equal(err.code, LV_ERR_LIMIT);
    assert_int_equal(err.why, LV_WHY_BUDGET);
    assert_non_null(strstr(err.text, "300 MiB"));
    lv_memory_set_budget(0);

    /* Without a refusal since then missing memory is missing memory. */
    status = lv_fail_memory(&err);
    assert_false(lv_budget_settle(&status, &err));
    assert_int_equal(status, LV_ERR_MEMORY);
    assert_int_equal(err.code, LV_ERR_MEMORY);
}

static void a_refusal_that_did_no_harm_is_forgotten(void **state)
{
    (void)state;
    lv_error err;
    lv_memory_set_budget(lv_memory_used() + MEGABYTE);
    assert_null(lv_memory_zeroed(300 * (size_t)MEGABYTE, 1));
    lv_memory_set_budget(0);
    lv_status status = LV_OK;
    assert_false(lv_budget_settle(&status, &err));
    status = lv_fail_memory(&err);
    assert_false(lv_budget_settle(&status, &err));
}

static void the_default_is_a_part_of_what_the_machine_has(void **state)
{
    (void)state;
    lv_memory_set_budget(0);
    const size_t budget = lv_memory_budget();
    assert_true(budget >= 32 * (size_t)MEGABYTE);
    assert_true(budget < (size_t)1 << 50);
    assert_false(lv_budget_fits(2.0 * (double)budget));
    assert_true(lv_budget_fits(1000));
}

static void sizes_are_written_with_units(void **state)
{
    (void)state;
    char text[LV_BYTES_SIZE];
    assert_string_equal(lv_bytes_format(0, text), "0 bytes");
    assert_string_equal(lv_bytes_format(1023, text), "1023 bytes");
    assert_string_equal(lv_bytes_format(1536, text), "1.5 KiB");
    assert_string_equal(lv_bytes_format(20.0 * MEGABYTE, text), "20 MiB");
    assert_string_equal(lv_bytes_format(3.0 * 1024 * MEGABYTE, text), "3.0 GiB");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(blocks_are_counted_until_they_are_freed),
        RUN(what_exceeds_the_budget_is_refused_and_nothing_is_lost),
        RUN(small_blocks_add_up_to_the_budget),
        RUN(a_call_says_that_the_budget_was_the_reason),
        RUN(a_refusal_that_did_no_harm_is_forgotten),
        RUN(the_default_is_a_part_of_what_the_machine_has),
        RUN(sizes_are_written_with_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
