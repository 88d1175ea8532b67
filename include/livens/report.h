/* Pages: one self-contained HTML file about one or several runs, a certificate, an
 * ensemble or a study. It shows the motion, what was kept, all columns and the model. The
 * same runs give the same bytes: a page contains no date, no path and, except for
 * studies, no computing time. */
#ifndef LIVENS_REPORT_H
#define LIVENS_REPORT_H

#include "study.h"
#include "sweep.h"
#include "verify.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The size of a page, and what was left out to limit it. */
typedef struct lv_report_info {
    size_t bytes;
    long long rows; /* rows of all runs; for ensembles, members */
    /* largest distance between plotted rows; 1: all rows are plotted */
    long long every;
    int left_out;       /* number of columns that were left out */
    size_t reserved[4]; /* for later versions */
} lv_report_info;

/* Writes a page about the runs in HDF5 files, at least one; "-" is standard output. info
 * may be NULL. An existing file is replaced when the page is complete. */
LV_API LV_NODISCARD lv_status lv_report(lv_report_info *info, const char *page,
                                        const char *const *files, int count,
                                        lv_error *err);

/* Runs a model as lv_run does and writes a page about the run, also if it stopped
 * early. */
LV_API LV_NODISCARD lv_status lv_run_report(lv_run_summary **summary,
                                            lv_report_info *info, const lv_model *model,
                                            const lv_run_request *request,
                                            const char *page, lv_error *err);

/* Writes the same page about a finished run whose rows were kept (keep_rows). The page of
 * a failed run does not say why it failed. LV_ERR_USAGE if rows were not kept. The model
 * must still exist. */
LV_API LV_NODISCARD lv_status lv_summary_report(lv_report_info *info,
                                                const lv_run_summary *summary,
                                                const char *page, lv_error *err);

/* Does what lv_verify does and writes a page: the certificate and the motion of the run,
 * as far as it was monitored. */
LV_API LV_NODISCARD lv_status lv_verify_report(lv_certificate **certificate,
                                               lv_report_info *info,
                                               const lv_model *model,
                                               const lv_verify_request *request,
                                               const char *page, lv_error *err);

/* Does what lv_sweep_run does and writes a page that plots any column of the members over
 * any other. */
LV_API LV_NODISCARD lv_status lv_sweep_report(lv_sweep_summary **summary,
                                              lv_report_info *info, const lv_model *model,
                                              const lv_sweep_request *request,
                                              const char *page, lv_error *err);

/* Does what lv_study_make does and writes a page: errors over processor time and over
 * steps, and the recommendations. */
LV_API LV_NODISCARD lv_status lv_study_report(lv_study **study, lv_report_info *info,
                                              const lv_model *model,
                                              const lv_study_request *request,
                                              const char *page, lv_error *err);

#ifdef __cplusplus
}
#endif
#endif
