/* Names separated by commas. */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include <livens/livens.h>

/* The list, with the text that it points into. */
typedef struct cli_names {
    char *text;
    const char **list;
    int count;
} cli_names;

/* Splits a text, which may be NULL. Call cli_names_done in every case. */
LV_NODISCARD lv_status cli_names_split(cli_names *names, const char *text, lv_error *err);
void cli_names_done(cli_names *names);

#endif
