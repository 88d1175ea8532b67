/* Inside an ensemble. */
#ifndef LV_STUDY_ENSEMBLE_PRIVATE_H
#define LV_STUDY_ENSEMBLE_PRIVATE_H

#include "study/digest.h"
#include "study/ensemble.h"
#include "study/messages.h"

#include <pthread.h>

enum { LV_ENSEMBLE_SINKS = 2 };

struct lv_ensemble {
    lv_sweep_summary view;
    const lv_model *model;
    lv_sweep_request request;
    lv_member_job job;
    lv_table table;
    lv_series series;
    lv_sweep_series given;
    bool wants_series;
    lv_recall recall;
    lv_messages messages; /* of a part */
    lv_digest digest;
    lv_arena arena;
    double began, flushed; /* seconds */

    /* Under the lock. Members of a part are counted from 0, too: number_of. */
    pthread_mutex_t lock;
    pthread_cond_t moved; /* another member is due */
    bool has_lock;
    int workers;
    double *shares; /* done of what each worker is at */
    int next;       /* member to begin */
    int due;        /* member to report */
    int window;     /* members that may be begun, from the one due on */
    lv_result **waiting;
    lv_sink *sinks[LV_ENSEMBLE_SINKS];
    int sink_count;
    bool stop;
    bool enough;      /* nobody wants to hear of further members */
    lv_status status; /* of the ensemble, not of its members */
    lv_error error;
};

#endif
