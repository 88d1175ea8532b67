/* Opens an HDF5 file of an earlier run to append to it. */
#include "out/hdf5_sink.h"

#include <fcntl.h>
#include <string.h>

enum { LABEL = 512 };

static void hint_same_model(lv_error *err)
{
    lv_error_hint(err, "a run is resumed with the model and the options it began with");
}

static lv_status compare_labels(const lv_h5_sink *s, const lv_h5_channel *c,
                                const char *stored, lv_error *err)
{
    char buffer[LABEL], old[LABEL + 1] = {0};
    const size_t length = (size_t)c->label_length;
    for (int k = 0; k < c->source->width; k++) {
        buffer[0] = '\0';
        const char *label = c->source->label(c->source->user, k, buffer, sizeof buffer);
        memcpy(old, stored + (size_t)k * length, length);
        if (strcmp(label, old) == 0)
            continue;
        lv_status status = lv_fail(
            err, LV_ERR_IO, "column %d of '%s' is '%s' in '%s', but '%s' in this run",
            k + 1, c->source->name, old, s->path, label);
        hint_same_model(err);
        return status;
    }
    return LV_OK;
}

static lv_status check_labels(const lv_h5_sink *s, const lv_h5_channel *c,
                              const lv_h5_old *old, lv_error *err)
{
    if (c->label_length > LABEL)
        return lv_h5_damaged(s, "its record", err);
    return compare_labels(
        s, c, (const char *)old->constants + (c->names - s->constant_at), err);
}

static lv_status check_count(const lv_h5_sink *s, const lv_h5_old *old, lv_error *err)
{
    if (old->channel_count == s->channel_count)
        return LV_OK;
    lv_status status =
        lv_fail(err, LV_ERR_IO, "'%s' has %d kinds of results, this run records %d",
                s->path, old->channel_count - 1, s->channel_count - 1);
    hint_same_model(err);
    return status;
}

static lv_status check_channels(const lv_h5_sink *s, const lv_h5_old *old, lv_error *err)
{
    for (int k = 0; k < s->channel_count; k++) {
        const lv_channel *source = s->channels[k].source;
        uint64_t width = 0;
        const char *name = lv_h5_record_name(old->record, k, &width);
        lv_status status = LV_OK;
        if (strcmp(name, source->name) != 0)
            status = lv_fail(err, LV_ERR_IO, "'%s' has '%s' where this run records '%s'",
                             s->path, name, source->name);
        else if (width != (uint64_t)source->width)
            status = lv_fail(err, LV_ERR_IO,
                             "'%s' has %llu columns in '%s', this run records %d",
                             s->path, (unsigned long long)width, name, source->width);
        if (status != LV_OK) {
            hint_same_model(err);
            return status;
        }
    }
    return LV_OK;
}

/* Checks that there is a checkpoint, and that the rows up to it are as they were
 * written. */
static lv_status check_kept(const lv_h5_sink *s, int checkpoint_size, lv_error *err)
{
    if (s->checkpoint_rows < 0)
        return lv_fail(err, LV_ERR_IO,
                       "'%s' has no checkpoint: its run stopped before the first one",
                       s->path);
    if (s->checkpoint_size != checkpoint_size)
        return lv_fail(err, LV_ERR_IO,
                       "the checkpoint of '%s' has %d numbers, this run needs %d",
                       s->path, s->checkpoint_size, checkpoint_size);
    lv_status status = lv_h5_check_rows(s, s->checkpoint_rows, err);
    if (status == LV_ERR_IO)
        lv_error_hint(err, "the file is left as it is, and other rows can be read; the "
                           "run has to be done again, to another file");
    return status;
}

/* Drops the rows after the checkpoint. */
static lv_status rewind_rows(lv_h5_sink *s, lv_error *err)
{
    const bool shorter = s->checkpoint_rows < s->rows;
    s->rows = s->checkpoint_rows;
    for (int k = 0; k < s->channel_count; k++) {
        lv_h5_channel *c = &s->channels[k];
        c->written = s->rows;
        c->start = s->rows - s->rows % (long long)c->tree.rows;
    }
    return shorter ? lv_h5_commit(s, NULL, err) : LV_OK;
}

static lv_status reopen(lv_h5_sink *s, lv_h5_old *old, int checkpoint_size, lv_error *err)
{
    LV_TRY(lv_h5_open(s, old, O_RDWR, err));
    LV_TRY(check_count(s, old, err));
    if (!lv_h5_record_get(s, old->record, old->channel_count, old->end))
        return lv_h5_damaged(s, "its record", err);
    LV_TRY(check_channels(s, old, err));
    LV_TRY(lv_h5_read_constants(s, old, err));
    for (int k = 0; k < s->channel_count; k++)
        LV_TRY(check_labels(s, &s->channels[k], old, err));
    LV_TRY(lv_h5_read_side(s, old, err));
    LV_TRY(lv_h5_make_buffers(s, err));
    LV_TRY(check_kept(s, checkpoint_size, err));
    return rewind_rows(s, err);
}

lv_status lv_hdf5_append(lv_sink **sink, const char *path, const lv_channels *channels,
                         int checkpoint_size, lv_error *err)
{
    *sink = NULL;
    lv_h5_sink *s = lv_h5_sink_new(path, channels);
    if (!s)
        return lv_fail_memory(err);
    lv_h5_old old;
    lv_status status = reopen(s, &old, checkpoint_size, err);
    lv_h5_old_done(&old);
    if (status != LV_OK) {
        lv_h5_sink_free(s);
        return status;
    }
    *sink = &s->sink;
    return LV_OK;
}

lv_status lv_hdf5_last_row(lv_sink *sink, double *values, lv_error *err)
{
    const lv_h5_sink *s = (lv_h5_sink *)sink;
    for (int k = 0; k + 1 < s->channel_count; k++) {
        const lv_h5_channel *c = &s->channels[k];
        LV_TRY(lv_h5_read_rows(s, c, values, s->rows - 1, 1, err));
        values += c->source->width;
    }
    return LV_OK;
}
