/* Ensembles on all cores: the workers of an ensemble as one team of OpenMP threads. */
#include <livens/sweep.h>

#include "base/status.h"
#include "study/ensemble.h"

#ifdef _OPENMP
#include <omp.h>
static const bool has_threads = true;
#else
static const bool has_threads = false;
#endif

int lv_sweep_threads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

lv_sweep_request lv_sweep_request_default(void)
{
    return (lv_sweep_request){.flush_seconds = 1};
}

/* Without OpenMP there is nobody but the caller. */
void lv_ensemble_work_together(lv_ensemble *e)
{
#ifdef _OPENMP
#pragma omp parallel num_threads(lv_ensemble_summary(e)->threads)
#endif
    lv_ensemble_work(e);
}

lv_status lv_sweep_run(lv_sweep_summary **summary, const lv_model *model,
                       const lv_sweep_request *request, lv_error *err)
{
    lv_ensemble *e = NULL;
    lv_sweep_request own = *request;
    *summary = NULL;
    lv_error_clear(err);
    own.threads = has_threads && own.threads > 0 ? own.threads : lv_sweep_threads();
    LV_TRY(lv_ensemble_create(&e, model, &own, false, err));
    lv_ensemble_work_together(e);
    *summary = lv_ensemble_summary(e);
    return lv_ensemble_finish(e, err);
}

void lv_sweep_summary_free(lv_sweep_summary *summary)
{
    lv_ensemble_free((lv_ensemble *)summary); /* the summary is its first member */
}
