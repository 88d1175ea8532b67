#include "system/condensed.h"

#include "base/arena.h"
#include "base/disjoint.h"
#include "base/memory.h"
#include "num/linear.h"
#include "system/sparse.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* A pivot that has shrunk to less than this part of the diagonal entry is not trusted. */
static const double least_pivot = 1e-3;

typedef struct block {
    int first, size; /* places of its coordinates */
    int at;          /* in the storage: size x size numbers */
} block;

/* An entry of the Jacobian, and the line of its block. */
typedef struct touch {
    int entry, line;
} touch;

/* The entries of a row that are in one block. */
typedef struct visit {
    int row, block;
    int first, end; /* touches */
    int weighted;   /* what A^-1 makes of them: one number per place of the block */
} visit;

/* A product that belongs to an entry of C A^-1 B^T. */
typedef struct pair {
    int c, weighted;
} pair;

typedef LV_ARRAY(pair) pair_list;

/* Where the values of a term go. */
typedef struct term {
    const lv_pattern *pattern;
    int *slot;
} term;

struct lv_condensed {
    lv_arena arena;
    const lv_pattern *g;
    int n, m;
    int *place;  /* of each coordinate; those of a block follow each other */
    int *member; /* the coordinate at each place */
    int *owner;  /* the block of each coordinate */
    int *column; /* the place of each entry of g */
    block *blocks;
    int block_count, stored;
    double *a; /* A^T, block by block, then its inverse */
    term *terms;
    visit *visits;
    int visit_count;
    touch *touches;
    double *weighted; /* B A^-1, visit by visit */
    lv_pattern z;     /* of C A^-1 B^T */
    int *pair_start;  /* of each of its entries */
    pair *pairs;
    lv_linear *linear;
    double *x; /* by places */
};

/* ---- creation: blocks ---------------------------------------------------------------------------- */

/* Coordinates that share an entry of a term share a block. */
static void join_terms(int *parent, const lv_pattern *const *terms, int count, int n)
{
    for (int i = 0; i < n; i++)
        parent[i] = i;
    for (int k = 0; k < count; k++)
        for (int r = 0; r < terms[k]->rows; r++)
            for (int e = terms[k]->start[r]; e < terms[k]->start[r + 1]; e++)
                lv_disjoint_join(parent, r, terms[k]->column[e]);
}

/* Counts their members; false where one is too large. A root is the first of its block. */
static bool count_members(lv_condensed *c, int *parent)
{
    for (int i = 0; i < c->n; i++) {
        const int root = lv_disjoint_find(parent, i);
        c->owner[i] = root == i ? c->block_count++ : c->owner[root];
        if (++c->blocks[c->owner[i]].size > LV_CONDENSED_LARGEST)
            return false;
    }
    return true;
}

static void place_members(lv_condensed *c)
{
    int place = 0;
    for (int k = 0; k < c->block_count; k++) {
        block *b = &c->blocks[k];
        b->first = place;
        b->at = c->stored;
        place += b->size;
        c->stored += b->size * b->size;
        b->size = 0; /* counted once more */
    }
    for (int i = 0; i < c->n; i++) {
        block *b = &c->blocks[c->owner[i]];
        c->place[i] = b->first + b->size++;
        c->member[c->place[i]] = i;
    }
}

static lv_status find_blocks(lv_condensed *c, const lv_pattern *const *terms, int count,
                             bool *fits, lv_error *err)
{
    const size_t n = (size_t)c->n + 1;
    int *parent = lv_memory_zeroed(n, sizeof *parent);
    int *ints = lv_arena_alloc(&c->arena, 3 * n, sizeof *ints);
    c->blocks = lv_arena_alloc(&c->arena, n, sizeof *c->blocks);
    const bool room = parent && ints && c->blocks;
    if (room) {
        c->place = ints;
        c->member = ints + n;
        c->owner = ints + 2 * n;
        join_terms(parent, terms, count, c->n);
        *fits = count_members(c, parent);
        if (*fits)
            place_members(c);
    }
    lv_memory_free(parent);
    return room ? LV_OK : lv_fail_memory(err);
}

/* Lines of the storage are columns of A. */
static lv_status make_terms(lv_condensed *c, const lv_pattern *const *terms, int count,
                            lv_error *err)
{
    c->terms = lv_arena_alloc(&c->arena, (size_t)count, sizeof *c->terms);
    for (int k = 0; c->terms && k < count; k++) {
        const lv_pattern *p = terms[k];
        int *slot =
            lv_arena_alloc(&c->arena, (size_t)lv_pattern_entries(p) + 1, sizeof *slot);
        if (!slot)
            return lv_fail_memory(err);
        for (int r = 0; r < p->rows; r++) {
            const block *b = &c->blocks[c->owner[r]];
            for (int e = p->start[r]; e < p->start[r + 1]; e++)
                slot[e] = b->at + (c->place[p->column[e]] - b->first) * b->size +
                          (c->place[r] - b->first);
        }
        c->terms[k] = (term){p, slot};
    }
    return c->terms ? LV_OK : lv_fail_memory(err);
}

/* ---- creation: rows ------------------------------------------------------------------------------- */

/* What a row has in a block; its visits begin with number `first`. */
static visit *visit_of(lv_condensed *c, int first, int row, int owner)
{
    for (int k = first; k < c->visit_count; k++)
        if (c->visits[k].block == owner)
            return &c->visits[k];
    c->visits[c->visit_count] = (visit){.row = row, .block = owner};
    return &c->visits[c->visit_count++];
}

/* Touches of a row, visit by visit. */
static void list_row(lv_condensed *c, int row, int *numbers)
{
    const lv_pattern *g = c->g;
    const int from = g->start[row], to = g->start[row + 1], first = c->visit_count;
    int touches = from;
    for (int e = from; e < to; e++)
        visit_of(c, first, row, c->owner[g->column[e]])->end++;
    for (int k = first; k < c->visit_count; k++) {
        visit *v = &c->visits[k];
        v->first = touches;
        touches += v->end;
        v->end = v->first;
        v->weighted = *numbers;
        *numbers += c->blocks[v->block].size;
    }
    for (int e = from; e < to; e++) {
        const int owner = c->owner[g->column[e]];
        visit *v = visit_of(c, first, row, owner);
        c->column[e] = c->place[g->column[e]];
        c->touches[v->end++] = (touch){e, c->column[e] - c->blocks[owner].first};
    }
}

static lv_status find_visits(lv_condensed *c, lv_error *err)
{
    const size_t entries = (size_t)lv_pattern_entries(c->g) + 1;
    int numbers = 0;
    c->visits = lv_arena_alloc(&c->arena, entries, sizeof *c->visits);
    c->touches = lv_arena_alloc(&c->arena, entries, sizeof *c->touches);
    c->column = lv_arena_alloc(&c->arena, entries, sizeof *c->column);
    if (!c->visits || !c->touches || !c->column)
        return lv_fail_memory(err);
    for (int r = 0; r < c->m; r++)
        list_row(c, r, &numbers);
    c->a = lv_arena_alloc(&c->arena, (size_t)c->stored + 1, sizeof(double));
    c->x = lv_arena_alloc(&c->arena, (size_t)c->n + 1, sizeof(double));
    c->weighted = lv_arena_alloc(&c->arena, (size_t)numbers + 1, sizeof(double));
    return c->a && c->x && c->weighted ? LV_OK : lv_fail_memory(err);
}

/* ---- creation: C A^-1 B^T ------------------------------------------------------------------------- */

/* Visits by block: those of block k are list[start[k]] .. list[start[k + 1] - 1]. */
static void sort_visits(const lv_condensed *c, int *start, int *list)
{
    for (int k = 0; k < c->visit_count; k++)
        start[c->visits[k].block + 2]++;
    for (int k = 0; k < c->block_count; k++)
        start[k + 2] += start[k + 1];
    for (int k = 0; k < c->visit_count; k++)
        list[start[c->visits[k].block + 1]++] = k;
}

static bool list_pairs(const lv_condensed *c, const int *start, const int *list,
                       lv_entry_list *entries, pair_list *pairs)
{
    for (int k = 0; k < c->visit_count; k++) {
        const visit *of_c = &c->visits[k];
        for (int i = start[of_c->block]; i < start[of_c->block + 1]; i++)
            for (int t = of_c->first; t < of_c->end; t++) {
                const visit *of_b = &c->visits[list[i]];
                const touch at = c->touches[t];
                if (!LV_PUSH(*entries, ((lv_entry_place){of_c->row, of_b->row})) ||
                    !LV_PUSH(*pairs, ((pair){at.entry, of_b->weighted + at.line})))
                    return false;
            }
    }
    return true;
}

/* Pairs by the entry they belong to. */
static lv_status sort_pairs(lv_condensed *c, const pair_list *pairs, const int *slot,
                            lv_error *err)
{
    const int entries = lv_pattern_entries(&c->z);
    int *start = lv_arena_alloc(&c->arena, (size_t)entries + 2, sizeof *start);
    c->pairs = lv_arena_alloc(&c->arena, (size_t)pairs->count + 1, sizeof *c->pairs);
    c->pair_start = start;
    if (!start || !c->pairs)
        return lv_fail_memory(err);
    for (int k = 0; k < pairs->count; k++)
        start[slot[k] + 2]++;
    for (int k = 0; k < entries; k++)
        start[k + 2] += start[k + 1];
    for (int k = 0; k < pairs->count; k++)
        c->pairs[start[slot[k] + 1]++] = pairs->data[k];
    return LV_OK;
}

static lv_status build_pairs(lv_condensed *c, const lv_entry_list *entries,
                             const pair_list *pairs, lv_error *err)
{
    int *slot = lv_memory_zeroed((size_t)entries->count + 1, sizeof *slot);
    lv_status status = slot ? lv_pattern_build(&c->z, slot, &c->arena, entries->data,
                                               entries->count, c->m, c->m, err)
                            : lv_fail_memory(err);
    if (status == LV_OK)
        status = sort_pairs(c, pairs, slot, err);
    lv_memory_free(slot);
    return status;
}

static lv_status find_pairs(lv_condensed *c, lv_error *err)
{
    lv_entry_list entries = {0};
    pair_list pairs = {0};
    int *start = lv_memory_zeroed((size_t)c->block_count + 2, sizeof *start);
    int *list = lv_memory_zeroed((size_t)c->visit_count + 1, sizeof *list);
    lv_status status = start && list ? LV_OK : lv_fail_memory(err);
    if (status == LV_OK) {
        sort_visits(c, start, list);
        status = list_pairs(c, start, list, &entries, &pairs)
                     ? build_pairs(c, &entries, &pairs, err)
                     : lv_fail_memory(err);
    }
    lv_memory_free(start);
    lv_memory_free(list);
    LV_ARRAY_FREE(entries);
    LV_ARRAY_FREE(pairs);
    return status;
}

static lv_status fill(lv_condensed *c, const lv_pattern *const *terms, int count,
                      bool *fits, lv_error *err)
{
    LV_TRY(find_blocks(c, terms, count, fits, err));
    if (!*fits)
        return LV_OK;
    LV_TRY(make_terms(c, terms, count, err));
    LV_TRY(find_visits(c, err));
    LV_TRY(find_pairs(c, err));
    return lv_linear_create(&c->linear, &c->z, LV_BACK_END_AUTO, NULL, err);
}

lv_status lv_condensed_create(lv_condensed **result, const lv_pattern *g,
                              const lv_pattern *const *terms, int term_count,
                              lv_error *err)
{
    bool fits = false;
    *result = NULL;
    lv_condensed *c = lv_memory_zeroed(1, sizeof *c);
    if (!c)
        return lv_fail_memory(err);
    c->g = g;
    c->m = g->rows;
    c->n = g->columns;
    lv_status status = fill(c, terms, term_count, &fits, err);
    if (status == LV_OK && fits)
        *result = c;
    else
        lv_condensed_free(c);
    return status;
}

void lv_condensed_free(lv_condensed *c)
{
    if (!c)
        return;
    lv_linear_free(c->linear);
    lv_arena_done(&c->arena);
    lv_memory_free(c);
}

/* ---- values ----------------------------------------------------------------------------------------- */

void lv_condensed_clear(lv_condensed *c)
{
    memset(c->a, 0, (size_t)c->stored * sizeof *c->a);
}

void lv_condensed_add(lv_condensed *c, int k, const double *values, double factor)
{
    const term *t = &c->terms[k];
    const int count = lv_pattern_entries(t->pattern);
    for (int e = 0; e < count; e++)
        c->a[t->slot[e]] += factor * values[e];
}

/* In place, without a choice of pivots (Gauss-Jordan). */
INLINE bool invert(double *a, int n)
{
    bool fine = true;
    double least[LV_CONDENSED_LARGEST];
    for (int k = 0; k < n; k++)
        least[k] = least_pivot * fabs(a[k * n + k]);
    for (int k = 0; k < n; k++) {
        double *restrict top = a + (ptrdiff_t)(k * n);
        fine &= fabs(top[k]) > least[k];
        const double pivot = 1 / top[k];
        top[k] = 1;
        for (int j = 0; j < n; j++)
            top[j] *= pivot;
        for (int i = 0; i < n; i++) {
            double *restrict row = a + (ptrdiff_t)(i * n);
            const double factor = row[k];
            if (i == k)
                continue;
            row[k] = 0;
            for (int j = 0; j < n; j++)
                row[j] -= factor * top[j];
        }
    }
    return fine;
}

/* Points in space: three by three, by cofactors; `stride` numbers to a line. */
INLINE bool invert_three(double *a, int stride)
{
    double *restrict x = a, *restrict y = a + stride, *restrict z = y + stride;
    const double c00 = y[1] * z[2] - y[2] * z[1];
    const double c10 = y[2] * z[0] - y[0] * z[2];
    const double c20 = y[0] * z[1] - y[1] * z[0];
    const double c01 = x[2] * z[1] - x[1] * z[2];
    const double c11 = x[0] * z[2] - x[2] * z[0];
    const double c21 = x[1] * z[0] - x[0] * z[1];
    const double c02 = x[1] * y[2] - x[2] * y[1];
    const double c12 = x[2] * y[0] - x[0] * y[2];
    const double c22 = x[0] * y[1] - x[1] * y[0];
    const double determinant = x[0] * c00 + x[1] * c10 + x[2] * c20;
    const double inverse = 1 / determinant;
    const bool fine = fabs(determinant) > least_pivot * fabs(x[0] * y[1] * z[2]);
    x[0] = inverse * c00;
    x[1] = inverse * c01;
    x[2] = inverse * c02;
    y[0] = inverse * c10;
    y[1] = inverse * c11;
    y[2] = inverse * c12;
    z[0] = inverse * c20;
    z[1] = inverse * c21;
    z[2] = inverse * c22;
    return fine;
}

/* to = c A B, three by three, or added to what is there */
INLINE void multiply_three(double *restrict to, int stride, double c, const double *a,
                           int a_stride, const double *b, int b_stride, bool add)
{
    for (int i = 0; i < 3; i++, a += a_stride, to += stride)
        for (int j = 0; j < 3; j++) {
            const double sum =
                a[0] * b[j] + a[1] * b[b_stride + j] + a[2] * b[2 * b_stride + j];
            to[j] = add ? to[j] + c * sum : c * sum;
        }
}

/* Two points: with the parts [P Q; R S], S - R P^-1 Q is inverted, too. */
static bool invert_six(double *a)
{
    enum { N = 6, P = 0, Q = 3, R = 18, S = 21 };
    double pq[9], rp[9];
    bool fine = invert_three(a + P, N);
    multiply_three(pq, 3, 1, a + P, N, a + Q, N, false);
    multiply_three(rp, 3, 1, a + R, N, a + P, N, false);
    multiply_three(a + S, N, -1, a + R, N, pq, 3, true);
    fine &= invert_three(a + S, N);
    multiply_three(a + Q, N, -1, pq, 3, a + S, N, false);
    multiply_three(a + R, N, -1, a + S, N, rp, 3, false);
    multiply_three(a + P, N, -1, a + Q, N, rp, 3, true);
    return fine;
}

static bool invert_block(double *a, int n)
{
    switch (n) {
    case 1:
        return invert(a, 1);
    case 2:
        return invert(a, 2);
    case 3:
        return invert_three(a, 3);
    case 6:
        return invert_six(a);
    default:
        return invert(a, n);
    }
}

/* A^-1 times the entries that a row of B has in a block. */
static void weigh(const lv_condensed *c, const visit *v, const double *b)
{
    const block *k = &c->blocks[v->block];
    double *to = c->weighted + v->weighted;
    memset(to, 0, (size_t)k->size * sizeof *to);
    for (int t = v->first; t < v->end; t++) {
        const double *line = c->a + k->at + (ptrdiff_t)(c->touches[t].line * k->size);
        const double factor = b[c->touches[t].entry];
        for (int i = 0; i < k->size; i++)
            to[i] += factor * line[i];
    }
}

bool lv_condensed_factor(lv_condensed *c, const double *b, const double *g)
{
    bool fine = true;
    const int *slot = lv_linear_slots(c->linear);
    double *storage = lv_linear_storage(c->linear);
    for (int k = 0; k < c->block_count; k++)
        fine &= invert_block(c->a + c->blocks[k].at, c->blocks[k].size);
    if (!fine || c->m == 0)
        return fine;
    for (int k = 0; k < c->visit_count; k++)
        weigh(c, &c->visits[k], b);
    for (int e = 0; e < c->z.start[c->m]; e++) {
        double sum = 0;
        for (int k = c->pair_start[e]; k < c->pair_start[e + 1]; k++)
            sum += g[c->pairs[k].c] * c->weighted[c->pairs[k].weighted];
        storage[slot[e]] = sum;
    }
    return lv_linear_factor(c->linear);
}

/* ---- solution ---------------------------------------------------------------------------------------- */

INLINE void multiply(double *to, const double *lines, const int *from, const double *r,
                     int n)
{
    for (int i = 0; i < n; i++)
        to[i] = 0;
    for (int j = 0; j < n; j++) {
        const double factor = r[from[j]];
        for (int i = 0; i < n; i++)
            to[i] += factor * lines[j * n + i];
    }
}

static void multiply_block(double *to, const double *lines, const int *from,
                           const double *r, int n)
{
    switch (n) {
    case 3:
        multiply(to, lines, from, r, 3);
        break;
    case 6:
        multiply(to, lines, from, r, 6);
        break;
    default:
        multiply(to, lines, from, r, n);
    }
}

/* y = (C A^-1 B^T)^-1 (C x - y) */
static void find_multipliers(const lv_condensed *c, const double *g, double *y)
{
    for (int r = 0; r < c->m; r++) {
        double sum = 0;
        for (int e = c->g->start[r]; e < c->g->start[r + 1]; e++)
            sum += g[e] * c->x[c->column[e]];
        y[r] = sum - y[r];
    }
    lv_linear_solve(c->linear, y);
}

void lv_condensed_solve(lv_condensed *c, const double *g, double *x, double *y)
{
    for (int k = 0; k < c->block_count; k++) {
        const block *b = &c->blocks[k];
        multiply_block(c->x + b->first, c->a + b->at, c->member + b->first, x, b->size);
    }
    if (c->m > 0)
        find_multipliers(c, g, y);
    for (int k = 0; k < c->visit_count; k++) {
        const visit *v = &c->visits[k];
        const block *b = &c->blocks[v->block];
        for (int i = 0; i < b->size; i++)
            c->x[b->first + i] -= y[v->row] * c->weighted[v->weighted + i];
    }
    for (int i = 0; i < c->n; i++)
        x[i] = c->x[c->place[i]];
}
