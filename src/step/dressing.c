#include "step/dressing.h"

#include "system/sparse.h"

#include <string.h>

/* A product of factors, for each body, and for plain coordinates, for which it is 1 or 0. */
typedef struct side {
    lv_factors factors;
    double *blocks;
    bool plain;
} side;

struct lv_dressing {
    const lv_motion *motion;
    const lv_pattern *inner; /* NULL: 1 */
    bool transposed;
    side left, right;
    lv_pattern pattern;
    int *slot; /* of every product, in the order in which they are made */
    double *values;
    bool known; /* the values are those of now */
};

/* ---- creation ----------------------------------------------------------------------------------------- */

static bool make_side(side *s, const lv_factors *which, const lv_factor *factors,
                      int poses, lv_arena *arena)
{
    s->factors = *which;
    s->plain = true;
    for (int k = 0; k < which->count; k++)
        s->plain = s->plain && factors[which->list[k]].plain;
    s->blocks =
        lv_arena_alloc(arena, LV_POSE_BLOCK * (size_t)poses + 1, sizeof *s->blocks);
    return s->blocks != NULL;
}

/* The lines that a line of A has a part in: those of its body, itself, or none. */
typedef struct reach {
    const int *lines;
    int count, pose;
    int line; /* itself */
} reach;

static void find_reach(const lv_dressing *d, const side *s, int line, reach *r)
{
    r->line = line;
    r->pose = s->factors.count > 0 ? d->motion->pose_of[line] : -1;
    r->lines = r->pose < 0 ? &r->line : d->motion->poses[r->pose].tangent;
    r->count = r->pose < 0 ? s->plain : d->motion->poses[r->pose].group->tangent;
}

static int inner_rows(const lv_dressing *d)
{
    return d->inner ? d->inner->rows : d->motion->tangents;
}

/* Adds the entries that an entry of A contributes to. */
static bool list_entry(const lv_dressing *d, lv_entry_list *list, int row, int column)
{
    reach r, c;
    find_reach(d, &d->left, d->transposed ? column : row, &r);
    find_reach(d, &d->right, d->transposed ? row : column, &c);
    for (int i = 0; i < r.count; i++)
        for (int k = 0; k < c.count; k++)
            if (!LV_PUSH(*list, ((lv_entry_place){r.lines[i], c.lines[k]})))
                return false;
    return true;
}

static bool list_entries(const lv_dressing *d, lv_entry_list *list)
{
    bool ok = true;
    for (int r = 0; r < inner_rows(d) && ok; r++) {
        if (!d->inner)
            ok = list_entry(d, list, r, r);
        for (int e = d->inner ? d->inner->start[r] : 0;
             ok && d->inner && e < d->inner->start[r + 1]; e++)
            ok = list_entry(d, list, r, d->inner->column[e]);
    }
    return ok;
}

static lv_status make_pattern(lv_dressing *d, lv_arena *arena, lv_error *err)
{
    lv_entry_list list = {0};
    const int rows = inner_rows(d),
              columns = d->inner ? d->inner->columns : d->motion->tangents;
    bool ok = list_entries(d, &list);
    d->slot = ok ? lv_arena_alloc(arena, (size_t)list.count + 1, sizeof *d->slot) : NULL;
    lv_status status = d->slot
                           ? lv_pattern_build(&d->pattern, d->slot, arena, list.data,
                                              list.count, d->transposed ? columns : rows,
                                              d->transposed ? rows : columns, err)
                           : lv_fail_memory(err);
    LV_ARRAY_FREE(list);
    LV_TRY(status);
    d->values = lv_arena_alloc(arena, (size_t)lv_pattern_entries(&d->pattern) + 1,
                               sizeof *d->values);
    return d->values ? LV_OK : lv_fail_memory(err);
}

lv_status lv_dressing_create(lv_dressing **result, const lv_motion *motion,
                             const lv_pattern *inner, bool transposed,
                             const lv_factors *left, const lv_factors *right,
                             const lv_factor *factors, lv_arena *arena, lv_error *err)
{
    lv_dressing *d = *result = lv_arena_alloc(arena, 1, sizeof *d);
    if (!d)
        return lv_fail_memory(err);
    d->motion = motion;
    d->inner = inner;
    d->transposed = transposed;
    if (!make_side(&d->left, left, factors, motion->pose_count, arena) ||
        !make_side(&d->right, right, factors, motion->pose_count, arena))
        return lv_fail_memory(err);
    return make_pattern(d, arena, err);
}

const lv_pattern *lv_dressing_pattern(const lv_dressing *d)
{
    return &d->pattern;
}

/* ---- values --------------------------------------------------------------------------------------------- */

static void multiply(double *to, const double *by, int n)
{
    double product[LV_POSE_BLOCK];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
                sum += to[n * i + j] * by[n * j + k];
            product[n * i + k] = sum;
        }
    memcpy(to, product, (size_t)(n * n) * sizeof *to);
}

static void find_product(side *s, const lv_factor *factors, const lv_motion *m)
{
    for (int f = 0; f < s->factors.count; f++)
        for (int k = 0; k < m->pose_count; k++) {
            const double *by =
                factors[s->factors.list[f]].blocks + (ptrdiff_t)LV_POSE_BLOCK * k;
            double *to = s->blocks + (ptrdiff_t)LV_POSE_BLOCK * k;
            const int n = m->poses[k].group->tangent;
            if (f == 0)
                memcpy(to, by, (size_t)(n * n) * sizeof *to);
            else
                multiply(to, by, n);
        }
}

/* Adds what one entry of A makes of it; returns the slots behind. */
static const int *add_entry(lv_dressing *d, const int *slot, int row, int column,
                            double value)
{
    reach r, c;
    const double one = 1, *left = &one, *right = &one;
    find_reach(d, &d->left, d->transposed ? column : row, &r);
    find_reach(d, &d->right, d->transposed ? row : column, &c);
    if (r.pose >= 0)
        left = d->left.blocks + (ptrdiff_t)LV_POSE_BLOCK * r.pose +
               d->motion->within[r.line];
    if (c.pose >= 0)
        right = d->right.blocks + (ptrdiff_t)LV_POSE_BLOCK * c.pose +
                (ptrdiff_t)c.count * d->motion->within[c.line];
    for (int i = 0; i < r.count; i++) {
        const double part = value * left[(ptrdiff_t)r.count * i * (r.pose >= 0)];
        for (int k = 0; k < c.count; k++)
            d->values[*slot++] += part * right[k];
    }
    return slot;
}

const double *lv_dressing_values(lv_dressing *d, const lv_factor *factors,
                                 const double *inner)
{
    const int *slot = d->slot;
    if (d->known)
        return d->values;
    d->known = true;
    find_product(&d->left, factors, d->motion);
    find_product(&d->right, factors, d->motion);
    memset(d->values, 0, (size_t)lv_pattern_entries(&d->pattern) * sizeof *d->values);
    for (int r = 0; r < inner_rows(d); r++) {
        if (!d->inner)
            slot = add_entry(d, slot, r, r, 1);
        for (int e = d->inner ? d->inner->start[r] : 0;
             d->inner && e < d->inner->start[r + 1]; e++)
            slot = add_entry(d, slot, r, d->inner->column[e], inner[e]);
    }
    return d->values;
}

void lv_dressing_forget(lv_dressing *d)
{
    d->known = false;
}
