#include "cli/ranks_result.h"

#include <stdlib.h>
#include <string.h>

/* Numbers come first, because of their alignment, then texts, each with its NUL: the
 * failure of the member and its warnings. */
typedef struct head {
    int number, status, columns, samples, warnings, unused;
} head;

char *cli_result_write(const lv_member *m, size_t *size)
{
    const char *failure = m->error ? m->error->text : "";
    const int samples = m->status == LV_OK ? m->sample_count : 0;
    const head h = {m->number, (int)m->status,   m->column_count,
                    samples,   m->warning_count, 0};
    const size_t values = (size_t)h.columns * sizeof(double);
    const size_t rows = (size_t)h.samples * sizeof(double);
    *size = sizeof h + values + rows + strlen(failure) + 1;
    for (int k = 0; k < h.warnings; k++)
        *size += strlen(m->warnings[k]) + 1;
    char *bytes = calloc(*size, 1), *to = bytes;
    if (!bytes)
        return NULL;
    memcpy(to, &h, sizeof h);
    memcpy(to += sizeof h, m->values, values);
    to += values;
    if (rows > 0)
        memcpy(to, m->samples, rows);
    to += rows;
    memcpy(to, failure, strlen(failure) + 1);
    to += strlen(failure) + 1;
    for (int k = 0; k < h.warnings; k++) {
        memcpy(to, m->warnings[k], strlen(m->warnings[k]) + 1);
        to += strlen(m->warnings[k]) + 1;
    }
    return bytes;
}

/* The text at *at, which moves on to the next one; NULL: there is none. */
static const char *next_text(const char **at, const char *end)
{
    const char *text = *at;
    const char *stop = text < end ? memchr(text, 0, (size_t)(end - text)) : NULL;
    *at = stop ? stop + 1 : end;
    return stop ? text : NULL;
}

static bool read_texts(cli_result *r, const head *h, const char *at, const char *end)
{
    const char *failure = next_text(&at, end);
    if (!failure)
        return false;
    for (int k = 0; k < h->warnings; k++) {
        r->warnings[k] = next_text(&at, end);
        if (!r->warnings[k])
            return false;
    }
    lv_error_clear(&r->error);
    r->error.code = (lv_status)h->status;
    strncpy(r->error.text, failure, sizeof r->error.text - 1);
    return true;
}

cli_result *cli_result_read(char *bytes, size_t size)
{
    head h = {0};
    cli_result *r = calloc(1, sizeof *r);
    if (size >= sizeof h)
        memcpy(&h, bytes, sizeof h);
    const size_t columns = h.columns > 0 ? (size_t)h.columns : 0;
    const size_t samples = h.samples > 0 ? (size_t)h.samples : 0;
    const size_t texts = sizeof h + (columns + samples) * sizeof(double);
    const bool sound =
        columns > 0 && h.warnings >= 0 && (size_t)h.warnings < size && texts < size;
    if (r && sound)
        r->warnings = calloc((size_t)h.warnings + 1, sizeof *r->warnings);
    if (!r || !r->warnings || !read_texts(r, &h, bytes + texts, bytes + size)) {
        free(bytes);
        cli_result_free(r);
        return NULL;
    }
    const double *values = (const double *)(const void *)(bytes + sizeof h);
    r->bytes = bytes;
    r->member = (lv_member){.number = h.number,
                            .status = (lv_status)h.status,
                            .error = h.status == LV_OK ? NULL : &r->error,
                            .column_count = h.columns,
                            .values = values,
                            .warning_count = h.warnings,
                            .warnings = r->warnings,
                            .sample_count = h.samples,
                            .samples = values + columns};
    return r;
}

void cli_result_free(cli_result *r)
{
    if (!r)
        return;
    free(r->warnings);
    free(r->bytes);
    free(r);
}
