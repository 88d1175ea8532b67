/* Values that a model sets in [run]: an error about such a value points to its place in
 * the file. */
#include "base/usage.h"
#include "run/run.h"
#include "run/sim.h"

#include <string.h>

/* Whether this value of the option comes from the model. Options of the model count only
 * for its own scheme. */
static bool asks_for_option(const lv_model *model, const lv_sim_options *options, int k)
{
    const lv_sim_options from_model = lv_sim_options_default(model);
    return strcmp(from_model.scheme, options->scheme) == 0 &&
           lv_scheme_option_given(&from_model.options, (lv_option)k) &&
           from_model.options.value[k] == options->options.value[k];
}

static void locate_scheme(const lv_model *model, const char *name, lv_error *err)
{
    if (model->run.scheme && strcmp(model->run.scheme, name) == 0)
        lv_model_locate_run(model, "scheme", err);
}

/* Every option must be one of the scheme, with a sound value; whether the scheme can be
 * composed depends only on those that have an effect on the model. */
static lv_status choose(const lv_scheme **scheme, const lv_model *model,
                        const lv_sim_options *options, lv_error *err)
{
    lv_scheme_options single = options->options, effective = single;
    single.given &= ~LV_TAKES(COMPOSE);
    lv_scheme_options_drop(&effective, model);
    LV_TRY(lv_scheme_choose(scheme, options->scheme, &single, err));
    return lv_scheme_choose(scheme, options->scheme, &effective, err);
}

lv_status lv_sim_choose(const lv_scheme **scheme, const lv_model *model,
                        const lv_sim_options *options, lv_error *err)
{
    lv_option_info info;
    lv_status status = choose(scheme, model, options, err);
    if (status != LV_ERR_MODEL || !err)
        return status;
    if (err->about != LV_ABOUT_OPTION)
        locate_scheme(model, options->scheme, err);
    else if (lv_option_describe(err->index, &info) &&
             asks_for_option(model, options, err->index))
        lv_model_locate_run(model, info.name, err);
    return status;
}

lv_status lv_sim_fits(const lv_scheme *scheme, const lv_system *system,
                      const lv_sim_options *options, lv_error *err)
{
    lv_status status = lv_scheme_fits(scheme, system, &options->options, err);
    if (status == LV_ERR_MODEL)
        locate_scheme(system->model, options->scheme, err);
    return status;
}

static lv_status check_sample(const lv_run_request *request, const lv_model *model,
                              lv_error *err)
{
    const lv_scheme *scheme = NULL;
    LV_TRY(lv_sim_choose(&scheme, model, &request->sim, err));
    LV_TRY(lv_scheme_dense(scheme, &request->sim.options, err));
    return request->until / request->sample > (double)LV_SIM_STEPS
               ? lv_fail(err, LV_ERR_LIMIT,
                         "a run has at most %g rows; this time between samples is too "
                         "small for its end",
                         (double)LV_SIM_STEPS)
               : LV_OK;
}

lv_status lv_run_request_check_sample(const lv_run_request *request,
                                      const lv_model *model, lv_error *err)
{
    if (request->sample == 0)
        return LV_OK;
    lv_status status = check_sample(request, model, err);
    if (status != LV_OK && err && err->line == 0 && model->run.sample == request->sample)
        lv_model_locate_run(model, "sample", err);
    return status;
}

lv_status lv_model_try_scheme(const lv_model *model, lv_error *err)
{
    const lv_scheme *scheme = NULL;
    lv_system *system = NULL;
    lv_error_clear(err);
    LV_NEED(err, model);
    const lv_run_request from_model = lv_run_request_default(model);
    LV_TRY(lv_sim_choose(&scheme, model, &from_model.sim, err));
    LV_TRY(lv_run_request_check_sample(&from_model, model, err));
    LV_TRY(lv_system_create(&system, model, err));
    lv_status status = lv_sim_fits(scheme, system, &from_model.sim, err);
    lv_system_free(system);
    return status;
}

lv_status lv_model_claims(lv_claims *claims, const lv_model *model, lv_error *err)
{
    const lv_scheme *scheme = NULL;
    lv_error_clear(err);
    LV_NEED(err, claims);
    LV_NEED(err, model);
    lv_run_request from_model = lv_run_request_default(model);
    LV_TRY(lv_sim_choose(&scheme, model, &from_model.sim, err));
    LV_TRY(lv_run_request_check_sample(&from_model, model, err));
    lv_scheme_options_drop(&from_model.sim.options, model);
    return lv_scheme_claims(claims, from_model.sim.scheme, &from_model.sim.options, err);
}
