#include "system/schur_runs.h"

#include "base/memory.h"

#include <limits.h>
#include <stddef.h>

/* Work space: all runs of Z, one entry after the other, and which of them are whose. */
typedef struct finder {
    const lv_pattern *g, *z;
    const lv_columns *columns;
    int *entry;    /* by column of Z: the entry of the row at hand */
    lv_cell *last; /* by column of Z: the last run of this entry */
    int *first;    /* by entry of Z: its first run; two numbers more than Z has entries */
    int *start;    /* by row of Z: its first run */
    lv_cell *list;
} finder;

/* Finds the runs of row r of Z. first[e] is advanced by the number of runs of entry e. If
 * there is no list yet, runs are only counted. */
static void find_row(finder *f, int r, int *first)
{
    const lv_columns *c = f->columns;
    for (int e = f->z->start[r]; e < f->z->start[r + 1]; e++) {
        f->entry[f->z->column[e]] = e;
        f->last[f->z->column[e]].kind = 0;
    }
    for (int e = f->g->start[r]; e < f->g->start[r + 1]; e += c->width) {
        const int group = f->g->column[e] / c->width;
        for (int k = c->start[group]; k < c->start[group + 1]; k++) {
            lv_cell *x = &f->last[c->touch[k].row];
            int *next = &first[f->entry[c->touch[k].row]];
            const int length = x->kind * c->width;
            if (x->kind > 0 && e == x->at[LV_RUN_G] + length &&
                c->touch[k].entry == x->at[LV_RUN_WEIGHTED] + length &&
                group == x->at[LV_RUN_GROUP] + x->kind)
                x->kind++;
            else {
                *x = (lv_cell){.at = {e, c->touch[k].entry, group}, .kind = 1};
                (*next)++;
            }
            if (f->list)
                f->list[*next - 1] = *x;
        }
    }
}

static lv_status find_all(finder *f, lv_error *err)
{
    const int entries = f->z->start[f->z->rows];
    int *first = f->first;
    for (int r = 0; r < f->z->rows; r++)
        find_row(f, r, first + 2);
    for (int e = 0; e < entries; e++) {
        if (first[e + 2] > INT_MAX - first[e + 1])
            return lv_fail(err, LV_ERR_LIMIT, "a matrix of %d constraints is too large",
                           f->z->rows);
        first[e + 2] += first[e + 1];
    }
    f->list = lv_memory_zeroed((size_t)first[entries + 1] + 1, sizeof *f->list);
    if (!f->list)
        return lv_fail_memory(err);
    /* This makes first[e] the first run of entry e. */
    for (int r = 0; r < f->z->rows; r++)
        find_row(f, r, first + 1);
    for (int e = 0; e < entries; e++)
        f->list[first[e + 1] - 1].kind *= -1;
    for (int r = 0; r <= f->z->rows; r++)
        f->start[r] = first[f->z->start[r]];
    return LV_OK;
}

lv_status lv_schur_runs_find(lv_repeats *runs, lv_arena *arena, const lv_pattern *g,
                             const lv_pattern *z, const lv_columns *columns,
                             lv_error *err)
{
    const size_t m = (size_t)z->rows + 1;
    finder f = {.g = g, .z = z, .columns = columns};
    f.entry = lv_memory_zeroed(m, sizeof *f.entry);
    f.last = lv_memory_zeroed(m, sizeof *f.last);
    f.start = lv_memory_zeroed(m, sizeof *f.start);
    f.first = lv_memory_zeroed((size_t)z->start[z->rows] + 2, sizeof *f.first);
    lv_status status =
        f.entry && f.last && f.start && f.first ? find_all(&f, err) : lv_fail_memory(err);
    if (status == LV_OK)
        status = lv_repeats_find(runs, arena, z->rows, f.start, f.list, err);
    lv_memory_free(f.entry);
    lv_memory_free(f.last);
    lv_memory_free(f.start);
    lv_memory_free(f.first);
    lv_memory_free(f.list);
    return status;
}
