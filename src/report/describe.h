/* A run as JSON: model, scheme, summary and tables; also parts that pages about ensembles
 * and studies share. */
#ifndef LV_REPORT_DESCRIBE_H
#define LV_REPORT_DESCRIBE_H

#include <livens/verify.h>

#include "report/collect.h"

typedef struct lv_report_run {
    const lv_model *model;
    const lv_run_summary *summary;
    const char *failure; /* why the run stopped; NULL: it did not */
    lv_collector *collector;
    /* NULL: the findings of the run itself are shown */
    const lv_certificate *certificate;
} lv_report_run;

lv_status lv_report_run_put(lv_json *json, const lv_report_run *run, lv_error *err);

/* Adds title, description, file, text, parameters, ... of a model as keys of the open
 * object. */
void lv_describe_model(lv_json *json, const lv_model *model);

/* Adds the scheme with its options. */
void lv_describe_scheme(lv_json *json, const char *scheme,
                        const lv_scheme_options *options, int order);

/* Adds a livens command for this model, with its settings and changes. */
lv_status lv_describe_command(lv_json *json, const char *command, const lv_model *model,
                              const lv_run_changes *changes, lv_error *err);

#endif
