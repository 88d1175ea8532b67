/* The recorder: fills the channels from the state of a simulation and hands rows to sinks. */
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
    lv_selection recorded; /* the columns that files get */
    lv_state row;          /* what is being recorded; q, v, p lie side by side */
    double *visible; /* of the row, where results do not show all coordinates: q, v, p */
    double *
        visible_rows; /* lambda, the scheme's lambda and gamma, where they do not show all constraints */
    lv_showcase showcase;
    lv_plan *outputs;                    /* the user's */
    unsigned outputs_need;               /* inputs that they depend on (LV_KIND) */
    double *a;                           /* accelerations; NULL: no output uses them */
    double *numbers;                     /* t, energies, constraints, newton */
    double energies[LV_RESULT_ENERGIES]; /* as outputs want them */
    double *lambda;
    double *lost;     /* how many combinations of these rounding decides */
    double *work;     /* done so far, by name; then what the balance leaves */
    double *happened; /* how often, of each event */
    double *own;      /* the scheme's lambda and gamma */
    lv_sink *sinks[LV_MOST_SINKS];
    lv_kept_rows kept[LV_MOST_SINKS]; /* by the sinks, still there when they are closed */
    int sink_count;
    long long rows;
} lv_recorder;

lv_status lv_recorder_init(lv_recorder *recorder, lv_sim *sim, lv_monitor *monitor,
                           lv_arena *arena, lv_error *err);

/* Chooses the columns that files get, by their names; they are all of them otherwise. */
lv_status lv_recorder_choose(lv_recorder *recorder, const char *const *names, int count,
                             lv_arena *arena, lv_error *err);

/* Closes all sinks; the first failure is reported. */
lv_status lv_recorder_done(lv_recorder *recorder, lv_error *err);

/* A row of the current state; a row of a time within the last step. */
lv_status lv_recorder_row(lv_recorder *recorder, lv_error *err);
lv_status lv_recorder_sample(lv_recorder *recorder, double t, lv_error *err);

/* The model's outputs at the current state, the last node. They are not finite where they need
 * accelerations or multipliers that do not exist. */
const double *lv_recorder_outputs(lv_recorder *recorder);

lv_status lv_recorder_flush(lv_recorder *recorder, const lv_checkpoint *checkpoint,
                            lv_error *err);

#endif
