#include "study/series.h"

#include "base/text.h"
#include "out/channels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL = 512, HEAD = 2 }; /* t and E lead every row of samples */

/* ---- columns --------------------------------------------------------------------------- */

static lv_status add_column(lv_series *s, const lv_channel *channel, int offset,
                            lv_error *err)
{
    char label[LABEL];
    channel->label(channel->user, offset, label, sizeof label);
    s->columns[s->count] = (lv_series_column){
        lv_arena_text(&s->arena, label, strlen(label)),
        lv_arena_text(&s->arena, channel->name, strlen(channel->name)), offset};
    return s->columns[s->count].label && s->columns[s->count++].channel
               ? LV_OK
               : lv_fail_memory(err);
}

static bool is_chosen(const lv_series *s, const lv_channel *channel, int offset)
{
    for (int k = 0; k < s->count; k++)
        if (s->columns[k].offset == offset &&
            strcmp(s->columns[k].channel, channel->name) == 0)
            return true;
    return false;
}

/* Adds the columns with a name, all components of a vector, each one once. */
static lv_status choose(lv_series *s, const lv_channels *channels, const char *name,
                        lv_error *err)
{
    bool any = false;
    for (int c = 0; c < channels->count; c++)
        for (int k = 0; k < channels->list[c].width; k++) {
            const lv_channel *channel = &channels->list[c];
            if (!lv_channel_is_called(channel, k, name))
                continue;
            any = true;
            if (!is_chosen(s, channel, k))
                LV_TRY(add_column(s, channel, k, err));
        }
    return any ? LV_OK : lv_channels_unknown(channels, name, err);
}

/* Upper bound on the number of columns. */
static int count_columns(const lv_channels *channels)
{
    int count = 0;
    for (int c = 0; c < channels->count; c++)
        count += channels->list[c].width;
    return count;
}

lv_status lv_series_init(lv_series *s, const lv_channels *channels,
                         const char *const *names, int count, lv_error *err)
{
    const lv_channel *outputs = lv_channel_find(channels, "outputs");
    int room = count_columns(channels);
    *s = (lv_series){0};
    s->columns = lv_arena_alloc(&s->arena, (size_t)room, sizeof *s->columns);
    if (!s->columns)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++)
        LV_TRY(choose(s, channels, names[k], err));
    if (count > 0)
        return LV_OK;
    LV_TRY(choose(s, channels, "E", err));
    for (int k = 0; outputs && k < outputs->width; k++)
        LV_TRY(add_column(s, outputs, k, err));
    return LV_OK;
}

/* ---- samples --------------------------------------------------------------------------- */

static const double *locate(const lv_channels *channels, const char *name,
                            const char *label, int offset)
{
    char buffer[LABEL];
    const lv_channel *channel = lv_channel_find(channels, name);
    if (!channel)
        return NULL;
    if (offset >= channel->width ||
        strcmp(channel->label(channel->user, offset, buffer, sizeof buffer), label) != 0)
        offset = lv_channel_column(channel, label);
    return offset < 0 ? NULL : channel->values + offset;
}

lv_status lv_samples_open(lv_samples *x, const lv_series *s, const lv_channels *channels,
                          lv_error *err)
{
    x->width = HEAD + s->count;
    x->sources = lv_memory_zeroed((size_t)x->width, sizeof *x->sources);
    if (!x->sources)
        return lv_fail_memory(err);
    x->sources[0] = locate(channels, "t", "t", 0);
    x->sources[1] = locate(channels, "energy", "E", 2);
    for (int k = 0; k < s->count; k++) {
        const lv_series_column *c = &s->columns[k];
        x->sources[HEAD + k] = locate(channels, c->channel, c->label, c->offset);
        if (!x->sources[HEAD + k])
            return lv_fail(err, LV_ERR_MODEL, "this member has no '%s'", c->label);
    }
    return LV_OK;
}

lv_status lv_samples_row(lv_samples *x, lv_error *err)
{
    if (!LV_RESERVE(x->data, x->width))
        return lv_fail_memory(err);
    for (int k = 0; k < x->width; k++)
        x->data.data[x->data.count++] = *x->sources[k];
    return LV_OK;
}

lv_status lv_samples_take(lv_samples *x, const lv_series *s, const double *numbers,
                          int count, lv_error *err)
{
    x->width = HEAD + s->count;
    if (count < 0 || count % x->width != 0 || (count > 0 && !numbers))
        return lv_fail(err, LV_ERR_USAGE,
                       "a member with %d numbers for a series of %d columns", count,
                       x->width);
    if (!LV_RESERVE(x->data, count))
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++)
        x->data.data[x->data.count++] = numbers[k];
    return LV_OK;
}

void lv_samples_done(lv_samples *x)
{
    LV_ARRAY_FREE(x->data);
    lv_memory_free(x->sources);
    x->sources = NULL;
}

/* ---- sums ------------------------------------------------------------------------------ */

static lv_status series_begin(lv_series *s, const lv_samples *x, int rows, lv_error *err)
{
    size_t cells = (size_t)rows * (size_t)s->count;
    s->times = lv_arena_alloc(&s->arena, (size_t)rows, sizeof *s->times);
    s->errors = lv_arena_alloc(&s->arena, (size_t)rows, sizeof *s->errors);
    s->moments = lv_arena_alloc(&s->arena, cells, sizeof *s->moments);
    if (!s->times || !s->errors || !s->moments)
        return lv_fail_memory(err);
    for (int r = 0; r < rows; r++)
        s->times[r] = x->data.data[(size_t)r * (size_t)x->width];
    s->rows = rows;
    return LV_OK;
}

/* Rows at nodes have the time of the node, whose rounding depends on the step. */
static bool is_time_of_row(const lv_series *s, int r, double t)
{
    const double length = fabs(s->times[s->rows - 1] - s->times[0]);
    return t == s->times[r] || fabs(t - s->times[r]) <= 1e-9 * length / s->rows;
}

static lv_status check_times(const lv_series *s, const lv_samples *x, int rows,
                             lv_error *err)
{
    bool same = rows == s->rows;
    for (int r = 0; same && r < rows; r++)
        same = is_time_of_row(s, r, x->data.data[(size_t)r * (size_t)x->width]);
    if (same)
        return LV_OK;
    lv_status status = lv_fail(
        err, LV_ERR_MODEL, "members are recorded at different times: there is no series");
    lv_error_hint(err, "give all members one end, --until, and one step, --step, or one "
                       "sampling time, --sample");
    return status;
}

static void add_number(lv_moments *m, double value, int members)
{
    double before = value - m->mean;
    m->mean += before / members;
    m->square += before * (value - m->mean);
}

lv_status lv_series_add(lv_series *s, const lv_samples *x, lv_error *err)
{
    int rows = x->data.count / x->width;
    if (s->rows == 0)
        LV_TRY(series_begin(s, x, rows, err));
    LV_TRY(check_times(s, x, rows, err));
    s->members++;
    for (int r = 0; r < rows; r++) {
        const double *row = x->data.data + (size_t)r * (size_t)x->width;
        double error = row[1] - x->data.data[1];
        s->errors[r] += error * error;
        for (int k = 0; k < s->count; k++)
            add_number(&s->moments[(size_t)r * (size_t)s->count + (size_t)k],
                       row[HEAD + k], s->members);
    }
    return LV_OK;
}

/* ---- the file -------------------------------------------------------------------------- */

enum { FIRST = 3 }; /* t, members, mu.E */

static const char *label_of(const void *user, int k, char *buffer, size_t size)
{
    static const char *const head[FIRST] = {"t", "members", "mu.E"};
    const lv_series *s = user;
    if (k < FIRST)
        snprintf(buffer, size, "%s", head[k]);
    else
        snprintf(buffer, size, "%s.%s", (k - FIRST) % 2 == 0 ? "mean" : "sd",
                 s->columns[(k - FIRST) / 2].label);
    return buffer;
}

static void fill_row(const lv_series *s, int r, double *row)
{
    const lv_moments *m = s->moments + (size_t)r * (size_t)s->count;
    row[0] = s->times[r];
    row[1] = s->members;
    row[2] = s->errors[r] / s->members;
    for (int k = 0; k < s->count; k++) {
        row[FIRST + 2 * k] = m[k].mean;
        row[FIRST + 2 * k + 1] =
            s->members > 1 ? sqrt(m[k].square / (s->members - 1)) : (double)NAN;
    }
}

lv_status lv_series_open(lv_series *s, const char *path, lv_error *err)
{
    const int width = FIRST + 2 * s->count;
    s->row = lv_arena_alloc(&s->arena, (size_t)width, sizeof *s->row);
    if (!s->row)
        return lv_fail_memory(err);
    s->channel = (lv_channel){
        .name = "series", .width = width, .values = s->row, .label = label_of, .user = s};
    s->channels = (lv_channels){1, &s->channel};
    return lv_csv_create(&s->sink, path, &s->channels, err);
}

lv_status lv_series_close(lv_series *s, lv_error *err)
{
    lv_sink *sink = s->sink;
    s->sink = NULL;
    return sink ? sink->close(sink, err) : LV_OK;
}

lv_status lv_series_write(lv_series *s, lv_error *err)
{
    lv_status status = LV_OK;
    for (int r = 0; s->sink && status == LV_OK && r < s->rows; r++) {
        fill_row(s, r, s->row);
        status = s->sink->row(s->sink, err);
    }
    lv_status closed = lv_series_close(s, status == LV_OK ? err : NULL);
    return status == LV_OK ? closed : status;
}

lv_status lv_series_give(lv_series *s, lv_sweep_series *given, lv_error *err)
{
    const int width = FIRST + 2 * s->count;
    const char **columns = lv_arena_alloc(&s->arena, (size_t)width, sizeof *columns);
    double *values = lv_arena_alloc(
        &s->arena, (size_t)width * (size_t)(s->rows > 0 ? s->rows : 1), sizeof *values);
    if (!columns || !values)
        return lv_fail_memory(err);
    for (int k = 0; k < width; k++) {
        char label[300];
        label_of(s, k, label, sizeof label);
        columns[k] = lv_arena_text(&s->arena, label, strlen(label));
        if (!columns[k])
            return lv_fail_memory(err);
    }
    for (int r = 0; r < s->rows; r++)
        fill_row(s, r, values + (size_t)r * (size_t)width);
    *given = (lv_sweep_series){s->rows, width, columns, values};
    return LV_OK;
}

void lv_series_done(lv_series *s)
{
    lv_status ignored = lv_series_close(s, NULL);
    (void)ignored;
    lv_arena_done(&s->arena);
}
