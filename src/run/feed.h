/* Tables of inputs: values of inputs during a run, read from CSV files.
 *
 * Inputs are constant in every step. A held table gives each step the values of the last
 * row whose time is not after the beginning of the step, and those of the model before
 * the first row. A linear table gives the values of the line between two rows at the
 * middle of the step, and those of the first or last row beyond its ends. */
#ifndef LV_RUN_FEED_H
#define LV_RUN_FEED_H

#include <livens/run.h>

#include "base/text.h"
#include "run/sim.h"

typedef struct lv_feed {
    const lv_model_input *input;
    const char *path; /* for messages */
    lv_table_kind kind;
    int width; /* numbers per row besides the time */
    int rows;
    const double *times;  /* increasing */
    const double *values; /* row by row */
    double *now;          /* scratch for one row */
    int at;               /* the row that was found last */
} lv_feed;

/* Reads a table into the arena. Mistakes in the file are LV_ERR_MODEL with their place in
 * it. */
lv_status lv_feed_read(lv_feed *feed, const lv_model *model, const lv_input_table *table,
                       lv_arena *arena, lv_error *err);

/* Sets the input for a step of size h from the current state. */
lv_status lv_feed_apply(lv_feed *feed, lv_sim *sim, double h, lv_error *err);

/* All tables of a run. */
typedef struct lv_feeds {
    lv_feed *list;
    int count;
} lv_feeds;

/* Reads tables that lv_run_request_check has accepted into the arena. Two tables of one
 * input are LV_ERR_USAGE. */
lv_status lv_feeds_read(lv_feeds *feeds, const lv_model *model,
                        const lv_run_request *request, lv_arena *arena, lv_error *err);

/* The same tables for another simulation: the rows are shared, the positions in them are
 * not. */
lv_status lv_feeds_copy(lv_feeds *copy, const lv_feeds *feeds, lv_arena *arena,
                        lv_error *err);

/* Sets all inputs for a step of size h. A value that an input cannot have is
 * LV_ERR_NUMERIC, with time and table. */
lv_status lv_feeds_apply(lv_feeds *feeds, lv_sim *sim, double h, lv_error *err);

/* The time of the first row after t; INFINITY: there is none. */
double lv_feeds_next(lv_feeds *feeds, double t);

/* All tables as a text for files of results; "": there are none, NULL: memory is
 * short. */
const char *lv_feeds_text(const lv_feeds *feeds, lv_arena *arena);

/* Reads *count tables from such a text into the arena. */
lv_status lv_feed_parse(lv_input_table **tables, int *count, const char *text,
                        lv_arena *arena, lv_error *err);

/* "held", "linear" */
const char *lv_table_kind_name(lv_table_kind kind);

#endif
