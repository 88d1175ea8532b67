/* Structure certificates as text and as JSON. */
#ifndef CLI_VERIFY_H
#define CLI_VERIFY_H

#include <livens/livens.h>

#include <stdio.h>

typedef struct cli_verify {
    const char *file;
    const lv_model *model;
    const lv_certificate *certificate;
    const char *page; /* NULL: none was written */
    lv_report_info page_info;
} cli_verify;

void cli_verify_write_text(FILE *out, const cli_verify *verify);
void cli_verify_write_json(const cli_verify *verify);

#endif
