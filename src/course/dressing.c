#include "course/dressing.h"

#include "base/inline.h"
#include "base/memory.h"
#include "num/sparse.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A product of factors: a block for each body, and the identity or 0 for plain
 * coordinates. */
typedef struct side {
    lv_factors factors;
    double *blocks; /* the product of several factors; a single factor is used directly */
    bool plain;
} side;

/* The part of A between a body (or a plain line) on the left and one on the right: a
 * small dense matrix. Tiles do not overlap, and each gives a tile of L A R of the same
 * size. */
typedef struct tile {
    int left, right;   /* bodies; -1: a plain line, where L or R is 1 */
    int rows, columns; /* lines of the body, or 1 */
    int first;         /* where its numbers begin in `from` and `slot`, row by row */
} tile;

/* Kinds of tiles, each of which has a loop of its own. */
typedef enum tile_kind {
    TILE_COPIED, /* entries of A as they are: neither side has a factor there */
    /* 1 x 3 with a factor on the right, whose numbers stand side by side in A and in the
     * product */
    TILE_ROW,
    TILE_COLUMN, /* 3 x 1 */
    TILE_SQUARE, /* 3 x 3 */
    TILE_OTHER,
    TILE_KINDS
} tile_kind;

struct lv_dressing {
    const lv_motion *motion;
    const lv_pattern *inner; /* pattern of A; NULL: A is the identity */
    bool transposed;
    side left, right;
    lv_pattern pattern;
    tile *tiles; /* by kind */
    int tile_count;
    int kind_end[TILE_KINDS]; /* one past the last tile of each kind */
    int *from;                /* entries of A; -1: zero. NULL if A is the identity */
    int *slot;                /* indices of the products in `values` */
    double *values;
    bool known; /* `values` are up to date */
};

/* ---- entries of A ------------------------------------------------------------------ */

/* The body that a line of A belongs to for L or R, or the line itself. */
typedef struct place {
    int pose;   /* -1: a plain line */
    int key;    /* sort key: the number of the body or line */
    int within; /* number of the line within the body */
} place;

typedef struct member {
    place row, column; /* lines of L A R */
    int entry;         /* entry of A */
} member;

typedef LV_ARRAY(member) members;

/* Finds the place of a line. If A is the identity, both sides consist of bodies. Returns
 * false if the product is 0 there. */
static bool find_place(const lv_dressing *d, const side *s, int line, place *to)
{
    const lv_motion *m = d->motion;
    const int pose = s->factors.count > 0 || !d->inner ? m->pose_of[line] : -1;
    *to = pose >= 0 ? (place){pose, pose, m->within[line]}
                    : (place){-1, m->pose_count + line, 0};
    return pose >= 0 || s->plain;
}

static bool add_member(const lv_dressing *d, members *list, int row, int column,
                       int entry)
{
    member x = {.entry = entry};
    if (!find_place(d, &d->left, d->transposed ? column : row, &x.row) ||
        !find_place(d, &d->right, d->transposed ? row : column, &x.column))
        return true;
    return LV_PUSH(*list, x);
}

static int inner_rows(const lv_dressing *d)
{
    return d->inner ? d->inner->rows : d->motion->tangents;
}

static bool list_members(const lv_dressing *d, members *list)
{
    bool ok = true;
    for (int r = 0; r < inner_rows(d) && ok; r++) {
        if (!d->inner)
            ok = add_member(d, list, r, r, -1);
        for (int e = d->inner ? d->inner->start[r] : 0;
             ok && d->inner && e < d->inner->start[r + 1]; e++)
            ok = add_member(d, list, r, d->inner->column[e], e);
    }
    return ok;
}

static int compare(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->row.key != y->row.key)
        return x->row.key < y->row.key ? -1 : 1;
    if (x->column.key != y->column.key)
        return x->column.key < y->column.key ? -1 : 1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

static bool is_together(const member *x, const member *y)
{
    return x->row.key == y->row.key && x->column.key == y->column.key;
}

/* ---- tiles ------------------------------------------------------------------------- */

static int lines_of(const lv_dressing *d, place p)
{
    return p.pose < 0 ? 1 : d->motion->poses[p.pose].group->tangent;
}

static int line_of(const lv_dressing *d, place p, int within)
{
    return p.pose < 0 ? p.key - d->motion->pose_count
                      : d->motion->poses[p.pose].tangent[within];
}

/* Counts tiles and their numbers, and with `fill` writes them. The members are sorted. */
static int cut_tiles(lv_dressing *d, const members *list, bool fill)
{
    int at = 0;
    d->tile_count = 0;
    for (int k = 0; k < list->count; d->tile_count++) {
        const member *x = &list->data[k];
        const tile t = {x->row.pose, x->column.pose, lines_of(d, x->row),
                        lines_of(d, x->column), at};
        at += t.rows * t.columns;
        if (fill) {
            d->tiles[d->tile_count] = t;
            for (int i = t.first; d->from && i < at; i++)
                d->from[i] = -1;
        }
        for (; k < list->count && is_together(x, &list->data[k]); k++)
            if (fill && d->from)
                d->from[t.first + list->data[k].row.within * t.columns +
                        list->data[k].column.within] = list->data[k].entry;
    }
    return at;
}

static bool stands_side_by_side(const lv_dressing *d, const tile *t)
{
    const int *from = d->from ? d->from + t->first : NULL, *slot = d->slot + t->first;
    return from && from[0] >= 0 && from[1] == from[0] + 1 && from[2] == from[0] + 2 &&
           slot[1] == slot[0] + 1 && slot[2] == slot[0] + 2;
}

static tile_kind kind_of(const lv_dressing *d, const tile *t)
{
    const bool left = t->left >= 0 && d->left.factors.count > 0,
               right = t->right >= 0 && d->right.factors.count > 0;
    if (!left && !right)
        return TILE_COPIED;
    if (t->rows == 1 && t->columns == 3 && stands_side_by_side(d, t))
        return TILE_ROW;
    if (t->rows == 3 && t->columns == 1)
        return TILE_COLUMN;
    return t->rows == 3 && t->columns == 3 ? TILE_SQUARE : TILE_OTHER;
}

/* Brings tiles of one kind together. */
static bool sort_tiles(lv_dressing *d)
{
    tile *all = lv_memory_zeroed((size_t)d->tile_count + 1, sizeof *all);
    int at = 0;
    if (!all)
        return false;
    memcpy(all, d->tiles, (size_t)d->tile_count * sizeof *all);
    for (int kind = 0; kind < TILE_KINDS; kind++) {
        for (int k = 0; k < d->tile_count; k++)
            if (kind_of(d, &all[k]) == (tile_kind)kind)
                d->tiles[at++] = all[k];
        d->kind_end[kind] = at;
    }
    lv_memory_free(all);
    return true;
}

static bool list_products(const lv_dressing *d, const members *list,
                          lv_entry_list *entries)
{
    const tile *t = d->tiles;
    for (int k = 0; k < list->count; t++) {
        const member *x = &list->data[k];
        for (int i = 0; i < t->rows; i++)
            for (int j = 0; j < t->columns; j++)
                if (!LV_PUSH(*entries, ((lv_entry_place){line_of(d, x->row, i),
                                                         line_of(d, x->column, j)})))
                    return false;
        while (k < list->count && is_together(x, &list->data[k]))
            k++;
    }
    return true;
}

static lv_status make_tiles(lv_dressing *d, members *list, lv_arena *arena, lv_error *err)
{
    if (list->count > 1)
        qsort(list->data, (size_t)list->count, sizeof *list->data, compare);
    const size_t numbers = (size_t)cut_tiles(d, list, false) + 1;
    d->tiles = lv_arena_alloc(arena, (size_t)d->tile_count + 1, sizeof *d->tiles);
    d->slot = lv_arena_alloc(arena, numbers, sizeof *d->slot);
    d->from = d->inner ? lv_arena_alloc(arena, numbers, sizeof *d->from) : NULL;
    if (!d->tiles || !d->slot || (d->inner && !d->from))
        return lv_fail_memory(err);
    (void)cut_tiles(d, list, true);
    return LV_OK;
}

static lv_status make_pattern(lv_dressing *d, const members *list, lv_arena *arena,
                              lv_error *err)
{
    lv_entry_list entries = {0};
    const int rows = inner_rows(d),
              columns = d->inner ? d->inner->columns : d->motion->tangents;
    lv_status status =
        list_products(d, list, &entries)
            ? lv_pattern_build(&d->pattern, d->slot, arena, entries.data, entries.count,
                               d->transposed ? columns : rows,
                               d->transposed ? rows : columns, err)
            : lv_fail_memory(err);
    LV_ARRAY_FREE(entries);
    LV_TRY(status);
    if (!sort_tiles(d))
        return lv_fail_memory(err);
    d->values = lv_arena_alloc(arena, (size_t)lv_pattern_entries(&d->pattern) + 1,
                               sizeof *d->values);
    return d->values ? LV_OK : lv_fail_memory(err);
}

/* ---- creation ---------------------------------------------------------------------- */

static bool make_side(side *s, const lv_factors *which, const lv_factor *factors,
                      int poses, lv_arena *arena)
{
    s->factors = *which;
    s->plain = true;
    for (int k = 0; k < which->count; k++)
        s->plain = s->plain && factors[which->list[k]].plain;
    if (which->count < 2)
        return true;
    s->blocks =
        lv_arena_alloc(arena, LV_POSE_BLOCK * (size_t)poses + 1, sizeof *s->blocks);
    return s->blocks != NULL;
}

lv_status lv_dressing_create(lv_dressing **result, const lv_motion *motion,
                             const lv_pattern *inner, bool transposed,
                             const lv_factors *left, const lv_factors *right,
                             const lv_factor *factors, lv_arena *arena, lv_error *err)
{
    lv_dressing *d = *result = lv_arena_alloc(arena, 1, sizeof *d);
    members list = {0};
    if (!d)
        return lv_fail_memory(err);
    d->motion = motion;
    d->inner = inner;
    d->transposed = transposed;
    if (!make_side(&d->left, left, factors, motion->pose_count, arena) ||
        !make_side(&d->right, right, factors, motion->pose_count, arena))
        return lv_fail_memory(err);
    lv_status status =
        list_members(d, &list) ? make_tiles(d, &list, arena, err) : lv_fail_memory(err);
    if (status == LV_OK)
        status = make_pattern(d, &list, arena, err);
    LV_ARRAY_FREE(list);
    return status;
}

const lv_pattern *lv_dressing_pattern(const lv_dressing *d)
{
    return &d->pattern;
}

/* ---- values ------------------------------------------------------------------------ */

/* c = a b, sizes n x k and k x m */
LV_INLINE void multiply(double *c, const double *a, const double *b, int n, int k, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = a[(ptrdiff_t)k * i] * b[j];
            for (int l = 1; l < k; l++)
                sum += a[k * i + l] * b[m * l + j];
            c[m * i + j] = sum;
        }
}

/* The blocks of a side, body by body; NULL: the side is the identity. */
static const double *find_product(side *s, const lv_factor *factors, const lv_motion *m)
{
    if (s->factors.count == 0)
        return NULL;
    const double *before = factors[s->factors.list[0]].blocks;
    for (int f = 1; f < s->factors.count; f++) {
        const double *by = factors[s->factors.list[f]].blocks;
        for (int k = 0; k < m->pose_count; k++) {
            const ptrdiff_t at = (ptrdiff_t)LV_POSE_BLOCK * k;
            const int n = m->poses[k].group->tangent;
            double product[LV_POSE_BLOCK];
            if (n == 3)
                multiply(product, before + at, by + at, 3, 3, 3);
            else
                multiply(product, before + at, by + at, n, n, n);
            memcpy(s->blocks + at, product, (size_t)(n * n) * sizeof *product);
        }
        before = s->blocks;
    }
    return before;
}

/* values = L A R for a tile of n x m numbers. NULL stands for the identity, for each of
 * L, A and R. */
LV_INLINE void run_tile(double *values, const int *slot, const double *left,
                        const double *right, const double *inner, const int *from, int n,
                        int m)
{
    double a[LV_POSE_BLOCK], b[LV_POSE_BLOCK];
    const double *product = left;
    for (int i = 0; from && i < n * m; i++)
        a[i] = from[i] < 0 ? 0 : inner[from[i]];
    if (from && left) {
        multiply(b, left, a, n, n, m);
        product = b;
    } else if (from) {
        product = a;
    }
    if (product && right) {
        double *to = product == a ? b : a;
        multiply(to, product, right, n, m, m);
        product = to;
    } else if (right) {
        product = right;
    }
    for (int i = 0; i < n * m; i++)
        values[slot[i]] = product ? product[i] : 1;
}

/* What the tiles of a dressing are made of. */
typedef struct sources {
    const double *left, *right, *inner; /* NULL: 1 */
} sources;

/* The block of a body in a product of factors; NULL: it is 1. */
LV_INLINE const double *block_of(const double *product, int body)
{
    return body < 0 || !product ? NULL : product + (ptrdiff_t)LV_POSE_BLOCK * body;
}

/* Tiles of n x m numbers; n = 0: of any size. */
LV_INLINE void run_tiles(const lv_dressing *d, const sources *x, tile_kind kind, int n,
                         int m)
{
    const tile *end = d->tiles + d->kind_end[kind];
    for (const tile *t = d->tiles + d->kind_end[kind - 1]; t < end; t++)
        run_tile(d->values, d->slot + t->first, block_of(x->left, t->left),
                 block_of(x->right, t->right), x->inner,
                 d->from ? d->from + t->first : NULL, n > 0 ? n : t->rows,
                 n > 0 ? m : t->columns);
}

static void run_rows(const lv_dressing *d, const sources *x)
{
    const tile *end = d->tiles + d->kind_end[TILE_ROW];
    for (const tile *t = d->tiles + d->kind_end[TILE_ROW - 1]; t < end; t++)
        multiply(d->values + d->slot[t->first], x->inner + d->from[t->first],
                 block_of(x->right, t->right), 1, 3, 3);
}

static void copy_tiles(const lv_dressing *d, const double *inner)
{
    const tile *end = d->tiles + d->kind_end[TILE_COPIED];
    for (const tile *t = d->tiles; t < end; t++)
        for (int i = t->first; i < t->first + t->rows * t->columns; i++)
            d->values[d->slot[i]] = !d->from ? 1 : d->from[i] < 0 ? 0 : inner[d->from[i]];
}

const double *lv_dressing_values(lv_dressing *d, const lv_factor *factors,
                                 const double *inner)
{
    if (d->known)
        return d->values;
    d->known = true;
    const sources x = {find_product(&d->left, factors, d->motion),
                       find_product(&d->right, factors, d->motion), inner};
    copy_tiles(d, inner);
    run_rows(d, &x);
    run_tiles(d, &x, TILE_COLUMN, 3, 1);
    run_tiles(d, &x, TILE_SQUARE, 3, 3);
    run_tiles(d, &x, TILE_OTHER, 0, 0);
    return d->values;
}

void lv_dressing_forget(lv_dressing *d)
{
    d->known = false;
}
