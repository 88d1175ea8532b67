/* What pages know of runs, as JSON; and a run that is listened to. */
#ifndef LV_REPORT_DATA_H
#define LV_REPORT_DATA_H

#include "report/describe.h"
#include "report/frames.h"

/* Text that the numbers of all runs of a page take, at most. */
enum { LV_PAGE_BUDGET = 2000000 };

/* The data of a page about runs; its object is still open, for lv_page_finish to close. */
lv_status lv_page_data(lv_json *json, const lv_report_run *runs, int count,
                       lv_error *err);

/* Collects what a page needs while a run goes on. */
typedef struct lv_listener {
    lv_sink sink; /* first: the run has a pointer to it */
    const lv_model *model;
    size_t budget;
    lv_frames frames;
    lv_collector collector;
} lv_listener;

void lv_listener_init(lv_listener *listener, const lv_model *model, size_t budget);
void lv_listener_done(lv_listener *listener);

/* lv_run that fills what is said of the run, also of one that stopped early; run->summary stays NULL where nothing can be
 * said: the run could not begin, or there is no memory. Free the summary in every case. */
lv_status lv_listener_run(lv_listener *listener, lv_report_run *run,
                          lv_run_summary **summary, const lv_run_request *request,
                          lv_error *err);

#endif
