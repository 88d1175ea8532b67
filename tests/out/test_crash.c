/* A writer that ends at every single one of its system calls that change the file, and one
 * for which every single one fails once. The linker leads the library's calls here. */
#include "rows.h"

#include <errno.h>
#include <sys/types.h>
#include <sys/wait.h>

ssize_t __real_pwrite(int fd, const void *data, size_t size, off_t at);
ssize_t __wrap_pwrite(int fd, const void *data, size_t size, off_t at);
int __real_ftruncate(int fd, off_t size);
int __wrap_ftruncate(int fd, off_t size);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);

typedef enum mode { WORK, STOP_BEFORE, STOP_WITHIN, FAIL } mode;

static mode trouble = WORK;
static long calls;      /* so far */
static long trouble_at; /* the call, from 1 */

/* Is this the call? */
static bool now(void)
{
    calls++;
    if (trouble == WORK || calls != trouble_at)
        return false;
    if (trouble == STOP_BEFORE)
        _exit(0);
    return true;
}

/* A write is cut where a killed process may cut it: at the end of a page of the file. */
ssize_t __wrap_pwrite(int fd, const void *data, size_t size, off_t at)
{
    if (!now())
        return __real_pwrite(fd, data, size, at);
    const off_t page = 4096;
    off_t part = page - at % page;
    if (trouble == STOP_WITHIN) {
        if ((off_t)size > 2 * part)
            part += ((off_t)size - part) / (2 * page) * page;
        if (part < (off_t)size && __real_pwrite(fd, data, (size_t)part, at) < 0)
            _exit(1);
        _exit(0);
    }
    if (part < (off_t)size && __real_pwrite(fd, data, (size_t)part, at) < 0)
        return -1;
    errno = ENOSPC;
    return -1;
}

int __wrap_ftruncate(int fd, off_t size)
{
    if (!now())
        return __real_ftruncate(fd, size);
    if (trouble == STOP_WITHIN)
        _exit(0);
    errno = ENOSPC;
    return -1;
}

int __wrap_rename(const char *from, const char *to)
{
    if (!now())
        return __real_rename(from, to);
    if (trouble == STOP_WITHIN)
        _exit(0);
    errno = EIO;
    return -1;
}

/* ---- the run under test --------------------------------------------------------------- */

enum { FIRST = 37, LAST = 69, FLUSH = 9 };

static rows r;
static const char *path;
static int report = -1; /* a pipe that gets the state of the file after every commit */

static void tell(rows_found found)
{
    if (report >= 0 && write(report, &found, sizeof found) != sizeof found)
        _exit(1);
}

/* With FAIL, a call that fails is repeated once, as a caller may. */
static int failures;

static bool failed(lv_status status)
{
    failures += status != LV_OK;
    return status != LV_OK;
}

static void add_rows(lv_sink *sink, long long from, long long to, rows_found *found)
{
    for (long long row = from; row < to; row++) {
        rows_fill(&r, row);
        if (failed(sink->row(sink, NULL)) && sink->row(sink, NULL) != LV_OK)
            fail_msg("row %lld fails twice", row);
        if (row % FLUSH != FLUSH - 1)
            continue;
        const bool checkpoint = row / FLUSH % 3 != 2;
        lv_status status =
            checkpoint ? rows_flush(sink, row + 1, NULL) : sink->flush(sink, NULL, NULL);
        if (failed(status)) {
            rows_found seen = rows_verify(path);
            assert_int_equal(seen.count, found->count);
            assert_int_equal(seen.checkpoint, found->checkpoint);
            status = checkpoint ? rows_flush(sink, row + 1, NULL)
                                : sink->flush(sink, NULL, NULL);
            assert_int_equal(status, LV_OK);
        }
        found->count = row + 1;
        if (checkpoint)
            found->checkpoint = row + 1;
        tell(*found);
    }
}

static lv_sink *create(void)
{
    const lv_header header = rows_header();
    lv_sink *sink = NULL;
    lv_error err;
    if (failed(lv_hdf5_create(&sink, path, &r.channels, &header, &err))) {
        assert_null(sink);
        assert_int_equal(err.code, LV_ERR_IO);
        assert_int_equal(rows_verify(path).generation, 1);
        assert_int_equal(rows_files(false), 1);
        if (lv_hdf5_create(&sink, path, &r.channels, &header, &err) != LV_OK)
            fail_msg("%s", err.text);
    }
    return sink;
}

/* A file of generation 1 is replaced by one of generation 2, closed, and appended to. */
static rows_found whole_run(void)
{
    rows_found found = {2, 0, -1};
    lv_sink *sink = create();
    tell(found);
    add_rows(sink, 0, FIRST, &found);
    found.count = FIRST;
    if (failed(sink->close(sink, NULL)))
        found = rows_verify(path); /* whatever could be kept */
    tell(found);

    if (failed(lv_hdf5_append(&sink, path, &r.channels, ROWS_CHECKPOINT, NULL)))
        assert_int_equal(lv_hdf5_append(&sink, path, &r.channels, ROWS_CHECKPOINT, NULL),
                         LV_OK);
    found.count = found.checkpoint;
    tell(found);
    add_rows(sink, found.count, LAST, &found);
    found.count = LAST;
    if (failed(sink->close(sink, NULL)))
        found = rows_verify(path);
    tell(found);
    return found;
}

/* The file before, always the same. */
static void old_file(void)
{
    const lv_header header = rows_header();
    lv_sink *sink = NULL;
    trouble = WORK;
    rows_init(&r, 1);
    assert_int_equal(lv_hdf5_create(&sink, path, &r.channels, &header, NULL), LV_OK);
    for (int row = 0; row < 3; row++) {
        rows_fill(&r, row);
        assert_int_equal(sink->row(sink, NULL), LV_OK);
    }
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    rows_init(&r, 2);
    calls = 0;
    failures = 0;
}

/* Sanitizers see every seventh call. */
enum { STRIDE = SLOW ? 7 : 1 };

/* All states that the file goes through, the old file first. */
enum { MOST_STATES = 30 };

static int read_reports(int fd, rows_found states[MOST_STATES])
{
    int count = 1;
    states[0] = (rows_found){1, 3, -1};
    while (count < MOST_STATES &&
           read(fd, &states[count], sizeof *states) == sizeof *states)
        count++;
    return count;
}

static rows_found states[MOST_STATES];
static int state_count;

/* The run without trouble; returns its calls. */
static long record_run(void)
{
    int ends[2];
    old_file();
    assert_int_equal(pipe(ends), 0);
    report = ends[1];
    whole_run();
    report = -1;
    close(ends[1]);
    state_count = read_reports(ends[0], states);
    close(ends[0]);
    assert_in_range(state_count, 10, MOST_STATES - 1);
    return calls;
}

static bool same(rows_found a, rows_found b)
{
    return a.generation == b.generation && a.count == b.count &&
           a.checkpoint == b.checkpoint;
}

static void stop_at(long k, mode how)
{
    int ends[2], status = 0;
    old_file();
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        report = ends[1];
        trouble = how;
        trouble_at = k;
        whole_run();
        _exit(0);
    }
    close(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    rows_found told[MOST_STATES];
    const int last = read_reports(ends[0], told) - 1;
    close(ends[0]);

    /* The last state that was told, or the next, where there was no time to tell. */
    const rows_found found = rows_verify(path);
    assert_true(last < state_count && same(told[last], states[last]));
    if (!same(found, states[last]) &&
        !(last + 1 < state_count && same(found, states[last + 1])))
        fail_msg("stopped at call %ld: %d/%lld/%lld in the file, told were %d/%lld/%lld",
                 k, found.generation, found.count, found.checkpoint,
                 told[last].generation, told[last].count, told[last].checkpoint);
    rows_files(true);
}

static void a_writer_may_end_at_any_call(void **state)
{
    (void)state;
    path = rows_path("a.h5");
    const long total = record_run();
    assert_true(total > 150);
    for (long k = 1; k <= total; k += STRIDE)
        stop_at(k, STOP_BEFORE);
}

static void a_writer_may_end_within_any_call(void **state)
{
    (void)state;
    path = rows_path("a.h5");
    const long total = record_run();
    for (long k = 1; k <= total; k += STRIDE)
        stop_at(k, STOP_WITHIN);
}

static void any_call_may_fail_once(void **state)
{
    (void)state;
    path = rows_path("a.h5");
    const long total = record_run();
    for (long k = 1; k <= total; k += STRIDE) {
        old_file();
        trouble = FAIL;
        trouble_at = k;
        const rows_found expected = whole_run();
        trouble = WORK;
        assert_int_equal(failures, 1);
        const rows_found found = rows_verify(path);
        assert_int_equal(found.count, expected.count);
        assert_int_equal(found.checkpoint, expected.checkpoint);
        assert_in_range(found.count, LAST - FLUSH, LAST);
        assert_int_equal(rows_files(true), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_writer_may_end_at_any_call, rows_clean),
        cmocka_unit_test_teardown(a_writer_may_end_within_any_call, rows_clean),
        cmocka_unit_test_teardown(any_call_may_fail_once, rows_clean),
    };
    return cmocka_run_group_tests(tests, NULL, rows_finish);
}
