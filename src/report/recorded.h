/* A run from its HDF5 file, prepared for a page. */
#ifndef LV_REPORT_RECORDED_H
#define LV_REPORT_RECORDED_H

#include <livens/run.h>

#include "out/replay.h"
#include "report/collect.h"
#include "report/frames.h"

typedef struct lv_recorded_run {
    lv_model *model;
    lv_run_summary *summary;
    lv_replay replay;
    lv_frames frames;
    lv_collector collector;
} lv_recorded_run;

/* `run` must be zero before. After a failure lv_recorded_run_done frees everything. */
lv_status lv_recorded_run_read(lv_recorded_run *run, const char *path, size_t budget,
                               lv_error *err);
void lv_recorded_run_done(lv_recorded_run *run);

#endif
