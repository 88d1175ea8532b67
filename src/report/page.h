/* The file that becomes a page: data between the two halves of the template. */
#ifndef LV_REPORT_PAGE_H
#define LV_REPORT_PAGE_H

#include "base/status.h"
#include "report/json.h"

#include <stdio.h>

typedef struct lv_page {
    const char *path; /* the caller's */
    char *part;       /* where it is written until it is complete; NULL: directly */
    FILE *file;
} lv_page;

/* Opens a file beside `path`, which is replaced only by lv_page_finish; "-" is standard output. */
lv_status lv_page_open(lv_page *page, const char *path, lv_error *err);

/* Begins the data of a page about "runs", a "sweep" or a "study": what is put next belongs to its object. */
void lv_page_begin(lv_json *json, const char *kind);

/* Ends the data and writes the page; *bytes becomes its size. */
lv_status lv_page_finish(lv_page *page, lv_json *json, size_t *bytes, lv_error *err);

/* Frees; a page that was not finished leaves nothing behind. */
void lv_page_done(lv_page *page);

#endif
