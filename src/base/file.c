#include "base/file.h"

#include "base/memory.h"

#include <errno.h>
#include <string.h>

lv_status lv_file_read(FILE *file, char **text, size_t *size, int most, const char *path,
                       lv_error *err)
{
    LV_ARRAY(char) bytes = {0};
    enum { PIECE = 1 << 16 };
    size_t got = 1;
    while (got > 0) {
        if (bytes.count > most) {
            LV_ARRAY_FREE(bytes);
            return lv_fail(err, LV_ERR_LIMIT, "'%s' is larger than %d MB", path,
                           most >> 20);
        }
        if (!LV_RESERVE(bytes, PIECE)) {
            LV_ARRAY_FREE(bytes);
            return lv_fail_memory(err);
        }
        errno = 0;
        got = fread(bytes.data + bytes.count, 1, PIECE, file);
        bytes.count += (int)got;
    }
    if (ferror(file)) {
        LV_ARRAY_FREE(bytes);
        return lv_fail(err, LV_ERR_IO, "cannot read '%s': %s", path, strerror(errno));
    }
    *text = bytes.data;
    *size = (size_t)bytes.count;
    return LV_OK;
}

lv_status lv_file_read_named(const char *path, char **text, size_t *size, int most,
                             lv_error *err)
{
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return lv_fail(err, LV_ERR_IO, "cannot read '%s': %s", path, strerror(errno));
    const lv_status status = lv_file_read(file, text, size, most, path, err);
    (void)fclose(file); /* nothing was written */
    return status;
}
