/* Pages that livens report and livens run --report write. */
#ifndef CLI_WEB_PAGE_H
#define CLI_WEB_PAGE_H

#include "cli/args.h"

#include <stdio.h>

/* Checks that a page can be written to this path without overwriting the files in the
 * arguments. */
LV_NODISCARD lv_status cli_page_check(const char *page, const cli_args *args,
                                      lv_error *err);

/* Writes the path of the page, its size, and what was left out. */
void cli_page_say(FILE *out, const char *page, const lv_report_info *info);

#endif
