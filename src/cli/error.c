#include "cli/error.h"

#include "cli/json.h"
#include "cli/terminal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

lv_status cli_fail(lv_error *err, lv_status code, const char *format, ...)
{
    if (!err)
        return code;
    lv_error_clear(err);
    err->code = code;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return code;
}

lv_status cli_fail_memory(lv_error *err)
{
    return cli_fail(err, LV_ERR_MEMORY, "out of memory");
}

void cli_hint(lv_error *err, const char *format, ...)
{
    if (!err)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(err->hint, sizeof err->hint, format, args);
    va_end(args);
}

/* "   hint: text", wrapped */
static void put_remark(const char *label, const char *text)
{
    if (!text[0])
        return;
    const int indent = fprintf(stderr, "   %s: ", label);
    cli_put_wrapped(stderr, text, indent, indent);
}

/* Writes the place, the message, and the line of the file with a caret: one line each,
 * however long, so that other programs find the place. The word "error:" is highlighted
 * on a terminal. */
static void put_head(const lv_error *err)
{
    static const char mark[] = "error:";
    char message[4096];
    lv_error head = *err;
    head.note[0] = head.hint[0] = '\0';
    lv_error_write(&head, message, sizeof message);
    char *word = strstr(message + strlen(err->file), mark);
    if (!word) {
        cli_put_lines(stderr, message);
        return;
    }
    *word = '\0';
    cli_put_lines(stderr, message);
    fprintf(stderr, "%s%s%s", cli_style(stderr, CLI_ALARM), mark,
            cli_style(stderr, CLI_NORMAL));
    cli_put_lines(stderr, word + strlen(mark));
}

static void report_text(const lv_error *err)
{
    put_head(err);
    put_remark("note", err->note);
    put_remark("hint", err->hint);
}

static void put_text_or_null(cli_json *json, const char *key, const char *text)
{
    cli_json_put_text(json, key, text[0] ? text : NULL);
}

static void put_place(cli_json *json, const char *key, int number)
{
    cli_json_key(json, key);
    if (number > 0)
        cli_json_whole(json, number);
    else
        cli_json_null(json);
}

static void put_recorded(cli_json *json, const char *key, const lv_recorded *recorded)
{
    if (!recorded)
        return;
    cli_json_key(json, key);
    cli_json_open(json, '{');
    cli_json_put_whole(json, "rows", recorded->rows);
    if (recorded->rows > 0)
        cli_json_put_number(json, "t", recorded->time);
    cli_json_close(json, '}');
}

/* The facts of the error, for programs: what it is about, and why. */
static void put_facts(cli_json *json, const lv_error *err)
{
    cli_json_key(json, "about");
    if (err->about == LV_ABOUT_NOTHING) {
        cli_json_null(json);
    } else {
        cli_json_open(json, '{');
        cli_json_put_text(json, "kind", lv_subject_name(err->about));
        cli_json_put_whole(json, "index", err->index);
        put_text_or_null(json, "name", err->name);
        cli_json_close(json, '}');
    }
    cli_json_put_text(json, "why",
                      err->why == LV_WHY_OTHER ? NULL : lv_reason_name(err->why));
}

void cli_error_put(cli_json *json, const lv_error *err)
{
    cli_json_put_text(json, "message", err->text);
    put_text_or_null(json, "file", err->file);
    put_place(json, "line", err->line);
    put_place(json, "column", err->column);
    put_text_or_null(json, "note", err->note);
    put_text_or_null(json, "hint", err->hint);
    put_facts(json, err);
}

static void report_json(const lv_error *err, const cli_reached *reached)
{
    cli_json json = {.out = stdout};
    cli_json_open(&json, '{');
    cli_json_put_text(&json, "status", lv_status_name(err->code));
    cli_error_put(&json, err);
    if (reached) {
        cli_json_put_number(&json, "t", reached->t);
        cli_json_put_whole(&json, "steps", reached->steps);
        put_recorded(&json, "csv", reached->csv);
        put_recorded(&json, "hdf5", reached->hdf5);
    }
    cli_json_close(&json, '}');
}

void cli_report(const lv_error *err, bool json, const cli_reached *reached)
{
    if (json)
        report_json(err, reached);
    report_text(err);
}
