/* Decides which schemes take a model, and which of its momentum maps they keep. */
#include <livens/sim.h>

#include "base/memory.h"
#include "base/usage.h"
#include "model/footprint.h"
#include "scheme/scheme.h"
#include "system/inspect.h"

static lv_status kept_momenta(const lv_scheme *scheme, lv_system *system,
                              const lv_scheme_options *options, bool *kept, int count,
                              lv_error *err)
{
    const int maps = lv_system_map_count(system);
    bool *all = lv_memory_zeroed((size_t)maps + 1, sizeof *all);
    if (!all)
        return lv_fail_memory(err);
    lv_status status = lv_scheme_keeps(scheme, system, options, all, err);
    for (int k = 0; k < count && k < maps; k++)
        kept[k] = all[k];
    lv_memory_free(all);
    return status;
}

/* Whether a scheme takes the system, and what it keeps. A lack of memory is an error, not
 * a refusal. */
static lv_status survey_scheme(const lv_scheme *scheme, lv_system *system, bool *fits,
                               bool *kept, int maps, lv_error *err)
{
    const lv_scheme_options none = {0};
    lv_status status = lv_scheme_fits(scheme, system, &none, NULL);
    *fits = status == LV_OK;
    if (status == LV_ERR_MEMORY)
        return lv_fail_memory(err);
    return *fits && maps > 0 ? kept_momenta(scheme, system, &none, kept, maps, err)
                             : LV_OK;
}

static lv_status survey(lv_system *system, bool *fits, int count, bool *kept, int maps,
                        lv_error *err)
{
    lv_status status = LV_OK;
    for (ptrdiff_t k = 0; k < (ptrdiff_t)count * maps; k++)
        kept[k] = true;
    for (int k = 0; k < count && lv_scheme_table[k] && status == LV_OK; k++)
        status = survey_scheme(lv_scheme_table[k], system, &fits[k],
                               kept ? kept + (ptrdiff_t)k * maps : NULL, maps, err);
    return status;
}

lv_status lv_model_survey_schemes(const lv_model *model, bool *fits, int count,
                                  bool *kept, int maps, lv_error *err)
{
    lv_system *system = NULL;
    lv_error_clear(err);
    LV_NEED(err, model);
    LV_NEED(err, fits);
    LV_TRY(lv_need_count(err, __func__, "count", count));
    LV_TRY(lv_need_count(err, __func__, "maps", maps));
    if (maps > 0)
        LV_NEED(err, kept);
    lv_status status = lv_system_create(&system, model, err);
    if (status == LV_OK)
        status = survey(system, fits, count, kept, maps, err);
    lv_system_free(system);
    return lv_model_settle(model, status, err);
}

lv_status lv_inspection_survey_schemes(lv_inspection *inspection, bool *fits, int count,
                                       bool *kept, lv_error *err)
{
    lv_system *system = NULL;
    lv_error_clear(err);
    LV_NEED(err, inspection);
    LV_NEED(err, fits);
    LV_TRY(lv_need_count(err, __func__, "count", count));
    const int maps = inspection->momentum_count;
    if (maps > 0)
        LV_NEED(err, kept);
    lv_status status = lv_inspection_system(inspection, &system, err);
    if (status == LV_OK)
        status = survey(system, fits, count, kept, maps, err);
    return lv_model_settle(lv_inspection_model(inspection), status, err);
}

static bool all_have_effect(const lv_system *system, const lv_scheme_options *options)
{
    for (int k = 0; k < LV_OPTIONS; k++)
        if (lv_option_without_effect((lv_option)k, system->model, options))
            return false;
    return true;
}

static lv_status find_fitting(const lv_system *system, const lv_scheme_options *options,
                              bool *fits, int count, lv_error *err)
{
    const bool any = all_have_effect(system, options);
    for (int k = 0; k < count && lv_scheme_table[k]; k++) {
        const lv_scheme *scheme = NULL;
        lv_status status =
            lv_scheme_choose(&scheme, lv_scheme_table[k]->info.name, options, NULL);
        if (status == LV_OK && any)
            status = lv_scheme_fits(scheme, system, options, NULL);
        if (status == LV_ERR_MEMORY)
            return lv_fail_memory(err);
        fits[k] = any && status == LV_OK;
    }
    return LV_OK;
}

lv_status lv_inspection_fitting_schemes(lv_inspection *inspection,
                                        const lv_scheme_options *options, bool *fits,
                                        int count, lv_error *err)
{
    lv_system *system = NULL;
    lv_error_clear(err);
    LV_NEED(err, inspection);
    LV_NEED(err, options);
    LV_NEED(err, fits);
    LV_TRY(lv_need_count(err, __func__, "count", count));
    lv_status status = lv_inspection_system(inspection, &system, err);
    if (status == LV_OK)
        status = find_fitting(system, options, fits, count, err);
    return lv_model_settle(lv_inspection_model(inspection), status, err);
}

lv_status lv_model_fitting_schemes(const lv_model *model, bool *fits, int count,
                                   lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, model);
    LV_NEED(err, fits);
    LV_TRY(lv_need_count(err, __func__, "count", count));
    return lv_model_survey_schemes(model, fits, count, NULL, 0, err);
}

lv_status lv_model_kept_momenta(const lv_model *model, const char *name,
                                const lv_scheme_options *options, bool *kept, int count,
                                lv_error *err)
{
    const lv_scheme_options none = {0};
    const lv_scheme *scheme = NULL;
    lv_system *system = NULL;
    lv_error_clear(err);
    LV_NEED(err, model);
    LV_NEED_AS(err, name, "scheme");
    LV_NEED(err, kept);
    LV_TRY(lv_need_count(err, __func__, "count", count));
    options = options ? options : &none;
    LV_TRY(lv_scheme_choose(&scheme, name, options, err));
    if (!scheme->keeps) { /* the answer does not depend on the system */
        lv_claims claims = {0};
        scheme->claims(scheme, &claims, options);
        for (int k = 0; k < count; k++)
            kept[k] = claims.momentum == LV_KEPT_EXACT;
        return LV_OK;
    }
    lv_status status = lv_system_create(&system, model, err);
    if (status == LV_OK)
        status = lv_scheme_fits(scheme, system, options, err);
    if (status == LV_OK)
        status = kept_momenta(scheme, system, options, kept, count, err);
    lv_system_free(system);
    return lv_model_settle(model, status, err);
}
