/* Tables of inputs: what they are in the course of a run, from CSV files.
 *
 * Inputs are constant in every step. A table that is held has in each step the values of the last row whose time is
 * not after its beginning, and those of the model before the first one; one that is linear has those of the line
 * between two rows in the middle of the step, and beyond its ends those of the ends. */
#ifndef LV_RUN_FEED_H
#define LV_RUN_FEED_H

#include <livens/run.h>

#include "base/text.h"
#include "run/sim.h"

typedef struct lv_feed {
    const lv_model_input *input;
    const char *path; /* for messages */
    lv_table_kind kind;
    int width; /* numbers of a row besides the time */
    int rows;
    const double *times;  /* rising */
    const double *values; /* row by row */
    double *now;          /* room for a row */
    int at;               /* the last row that was found */
} lv_feed;

/* Reads a table; all is in the arena. LV_ERR_MODEL with the place in the file for what is wrong in it. */
lv_status lv_feed_read(lv_feed *feed, const lv_model *model, const lv_input_table *table,
                       lv_arena *arena, lv_error *err);

/* Sets the input for a step of size h from the simulation's state. */
lv_status lv_feed_apply(lv_feed *feed, lv_sim *sim, double h, lv_error *err);

/* All tables of a run. */
typedef struct lv_feeds {
    lv_feed *list;
    int count;
} lv_feeds;

/* Reads tables that lv_run_request_check has accepted; all is in the arena. LV_ERR_USAGE for two of one input. */
lv_status lv_feeds_read(lv_feeds *feeds, const lv_model *model,
                        const lv_run_request *request, lv_arena *arena, lv_error *err);

/* The same tables for another simulation: rows are shared, places in them are not. */
lv_status lv_feeds_copy(lv_feeds *copy, const lv_feeds *feeds, lv_arena *arena,
                        lv_error *err);

/* Sets all inputs for a step of size h. What an input cannot be is LV_ERR_NUMERIC, with time and table. */
lv_status lv_feeds_apply(lv_feeds *feeds, lv_sim *sim, double h, lv_error *err);

/* The time of the first row after t; INFINITY: there is none. */
double lv_feeds_next(lv_feeds *feeds, double t);

/* All tables as a text, for files of results; "" for none, NULL: there is no memory. */
const char *lv_feeds_text(const lv_feeds *feeds, lv_arena *arena);

/* Tables from such a text, of which there are *count, in the arena. */
lv_status lv_feed_parse(lv_input_table **tables, int *count, const char *text,
                        lv_arena *arena, lv_error *err);

/* "held", "linear" */
const char *lv_table_kind_name(lv_table_kind kind);

#endif
