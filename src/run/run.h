/* Runs that others listen to. */
#ifndef LV_RUN_RUN_H
#define LV_RUN_RUN_H

#include <livens/run.h>

#include "base/arena.h"
#include "out/sink.h"

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

/* What errors of a run compare to: the sizes of the terms that energy and momentum maps are sums of, and what of them
 * counts as rounding; residuals of constraints and of their rates that count as rounding, 0: not known. */
typedef struct lv_run_sizes {
    double energy, momentum;
    double rounding; /* relative to these sizes */
    double position, velocity;
    bool position_strayed, velocity_strayed; /* residuals were larger than these */
} lv_run_sizes;

lv_run_sizes lv_run_sizes_of(const lv_run_summary *summary);

/* What was asked for. */
const lv_run_request *lv_run_request_of(const lv_run_summary *summary);

/* kept[k]: the scheme keeps momentum map k to rounding, and the symmetry is one. */
lv_status lv_run_kept_momenta(const lv_run_summary *summary, bool *kept, lv_error *err);

/* The energy of the model is conserved: no forces, no explicit time, no nonholonomic constraints. */
bool lv_run_is_conservative(const lv_run_summary *summary);

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
