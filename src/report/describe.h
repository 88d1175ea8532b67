/* A run as JSON: what it is, what was said of it, its tables; and what pages about ensembles and studies say as well. */
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

/* Title, description, file, text, parameters, ... of a model: keys of the object that is open. */
void lv_describe_model(lv_json *json, const lv_model *model);

/* The scheme with its options. */
void lv_describe_scheme(lv_json *json, const char *scheme,
                        const lv_scheme_options *options, int order);

/* A command of livens on this model, with its settings and with changes. */
lv_status lv_describe_command(lv_json *json, const char *command, const lv_model *model,
                              const lv_run_changes *changes, lv_error *err);

#endif
