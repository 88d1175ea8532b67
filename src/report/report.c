/* Pages about finished runs, and about a run while it goes on. */
#include <livens/report.h>

#include "base/memory.h"
#include "base/usage.h"
#include "report/data.h"
#include "report/kept.h"
#include "report/page.h"
#include "report/recorded.h"
#include "run/run.h"

#include <string.h>

static const size_t budget = LV_PAGE_BUDGET;

static void note_rows(lv_report_info *info, const lv_collector *c)
{
    const lv_thin *const tables[] = {&c->watch.thin, &c->columns.thin};
    for (int k = 0; k < 2; k++)
        if (tables[k]->every > info->every)
            info->every = tables[k]->every;
    info->rows += c->watch.thin.seen;
    info->left_out += c->left_out;
}

static lv_status finish_page(lv_page *page, lv_report_info *info,
                             const lv_report_run *runs, int count, lv_error *err)
{
    lv_json json = {0};
    lv_status status = lv_page_data(&json, runs, count, err);
    if (status == LV_OK)
        status = lv_page_finish(page, &json, &info->bytes, err);
    lv_text_done(&json.text);
    return status;
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
        note_rows(info, &r->collector);
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
        status = finish_page(page, info, runs, count, err);
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

/* Runs, and writes a page about the run as far as it came. */
static lv_status run_page(lv_run_summary **summary, lv_report_info *info,
                          const lv_model *model, const lv_run_request *request,
                          lv_page *page, const lv_certificate *certificate, lv_error *err)
{
    lv_listener l;
    lv_report_run run;
    lv_listener_init(&l, model, budget);
    lv_status status = lv_listener_run(&l, &run, summary, request, err);
    run.certificate = certificate;
    if (run.summary) {
        note_rows(info, &l.collector);
        lv_status written =
            finish_page(page, info, &run, 1, status == LV_OK ? err : NULL);
        status = status == LV_OK ? written : status;
    }
    lv_listener_done(&l);
    return status;
}

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
    lv_status status = lv_page_open(&out, page, err);
    if (status == LV_OK)
        status = run_page(summary, info, model, request, &out, NULL, err);
    lv_page_done(&out);
    return status;
}

/* ---- from the summary of a run ---------------------------------------------------------------------- */

static lv_status summary_page(lv_report_info *info, const lv_run_summary *summary,
                              lv_page *page, lv_error *err)
{
    lv_kept_run kept = {0};
    const lv_report_run run = {.model = lv_run_model_of(summary),
                               .summary = summary,
                               .collector = &kept.collector};
    lv_status status = lv_kept_run_read(&kept, run.model, summary->kept, budget, err);
    if (status == LV_OK) {
        note_rows(info, &kept.collector);
        status = finish_page(page, info, &run, 1, err);
    }
    lv_kept_run_done(&kept);
    return status;
}

lv_status lv_summary_report(lv_report_info *info, const lv_run_summary *summary,
                            const char *page, lv_error *err)
{
    lv_report_info own;
    lv_page out;
    lv_error_clear(err);
    LV_NEED(err, summary);
    LV_NEED(err, page);
    if (!summary->kept)
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_summary_report: the rows of this run were not kept; "
                       "keep_rows of its request keeps them");
    info = info ? info : &own;
    *info = (lv_report_info){.every = 1};
    lv_status status = lv_page_open(&out, page, err);
    if (status == LV_OK)
        status = summary_page(info, summary, &out, err);
    lv_page_done(&out);
    return status;
}

/* ---- from a certificate ----------------------------------------------------------------------------- */

/* A request for the part of the run that was watched, without files. */
static lv_run_request watched(const lv_certificate *c, const lv_run_request *request)
{
    lv_run_request run = *request;
    run.until = c->time < run.until - c->step ? c->time : run.until;
    run.csv = run.hdf5 = NULL;
    run.channel_count = 0;
    run.sample = 0;
    run.every = 1;
    run.progress = NULL;
    return run;
}

lv_status lv_verify_report(lv_certificate **certificate, lv_report_info *info,
                           const lv_model *model, const lv_verify_request *request,
                           const char *page, lv_error *err)
{
    lv_report_info own;
    lv_run_summary *summary = NULL;
    lv_page out;
    lv_error_clear(err);
    LV_NEED(err, certificate);
    *certificate = NULL;
    LV_NEED(err, model);
    LV_NEED(err, request);
    LV_NEED_ROOM(err, request);
    LV_NEED(err, page);
    info = info ? info : &own;
    *info = (lv_report_info){.every = 1};
    lv_status status = lv_page_open(&out, page, err);
    if (status == LV_OK)
        status = lv_verify(certificate, model, request, err);
    if (status == LV_OK) {
        const lv_run_request run = watched(*certificate, &request->run);
        status = run_page(&summary, info, model, &run, &out, *certificate, err);
        lv_run_summary_free(summary);
    }
    lv_page_done(&out);
    return status;
}
