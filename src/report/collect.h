/* Collects the rows that a page needs, in bounded memory, from a run or from a file.
 * There are three tables:
 *
 *     watch    energies, errors of what should be kept, residuals, iterations; with bands
 *     columns  all other columns
 *     view     frames of the picture
 *
 * Errors are differences of 64-bit numbers; only afterwards everything is rounded to 32
 * bits. */
#ifndef LV_REPORT_COLLECT_H
#define LV_REPORT_COLLECT_H

#include "base/arena.h"
#include "out/sink.h"
#include "report/json.h"
#include "report/thin.h"

/* What a column of the watch shows of its source. */
typedef enum lv_watched {
    LV_WATCHED_VALUE,
    LV_WATCHED_SIZE,  /* its absolute value */
    LV_WATCHED_CHANGE /* its distance from the first row */
} lv_watched;

typedef struct lv_picked_column {
    const lv_channel *channel;
    int index;
    lv_watched what;
    const char *name;
    double first;
} lv_picked_column;

typedef struct lv_column_list {
    int count;
    lv_picked_column *items;
    double *row; /* current row of these columns */
    lv_thin thin;
} lv_column_list;

typedef struct lv_collector {
    lv_arena arena;
    const lv_channels *channels; /* the first channel has the time */
    lv_column_list watch, columns;
    int left_out; /* number of columns that did not fit */
    lv_thin view;
    int frame_size;
    /* frame of the current row, filled by the caller; NULL: there is no picture */
    double *frame;
    size_t budget;
} lv_collector;

/* The channels must outlive the collector. budget: bytes of text that all tables together
 * may take. After a failure lv_collector_done frees everything. */
lv_status lv_collector_init(lv_collector *collector, const lv_channels *channels,
                            int frame_size, size_t budget, lv_error *err);
void lv_collector_done(lv_collector *collector);

/* Adds the current row of the channels, and the frame. */
void lv_collector_row(lv_collector *collector);
void lv_collector_end(lv_collector *collector);

/* Writes the tables as JSON; rows are dropped until they fit the budget. */
lv_status lv_collector_put(lv_collector *collector, lv_json *json, lv_error *err);

#endif
