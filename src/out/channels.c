#include "out/channels.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { LABEL = 512 };

const lv_channel *lv_channel_find(const lv_channels *channels, const char *name)
{
    for (int k = 0; k < channels->count; k++)
        if (strcmp(channels->list[k].name, name) == 0)
            return &channels->list[k];
    return NULL;
}

int lv_channel_column(const lv_channel *channel, const char *label)
{
    char buffer[LABEL];
    for (int k = 0; k < channel->width; k++)
        if (strcmp(channel->label(channel->user, k, buffer, sizeof buffer), label) == 0)
            return k;
    return -1;
}

lv_status lv_channels_unknown(const lv_channels *channels, const char *name,
                              lv_error *err)
{
    lv_nearest nearest;
    char label[LABEL], best[LABEL] = "";
    lv_nearest_start(&nearest, name);
    for (int c = 0; c < channels->count; c++)
        for (int k = 0; k < channels->list[c].width; k++) {
            const lv_channel *channel = &channels->list[c];
            int before = nearest.distance;
            const char *had = nearest.best;
            lv_nearest_offer(&nearest,
                             channel->label(channel->user, k, label, sizeof label));
            if (nearest.best != had || nearest.distance != before) {
                snprintf(best, sizeof best, "%s", label);
                nearest.best = best;
            }
        }
    lv_status status =
        lv_fail(err, LV_ERR_USAGE, "a run records nothing called '%s'", name);
    lv_nearest_hint(&nearest, err,
                    "names are those in the first line of 'livens run --csv -'");
    return status;
}

/* ---- selections ------------------------------------------------------------------------- */

/* Selected columns of one channel. */
typedef struct lv_picked {
    const lv_channel *source;
    int *columns;
    double *values;
} lv_picked;

static const char *label_picked(const void *user, int k, char *buffer, size_t size)
{
    const lv_picked *p = user;
    return p->source->label(p->source->user, p->columns[k], buffer, size);
}

bool lv_channel_is_called(const lv_channel *channel, int column, const char *name)
{
    char buffer[LABEL];
    const size_t n = strlen(name);
    const char *label = channel->label(channel->user, column, buffer, sizeof buffer);
    return strncmp(label, name, n) == 0 && (label[n] == '\0' || label[n] == '[');
}

/* Marks the columns with a name; false if there are none. */
static bool mark(bool **marks, const lv_channels *channels, const char *name)
{
    bool any = false;
    for (int c = 0; c < channels->count; c++)
        for (int k = 0; k < channels->list[c].width; k++)
            if (lv_channel_is_called(&channels->list[c], k, name))
                marks[c][k] = any = true;
    return any;
}

/* Adds the marked columns of a channel as a channel of its own, if there are any. */
static lv_status pick(lv_selection *s, lv_channel *list, const lv_channel *source,
                      const bool *marks, lv_arena *arena, lv_error *err)
{
    const size_t width = (size_t)source->width;
    lv_picked *p = &s->list[s->channels.count];
    lv_channel *channel = &list[s->channels.count];
    *p = (lv_picked){source, lv_arena_alloc(arena, width, sizeof *p->columns),
                     lv_arena_alloc(arena, width, sizeof *p->values)};
    if (!p->columns || !p->values)
        return lv_fail_memory(err);
    *channel = *source;
    channel->width = 0;
    channel->values = p->values;
    channel->label = label_picked;
    channel->user = p;
    for (int k = 0; k < source->width; k++)
        if (marks[k])
            p->columns[channel->width++] = k;
    s->channels.count += channel->width > 0 ? 1 : 0;
    return LV_OK;
}

lv_status lv_selection_init(lv_selection *s, const lv_channels *channels,
                            const char *const *names, int count, lv_arena *arena,
                            lv_error *err)
{
    const size_t channel_count = (size_t)channels->count;
    *s = (lv_selection){.channels = *channels};
    if (count == 0)
        return LV_OK;
    bool **marks = lv_arena_alloc(arena, channel_count, sizeof *marks);
    lv_channel *list = lv_arena_alloc(arena, channel_count, sizeof *list);
    s->list = lv_arena_alloc(arena, channel_count, sizeof *s->list);
    if (!marks || !list || !s->list)
        return lv_fail_memory(err);
    for (int c = 0; c < channels->count; c++) {
        marks[c] = lv_arena_alloc(arena, (size_t)channels->list[c].width, sizeof **marks);
        if (!marks[c])
            return lv_fail_memory(err);
    }
    marks[0][0] = true;
    for (int k = 0; k < count; k++)
        if (!mark(marks, channels, names[k]))
            return lv_channels_unknown(channels, names[k], err);
    s->channels = (lv_channels){0, list};
    for (int c = 0; c < channels->count; c++)
        LV_TRY(pick(s, list, &channels->list[c], marks[c], arena, err));
    return LV_OK;
}

void lv_selection_update(const lv_selection *s)
{
    for (int c = 0; s->list && c < s->channels.count; c++) {
        const lv_picked *p = &s->list[c];
        for (int k = 0; k < s->channels.list[c].width; k++)
            p->values[k] = p->source->values[p->columns[k]];
    }
}
