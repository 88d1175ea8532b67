#include "cli/json.h"

#include "cli/utf8.h"

#include <math.h>
#include <string.h>

/* Writes the separator before an item. Items of the two outer levels have a line each. */
static void separate(cli_json *json)
{
    if (json->keyed) {
        json->keyed = false;
        return;
    }
    if (json->follows)
        fputc(',', json->out);
    if (json->depth == 1 || json->depth == 2)
        fprintf(json->out, "\n%*s", 2 * json->depth, "");
    else if (json->follows)
        fputc(' ', json->out);
}

void cli_json_open(cli_json *json, char bracket)
{
    separate(json);
    fputc(bracket, json->out);
    json->depth++;
    json->follows = false;
}

void cli_json_close(cli_json *json, char bracket)
{
    bool empty = !json->follows;
    json->depth--;
    if (!empty && json->depth < 2)
        fprintf(json->out, "\n%*s", 2 * json->depth, "");
    fputc(bracket, json->out);
    if (json->depth == 0)
        fputc('\n', json->out);
    json->follows = true;
}

/* A string in quotes. Bytes that are not UTF-8 (file names may hold any) become U+FFFD. */
static void put_string(FILE *out, const char *text)
{
    fputc('"', out);
    while (*text) {
        int n = cli_utf8_length(text);
        if (n == 0)
            fputs("\\ufffd", out);
        else if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < 32 || *text == 127)
            fprintf(out, "\\u%04x", (unsigned)*text);
        else
            fwrite(text, 1, (size_t)n, out);
        text += n > 0 ? n : 1;
    }
    fputc('"', out);
}

void cli_json_key(cli_json *json, const char *key)
{
    separate(json);
    put_string(json->out, key);
    fputs(": ", json->out);
    json->keyed = true;
}

void cli_json_text(cli_json *json, const char *text)
{
    separate(json);
    if (text)
        put_string(json->out, text);
    else
        fputs("null", json->out);
    json->follows = true;
}

void cli_json_null(cli_json *json)
{
    cli_json_text(json, NULL);
}

void cli_json_momentum(cli_json *json, const char *name)
{
    char column[200];
    snprintf(column, sizeof column, "J.%s", name);
    cli_json_text(json, column);
}

void cli_json_number(cli_json *json, double value)
{
    separate(json);
    if (isfinite(value))
        fprintf(json->out, "%.17g", value);
    else
        fputs("null", json->out);
    json->follows = true;
}

void cli_json_whole(cli_json *json, long long value)
{
    separate(json);
    fprintf(json->out, "%lld", value);
    json->follows = true;
}

void cli_json_bool(cli_json *json, bool value)
{
    separate(json);
    fputs(value ? "true" : "false", json->out);
    json->follows = true;
}

void cli_json_numbers(cli_json *json, const double *values, int length)
{
    if (length == 0) {
        cli_json_number(json, values[0]);
        return;
    }
    cli_json_open(json, '[');
    for (int k = 0; k < length; k++)
        cli_json_number(json, values[k]);
    cli_json_close(json, ']');
}

void cli_json_put_text(cli_json *json, const char *key, const char *text)
{
    cli_json_key(json, key);
    cli_json_text(json, text);
}

void cli_json_put_number(cli_json *json, const char *key, double value)
{
    cli_json_key(json, key);
    cli_json_number(json, value);
}

void cli_json_put_whole(cli_json *json, const char *key, long long value)
{
    cli_json_key(json, key);
    cli_json_whole(json, value);
}

void cli_json_put_bool(cli_json *json, const char *key, bool value)
{
    cli_json_key(json, key);
    cli_json_bool(json, value);
}
