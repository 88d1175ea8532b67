/* For a machine without files and other programs, such as a page in a browser: system
 * services that the library asks for and that are not available there. It replaces
 * base/free_memory.c, base/file.c, the files of src/out and run/resume.c. */
#include "base/file.h"
#include "base/free_memory.h"
#include "run/run_private.h"

/* A page has 32-bit addresses; browsers give half of this range, and more only
 * sometimes. */
size_t lv_free_memory(void)
{
    return (size_t)1 << 31;
}

static lv_status refuse(const char *path, lv_error *err)
{
    return lv_fail(err, LV_ERR_IO, "cannot write '%s': there are no files here", path);
}

lv_status lv_csv_create(lv_sink **sink, const char *path, const lv_channels *channels,
                        lv_error *err)
{
    (void)channels;
    *sink = NULL;
    return refuse(path, err);
}

lv_status lv_hdf5_create(lv_sink **sink, const char *path, const lv_channels *channels,
                         const lv_header *header, lv_error *err)
{
    (void)header;
    return lv_csv_create(sink, path, channels, err);
}

lv_status lv_run_header(lv_running *run, lv_header *header, lv_error *err)
{
    (void)header;
    return refuse(run->request.hdf5, err);
}

lv_status lv_file_read_named(const char *path, char **text, size_t *size, int most,
                             lv_error *err)
{
    *text = NULL;
    *size = 0;
    (void)most;
    return lv_fail(err, LV_ERR_IO, "cannot read '%s': there are no files here", path);
}
