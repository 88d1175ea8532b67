#include "out/hdf5_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

uint64_t lv_h5_take(lv_h5_file *file, uint64_t size)
{
    const uint64_t address = (file->end + 7) & ~(uint64_t)7;
    file->end = address + size;
    return address;
}

lv_status lv_io_fail(lv_error *err, const char *verb, const char *path, int reason)
{
    char text[200];
    if (strerror_r(reason, text, sizeof text) != 0)
        memcpy(text, "unknown reason", sizeof "unknown reason");
    if (strcmp(path, "-") == 0)
        return lv_fail(err, LV_ERR_IO, "cannot %s to standard output: %s", verb, text);
    return lv_fail(err, LV_ERR_IO, "cannot %s '%s': %s", verb, path, text);
}

lv_status lv_h5_write(const lv_h5_file *file, uint64_t address, const void *data,
                      size_t size, lv_error *err)
{
    const char *from = data;
    while (size > 0) {
        ssize_t n = pwrite(file->fd, from, size, (off_t)address);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return lv_io_fail(err, "write", file->path, n < 0 ? errno : ENOSPC);
        from += n;
        address += (uint64_t)n;
        size -= (size_t)n;
    }
    return LV_OK;
}

lv_status lv_h5_read(const lv_h5_file *file, uint64_t address, void *data, size_t size,
                     lv_error *err)
{
    char *to = data;
    while (size > 0) {
        ssize_t n = pread(file->fd, to, size, (off_t)address);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return lv_io_fail(err, "read", file->path, errno);
        if (n == 0)
            return lv_fail(err, LV_ERR_IO, "'%s' ends too early", file->path);
        to += n;
        address += (uint64_t)n;
        size -= (size_t)n;
    }
    return LV_OK;
}
