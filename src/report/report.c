/* Pages about runs that are over, and about a run while it goes on. */
#include <livens/report.h>

#include "base/memory.h"
#include "base/usage.h"
#include "report/data.h"
#include "report/page.h"
#include "report/recorded.h"

#include <string.h>

static const size_t budget = LV_PAGE_BUDGET;

static void note(lv_report_info *info, const lv_collector *c)
{
    const lv_thin *const tables[] = {&c->watch.thin, &c->columns.thin};
    for (int k = 0; k < 2; k++)
        if (tables[k]->every > info->every)
            info->every = tables[k]->every;
    info->rows += c->watch.thin.seen;
    info->left_out += c->left_out;
}

/* ---- from files ------------------------------------------------------------------------------------ */

static lv_status gather(lv_recorded_run *recorded, lv_report_run *runs,
                        lv_report_info *info, const char *const *files, int count,
                        lv_error *err)
{
    for (int k = 0; k < count; k++) {
        lv_recorded_run *r = &recorded[k];
        LV_TRY(lv_recorded_run_read(r, files[k], budget / (size_t)count, err));
        runs[k] = (lv_report_run){
            .model = r->model, .summary = r->summary, .collector = &r->collector};
        note(info, &r->collector);
    }
    return LV_OK;
}

static lv_status report(lv_report_info *info, lv_page *page, const char *const *files,
                        int count, lv_error *err)
{
    lv_recorded_run *recorded = lv_memory_zeroed((size_t)count, sizeof *recorded);
    lv_report_run *runs = lv_memory_zeroed((size_t)count, sizeof *runs);
    lv_status status = recorded && runs ? gather(recorded, runs, info, files, count, err)
                                        : lv_fail_memory(err);
    if (status == LV_OK)
        status = lv_page_finish(page, runs, count, &info->bytes, err);
    for (int k = 0; recorded && k < count; k++)
        lv_recorded_run_done(&recorded[k]);
    lv_memory_free(recorded);
    lv_memory_free(runs);
    return status;
}

lv_status lv_report(lv_report_info *info, const char *page, const char *const *files,
                    int count, lv_error *err)
{
    lv_report_info own;
    lv_page out;
    lv_error_clear(err);
    LV_NEED(err, page);
    LV_NEED(err, files);
    if (count < 1)
        return lv_fail(err, LV_ERR_USAGE, "lv_report: a page is about at least one file");
    for (int k = 0; k < count; k++)
        LV_NEED_AS(err, files[k], "files");
    info = info ? info : &own;
    *info = (lv_report_info){.every = 1};
    lv_status status = lv_page_open(&out, page, err);
    if (status == LV_OK)
        status = report(info, &out, files, count, err);
    lv_page_done(&out);
    return status;
}

/* ---- from a run ------------------------------------------------------------------------------------- */

lv_status lv_run_report(lv_run_summary **summary, lv_report_info *info,
                        const lv_model *model, const lv_run_request *request,
                        const char *page, lv_error *err)
{
    lv_report_info own;
    lv_page out;
    lv_error_clear(err);
    LV_NEED(err, summary);
    *summary = NULL;
    LV_NEED(err, model);
    LV_NEED(err, request);
    LV_NEED(err, request->sim.scheme);
    LV_NEED(err, page);
    info = info ? info : &own;
    *info = (lv_report_info){.every = 1};
    lv_listener listener;
    lv_report_run run = {0};
    lv_status status = lv_page_open(&out, page, err);
    lv_listener_init(&listener, model, budget);
    if (status == LV_OK)
        status = lv_listener_run(&listener, &run, summary, request, err);
    if (run.summary) {
        note(info, &listener.collector);
        lv_status written =
            lv_page_finish(&out, &run, 1, &info->bytes, status == LV_OK ? err : NULL);
        status = status == LV_OK ? written : status;
    }
    lv_listener_done(&listener);
    lv_page_done(&out);
    return status;
}
