#include "num/columns.h"

#include "base/inline.h"
#include "base/memory.h"
#include "base/wide.h"

#include <stddef.h>

/* Indices of cells in lv_columns.repeats. */
enum { ROW, ENTRY };

/* ---- creation ---------------------------------------------------------------------- */

/* Whether the columns of every row form complete groups [k width, (k + 1) width). */
static bool in_groups(const lv_pattern *p, int width)
{
    bool yes = p->columns % width == 0;
    for (int r = 0; yes && r < p->rows; r++)
        for (int e = p->start[r]; yes && e < p->start[r + 1]; e++) {
            int inside = (e - p->start[r]) % width;
            yes = p->column[e] % width == inside &&
                  (inside == 0 || p->column[e] == p->column[e - 1] + 1);
        }
    for (int r = 0; yes && r < p->rows; r++)
        yes = (p->start[r + 1] - p->start[r]) % width == 0;
    return yes;
}

int lv_columns_width(const lv_pattern *p)
{
    for (int width = 3; width > 1; width--)
        if (in_groups(p, width))
            return width;
    return 1;
}

static lv_status find_repeats(lv_columns *c, lv_arena *arena, lv_error *err)
{
    const int count = c->start[c->groups];
    lv_cell *list = lv_memory_zeroed((size_t)count + 1, sizeof *list);
    if (!list)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++)
        list[k] = (lv_cell){.at = {[ROW] = c->touch[k].row, [ENTRY] = c->touch[k].entry}};
    const lv_status status =
        lv_repeats_find(&c->repeats, arena, c->groups, c->start, list, err);
    lv_memory_free(list);
    return status;
}

lv_status lv_columns_find(lv_columns *c, lv_arena *arena, const lv_pattern *p, int width,
                          lv_error *err)
{
    const int groups = p->columns / width, entries = p->start[p->rows];
    int *start = lv_arena_alloc(arena, (size_t)groups + 2, sizeof *start);
    lv_touch *list = lv_arena_alloc(arena, (size_t)(entries / width) + 1, sizeof *list);
    if (!start || !list)
        return lv_fail_memory(err);
    for (int e = 0; e < entries; e += width)
        start[p->column[e] / width + 2]++;
    for (int k = 0; k < groups; k++)
        start[k + 2] += start[k + 1];
    for (int r = 0; r < p->rows; r++)
        for (int e = p->start[r]; e < p->start[r + 1]; e += width)
            list[start[p->column[e] / width + 1]++] = (lv_touch){r, e};
    *c = (lv_columns){.width = width, .groups = groups, .start = start, .touch = list};
    return find_repeats(c, arena, err);
}

/* ---- products ---------------------------------------------------------------------- */

/* All that a product needs besides its columns. */
typedef struct product {
    const lv_column_target *to;
    int targets;
    const double *values, *x, *factor;
} product;

/* Adds `count` numbers to the targets, or sets these to them, from number `at` on. */
LV_INLINE void deliver(const product *p, ptrdiff_t at, const double *restrict sum,
                       int count)
{
    for (int t = 0; t < p->targets; t++) {
        double *restrict y = p->to[t].y + at;
        const double c = p->to[t].c;
        if (p->to[t].add)
            for (int i = 0; i < count; i++)
                y[i] += c * sum[i];
        else
            for (int i = 0; i < count; i++)
                y[i] = c * sum[i];
    }
}

/* The groups of a stretch that does not repeat. */
LV_INLINE void spread_once(const product *p, const lv_stretch *s, int width)
{
    for (int k = 0; k < s->period; k++) {
        const double scale = p->factor ? p->factor[s->line + k] : 1;
        double sum[3] = {0};
        for (int e = s->start[k]; e < s->start[k + 1]; e++) {
            const double *from = p->values + s->cell[e].at[ENTRY],
                         factor = scale * p->x[s->cell[e].at[ROW]];
            for (int j = 0; j < width; j++)
                sum[j] += from[j] * factor;
        }
        deliver(p, (ptrdiff_t)(s->line + k) * width, sum, width);
    }
}

/* Adds one or two rows that touch a group to the sums of `repeats` repetitions, or sets
 * these to them. Factors of groups are `apart` numbers apart. */
LV_INLINE void add_touches(double *restrict sum, const product *p, const lv_cell *x,
                           ptrdiff_t first, const double *scale, ptrdiff_t apart,
                           int repeats, int width, bool two, bool add)
{
    const lv_cell *z = two ? x + 1 : x;
    const ptrdiff_t next = x->step[ENTRY], row = x->step[ROW], next2 = z->step[ENTRY],
                    row2 = z->step[ROW];
    const double *from = p->values + x->at[ENTRY] + first * next,
                 *from2 = p->values + z->at[ENTRY] + first * next2,
                 *y = p->x + x->at[ROW] + first * row,
                 *y2 = p->x + z->at[ROW] + first * row2;
    for (int k = 0; k < repeats; k++, sum += width) {
        const double factor = scale ? *scale * *y : *y,
                     factor2 = scale ? *scale * *y2 : *y2;
        for (int j = 0; j < width; j++) {
            const double one = from[j] * factor;
            sum[j] = add ? sum[j] + one : one;
            if (two)
                sum[j] += from2[j] * factor2;
        }
        from += next;
        from2 += next2;
        y += row;
        y2 += row2;
        if (scale)
            scale += apart;
    }
}

/* The groups of a stretch, a few repetitions at a time, whose sums stay in the nearest
 * cache. */
LV_INLINE void spread_repeated(const product *p, const lv_stretch *s, int width)
{
    enum { FEW = 64, WIDEST = 3 };
    double sum[FEW * WIDEST];
    for (int first = 0; first < s->repeats; first += FEW) {
        const int repeats = s->repeats - first < FEW ? s->repeats - first : FEW;
        for (int k = 0; k < s->period; k++) {
            const ptrdiff_t group = s->line + (ptrdiff_t)first * s->period + k;
            const double *scale = p->factor ? p->factor + group : NULL;
            const lv_cell *x = s->cell + s->start[k], *const end =
                                                          s->cell + s->start[k + 1];
            for (int i = 0; x == end && i < repeats * width; i++)
                sum[i] = 0;
            if (x + 1 < end)
                add_touches(sum, p, x, first, scale, s->period, repeats, width, true,
                            false);
            else if (x < end)
                add_touches(sum, p, x, first, scale, s->period, repeats, width, false,
                            false);
            for (x += end - x < 2 ? end - x : 2; x < end; x++)
                add_touches(sum, p, x, first, scale, s->period, repeats, width, false,
                            true);
            if (s->period == 1)
                deliver(p, group * width, sum, repeats * width);
            else
                for (int i = 0; i < repeats; i++)
                    deliver(p, (group + (ptrdiff_t)i * s->period) * width,
                            sum + (ptrdiff_t)i * width, width);
        }
    }
}

LV_INLINE void spread_sized(const lv_columns *c, const product *p, int width)
{
    for (int k = 0; k < c->repeats.count; k++) {
        const lv_stretch *s = &c->repeats.stretch[k];
        if (s->repeats > 1 && p->factor)
            spread_repeated(p, s, width);
        else if (s->repeats > 1)
            spread_repeated(&(product){p->to, p->targets, p->values, p->x, NULL}, s,
                            width);
        else
            spread_once(p, s, width);
    }
}

LV_INLINE void spread(const lv_columns *c, const product *p)
{
    if (c->width == 3)
        spread_sized(c, p, 3);
    else if (c->width == 2)
        spread_sized(c, p, 2);
    else
        spread_sized(c, p, 1);
}

static void spread_plain(const lv_columns *c, const product *p)
{
    spread(c, p);
}

LV_WIDE static void spread_wide(const lv_columns *c, const product *p)
{
    spread(c, p);
}

void lv_columns_spread(const lv_columns *c, const lv_column_target *to, int count,
                       const double *values, const double *x, const double *factor)
{
    const product p = {to, count, values, x, factor};
    (lv_is_wide() ? spread_wide : spread_plain)(c, &p);
}
