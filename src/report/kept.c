#include "report/kept.h"

#include <stdio.h>
#include <string.h>

static const char *label(const void *user, int k, char *buffer, size_t size)
{
    const lv_row_column *columns = user;
    snprintf(buffer, size, "%s", columns[k].name);
    return buffer;
}

/* Makes one channel of neighbouring columns of one kind. */
static lv_status make_channels(lv_kept_run *r, const lv_rows *rows, lv_error *err)
{
    const int count = rows->column_count;
    lv_channel *list = lv_arena_alloc(&r->arena, (size_t)count, sizeof *list);
    r->row = lv_arena_alloc(&r->arena, (size_t)count, sizeof *r->row);
    if (!list || !r->row)
        return lv_fail_memory(err);
    r->channels.list = list;
    for (int k = 0; k < count; k++) {
        lv_channel *last = r->channels.count > 0 ? &list[r->channels.count - 1] : NULL;
        if (last && strcmp(last->name, rows->columns[k].kind) == 0)
            last->width++;
        else
            list[r->channels.count++] = (lv_channel){.name = rows->columns[k].kind,
                                                     .width = 1,
                                                     .values = r->row + k,
                                                     .label = label,
                                                     .user = rows->columns + k};
    }
    return LV_OK;
}

static lv_status read_rows(lv_kept_run *r, const lv_rows *rows, lv_error *err)
{
    const size_t width = (size_t)rows->column_count;
    for (long long k = 0; k < rows->count; k++) {
        memcpy(r->row, rows->values + (size_t)k * width, width * sizeof *r->row);
        LV_TRY(lv_frames_row(&r->frames, r->collector.frame, err));
        lv_collector_row(&r->collector);
    }
    lv_collector_end(&r->collector);
    return LV_OK;
}

lv_status lv_kept_run_read(lv_kept_run *r, const lv_model *model, const lv_rows *rows,
                           size_t budget, lv_error *err)
{
    LV_TRY(make_channels(r, rows, err));
    LV_TRY(lv_frames_init(&r->frames, model, &r->channels, err));
    LV_TRY(lv_collector_init(&r->collector, &r->channels, r->frames.size, budget, err));
    return read_rows(r, rows, err);
}

void lv_kept_run_done(lv_kept_run *r)
{
    lv_collector_done(&r->collector);
    lv_frames_done(&r->frames);
    lv_arena_done(&r->arena);
}
