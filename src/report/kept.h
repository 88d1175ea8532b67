/* A run whose rows are in memory, prepared for a page. */
#ifndef LV_REPORT_KEPT_H
#define LV_REPORT_KEPT_H

#include <livens/run.h>

#include "report/collect.h"
#include "report/frames.h"

typedef struct lv_kept_run {
    lv_arena arena;
    lv_channels channels;
    double *row; /* current row of the channels */
    lv_frames frames;
    lv_collector collector;
} lv_kept_run;

/* `run` must be zero before. After a failure lv_kept_run_done frees everything. */
lv_status lv_kept_run_read(lv_kept_run *run, const lv_model *model, const lv_rows *rows,
                           size_t budget, lv_error *err);
void lv_kept_run_done(lv_kept_run *run);

#endif
