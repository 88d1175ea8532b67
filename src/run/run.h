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
} lv_tap;

/* lv_run with a tap, which may be NULL. */
lv_status lv_run_tapped(lv_run_summary **summary, const lv_model *model,
                        const lv_run_request *request, const lv_tap *tap, lv_error *err);

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
