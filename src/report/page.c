#include "report/page.h"

#include "base/memory.h"
#include "out/hdf5_file.h"
#include "report/data.h"
#include "report/template.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static lv_status fail(const lv_page *page, int reason, lv_error *err)
{
    return lv_io_fail(err, "write", page->path, reason);
}

lv_status lv_page_open(lv_page *page, const char *path, lv_error *err)
{
    static const char ending[] = ".part";
    *page = (lv_page){.path = path};
    if (strcmp(path, "-") == 0) {
        page->file = stdout;
        return LV_OK;
    }
    const size_t length = strlen(path);
    page->part = lv_memory_zeroed(length + sizeof ending, 1);
    if (!page->part)
        return lv_fail_memory(err);
    memcpy(page->part, path, length);
    memcpy(page->part + length, ending, sizeof ending);
    page->file = fopen(page->part, "wb");
    return page->file ? LV_OK : fail(page, errno, err);
}

void lv_page_done(lv_page *page)
{
    if (page->part && page->file) {
        (void)fclose(page->file);
        (void)unlink(page->part);
    }
    lv_memory_free(page->part);
    *page = (lv_page){0};
}

/* Puts pieces one after the other; the first failure counts. */
static lv_status write_all(lv_page *page, const lv_text *data, size_t *bytes,
                           lv_error *err)
{
    static const char open[] = "<script type=\"application/json\" id=\"livens-data\">";
    static const char close[] = "</script>";
    const char *begin = strstr(lv_report_page, LV_REPORT_BEGIN);
    const char *end = begin ? strstr(begin, LV_REPORT_END) : NULL;
    if (!end)
        return lv_fail(err, LV_ERR_IO, "the page has no place for data");
    begin += strlen(LV_REPORT_BEGIN);
    const struct {
        const char *data;
        size_t size;
    } pieces[] = {{lv_report_page, (size_t)(begin - lv_report_page)},
                  {open, sizeof open - 1},
                  {data->data, (size_t)data->count},
                  {close, sizeof close - 1},
                  {end, strlen(end)}};
    *bytes = 0;
    for (size_t k = 0; k < sizeof pieces / sizeof pieces[0]; k++) {
        if (fwrite(pieces[k].data, 1, pieces[k].size, page->file) != pieces[k].size)
            return fail(page, errno, err);
        *bytes += pieces[k].size;
    }
    return fflush(page->file) == 0 ? LV_OK : fail(page, errno, err);
}

static lv_status replace(lv_page *page, lv_error *err)
{
    if (!page->part)
        return LV_OK;
    FILE *file = page->file;
    page->file = NULL;
    if (fclose(file) == 0 && rename(page->part, page->path) == 0)
        return LV_OK;
    const int reason = errno;
    (void)unlink(page->part);
    return fail(page, reason, err);
}

lv_status lv_page_finish(lv_page *page, const lv_report_run *runs, int count,
                         size_t *bytes, lv_error *err)
{
    lv_json json = {0};
    lv_status status = lv_page_data(&json, runs, count, err);
    if (status == LV_OK)
        status = write_all(page, &json.text, bytes, err);
    lv_text_done(&json.text);
    return status == LV_OK ? replace(page, err) : status;
}
