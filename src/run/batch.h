/* Several runs that advance together: members of an ensemble whose steps are computed in
 * lanes where possible (stepper/lanes.h). Every run has the same results as alone, bit for
 * bit.
 *
 * After steps that are recorded, or at which the monitor takes a closer look, the state
 * of a run is copied from its lane to its simulation. The simulation itself takes a step
 * alone if somebody needs the memory of its stepper afterwards, and whenever the lanes
 * cannot take the step. */
#ifndef LV_RUN_BATCH_H
#define LV_RUN_BATCH_H

#include "expr/program.h"
#include "run/run.h"

enum { LV_BATCH_RUNS = LV_LANES, LV_BATCH_IN_A_ROW = 16 };

struct lv_running;
struct lv_sim;
struct lv_lanes;
struct lv_watch_lanes;

/* One run of a batch. */
typedef struct lv_batch_run {
    struct lv_running *run; /* NULL: the place is free */
    lv_status status;       /* of its last step */
    lv_error error;
    bool in_lane;
    /* fits: its steps may be taken in the lanes of the batch; known if `judged` */
    bool judged, fits;
    bool watches; /* its monitor can look in lanes, too */
    /* counted like sim->steps: the next step that it must take alone, and the next step
     * after which there is more to do than monitors do in lanes */
    long long alone, due;
} lv_batch_run;

/* Must be zero at first. */
typedef struct lv_batch {
    lv_batch_run place[LV_BATCH_RUNS];
    /* simulations of runs that have ended, for reuse */
    struct lv_sim *used[LV_BATCH_RUNS];
    long long renewed;            /* number of runs that began with one of these */
    long long together;           /* number of steps that were taken in lanes */
    struct lv_watch_lanes *watch; /* of monitors; NULL: they look for themselves */
    struct lv_lanes *lanes; /* NULL: they cannot be used, or were not needed so far */
} lv_batch;

void lv_batch_done(lv_batch *batch);

/* Begins a run in a free place. It reuses the simulation of an earlier run if only
 * numbers differ. The batch owns the model from now on, also after a failure. */
lv_status lv_batch_add(lv_batch *batch, int *place, lv_model *model,
                       const lv_run_request *request, const lv_tap *tap, lv_error *err);

/* The same with a model that the caller keeps, if an earlier run has left a simulation
 * that can be reused for it. Otherwise nothing begins and *place is -1. */
lv_status lv_batch_add_again(lv_batch *batch, int *place, const lv_model *model,
                             const lv_run_request *request, const lv_tap *tap,
                             lv_error *err);

/* Whether an earlier run has left a simulation in the place that is used next. */
bool lv_batch_has_used(const lv_batch *batch);

/* Advances runs in lanes by this number of steps, or fewer if one has ended or none is
 * there; returns how many. In the time of one of these steps the other runs may take a few
 * steps, up to LV_BATCH_IN_A_ROW. */
long long lv_batch_advance(lv_batch *batch, long long steps);

bool lv_batch_is_over(const lv_batch *batch, int place);
/* fraction of its steps that are done */
double lv_batch_share(const lv_batch *batch, int place);

/* Ends a run as lv_run does, or as an interrupted one, and frees its place. The summary
 * is valid until another run is added. */
lv_status lv_batch_remove(lv_batch *batch, int place, lv_run_summary **summary,
                          lv_error *err);

#endif
