/* The members of an ensemble, computed by any number of workers.
 *
 *     lv_ensemble_create(&e, model, request, err);
 *     in every thread: lv_ensemble_work(e), or once: lv_ensemble_work_together(e);
 *     lv_ensemble_finish(e, err);
 *
 * Workers take members in the order of their numbers and hand in results. The worker that
 * hands in the next result that is due reports it and all that follow: to files, series
 * and callbacks, one at a time under a lock. No worker begins a member that is too far
 * ahead of the one that is due, so that few results wait. */
#ifndef LV_STUDY_ENSEMBLE_H
#define LV_STUDY_ENSEMBLE_H

#include <livens/sweep.h>

#include "study/series.h"

typedef struct lv_ensemble lv_ensemble;

/* The texts of the request must outlive the ensemble. request->threads is the number of
 * workers. */
lv_status lv_ensemble_create(lv_ensemble **ensemble, const lv_model *model,
                             const lv_sweep_request *request, lv_error *err);

/* Works until no member is left. */
void lv_ensemble_work(lv_ensemble *ensemble);

/* Runs all workers as one team of threads (sweep.c). */
void lv_ensemble_work_together(lv_ensemble *ensemble);

/* The number of threads if so many are wanted; 0: one per core (sweep.c). */
int lv_sweep_team(int wanted);

/* Call it once, when all workers have returned: completes files and the summary. */
lv_status lv_ensemble_finish(lv_ensemble *ensemble, lv_error *err);

/* The summary belongs to the ensemble. */
lv_sweep_summary *lv_ensemble_summary(lv_ensemble *ensemble);
void lv_ensemble_free(lv_ensemble *ensemble);

#endif
