#include "out/rows.h"

#include "base/memory.h"

#include <string.h>

enum { FIRST_ROOM = 64 };

static lv_status row_store_make_room(lv_row_store *s, lv_error *err)
{
    const size_t wanted = s->room > 0 ? s->room : FIRST_ROOM;
    size_t rows = 0, size = 0;
    if (!lv_size_add(s->room, wanted, &rows) || !lv_size_mul(rows, s->width, &size) ||
        !lv_size_mul(size, sizeof *s->values, &size))
        return lv_fail_memory(err);
    double *values = lv_memory_resize(s->values, size);
    if (!values)
        return lv_fail_memory(err);
    s->values = values;
    s->rows.values = values;
    s->room = rows;
    return LV_OK;
}

static lv_status store_row(lv_sink *sink, lv_error *err)
{
    lv_row_store *s = (lv_row_store *)sink;
    if ((size_t)s->rows.count == s->room)
        LV_TRY(row_store_make_room(s, err));
    double *to = s->values + (size_t)s->rows.count * s->width;
    for (int k = 0; k < s->channels->count; k++) {
        const lv_channel *c = &s->channels->list[k];
        memcpy(to, c->values, (size_t)c->width * sizeof *to);
        to += c->width;
    }
    s->rows.count++;
    return LV_OK;
}

static lv_status store_close(lv_sink *sink, lv_error *err)
{
    (void)sink, (void)err;
    return LV_OK;
}

static lv_status name_columns(lv_row_store *s, lv_error *err)
{
    lv_row_column *columns = lv_arena_alloc(&s->arena, s->width, sizeof *columns);
    if (!columns)
        return lv_fail_memory(err);
    s->rows.columns = columns;
    for (int k = 0; k < s->channels->count; k++) {
        const lv_channel *c = &s->channels->list[k];
        const char *kind = lv_arena_text(&s->arena, c->name, strlen(c->name));
        for (int i = 0; i < c->width; i++) {
            char label[300];
            c->label(c->user, i, label, sizeof label);
            const char *name = lv_arena_text(&s->arena, label, strlen(label));
            if (!kind || !name)
                return lv_fail_memory(err);
            *columns++ = (lv_row_column){name, kind};
        }
    }
    return LV_OK;
}

lv_status lv_row_store_open(lv_row_store *s, lv_sink **sink, const lv_channels *channels,
                            lv_error *err)
{
    s->sink = (lv_sink){.row = store_row, .close = store_close};
    s->channels = channels;
    for (int k = 0; k < channels->count; k++)
        s->rows.column_count += channels->list[k].width;
    s->width = (size_t)s->rows.column_count;
    LV_TRY(name_columns(s, err));
    *sink = &s->sink;
    return LV_OK;
}

void lv_row_store_done(lv_row_store *s)
{
    lv_memory_free(s->values);
    lv_arena_done(&s->arena);
}
