#include "cli/terminal.h"

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

bool cli_is_control(char c)
{
    return (unsigned char)c < 32 || c == 127;
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

static void put_bytes(FILE *out, const char *text, size_t length)
{
    for (size_t k = 0; k < length; k++)
        fputc(cli_is_control(text[k]) ? '?' : text[k], out);
}

void cli_put(FILE *out, const char *text)
{
    put_bytes(out, text, strlen(text));
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
