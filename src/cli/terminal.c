#include "cli/terminal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_colourful(FILE *stream)
{
    const char *refused = getenv("NO_COLOR"), *kind = getenv("TERM");
    if (refused && refused[0])
        return false;
    return isatty(fileno(stream)) && kind && strcmp(kind, "dumb") != 0;
}

const char *cli_style(FILE *stream, cli_look look)
{
    if (!is_colourful(stream))
        return "";
    switch (look) {
    case CLI_NORMAL:
        return "\033[0m";
    case CLI_STRONG:
        return "\033[1m";
    case CLI_ALARM:
        return "\033[1;31m";
    }
    return "";
}

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Columns of the first `length` bytes. */
static int columns(const char *text, size_t length)
{
    int n = 0;
    for (size_t k = 0; k < length; k++)
        n += !is_continuation(text[k]);
    return n;
}

int cli_columns(const char *text)
{
    return columns(text, strlen(text));
}

/* Length of the control character at text, 0 if there is none. U+0080 to U+009F, in UTF-8 two
 * bytes from C2, are such, too. */
static size_t control_length(const char *text, size_t length)
{
    unsigned char first = (unsigned char)text[0];
    if (first < 32 || first == 127)
        return 1;
    if (first == 0xC2 && length > 1 && (unsigned char)text[1] < 0xA0)
        return 2;
    return 0;
}

static void put_bytes(FILE *out, const char *text, size_t length)
{
    while (length > 0) {
        size_t n = control_length(text, length);
        fputc(n == 0 ? text[0] : '?', out);
        n = n == 0 ? 1 : n;
        text += n;
        length -= n;
    }
}

void cli_put(FILE *out, const char *text)
{
    put_bytes(out, text, strlen(text));
}

void cli_put_lines(FILE *out, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        put_bytes(out, text, length);
        text += length;
        if (*text == '\n')
            fputc(*text++, out);
    }
}

void cli_put_padded(FILE *out, const char *text, int width)
{
    cli_put(out, text);
    int missing = width - cli_columns(text);
    fprintf(out, "%*s", missing > 0 ? missing : 0, "");
}

void cli_put_wrapped(FILE *out, const char *text, int at, int indent)
{
    const char *const blanks = " \t\r\n";
    bool fresh = true; /* nothing stands in this line yet */
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        size_t length = strcspn(text, blanks);
        int width = columns(text, length);
        if (!fresh && at + 1 + width > CLI_WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            at = indent;
            fresh = true;
        }
        if (!fresh)
            fputc(' ', out);
        put_bytes(out, text, length);
        at += width + !fresh;
        fresh = false;
        text += length;
    }
    fputc('\n', out);
}
