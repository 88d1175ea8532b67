#include "cli/page.h"

#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>

enum {
    INDENT = 2,
    /* a longer term has a line of its own, with the explanation in the next line */
    TERM_MOST = 36
};

/* Whether the character has a meaning in Markdown. */
static bool is_special(char c)
{
    return strchr("\\`*<|", c) != NULL;
}

void cli_page_title(const cli_page *page, const char *title)
{
    if (page->markdown)
        fprintf(page->out, "# %s\n\n", title);
    else {
        fputs(cli_style(page->out, CLI_STRONG), page->out);
        cli_put_wrapped(page->out, title, 0, 0);
        fprintf(page->out, "%s\n", cli_style(page->out, CLI_NORMAL));
    }
}

void cli_page_heading(const cli_page *page, int level, const char *heading)
{
    if (page->markdown)
        fprintf(page->out, "%.*s %s\n\n", level, "######", heading);
    else
        fprintf(page->out, "%s%s%s\n", cli_style(page->out, CLI_STRONG), heading,
                cli_style(page->out, CLI_NORMAL));
}

/* Copies a paragraph without backquotes or, for Markdown, with special characters outside
 * of code escaped. `room` has twice the size of the text. */
static void convert(char *room, bool markdown, const char *text, size_t length)
{
    bool code = false;
    for (size_t k = 0; k < length; k++) {
        if (text[k] == '`')
            code = !code;
        if (markdown && !code && is_special(text[k]) && text[k] != '`')
            *room++ = '\\';
        if (markdown || text[k] != '`')
            *room++ = text[k];
    }
    *room = '\0';
}

static void put_paragraph(const cli_page *page, const char *text, size_t length)
{
    int indent = page->markdown ? 0 : INDENT;
    char *copy = malloc(2 * length + 1);
    if (!copy)
        return;
    convert(copy, page->markdown, text, length);
    fprintf(page->out, "%*s", indent, "");
    cli_put_wrapped(page->out, copy, indent, indent);
    fputc('\n', page->out);
    free(copy);
}

void cli_page_text(const cli_page *page, const char *text)
{
    while (*text) {
        const char *end = strstr(text, "\n\n");
        size_t length = end ? (size_t)(end - text) : strlen(text);
        put_paragraph(page, text, length);
        text += length + (end ? 2 : 0);
    }
}

void cli_page_code(const cli_page *page, const char *language, const char *text)
{
    if (page->markdown) {
        fprintf(page->out, "```%s\n%s\n```\n\n", language, text);
        return;
    }
    while (*text) {
        size_t length = strcspn(text, "\n");
        fprintf(page->out, "%*s%.*s\n", length > 0 ? 2 * INDENT : 0, "", (int)length,
                text);
        text += length + (text[length] == '\n');
    }
    fputc('\n', page->out);
}

/* The width of the column of terms, without terms that are too long. */
static int term_width(const cli_row *rows, int count)
{
    int width = 0;
    for (int k = 0; k < count; k++) {
        int columns = cli_columns(rows[k].term);
        if (columns > width && columns <= TERM_MOST)
            width = columns;
    }
    return width;
}

static void put_row(const cli_page *page, const cli_row *row, int width)
{
    int indent = INDENT + width + 2;
    fprintf(page->out, "%*s", INDENT, "");
    cli_put_padded(page->out, row->term, width + 2);
    if (cli_columns(row->term) > width)
        fprintf(page->out, "\n%*s", indent, "");
    cli_put_wrapped(page->out, row->text, indent, indent);
}

static void put_markdown_row(const cli_page *page, const cli_row *row)
{
    fputs("| ", page->out);
    cli_markdown_put_code(page->out, row->term);
    fputs(" | ", page->out);
    cli_markdown_put(page->out, row->text);
    fputs(" |\n", page->out);
}

void cli_page_rows(const cli_page *page, const char *term_heading,
                   const char *text_heading, const cli_row *rows, int count)
{
    int width = term_width(rows, count);
    if (page->markdown)
        fprintf(page->out, "| %s | %s |\n|---|---|\n", term_heading, text_heading);
    for (int k = 0; k < count; k++)
        if (page->markdown)
            put_markdown_row(page, &rows[k]);
        else
            put_row(page, &rows[k], width);
    fputc('\n', page->out);
}

void cli_markdown_put(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (is_special(*text))
            fputc('\\', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
}

void cli_markdown_put_code(FILE *out, const char *text)
{
    fputc('`', out);
    for (; *text; text++) {
        if (*text == '|')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('`', out);
}
