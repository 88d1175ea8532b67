/* CSV files, read back as texts. */
#include "deny.h"
#include "rows.h"
#include "writers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

static const char *plain_label(const void *user, int k, char *buffer, size_t size)
{
    (void)buffer;
    (void)size;
    return ((const char *const *)user)[k];
}

static double time_value, place[2];
static const char *const time_label[] = {"t"};
static const char *const place_labels[] = {"a[1]", "x'"};
static const lv_channel small_list[] = {
    {"t", "time", 1, &time_value, plain_label, time_label},
    {"none", "", 0, NULL, plain_label, NULL},
    {"q", "positions", 2, place, plain_label, place_labels}};
static const lv_channels small = {3, small_list};

static void small_row(int k)
{
    time_value = k / 10.0;
    place[0] = k;
    place[1] = -1.0 / (k + 1);
}

/* All of a file, freed by the caller. */
static char *contents(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = calloc(1, 1 << 24);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 24) - 1, file) < (1 << 24) - 1);
    assert_int_equal(fclose(file), 0);
    return text;
}

static void assert_contents(const char *path, const char *expected)
{
    char *text = contents(path);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static lv_sink *create(const char *path, const lv_channels *channels)
{
    lv_error err;
    lv_sink *sink = NULL;
    if (lv_csv_create(&sink, path, channels, &err) != LV_OK)
        fail_msg("%s", err.text);
    return sink;
}

static void a_header_line_is_followed_by_a_line_per_row(void **state)
{
    (void)state;
    const char *path = rows_path("a.csv");
    lv_sink *sink = create(path, &small);
    small_row(0);
    assert_int_equal(sink->row(sink, NULL), LV_OK);
    time_value = 0.1;
    place[0] = NAN;
    place[1] = -INFINITY;
    assert_int_equal(sink->row(sink, NULL), LV_OK);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    assert_contents(path, "t,a[1],x'\n0,0,-1\n0.10000000000000001,nan,-inf\n");
}

static void labels_with_commas_quotes_and_lines_are_quoted(void **state)
{
    (void)state;
    static const char *const labels[] = {"a,b", "say \"x\"", "two\nlines", "", "plain"};
    static const double values[5] = {1, 2, 3, 4, 5};
    static const lv_channel list[] = {{"q", "", 5, values, plain_label, labels}};
    static const lv_channels channels = {1, list};
    const char *path = rows_path("a.csv");
    lv_sink *sink = create(path, &channels);
    assert_int_equal(sink->row(sink, NULL), LV_OK);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    assert_contents(path, "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",,plain\n1,2,3,4,5\n");
}

static void a_file_is_kept_or_replaced_with_the_first_row(void **state)
{
    (void)state;
    const char *path = rows_path("a.csv");
    FILE *old = fopen(path, "w");
    assert_non_null(old);
    fputs("old", old);
    assert_int_equal(fclose(old), 0);
    lv_sink *sink = create(path, &small);
    assert_int_equal(sink->flush(sink, NULL, NULL), LV_OK);
    assert_contents(path, "old");
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    assert_contents(path, "old");

    sink = create(rows_path("b.csv"), &small);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    assert_int_equal(access(rows_path("b.csv"), F_OK), -1);

    sink = create(path, &small);
    small_row(1);
    assert_int_equal(sink->row(sink, NULL), LV_OK);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    assert_contents(path, "t,a[1],x'\n0.10000000000000001,1,-0.5\n");
}

static void a_flush_makes_complete_lines_visible(void **state)
{
    (void)state;
    const char *path = rows_path("a.csv");
    lv_sink *sink = create(path, &small);
    for (int k = 0; k < 100; k++) {
        small_row(k);
        assert_int_equal(sink->row(sink, NULL), LV_OK);
        assert_int_equal(sink->flush(sink, NULL, NULL), LV_OK);
        char *text = contents(path);
        int lines = 0;
        for (const char *c = text; *c; c++)
            lines += *c == '\n';
        assert_int_equal(lines, k + 2);
        assert_int_equal(text[strlen(text) - 1], '\n');
        free(text);
    }
    assert_int_equal(sink->close(sink, NULL), LV_OK);
}

static void many_rows_arrive_bit_for_bit(void **state)
{
    (void)state;
    enum { COUNT = 30000 };
    const char *path = rows_path("a.csv");
    lv_sink *sink = create(path, &small);
    for (int k = 0; k < COUNT; k++) {
        small_row(k);
        assert_int_equal(sink->row(sink, NULL), LV_OK);
    }
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    char *text = contents(path), *at = strchr(text, '\n') + 1;
    for (int k = 0; k < COUNT; k++) {
        small_row(k);
        const double t = strtod(at, &at), a = strtod(at + 1, &at),
                     x = strtod(at + 1, &at);
        if (t != time_value || a != place[0] || x != place[1] || *at != '\n')
            fail_msg("line %d is wrong", k + 2);
        at++;
    }
    assert_int_equal(*at, '\0');
    free(text);
}

static void rows_longer_than_a_piece_are_written_whole(void **state)
{
    (void)state;
    static rows r;
    rows_init(&r, 0);
    const char *path = rows_path("a.csv");
    lv_sink *sink = create(path, &r.channels);
    for (int k = 0; k < 3; k++) {
        rows_fill(&r, k);
        assert_int_equal(sink->row(sink, NULL), LV_OK);
    }
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    char *text = contents(path);
    long commas = 0, lines = 0;
    for (const char *c = text; *c; c++) {
        commas += *c == ',';
        lines += *c == '\n';
    }
    assert_int_equal(lines, 4);
    assert_int_equal(commas, 4 * (ROWS_WIDE + ROWS_Q));
    free(text);
}

/* ---- trouble -------------------------------------------------------------------------- */

static void assert_refused(const char *path, int reason)
{
    lv_error err;
    lv_sink *sink = NULL;
    assert_int_equal(lv_csv_create(&sink, path, &small, &err), LV_ERR_IO);
    assert_null(sink);
    assert_non_null(strstr(err.text, path));
    assert_non_null(strstr(err.text, strerror(reason)));
}

static void paths_that_cannot_be_written_are_refused_at_once(void **state)
{
    (void)state;
    assert_refused(rows_directory(), EISDIR);
    assert_refused(rows_path("no/such/a.csv"), ENOENT);
    FILE *file = fopen(rows_path("file"), "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_refused(rows_path("file/a.csv"), ENOTDIR);
    if (geteuid() == 0)
        return;
    assert_int_equal(chmod(rows_path("file"), 0400), 0);
    assert_refused(rows_path("file"), EACCES);
}

static void a_device_without_room_is_an_error(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    lv_error err;
    lv_sink *sink = create("/dev/full", &small);
    assert_int_equal(sink->row(sink, &err), LV_OK);
    assert_int_equal(sink->flush(sink, NULL, &err), LV_ERR_IO);
    assert_non_null(strstr(err.text, "/dev/full"));
    assert_non_null(strstr(err.text, strerror(ENOSPC)));
    assert_int_equal(sink->close(sink, &err), LV_ERR_IO);
}

static lv_status open_writer(lv_sink **sink, const char *path, int number, lv_error *err)
{
    small_row(number);
    return lv_csv_create(sink, path, &small, err);
}

static lv_status write_one(lv_sink *sink)
{
    return sink->row(sink, NULL);
}

static const writers csv_writers = {open_writer, write_one};

static void a_file_that_is_being_written_is_refused_and_left_alone(void **state)
{
    (void)state;
    const char *path = rows_path("a.csv");
    lv_sink *sink = create(path, &small);
    small_row(0);
    assert_int_equal(sink->row(sink, NULL), LV_OK);
    assert_int_equal(sink->flush(sink, NULL, NULL), LV_OK);
    writers_assert_busy(&csv_writers, path);
    assert_contents(path, "t,a[1],x'\n0,0,-1\n");
    assert_int_equal(sink->close(sink, NULL), LV_OK);
}

/* Of two that have no file yet, the first to come gets it, also if it has no row for long. */
static void a_file_that_will_be_written_is_refused(void **state)
{
    (void)state;
    const char *path = rows_path("a.csv");
    lv_sink *sink = create(path, &small);
    writers_assert_busy(&csv_writers, path);
    small_row(0);
    assert_int_equal(sink->row(sink, NULL), LV_OK);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    assert_contents(path, "t,a[1],x'\n0,0,-1\n");
}

/* The loser takes nothing away, and the winner nothing that it did not make. */
static void files_without_rows_are_left_as_they_were(void **state)
{
    (void)state;
    lv_sink *other = NULL;
    const char *path = rows_path("a.csv"), *link = rows_path("link.csv");
    lv_sink *sink = create(path, &small);
    assert_int_equal(lv_csv_create(&other, path, &small, NULL), LV_ERR_IO);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    assert_int_equal(access(path, F_OK), -1);

    /* Somebody has removed the file and made one of his own. */
    sink = create(path, &small);
    assert_int_equal(unlink(path), 0);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(unlink(path), 0);

    /* A link to where nothing is yet. */
    assert_int_equal(symlink("a.csv", link), 0);
    sink = create(link, &small);
    assert_int_equal(lv_csv_create(&other, path, &small, NULL), LV_ERR_IO);
    small_row(0);
    assert_int_equal(sink->row(sink, NULL), LV_OK);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    assert_contents(path, "t,a[1],x'\n0,0,-1\n");
}

static void of_writers_that_begin_at_once_one_gets_the_new_file(void **state)
{
    (void)state;
    const char *path = rows_path("a.csv");
    writers_compete(&csv_writers, path, 0);
    char *text = contents(path);
    assert_non_null(text);
    int lines = 0;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 2);
    free(text);
}

/* Rows and the first number of the last one, from the text. */
static lv_kept_rows count_rows(const char *text)
{
    lv_kept_rows found = {-1, -1};
    for (const char *line = text; *line; line = strchr(line, '\n') + 1, found.count++)
        found.last = strtod(line, NULL);
    return found;
}

static void a_full_disk_leaves_complete_lines(void **state)
{
    (void)state;
    const char *path = rows_path("a.csv");
    struct rlimit old, tight;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    tight = old;
    tight.rlim_cur = 100000;
    lv_error err;
    lv_kept_rows kept = {-1, -1};
    lv_sink *sink = create(path, &small);
    sink->kept = &kept;
    lv_status failed = LV_OK;
    int taken = 0;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    for (; failed == LV_OK && taken < 100000; taken += failed == LV_OK) {
        small_row(taken);
        failed = sink->row(sink, &err);
    }
    assert_int_equal(sink->flush(sink, NULL, NULL), LV_ERR_IO);
    char *text = contents(path);
    const lv_kept_rows there = count_rows(text);
    assert_int_equal(kept.count, there.count);
    assert_true(kept.last == there.last);
    assert_in_range(kept.count, 1000, taken - 1);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(failed, LV_ERR_IO);
    assert_non_null(strstr(err.text, path));
    assert_true(strlen(text) > 90000);
    assert_int_equal(text[strlen(text) - 1], '\n');
    free(text);

    /* Once there is room again, nothing is missing. */
    for (; taken < 6000; taken++) {
        small_row(taken);
        assert_int_equal(sink->row(sink, &err), LV_OK);
    }
    assert_int_equal(sink->close(sink, &err), LV_OK);
    assert_int_equal(kept.count, taken);
    signal(SIGXFSZ, handler);
    text = contents(path);
    char *at = strchr(text, '\n') + 1;
    for (int k = 0; k < taken; k++, at = strchr(at, '\n') + 1) {
        const double t = strtod(at, NULL);
        if (t != k / 10.0)
            fail_msg("line %d begins with %g", k + 2, t);
    }
    assert_int_equal(*at, '\0');
    free(text);
}

/* Rows to standard output while that is something else. */
static lv_status to_standard_output(int target, int count)
{
    const int kept = dup(STDOUT_FILENO);
    assert_true(kept >= 0);
    assert_int_equal(fflush(stdout), 0);
    assert_true(dup2(target, STDOUT_FILENO) >= 0);
    lv_sink *sink = NULL;
    lv_status status = lv_csv_create(&sink, "-", &small, NULL);
    for (int k = 0; k < count && status == LV_OK; k++) {
        small_row(k);
        status = sink->row(sink, NULL);
    }
    lv_status closed = sink ? sink->close(sink, NULL) : LV_OK;
    dup2(kept, STDOUT_FILENO);
    close(kept);
    return status != LV_OK ? status : closed;
}

static void a_dash_is_standard_output(void **state)
{
    (void)state;
    const char *path = rows_path("out");
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(to_standard_output(fd, 1), LV_OK);
    assert_int_equal(close(fd), 0);
    assert_contents(path, "t,a[1],x'\n0,0,-1\n");
}

static void a_closed_pipe_is_an_error(void **state)
{
    (void)state;
    int ends[2];
    void (*handler)(int) = signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(close(ends[0]), 0);
    const lv_status status = to_standard_output(ends[1], 20000);
    assert_int_equal(close(ends[1]), 0);
    signal(SIGPIPE, handler);
    assert_int_equal(status, LV_ERR_IO);
}

static lv_status write_some(void *user, lv_error *err)
{
    lv_sink *sink = NULL;
    LV_TRY(lv_csv_create(&sink, user, &small, err));
    lv_status status = LV_OK;
    for (int k = 0; k < 10 && status == LV_OK; k++) {
        small_row(k);
        status = sink->row(sink, err);
    }
    lv_status closed = sink->close(sink, err);
    return status != LV_OK ? status : closed;
}

static void denied_memory_is_reported_and_nothing_leaks(void **state)
{
    (void)state;
    char path[400];
    snprintf(path, sizeof path, "%s", rows_path("a.csv"));
    lv_deny_sweep(write_some, path);
}

/* ---- going on ------------------------------------------------------------------------- */

static void write_rows(lv_sink *sink, int first, int count)
{
    for (int k = first; k < first + count; k++) {
        small_row(k);
        assert_int_equal(sink->row(sink, NULL), LV_OK);
    }
    assert_int_equal(sink->close(sink, NULL), LV_OK);
}

static lv_status append_small(const char *path, long long kept, lv_sink **sink,
                              lv_error *err)
{
    small_row(kept > 0 ? (int)kept - 1 : 0);
    const double last[] = {time_value, place[0], place[1]};
    return lv_csv_append(sink, path, &small, kept, last, err);
}

static void a_file_goes_on_after_any_row(void **state)
{
    enum { ALL = 9 };
    (void)state;
    const char *path = rows_path("on.csv");
    write_rows(create(path, &small), 0, ALL);
    char *whole = contents(path);
    for (int kept = 0; kept <= ALL; kept++) {
        lv_sink *sink = NULL;
        lv_error err;
        lv_kept_rows arrived;
        if (append_small(path, kept, &sink, &err) != LV_OK)
            fail_msg("%d rows: %s", kept, err.text);
        sink->kept = &arrived;
        assert_int_equal(sink->flush(sink, NULL, &err), LV_OK);
        assert_int_equal(arrived.count, kept);
        assert_true(kept == 0 || arrived.last == (kept - 1) / 10.0);
        write_rows(sink, kept, ALL - kept);
        assert_int_equal(arrived.count, ALL);
        assert_contents(path, whole);
    }
    free(whole);
}

static void a_file_of_others_is_left_alone(void **state)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "its first line differs"},
        {"t,a[1],x''\n0,0,-1\n", "its first line differs"},
        {"t,a[1],x'\n", "rows are missing"},
        {"t,a[1],x'\n0,0,-1", "rows are missing"},
        {"t,a[1],x'\n0,0,-2\n", "the numbers of its rows differ"},
        {"t,a[1],x'\n0,0,-1,\n", "the numbers of its rows differ"},
    };
    (void)state;
    const char *path = rows_path("others.csv");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        lv_sink *sink = NULL;
        lv_error err;
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        assert_true(fputs(cases[k].text, file) >= 0);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(append_small(path, 1, &sink, &err), LV_ERR_IO);
        assert_null(sink);
        assert_non_null(strstr(err.text, cases[k].why));
        assert_contents(path, cases[k].text);
    }
    lv_sink *writer = create(path, &small), *sink = NULL;
    lv_error err;
    assert_int_equal(append_small(path, 0, &sink, &err), LV_ERR_IO);
    assert_non_null(strstr(err.text, "another run"));
    assert_int_equal(writer->close(writer, NULL), LV_OK);
    assert_int_equal(append_small(rows_path("none.csv"), 0, &sink, &err), LV_ERR_IO);
}

static lv_status go_on(void *user, lv_error *err)
{
    lv_sink *sink = NULL;
    lv_status status = append_small(user, 2, &sink, err);
    return status == LV_OK ? sink->close(sink, err) : status;
}

static void going_on_reports_missing_memory(void **state)
{
    (void)state;
    char path[400];
    snprintf(path, sizeof path, "%s", rows_path("denied.csv"));
    write_rows(create(path, &small), 0, 3);
    lv_deny_sweep(go_on, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_header_line_is_followed_by_a_line_per_row,
                                  rows_clean),
        cmocka_unit_test_teardown(labels_with_commas_quotes_and_lines_are_quoted,
                                  rows_clean),
        cmocka_unit_test_teardown(a_file_is_kept_or_replaced_with_the_first_row,
                                  rows_clean),
        cmocka_unit_test_teardown(a_flush_makes_complete_lines_visible, rows_clean),
        cmocka_unit_test_teardown(many_rows_arrive_bit_for_bit, rows_clean),
        cmocka_unit_test_teardown(rows_longer_than_a_piece_are_written_whole, rows_clean),
        cmocka_unit_test_teardown(paths_that_cannot_be_written_are_refused_at_once,
                                  rows_clean),
        cmocka_unit_test_teardown(a_device_without_room_is_an_error, rows_clean),
        cmocka_unit_test_teardown(a_file_that_is_being_written_is_refused_and_left_alone,
                                  rows_clean),
        cmocka_unit_test_teardown(a_file_that_will_be_written_is_refused, rows_clean),
        cmocka_unit_test_teardown(files_without_rows_are_left_as_they_were, rows_clean),
        cmocka_unit_test_teardown(of_writers_that_begin_at_once_one_gets_the_new_file,
                                  rows_clean),
        cmocka_unit_test_teardown(a_full_disk_leaves_complete_lines, rows_clean),
        cmocka_unit_test_teardown(a_dash_is_standard_output, rows_clean),
        cmocka_unit_test_teardown(a_closed_pipe_is_an_error, rows_clean),
        cmocka_unit_test_teardown(denied_memory_is_reported_and_nothing_leaks,
                                  rows_clean),
        RUN(a_file_goes_on_after_any_row),
        RUN(a_file_of_others_is_left_alone),
        RUN(going_on_reports_missing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, rows_finish);
}
