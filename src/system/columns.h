/* A sparse matrix by groups of columns, and tables whose items repeat with fixed steps (system/schur.c). */
#ifndef LV_SYSTEM_COLUMNS_H
#define LV_SYSTEM_COLUMNS_H

#include <stddef.h>

/* Part of a table that need not be read, since it is regular: items first .. first + count - 1 are
 * like item `first`, with all indices a fixed step further from one to the next. */
typedef struct lv_alike {
    int first, count;
} lv_alike;

/* Items from .. to - 1; like: the item to look up for all of them, -1: each for itself. */
typedef struct lv_stretch {
    int from, to, like;
} lv_stretch;

/* Items before, in and after the regular part: ranges 0, 1, 2. */
enum { LV_STRETCHES = 3 };

static inline lv_stretch lv_alike_stretch(lv_alike alike, int items, int range)
{
    const int end = alike.first + alike.count;
    return range == 0   ? (lv_stretch){0, alike.first, -1}
           : range == 1 ? (lv_stretch){alike.first, end, alike.first}
                        : (lv_stretch){end, items, -1};
}

/* `weighted` by columns, for loops that do more than to spread. Coordinates come in groups of
 * `width` (at most 3), alike in which rows touch them: group k has the coordinates from k width
 * on; touch[start[k]] up to touch[start[k + 1]] are the rows and their entries for the first of
 * them, those for the others follow. */
typedef struct lv_touch {
    int row, entry;
} lv_touch;

typedef struct lv_columns {
    int width, groups;
    const int *start;
    const lv_touch *touch;
    lv_alike alike;
    lv_touch step;        /* from one alike group to the next */
    const double *factor; /* of every group, to multiply with; NULL: 1 */
} lv_columns;

/* (weighted^T x) for the coordinates of group k in a range. Every number is made at once, and sums
 * do not wait for each other. */
static inline void lv_columns_sum(const lv_columns *c, lv_stretch range, int k, int width,
                                  const double *weighted, const double *x, double *sum)
{
    const int at = range.like < 0 ? k : range.like;
    const double scale = c->factor ? c->factor[k] : 1;
    weighted += (ptrdiff_t)(k - at) * c->step.entry;
    x += (ptrdiff_t)(k - at) * c->step.row;
    for (int j = 0; j < width; j++)
        sum[j] = 0;
    for (int e = c->start[at]; e < c->start[at + 1]; e++) {
        const double *from = weighted + c->touch[e].entry,
                     factor = scale * x[c->touch[e].row];
        for (int j = 0; j < width; j++)
            sum[j] += from[j] * factor;
    }
}

#endif
