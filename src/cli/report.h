/* Reports as text: a title, labelled facts, headings, warnings, within the width of the
 * stream. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "cli/terminal.h"

#include <livens/status.h>

#include <stddef.h>

enum {
    CLI_LABEL = 22, /* width of the labels, with the indent */
    CLI_LINE_SIZE = 4000
};

/* A line that is assembled before it is wrapped; text that does not fit is dropped. Start
 * with {.length = 0}. */
typedef struct cli_line {
    char text[CLI_LINE_SIZE];
    size_t length;
} cli_line;

void cli_line_add(cli_line *line, const char *format, ...) LV_PRINTF(2, 3);

/* Drops the sign of zero and NaN, which is correct but looks like a mistake. */
double cli_unsigned_zero(double x);

/* Writes the title on the left, the file on the right, the description (may be NULL)
 * below, and an empty line. */
void cli_put_title(FILE *out, const char *title, const char *file,
                   const char *description);

/* An empty line, then the heading. */
void cli_put_heading(FILE *out, const char *heading);

/* "  label               text", wrapped */
void cli_put_fact(FILE *out, const char *label, const char *text);

/* "warning: text", wrapped */
void cli_put_warning(FILE *out, const char *text);

/* "remark: text", wrapped */
void cli_put_remark(FILE *out, const char *text);

#endif
