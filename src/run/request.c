/* The request for a run: defaults from the model, changes to them, and checks. */
#include "run/run.h"

#include "base/usage.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

lv_run_request lv_run_request_default(const lv_model *model)
{
    const lv_run_options *run = lv_model_run_options(model);
    return (lv_run_request){.sim = lv_sim_options_default(model),
                            .until = run->ends ? run->until : (double)NAN,
                            .every = run->every > 0 ? run->every : 1,
                            .sample = run->sample,
                            .flush_seconds = 1};
}

void lv_run_request_change(lv_run_request *request, const lv_run_changes *changes)
{
    if (!request || !changes)
        return;
    lv_sim_options *sim = &request->sim;
    if (changes->scheme && (!sim->scheme || strcmp(changes->scheme, sim->scheme) != 0))
        sim->options = (lv_scheme_options){0};
    if (changes->scheme)
        sim->scheme = changes->scheme;
    for (int k = 0; k < LV_OPTIONS; k++)
        if (lv_scheme_option_given(&changes->options, (lv_option)k))
            lv_scheme_option_set(&sim->options, (lv_option)k, changes->options.value[k]);
    if (changes->initial)
        sim->initial = *changes->initial;
    if (changes->step != 0)
        sim->step = changes->step;
    if (changes->until != 0 || changes->ends)
        request->until = changes->until;
    if (changes->every != 0) {
        request->every = changes->every;
        request->sample = 0;
    }
    if (changes->sample != 0)
        request->sample = changes->sample;
    if (changes->table_count != 0) {
        request->tables = changes->tables;
        request->table_count = changes->table_count;
    }
}

lv_status lv_run_request_check(const lv_run_request *request, const lv_model *model,
                               lv_error *err)
{
    LV_NEED_ROOM(err, request);
    LV_NEED_ROOM(err, &request->sim);
    LV_TRY(lv_need_count(err, "lv_run", "request->table_count", request->table_count));
    for (int k = 0; k < request->table_count; k++) {
        LV_NEED_AS(err, request->tables, "request->tables");
        LV_NEED_AS(err, request->tables[k].input, "request->tables[].input");
        LV_NEED_ROOM(err, &request->tables[k]);
        LV_TRY(lv_need_enumerator(err, "lv_run", "request->tables[].kind",
                                  (int)request->tables[k].kind, LV_TABLE_LINEAR + 1));
        if (!request->tables[k].text)
            LV_NEED_AS(err, request->tables[k].path, "request->tables[].path");
    }
    const bool ends = !isnan(request->until), steps = request->sim.step != 0;
    lv_status status = LV_OK;
    if (!ends && !steps) {
        status =
            lv_fail(err, LV_ERR_MODEL, "no end of the run and no step size is given");
        lv_error_hint(err, "--until 10 --step 0.01, or until = 10 and step = 0.01 in "
                           "[run]");
    } else if (!(request->until >= 0) || !isfinite(request->until)) {
        status = !ends ? lv_fail(err, LV_ERR_MODEL, "no end of the run is given")
                 : request->until > 0
                     ? lv_fail(err, LV_ERR_MODEL, "a run has to end, not at %g",
                               request->until)
                     : lv_fail(err, LV_ERR_MODEL,
                               "a run cannot end before its start, at %g: that is at 0",
                               request->until);
        lv_error_hint(err, "--until 10, or until = 10 in [run]");
    } else if (request->every < 1) {
        status =
            lv_fail(err, LV_ERR_MODEL, "rows are recorded every 1 or more steps, not %d",
                    request->every);
    } else if (!(request->sample >= 0) || !isfinite(request->sample)) {
        status =
            lv_fail(err, LV_ERR_MODEL,
                    "the time between samples must be positive, not %g", request->sample);
    } else {
        status = lv_run_request_check_sample(request, model, err);
    }
    return status;
}
