/* One member of an ensemble: the model with other parameters, run from start to end. */
#ifndef LV_STUDY_MEMBER_H
#define LV_STUDY_MEMBER_H

#include "run/batch.h"
#include "study/recall.h"
#include "study/series.h"
#include "study/table.h"

/* What all members share; nobody changes it while they run. */
typedef struct lv_member_job {
    const lv_model *model;
    lv_run_changes changes;
    const lv_table *table;
    const lv_series *series;             /* its columns; NULL: not wanted */
    const lv_recall *recall;             /* members that need not run */
    const lv_sweep_elsewhere *elsewhere; /* who computes them; NULL: nobody */
} lv_member_job;

typedef struct lv_result {
    lv_status status;
    bool interrupted;
    bool recalled;  /* from an earlier sweep */
    lv_error error; /* if it failed */
    lv_samples samples;
    lv_arena arena;        /* of the warnings */
    const char **warnings; /* of its run */
    int warning_count;
    double row[]; /* of the table */
} lv_result;

/* The values that a member sets, as settings for reading the model; the arena keeps the texts. */
lv_status lv_member_settings(lv_setting **settings, int *count, lv_arena *arena,
                             const lv_model *model, const double *parameters,
                             lv_error *err);

/* Refuses settings of what the sweep sets itself. */
lv_status lv_member_check_settings(const lv_model *model, lv_arena *arena, lv_error *err);

/* What a worker has for its members. Zero-initialise to start. */
typedef struct lv_workplace {
    lv_batch batch;
    lv_model *
        model; /* gets the numbers of one member after the other (model/revalue.h); NULL: it is not there */
    bool has_tried; /* to read it */
} lv_workplace;

void lv_workplace_done(lv_workplace *workplace);

/* A member at work. */
typedef struct lv_member_work lv_member_work;

/* Begins with a member, at most LV_BATCH_RUNS of which are at a place at a time; a failure of it is part of its result,
 * NULL means that there is no memory even for that. */
lv_member_work *lv_member_begin(const lv_member_job *job, int number,
                                lv_workplace *workplace);

/* Is there nothing left to do for it? */
bool lv_member_is_over(const lv_member_work *work);

/* Done of what it has to do. */
double lv_member_share(const lv_member_work *work);

/* Ends with it, also before it is over: the result is then that of a member that was interrupted. Free it with
 * lv_result_free. */
lv_result *lv_member_end(lv_member_work *work);
void lv_result_free(lv_result *result);

#endif
