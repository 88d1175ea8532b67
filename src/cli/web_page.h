/* Pages that livens report and livens run --report write. */
#ifndef CLI_WEB_PAGE_H
#define CLI_WEB_PAGE_H

#include "cli/args.h"

#include <stdio.h>

/* Is this a place for a page about the files that are the arguments? */
LV_NODISCARD lv_status cli_page_check(const char *page, const cli_args *args,
                                      lv_error *err);

/* Where it is, how large, and what was left out. */
void cli_page_say(FILE *out, const char *page, const lv_report_info *info);

#endif
