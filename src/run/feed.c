#include "run/feed.h"

#include "base/file.h"
#include "base/source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 256 << 20, MOST_COLUMNS = 4096 };

const char *lv_table_kind_name(lv_table_kind kind)
{
    static const char *const names[] = {"held", "linear"};
    return (int)kind >= 0 && (int)kind <= LV_TABLE_LINEAR ? names[kind] : "";
}

/* ---- lines and fields ------------------------------------------------------------------------------- */

typedef LV_ARRAY(double) numbers;

typedef struct field {
    size_t offset;
    int length;
} field;

typedef struct reader {
    lv_source source;
    const lv_model_input *input;
    int width;
    size_t offset;          /* of the next line */
    LV_ARRAY(field) fields; /* of the current line */
    int columns;            /* number of fields in every line */
    int *chosen;            /* the columns of the time and of the components */
    numbers times, values;
    lv_error *err;
} reader;

static lv_status fail_at(const reader *r, const field *f, const char *what)
{
    return lv_fail_at(r->err, LV_ERR_MODEL, &r->source, f->offset, (size_t)f->length,
                      "%s", what);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '"';
}

static field trimmed(const char *text, size_t begin, size_t end)
{
    while (begin < end && is_blank(text[begin]))
        begin++;
    while (end > begin && is_blank(text[end - 1]))
        end--;
    return (field){begin, (int)(end - begin)};
}

/* Finds the fields of the next line that is neither empty nor a comment; there are none
 * at the end of the file. */
static lv_status next_line(reader *r)
{
    const char *text = r->source.text;
    r->fields.count = 0;
    while (r->offset < r->source.size && r->fields.count == 0) {
        const size_t begin = r->offset;
        const char *newline = memchr(text + begin, '\n', r->source.size - begin);
        const size_t end = newline ? (size_t)(newline - text) : r->source.size;
        const field whole = trimmed(text, begin, end);
        r->offset = newline ? end + 1 : end;
        if (whole.length == 0 || text[whole.offset] == '#')
            continue;
        for (size_t at = begin; at <= end && r->fields.count <= MOST_COLUMNS;) {
            const char *comma = memchr(text + at, ',', end - at);
            const size_t stop = comma ? (size_t)(comma - text) : end;
            if (!LV_PUSH(r->fields, trimmed(text, at, stop)))
                return lv_fail_memory(r->err);
            at = stop + 1;
        }
    }
    return LV_OK;
}

static bool field_is(const reader *r, const field *f, const char *name)
{
    return (int)strlen(name) == f->length &&
           memcmp(r->source.text + f->offset, name, (size_t)f->length) == 0;
}

static bool field_number(const reader *r, const field *f, double *value)
{
    return lv_number_parse(r->source.text + f->offset, (size_t)f->length, value);
}

/* ---- columns ------------------------------------------------------------------------------------------ */

static lv_status no_column(const reader *r, const char *name)
{
    lv_listing all = {0};
    char texts[8][40];
    for (int k = 0; k < r->fields.count && k < 8; k++) {
        const field *f = &r->fields.data[k];
        (void)snprintf(texts[k], sizeof texts[k], "%.*s", f->length,
                       r->source.text + f->offset);
        lv_listing_add(&all, texts[k]);
    }
    const lv_status status =
        lv_fail_at(r->err, LV_ERR_MODEL, &r->source, r->fields.data[0].offset, 1,
                   "there is no column '%s'", name);
    lv_error_hint(r->err, "the columns are %s%s", lv_listing_text(&all),
                  r->fields.count > 8 ? ", ..." : "");
    return status;
}

/* The index of the column with one of two names, or -1. */
static int column_of(const reader *r, const char *name, const char *other)
{
    for (int k = 0; k < r->fields.count; k++)
        if (field_is(r, &r->fields.data[k], name) ||
            field_is(r, &r->fields.data[k], other))
            return k;
    return -1;
}

/* Finds the columns by their names: t and u; for a vector u[1], u[2], ... or u1, u2,
 * ... */
static lv_status read_names(reader *r)
{
    char name[200], other[200];
    r->chosen[0] = column_of(r, "t", "time");
    if (r->chosen[0] < 0)
        return no_column(r, "t");
    for (int k = 0; k < r->width; k++) {
        const char *input = r->input->item->name;
        const bool vector = r->input->length > 0;
        (void)snprintf(name, sizeof name, vector ? "%s[%d]" : "%s", input, k + 1);
        (void)snprintf(other, sizeof other, vector ? "%s%d" : "%s", input, k + 1);
        r->chosen[1 + k] = column_of(r, name, other);
        if (r->chosen[1 + k] < 0)
            return no_column(r, name);
    }
    return LV_OK;
}

/* Without names, the columns are the time and the components in this order. */
static lv_status count_columns(reader *r)
{
    for (int k = 0; k <= r->width; k++)
        r->chosen[k] = k;
    if (r->fields.count == r->width + 1)
        return LV_OK;
    const field first = r->fields.data[0];
    return lv_fail_at(r->err, LV_ERR_MODEL, &r->source, first.offset,
                      (size_t)first.length,
                      "without a line of names there must be %d columns, t and the %s of "
                      "'%s', and these are %d",
                      r->width + 1, r->input->length > 0 ? "components" : "value",
                      r->input->item->name, r->fields.count);
}

/* ---- rows --------------------------------------------------------------------------------------------- */

static lv_status read_number(const reader *r, int column, double *value)
{
    const field *f = &r->fields.data[column];
    if (!field_number(r, f, value))
        return fail_at(r, f, f->length > 0 ? "this is no number" : "a number is missing");
    return isfinite(*value) ? LV_OK : fail_at(r, f, "this number is not finite");
}

static lv_status read_row(reader *r)
{
    double t = 0, value = 0;
    const field *last = &r->fields.data[r->fields.count - 1];
    if (r->fields.count != r->columns)
        return lv_fail_at(r->err, LV_ERR_MODEL, &r->source, last->offset,
                          (size_t)last->length, "this line has %d fields, the first %d",
                          r->fields.count, r->columns);
    LV_TRY(read_number(r, r->chosen[0], &t));
    if (r->times.count > 0 && !(t > r->times.data[r->times.count - 1]))
        return fail_at(r, &r->fields.data[r->chosen[0]],
                       "times must rise from line to line");
    bool good = LV_PUSH(r->times, t);
    for (int k = 0; k < r->width; k++) {
        LV_TRY(read_number(r, r->chosen[1 + k], &value));
        good = good && LV_PUSH(r->values, value);
    }
    return good ? LV_OK : lv_fail_memory(r->err);
}

static lv_status read_rows(reader *r)
{
    double number = 0;
    LV_TRY(next_line(r));
    if (r->fields.count == 0)
        return lv_fail(r->err, LV_ERR_MODEL, "%s: error: there are no rows",
                       r->source.name);
    r->columns = r->fields.count;
    if (field_number(r, &r->fields.data[0], &number)) {
        LV_TRY(count_columns(r));
    } else {
        LV_TRY(read_names(r));
        LV_TRY(next_line(r));
        if (r->fields.count == 0)
            return lv_fail(r->err, LV_ERR_MODEL, "%s: there are names and no rows",
                           r->source.name);
    }
    while (r->fields.count > 0) {
        LV_TRY(read_row(r));
        LV_TRY(next_line(r));
    }
    return LV_OK;
}

static lv_status keep_rows(lv_feed *feed, const reader *r, lv_arena *arena)
{
    feed->rows = r->times.count;
    feed->width = r->width;
    feed->times =
        lv_arena_copy(arena, r->times.data, (size_t)r->times.count, sizeof *feed->times);
    feed->values = lv_arena_copy(arena, r->values.data, (size_t)r->values.count,
                                 sizeof *feed->values);
    feed->now = lv_arena_alloc(arena, (size_t)r->width, sizeof *feed->now);
    feed->path = lv_arena_text(arena, r->source.name, strlen(r->source.name));
    return feed->times && feed->values && feed->now && feed->path
               ? LV_OK
               : lv_fail_memory(r->err);
}

static lv_status feed_fill(lv_feed *feed, reader *r, lv_arena *arena)
{
    r->chosen = lv_arena_alloc(arena, (size_t)r->width + 1, sizeof *r->chosen);
    if (!r->chosen)
        return lv_fail_memory(r->err);
    LV_TRY(read_rows(r));
    return keep_rows(feed, r, arena);
}

lv_status lv_feed_read(lv_feed *feed, const lv_model *model, const lv_input_table *table,
                       lv_arena *arena, lv_error *err)
{
    char *text = NULL;
    size_t size = table->text ? strlen(table->text) : 0;
    const char *path = table->path ? table->path : table->input;
    const int number = lv_model_find_input(model, table->input);
    if (number < 0)
        return lv_sim_unknown_input(model, table->input, err);
    if (!table->text)
        LV_TRY(lv_file_read_named(path, &text, &size, MOST_BYTES, err));
    const lv_model_input *input = &model->inputs.data[number];
    *feed = (lv_feed){.input = input, .kind = table->kind};
    reader r = {.source = {path, table->text ? table->text : text, size},
                .input = input,
                .width = input->length > 0 ? input->length : 1,
                .err = err};
    const lv_status status = feed_fill(feed, &r, arena);
    LV_ARRAY_FREE(r.fields);
    LV_ARRAY_FREE(r.times);
    LV_ARRAY_FREE(r.values);
    lv_memory_free(text);
    return status;
}

/* ---- values --------------------------------------------------------------------------------------------- */

/* The last row whose time is not after t; -1: there is none. The search begins at the
 * last result, because times usually increase. */
static int find_row(lv_feed *f, double t)
{
    while (f->at > 0 && f->times[f->at] > t)
        f->at--;
    while (f->at + 1 < f->rows && f->times[f->at + 1] <= t)
        f->at++;
    return f->times[f->at] <= t ? f->at : -1;
}

static const double *row_of(const lv_feed *f, int row)
{
    return f->values + (ptrdiff_t)row * f->width;
}

static const double *held(lv_feed *f, const lv_model *model, double t, double h)
{
    const int row = find_row(f, t + 1e-9 * h);
    return row < 0 ? model->input_values + f->input->first : row_of(f, row);
}

static const double *linear(lv_feed *f, double t)
{
    const int row = find_row(f, t);
    if (row < 0 || row + 1 == f->rows)
        return row_of(f, row < 0 ? 0 : row);
    const double x = (t - f->times[row]) / (f->times[row + 1] - f->times[row]);
    const double *a = row_of(f, row), *b = row_of(f, row + 1);
    for (int k = 0; k < f->width; k++)
        f->now[k] = a[k] + x * (b[k] - a[k]);
    return f->now;
}

lv_status lv_feed_apply(lv_feed *f, lv_sim *sim, double h, lv_error *err)
{
    const double t = sim->state.t;
    const double *values =
        f->kind == LV_TABLE_LINEAR ? linear(f, t + h / 2) : held(f, sim->model, t, h);
    return lv_sim_set_input(sim, f->input->item->name, values, f->width, err);
}

/* ---- all tables of a run ---------------------------------------------------------------------------------- */

lv_status lv_feeds_read(lv_feeds *feeds, const lv_model *model,
                        const lv_run_request *request, lv_arena *arena, lv_error *err)
{
    const int count = request->table_count;
    *feeds =
        (lv_feeds){.list = lv_arena_alloc(arena, (size_t)count + 1, sizeof *feeds->list)};
    if (!feeds->list)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++) {
        LV_TRY(lv_feed_read(&feeds->list[k], model, &request->tables[k], arena, err));
        for (int j = 0; j < k; j++)
            if (feeds->list[j].input == feeds->list[k].input)
                return lv_fail(err, LV_ERR_USAGE, "input '%s' has two tables",
                               request->tables[k].input);
    }
    feeds->count = count;
    return LV_OK;
}

lv_status lv_feeds_copy(lv_feeds *copy, const lv_feeds *feeds, lv_arena *arena,
                        lv_error *err)
{
    *copy = (lv_feeds){.count = feeds->count};
    copy->list = lv_arena_alloc(arena, (size_t)feeds->count + 1, sizeof *copy->list);
    if (!copy->list)
        return lv_fail_memory(err);
    for (int k = 0; k < feeds->count; k++) {
        lv_feed *own = &copy->list[k];
        *own = feeds->list[k];
        own->now = lv_arena_alloc(arena, (size_t)own->width, sizeof *own->now);
        if (!own->now)
            return lv_fail_memory(err);
    }
    return LV_OK;
}

/* A run cannot go on with a value that an input cannot have. */
lv_status lv_feeds_apply(lv_feeds *feeds, lv_sim *sim, double h, lv_error *err)
{
    for (int k = 0; k < feeds->count; k++) {
        const lv_status status = lv_feed_apply(&feeds->list[k], sim, h, err);
        if (status == LV_OK)
            continue;
        lv_error_note(err, "at t = %.10g, by '%s'", sim->state.t, feeds->list[k].path);
        if (err && status == LV_ERR_USAGE)
            err->code = LV_ERR_NUMERIC;
        return status == LV_ERR_USAGE ? LV_ERR_NUMERIC : status;
    }
    return LV_OK;
}

double lv_feeds_next(lv_feeds *feeds, double t)
{
    double next = (double)INFINITY;
    for (int k = 0; k < feeds->count; k++) {
        lv_feed *f = &feeds->list[k];
        const int row = find_row(f, t) + 1;
        next = row < f->rows ? fmin(next, f->times[row]) : next;
    }
    return next;
}

/* ---- tables in files of results --------------------------------------------------------------------------- */

/* Writes "@ NAME KIND PATH", then the rows with all digits. */
static void feed_write(const lv_feed *f, lv_text *text)
{
    char number[LV_NUMBER_SIZE];
    lv_text_append(text, "@ %s %s %s\n", f->input->item->name,
                   lv_table_kind_name(f->kind), f->path);
    for (int row = 0; row < f->rows; row++) {
        lv_text_append(text, "%s", lv_number_format(f->times[row], number));
        for (int k = 0; k < f->width; k++)
            lv_text_append(text, ",%s", lv_number_format(row_of(f, row)[k], number));
        lv_text_append(text, "\n");
    }
}

const char *lv_feeds_text(const lv_feeds *feeds, lv_arena *arena)
{
    lv_text text = {0};
    for (int k = 0; k < feeds->count; k++)
        feed_write(&feeds->list[k], &text);
    const char *copy = text.failed ? NULL
                                   : lv_arena_text(arena, text.data ? text.data : "",
                                                   (size_t)text.count);
    lv_text_done(&text);
    return copy;
}

static lv_status damaged(lv_error *err)
{
    return lv_fail(err, LV_ERR_IO, "the tables of inputs stored in the file are damaged");
}

/* Splits the line "@ NAME KIND PATH" at `text` into its words; returns the text after it,
 * NULL: there is no such line. */
static char *parse_head(lv_input_table *table, char *text)
{
    char *end = strchr(text, '\n');
    if (strncmp(text, "@ ", 2) != 0 || !end)
        return NULL;
    char *kind = strchr(text + 2, ' ');
    char *path = kind ? strchr(kind + 1, ' ') : NULL;
    if (!path || path > end)
        return NULL;
    *end = *kind++ = *path++ = '\0';
    *table = (lv_input_table){.input = text + 2,
                              .path = path,
                              .kind = strcmp(kind, "linear") == 0 ? LV_TABLE_LINEAR
                                                                  : LV_TABLE_HELD};
    return end + 1;
}

lv_status lv_feed_parse(lv_input_table **tables, int *count, const char *stored,
                        lv_arena *arena, lv_error *err)
{
    int most = 0;
    *count = 0;
    for (const char *c = stored; *c; c++)
        most += *c == '@';
    char *text = lv_arena_text(arena, stored, strlen(stored));
    *tables = lv_arena_alloc(arena, (size_t)most + 1, sizeof **tables);
    if (!text || !*tables)
        return lv_fail_memory(err);
    while (*text) {
        lv_input_table *table = &(*tables)[*count];
        if (*count == most || !(text = parse_head(table, text)))
            return damaged(err);
        table->text = text;
        char *next = strstr(text, "\n@ ");
        (*count)++;
        if (!next)
            return LV_OK;
        *next = '\0';
        text = next + 1;
    }
    return LV_OK;
}
