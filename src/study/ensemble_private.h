/* The inner structure of an ensemble. */
#ifndef LV_STUDY_ENSEMBLE_PRIVATE_H
#define LV_STUDY_ENSEMBLE_PRIVATE_H

#include "study/digest.h"
#include "study/ensemble.h"
#include "study/messages.h"

#include <pthread.h>

enum { LV_ENSEMBLE_SINKS = 2, LV_ENSEMBLE_THREADS = 4096 };

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
    lv_messages messages; /* of the members of a part */
    lv_digest digest;
    lv_arena arena;
    const char *inputs; /* tables of inputs as a text; "": there are none */
    /* wall clock in seconds, at the beginning and at the last flush */
    double began, flushed;

    /* Protected by the lock. The members of a part are counted from 0, too
     * (lv_ensemble_number). */
    pthread_mutex_t lock;
    pthread_cond_t moved; /* signals that another member is due */
    bool has_lock;
    int workers;
    double *shares; /* fraction that is done of the current member of each worker */
    /* number of members here; if somebody else chooses them, known only at the end */
    int count;
    int *chosen; /* their numbers in the window, if somebody else chooses them */
    int next;    /* the next member to begin */
    int due;     /* the next member to report */
    int window;  /* number of members that may be begun, from `due` on */
    lv_result **waiting;
    /* Members that failed because memory was short while others were running. Each runs
     * once more, while no other worker has memory for members. */
    int *again;
    int again_count;
    bool alone;  /* such a member is running */
    int holding; /* number of workers that have memory for members */
    int room;    /* upper bound on members that run together, of all workers */
    lv_sink *sinks[LV_ENSEMBLE_SINKS];
    int sink_count;
    lv_sink *store; /* the sink that writes HDF5; NULL: there is none */
    bool unsorted;  /* its rows are not in the order of the members */
    bool stop;
    bool enough;      /* the caller has stopped listening */
    lv_status status; /* of the ensemble, not of its members */
    lv_error error;
};

static inline void lv_ensemble_lock(lv_ensemble *e)
{
    (void)pthread_mutex_lock(&e->lock);
}

static inline void lv_ensemble_unlock(lv_ensemble *e)
{
    (void)pthread_cond_broadcast(&e->moved);
    (void)pthread_mutex_unlock(&e->lock);
}

/* Whether somebody else chooses the members that are computed here. */
bool lv_ensemble_is_chosen_for(const lv_ensemble *ensemble);

/* The number of the k-th member that is computed here. */
int lv_ensemble_number(const lv_ensemble *ensemble, int k);

/* Takes the result of the k-th member and reports all that are due; call it under the
 * lock. NULL: memory was short. A member that was interrupted has no result. */
void lv_ensemble_hand_in(lv_ensemble *ensemble, int k, lv_result *result);
void lv_ensemble_show_progress(lv_ensemble *ensemble);

#endif
