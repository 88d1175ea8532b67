#include "base/file.h"

#include "base/memory.h"

#include <errno.h>
#include <string.h>

typedef LV_ARRAY(char) bytes;

/* The text grows as it comes. */
static lv_status read_pieces(bytes *all, FILE *file, const char *path, int most,
                             lv_error *err)
{
    enum { PIECE = 1 << 16 };
    size_t got = 1;
    while (got > 0) {
        if (all->count > most)
            return lv_fail(err, LV_ERR_LIMIT, "'%s' is larger than %d MB", path,
                           most >> 20);
        if (!LV_RESERVE(*all, PIECE))
            return lv_fail_memory(err);
        errno = 0;
        got = fread(all->data + all->count, 1, PIECE, file);
        all->count += (int)got;
    }
    if (ferror(file))
        return lv_fail(err, LV_ERR_IO, "cannot read '%s': %s", path, strerror(errno));
    return LV_OK;
}

lv_status lv_file_read_rest(char **text, size_t *size, FILE *file, const char *path,
                            int most, lv_error *err)
{
    bytes all = {0};
    const lv_status status = read_pieces(&all, file, path, most, err);
    if (status != LV_OK) {
        LV_ARRAY_FREE(all);
        return status;
    }
    *text = all.data;
    *size = (size_t)all.count;
    return LV_OK;
}

lv_status lv_file_read(char **text, size_t *size, const char *path, int most,
                       lv_error *err)
{
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return lv_fail(err, LV_ERR_IO, "cannot read '%s': %s", path, strerror(errno));
    const lv_status status = lv_file_read_rest(text, size, file, path, most, err);
    (void)fclose(file); /* nothing was written */
    return status;
}
