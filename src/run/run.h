/* Runs with a tap, and what other modules may ask about a run. */
#ifndef LV_RUN_RUN_H
#define LV_RUN_RUN_H

#include <livens/run.h>

#include "base/arena.h"
#include "out/sink.h"
#include "run/findings.h"

/* Opens a sink of the caller when the channels of the run are known. The sink gets the
 * first row, every recorded row and the last row. It is closed at the end of the run,
 * when the channels still have the values of the last row. */
typedef struct lv_tap {
    lv_status (*open)(void *user, lv_sink **sink, const lv_channels *channels,
                      lv_error *err);
    void *user;
    /* skip warnings that take long to find, and what the run has shown: nobody reads them */
    bool brief;
} lv_tap;

/* lv_run with a tap, which may be NULL. */
lv_status lv_run_tapped(lv_run_summary **summary, const lv_model *model,
                        const lv_run_request *request, const lv_tap *tap, lv_error *err);

/* The summary of a run from its HDF5 file, which is not changed. It equals the original
 * summary except for the wall time. The model is the one stored in the file; free it
 * after the summary. */
lv_status lv_run_recall(lv_run_summary **summary, lv_model **model, const char *path,
                        lv_error *err);

/* Sizes of the terms that add up to the energy and the momentum maps of a run, and the
 * smallest size of the terms of constraints; 0: not known. */
typedef struct lv_run_sizes {
    double energy, momentum, position;
} lv_run_sizes;

lv_run_sizes lv_run_sizes_of(const lv_run_summary *summary);

/* The findings that the run alone has shown. */
lv_status lv_run_findings(lv_findings *findings, const lv_run_summary *summary,
                          lv_error *err);

/* The request and the model of a run. */
const lv_run_request *lv_run_request_of(const lv_run_summary *summary);
const lv_model *lv_run_model_of(const lv_run_summary *summary);

/* Adds the values of the model's parameters to the header of a file. */
lv_status lv_run_parameters(lv_header *header, const lv_model *model, lv_arena *arena,
                            lv_error *err);

/* Fails if the request makes no sense. */
lv_status lv_run_request_check(const lv_run_request *request, const lv_model *model,
                               lv_error *err);

/* Checks only whether the scheme can give rows at the samples. The error points to the
 * model's file if the samples are set in [run] (run_section.c). */
lv_status lv_run_request_check_sample(const lv_run_request *request,
                                      const lv_model *model, lv_error *err);

#endif
