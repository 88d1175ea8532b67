/* One writer per file, whoever comes first, and the same bytes from every writer of the same rows. */
#include "hdf5_rows.h"
#include "writers.h"

static lv_status open_new(lv_sink **sink, const char *path, int generation, lv_error *err)
{
    const lv_header header = rows_header();
    rows_init(&r, generation);
    return lv_hdf5_create(sink, path, &r.channels, &header, err);
}

static lv_status open_old(lv_sink **sink, const char *path, int generation, lv_error *err)
{
    rows_init(&r, generation);
    return lv_hdf5_append(sink, path, &r.channels, ROWS_CHECKPOINT, err);
}

static lv_status write_four(lv_sink *sink)
{
    add_rows(sink, 0, 4);
    return LV_OK;
}

static const writers creating = {open_new, write_four},
                     appending = {open_old, write_four};

static void a_file_that_is_being_written_is_not_appended_to(void **state)
{
    (void)state;
    const char *path = rows_path("a.h5");
    lv_sink *sink = create(path);
    add_rows(sink, 0, 2);
    assert_int_equal(rows_flush(sink, 2, NULL), LV_OK);
    writers_assert_busy(&appending, path);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
}

static void a_file_that_is_being_written_is_not_replaced(void **state)
{
    (void)state;
    const char *path = rows_path("a.h5"), *link = rows_path("link.h5");
    assert_int_equal(symlink("a.h5", link), 0);
    lv_sink *sink = create(path);
    add_rows(sink, 0, 2);
    assert_int_equal(rows_flush(sink, 2, NULL), LV_OK);
    writers_assert_busy(&creating, path);
    writers_assert_busy(&creating, link);
    assert_int_equal(rows_verify(path).count, 2);
    writers_assert_busy(&creating, path); /* reading has not unlocked it */
    add_rows(sink, 2, 5);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    sink = append(path);
    writers_assert_busy(&creating, path);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    assert_int_equal(rows_files(false), 2);
    write_file(path, 3); /* nobody has it any more */
}

static void compete(const char *path, bool exists)
{
    writers_compete(&creating, path, 10);
    const rows_found found = rows_verify(path);
    assert_in_range(found.generation, 10, 10 + WRITERS - 1);
    assert_int_equal(found.count, 4);
    assert_int_equal(rows_files(!exists), 1);
}

static void of_writers_that_begin_at_once_one_gets_the_file(void **state)
{
    (void)state;
    const char *path = rows_path("a.h5");
    for (int k = 0; k < 3; k++)
        compete(path, false);
    write_file(path, 1);
    for (int k = 0; k < 3; k++)
        compete(path, true);
}

/* So many rows, flushed after every `every` of them (0: never), without checkpoints. */
static void write_flushing(const char *path, long long count, long long every)
{
    lv_sink *sink = NULL;
    lv_header header = rows_header();
    header.checkpoint_size = 0;
    assert_int_equal(lv_hdf5_create(&sink, path, &r.channels, &header, NULL), LV_OK);
    for (long long row = 0; row < count; row++) {
        add_rows(sink, row, row + 1);
        if (every > 0 && (row + 1) % every == 0)
            assert_int_equal(sink->flush(sink, NULL, NULL), LV_OK);
    }
    assert_int_equal(sink->close(sink, NULL), LV_OK);
}

static void assert_same_bytes(const char *path, const char *other)
{
    static char one[65536], two[65536];
    FILE *a = fopen(path, "rb"), *b = fopen(other, "rb");
    assert_true(a && b);
    size_t n = 1, total = 0;
    while (n > 0) {
        n = fread(one, 1, sizeof one, a);
        assert_int_equal(fread(two, 1, sizeof two, b), n);
        if (memcmp(one, two, n) != 0)
            fail_msg("'%s' and '%s' differ after byte %zu", path, other, total);
        total += n;
    }
    assert_true(total > 0);
    (void)fclose(a);
    (void)fclose(b);
}

/* 40 rows of the widest channel fill more than one node of its tree. */
static void bytes_do_not_depend_on_when_a_file_was_flushed(void **state)
{
    static const long long counts[] = {0, 1, 5, 40};
    (void)state;
    const char *never = rows_path("never.h5"), *often = rows_path("often.h5");
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        write_flushing(never, counts[k], 0);
        for (long long every = 1; every <= 4; every++) {
            write_flushing(often, counts[k], every);
            assert_same_bytes(never, often);
        }
        assert_int_equal(rows_verify_rows(often).count, counts[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_file_that_is_being_written_is_not_appended_to),
        TEST(a_file_that_is_being_written_is_not_replaced),
        TEST(of_writers_that_begin_at_once_one_gets_the_file),
        TEST(bytes_do_not_depend_on_when_a_file_was_flushed),
    };
    return cmocka_run_group_tests(tests, NULL, rows_finish);
}
