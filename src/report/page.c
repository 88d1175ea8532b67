#include "report/page.h"

#include "base/memory.h"
#include "out/hdf5_file.h"
#include "report/pack.h"
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

static const char bibtex[] =
    "@software{livens,\n"
    "  title   = {livens: structure-preserving integration of constrained mechanical "
    "systems},\n"
    "  author  = {{The livens authors}},\n"
    "  version = {" LIVENS_VERSION "}\n"
    "}\n";

void lv_page_begin(lv_json *j, const char *kind)
{
    lv_json_open(j, '{');
    lv_json_put_text(j, "version", LIVENS_VERSION);
    lv_json_put_text(j, "bibtex", bibtex);
    lv_json_put_text(j, "kind", kind);
}

/* ---- the file ------------------------------------------------------------------------------------ */

/* A piece of the template between two markers. */
typedef struct piece {
    const char *data;
    size_t size;
} piece;

static piece until(const char **at, const char *marker)
{
    const char *found = *at ? strstr(*at, marker) : NULL;
    const piece p = {*at, found ? (size_t)(found - *at) : 0};
    *at = found ? found + strlen(marker) : NULL;
    return p;
}

/* Writes pieces one after the other, up to the first failure. */
static lv_status write_pieces(lv_page *page, const piece *pieces, int count,
                              size_t *bytes, lv_error *err)
{
    *bytes = 0;
    for (int k = 0; k < count; k++) {
        if (fwrite(pieces[k].data, 1, pieces[k].size, page->file) != pieces[k].size)
            return fail(page, errno, err);
        *bytes += pieces[k].size;
    }
    return fflush(page->file) == 0 ? LV_OK : fail(page, errno, err);
}

static lv_status write_all(lv_page *page, const lv_text *data, size_t *bytes,
                           lv_error *err)
{
    static const char open[] = "<script type=\"application/json\" id=\"livens-data\">";
    static const char close[] = "</script>";
    const char *at = lv_report_page;
    lv_text packed = {0};
    const piece before = until(&at, LV_REPORT_BEGIN);
    (void)until(&at, LV_REPORT_END);
    const piece middle = until(&at, LV_REPORT_SCRIPT),
                script = until(&at, LV_REPORT_SCRIPT_END);
    if (!at)
        return lv_fail(err, LV_ERR_IO, "the page has no place for data");
    lv_pack_bytes(&packed, script.data, script.size);
    const piece pieces[] = {before,
                            {open, sizeof open - 1},
                            {data->data, (size_t)data->count},
                            {close, sizeof close - 1},
                            middle,
                            {packed.data, (size_t)packed.count},
                            {at, strlen(at)}};
    lv_status status =
        packed.failed
            ? lv_fail_memory(err)
            : write_pieces(page, pieces, sizeof pieces / sizeof pieces[0], bytes, err);
    lv_text_done(&packed);
    return status;
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

lv_status lv_page_finish(lv_page *page, lv_json *json, size_t *bytes, lv_error *err)
{
    lv_json_close(json, '}');
    LV_TRY(json->text.failed ? lv_fail_memory(err) : LV_OK);
    LV_TRY(write_all(page, &json->text, bytes, err));
    return replace(page, err);
}
