/* Several runs at once: members of an ensemble whose steps are made together where they can be (step/lanes.h). Every run
 * gives what it gives alone, bit for bit.
 *
 * After steps that are recorded, or at which the monitor takes a closer look, a run takes its state out of its lane. Steps
 * after which somebody asks the stepper are made by the simulation itself, and so is whatever lanes leave to it. */
#ifndef LV_RUN_BATCH_H
#define LV_RUN_BATCH_H

#include "expr/program.h"
#include "run/run.h"

enum { LV_BATCH_RUNS = LV_LANES };

struct lv_running;
struct lv_sim;
struct lv_lanes;
struct lv_monitor_lanes;

/* One run of a batch. */
typedef struct lv_batch_run {
    struct lv_running *run; /* NULL: the place is free */
    lv_status status;       /* of its last step */
    lv_error error;
    bool in_lane;
    bool judged, fits; /* whether its steps may be made in the lanes of the batch, */
    bool watches;      /* and its monitor may look there, too */
    /* Counted as sim->steps: the next step that it has to make by itself, and the next one after which there
     * is more to do than monitors do in lanes. */
    long long alone, due;
} lv_batch_run;

/* Zero-initialise to start. */
typedef struct lv_batch {
    lv_batch_run place[LV_BATCH_RUNS];
    struct lv_sim *used[LV_BATCH_RUNS]; /* simulations that places have left */
    long long renewed;                  /* runs that were begun with one of these */
    long long together;                 /* steps that were made in lanes */
    struct lv_monitor_lanes *monitors;
    struct lv_lanes *lanes; /* NULL: there are none, or none were needed so far */
} lv_batch;

void lv_batch_done(lv_batch *batch);

/* Begins a run in a place that is free, with the simulation of the run before where it differs in numbers only. The model
 * is the batch's from now on, also after a failure. */
lv_status lv_batch_add(lv_batch *batch, int *place, lv_model *model,
                       const lv_run_request *request, const lv_tap *tap, lv_error *err);

/* The same with a model that stays the caller's, if the run before has left a simulation that can be used for it;
 * otherwise nothing has begun and *place is -1. */
lv_status lv_batch_add_again(lv_batch *batch, int *place, const lv_model *model,
                             const lv_run_request *request, const lv_tap *tap,
                             lv_error *err);

/* Has the run before left a simulation in the place that is used next? */
bool lv_batch_has_used(const lv_batch *batch);

/* Advances all runs by so many steps, or to their ends; stops when one has ended. */
void lv_batch_advance(lv_batch *batch, long long steps);

bool lv_batch_is_over(const lv_batch *batch, int place);
double lv_batch_share(const lv_batch *batch, int place); /* of its steps that are made */

/* Ends a run as lv_run does, or as one that is interrupted, and leaves its place. The summary is good until another run is
 * added. */
lv_status lv_batch_remove(lv_batch *batch, int place, lv_run_summary **summary,
                          lv_error *err);

#endif
