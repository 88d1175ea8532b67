/* The file that becomes a page: data between the two halves of the template. */
#ifndef LV_REPORT_PAGE_H
#define LV_REPORT_PAGE_H

#include "report/describe.h"

#include <stdio.h>

typedef struct lv_page {
    const char *path; /* the caller's */
    char *part;       /* where it is written until it is complete; NULL: directly */
    FILE *file;
} lv_page;

/* Opens a file beside `path`, which is replaced only by lv_page_finish; "-" is standard output. */
lv_status lv_page_open(lv_page *page, const char *path, lv_error *err);

/* Writes the page; *bytes becomes its size. */
lv_status lv_page_finish(lv_page *page, const lv_report_run *runs, int count,
                         size_t *bytes, lv_error *err);

/* Frees; a page that was not finished leaves nothing behind. */
void lv_page_done(lv_page *page);

#endif
