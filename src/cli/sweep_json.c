/* One object. Scripts depend on its names and their meaning. */
#include "cli/json.h"
#include "cli/options.h"
#include "cli/sweep.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- collecting rows -------------------------------------------------------------------------- */

/* Makes space for one more item; false: memory is short. */
static bool reserve(void **items, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return true;
    size_t wanted = *room ? 2 * *room : 64;
    void *larger = wanted < SIZE_MAX / size ? realloc(*items, wanted * size) : NULL;
    if (!larger)
        return false;
    *items = larger;
    *room = wanted;
    return true;
}

static void add_failed(cli_rows *rows, const lv_member *member)
{
    void *items = rows->failed;
    if (!reserve(&items, rows->failed_count, &rows->failed_room, sizeof *rows->failed)) {
        rows->lost = true;
        return;
    }
    rows->failed = items;
    cli_failed *failed = &rows->failed[rows->failed_count++];
    failed->number = member->number;
    failed->status = member->status;
    snprintf(failed->text, sizeof failed->text, "%s", member->error->text);
}

static void add_warned(cli_rows *rows, int number, const char *text)
{
    void *items = rows->warned;
    char *copy = strdup(text);
    if (!copy ||
        !reserve(&items, rows->warned_count, &rows->warned_room, sizeof *rows->warned)) {
        free(copy);
        rows->lost = true;
        return;
    }
    rows->warned = items;
    rows->warned[rows->warned_count++] = (cli_warned){number, copy};
}

void cli_rows_add(cli_rows *rows, const lv_member *member)
{
    void *items = rows->values;
    rows->width = (size_t)member->column_count;
    if (member->status != LV_OK)
        add_failed(rows, member);
    for (int k = 0; k < member->warning_count; k++)
        add_warned(rows, member->number, member->warnings[k]);
    if (!reserve(&items, rows->count, &rows->room, rows->width * sizeof *rows->values)) {
        rows->lost = true;
        return;
    }
    rows->values = items;
    for (size_t k = 0; k < rows->width; k++)
        rows->values[rows->count * rows->width + k] = member->values[k];
    rows->count++;
}

void cli_rows_done(cli_rows *rows)
{
    free(rows->values);
    free(rows->failed);
    for (size_t k = 0; k < rows->warned_count; k++)
        free(rows->warned[k].text);
    free(rows->warned);
}

/* ---- the object ------------------------------------------------------------------------------ */

static void put_ranges(cli_json *j, const lv_sweep_summary *s)
{
    cli_json_key(j, "ranges");
    cli_json_open(j, '{');
    for (int k = 0; k < s->column_count; k++) {
        const lv_column_range *c = &s->columns[k];
        cli_json_key(j, c->name);
        cli_json_open(j, '{');
        cli_json_put_number(j, "min", c->least);
        cli_json_put_number(j, "mean", c->mean);
        cli_json_put_number(j, "max", c->most);
        cli_json_close(j, '}');
    }
    cli_json_close(j, '}');
}

static void put_failures(cli_json *j, const cli_rows *rows)
{
    cli_json_key(j, "failures");
    cli_json_open(j, '[');
    for (size_t k = 0; k < rows->failed_count; k++) {
        cli_json_open(j, '{');
        cli_json_put_whole(j, "member", rows->failed[k].number);
        cli_json_put_text(j, "status", lv_status_name(rows->failed[k].status));
        cli_json_put_text(j, "message", rows->failed[k].text);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
}

static void put_warnings(cli_json *j, const cli_rows *rows)
{
    cli_json_key(j, "warnings");
    cli_json_open(j, '[');
    for (size_t k = 0; k < rows->warned_count; k++) {
        cli_json_open(j, '{');
        cli_json_put_whole(j, "member", rows->warned[k].number);
        cli_json_put_text(j, "message", rows->warned[k].text);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
}

static void put_file(cli_json *j, const char *format, const char *path)
{
    if (!path)
        return;
    cli_json_open(j, '{');
    cli_json_put_text(j, "format", format);
    cli_json_put_text(j, "path", path);
    cli_json_close(j, '}');
}

static void put_files(cli_json *j, const cli_sweep *sweep)
{
    cli_json_key(j, "files");
    cli_json_open(j, '[');
    put_file(j, "hdf5", sweep->hdf5);
    put_file(j, "csv", sweep->csv);
    put_file(j, "series", sweep->series);
    put_file(j, "html", sweep->page);
    cli_json_close(j, ']');
}

static void put_table(cli_json *j, const lv_sweep_summary *s, const cli_rows *rows)
{
    cli_json_key(j, "columns");
    cli_json_open(j, '[');
    for (int k = 0; k < s->column_count; k++)
        cli_json_text(j, s->columns[k].name);
    cli_json_close(j, ']');
    cli_json_key(j, "rows");
    cli_json_open(j, '[');
    for (size_t k = 0; k < rows->count; k++)
        cli_json_numbers(j, rows->values + k * rows->width, (int)rows->width);
    cli_json_close(j, ']');
}

static void put_status(cli_json *j, const lv_sweep_summary *s)
{
    char verdict[80];
    cli_json_put_text(j, "status",
                      s->interrupted  ? "interrupted"
                      : s->failed > 0 ? lv_status_name(LV_ERR_NUMERIC)
                                      : lv_status_name(LV_OK));
    if (s->failed > 0)
        cli_json_put_text(j, "message", cli_sweep_verdict(s, verdict, sizeof verdict));
}

void cli_sweep_write_json(const cli_sweep *sweep)
{
    const lv_sweep_summary *s = sweep->summary;
    cli_json json = {.out = stdout};
    cli_json_open(&json, '{');
    put_status(&json, s);
    cli_json_put_text(&json, "model", lv_model_title(sweep->model));
    cli_json_put_text(&json, "scheme", s->scheme);
    cli_json_key(&json, "options");
    cli_json_open(&json, '{');
    cli_options_put(&json, &s->options);
    cli_json_close(&json, '}');
    cli_json_put_whole(&json, "order", s->order);
    cli_json_put_whole(&json, "members", s->members);
    cli_json_put_whole(&json, "part", s->part);
    cli_json_put_whole(&json, "parts", s->parts);
    cli_json_put_whole(&json, "done", s->done);
    cli_json_put_whole(&json, "failed", s->failed);
    cli_json_put_whole(&json, "warned", s->warned);
    cli_json_put_whole(&json, "recalled", s->recalled);
    cli_json_put_whole(&json, "steps", s->steps);
    cli_json_put_whole(&json, "threads", s->threads);
    cli_json_put_whole(&json, "ranks", sweep->ranks);
    cli_json_put_number(&json, "seconds", s->seconds);
    put_ranges(&json, s);
    put_failures(&json, sweep->rows);
    put_warnings(&json, sweep->rows);
    put_files(&json, sweep);
    put_table(&json, s, sweep->rows);
    cli_json_close(&json, '}');
}
