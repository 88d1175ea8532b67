/* A page of help, written once and shown as plain text or as Markdown. */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_page {
    FILE *out;
    bool markdown;
} cli_page;

/* A term with an explanation. */
typedef struct cli_row {
    const char *term;
    const char *text;
} cli_row;

void cli_page_title(const cli_page *page, const char *title);

/* level 2 or 3 */
void cli_page_heading(const cli_page *page, int level, const char *heading);

/* Writes paragraphs, separated by an empty line. `code` in backquotes is marked as code;
 * plain text drops the backquotes. */
void cli_page_text(const cli_page *page, const char *text);

/* Writes lines unchanged; the language only matters for Markdown ("" for none). */
void cli_page_code(const cli_page *page, const char *language, const char *text);

/* Writes terms with their explanations: two columns, or a table with the given
 * headings. */
void cli_page_rows(const cli_page *page, const char *term_heading,
                   const char *text_heading, const cli_row *rows, int count);

/* Writes a text inside a line of Markdown, with special characters escaped. */
void cli_markdown_put(FILE *out, const char *text);
/* The same as code. In tables, bars must be escaped even there. */
void cli_markdown_put_code(FILE *out, const char *text);

#endif
