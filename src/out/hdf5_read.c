/* Reads what a resumed run needs: only files as livens left them can be resumed, so only what
 * hdf5_create.c writes has to be understood, and everything read has a checksum. */
#include "out/hdf5_sink.h"

#include "base/memory.h"

#include <fcntl.h>
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

/* The text that the link at *address leads to. */
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
    if (s->checkpoint_size == 0) {
        lv_status status = lv_fail(err, LV_ERR_IO,
                                   "'%s' has no checkpoint: it is not the result of "
                                   "a single run",
                                   s->path);
        lv_error_hint(err, "only files of livens run can be resumed");
        return status;
    }
    if (s->checkpoint_rows < 0)
        return lv_fail(err, LV_ERR_IO,
                       "'%s' has no checkpoint: its run stopped before the first one",
                       s->path);
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
    const lv_channels none = {0, NULL}; /* rows are not looked at */
    lv_h5_old old = {0};
    *run = (lv_hdf5_run){0};
    lv_h5_sink *s = lv_h5_sink_new(path, &none);
    if (!s)
        return lv_fail_memory(err);
    lv_status status = read_run(s, &old, run, err);
    lv_h5_old_done(&old);
    if (status != LV_OK) {
        lv_hdf5_run_done(run);
        /* A file that changes while it is read looks damaged. */
        if (s->file.fd >= 0 && lv_lock_test(s->file.fd, path, NULL) != LV_OK)
            status = lv_lock_test(s->file.fd, path, err);
    }
    lv_h5_sink_free(s);
    return status;
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
