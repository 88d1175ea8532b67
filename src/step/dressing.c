#include "step/dressing.h"

#include "system/sparse.h"

#include <string.h>

/* A product of factors, for each rotation, and for plain coordinates, for which it is 1 or 0. */
typedef struct side {
    lv_factors factors;
    double *blocks;
    bool plain;
} side;

struct lv_dressing {
    const lv_motion *motion;
    const lv_pattern *inner; /* NULL: 1 */
    bool transposed;
    int *rotation; /* of each tangent; -1: it is plain */
    side left, right;
    lv_pattern pattern;
    int *slot; /* of every product, in the order in which they are made */
    double *values;
};

/* ---- creation ----------------------------------------------------------------------------------------- */

static bool find_rotations(lv_dressing *d, lv_arena *arena)
{
    const lv_motion *m = d->motion;
    d->rotation = lv_arena_alloc(arena, (size_t)m->tangents + 1, sizeof *d->rotation);
    for (int i = 0; d->rotation && i < m->tangents; i++)
        d->rotation[i] = -1;
    for (int k = 0; d->rotation && k < m->rotation_count; k++)
        for (int i = 0; i < 3; i++)
            d->rotation[m->rotations[k].tangent + i] = k;
    return d->rotation != NULL;
}

static bool make_side(side *s, const lv_factors *which, const lv_factor *factors,
                      int rotations, lv_arena *arena)
{
    s->factors = *which;
    s->plain = true;
    for (int k = 0; k < which->count; k++)
        s->plain = s->plain && factors[which->list[k]].plain;
    s->blocks = lv_arena_alloc(arena, 9 * (size_t)rotations + 1, sizeof *s->blocks);
    return s->blocks != NULL;
}

/* The lines that a line of A has a part in: those of its rotation, itself, or none. */
typedef struct reach {
    int first, count, rotation;
} reach;

static reach reach_of(const lv_dressing *d, const side *s, int line)
{
    const int rotation = s->factors.count > 0 ? d->rotation[line] : -1;
    return rotation < 0 ? (reach){line, s->plain, -1}
                        : (reach){d->motion->rotations[rotation].tangent, 3, rotation};
}

static int inner_rows(const lv_dressing *d)
{
    return d->inner ? d->inner->rows : d->motion->tangents;
}

/* Adds the entries that an entry of A contributes to. */
static bool list_entry(const lv_dressing *d, lv_entry_list *list, int row, int column)
{
    const reach r = reach_of(d, &d->left, d->transposed ? column : row),
                c = reach_of(d, &d->right, d->transposed ? row : column);
    for (int i = 0; i < r.count; i++)
        for (int k = 0; k < c.count; k++)
            if (!LV_PUSH(*list, ((lv_entry_place){r.first + i, c.first + k})))
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
    if (!find_rotations(d, arena) ||
        !make_side(&d->left, left, factors, motion->rotation_count, arena) ||
        !make_side(&d->right, right, factors, motion->rotation_count, arena))
        return lv_fail_memory(err);
    return make_pattern(d, arena, err);
}

const lv_pattern *lv_dressing_pattern(const lv_dressing *d)
{
    return &d->pattern;
}

/* ---- values --------------------------------------------------------------------------------------------- */

static void multiply(double *to, const double *by)
{
    double product[9];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            product[3 * i + k] =
                to[3 * i] * by[k] + to[3 * i + 1] * by[3 + k] + to[3 * i + 2] * by[6 + k];
    memcpy(to, product, sizeof product);
}

static void find_product(side *s, const lv_factor *factors, int rotations)
{
    for (int f = 0; f < s->factors.count; f++) {
        const lv_factor *x = &factors[s->factors.list[f]];
        if (f == 0)
            memcpy(s->blocks, x->blocks, 9 * (size_t)rotations * sizeof *s->blocks);
        else
            for (int k = 0; k < rotations; k++)
                multiply(s->blocks + (ptrdiff_t)9 * k, x->blocks + (ptrdiff_t)9 * k);
    }
}

/* Adds what one entry of A makes of it; returns the slots behind. */
static const int *add_entry(lv_dressing *d, const int *slot, int row, int column,
                            double value)
{
    const int line = d->transposed ? column : row, other = d->transposed ? row : column;
    const reach r = reach_of(d, &d->left, line), c = reach_of(d, &d->right, other);
    const double one[3] = {1, 1, 1}, *left = one, *right = one;
    if (r.rotation >= 0)
        left = d->left.blocks + (ptrdiff_t)9 * r.rotation + (line - r.first);
    if (c.rotation >= 0)
        right = d->right.blocks + (ptrdiff_t)9 * c.rotation +
                (ptrdiff_t)3 * (other - c.first);
    for (int i = 0; i < r.count; i++) {
        const double part = value * left[(ptrdiff_t)(r.rotation < 0 ? 0 : 3) * i];
        for (int k = 0; k < c.count; k++)
            d->values[*slot++] += part * right[k];
    }
    return slot;
}

const double *lv_dressing_values(lv_dressing *d, const lv_factor *factors,
                                 const double *inner)
{
    const int *slot = d->slot;
    find_product(&d->left, factors, d->motion->rotation_count);
    find_product(&d->right, factors, d->motion->rotation_count);
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
