/* Data about runs for pages, as JSON, and a sink that collects them during a run. */
#ifndef LV_REPORT_DATA_H
#define LV_REPORT_DATA_H

#include "report/describe.h"
#include "report/frames.h"

/* Upper bound on the text of the numbers of all runs of a page, in bytes. */
enum { LV_PAGE_BUDGET = 2000000 };

/* Writes the data of a page about runs. The JSON object stays open; lv_page_finish closes
 * it. */
lv_status lv_page_data(lv_json *json, const lv_report_run *runs, int count,
                       lv_error *err);

/* Collects the data of a page during a run. */
typedef struct lv_listener {
    lv_sink sink; /* first member: the run holds a pointer to it */
    const lv_model *model;
    size_t budget;
    lv_frames frames;
    lv_collector collector;
} lv_listener;

void lv_listener_init(lv_listener *listener, const lv_model *model, size_t budget);
void lv_listener_done(lv_listener *listener);

/* lv_run that also fills *run, even if the run stopped early. run->summary stays NULL if
 * the run could not begin or memory is short. The caller frees the summary in every
 * case. */
lv_status lv_listener_run(lv_listener *listener, lv_report_run *run,
                          lv_run_summary **summary, const lv_run_request *request,
                          lv_error *err);

#endif
