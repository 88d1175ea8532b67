/* Z = G_a M^-1 G_b^T, constraints x constraints, for Jacobians of one pattern and a mass matrix
 * of small blocks. Both factors may be taken at different points. */
#ifndef LV_SYSTEM_SCHUR_H
#define LV_SYSTEM_SCHUR_H

#include "system/mass.h"

#include <stddef.h>

typedef struct lv_schur lv_schur;

/* The pattern of G, and the mass matrix (whose blocks matter, not its values). */
lv_status lv_schur_create(lv_schur **schur, const lv_pattern *g, const lv_mass *mass,
                          lv_error *err);
void lv_schur_free(lv_schur *schur);

const lv_pattern *lv_schur_pattern(const lv_schur *schur); /* of Z */
int lv_schur_weighted_size(const lv_schur *schur);

/* From now on the mass matrix stays what it is. true if it is made of point masses, so that every
 * group of coordinates (see below) has one mass: these are then taken into account where they are
 * needed, and G itself serves as `weighted`. */
bool lv_schur_fix_mass(lv_schur *schur, const lv_mass *mass);

/* weighted = G M^-1: rows of G with every block of the mass matrix they touch. Nothing is to be
 * done where `weighted` is G. */
void lv_schur_weigh(const lv_schur *schur, double *weighted, const lv_mass *mass,
                    const double *g);

/* storage[slot[e]] = c * (G weighted^T)[e] for all entries e of Z; or added to what is there. */
void lv_schur_store(const lv_schur *schur, double *storage, const int *slot, double c,
                    const double *g, const double *weighted);
void lv_schur_add(const lv_schur *schur, double *storage, const int *slot, double c,
                  const double *g, const double *weighted);

/* y = weighted x: that is G M^-1 x. */
void lv_schur_apply(const lv_schur *schur, double *y, const double *weighted,
                    const double *x);

/* y = G x */
void lv_schur_rate(const lv_schur *schur, double *y, const double *g, const double *x);

/* y += c * weighted^T x: that is M^-1 G^T x. */
void lv_schur_spread(const lv_schur *schur, double *y, double c, const double *weighted,
                     const double *x);

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

const lv_columns *lv_schur_columns(const lv_schur *schur);

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
