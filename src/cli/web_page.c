#include "cli/web_page.h"

#include "cli/error.h"
#include "cli/outputs.h"
#include "cli/report.h"

#include <string.h>
#include <strings.h>

static bool ends_like(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n >= m && strcasecmp(path + n - m, ending) == 0;
}

lv_status cli_page_check(const char *page, const cli_args *args, lv_error *err)
{
    if (!page) {
        lv_status status =
            cli_fail(err, LV_ERR_USAGE, "report needs -o OUT.html: where the page goes");
        cli_hint(err, "for example livens report %s -o page.html", args->items[0]);
        return status;
    }
    for (int k = 0; k < args->count; k++)
        if (cli_is_same_file(page, args->items[k]))
            return cli_fail(err, LV_ERR_USAGE, "the page would replace the results '%s'",
                            args->items[k]);
    return ends_like(page, ".h5") || ends_like(page, ".hdf5")
               ? cli_fail(err, LV_ERR_USAGE,
                          "-o %s would write a page into a file that ends like HDF5",
                          page)
               : LV_OK;
}

void cli_page_say(FILE *out, const char *page, const lv_report_info *info)
{
    cli_line l = {.length = 0};
    if (strcmp(page, "-") != 0)
        cli_line_add(&l, "%s: ", page);
    cli_line_add(&l, "a page of %.0f kB, open it in a browser",
                 (double)info->bytes / 1000);
    if (info->every > 1)
        cli_line_add(&l, "; plots show 1 of %lld rows", info->every);
    if (info->left_out > 0)
        cli_line_add(&l, "; %d column%s had no room", info->left_out,
                     info->left_out == 1 ? "" : "s");
    cli_put_wrapped(out, l.text, 0, 0);
}
