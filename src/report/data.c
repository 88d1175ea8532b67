#include "report/data.h"

#include "report/page.h"
#include "run/run.h"

lv_status lv_page_data(lv_json *j, const lv_report_run *runs, int count, lv_error *err)
{
    lv_page_begin(j, "runs");
    lv_json_key(j, "runs");
    lv_json_open(j, '[');
    for (int k = 0; k < count; k++)
        LV_TRY(lv_report_run_put(j, &runs[k], err));
    lv_json_close(j, ']');
    return LV_OK;
}

/* ---- listening to a run ----------------------------------------------------------------------- */

static lv_status listen_row(lv_sink *sink, lv_error *err)
{
    lv_listener *l = (lv_listener *)sink;
    LV_TRY(lv_frames_row(&l->frames, l->collector.frame, err));
    lv_collector_row(&l->collector);
    return LV_OK;
}

static lv_status listen_close(lv_sink *sink, lv_error *err)
{
    lv_listener *l = (lv_listener *)sink;
    (void)err;
    lv_collector_end(&l->collector);
    return LV_OK;
}

static lv_status listen(void *user, lv_sink **sink, const lv_channels *channels,
                        lv_error *err)
{
    lv_listener *l = user;
    l->sink = (lv_sink){.row = listen_row, .close = listen_close};
    LV_TRY(lv_frames_init(&l->frames, l->model, channels, err));
    LV_TRY(lv_collector_init(&l->collector, channels, l->frames.size, l->budget, err));
    *sink = &l->sink;
    return LV_OK;
}

void lv_listener_init(lv_listener *l, const lv_model *model, size_t bytes)
{
    *l = (lv_listener){.model = model, .budget = bytes};
}

void lv_listener_done(lv_listener *l)
{
    lv_collector_done(&l->collector);
    lv_frames_done(&l->frames);
}

lv_status lv_listener_run(lv_listener *l, lv_report_run *run, lv_run_summary **summary,
                          const lv_run_request *request, lv_error *err)
{
    const lv_tap tap = {listen, l, false};
    const lv_status status = lv_run_tapped(summary, l->model, request, &tap, err);
    *run = (lv_report_run){.model = l->model, .collector = &l->collector};
    if (status != LV_ERR_MEMORY) /* otherwise the summary may be incomplete */
        run->summary = *summary;
    run->failure = status != LV_OK && err ? err->text : NULL;
    return status;
}
