/* What a scheme promises beside what one run has shown. */
#ifndef LV_REPORT_CERTIFICATE_H
#define LV_REPORT_CERTIFICATE_H

#include <livens/run.h>

#include "report/json.h"

lv_status lv_certificate_put(lv_json *json, const lv_run_summary *run, lv_error *err);

#endif
