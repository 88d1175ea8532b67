/* Ensembles on all cores: the workers of an ensemble are one team of OpenMP threads. */
#include <livens/sweep.h>

#include "base/usage.h"
#include "study/ensemble.h"

#ifdef _OPENMP
#include <omp.h>
static const bool has_threads = true;
#else
static const bool has_threads = false;
#endif

enum { PARTS_MOST = 1000000 };

int lv_sweep_threads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

int lv_sweep_team(int wanted)
{
    return has_threads && wanted > 0 ? wanted : lv_sweep_threads();
}

lv_sweep_request lv_sweep_request_default(void)
{
    return (lv_sweep_request){.flush_seconds = 1};
}

/* Without OpenMP the caller is the only worker. */
void lv_ensemble_work_together(lv_ensemble *e)
{
#ifdef _OPENMP
#pragma omp parallel num_threads(lv_ensemble_summary(e)->threads)
#endif
    lv_ensemble_work(e);
}

static lv_status check_request(const lv_sweep_request *request, lv_error *err)
{
    static const char function[] = "lv_sweep_run";
    const lv_initial *initial = request->changes.initial;
    LV_TRY(
        lv_need_count(err, function, "request->channel_count", request->channel_count));
    if (request->channel_count > 0 && !request->channels)
        return lv_fail_null(err, function, "request->channels");
    for (int k = 0; k < request->channel_count; k++)
        if (!request->channels[k])
            return lv_fail_null(err, function, "a name in request->channels");
    if (request->parts != 0 && (request->part < 1 || request->part > request->parts ||
                                request->parts > PARTS_MOST))
        return lv_fail(err, LV_ERR_USAGE,
                       "there is no part %d of %d: parts are counted from 1, and there "
                       "are at most %d",
                       request->part, request->parts, PARTS_MOST);
    if (request->elsewhere && request->elsewhere->choose &&
        (request->hdf5 || request->csv || request->series || request->elsewhere->fetch))
        return lv_fail(err, LV_ERR_USAGE,
                       "who computes members for others has neither files nor members "
                       "of others");
    if (request->join && (request->parts != 0 || request->resume))
        return lv_fail(err, LV_ERR_USAGE,
                       "parts that are joined are neither a part nor resumed");
    return initial ? lv_need_enumerator(err, function, "*request->changes.initial",
                                        (int)*initial, LV_INITIAL_PROJECT + 1)
                   : LV_OK;
}

lv_status lv_sweep_run(lv_sweep_summary **summary, const lv_model *model,
                       const lv_sweep_request *request, lv_error *err)
{
    lv_ensemble *e = NULL;
    lv_error_clear(err);
    LV_NEED(err, summary);
    *summary = NULL;
    LV_NEED(err, model);
    LV_NEED(err, request);
    LV_NEED_ROOM(err, request);
    LV_NEED_ROOM(err, &request->changes);
    if (request->elsewhere)
        LV_NEED_ROOM(err, request->elsewhere);
    LV_TRY(check_request(request, err));
    lv_sweep_request own = *request;
    own.threads = lv_sweep_team(own.threads);
    LV_TRY(lv_ensemble_create(&e, model, &own, err));
    lv_ensemble_work_together(e);
    *summary = lv_ensemble_summary(e);
    return lv_ensemble_finish(e, err);
}

void lv_sweep_summary_free(lv_sweep_summary *summary)
{
    lv_ensemble_free((lv_ensemble *)summary); /* the summary is its first member */
}
