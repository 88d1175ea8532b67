/* Pages: one HTML file about a run, several, a certificate, an ensemble or a study, that needs nothing else: the motion,
 * what was kept, all columns, the model. The same runs give the same bytes: a page has no date, no path and, but for
 * studies, no time of computation. */
#ifndef LIVENS_REPORT_H
#define LIVENS_REPORT_H

#include "study.h"
#include "sweep.h"
#include "verify.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How large a page became, and what was left out to keep it small. */
typedef struct lv_report_info {
    size_t bytes;
    long long rows;     /* of all runs; of ensembles members */
    long long every;    /* every so many of them are plotted, at most; 1: all of them */
    int left_out;       /* columns that there was no room for */
    size_t reserved[4]; /* for later versions */
} lv_report_info;

/* Writes a page about the runs in HDF5 files, at least one; "-": to standard output. info may be NULL. An existing
 * file is replaced when the page is complete. */
LV_API LV_NODISCARD lv_status lv_report(lv_report_info *info, const char *page,
                                        const char *const *files, int count,
                                        lv_error *err);

/* lv_run that writes a page as well, also about a run that stopped early. */
LV_API LV_NODISCARD lv_status lv_run_report(lv_run_summary **summary,
                                            lv_report_info *info, const lv_model *model,
                                            const lv_run_request *request,
                                            const char *page, lv_error *err);

/* The same page about a run that is over and whose rows were kept (keep_rows); the page of a run that failed does not
 * say why. LV_ERR_USAGE where rows were not kept. The model must still be there. */
LV_API LV_NODISCARD lv_status lv_summary_report(lv_report_info *info,
                                                const lv_run_summary *summary,
                                                const char *page, lv_error *err);

/* lv_verify that writes a page as well: the certificate beside the motion of the run, as far as that was watched. */
LV_API LV_NODISCARD lv_status lv_verify_report(lv_certificate **certificate,
                                               lv_report_info *info,
                                               const lv_model *model,
                                               const lv_verify_request *request,
                                               const char *page, lv_error *err);

/* lv_sweep_run that writes a page as well: any column of the members over any other. */
LV_API LV_NODISCARD lv_status lv_sweep_report(lv_sweep_summary **summary,
                                              lv_report_info *info, const lv_model *model,
                                              const lv_sweep_request *request,
                                              const char *page, lv_error *err);

/* lv_study_make that writes a page as well: errors over processor time and over steps, and what is recommended. */
LV_API LV_NODISCARD lv_status lv_study_report(lv_study **study, lv_report_info *info,
                                              const lv_model *model,
                                              const lv_study_request *request,
                                              const char *page, lv_error *err);

#ifdef __cplusplus
}
#endif
#endif
