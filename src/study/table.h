/* What is known of the members of an ensemble, one row of numbers each: the columns and their names.
 *
 *     member | parameters that are set | status | t, steps | warnings | q, v, p, lambda, ... at the end
 *     | E.initial, E.final, E.deviation | J.NAME.initial, ... | g.max, gdot.max, nonholonomic.max
 *     | newton.mean, newton.max | outputs
 *
 * The columns are those of the model; members whose rows would need others fail. */
#ifndef LV_STUDY_TABLE_H
#define LV_STUDY_TABLE_H

#include "out/sink.h"
#include "run/sim.h"

#include <livens/run.h>

enum { LV_TABLE_CHANNELS = 24 };

/* A channel of a run whose values at the end are taken over. */
typedef struct lv_carried {
    const char *name;
    int width;
    int at; /* column */
} lv_carried;

typedef struct lv_table {
    const lv_model *model;
    lv_arena arena;
    LV_ARRAY(const char *) labels; /* of the columns */
    double *row;                   /* what sinks write next */
    char message[LV_CHANNEL_TEXT]; /* and, in CSV, why the member failed */
    int channel_count;
    int first[LV_TABLE_CHANNELS]; /* column of a channel */
    lv_channel list[LV_TABLE_CHANNELS + 1];
    lv_channels numbers, all; /* without and with the message */

    int set, status, warnings, energy, momentum, constraints, newton; /* columns */
    bool nonholonomic;
    int map_count;
    const char **maps;
    int carried_count;
    lv_carried carried[LV_TABLE_CHANNELS];
} lv_table;

/* The table of a model; `channels` are those of a run of it, `sim` is its simulation. Call
 * lv_table_done in any case. */
lv_status lv_table_init(lv_table *table, const lv_model *model, const lv_sim *sim,
                        const lv_channels *channels, lv_error *err);
void lv_table_done(lv_table *table);

/* Fills a row: what is known before a run (all results are nan), then what a run tells. */
void lv_table_begin_row(const lv_table *table, double *row, int member,
                        const double *parameters);
void lv_table_add_run(const lv_table *table, double *row, const lv_run_summary *run);

/* The values at the end, from the channels of the member's run. Fails if they are others than
 * those of the table. */
lv_status lv_table_match(const lv_table *table, const lv_channels *channels,
                         lv_error *err);
void lv_table_add_end(const lv_table *table, double *row, const lv_channels *channels);

/* A member that failed has no end. */
void lv_table_fail_row(const lv_table *table, double *row, lv_status status);

#endif
