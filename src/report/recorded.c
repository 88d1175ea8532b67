#include "report/recorded.h"

#include "run/run.h"

#include <string.h>

static lv_status read_rows(lv_recorded_run *r, lv_error *err)
{
    for (long long k = 0; k < r->replay.rows; k++) {
        LV_TRY(lv_replay_row(&r->replay, k, err));
        LV_TRY(lv_frames_row(&r->frames, r->collector.frame, err));
        lv_collector_row(&r->collector);
    }
    lv_collector_end(&r->collector);
    return LV_OK;
}

lv_status lv_recorded_run_read(lv_recorded_run *r, const char *path, size_t budget,
                               lv_error *err)
{
    LV_TRY(lv_run_recall(&r->summary, &r->model, path, err));
    LV_TRY(lv_replay_open(&r->replay, path, err));
    const lv_channels *channels = &r->replay.channels;
    if (strcmp(channels->list[0].name, "t") != 0)
        return lv_fail(err, LV_ERR_IO, "'%s' has no times: it is not a run", path);
    LV_TRY(lv_frames_init(&r->frames, r->model, channels, err));
    LV_TRY(lv_collector_init(&r->collector, channels, r->frames.size, budget, err));
    return read_rows(r, err);
}

void lv_recorded_run_done(lv_recorded_run *r)
{
    lv_collector_done(&r->collector);
    lv_frames_done(&r->frames);
    lv_replay_done(&r->replay);
    lv_run_summary_free(r->summary);
    lv_model_free(r->model);
}
