/* The recorder fills channels from the state of a simulation and passes rows to sinks. */
#ifndef LV_RUN_RECORD_H
#define LV_RUN_RECORD_H

#include "out/channels.h"
#include "run/monitor.h"
#include "run/shown.h"

enum { LV_MOST_CHANNELS = 23, LV_MOST_SINKS = 4 };

typedef struct lv_recorder {
    bool watched; /* a caller sees the rows */
    lv_sim *sim;
    lv_monitor *monitor;
    lv_channel list[LV_MOST_CHANNELS];
    lv_channels channels;
    lv_selection recorded; /* the columns that are written to files */
    lv_state row;          /* the state being recorded; q, v, p are contiguous */
    /* q, v, p of the row without hidden coordinates; NULL: results show all */
    double *visible;
    /* lambda, the scheme's lambda and gamma without hidden constraints; NULL: results
     * show all */
    double *visible_rows;
    lv_showcase showcase;
    lv_plan *outputs;                    /* evaluates the user's outputs */
    unsigned outputs_need;               /* inputs that the outputs depend on (LV_KIND) */
    double *a;                           /* accelerations; NULL: no output uses them */
    double *numbers;                     /* t, energies, constraints, newton */
    double energies[LV_RESULT_ENERGIES]; /* as outputs need them */
    double *lambda;
    double *lost;     /* number of combinations of multipliers that are only rounding */
    double *work;     /* work done so far by name, then the rest of the balance */
    double *happened; /* how often each event has happened */
    double *own;      /* the scheme's own lambda and gamma */
    lv_sink *sinks[LV_MOST_SINKS];
    /* rows kept by the sinks; valid after the sinks are closed */
    lv_kept_rows kept[LV_MOST_SINKS];
    int sink_count;
    long long rows;
} lv_recorder;

lv_status lv_recorder_init(lv_recorder *recorder, lv_sim *sim, lv_monitor *monitor,
                           lv_arena *arena, lv_error *err);

/* Selects the columns that are written to files, by their names; without this call all
 * columns are written. */
lv_status lv_recorder_choose(lv_recorder *recorder, const char *const *names, int count,
                             lv_arena *arena, lv_error *err);

/* Closes all sinks and reports the first failure. */
lv_status lv_recorder_done(lv_recorder *recorder, lv_error *err);

/* Whether rows must be evaluated. Without a sink they still count outputs that are not
 * finite and follow the signs of quaternions. */
bool lv_recorder_listens(const lv_recorder *recorder);

/* Records a row of the current state, or of a time inside of the last step. */
lv_status lv_recorder_row(lv_recorder *recorder, lv_error *err);
lv_status lv_recorder_sample(lv_recorder *recorder, double t, lv_error *err);

/* The model's outputs at the current state. They are not finite if they need
 * accelerations or multipliers that do not exist. */
const double *lv_recorder_outputs(lv_recorder *recorder);

lv_status lv_recorder_flush(lv_recorder *recorder, const lv_checkpoint *checkpoint,
                            lv_error *err);

#endif
