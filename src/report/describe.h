/* A run as JSON: what it is, what was said of it, its tables. */
#ifndef LV_REPORT_DESCRIBE_H
#define LV_REPORT_DESCRIBE_H

#include <livens/verify.h>

#include "report/collect.h"

typedef struct lv_report_run {
    const lv_model *model;
    const lv_run_summary *summary;
    const char *failure; /* why it stopped; NULL: it did not */
    lv_collector *collector;
    const lv_certificate *certificate; /* NULL: what the run alone has shown */
} lv_report_run;

lv_status lv_report_run_put(lv_json *json, const lv_report_run *run, lv_error *err);

#endif
