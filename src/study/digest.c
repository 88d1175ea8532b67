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

void lv_digest_done(lv_digest *d)
{
    LV_ARRAY_FREE(d->failures);
    LV_ARRAY_FREE(d->causes);
    lv_arena_done(&d->arena);
}

/* The message with # for every number: what remains is the cause. */
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

static lv_status add_cause(lv_digest *d, int number, const lv_result *result,
                           const char *cause, lv_error *err)
{
    const char *text = result->error.text;
    const char *kept = lv_arena_text(&d->arena, cause, strlen(cause));
    const lv_failure failure = {result->status, 1, number,
                                lv_arena_text(&d->arena, text, strlen(text))};
    return kept && failure.text && LV_PUSH(d->failures, failure) &&
                   LV_PUSH(d->causes, kept)
               ? LV_OK
               : lv_fail_memory(err);
}

static lv_status add_failure(lv_digest *d, int number, const lv_result *result,
                             lv_error *err)
{
    char cause[sizeof result->error.text];
    write_cause(cause, result->error.text);
    d->failed++;
    for (int k = 0; k < d->failures.count; k++)
        if (d->failures.data[k].status == result->status &&
            strcmp(d->causes.data[k], cause) == 0) {
            d->failures.data[k].count++;
            return LV_OK;
        }
    return add_cause(d, number, result, cause, err);
}

lv_status lv_digest_add(lv_digest *d, const lv_table *table, int number,
                        const lv_result *result, lv_error *err)
{
    d->done++;
    d->steps += (long long)result->row[table->status + 2];
    if (result->status != LV_OK)
        return add_failure(d, number, result, err);
    for (int k = 0; k < d->width; k++) {
        lv_column_range *range = &d->columns[k];
        range->least = fmin(range->least, result->row[k]);
        range->most = fmax(range->most, result->row[k]);
        lv_sum_add(&d->sums[k], result->row[k]);
    }
    return LV_OK;
}

/* The most frequent first, then the earliest. */
static int by_count(const void *a, const void *b)
{
    const lv_failure *x = a, *y = b;
    return x->count != y->count ? y->count - x->count : x->first - y->first;
}

void lv_digest_finish(lv_digest *d)
{
    int good = d->done - d->failed;
    for (int k = 0; k < d->width && good > 0; k++)
        d->columns[k].mean = lv_sum_value(&d->sums[k]) / good;
    if (d->failures.count > 1)
        qsort(d->failures.data, (size_t)d->failures.count, sizeof *d->failures.data,
              by_count);
}
