#include "num/repeats.h"

#include <stdbool.h>
#include <stddef.h>

/* Loops over fewer repetitions would save nothing, and longer periods are not sought. */
enum { FEWEST_REPEATS = 8, LONGEST_PERIOD = 12 };

typedef struct lines {
    int count;
    const int *start;
    const lv_cell *cell;
} lines;

/* Whether c - b is b - a. */
static bool goes_on(const lv_cell *a, const lv_cell *b, const lv_cell *c)
{
    bool same = true;
    for (int i = 0; i < LV_CELL_INDICES; i++)
        same = same && c->at[i] - b->at[i] == b->at[i] - a->at[i];
    return same;
}

/* Whether the lines from `line` on repeat those before them; third: with the steps by
 * which these repeat the ones before. */
static bool is_repetition(const lines *x, int line, int period, bool third)
{
    for (int k = line; k < line + period; k++)
        if (x->start[k + 1] - x->start[k] !=
            x->start[k - period + 1] - x->start[k - period])
            return false;
    const int from = x->start[line], count = x->start[line + period] - from;
    for (int k = from; k < from + count; k++) {
        const lv_cell *c = &x->cell[k], *b = c - count;
        if (c->kind != b->kind || (third && !goes_on(b - count, b, c)))
            return false;
    }
    return true;
}

/* How often `period` lines follow each other. */
static int count_repeats(const lines *x, int line, int period)
{
    int repeats = 1;
    while (line + (repeats + 1) * period <= x->count &&
           is_repetition(x, line + repeats * period, period, repeats > 1))
        repeats++;
    return repeats;
}

/* Finds the period that covers most lines from `line` on; 0: there is none. */
static int find_period(const lines *x, int line, int *repeats)
{
    int best = 0, covered = 0;
    for (int period = 1; period <= LONGEST_PERIOD && line + period <= x->count;
         period++) {
        const int count = count_repeats(x, line, period);
        if (count >= FEWEST_REPEATS && count * period > covered) {
            best = period;
            covered = count * period;
            *repeats = count;
        }
    }
    return best;
}

/* Copies `period` lines. Returns false without memory. */
static bool copy_lines(lv_stretch *to, const lines *x, lv_arena *arena)
{
    const int *from = x->start + to->line;
    const int count = from[to->period] - from[0];
    int *start = lv_arena_alloc(arena, (size_t)to->period + 1, sizeof *start);
    lv_cell *cell = lv_arena_alloc(arena, (size_t)count + 1, sizeof *cell);
    if (!start || !cell)
        return false;
    for (int k = 0; k <= to->period; k++)
        start[k] = from[k] - from[0];
    for (int k = 0; k < count; k++) {
        cell[k] = x->cell[from[0] + k];
        for (int i = 0; i < LV_CELL_INDICES && to->repeats > 1; i++)
            cell[k].step[i] = x->cell[from[0] + count + k].at[i] - cell[k].at[i];
    }
    to->start = start;
    to->cell = cell;
    return true;
}

lv_status lv_repeats_find(lv_repeats *repeats, lv_arena *arena, int count,
                          const int *start, const lv_cell *cell, lv_error *err)
{
    const lines x = {count, start, cell};
    lv_stretch *list =
        lv_arena_alloc(arena, 2 * ((size_t)count / FEWEST_REPEATS) + 2, sizeof *list);
    if (!list)
        return lv_fail_memory(err);
    int found = 0;
    for (int line = 0, alone = 0; line <= count;) {
        int often = 1;
        const int period = line < count ? find_period(&x, line, &often) : 0;
        if ((period > 0 || line == count) && alone > 0) {
            list[found++] = (lv_stretch){line - alone, alone, 1, NULL, NULL};
            alone = 0;
        }
        if (period > 0)
            list[found++] = (lv_stretch){line, period, often, NULL, NULL};
        alone += period == 0;
        line += period > 0 ? period * often : 1;
    }
    for (int k = 0; k < found; k++)
        if (!copy_lines(&list[k], &x, arena))
            return lv_fail_memory(err);
    *repeats = (lv_repeats){list, found};
    return LV_OK;
}
