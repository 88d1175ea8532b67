/* Certificates as JSON: what a scheme promises, beside what was measured. */
#ifndef LV_REPORT_CERTIFICATE_H
#define LV_REPORT_CERTIFICATE_H

#include <livens/verify.h>

#include "report/json.h"

lv_status lv_certificate_put(lv_json *json, const lv_certificate *certificate,
                             lv_error *err);

/* The part of a certificate that one run can show; properties that take more runs are
 * open. */
lv_status lv_certificate_put_run(lv_json *json, const lv_run_summary *run, lv_error *err);

#endif
