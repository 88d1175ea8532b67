#include "cli/terminal.h"

#include "cli/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int cli_width(FILE *stream)
{
    struct winsize size = {0};
    const int file = fileno(stream);
    if (!isatty(file) || ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return CLI_WIDTH;
    if (size.ws_col < CLI_WIDTH_LEAST)
        return CLI_WIDTH_LEAST;
    return size.ws_col < CLI_WIDTH_MOST ? size.ws_col : CLI_WIDTH_MOST;
}

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

/* The length of the character at `text` if it is printed as it is; 0: its first byte is
 * escaped. U+0080 to U+009F are control characters, too. */
static int printable_length(const char *text)
{
    const unsigned char first = (unsigned char)text[0], second = (unsigned char)text[1];
    if (first < 32 || first == 127 || (first == 0xC2 && second < 0xA0))
        return 0;
    return cli_utf8_length(text);
}

enum { ESCAPED = 4 }; /* width of \x9b */

/* The bytes of the next character or escaped byte, and its width. */
static size_t step(const char *text, int *columns)
{
    const int n = printable_length(text);
    *columns = n > 0 ? 1 : ESCAPED;
    return n > 0 ? (size_t)n : 1;
}

/* The width of the first `length` bytes. */
static int columns(const char *text, size_t length)
{
    int total = 0, width = 0;
    for (size_t k = 0; k < length; total += width)
        k += step(text + k, &width);
    return total;
}

int cli_columns(const char *text)
{
    return columns(text, strlen(text));
}

size_t cli_prefix(const char *text, int most)
{
    size_t length = 0;
    for (int width = 0; text[length]; most -= width) {
        const size_t n = step(text + length, &width);
        if (width > most)
            break;
        length += n;
    }
    return length;
}

static void put_bytes(FILE *out, const char *text, size_t length)
{
    while (length > 0) {
        const int n = printable_length(text);
        const size_t taken = n > 0 ? (size_t)n : 1;
        if (n > 0)
            fwrite(text, 1, taken, out);
        else
            fprintf(out, "\\x%02x", (unsigned)(unsigned char)text[0]);
        text += taken;
        length -= taken;
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
    const int most = cli_width(out);
    bool fresh = true; /* nothing is in this line yet */
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        size_t length = strcspn(text, blanks);
        int width = columns(text, length);
        if (!fresh && at + 1 + width > most) {
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

void cli_put_over(const char *line)
{
    /* The last column stays free, because some terminals begin a new line after it. */
    const int width = cli_width(stderr) - 1;
    fprintf(stderr, "\r%-*.*s", width, width, line ? line : "");
    if (!line)
        fputc('\r', stderr);
    (void)fflush(stderr);
}
