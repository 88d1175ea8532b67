#include "cli/report.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void cli_line_add(cli_line *line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line->text + line->length, sizeof line->text - line->length, format,
                      args);
    va_end(args);
    if (n > 0)
        line->length += (size_t)n;
    if (line->length >= sizeof line->text)
        line->length = sizeof line->text - 1;
}

double cli_unsigned_zero(double x)
{
    return x == 0 ? 0 : isnan(x) ? (double)NAN : x;
}

void cli_put_title(FILE *out, const char *title, const char *file,
                   const char *description)
{
    int blank = cli_width(out) - cli_columns(title) - cli_columns(file);
    fputs(cli_style(out, CLI_STRONG), out);
    cli_put(out, title);
    fputs(cli_style(out, CLI_NORMAL), out);
    if (strcmp(title, file) != 0) {
        fprintf(out, blank >= 2 ? "%*s" : "\n%.*s", blank >= 2 ? blank : 0, "");
        cli_put(out, file);
    }
    fputc('\n', out);
    if (description)
        cli_put_wrapped(out, description, 0, 0);
    fputc('\n', out);
}

void cli_put_heading(FILE *out, const char *heading)
{
    fprintf(out, "\n%s", cli_style(out, CLI_STRONG));
    cli_put_wrapped(out, heading, 0, 2);
    fputs(cli_style(out, CLI_NORMAL), out);
}

void cli_put_fact(FILE *out, const char *label, const char *text)
{
    fputs("  ", out);
    cli_put_padded(out, label, CLI_LABEL - 2);
    cli_put_wrapped(out, text, CLI_LABEL, CLI_LABEL);
}

static void put_marked(FILE *out, const char *mark, const char *text)
{
    const int indent = (int)strlen(mark) + 2;
    fprintf(out, "%s%s:%s ", cli_style(out, CLI_STRONG), mark,
            cli_style(out, CLI_NORMAL));
    cli_put_wrapped(out, text, indent, indent);
}

void cli_put_warning(FILE *out, const char *text)
{
    put_marked(out, "warning", text);
}

void cli_put_remark(FILE *out, const char *text)
{
    put_marked(out, "remark", text);
}
