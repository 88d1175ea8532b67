#include "report/recorded.h"

#include "run/run.h"

#include <string.h>

enum { BLOCK = 64 }; /* rows that are read at a time */

/* A dataset of the file as a channel. */
typedef struct recorded_channel {
    const lv_hdf5_reader *reader;
    const lv_hdf5_dataset *dataset;
    double *values; /* of one row */
    double *block;  /* of several */
} recorded_channel;

static const char *label(const void *user, int k, char *buffer, size_t size)
{
    const recorded_channel *c = user;
    return lv_hdf5_label(c->reader, c->dataset, k, buffer, size);
}

static lv_status make_channel(lv_recorded_run *r, lv_channel *channel,
                              const lv_hdf5_dataset *dataset, lv_error *err)
{
    const size_t width = (size_t)dataset->width;
    recorded_channel *c = lv_arena_alloc(&r->arena, 1, sizeof *c);
    if (!c)
        return lv_fail_memory(err);
    *c = (recorded_channel){.reader = r->reader, .dataset = dataset};
    c->values = lv_arena_alloc(&r->arena, width, sizeof *c->values);
    c->block = lv_arena_alloc(&r->arena, width * BLOCK, sizeof *c->block);
    if (!c->values || !c->block)
        return lv_fail_memory(err);
    *channel = (lv_channel){.name = dataset->name,
                            .width = dataset->width,
                            .values = c->values,
                            .label = label,
                            .user = c};
    return LV_OK;
}

static lv_status make_channels(lv_recorded_run *r, const char *path, lv_error *err)
{
    int count = 0;
    while (lv_hdf5_dataset_at(r->reader, count))
        count++;
    lv_channel *list = lv_arena_alloc(&r->arena, (size_t)count, sizeof *list);
    if (!list)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++)
        LV_TRY(make_channel(r, &list[k], lv_hdf5_dataset_at(r->reader, k), err));
    if (count == 0 || strcmp(list[0].name, "t") != 0)
        return lv_fail(err, LV_ERR_IO, "'%s' has no times: it is not a run", path);
    r->channels = (lv_channels){count, list};
    return LV_OK;
}

static lv_status read_block(const lv_recorded_run *r, long long first, long long count,
                            lv_error *err)
{
    for (int k = 0; k < r->channels.count; k++) {
        const recorded_channel *c = r->channels.list[k].user;
        LV_TRY(lv_hdf5_read(r->reader, c->block, c->dataset, first, count, err));
    }
    return LV_OK;
}

static void take_row(const lv_recorded_run *r, long long row)
{
    for (int k = 0; k < r->channels.count; k++) {
        const recorded_channel *c = r->channels.list[k].user;
        const size_t width = (size_t)c->dataset->width;
        memcpy(c->values, c->block + (size_t)row * width, width * sizeof *c->values);
    }
}

static lv_status read_rows(lv_recorded_run *r, lv_error *err)
{
    const long long rows = lv_hdf5_dataset_at(r->reader, 0)->rows;
    for (long long first = 0; first < rows; first += BLOCK) {
        const long long count = rows - first < BLOCK ? rows - first : BLOCK;
        LV_TRY(read_block(r, first, count, err));
        for (long long k = 0; k < count; k++) {
            take_row(r, k);
            LV_TRY(lv_frames_row(&r->frames, r->collector.frame, err));
            lv_collector_row(&r->collector);
        }
    }
    lv_collector_end(&r->collector);
    return LV_OK;
}

lv_status lv_recorded_run_read(lv_recorded_run *r, const char *path, size_t budget,
                               lv_error *err)
{
    LV_TRY(lv_run_recall(&r->summary, &r->model, path, err));
    LV_TRY(lv_hdf5_open(&r->reader, path, err));
    LV_TRY(make_channels(r, path, err));
    LV_TRY(lv_frames_init(&r->frames, r->model, &r->channels, err));
    LV_TRY(lv_collector_init(&r->collector, &r->channels, r->frames.size, budget, err));
    return read_rows(r, err);
}

void lv_recorded_run_done(lv_recorded_run *r)
{
    lv_collector_done(&r->collector);
    lv_frames_done(&r->frames);
    lv_hdf5_close(r->reader);
    lv_run_summary_free(r->summary);
    lv_model_free(r->model);
    lv_arena_done(&r->arena);
}
