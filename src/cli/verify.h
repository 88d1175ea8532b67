/* Structure certificates for eyes and for programs. */
#ifndef CLI_VERIFY_H
#define CLI_VERIFY_H

#include <livens/livens.h>

#include <stdio.h>

typedef struct cli_verify {
    const char *file;
    const lv_model *model;
    const lv_certificate *certificate;
} cli_verify;

void cli_verify_write_text(const cli_verify *verify);
void cli_verify_write_json(const cli_verify *verify, FILE *out);

#endif
