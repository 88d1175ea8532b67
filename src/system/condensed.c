#include "system/condensed.h"

#include "base/arena.h"
#include "base/bucket.h"
#include "base/disjoint.h"
#include "base/inline.h"
#include "base/memory.h"
#include "num/linear.h"
#include "num/sound.h"
#include "num/twin.h"
#include "system/sparse.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* Coordinates that are coupled, and where they are worked on. */
typedef struct block {
    int size, couple, lane;
} block;

/* Two blocks of one size, factored at once; one alone is its own partner. */
typedef struct couple {
    int size;
    int first; /* place of its first number: 2 size of them */
    int at;    /* first entry of its matrix, in pairs: size x size of them */
    bool alone;
} couple;

/* An entry of the Jacobian, and where it is among the numbers of a couple. */
typedef struct touch {
    int entry, at;
} touch;

/* The entries of a row that are in one couple. */
typedef struct visit {
    int row, couple;
    int first, end; /* touches */
    int at;         /* first of a number per place of the couple: entries, and what A^-1
                     * makes of them */
} visit;

/* A product that belongs to an entry of C A^-1 B^T; or the first of three, see `threes`. */
typedef struct pair {
    int c, weighted;
} pair;

typedef LV_ARRAY(pair) pair_list;

/* Where the values of a term go: pairs of entries, and the pairs of indices that belong to them. */
typedef struct term {
    int count;
    int *at, *index;
    bool complete; /* both of a pair are always there */
    bool full;     /* and all pairs are, one after the other */
} term;

struct lv_condensed {
    lv_arena arena;
    const lv_pattern *g;
    int n, m;
    int *place;  /* of each coordinate among the numbers of all couples */
    int *owner;  /* the block of each coordinate */
    int *member; /* the coordinate at each place; who is alone is there twice */
    int *column; /* the place of each entry of g */
    block *blocks;
    int block_count;
    couple *couples;
    int couple_count, places, pairs_of_a;
    double *a; /* couple by couple, then its factors */
    term *terms;
    visit *visits;
    int visit_count;
    touch *touches;
    int *entries;     /* of g, visit by visit; -1: none */
    double *weighted; /* B A^-1, visit by visit */
    lv_pattern z;     /* of C A^-1 B^T */
    bool threes;      /* entries of g come in threes, and their places are every other */
    int *pair_start;  /* of each entry of z */
    pair *pairs;
    lv_linear *linear;
    double *x, *shift; /* by places */
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
        if (++c->blocks[c->owner[i]].size > LV_TWIN_LARGEST)
            return false;
    }
    return true;
}

/* Blocks of one size are joined in the order in which they come. */
static void join_blocks(lv_condensed *c)
{
    int waiting[LV_TWIN_LARGEST + 1] = {0}; /* 1 + the couple that is alone, by size */
    for (int k = 0; k < c->block_count; k++) {
        block *b = &c->blocks[k];
        const int n = b->size;
        if (waiting[n] > 0) {
            b->couple = waiting[n] - 1;
            b->lane = 1;
            c->couples[b->couple].alone = false;
            waiting[n] = 0;
            continue;
        }
        b->couple = c->couple_count++;
        c->couples[b->couple] = (couple){n, c->places, c->pairs_of_a, true};
        c->places += 2 * n;
        c->pairs_of_a += n * n;
        waiting[n] = c->couple_count;
    }
}

static void place_members(lv_condensed *c)
{
    for (int k = 0; k < c->block_count; k++)
        c->blocks[k].size = 0; /* counted once more */
    for (int i = 0; i < c->n; i++) {
        block *b = &c->blocks[c->owner[i]];
        const couple *k = &c->couples[b->couple];
        const int place = k->first + 2 * b->size++;
        c->place[i] = place + b->lane;
        c->member[place + b->lane] = i;
        if (k->alone)
            c->member[place + 1] = i;
    }
}

static lv_status find_blocks(lv_condensed *c, const lv_pattern *const *terms, int count,
                             bool *fits, lv_error *err)
{
    const size_t n = (size_t)c->n + 1;
    int *parent = lv_memory_zeroed(n, sizeof *parent);
    c->place = lv_arena_alloc(&c->arena, n, sizeof *c->place);
    c->owner = lv_arena_alloc(&c->arena, n, sizeof *c->owner);
    c->blocks = lv_arena_alloc(&c->arena, n, sizeof *c->blocks);
    c->couples = lv_arena_alloc(&c->arena, n, sizeof *c->couples);
    c->member = lv_arena_alloc(&c->arena, 2 * n, sizeof *c->member);
    const bool room =
        parent && c->place && c->member && c->owner && c->blocks && c->couples;
    if (room) {
        join_terms(parent, terms, count, c->n);
        *fits = count_members(c, parent);
        if (*fits) {
            join_blocks(c);
            place_members(c);
        }
    }
    lv_memory_free(parent);
    return room ? LV_OK : lv_fail_memory(err);
}

/* Which pair of entries of A. */
static int pair_of(const lv_condensed *c, int row, int column)
{
    const couple *k = &c->couples[c->blocks[c->owner[row]].couple];
    const int i = (c->place[row] - k->first) / 2, j = (c->place[column] - k->first) / 2;
    return k->at + i * k->size + j;
}

/* all: pairs of indices for all pairs of entries of A */
static void list_indices(const lv_condensed *c, int *all, const lv_pattern *p)
{
    for (int k = 0; k < 2 * c->pairs_of_a; k++)
        all[k] = -1;
    for (int r = 0; r < p->rows; r++) {
        const block *b = &c->blocks[c->owner[r]];
        for (int e = p->start[r]; e < p->start[r + 1]; e++) {
            const int at = pair_of(c, r, p->column[e]);
            all[2 * at + b->lane] = e;
            if (c->couples[b->couple].alone)
                all[2 * at + 1] = e;
        }
    }
}

/* Pairs of which there is something. */
static void list_term(const lv_condensed *c, term *t, const int *all)
{
    t->complete = true;
    for (int k = 0; k < c->pairs_of_a; k++, all += 2) {
        if (all[0] < 0 && all[1] < 0)
            continue;
        int *index = t->index + (ptrdiff_t)(2 * t->count);
        index[0] = all[0];
        index[1] = all[1];
        t->complete &= all[0] >= 0 && all[1] >= 0;
        t->at[t->count++] = k;
    }
    t->full = t->complete && t->count == c->pairs_of_a;
}

static lv_status make_terms(lv_condensed *c, const lv_pattern *const *terms, int count,
                            lv_error *err)
{
    const size_t most = (size_t)c->pairs_of_a + 1;
    int *all = lv_memory_zeroed(2 * most, sizeof *all);
    c->terms = lv_arena_alloc(&c->arena, (size_t)count, sizeof *c->terms);
    bool room = all && c->terms;
    for (int k = 0; room && k < count; k++) {
        term *t = &c->terms[k];
        t->at = lv_arena_alloc(&c->arena, most, sizeof *t->at);
        t->index = lv_arena_alloc(&c->arena, 2 * most, sizeof *t->index);
        room = t->at && t->index;
        if (!room)
            break;
        list_indices(c, all, terms[k]);
        list_term(c, t, all);
    }
    lv_memory_free(all);
    return room ? LV_OK : lv_fail_memory(err);
}

/* ---- creation: rows ------------------------------------------------------------------------------- */

/* What a row has in a couple; its visits begin with number `first`. */
static visit *visit_of(lv_condensed *c, int first, int row, int with)
{
    for (int k = first; k < c->visit_count; k++)
        if (c->visits[k].couple == with)
            return &c->visits[k];
    c->visits[c->visit_count] = (visit){.row = row, .couple = with};
    return &c->visits[c->visit_count++];
}

static int couple_of(const lv_condensed *c, int entry)
{
    return c->blocks[c->owner[c->g->column[entry]]].couple;
}

/* Touches of a row, visit by visit. */
static void list_row(lv_condensed *c, int row, int *numbers)
{
    const lv_pattern *g = c->g;
    const int from = g->start[row], to = g->start[row + 1], first = c->visit_count;
    int touches = from;
    for (int e = from; e < to; e++)
        visit_of(c, first, row, couple_of(c, e))->end++;
    for (int k = first; k < c->visit_count; k++) {
        visit *v = &c->visits[k];
        v->first = touches;
        touches += v->end;
        v->end = v->first;
        v->at = *numbers;
        *numbers += 2 * c->couples[v->couple].size;
    }
    for (int e = from; e < to; e++) {
        const int with = couple_of(c, e);
        visit *v = visit_of(c, first, row, with);
        c->column[e] = c->place[g->column[e]];
        c->touches[v->end++] = (touch){e, c->column[e] - c->couples[with].first};
    }
}

static void list_entries(lv_condensed *c, int numbers)
{
    for (int i = 0; i < numbers; i++)
        c->entries[i] = -1;
    for (int k = 0; k < c->visit_count; k++)
        for (int t = c->visits[k].first; t < c->visits[k].end; t++)
            c->entries[c->visits[k].at + c->touches[t].at] = c->touches[t].entry;
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
    c->a = lv_arena_alloc(&c->arena, 2 * (size_t)c->pairs_of_a + 1, sizeof(double));
    c->x = lv_arena_alloc(&c->arena, (size_t)c->places + 1, sizeof(double));
    c->shift = lv_arena_alloc(&c->arena, (size_t)c->places + 1, sizeof(double));
    c->weighted = lv_arena_alloc(&c->arena, (size_t)numbers + 1, sizeof(double));
    c->entries = lv_arena_alloc(&c->arena, (size_t)numbers + 1, sizeof *c->entries);
    if (!c->a || !c->x || !c->shift || !c->weighted || !c->entries)
        return lv_fail_memory(err);
    list_entries(c, numbers);
    return LV_OK;
}

/* Touches of a row are in the order of its entries, visit by visit. */
static bool comes_in_threes(const lv_condensed *c)
{
    bool yes = c->g->threes;
    for (int k = 0; k < c->visit_count && yes; k++) {
        const visit *v = &c->visits[k];
        for (int t = v->first; t < v->end && yes; t += 3)
            yes = t + 2 < v->end && c->touches[t + 2].entry == c->touches[t].entry + 2 &&
                  c->touches[t + 1].at == c->touches[t].at + 2 &&
                  c->touches[t + 2].at == c->touches[t].at + 4;
    }
    return yes;
}

/* ---- creation: C A^-1 B^T ------------------------------------------------------------------------- */

/* Visits by couple: those of couple k are list[start[k]] .. list[start[k + 1] - 1]. */
static void sort_visits(const lv_condensed *c, int *start, int *list)
{
    for (int k = 0; k < c->visit_count; k++)
        start[c->visits[k].couple + 2]++;
    for (int k = 0; k < c->couple_count; k++)
        start[k + 2] += start[k + 1];
    for (int k = 0; k < c->visit_count; k++)
        list[start[c->visits[k].couple + 1]++] = k;
}

static bool list_pairs(const lv_condensed *c, const int *start, const int *list,
                       lv_entry_list *entries, pair_list *pairs)
{
    for (int k = 0; k < c->visit_count; k++) {
        const visit *of_c = &c->visits[k];
        for (int i = start[of_c->couple]; i < start[of_c->couple + 1]; i++)
            for (int t = of_c->first; t < of_c->end; t += c->threes ? 3 : 1) {
                const visit *of_b = &c->visits[list[i]];
                const touch at = c->touches[t];
                if (!LV_PUSH(*entries, ((lv_entry_place){of_c->row, of_b->row})) ||
                    !LV_PUSH(*pairs, ((pair){at.entry, of_b->at + at.at})))
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
    lv_bucket_begin(start, slot, pairs->count, entries);
    for (int k = 0; k < pairs->count; k++)
        c->pairs[lv_bucket_place(start, slot[k])] = pairs->data[k];
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
    int *start = lv_memory_zeroed((size_t)c->couple_count + 2, sizeof *start);
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
    c->threes = comes_in_threes(c);
    LV_TRY(find_pairs(c, err));
    return lv_linear_create(&c->linear, &c->z, LV_BACK_END_AUTO, NULL, err);
}

lv_status lv_condensed_create(lv_condensed **result, const lv_pattern *g,
                              const lv_pattern *const *terms, int term_count,
                              lv_error *err)
{
    assert(term_count > 0);
    assert(lv_pattern_is_sound(g));
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

LV_HOT void lv_condensed_put(lv_condensed *c, int k, const double *values, double factor)
{
    const term *t = &c->terms[k];
    if (t->full) {
        lv_twin_put(c->a, factor, values, t->index, t->count);
        return;
    }
    memset(c->a, 0, 2 * (size_t)c->pairs_of_a * sizeof *c->a);
    lv_condensed_add(c, k, values, factor);
}

LV_HOT void lv_condensed_add(lv_condensed *c, int k, const double *values, double factor)
{
    const term *t = &c->terms[k];
    lv_twin_add(c->a, t->at, factor, values, t->index, t->count, t->complete);
}

/* The matrix of a couple. */
static double *matrix(const lv_condensed *c, const couple *k)
{
    return c->a + (ptrdiff_t)(2 * k->at);
}

static bool factor_couples(lv_condensed *c)
{
    bool fine = true;
    for (int k = 0; k < c->couple_count; k++)
        fine &= lv_twin_factor(matrix(c, &c->couples[k]), c->couples[k].size);
    return fine;
}

/* A^-1 times the entries that a row of B has in a couple. */
static void weigh(const lv_condensed *c, const visit *v, const double *b)
{
    const couple *k = &c->couples[v->couple];
    lv_twin_solve(matrix(c, k), k->size, c->weighted + v->at, b, c->entries + v->at);
}

/* g at e and at those which follow, times every other number of x */
LV_INLINE double dot(const double *g, const double *x, int count)
{
    double sum = g[0] * x[0];
    for (int j = 1; j < count; j++)
        sum += g[j] * x[(ptrdiff_t)(2 * j)];
    return sum;
}

/* Entry e of C A^-1 B^T. */
LV_INLINE double product(const lv_condensed *c, int e, const double *g, int count)
{
    double sum = 0;
    for (int k = c->pair_start[e]; k < c->pair_start[e + 1]; k++)
        sum += dot(g + c->pairs[k].c, c->weighted + c->pairs[k].weighted, count);
    return sum;
}

LV_HOT bool lv_condensed_factor(lv_condensed *c, const double *b, const double *g)
{
    const int *slot = lv_linear_slots(c->linear);
    double *storage = lv_linear_storage(c->linear);
    if (!factor_couples(c))
        return false;
    if (c->m == 0)
        return true;
    for (int k = 0; k < c->visit_count; k++)
        weigh(c, &c->visits[k], b);
    for (int e = 0; e < c->z.start[c->m]; e++)
        storage[slot[e]] = c->threes ? product(c, e, g, 3) : product(c, e, g, 1);
    return lv_linear_factor(c->linear);
}

/* ---- solution ---------------------------------------------------------------------------------------- */

LV_INLINE double rate(const lv_condensed *c, int r, const double *g, int count)
{
    double sum = 0;
    for (int e = c->g->start[r]; e < c->g->start[r + 1]; e += count)
        sum += dot(g + e, c->x + c->column[e], count);
    return sum;
}

/* y = (C A^-1 B^T)^-1 (C x - y) */
static void find_multipliers(const lv_condensed *c, const double *g, double *y)
{
    for (int r = 0; r < c->m; r++)
        y[r] = (c->threes ? rate(c, r, g, 3) : rate(c, r, g, 1)) - y[r];
    lv_linear_solve(c->linear, y);
}

LV_INLINE void add_numbers(double *restrict to, double factor,
                           const double *restrict from, int count)
{
    for (int k = 0; k < count; k++)
        to[k] += factor * from[k];
}

/* What the multipliers move. */
static void shift(lv_condensed *c, const double *y)
{
    memset(c->shift, 0, (size_t)c->places * sizeof *c->shift);
    for (int k = 0; k < c->visit_count; k++) {
        const visit *v = &c->visits[k];
        const couple *p = &c->couples[v->couple];
        const double *weighted = c->weighted + v->at;
        if (p->size == 6)
            add_numbers(c->shift + p->first, y[v->row], weighted, 12);
        else
            add_numbers(c->shift + p->first, y[v->row], weighted, 2 * p->size);
    }
}

LV_HOT void lv_condensed_solve(lv_condensed *c, const double *g, double *x, double *y,
                               double *moved)
{
    for (int k = 0; k < c->couple_count; k++) {
        const couple *p = &c->couples[k];
        lv_twin_solve(matrix(c, p), p->size, c->x + p->first, x, c->member + p->first);
    }
    if (c->m > 0)
        find_multipliers(c, g, y);
    shift(c, y);
    for (int i = 0; i < c->n; i++) {
        const int at = c->place[i];
        moved[i] = c->shift[at];
        x[i] = c->x[at] - c->shift[at];
    }
}
