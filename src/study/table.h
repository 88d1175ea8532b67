/* The table of an ensemble: the columns, their names, and one row of numbers for each
 * member.
 *
 *     member | parameters that are set | status | t, steps | warnings | q, v, p, lambda, ... at the end
 *     | E.initial, E.final, E.deviation | J.NAME.initial, ... | g.max, gdot.max, nonholonomic.max
 *     | newton.mean, newton.max | outputs
 *
 * The columns follow from the model; a member whose row would need other columns
 * fails. */
#ifndef LV_STUDY_TABLE_H
#define LV_STUDY_TABLE_H

#include "out/sink.h"
#include "run/sim.h"

#include <livens/run.h>

enum { LV_TABLE_CHANNELS = 24 };

/* A channel of a run whose final values become columns. */
typedef struct lv_carried {
    const char *name;
    int width;
    int at; /* first column */
} lv_carried;

typedef struct lv_table {
    const lv_model *model;
    lv_arena arena;
    LV_ARRAY(const char *) labels; /* of all columns */
    double *row;                   /* the row that sinks write next */
    char message[LV_CHANNEL_TEXT]; /* for CSV: why the member failed */
    int channel_count;
    int first[LV_TABLE_CHANNELS]; /* first column of each channel */
    lv_channel list[LV_TABLE_CHANNELS + 1];
    lv_channels numbers, all; /* channels without and with the message */

    /* first columns of these groups */
    int set, status, warnings, energy, momentum, constraints, newton;
    bool nonholonomic;
    int map_count;
    const char **maps;
    int carried_count;
    lv_carried carried[LV_TABLE_CHANNELS];
} lv_table;

/* Creates the table of a model. `channels` are those of a run of it, `sim` is its
 * simulation. Call lv_table_done in any case. */
lv_status lv_table_init(lv_table *table, const lv_model *model, const lv_sim *sim,
                        const lv_channels *channels, lv_error *err);
void lv_table_done(lv_table *table);

/* Fills a row: first with what is known before a run (all results are NaN), then with the
 * summary of the run. */
void lv_table_begin_row(const lv_table *table, double *row, int member,
                        const double *parameters);
void lv_table_add_run(const lv_table *table, double *row, const lv_run_summary *run);

/* lv_table_add_end takes the final values from the channels of the member's run;
 * lv_table_match fails if these differ from those of the table. */
lv_status lv_table_match(const lv_table *table, const lv_channels *channels,
                         lv_error *err);
void lv_table_add_end(const lv_table *table, double *row, const lv_channels *channels);

/* Marks the row of a member that failed; it has no final values. */
void lv_table_fail_row(const lv_table *table, double *row, lv_status status);

#endif
