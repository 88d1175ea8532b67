#include "report/thin.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <string.h>

float lv_thin_number(double x)
{
    if (x > (double)FLT_MAX)
        return isinf(x) ? (float)INFINITY : FLT_MAX;
    if (x < -(double)FLT_MAX)
        return isinf(x) ? -(float)INFINITY : -FLT_MAX;
    return (float)x;
}

lv_status lv_thin_init(lv_thin *t, int width, int room, bool bands, lv_error *err)
{
    size_t numbers = 0;
    *t = (lv_thin){.width = width, .room = room, .every = 1, .bands = bands};
    if (!lv_size_mul((size_t)width, (size_t)room + 1, &numbers))
        return lv_fail_memory(err);
    t->times = lv_memory_zeroed((size_t)room + 1, sizeof *t->times);
    t->last = lv_memory_zeroed((size_t)width + 1, sizeof *t->last);
    t->values = lv_memory_zeroed(numbers + 1, sizeof *t->values);
    if (bands) {
        t->least = lv_memory_zeroed(numbers + 1, sizeof *t->least);
        t->most = lv_memory_zeroed(numbers + 1, sizeof *t->most);
    }
    return !t->times || !t->last || !t->values || (bands && (!t->least || !t->most))
               ? lv_fail_memory(err)
               : LV_OK;
}

void lv_thin_done(lv_thin *t)
{
    lv_memory_free(t->times);
    lv_memory_free(t->last);
    lv_memory_free(t->values);
    lv_memory_free(t->least);
    lv_memory_free(t->most);
    *t = (lv_thin){0};
}

static size_t place(const lv_thin *t, int row, int column)
{
    return (size_t)column * ((size_t)t->room + 1) + (size_t)row;
}

const float *lv_thin_column(const lv_thin *t, const float *numbers, int k)
{
    return numbers + place(t, 0, k);
}

/* Extends a band; NaN does not change it. */
static void widen(lv_thin *t, int row, int column, float low, float high)
{
    const size_t k = place(t, row, column);
    if (!(t->least[k] <= low))
        t->least[k] = isnan(low) ? t->least[k] : low;
    if (!(t->most[k] >= high))
        t->most[k] = isnan(high) ? t->most[k] : high;
}

static void move_row(lv_thin *t, int to, int from)
{
    t->times[to] = t->times[from];
    for (int c = 0; c < t->width; c++) {
        t->values[place(t, to, c)] = t->values[place(t, from, c)];
        if (t->bands) {
            t->least[place(t, to, c)] = t->least[place(t, from, c)];
            t->most[place(t, to, c)] = t->most[place(t, from, c)];
        }
    }
}

void lv_thin_halve(lv_thin *t)
{
    const int rows = t->rows;
    if (rows < 3)
        return;
    const bool ended = t->times[rows - 1] == t->last_time;
    for (int k = 0; k < rows; k++) {
        if (k % 2 == 0 && k > 0)
            move_row(t, k / 2, k);
        for (int c = 0; t->bands && k % 2 == 1 && c < t->width; c++)
            widen(t, k / 2, c, t->least[place(t, k, c)], t->most[place(t, k, c)]);
    }
    t->rows = (rows + 1) / 2;
    t->every *= 2;
    if (ended && rows % 2 == 0) /* the last row stays */
        move_row(t, t->rows++, rows - 1);
}

static void put_row(lv_thin *t)
{
    const int k = t->rows++;
    t->times[k] = t->last_time;
    for (int c = 0; c < t->width; c++) {
        t->values[place(t, k, c)] = t->last[c];
        if (t->bands)
            t->least[place(t, k, c)] = t->most[place(t, k, c)] = t->last[c];
    }
}

/* Makes space for another row. last_time is NaN meanwhile, because the last row kept must
 * not count as the end. */
static void thin_make_room(lv_thin *t)
{
    const double last = t->last_time;
    if (t->rows < t->room)
        return;
    t->last_time = (double)NAN;
    lv_thin_halve(t);
    t->last_time = last;
}

void lv_thin_add(lv_thin *t, double time, const double *row)
{
    if (t->seen % t->every == 0)
        thin_make_room(t);
    t->last_time = time;
    for (int c = 0; c < t->width; c++)
        t->last[c] = lv_thin_number(row[c]);
    if (t->seen % t->every == 0)
        put_row(t);
    for (int c = 0; t->bands && c < t->width; c++)
        widen(t, t->rows - 1, c, t->last[c], t->last[c]);
    t->seen++;
}

void lv_thin_end(lv_thin *t)
{
    if (t->seen > 0 && (t->seen - 1) % t->every != 0)
        put_row(t);
}
