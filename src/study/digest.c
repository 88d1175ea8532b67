#include "study/digest.h"

#include "base/memory.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

lv_status lv_digest_init(lv_digest *d, const lv_table *table, lv_error *err)
{
    *d = (lv_digest){.width = table->labels.count};
    size_t width = (size_t)d->width;
    d->columns = lv_arena_alloc(&d->arena, width, sizeof *d->columns);
    d->sums = lv_arena_alloc(&d->arena, width, sizeof *d->sums);
    if (!d->columns || !d->sums)
        return lv_fail_memory(err);
    for (int c = 0, k = 0; c < table->channel_count; c++)
        for (int i = 0; i < table->list[c].width; i++, k++)
            d->columns[k] = (lv_column_range){table->labels.data[k], table->list[c].name,
                                              NAN, NAN, NAN};
    return LV_OK;
}

static void causes_done(lv_causes *causes)
{
    LV_ARRAY_FREE(causes->groups);
    LV_ARRAY_FREE(causes->texts);
}

void lv_digest_done(lv_digest *d)
{
    causes_done(&d->failures);
    causes_done(&d->warnings);
    lv_arena_done(&d->arena);
}

/* Writes the message with # for every number: the rest is the cause. */
static void write_cause(char *to, const char *text)
{
    const char *begin = to;
    for (const char *c = text; *c; c++) {
        bool after = to > begin && to[-1] == '#';
        bool number = isdigit((unsigned char)*c) || (after && strchr(".e+-", *c));
        if (!number)
            *to++ = *c;
        else if (!after)
            *to++ = '#';
    }
    *to = '\0';
}

/* Adds a group for the first message with a new cause. */
static lv_status add_group(lv_digest *d, lv_causes *causes, const char *cause,
                           lv_member_group group, lv_error *err)
{
    const char *kept = lv_arena_text(&d->arena, cause, strlen(cause));
    group.text = lv_arena_text(&d->arena, group.text, strlen(group.text));
    return kept && group.text && LV_PUSH(causes->groups, group) &&
                   LV_PUSH(causes->texts, kept)
               ? LV_OK
               : lv_fail_memory(err);
}

static lv_status add_message(lv_digest *d, lv_causes *causes, int number,
                             lv_status status, const char *text, lv_error *err)
{
    char *cause = lv_memory_resize(NULL, strlen(text) + 1);
    if (!cause)
        return lv_fail_memory(err);
    write_cause(cause, text);
    int k = 0;
    while (k < causes->groups.count && (causes->groups.data[k].status != status ||
                                        strcmp(causes->texts.data[k], cause) != 0))
        k++;
    lv_status added = LV_OK;
    if (k < causes->groups.count)
        causes->groups.data[k].count++;
    else
        added =
            add_group(d, causes, cause, (lv_member_group){status, 1, number, text}, err);
    lv_memory_free(cause);
    return added;
}

lv_status lv_digest_add(lv_digest *d, const lv_table *table, int number,
                        const lv_result *result, lv_error *err)
{
    d->done++;
    d->steps += (long long)result->row[table->status + 2];
    d->warned += result->row[table->warnings] > 0;
    for (int k = 0; k < result->warning_count; k++)
        LV_TRY(add_message(d, &d->warnings, number, LV_OK, result->warnings[k], err));
    if (result->status != LV_OK) {
        d->failed++;
        return add_message(d, &d->failures, number, result->status, result->error.text,
                           err);
    }
    for (int k = 0; k < d->width; k++) {
        lv_column_range *range = &d->columns[k];
        range->least = fmin(range->least, result->row[k]);
        range->most = fmax(range->most, result->row[k]);
        lv_sum_add(&d->sums[k], result->row[k]);
    }
    return LV_OK;
}

/* The most frequent cause comes first, then the earliest. */
static int by_count(const void *a, const void *b)
{
    const lv_member_group *x = a, *y = b;
    return x->count != y->count ? y->count - x->count : x->first - y->first;
}

static void sort_groups(lv_causes *causes)
{
    if (causes->groups.count > 1)
        qsort(causes->groups.data, (size_t)causes->groups.count,
              sizeof *causes->groups.data, by_count);
}

void lv_digest_finish(lv_digest *d)
{
    int good = d->done - d->failed;
    for (int k = 0; k < d->width && good > 0; k++)
        d->columns[k].mean = lv_sum_value(&d->sums[k]) / good;
    sort_groups(&d->failures);
    sort_groups(&d->warnings);
}
