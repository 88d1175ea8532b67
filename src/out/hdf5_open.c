/* Opens a file of an earlier run. Nothing in it is used before its checksum is
 * verified. */
#include "out/hdf5_sink.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

lv_status lv_h5_damaged(const lv_h5_sink *s, const char *what, lv_error *err)
{
    return lv_fail(err, LV_ERR_IO, "'%s' is damaged: %s", s->path, what);
}

/* Files that are not regular are refused before they are opened: opening a pipe would
 * block. */
static lv_status open_regular(lv_h5_sink *s, int mode, lv_error *err)
{
    struct stat info;
    if (stat(s->path, &info) != 0)
        return lv_io_fail(err, "read", s->path, errno);
    if (S_ISDIR(info.st_mode))
        return lv_io_fail(err, "read", s->path, EISDIR);
    if (!S_ISREG(info.st_mode))
        return lv_fail(err, LV_ERR_IO, "cannot read '%s': not a regular file", s->path);
    s->file.fd = open(s->path, mode | O_CLOEXEC);
    if (s->file.fd < 0)
        return lv_io_fail(err, mode == O_RDWR ? "write" : "read", s->path, errno);
    return LV_OK;
}

static lv_status check_kind(const lv_h5_sink *s, const unsigned char *record,
                            lv_error *err)
{
    lv_status status = LV_OK;
    switch (lv_h5_record_kind(record)) {
    case LV_H5_OURS:
        break;
    case LV_H5_OTHER_VERSION:
        status = lv_fail(err, LV_ERR_IO, "'%s' was written by another version of livens",
                         s->path);
        lv_error_hint(err, "its rows can be read, but the run cannot be resumed");
        break;
    case LV_H5_FOREIGN:
        status = lv_fail(err, LV_ERR_IO,
                         "'%s' is an HDF5 file, but not as livens writes it", s->path);
        lv_error_hint(err,
                      "programs that rewrite files, such as h5repack, leave out what "
                      "is needed to add rows");
        break;
    }
    return status;
}

/* Reads the superblock and the head of the record. */
static lv_status read_head(const lv_h5_sink *s, lv_h5_old *old, lv_error *err)
{
    unsigned char head[LV_H5_RECORD_AT + LV_H5_RECORD_HEAD] = {0};
    struct stat info;
    if (fstat(s->file.fd, &info) != 0)
        return lv_io_fail(err, "read", s->path, errno);
    const uint64_t size = (uint64_t)info.st_size;
    if (size >= sizeof head)
        LV_TRY(lv_h5_read(&s->file, 0, head, sizeof head, err));
    if (!lv_h5_superblock_read(head, &old->root, &old->end))
        return lv_fail(err, LV_ERR_IO, "'%s' is not an HDF5 file", s->path);
    LV_TRY(check_kind(s, head + LV_H5_RECORD_AT, err));
    if (size < old->end)
        return lv_fail(err, LV_ERR_IO, "'%s' is incomplete: %llu bytes of %llu", s->path,
                       (unsigned long long)size, (unsigned long long)old->end);
    old->channel_count = lv_h5_record_channels(head + LV_H5_RECORD_AT);
    const uint64_t room = old->end < LV_H5_RECORD_AT ? 0 : old->end - LV_H5_RECORD_AT;
    if (old->channel_count < 0 || (uint64_t)lv_h5_record_size(old->channel_count) > room)
        return lv_h5_damaged(s, "its record", err);
    return LV_OK;
}

lv_status lv_h5_open(lv_h5_sink *s, lv_h5_old *old, int mode, lv_error *err)
{
    *old = (lv_h5_old){0};
    LV_TRY(open_regular(s, mode, err));
    if (mode == O_RDWR)
        LV_TRY(lv_lock_writer(s->file.fd, s->path, err));
    LV_TRY(read_head(s, old, err));
    const size_t size = (size_t)lv_h5_record_size(old->channel_count);
    old->record = lv_memory_resize(NULL, size);
    if (!old->record)
        return lv_fail_memory(err);
    LV_TRY(lv_h5_read(&s->file, LV_H5_RECORD_AT, old->record, size, err));
    return lv_h5_record_check(old->record, old->channel_count)
               ? LV_OK
               : lv_h5_damaged(s, "its record", err);
}

lv_status lv_h5_read_constants(const lv_h5_sink *s, lv_h5_old *old, lv_error *err)
{
    const size_t size = (size_t)s->constant_size;
    old->constants = lv_memory_resize(NULL, size + 1);
    if (!old->constants)
        return lv_fail_memory(err);
    LV_TRY(lv_h5_read(&s->file, s->constant_at, old->constants, size, err));
    return lv_h5_checksum(old->constants, size) == s->constant_checksum
               ? LV_OK
               : lv_h5_damaged(s, "the model, the options or the names of columns", err);
}

lv_status lv_h5_read_side(lv_h5_sink *s, const lv_h5_old *old, lv_error *err)
{
    const int side = old->root >= s->side_at[1];
    uint64_t end = old->end;
    if (old->root < s->side_at[side] || old->root - s->side_at[side] >= s->side_size)
        end = LV_H5_NOWHERE; /* the root group belongs to another program */
    s->image.count = 0;
    lv_bytes_zeros(&s->image, (size_t)s->side_size);
    if (s->image.failed)
        return lv_fail_memory(err);
    LV_TRY(
        lv_h5_read(&s->file, s->side_at[side], s->image.data, (size_t)s->side_size, err));
    return lv_h5_restore_side(s, side, end, err);
}

void lv_h5_old_done(lv_h5_old *old)
{
    lv_memory_free(old->record);
    lv_memory_free(old->constants);
    *old = (lv_h5_old){0};
}
