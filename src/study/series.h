/* Statistics of an ensemble over time, at the recorded times: for every chosen column x of a run
 *
 *     mean.x = mean_j x_j(t),   sd.x = sqrt(sum_j (x_j(t) - mean)^2 / (N - 1))
 *
 * and mu.E = mean_j (E_j(t) - E_j(0))^2. Members are added in the order of their numbers (B. P.
 * Welford 1962), so that the bits do not depend on who ended first. */
#ifndef LV_STUDY_SERIES_H
#define LV_STUDY_SERIES_H

#include <livens/sweep.h>

#include "base/arena.h"
#include "base/memory.h"
#include "out/sink.h"

/* A number of a run: column `offset` of a channel. */
typedef struct lv_series_column {
    const char *label;
    const char *channel;
    int offset;
} lv_series_column;

typedef struct lv_moments {
    double mean, square; /* square: sum of the squared distances from the mean */
} lv_moments;

typedef struct lv_series {
    lv_arena arena;
    int count; /* number of columns */
    lv_series_column *columns;
    int rows; /* 0: no member was added yet */
    int members;
    double *times;
    double *errors;      /* sums of (E - E0)^2 by row */
    lv_moments *moments; /* rows x columns */

    lv_sink *sink; /* NULL: no file is wanted */
    lv_channel channel;
    lv_channels channels;
    double *row;
} lv_series;

/* The rows of one member: t, E, then the columns. */
typedef struct lv_samples {
    LV_ARRAY(double) data;
    const double **sources; /* addresses of the numbers of a row, during the run */
    int width;
} lv_samples;

/* Selects columns by name among those of a run; count 0: the energy and all outputs. Call
 * lv_series_done in any case. */
lv_status lv_series_init(lv_series *series, const lv_channels *channels,
                         const char *const *names, int count, lv_error *err);
void lv_series_done(lv_series *series);

/* Collects rows of a run from its channels. */
lv_status lv_samples_open(lv_samples *samples, const lv_series *series,
                          const lv_channels *channels, lv_error *err);
lv_status lv_samples_row(lv_samples *samples, lv_error *err);
void lv_samples_done(lv_samples *samples);

/* Copies rows that another process has computed, `count` numbers. LV_ERR_USAGE if they
 * are not rows of this series. */
lv_status lv_samples_take(lv_samples *samples, const lv_series *series,
                          const double *numbers, int count, lv_error *err);

/* Adds a member. LV_ERR_MODEL if its times differ from those of the others. */
lv_status lv_series_add(lv_series *series, const lv_samples *samples, lv_error *err);

/* Opens the CSV file before anything is computed, so that a file that cannot be written
 * or has another writer is reported early. The series must not be moved afterwards. */
lv_status lv_series_open(lv_series *series, const char *path, lv_error *err);

/* lv_series_write writes and closes the file, if there is one; lv_series_close closes it
 * without rows, and leaves an old file unchanged. */
lv_status lv_series_write(lv_series *series, lv_error *err);
lv_status lv_series_close(lv_series *series, lv_error *err);

/* All rows as they would be in the file; they live as long as the series. */
lv_status lv_series_give(lv_series *series, lv_sweep_series *given, lv_error *err);

#endif
