/* Arenas: zeroed, aligned, disjoint pieces; sizes that cannot be; denied memory. */
#include "base/arena.h"
#include "check.h"
#include "deny.h"

#include <stdalign.h>
#include <string.h>

static void pieces_are_zeroed_aligned_and_disjoint(void **state)
{
    (void)state;
    enum { PIECES = 500 };
    lv_arena arena = {0};
    unsigned char *pieces[PIECES];
    for (size_t i = 0; i < PIECES; i++) {
        pieces[i] = lv_arena_alloc(&arena, i, 1);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % alignof(max_align_t), 0);
        for (size_t k = 0; k < i; k++)
            assert_int_equal(pieces[i][k], 0);
        memset(pieces[i], (int)(i % 251) + 1, i);
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t k = 0; k < i; k++)
            assert_int_equal(pieces[i][k], i % 251 + 1);
    lv_arena_done(&arena);
    assert_null(arena.last);
}

static void empty_pieces_are_valid_and_distinct(void **state)
{
    (void)state;
    lv_arena arena = {0};
    const void *a = lv_arena_alloc(&arena, 0, 8), *b = lv_arena_alloc(&arena, 8, 0);
    assert_non_null(a);
    assert_non_null(b);
    assert_ptr_not_equal(a, b);
    lv_arena_done(&arena);
}

static void pieces_larger_than_any_block_fit(void **state)
{
    (void)state;
    lv_arena arena = {0};
    char *small = lv_arena_alloc(&arena, 1, 10);
    char *large = lv_arena_alloc(&arena, 3 << 20, 1);
    char *after = lv_arena_alloc(&arena, 1, 10);
    assert_non_null(small);
    assert_non_null(large);
    assert_non_null(after);
    large[0] = large[(3 << 20) - 1] = 'x';
    memset(after, 'y', 10);
    assert_int_equal(small[9], 0);
    assert_int_equal(large[(3 << 20) - 1], 'x');
    lv_arena_done(&arena);
}

static void impossible_sizes_are_refused_and_the_arena_stays_usable(void **state)
{
    (void)state;
    lv_arena arena = {0};
    assert_null(lv_arena_alloc(&arena, SIZE_MAX, 1));
    assert_null(lv_arena_alloc(&arena, SIZE_MAX / 2, 3));
    assert_null(lv_arena_alloc(&arena, SIZE_MAX - 40, 1));
    assert_null(lv_arena_text(&arena, "x", SIZE_MAX));
    assert_null(lv_arena_copy(&arena, "x", SIZE_MAX / 2, 3));
    assert_non_null(lv_arena_alloc(&arena, 10, 10));
    lv_arena_done(&arena);
}

static void texts_are_copied_and_terminated(void **state)
{
    (void)state;
    lv_arena arena = {0};
    char text[] = "potential";
    const char *copy = lv_arena_text(&arena, text, 3),
               *empty = lv_arena_text(&arena, NULL, 0);
    memset(text, '#', sizeof text - 1);
    assert_string_equal(copy, "pot");
    assert_string_equal(empty, "");
    lv_arena_done(&arena);
}

static void items_are_copied(void **state)
{
    (void)state;
    lv_arena arena = {0};
    double numbers[] = {1, 2, 3};
    const double *copy = lv_arena_copy(&arena, numbers, 3, sizeof numbers[0]);
    numbers[1] = 0;
    assert_non_null(copy);
    assert_true(copy[0] == 1 && copy[1] == 2 && copy[2] == 3);
    assert_non_null(lv_arena_copy(&arena, NULL, 0, sizeof numbers[0]));
    lv_arena_done(&arena);
}

static void an_arena_can_be_used_again_after_done(void **state)
{
    (void)state;
    lv_arena arena = {0};
    lv_arena_done(&arena);
    assert_non_null(lv_arena_alloc(&arena, 1, 1));
    lv_arena_done(&arena);
    lv_arena_done(&arena);
    assert_non_null(lv_arena_alloc(&arena, 1, 1));
    lv_arena_done(&arena);
}

static lv_status fill_arena(void *user, lv_error *err)
{
    (void)user;
    lv_arena arena = {0};
    lv_status status = LV_OK;
    for (int i = 0; i < 400 && status == LV_OK; i++) {
        char *piece = lv_arena_alloc(&arena, 100, 1);
        char *text = piece ? lv_arena_text(&arena, "a text", 6) : NULL;
        if (text)
            memset(piece, 'x', 100);
        else
            status = lv_fail_memory(err);
    }
    lv_arena_done(&arena);
    return status;
}

static void a_denied_block_leaks_nothing(void **state)
{
    (void)state;
    lv_deny_sweep(fill_arena, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(pieces_are_zeroed_aligned_and_disjoint),
        RUN(empty_pieces_are_valid_and_distinct),
        RUN(pieces_larger_than_any_block_fit),
        RUN(impossible_sizes_are_refused_and_the_arena_stays_usable),
        RUN(texts_are_copied_and_terminated),
        RUN(items_are_copied),
        RUN(an_arena_can_be_used_again_after_done),
        RUN(a_denied_block_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
