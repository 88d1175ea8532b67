/* One writer per file, whoever comes first. */
#include "hdf5_rows.h"

#include <sys/wait.h>

static void a_file_that_is_being_written_is_not_appended_to(void **state)
{
    (void)state;
    const char *path = rows_path("a.h5");
    lv_sink *sink = create(path);
    add_rows(sink, 0, 2);
    assert_int_equal(rows_flush(sink, 2, NULL), LV_OK);
    pid_t child = fork();
    if (child == 0) {
        lv_error err;
        lv_sink *other = NULL;
        lv_status status =
            lv_hdf5_append(&other, path, &r.channels, ROWS_CHECKPOINT, &err);
        _exit(status == LV_ERR_IO && strstr(err.text, "another run") ? 0 : 1);
    }
    int result = 1;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
}

/* In another process and in this one. */
static void assert_busy(const char *path)
{
    lv_error err;
    lv_sink *other = NULL;
    const lv_header header = rows_header();
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        lv_status status = lv_hdf5_create(&other, path, &r.channels, &header, &err);
        _exit(status == LV_ERR_IO && strstr(err.text, "another run") ? 0 : 1);
    }
    int result = 1;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
    assert_int_equal(lv_hdf5_create(&other, path, &r.channels, &header, &err), LV_ERR_IO);
    assert_non_null(strstr(err.text, "is being written by another run"));
    assert_null(other);
}

static void a_file_that_is_being_written_is_not_replaced(void **state)
{
    (void)state;
    const char *path = rows_path("a.h5"), *link = rows_path("link.h5");
    assert_int_equal(symlink("a.h5", link), 0);
    lv_sink *sink = create(path);
    add_rows(sink, 0, 2);
    assert_int_equal(rows_flush(sink, 2, NULL), LV_OK);
    assert_busy(path);
    assert_busy(link);
    assert_int_equal(rows_verify(path).count, 2);
    assert_busy(path); /* reading has not unlocked it */
    add_rows(sink, 2, 5);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    sink = append(path);
    assert_busy(path);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    assert_int_equal(rows_files(false), 2);
    write_file(path, 3); /* nobody has it any more */
}

/* Tells whether it got the file, and keeps it until it may end. */
static int try_to_write(const char *path, int generation, int told, int end)
{
    lv_error err;
    lv_sink *sink = NULL;
    const lv_header header = rows_header();
    rows_init(&r, generation);
    lv_status status = lv_hdf5_create(&sink, path, &r.channels, &header, &err);
    char word = status == LV_OK ? 'w' : strstr(err.text, "another run") ? 'l' : '?';
    if (write(told, &word, 1) != 1 || read(end, &word, 1) != 0)
        return 1;
    if (!sink)
        return 0;
    add_rows(sink, 0, 4);
    return sink->close(sink, NULL) != LV_OK;
}

/* Writers that begin at the same moment: one gets the file, all others are told. */
static void compete(const char *path, bool exists)
{
    enum { WRITERS = 8 };
    pid_t children[WRITERS];
    int told[2], end[2], winners = 0;
    assert_int_equal(pipe(told), 0);
    assert_int_equal(pipe(end), 0);
    for (int k = 0; k < WRITERS; k++) {
        children[k] = fork();
        assert_true(children[k] >= 0);
        if (children[k] == 0) {
            close(end[1]);
            _exit(try_to_write(path, 10 + k, told[1], end[0]));
        }
    }
    for (int k = 0; k < WRITERS; k++) {
        char word = 0;
        assert_int_equal(read(told[0], &word, 1), 1);
        assert_true(word == 'w' || word == 'l');
        winners += word == 'w';
    }
    assert_int_equal(close(end[1]), 0); /* they may end */
    for (int k = 0; k < WRITERS; k++) {
        int result = 1;
        assert_int_equal(waitpid(children[k], &result, 0), children[k]);
        assert_int_equal(result, 0);
    }
    close(end[0]);
    close(told[0]);
    close(told[1]);
    assert_int_equal(winners, 1);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_file_that_is_being_written_is_not_appended_to),
        TEST(a_file_that_is_being_written_is_not_replaced),
        TEST(of_writers_that_begin_at_once_one_gets_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, rows_finish);
}
