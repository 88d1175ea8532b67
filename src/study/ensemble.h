/* The members of an ensemble, run by any number of workers.
 *
 *     lv_ensemble_create(&e, model, request, err);
 *     in every thread: lv_ensemble_work(e), or once: lv_ensemble_work_together(e);
 *     lv_ensemble_finish(e, err);
 *
 * Workers take members in the order of their numbers and hand in results; whoever hands in the
 * next one that is due reports it and all that follow: to files, series and callbacks, one at a
 * time under a lock. Nobody begins a member that is too far ahead of the one due, so that few
 * results wait. */
#ifndef LV_STUDY_ENSEMBLE_H
#define LV_STUDY_ENSEMBLE_H

#include <livens/sweep.h>

#include "study/series.h"

typedef struct lv_ensemble lv_ensemble;

/* The request's texts must outlive the ensemble; its threads are the workers there will be. */
lv_status lv_ensemble_create(lv_ensemble **ensemble, const lv_model *model,
                             const lv_sweep_request *request, lv_error *err);

/* Works until there is nothing left to do. */
void lv_ensemble_work(lv_ensemble *ensemble);

/* All workers, as one team of threads (sweep.c). */
void lv_ensemble_work_together(lv_ensemble *ensemble);

/* How many threads there will be if so many are asked for; 0: as many as there are cores (sweep.c). */
int lv_sweep_team(int wanted);

/* Called once, when all workers have returned: completes files and the summary. */
lv_status lv_ensemble_finish(lv_ensemble *ensemble, lv_error *err);

/* The summary is a part of the ensemble. */
lv_sweep_summary *lv_ensemble_summary(lv_ensemble *ensemble);
void lv_ensemble_free(lv_ensemble *ensemble);

#endif
