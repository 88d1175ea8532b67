/* One member of an ensemble: the model with other parameters, run from start to end. */
#ifndef LV_STUDY_MEMBER_H
#define LV_STUDY_MEMBER_H

#include "run/batch.h"
#include "study/recall.h"
#include "study/series.h"
#include "study/table.h"

/* What all members share; it must not change while they run. */
typedef struct lv_member_job {
    const lv_model *model;
    lv_run_changes changes;
    const lv_table *table;
    const lv_series *series; /* the columns of interest; NULL: none */
    const lv_recall *recall; /* members that are known already */
    /* who computes members in other processes; NULL: nobody */
    const lv_sweep_elsewhere *elsewhere;
} lv_member_job;

typedef struct lv_result {
    lv_status status;
    bool interrupted;
    bool recalled;  /* taken from an earlier sweep */
    bool starved;   /* it ran here and failed because memory was short */
    lv_error error; /* set if it failed */
    lv_samples samples;
    lv_arena arena;        /* holds the warnings */
    const char **warnings; /* of its run */
    int warning_count;
    double row[]; /* a row of the table */
} lv_result;

/* The values that a member sets, as settings for reading the model. The arena holds the
 * texts. */
lv_status lv_member_settings(lv_setting **settings, int *count, lv_arena *arena,
                             const lv_model *model, const double *parameters,
                             lv_error *err);

/* Refuses settings of parameters that the sweep itself sets. */
lv_status lv_member_check_settings(const lv_model *model, lv_arena *arena, lv_error *err);

/* The storage of a worker for its members. Must be zero at first. */
typedef struct lv_workplace {
    lv_batch batch;
    /* gets the numbers of one member after the other (model/revalue.h); NULL: it was not
     * read, or could not be used */
    lv_model *model;
    bool has_tried; /* reading this model was tried */
} lv_workplace;

void lv_workplace_done(lv_workplace *workplace);

/* A member that is being computed. */
typedef struct lv_member_work lv_member_work;

/* Begins a member; at most LV_BATCH_RUNS members are in a workplace at a time. A failure
 * is part of the result. NULL: there is not even memory for a result. */
lv_member_work *lv_member_begin(const lv_member_job *job, int number,
                                lv_workplace *workplace);

/* The result of a member that is known from an earlier sweep; NULL: memory is short. */
lv_result *lv_member_recall(const lv_member_job *job, int number);

/* Whether nothing is left to do for it. */
bool lv_member_is_over(const lv_member_work *work);

/* The fraction that is done. */
double lv_member_share(const lv_member_work *work);

/* Ends a member, also before it is over: then the result is that of an interrupted
 * member. Free it with lv_result_free. */
lv_result *lv_member_end(lv_member_work *work);
void lv_result_free(lv_result *result);

#endif
