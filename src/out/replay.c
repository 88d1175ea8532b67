#include "out/replay.h"

#include <string.h>

enum { BLOCK = 64 }; /* rows that are read at a time */

/* A dataset of the file as a channel. */
typedef struct replayed {
    const lv_hdf5_reader *reader;
    const lv_hdf5_dataset *dataset;
    double *values; /* one row */
    double *block;  /* BLOCK rows */
} replayed;

static const char *label(const void *user, int k, char *buffer, size_t size)
{
    const replayed *c = user;
    return lv_hdf5_label(c->reader, c->dataset, k, buffer, size);
}

static lv_status make_channel(lv_replay *r, lv_channel *channel,
                              const lv_hdf5_dataset *dataset, lv_error *err)
{
    const size_t width = (size_t)dataset->width;
    replayed *c = lv_arena_alloc(&r->arena, 1, sizeof *c);
    if (!c)
        return lv_fail_memory(err);
    *c = (replayed){.reader = r->reader, .dataset = dataset};
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

lv_status lv_replay_open(lv_replay *r, const char *path, lv_error *err)
{
    int count = 0;
    LV_TRY(lv_hdf5_open(&r->reader, path, err));
    while (lv_hdf5_dataset_at(r->reader, count))
        count++;
    lv_channel *list = lv_arena_alloc(&r->arena, (size_t)count, sizeof *list);
    if (!list)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++)
        LV_TRY(make_channel(r, &list[k], lv_hdf5_dataset_at(r->reader, k), err));
    if (count == 0 || list[0].width != 1)
        return lv_fail(err, LV_ERR_IO, "'%s' has no rows of results", path);
    r->channels = (lv_channels){count, list};
    r->rows = lv_hdf5_dataset_at(r->reader, 0)->rows;
    return LV_OK;
}

void lv_replay_done(lv_replay *r)
{
    lv_hdf5_close(r->reader);
    lv_arena_done(&r->arena);
    *r = (lv_replay){0};
}

static lv_status read_block(lv_replay *r, long long first, lv_error *err)
{
    r->first = first;
    r->count = r->rows - first < BLOCK ? r->rows - first : BLOCK;
    for (int k = 0; k < r->channels.count; k++) {
        const replayed *c = r->channels.list[k].user;
        LV_TRY(lv_hdf5_read(r->reader, c->block, c->dataset, first, r->count, err));
    }
    return LV_OK;
}

lv_status lv_replay_row(lv_replay *r, long long row, lv_error *err)
{
    if (row < r->first || row >= r->first + r->count)
        LV_TRY(read_block(r, row, err));
    for (int k = 0; k < r->channels.count; k++) {
        const replayed *c = r->channels.list[k].user;
        const size_t width = (size_t)c->dataset->width;
        memcpy(c->values, c->block + (size_t)(row - r->first) * width,
               width * sizeof *c->values);
    }
    return LV_OK;
}
