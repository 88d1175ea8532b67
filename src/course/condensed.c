#include "course/condensed.h"

#include "base/arena.h"
#include "base/inline.h"
#include "base/memory.h"
#include "num/dense.h"
#include "num/pair.h"
#include "num/sparse.h"

#include <string.h>

typedef struct block {
    const lv_pattern *pattern;
    lv_range_of rows, columns;
    bool transposed;
    int *to; /* index of each entry in `values` */
} block;

/* Lines that are eliminated together. */
typedef struct set {
    int size;
    int *lines;
    int first; /* where its part of N begins in `values`, row by row */
    int columns, rows;
    /* The outer lines in its parts of B and C, counted from the first outer line */
    int *column, *row;
    int width; /* numbers in a row of B: its columns, and one more if they are odd */
    /* Where these parts begin in `values`, row by row */
    int push, pull;
    int *slots; /* indices of C N^-1 B in S, row by row */
    int *pivot;
} set;

typedef LV_ARRAY(int) lines;

struct lv_condensed {
    lv_arena arena;
    int size, inner;
    block *blocks;
    int count;
    set *sets;
    int set_count;
    int *set_of, *within; /* by inner line: its set, and its position there */
    int value_count;      /* numbers of N, B and C in `values`; those of S follow */
    double *values;
    lv_pattern pattern; /* pattern of S */
    lv_assembly *rest;  /* solver of S; NULL: there are no outer lines */
    double *work;       /* size numbers */
};

/* Most lines of a set, and most outer lines that it may join: S is full where they
 * meet. */
enum { MOST = 48, JOINED_MOST = 120 };

lv_condensed *lv_condensed_create(int size, int inner, int blocks)
{
    lv_condensed *w = lv_memory_zeroed(1, sizeof *w);
    if (!w)
        return NULL;
    w->size = size;
    w->inner = inner;
    w->blocks = lv_arena_alloc(&w->arena, (size_t)blocks + 1, sizeof *w->blocks);
    w->set_of = lv_arena_alloc(&w->arena, (size_t)inner + 1, sizeof *w->set_of);
    w->within = lv_arena_alloc(&w->arena, (size_t)inner + 1, sizeof *w->within);
    w->work = lv_arena_alloc(&w->arena, (size_t)size + 1, sizeof *w->work);
    if (w->blocks && w->set_of && w->within && w->work)
        return w;
    lv_condensed_free(w);
    return NULL;
}

void lv_condensed_free(lv_condensed *w)
{
    if (!w)
        return;
    lv_assembly_free(w->rest);
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}

void lv_condensed_block(lv_condensed *w, const lv_pattern *pattern, lv_range_of rows,
                        lv_range_of columns, bool transposed)
{
    w->blocks[w->count++] = (block){pattern, rows, columns, transposed, NULL};
}

/* ---- entries ----------------------------------------------------------------------- */

/* Calls `visit` for every entry of every block: its lines, its block and its number in
 * the pattern. */
typedef struct entry {
    int row, column;
    int block, number;
} entry;

typedef bool (*visit_entry)(lv_condensed *w, void *user, entry e);

static bool visit_entries(lv_condensed *w, visit_entry visit, void *user)
{
    for (int k = 0; k < w->count; k++) {
        const block *b = &w->blocks[k];
        for (int r = 0; r < b->pattern->rows; r++)
            for (int e = b->pattern->start[r]; e < b->pattern->start[r + 1]; e++) {
                const int c = b->pattern->column[e], i = b->transposed ? c : r,
                          j = b->transposed ? r : c;
                const entry at = {b->rows.first + i * b->rows.stride,
                                  b->columns.first + j * b->columns.stride, k, e};
                if (!visit(w, user, at))
                    return false;
            }
    }
    return true;
}

/* ---- sets -------------------------------------------------------------------------- */

/* The line that represents a set while sets are found. */
static int leader(int *of, int line)
{
    while (of[line] != line)
        line = of[line] = of[of[line]];
    return line;
}

static bool join(lv_condensed *w, void *user, entry e)
{
    (void)user;
    if (e.row < w->inner && e.column < w->inner) {
        const int a = leader(w->set_of, e.row), b = leader(w->set_of, e.column);
        w->set_of[a > b ? a : b] = a > b ? b : a;
    }
    return true;
}

/* Numbers the sets by their first lines. false: no memory. */
static bool number_sets(lv_condensed *w)
{
    w->sets = lv_arena_alloc(&w->arena, (size_t)w->inner + 1, sizeof *w->sets);
    for (int i = 0; w->sets && i < w->inner; i++) {
        const int first = w->set_of[i];
        w->within[i] = 0;
        if (first == i)
            w->set_of[i] = w->set_count++;
        /* the set of an earlier line, which is numbered already */
        else
            w->set_of[i] = w->set_of[first];
        w->within[i] = w->sets[w->set_of[i]].size++;
    }
    for (int k = 0; w->sets && k < w->set_count; k++) {
        set *s = &w->sets[k];
        s->lines = lv_arena_alloc(&w->arena, (size_t)s->size, sizeof *s->lines);
        s->pivot = lv_arena_alloc(&w->arena, (size_t)s->size, sizeof *s->pivot);
        if (!s->lines || !s->pivot)
            return false;
    }
    for (int i = 0; w->sets && i < w->inner; i++)
        w->sets[w->set_of[i]].lines[w->within[i]] = i;
    return w->sets != NULL;
}

static bool find_sets(lv_condensed *w)
{
    for (int i = 0; i < w->inner; i++)
        w->set_of[i] = i;
    (void)visit_entries(w, join, NULL);
    for (int i = 0; i < w->inner; i++)
        w->set_of[i] = leader(w->set_of, i);
    return number_sets(w);
}

static bool is_good(const lv_condensed *w)
{
    for (int k = 0; k < w->set_count; k++)
        if (w->sets[k].size > MOST)
            return false;
    return w->set_count > 1;
}

/* ---- what joins them --------------------------------------------------------------- */

static int find_line(const int *list, int count, int line)
{
    for (int k = 0; k < count; k++)
        if (list[k] == line)
            return k;
    return -1;
}

/* Lists of outer lines under construction. */
typedef struct neighbours {
    lines *columns, *rows; /* one list per set */
} neighbours;

static bool add_line(lines *list, int line)
{
    return find_line(list->data, list->count, line) >= 0 || LV_PUSH(*list, line);
}

static bool note_neighbour(lv_condensed *w, void *user, entry e)
{
    neighbours *n = user;
    if (e.row < w->inner && e.column >= w->inner)
        return add_line(&n->columns[w->set_of[e.row]], e.column - w->inner);
    if (e.row >= w->inner && e.column < w->inner)
        return add_line(&n->rows[w->set_of[e.column]], e.row - w->inner);
    return true;
}

static bool keep_neighbours(lv_condensed *w, const neighbours *n)
{
    int at = 0;
    for (int k = 0; k < w->set_count; k++) {
        set *s = &w->sets[k];
        s->columns = n->columns[k].count;
        s->rows = n->rows[k].count;
        s->column = lv_arena_copy(&w->arena, n->columns[k].data, (size_t)s->columns,
                                  sizeof *s->column);
        s->row =
            lv_arena_copy(&w->arena, n->rows[k].data, (size_t)s->rows, sizeof *s->row);
        s->slots = lv_arena_alloc(&w->arena, (size_t)(s->rows * s->columns) + 1,
                                  sizeof *s->slots);
        if ((s->columns > 0 && !s->column) || (s->rows > 0 && !s->row) || !s->slots)
            return false;
        s->width = s->columns + s->columns % LV_PAIR;
        s->first = at;
        s->push = s->first + s->size * s->size;
        s->pull = s->push + s->size * s->width;
        at = s->pull + s->size * s->rows;
    }
    w->value_count = at;
    return true;
}

static bool find_neighbours(lv_condensed *w)
{
    const size_t count = (size_t)w->set_count + 1;
    lines *all = lv_memory_zeroed(2 * count, sizeof *all);
    neighbours n = {all, all ? all + count : NULL};
    bool ok = all && visit_entries(w, note_neighbour, &n) && keep_neighbours(w, &n);
    for (size_t k = 0; all && k < 2 * count; k++)
        LV_ARRAY_FREE(all[k]);
    lv_memory_free(all);
    return ok;
}

/* ---- the rest ---------------------------------------------------------------------- */

static bool list_rest(lv_condensed *w, void *user, entry e)
{
    lv_entry_list *list = user;
    if (e.row < w->inner || e.column < w->inner)
        return true;
    return LV_PUSH(*list, ((lv_entry_place){e.row - w->inner, e.column - w->inner}));
}

static bool list_products(const lv_condensed *w, lv_entry_list *list)
{
    for (int k = 0; k < w->set_count; k++)
        for (int r = 0; r < w->sets[k].rows; r++)
            for (int c = 0; c < w->sets[k].columns; c++)
                if (!LV_PUSH(*list,
                             ((lv_entry_place){w->sets[k].row[r], w->sets[k].column[c]})))
                    return false;
    return true;
}

/* Assigns an index in `values` to an entry of a block. `next` counts the entries that
 * belong to no set. */
static bool place_entry(lv_condensed *w, void *user, entry e)
{
    const int **next = user;
    const bool row = e.row < w->inner, column = e.column < w->inner;
    const set *s = row      ? &w->sets[w->set_of[e.row]]
                   : column ? &w->sets[w->set_of[e.column]]
                            : NULL;
    int *to = &w->blocks[e.block].to[e.number];
    if (row && column)
        *to = s->first + w->within[e.row] * s->size + w->within[e.column];
    else if (row)
        *to = s->push + w->within[e.row] * s->width +
              find_line(s->column, s->columns, e.column - w->inner);
    else if (column)
        *to = s->pull + find_line(s->row, s->rows, e.row - w->inner) * s->size +
              w->within[e.column];
    else
        *to = w->value_count + *(*next)++;
    return true;
}

static lv_status place_all(lv_condensed *w, const int *slot, lv_error *err)
{
    for (int k = 0; k < w->count; k++) {
        block *b = &w->blocks[k];
        b->to = lv_arena_alloc(&w->arena, (size_t)lv_pattern_entries(b->pattern) + 1,
                               sizeof *b->to);
        if (!b->to)
            return lv_fail_memory(err);
    }
    (void)visit_entries(w, place_entry, &slot);
    for (int k = 0; k < w->set_count; k++)
        for (int e = 0; e < w->sets[k].rows * w->sets[k].columns; e++)
            w->sets[k].slots[e] = w->value_count + *slot++;
    return LV_OK;
}

static lv_status make_rest(lv_condensed *w, lv_error *err)
{
    const int outer = w->size - w->inner;
    lv_entry_list list = {0};
    bool ok = visit_entries(w, list_rest, &list) && list_products(w, &list);
    int *slot = ok ? lv_memory_zeroed((size_t)list.count + 1, sizeof *slot) : NULL;
    lv_status status = slot ? lv_pattern_build(&w->pattern, slot, &w->arena, list.data,
                                               list.count, outer, outer, err)
                            : lv_fail_memory(err);
    if (status == LV_OK)
        status = place_all(w, slot, err);
    lv_memory_free(slot);
    LV_ARRAY_FREE(list);
    if (status != LV_OK || outer == 0)
        return status;
    w->rest = lv_assembly_create(outer, 1);
    if (!w->rest)
        return lv_fail_memory(err);
    (void)lv_assembly_block(w->rest, &w->pattern, (lv_range_of){0, 1},
                            (lv_range_of){0, 1}, false);
    return lv_assembly_finish(w->rest, err);
}

lv_status lv_condensed_finish(lv_condensed *w, bool *good, lv_error *err)
{
    *good = false;
    if (!find_sets(w))
        return lv_fail_memory(err);
    if (!is_good(w))
        return LV_OK;
    if (!find_neighbours(w))
        return lv_fail_memory(err);
    for (int k = 0; k < w->set_count; k++)
        if (w->sets[k].rows > JOINED_MOST || w->sets[k].columns > JOINED_MOST)
            return LV_OK;
    LV_TRY(make_rest(w, err));
    w->values = lv_arena_alloc(
        &w->arena, (size_t)(w->value_count + lv_pattern_entries(&w->pattern)) + 1,
        sizeof *w->values);
    *good = w->values != NULL;
    return w->values ? LV_OK : lv_fail_memory(err);
}

/* ---- values ------------------------------------------------------------------------ */

void lv_condensed_clear(lv_condensed *w)
{
    const size_t count = (size_t)w->value_count + (size_t)lv_pattern_entries(&w->pattern);
    memset(w->values, 0, count * sizeof *w->values);
}

void lv_condensed_add(lv_condensed *w, int number, const double *values, double c)
{
    const block *b = &w->blocks[number];
    const int count = lv_pattern_entries(b->pattern), *to = b->to;
    double *sum = w->values;
    int e = 0;
    for (; e + 3 <= count; e += 3) { /* entries of rotations come in threes */
        sum[to[e]] += c * values[e];
        sum[to[e + 1]] += c * values[e + 1];
        sum[to[e + 2]] += c * values[e + 2];
    }
    for (; e < count; e++)
        sum[to[e]] += c * values[e];
}

/* Loops over the lines of a set are unrolled for the sizes that bodies have: one to three
 * velocities of a plain coordinate, or of a rotation. */
#define FOR_SIZE(call, size)                                                             \
    switch (size) {                                                                      \
    case 1:                                                                              \
        call(1);                                                                         \
        break;                                                                           \
    case 2:                                                                              \
        call(2);                                                                         \
        break;                                                                           \
    case 3:                                                                              \
        call(3);                                                                         \
        break;                                                                           \
    case 6:                                                                              \
        call(6);                                                                         \
        break;                                                                           \
    case 9:                                                                              \
        call(9);                                                                         \
        break;                                                                           \
    default:                                                                             \
        call(size);                                                                      \
    }

LV_INLINE double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* The order in which factors take the rows of a right side. */
LV_INLINE void order_rows(const set *s, int *order, int n)
{
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int k = 0; k < n; k++) {
        const int other = s->pivot[k], kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
}

/* B becomes N^-1 B, two columns at a time. */
LV_INLINE void solve_columns(const set *s, double *values, int n)
{
    const double *lu = values + s->first;
    int order[MOST];
    order_rows(s, order, n);
    for (int c = 0; c < s->width; c += LV_PAIR) {
        double *b = values + s->push + c;
        lv_pair y[MOST];
        for (int i = 0; i < n; i++) {
            y[i] = lv_pair_at(b + (ptrdiff_t)order[i] * s->width);
            for (int k = 0; k < i; k++)
                y[i] -= lu[i * n + k] * y[k];
        }
        for (int i = n - 1; i >= 0; i--) {
            for (int k = i + 1; k < n; k++)
                y[i] -= lu[i * n + k] * y[k];
            y[i] *= lu[i * n + i];
        }
        for (int i = 0; i < n; i++)
            lv_pair_put(b + (ptrdiff_t)i * s->width, y[i]);
    }
}

/* S -= C N^-1 B */
LV_INLINE void subtract_products(const set *s, double *values, int n)
{
    const double *pull = values + s->pull;
    const int *slot = s->slots;
    for (int r = 0; r < s->rows; r++, pull += n, slot += s->columns)
        for (int c = 0; c < s->width; c += LV_PAIR) {
            const double *push = values + s->push + c;
            lv_pair sum = pull[0] * lv_pair_at(push);
            for (int i = 1; i < n; i++)
                sum += pull[i] * lv_pair_at(push + (ptrdiff_t)i * s->width);
            values[slot[c]] -= sum[0];
            if (c + 1 < s->columns)
                values[slot[c + 1]] -= sum[1];
        }
}

static bool eliminate(lv_condensed *w, set *s)
{
    if (!lv_lu_factor(w->values + s->first, s->size, s->pivot))
        return false;
#define CALL(size)                                                                       \
    {                                                                                    \
        solve_columns(s, w->values, size);                                               \
        subtract_products(s, w->values, size);                                           \
    }
    FOR_SIZE(CALL, s->size)
#undef CALL
    return true;
}

bool lv_condensed_reduce(lv_condensed *w)
{
    for (int k = 0; k < w->set_count; k++)
        if (!eliminate(w, &w->sets[k]))
            return false;
    if (!w->rest)
        return true;
    lv_assembly_clear(w->rest);
    lv_assembly_add(w->rest, 0, w->values + w->value_count, 1);
    return true;
}

bool lv_condensed_factor(lv_condensed *w, const bool *left_out)
{
    if (!lv_condensed_reduce(w))
        return false;
    if (!w->rest)
        return true;
    lv_linear *linear = lv_assembly_linear(w->rest);
    lv_linear_leave_out(linear, left_out ? left_out + w->inner : NULL);
    return lv_linear_factor(linear);
}

lv_status lv_condensed_expect_left_out(lv_condensed *w, const bool *left_out,
                                       lv_error *err)
{
    return w->rest ? lv_linear_expect_left_out(lv_assembly_linear(w->rest),
                                               left_out + w->inner, err)
                   : LV_OK;
}

/* x = N^-1 x in the set, outer -= C x */
LV_INLINE void solve_inner(const lv_condensed *w, const set *s, double *x, double *outer,
                           int n)
{
    double *y = w->work;
    const double *pull = w->values + s->pull;
    for (int i = 0; i < n; i++)
        y[i] = x[s->lines[i]];
    lv_lu_solve(w->values + s->first, n, s->pivot, y);
    for (int r = 0; r < s->rows; r++, pull += n)
        outer[s->row[r]] -= dot(pull, y, n);
    for (int i = 0; i < n; i++)
        x[s->lines[i]] = y[i];
}

/* x -= N^-1 B outer in the set */
LV_INLINE void subtract_outer(const lv_condensed *w, const set *s, double *x,
                              const double *outer, int n)
{
    const double *push = w->values + s->push;
    double by[JOINED_MOST];
    for (int c = 0; c < s->columns; c++)
        by[c] = outer[s->column[c]];
    for (int i = 0; i < n; i++, push += s->width)
        x[s->lines[i]] -= dot(push, by, s->columns);
}

void lv_condensed_solve(lv_condensed *w, double *x)
{
    double *outer = x + w->inner;
    for (int k = 0; k < w->set_count; k++) {
        const set *s = &w->sets[k];
#define CALL(size) solve_inner(w, s, x, outer, size)
        FOR_SIZE(CALL, s->size)
#undef CALL
    }
    if (!w->rest)
        return;
    lv_linear_solve(lv_assembly_linear(w->rest), outer);
    for (int k = 0; k < w->set_count; k++) {
        const set *s = &w->sets[k];
#define CALL(size) subtract_outer(w, s, x, outer, size)
        FOR_SIZE(CALL, s->size)
#undef CALL
    }
}

lv_linear *lv_condensed_linear(const lv_condensed *w)
{
    return w->rest ? lv_assembly_linear(w->rest) : NULL;
}
