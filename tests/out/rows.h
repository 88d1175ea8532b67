/* Channels with known contents, and what a file with their rows must hold. */
#ifndef LV_TESTS_OUT_ROWS_H
#define LV_TESTS_OUT_ROWS_H

#include "check.h"
#include "out/sink.h"
#include "results.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROWS_Q = 3, ROWS_WIDE = 17000, ROWS_CHANNELS = 4, ROWS_CHECKPOINT = 5 };

typedef struct rows {
    double t[1], q[ROWS_Q], wide[ROWS_WIDE];
    char doc[40]; /* of t: tells files apart */
    lv_channel list[ROWS_CHANNELS];
    lv_channels channels;
} rows;

static inline const char *rows_label(const void *user, int k, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s[%d]", (const char *)user, k + 1);
    return buffer;
}

/* One channel takes one column, one a few, one several chunks per row, one none. */
static inline void rows_init(rows *r, int generation)
{
    snprintf(r->doc, sizeof r->doc, "generation %d", generation);
    r->list[0] = (lv_channel){"t", r->doc, 1, r->t, rows_label, "t", NULL, true};
    r->list[1] =
        (lv_channel){"q", "positions", ROWS_Q, r->q, rows_label, "q", NULL, false};
    r->list[2] =
        (lv_channel){"wide", "", ROWS_WIDE, r->wide, rows_label, "wide", NULL, false};
    r->list[3] =
        (lv_channel){"none", "no columns", 0, NULL, rows_label, "none", NULL, false};
    r->channels = (lv_channels){ROWS_CHANNELS, r->list};
}

static inline double rows_value(int channel, long long row, int k)
{
    return (double)row + channel * 1e6 + k / 32768.0;
}

static inline void rows_fill(rows *r, long long row)
{
    r->t[0] = rows_value(0, row, 0);
    for (int k = 0; k < ROWS_Q; k++)
        r->q[k] = rows_value(1, row, k);
    for (int k = 0; k < ROWS_WIDE; k++)
        r->wide[k] = rows_value(2, row, k);
}

static inline lv_header rows_header(void)
{
    static const lv_text_entry entries[] = {
        {"model", "name = \"\xc3\xa9\"\n"}, {"version", "1.2.3"}, {"empty", ""}};
    return (lv_header){
        .count = 3, .entries = entries, .checkpoint_size = ROWS_CHECKPOINT};
}

/* The checkpoint that belongs to a number of rows. */
static inline void rows_checkpoint(double numbers[ROWS_CHECKPOINT], long long count)
{
    for (int k = 0; k < ROWS_CHECKPOINT; k++)
        numbers[k] = (double)count * 10 + k;
}

static inline lv_status rows_flush(lv_sink *sink, long long count, lv_error *err)
{
    double numbers[ROWS_CHECKPOINT];
    rows_checkpoint(numbers, count);
    const lv_checkpoint checkpoint = {numbers, ROWS_CHECKPOINT, 0};
    return sink->flush(sink, &checkpoint, err);
}

/* What was found in a file. */
typedef struct rows_found {
    int generation;
    long long count;
    long long checkpoint; /* rows that it covers, -1: there is none */
} rows_found;

static inline void rows_verify_channel(const results *reader, int channel,
                                       const char *name, int width, long long count)
{
    lv_error err;
    const results_channel *d = results_find(reader, name);
    if (!d)
        fail_msg("no channel '%s'", name);
    assert_int_equal(d->width, width);
    if (d->rows != count)
        fail_msg("'%s' has %lld rows, others %lld", name, d->rows, count);
    double *values = malloc((size_t)(width + 1) * sizeof *values);
    assert_non_null(values);
    for (long long row = 0; row < count; row++) {
        if (results_read(reader, values, d, row, 1, &err) != LV_OK)
            fail_msg("row %lld: %s", row, err.text);
        for (int k = 0; k < width; k++)
            if (values[k] != rows_value(channel, row, k))
                fail_msg("%s[%lld, %d] is %.17g, expected %.17g", name, row, k, values[k],
                         rows_value(channel, row, k));
    }
    free(values);
}

/* The rows of a file as the HDF5 library sees them; any damage is a failed test. */
static inline rows_found rows_verify_rows(const char *path)
{
    rows_found found = {.checkpoint = -1};
    lv_error err;
    results *reader = NULL;
    if (results_open(&reader, path, &err) != LV_OK)
        fail_msg("%s", err.text);
    const results_channel *t = results_find(reader, "t");
    assert_non_null(t);
    assert_int_equal(sscanf(t->doc, "generation %d", &found.generation), 1);
    found.count = t->rows;
    rows_verify_channel(reader, 0, "t", 1, t->rows);
    rows_verify_channel(reader, 1, "q", ROWS_Q, t->rows);
    rows_verify_channel(reader, 2, "wide", ROWS_WIDE, t->rows);
    rows_verify_channel(reader, 3, "none", 0, t->rows);
    results_close(reader);
    return found;
}

/* The same rows with our own reader. */
static inline void rows_verify_again(const char *path, long long count)
{
    static const char *const names[] = {"t", "q", "wide"};
    static const int widths[] = {1, ROWS_Q, ROWS_WIDE};
    static double values[ROWS_WIDE];
    lv_error err;
    lv_hdf5_reader *reader = NULL;
    if (lv_hdf5_open(&reader, path, &err) != LV_OK)
        fail_msg("%s", err.text);
    assert_null(lv_hdf5_find(reader, "run"));
    for (int c = 0; c < 3; c++) {
        const lv_hdf5_dataset *d = lv_hdf5_find(reader, names[c]);
        assert_true(d && d->rows == count && d->width == widths[c]);
        for (long long row = 0; row < count; row++) {
            if (lv_hdf5_read(reader, values, d, row, 1, &err) != LV_OK)
                fail_msg("row %lld: %s", row, err.text);
            for (int k = 0; k < widths[c]; k++)
                if (values[k] != rows_value(c, row, k))
                    fail_msg("%s[%lld, %d] is %.17g", names[c], row, k, values[k]);
        }
    }
    lv_hdf5_close(reader);
}

/* Rows, texts and checkpoint. */
static inline rows_found rows_verify(const char *path)
{
    lv_error err;
    lv_hdf5_run run;
    rows_found found = rows_verify_rows(path);
    rows_verify_again(path, found.count);
    if (lv_hdf5_read_run(&run, path, &err) != LV_OK)
        fail_msg("%s", err.text);
    if (!run.checkpoint) {
        lv_hdf5_run_done(&run);
        return found;
    }
    double numbers[ROWS_CHECKPOINT];
    found.checkpoint = run.rows;
    rows_checkpoint(numbers, run.rows);
    assert_true(run.rows <= found.count);
    assert_int_equal(run.checkpoint_count, ROWS_CHECKPOINT);
    assert_memory_equal(run.checkpoint, numbers, sizeof numbers);
    assert_int_equal(run.text_count, 3);
    lv_hdf5_run_done(&run);
    return found;
}

/* ---- a directory of our own ----------------------------------------------------------- */

static inline const char *rows_directory(void)
{
    static char path[200];
    if (!path[0]) {
        const char *base = getenv("TMPDIR");
        snprintf(path, sizeof path, "%s/livens-out-XXXXXX", base ? base : "/tmp");
        assert_non_null(mkdtemp(path));
    }
    return path;
}

/* A path in it; valid until the fourth call after. */
static inline const char *rows_path(const char *name)
{
    static char paths[4][500];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", rows_directory(), name);
    return path;
}

/* Files in the directory; with `remove_them` none remain. */
static inline int rows_files(bool remove_them)
{
    int count = 0;
    DIR *directory = opendir(rows_directory());
    assert_non_null(directory);
    for (struct dirent *e = readdir(directory); e; e = readdir(directory)) {
        if (e->d_name[0] == '.')
            continue;
        count++;
        if (remove_them)
            (void)remove(rows_path(e->d_name));
    }
    closedir(directory);
    return count;
}

static inline int rows_clean(void **state)
{
    (void)state;
    rows_files(true);
    return 0;
}

static inline int rows_finish(void **state)
{
    rows_clean(state);
    return rmdir(rows_directory());
}

#endif
