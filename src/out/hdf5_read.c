/* Reads what a resumed run or sweep needs. Only files as livens left them can be resumed,
 * so that only the output of hdf5_create.c must be understood. Nothing in a file is used
 * before its checksum is verified. */
#include "out/hdf5_sink.h"

#include "base/memory.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static char *text_copy(const char *text, size_t length)
{
    char *copy = lv_memory_resize(NULL, length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

/* Reads the text that the link at *address leads to. */
static lv_status read_text(const lv_h5_sink *s, lv_hdf5_run *run,
                           const lv_h5_piece *piece, uint64_t *address, lv_error *err)
{
    const char *name = NULL;
    size_t length = 0;
    uint64_t header = 0, at = 0, size = 0;
    const unsigned char *text = NULL;
    if (lv_h5_link_read(piece, address, &name, &length, &header) &&
        lv_h5_contiguous_read(piece, header, &at, &size))
        text = lv_h5_at(piece, at, size);
    if (!text)
        return lv_h5_damaged(s, "the model or the options", err);
    const void *end = memchr(text, 0, (size_t)size);
    const int k = run->text_count++;
    run->names[k] = text_copy(name, length);
    run->texts[k] =
        text_copy((const char *)text,
                  end ? (size_t)((const unsigned char *)end - text) : (size_t)size);
    return run->names[k] && run->texts[k] ? LV_OK : lv_fail_memory(err);
}

static lv_status read_texts(const lv_h5_sink *s, lv_hdf5_run *run, const lv_h5_old *old,
                            lv_error *err)
{
    const lv_h5_piece piece = {old->constants, (size_t)s->constant_size, s->constant_at};
    const int count = s->run_links.messages;
    uint64_t address = s->run_links.at;
    if (count < 0 || (uint64_t)count > s->run_links.size)
        return lv_h5_damaged(s, "its record", err);
    run->names = lv_memory_zeroed((size_t)count + 1, sizeof *run->names);
    run->texts = lv_memory_zeroed((size_t)count + 1, sizeof *run->texts);
    if (!run->names || !run->texts)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++)
        LV_TRY(read_text(s, run, &piece, &address, err));
    return LV_OK;
}

static lv_status read_checkpoint(const lv_h5_sink *s, lv_hdf5_run *run, lv_error *err)
{
    const size_t size = (size_t)s->checkpoint_size * sizeof *run->checkpoint;
    if (s->checkpoint_rows < 0)
        return LV_OK;
    run->checkpoint =
        lv_memory_zeroed((size_t)s->checkpoint_size, sizeof *run->checkpoint);
    if (!run->checkpoint)
        return lv_fail_memory(err);
    LV_TRY(lv_h5_read(&s->file, s->slot_at[s->slot], run->checkpoint, size, err));
    if (lv_h5_checksum((const unsigned char *)run->checkpoint, size) !=
        s->checkpoint_checksum)
        return lv_h5_damaged(s, "the state of its run", err);
    run->checkpoint_count = s->checkpoint_size;
    run->rows = s->checkpoint_rows;
    return LV_OK;
}

/* Replaces an error by the message that the file has a writer, if it has one: a file that
 * changes while it is read looks damaged. */
static lv_status blame_writer(const lv_h5_sink *s, lv_status status, lv_error *err)
{
    if (s->file.fd < 0 || lv_lock_test(s->file.fd, s->path, NULL) == LV_OK)
        return status;
    return lv_lock_test(s->file.fd, s->path, err);
}

static lv_status read_run(lv_h5_sink *s, lv_h5_old *old, lv_hdf5_run *run, lv_error *err)
{
    LV_TRY(lv_h5_open(s, old, O_RDONLY, err));
    if (!lv_h5_record_get(s, old->record, old->channel_count, old->end))
        return lv_h5_damaged(s, "its record", err);
    LV_TRY(lv_h5_read_constants(s, old, err));
    LV_TRY(lv_h5_read_side(s, old, err));
    LV_TRY(read_checkpoint(s, run, err));
    return read_texts(s, run, old, err);
}

lv_status lv_hdf5_read_run(lv_hdf5_run *run, const char *path, lv_error *err)
{
    lv_h5_old old = {0};
    *run = (lv_hdf5_run){0};
    lv_h5_sink *s = lv_h5_sink_new(path, NULL); /* NULL: rows are not read */
    if (!s)
        return lv_fail_memory(err);
    lv_status status = read_run(s, &old, run, err);
    lv_h5_old_done(&old);
    if (status != LV_OK) {
        lv_hdf5_run_done(run);
        status = blame_writer(s, status, err);
    }
    lv_h5_sink_free(s);
    return status;
}

const char *lv_hdf5_run_text(const lv_hdf5_run *run, const char *name)
{
    for (int k = 0; k < run->text_count; k++)
        if (strcmp(run->names[k], name) == 0)
            return run->texts[k];
    return "";
}

void lv_hdf5_run_done(lv_hdf5_run *run)
{
    for (int k = 0; k < run->text_count; k++) {
        lv_memory_free(run->names[k]);
        lv_memory_free(run->texts[k]);
    }
    lv_memory_free(run->names);
    lv_memory_free(run->texts);
    lv_memory_free(run->checkpoint);
    *run = (lv_hdf5_run){0};
}

/* ---- rows ----------------------------------------------------------------------------- */

struct lv_hdf5_reader {
    lv_h5_sink *file; /* a sink that is only read; its channels are those of the file */
    lv_channel *sources;
    lv_hdf5_dataset *datasets;
    lv_h5_old old;
};

/* Makes channels from the record; their names point into it. */
static lv_status make_channels(lv_hdf5_reader *r, lv_error *err)
{
    lv_h5_sink *s = r->file;
    const size_t count = (size_t)r->old.channel_count + 1;
    r->sources = lv_memory_zeroed(count, sizeof *r->sources);
    r->datasets = lv_memory_zeroed(count, sizeof *r->datasets);
    lv_memory_free(s->channels);
    s->channels = lv_memory_zeroed(count, sizeof *s->channels);
    if (!r->sources || !r->datasets || !s->channels)
        return lv_fail_memory(err);
    s->channel_count = r->old.channel_count;
    if (s->channel_count == 0 ||
        !lv_h5_record_get(s, r->old.record, r->old.channel_count, r->old.end))
        return lv_h5_damaged(s, "its record", err);
    for (int k = 0; k < s->channel_count; k++) {
        uint64_t width = 0;
        r->sources[k].name = lv_h5_record_name(r->old.record, k, &width);
        r->sources[k].width = (int)width;
        s->channels[k].source = &r->sources[k];
    }
    return LV_OK;
}

static lv_status open_rows(lv_hdf5_reader *r, lv_error *err)
{
    LV_TRY(lv_h5_open(r->file, &r->old, O_RDONLY, err));
    LV_TRY(make_channels(r, err));
    LV_TRY(lv_h5_read_constants(r->file, &r->old, err));
    LV_TRY(lv_h5_read_side(r->file, &r->old, err));
    for (int k = 0; k < r->file->channel_count; k++)
        r->datasets[k] =
            (lv_hdf5_dataset){r->sources[k].name, r->sources[k].width, r->file->rows};
    LV_TRY(lv_h5_make_buffers(r->file, err));
    return lv_h5_check_rows(r->file, r->file->rows, err);
}

lv_status lv_hdf5_open(lv_hdf5_reader **reader, const char *path, lv_error *err)
{
    *reader = NULL;
    lv_hdf5_reader *r = lv_memory_zeroed(1, sizeof *r);
    if (!r)
        return lv_fail_memory(err);
    r->file = lv_h5_sink_new(path, NULL);
    lv_status status = r->file ? open_rows(r, err) : lv_fail_memory(err);
    if (status == LV_OK) {
        *reader = r;
        return LV_OK;
    }
    if (r->file)
        status = blame_writer(r->file, status, err);
    lv_hdf5_close(r);
    return status;
}

void lv_hdf5_close(lv_hdf5_reader *reader)
{
    if (!reader)
        return;
    lv_h5_sink_free(reader->file);
    lv_h5_old_done(&reader->old);
    lv_memory_free(reader->sources);
    lv_memory_free(reader->datasets);
    lv_memory_free(reader);
}

const lv_hdf5_dataset *lv_hdf5_find(const lv_hdf5_reader *reader, const char *name)
{
    /* the last channel has checksums */
    for (int k = 0; k + 1 < reader->file->channel_count; k++)
        if (strcmp(reader->datasets[k].name, name) == 0)
            return &reader->datasets[k];
    return NULL;
}

const lv_hdf5_dataset *lv_hdf5_dataset_at(const lv_hdf5_reader *reader, int k)
{
    return k >= 0 && k + 1 < reader->file->channel_count ? &reader->datasets[k] : NULL;
}

/* Labels are stored one after the other, each padded with zeros to the longest. */
const char *lv_hdf5_label(const lv_hdf5_reader *reader, const lv_hdf5_dataset *dataset,
                          int column, char *buffer, size_t size)
{
    const lv_h5_sink *s = reader->file;
    const lv_h5_channel *c = &s->channels[dataset - reader->datasets];
    const lv_h5_piece piece = {reader->old.constants, (size_t)s->constant_size,
                               s->constant_at};
    const unsigned char *text =
        lv_h5_at(&piece, c->names + (uint64_t)column * c->label_length, c->label_length);
    const int length = text && c->label_length < INT_MAX ? (int)c->label_length : 0;
    (void)snprintf(buffer, size, "%.*s", length, text ? (const char *)text : "");
    return buffer;
}

lv_status lv_hdf5_read(const lv_hdf5_reader *reader, double *values,
                       const lv_hdf5_dataset *dataset, long long first, long long count,
                       lv_error *err)
{
    const lv_h5_sink *s = reader->file;
    const lv_h5_channel *c = &s->channels[dataset - reader->datasets];
    if (first < 0 || count < 0 || first > dataset->rows - count)
        return lv_fail(err, LV_ERR_USAGE,
                       "'%s' in '%s' has %lld rows, asked for %lld to %lld",
                       dataset->name, s->path, dataset->rows, first, first + count - 1);
    return lv_h5_read_rows(s, c, values, first, count, err);
}
