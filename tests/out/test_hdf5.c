/* HDF5 files: written by the sink, read with the HDF5 library. */
#include "deny.h"
#include "hdf5_rows.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>

/* ---- contents ------------------------------------------------------------------------- */

static void rows_texts_and_checkpoint_are_read_back(void **state)
{
    (void)state;
    const char *path = rows_path("a.h5");
    write_file(path, 70);
    const rows_found found = rows_verify(path);
    assert_int_equal(found.generation, 1);
    assert_int_equal(found.count, 70);
    assert_int_equal(found.checkpoint, 70);

    lv_hdf5_run run;
    assert_int_equal(lv_hdf5_read_run(&run, path, NULL), LV_OK);
    static const char *const names[] = {"model", "version", "empty"};
    static const char *const texts[] = {"name = \"\xc3\xa9\"\n", "1.2.3", ""};
    assert_int_equal(run.text_count, 3);
    for (int k = 0; k < 3; k++) {
        assert_string_equal(run.names[k], names[k]);
        assert_string_equal(run.texts[k], texts[k]);
    }
    lv_hdf5_run_done(&run);
}

static void columns_have_their_names(void **state)
{
    (void)state;
    const char *path = rows_path("a.h5");
    write_file(path, 1);
    results *reader = NULL;
    assert_int_equal(results_open(&reader, path, NULL), LV_OK);
    assert_int_equal(results_count(reader), ROWS_CHANNELS);
    static const char *const in_order[] = {"none", "q", "t", "wide"};
    for (int c = 0; c < ROWS_CHANNELS; c++) {
        const results_channel *d = results_get(reader, c);
        assert_string_equal(d->name, in_order[c]);
        for (int k = 0; k < d->width; k++) {
            char expected[40];
            assert_string_equal(d->labels[k],
                                rows_label(d->name, k, expected, sizeof expected));
        }
    }
    assert_string_equal(results_find(reader, "q")->doc, "positions");
    assert_string_equal(results_find(reader, "wide")->doc, "");
    assert_null(results_find(reader, "run"));
    results_close(reader);

    /* The attribute where it fits, a dataset of /names where not. */
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(H5Aexists_by_name(file, "q", "names", H5P_DEFAULT) > 0);
    assert_true(H5Aexists_by_name(file, "wide", "names", H5P_DEFAULT) == 0);
    assert_true(H5Lexists(file, "/names/wide", H5P_DEFAULT) > 0);
    assert_true(H5Lexists(file, "/names/q", H5P_DEFAULT) == 0);
    assert_true(H5Fclose(file) >= 0);
}

static void parts_of_a_channel_can_be_read(void **state)
{
    (void)state;
    const char *path = rows_path("a.h5");
    write_file(path, 50);
    lv_error err;
    double values[4 * ROWS_Q];
    results *reader = NULL;
    assert_int_equal(results_open(&reader, path, NULL), LV_OK);
    const results_channel *q = results_find(reader, "q");
    assert_int_equal(results_read(reader, values, q, 46, 4, NULL), LV_OK);
    for (int k = 0; k < 4 * ROWS_Q; k++)
        assert_true(values[k] == rows_value(1, 46 + k / ROWS_Q, k % ROWS_Q));
    assert_int_equal(results_read(reader, values, q, 50, 0, NULL), LV_OK);
    assert_int_equal(results_read(reader, values, q, 47, 4, &err), LV_ERR_USAGE);
    assert_int_equal(results_read(reader, values, q, -1, 1, &err), LV_ERR_USAGE);
    results_close(reader);

    lv_hdf5_reader *own = NULL;
    assert_int_equal(lv_hdf5_open(&own, path, NULL), LV_OK);
    const lv_hdf5_dataset *p = lv_hdf5_find(own, "q");
    assert_int_equal(lv_hdf5_read(own, values, p, 46, 4, NULL), LV_OK);
    for (int k = 0; k < 4 * ROWS_Q; k++)
        assert_true(values[k] == rows_value(1, 46 + k / ROWS_Q, k % ROWS_Q));
    assert_int_equal(lv_hdf5_read(own, values, p, 50, 0, NULL), LV_OK);
    assert_int_equal(lv_hdf5_read(own, values, p, 47, 4, &err), LV_ERR_USAGE);
    assert_int_equal(lv_hdf5_read(own, values, p, -1, 1, &err), LV_ERR_USAGE);
    lv_hdf5_close(own);
}

static void a_new_file_is_complete_before_the_first_row(void **state)
{
    (void)state;
    const char *path = rows_path("a.h5");
    lv_sink *sink = create(path);
    rows_found found = rows_verify(path);
    assert_int_equal(found.count, 0);
    assert_int_equal(found.checkpoint, -1);
    add_rows(sink, 0, 3);
    assert_int_equal(rows_verify(path).count, 0);
    assert_int_equal(sink->flush(sink, NULL, NULL), LV_OK);
    assert_int_equal(rows_verify(path).count, 3);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    assert_int_equal(rows_verify(path).checkpoint, -1);
}

static void every_flush_shows_all_rows_to_readers(void **state)
{
    (void)state;
    const char *path = rows_path("a.h5");
    lv_sink *sink = create(path);
    long long covered = -1;
    for (long long row = 0; row < 80; row++) {
        add_rows(sink, row, row + 1);
        if (row % 3 == 0) {
            assert_int_equal(rows_flush(sink, row + 1, NULL), LV_OK);
            covered = row + 1;
        } else {
            assert_int_equal(sink->flush(sink, NULL, NULL), LV_OK);
        }
        if (row % 8 == 0) {
            const rows_found found = rows_verify(path);
            assert_int_equal(found.count, row + 1);
            assert_int_equal(found.checkpoint, covered);
        }
    }
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    assert_int_equal(rows_verify(path).count, 80);
}

/* One channel, rows in the millions: an index of three levels. */
static void long_runs_are_read_back(void **state)
{
    (void)state;
    enum { COUNT = 64 * 64 * 512 + 1000 };
    const lv_channels one = {1, r.list};
    const lv_header header = {.rows = 10};
    const char *path = rows_path("a.h5");
    lv_sink *sink = NULL;
    assert_int_equal(lv_hdf5_create(&sink, path, &one, &header, NULL), LV_OK);
    for (int k = 0; k < COUNT; k++) {
        r.t[0] = k;
        if (sink->row(sink, NULL) != LV_OK)
            fail_msg("row %d", k);
    }
    assert_int_equal(sink->close(sink, NULL), LV_OK);

    results *reader = NULL;
    double *values = malloc(COUNT * sizeof *values);
    assert_non_null(values);
    assert_int_equal(results_open(&reader, path, NULL), LV_OK);
    const results_channel *t = results_find(reader, "t");
    assert_int_equal(t->rows, COUNT);
    assert_int_equal(results_read(reader, values, t, 0, COUNT, NULL), LV_OK);
    for (int k = 0; k < COUNT; k++)
        if (values[k] != k)
            fail_msg("row %d is %g", k, values[k]);
    free(values);
    results_close(reader);
}

static void short_runs_make_small_files(void **state)
{
    (void)state;
    const lv_channels two = {2, r.list};
    const lv_header header = {.rows = 100};
    struct stat info;
    const char *path = rows_path("a.h5");
    lv_sink *sink = NULL;
    assert_int_equal(lv_hdf5_create(&sink, path, &two, &header, NULL), LV_OK);
    for (int k = 0; k < 100; k++)
        assert_int_equal(sink->row(sink, NULL), LV_OK);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    assert_int_equal(stat(path, &info), 0);
    assert_true(info.st_size < 36864);
}

static void a_run_that_waits_for_the_disk_writes_the_same(void **state)
{
    (void)state;
    const char *path = rows_path("a.h5");
    lv_header header = rows_header();
    header.sync = true;
    lv_sink *sink = NULL;
    assert_int_equal(lv_hdf5_create(&sink, path, &r.channels, &header, NULL), LV_OK);
    add_rows(sink, 0, 5);
    assert_int_equal(rows_flush(sink, 5, NULL), LV_OK);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    assert_int_equal(rows_verify(path).count, 5);
}

/* ---- appending ------------------------------------------------------------------------ */

static void appended_rows_follow_those_of_the_checkpoint(void **state)
{
    (void)state;
    const char *path = rows_path("a.h5");
    lv_sink *sink = create(path);
    add_rows(sink, 0, 40);
    assert_int_equal(rows_flush(sink, 40, NULL), LV_OK);
    rows_fill(&r, 999); /* rows that the resumed run will have differently */
    for (int k = 0; k < 100; k++)
        assert_int_equal(sink->row(sink, NULL), LV_OK);
    assert_int_equal(sink->close(sink, NULL), LV_OK);

    sink = append(path);
    rows_found found = rows_verify(path);
    assert_int_equal(found.count, 40);
    assert_int_equal(found.checkpoint, 40);
    for (long long row = 40; row < 200; row += 20) {
        add_rows(sink, row, row + 20);
        assert_int_equal(rows_flush(sink, row + 20, NULL), LV_OK);
        assert_int_equal(sink->close(sink, NULL), LV_OK);
        assert_int_equal(rows_verify(path).count, row + 20);
        sink = append(path);
    }
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    found = rows_verify(path);
    assert_int_equal(found.count, 200);
    assert_int_equal(found.checkpoint, 200);
}

static void assert_not_appended(const char *path, const lv_channels *channels, int size,
                                const char *expected)
{
    lv_error err;
    lv_sink *sink = NULL;
    assert_int_equal(lv_hdf5_append(&sink, path, channels, size, &err), LV_ERR_IO);
    assert_null(sink);
    if (!strstr(err.text, expected))
        fail_msg("'%s' does not say '%s'", err.text, expected);
    assert_non_null(strstr(err.text, path));
}

static void other_channels_are_refused_by_name(void **state)
{
    (void)state;
    static double values[10];
    const char *path = rows_path("a.h5");
    write_file(path, 3);
    lv_channel list[ROWS_CHANNELS];
    const lv_channels channels = {ROWS_CHANNELS, list};
    const lv_channels fewer = {ROWS_CHANNELS - 1, list};
    memcpy(list, r.list, sizeof list);
    assert_not_appended(path, &fewer, ROWS_CHECKPOINT, "4 kinds of results");
    list[1].name = "v";
    assert_not_appended(path, &channels, ROWS_CHECKPOINT,
                        "has 'q' where this run records 'v'");
    memcpy(list, r.list, sizeof list);
    list[1].width = 4;
    list[1].values = values;
    assert_not_appended(path, &channels, ROWS_CHECKPOINT, "has 3 columns in 'q'");
    memcpy(list, r.list, sizeof list);
    list[2].user = "wade";
    assert_not_appended(path, &channels, ROWS_CHECKPOINT,
                        "column 1 of 'wide' is 'wide[1]' in");
    assert_not_appended(path, &r.channels, ROWS_CHECKPOINT + 1, "has 5 numbers");
    assert_int_equal(rows_verify(path).count, 3);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void files_that_are_not_ours_are_refused(void **state)
{
    (void)state;
    lv_error err;
    lv_hdf5_run run;
    results *reader = NULL;
    const char *path = rows_path("a.h5");
    assert_not_appended(path, &r.channels, ROWS_CHECKPOINT, "No such file");
    assert_int_equal(lv_hdf5_read_run(&run, path, &err), LV_ERR_IO);
    assert_non_null(strstr(err.text, "No such file"));

    assert_not_appended(rows_directory(), &r.channels, ROWS_CHECKPOINT, strerror(EISDIR));
    assert_int_equal(lv_hdf5_read_run(&run, rows_directory(), &err), LV_ERR_IO);
    assert_non_null(strstr(err.text, strerror(EISDIR)));
    assert_int_equal(mkfifo(rows_path("pipe"), 0600), 0);
    assert_int_equal(lv_hdf5_read_run(&run, rows_path("pipe"), &err), LV_ERR_IO);
    assert_non_null(strstr(err.text, "not a regular file"));

    static const char *const texts[] = {"", "short",
                                        "a text that is long enough to hold a "
                                        "superblock and a record, if it were "
                                        "one, which it is not, by far, no."};
    for (int k = 0; k < 3; k++) {
        write_text(path, texts[k]);
        assert_not_appended(path, &r.channels, ROWS_CHECKPOINT, "is not an HDF5 file");
        assert_int_equal(lv_hdf5_read_run(&run, path, &err), LV_ERR_IO);
        assert_non_null(strstr(err.text, "is not an HDF5 file"));
        assert_int_equal(results_open(&reader, path, &err), LV_ERR_IO);
        assert_null(reader);
    }

    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Fclose(file) >= 0);
    assert_not_appended(path, &r.channels, ROWS_CHECKPOINT,
                        "but not as livens writes it");
    assert_int_equal(lv_hdf5_read_run(&run, path, &err), LV_ERR_IO);
    assert_non_null(strstr(err.text, "not as livens writes it"));
    assert_int_equal(results_open(&reader, path, &err), LV_OK);
    assert_int_equal(results_count(reader), 0);
    results_close(reader);
}

static void a_file_without_a_checkpoint_cannot_be_resumed(void **state)
{
    (void)state;
    const char *path = rows_path("a.h5");
    lv_sink *sink = create(path);
    add_rows(sink, 0, 10);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    assert_not_appended(path, &r.channels, ROWS_CHECKPOINT, "has no checkpoint");
    assert_int_equal(rows_verify(path).count, 10);
}

static void files_of_other_versions_are_refused_by_name(void **state)
{
    (void)state;
    lv_error err;
    lv_hdf5_run run;
    const char *path = rows_path("a.h5");
    write_file(path, 1);
    int fd = open(path, O_RDWR);
    assert_int_equal(pwrite(fd, "\x01", 1, 96 + 6), 1);
    assert_int_equal(close(fd), 0);
    assert_not_appended(path, &r.channels, ROWS_CHECKPOINT, "another version of livens");
    assert_int_equal(lv_hdf5_read_run(&run, path, &err), LV_ERR_IO);
    assert_non_null(strstr(err.text, "another version of livens"));
}

static void a_truncated_file_is_refused(void **state)
{
    (void)state;
    lv_error err;
    results *reader = NULL;
    const char *path = rows_path("a.h5");
    write_file(path, 10);
    assert_int_equal(truncate(path, 100000), 0);
    assert_not_appended(path, &r.channels, ROWS_CHECKPOINT, "is incomplete");
    assert_int_equal(results_open(&reader, path, &err), LV_ERR_IO);
    assert_non_null(strstr(err.text, "truncated"));
}

static void files_changed_by_others_are_read_but_not_appended(void **state)
{
    (void)state;
    const char *path = rows_path("a.h5");
    write_file(path, 10);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t group = H5Gcreate2(file, "mine", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(group >= 0 && H5Gclose(group) >= 0 && H5Fclose(file) >= 0);
    assert_int_equal(rows_verify_rows(path).count, 10);
    assert_not_appended(path, &r.channels, ROWS_CHECKPOINT, "changed by another program");
}

static void every_damaged_byte_of_the_record_is_noticed(void **state)
{
    (void)state;
    const char *path = rows_path("a.h5");
    write_file(path, 2);
    int fd = open(path, O_RDWR);
    for (int at = 96; at < 700; at += 3) {
        unsigned char byte = 0, wrong = 0;
        lv_sink *sink = NULL;
        assert_int_equal(pread(fd, &byte, 1, at), 1);
        wrong = byte ^ 0x10;
        assert_int_equal(pwrite(fd, &wrong, 1, at), 1);
        assert_int_not_equal(
            lv_hdf5_append(&sink, path, &r.channels, ROWS_CHECKPOINT, NULL), LV_OK);
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    }
    assert_int_equal(close(fd), 0);
    lv_sink *sink = append(path);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
}

/* ---- creating ------------------------------------------------------------------------- */

static void assert_not_created(const char *path, const char *expected)
{
    lv_error err;
    lv_sink *sink = NULL;
    const lv_header header = rows_header();
    assert_int_equal(lv_hdf5_create(&sink, path, &r.channels, &header, &err), LV_ERR_IO);
    assert_null(sink);
    assert_non_null(strstr(err.text, path));
    if (!strstr(err.text, expected))
        fail_msg("'%s' does not say '%s'", err.text, expected);
}

static void places_that_cannot_be_written_are_refused(void **state)
{
    (void)state;
    assert_not_created(rows_directory(), strerror(EISDIR));
    assert_not_created(rows_path("no/such/a.h5"), strerror(ENOENT));
    assert_not_created("/dev/null", "not a regular file");
    assert_int_equal(symlink("nowhere", rows_path("link")), 0);
    assert_not_created(rows_path("link"), "leads nowhere");
    if (geteuid() == 0)
        return;
    write_text(rows_path("fixed"), "");
    assert_int_equal(chmod(rows_path("fixed"), 0400), 0);
    assert_not_created(rows_path("fixed"), strerror(EACCES));
}

static void an_existing_file_is_replaced_also_behind_a_link(void **state)
{
    (void)state;
    const char *path = rows_path("a.h5"), *link = rows_path("link.h5");
    struct stat info;
    write_file(path, 5);
    assert_int_equal(symlink("a.h5", link), 0);
    rows_init(&r, 2);
    write_file(link, 7);
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    const rows_found found = rows_verify(path);
    assert_int_equal(found.generation, 2);
    assert_int_equal(found.count, 7);
    assert_int_equal(rows_files(false), 2);
}

/* ---- a full disk ---------------------------------------------------------------------- */

static void a_full_disk_keeps_what_was_flushed(void **state)
{
    (void)state;
    const char *path = rows_path("a.h5");
    struct rlimit old, tight;
    lv_error err;
    lv_kept_rows kept = {-1, -1};
    lv_sink *sink = create(path);
    sink->kept = &kept;
    add_rows(sink, 0, 20);
    assert_int_equal(rows_flush(sink, 20, NULL), LV_OK);
    assert_int_equal(kept.count, 20);
    assert_true(kept.last == rows_value(0, 19, 0));
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    tight = old;
    tight.rlim_cur = 6000000;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    lv_status status = LV_OK;
    long long row = 20;
    for (; row < 1000 && status == LV_OK; row += status == LV_OK) {
        rows_fill(&r, row);
        status = sink->row(sink, &err);
        if (status == LV_OK && row % 5 == 0)
            status = rows_flush(sink, row + 1, &err);
    }
    rows_found found = rows_verify(path);
    assert_int_equal(kept.count, found.count);
    assert_true(kept.last == rows_value(0, found.count - 1, 0));
    const lv_status closed = sink->close(sink, NULL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, LV_ERR_IO);
    assert_non_null(strstr(err.text, path));
    assert_non_null(strstr(err.text, strerror(EFBIG)));
    assert_in_range(found.count, row - 5, row);
    assert_int_equal(closed, LV_ERR_IO);

    /* Closing keeps the rows that are in the file; the run can go on. */
    const rows_found left = rows_verify(path);
    assert_int_equal(kept.count, left.count);
    assert_true(kept.last == rows_value(0, left.count - 1, 0));
    assert_true(left.count >= found.count && left.checkpoint == found.checkpoint);
    sink = append(path);
    add_rows(sink, left.checkpoint, 100);
    assert_int_equal(sink->close(sink, NULL), LV_OK);
    assert_int_equal(rows_verify(path).count, 100);
}

/* ---- memory --------------------------------------------------------------------------- */

static lv_status write_append_read(void *user, lv_error *err)
{
    const char *path = user;
    const lv_header header = rows_header();
    lv_sink *sink = NULL;
    results *reader = NULL;
    lv_hdf5_run run;
    LV_TRY(lv_hdf5_create(&sink, path, &r.channels, &header, err));
    lv_status status = sink->row(sink, err);
    if (status == LV_OK)
        status = rows_flush(sink, 1, err);
    lv_status closed = sink->close(sink, status == LV_OK ? err : NULL);
    LV_TRY(status);
    LV_TRY(closed);
    LV_TRY(lv_hdf5_append(&sink, path, &r.channels, ROWS_CHECKPOINT, err));
    LV_TRY(sink->close(sink, err));
    LV_TRY(lv_hdf5_read_run(&run, path, err));
    lv_hdf5_run_done(&run);
    LV_TRY(results_open(&reader, path, err));
    results_close(reader);
    lv_hdf5_reader *own = NULL;
    LV_TRY(lv_hdf5_open(&own, path, err));
    lv_hdf5_close(own);
    return LV_OK;
}

static void denied_memory_is_reported_and_nothing_leaks(void **state)
{
    (void)state;
    char path[500];
    snprintf(path, sizeof path, "%s", rows_path("a.h5"));
    lv_deny_sample(write_append_read, path, 200);
    assert_int_equal(rows_files(false), 1);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rows_texts_and_checkpoint_are_read_back),
        TEST(columns_have_their_names),
        TEST(parts_of_a_channel_can_be_read),
        TEST(a_new_file_is_complete_before_the_first_row),
        TEST(every_flush_shows_all_rows_to_readers),
        TEST(long_runs_are_read_back),
        TEST(short_runs_make_small_files),
        TEST(a_run_that_waits_for_the_disk_writes_the_same),
        TEST(appended_rows_follow_those_of_the_checkpoint),
        TEST(other_channels_are_refused_by_name),
        TEST(files_that_are_not_ours_are_refused),
        TEST(a_file_without_a_checkpoint_cannot_be_resumed),
        TEST(files_of_other_versions_are_refused_by_name),
        TEST(a_truncated_file_is_refused),
        TEST(files_changed_by_others_are_read_but_not_appended),
        TEST(every_damaged_byte_of_the_record_is_noticed),
        TEST(places_that_cannot_be_written_are_refused),
        TEST(an_existing_file_is_replaced_also_behind_a_link),
        TEST(a_full_disk_keeps_what_was_flushed),
        TEST(denied_memory_is_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, rows_finish);
}
