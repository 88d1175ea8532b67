/* Runs that others listen to. */
#ifndef LV_RUN_RUN_H
#define LV_RUN_RUN_H

#include <livens/run.h>

#include "base/arena.h"
#include "out/sink.h"
#include "run/findings.h"

/* Opens a sink of the caller's when the channels of the run are known; it gets the first row, every
 * recorded one and the last one, and is closed when the run ends, while the channels still have
 * the values of the last row. */
typedef struct lv_tap {
    lv_status (*open)(void *user, lv_sink **sink, const lv_channels *channels,
                      lv_error *err);
    void *user;
    bool brief; /* nobody reads warnings that take long to find */
} lv_tap;

/* lv_run with a tap, which may be NULL. */
lv_status lv_run_tapped(lv_run_summary **summary, const lv_model *model,
                        const lv_run_request *request, const lv_tap *tap, lv_error *err);

/* The summary of a run as its HDF5 file has it, which is not changed: wall time apart that of the run itself. The model
 * is the one stored in the file; free it after the summary. */
lv_status lv_run_recall(lv_run_summary **summary, lv_model **model, const char *path,
                        lv_error *err);

/* Sizes of the terms that energy and momentum maps of a run are sums of, and the smallest size of those of constraints;
 * 0: not known. */
typedef struct lv_run_sizes {
    double energy, momentum, position;
} lv_run_sizes;

lv_run_sizes lv_run_sizes_of(const lv_run_summary *summary);

/* What the run alone has shown. */
lv_status lv_run_findings(lv_findings *findings, const lv_run_summary *summary,
                          lv_error *err);

/* What was asked for, and of which model. */
const lv_run_request *lv_run_request_of(const lv_run_summary *summary);
const lv_model *lv_run_model_of(const lv_run_summary *summary);

/* The values of the model's parameters, for a file. */
lv_status lv_run_parameters(lv_header *header, const lv_model *model, lv_arena *arena,
                            lv_error *err);

/* Fails if the request makes no sense. */
lv_status lv_run_request_check(const lv_run_request *request, const lv_model *model,
                               lv_error *err);

/* A part of it: can the scheme give rows at the samples? What is refused has a place in the model's file if
 * the samples stand in [run] (run_section.c). */
lv_status lv_run_request_check_sample(const lv_run_request *request,
                                      const lv_model *model, lv_error *err);

#endif
