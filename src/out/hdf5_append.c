/* Opens an HDF5 file of an earlier run to go on with it. */
#include "out/hdf5_sink.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static lv_status check_labels(const lv_h5_sink *s, const lv_h5_channel *c, lv_error *err)
{
    size_t size = 0;
    if (c->source->width == 0)
        return LV_OK;
    if (c->label_length > LABEL ||
        !lv_size_mul((size_t)c->source->width, (size_t)c->label_length, &size))
        return lv_fail(err, LV_ERR_IO, "'%s' is damaged: its record", s->path);
    char *stored = lv_memory_resize(NULL, size);
    if (!stored)
        return lv_fail_memory(err);
    lv_status status = lv_h5_read(&s->file, c->names, stored, size, err);
    if (status == LV_OK)
        status = compare_labels(s, c, stored, err);
    lv_memory_free(stored);
    return status;
}

static lv_status check_channels(const lv_h5_sink *s, const unsigned char *record,
                                lv_error *err)
{
    for (int k = 0; k < s->channel_count; k++) {
        const lv_channel *source = s->channels[k].source;
        uint64_t width = 0;
        const char *name = lv_h5_record_name(record, k, &width);
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

/* Reads the superblock and the record; the latter is the caller's to free. */
static lv_status read_record(const lv_h5_sink *s, unsigned char **record, uint64_t *root,
                             uint64_t *end, lv_error *err)
{
    unsigned char head[LV_H5_RECORD_AT + LV_H5_RECORD_HEAD] = {0};
    struct stat info;
    if (fstat(s->file.fd, &info) != 0)
        return lv_io_fail(err, "read", s->path, errno);
    if ((uint64_t)info.st_size >= sizeof head)
        LV_TRY(lv_h5_read(&s->file, 0, head, sizeof head, err));
    if (!lv_h5_superblock_read(head, root, end))
        return lv_fail(err, LV_ERR_IO, "'%s' is not an HDF5 file", s->path);
    const int count = lv_h5_record_channels(head + LV_H5_RECORD_AT);
    if (count < 0) {
        lv_status status = lv_fail(
            err, LV_ERR_IO, "'%s' is an HDF5 file, but not as livens writes it", s->path);
        lv_error_hint(err,
                      "programs that rewrite files, such as h5repack, leave out what "
                      "is needed to add rows");
        return status;
    }
    if ((uint64_t)info.st_size < *end)
        return lv_fail(err, LV_ERR_IO, "'%s' is incomplete: %lld bytes of %llu", s->path,
                       (long long)info.st_size, (unsigned long long)*end);
    if (count != s->channel_count) {
        lv_status status =
            lv_fail(err, LV_ERR_IO, "'%s' has %d kinds of results, this run records %d",
                    s->path, count, s->channel_count);
        hint_same_model(err);
        return status;
    }

    const size_t size = (size_t)lv_h5_record_size(count);
    *record = lv_memory_resize(NULL, size);
    if (!*record)
        return lv_fail_memory(err);
    LV_TRY(lv_h5_read(&s->file, LV_H5_RECORD_AT, *record, size, err));
    if (!lv_h5_record_check(*record, count))
        return lv_fail(err, LV_ERR_IO, "'%s' is damaged: its record", s->path);
    return LV_OK;
}

/* Reads the side that the superblock points into. */
static lv_status read_side(lv_h5_sink *s, uint64_t root, uint64_t end, lv_error *err)
{
    const int side = root >= s->side_at[1];
    if (root < s->side_at[side] || root - s->side_at[side] >= s->side_size)
        end = LV_H5_NOWHERE; /* a root group of somebody else's */
    s->image.count = 0;
    lv_bytes_zeros(&s->image, (size_t)s->side_size);
    if (s->image.failed)
        return lv_fail_memory(err);
    LV_TRY(
        lv_h5_read(&s->file, s->side_at[side], s->image.data, (size_t)s->side_size, err));
    return lv_h5_restore_side(s, side, end, err);
}

/* Goes back to the rows of the checkpoint. */
static lv_status rewind_rows(lv_h5_sink *s, int checkpoint_size, lv_error *err)
{
    if (s->checkpoint_rows < 0)
        return lv_fail(err, LV_ERR_IO,
                       "'%s' has no checkpoint: its run stopped before the first one",
                       s->path);
    if (s->checkpoint_size != checkpoint_size)
        return lv_fail(err, LV_ERR_IO,
                       "the checkpoint of '%s' has %d numbers, this run needs %d",
                       s->path, s->checkpoint_size, checkpoint_size);
    const bool shorter = s->checkpoint_rows < s->rows;
    s->rows = s->checkpoint_rows;
    for (int k = 0; k < s->channel_count; k++) {
        lv_h5_channel *c = &s->channels[k];
        c->written = s->rows;
        c->start = s->rows - s->rows % (long long)c->tree.rows;
    }
    return shorter ? lv_h5_commit(s, NULL, err) : LV_OK;
}

static lv_status reopen(lv_h5_sink *s, int checkpoint_size, lv_error *err)
{
    unsigned char *record = NULL;
    uint64_t root = 0, end = 0;
    s->file.fd = open(s->path, O_RDWR | O_CLOEXEC);
    if (s->file.fd < 0)
        return lv_io_fail(err, errno == ENOENT ? "read" : "write", s->path, errno);
    LV_TRY(lv_h5_lock(s, err));
    lv_status status = read_record(s, &record, &root, &end, err);
    if (status == LV_OK) {
        lv_h5_record_get(s, record);
        status = check_channels(s, record, err);
    }
    lv_memory_free(record);
    LV_TRY(status);
    for (int k = 0; k < s->channel_count; k++)
        LV_TRY(check_labels(s, &s->channels[k], err));
    LV_TRY(read_side(s, root, end, err));
    LV_TRY(lv_h5_make_buffers(s, err));
    return rewind_rows(s, checkpoint_size, err);
}

lv_status lv_hdf5_append(lv_sink **sink, const char *path, const lv_channels *channels,
                         int checkpoint_size, lv_error *err)
{
    *sink = NULL;
    lv_h5_sink *s = lv_h5_sink_new(path, channels);
    if (!s)
        return lv_fail_memory(err);
    lv_status status = reopen(s, checkpoint_size, err);
    if (status != LV_OK) {
        lv_h5_sink_free(s);
        return status;
    }
    *sink = &s->sink;
    return LV_OK;
}
