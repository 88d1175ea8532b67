/* The file of a page: data between the two halves of the template. */
#ifndef LV_REPORT_PAGE_H
#define LV_REPORT_PAGE_H

#include "base/status.h"
#include "report/json.h"

#include <stdio.h>

typedef struct lv_page {
    const char *path; /* owned by the caller */
    char *part; /* temporary file until the page is complete; NULL: written directly */
    FILE *file;
} lv_page;

/* Opens a temporary file beside `path`, which lv_page_finish replaces; "-" is standard
 * output. */
lv_status lv_page_open(lv_page *page, const char *path, lv_error *err);

/* Begins the data of a page about "runs", a "sweep" or a "study": everything added next
 * belongs to its object. */
void lv_page_begin(lv_json *json, const char *kind);

/* Ends the data and writes the page; *bytes becomes its size. */
lv_status lv_page_finish(lv_page *page, lv_json *json, size_t *bytes, lv_error *err);

/* Frees the page; a page that was not finished leaves no file behind. */
void lv_page_done(lv_page *page);

#endif
