/* Left-looking LU (Gilbert, Peierls 1988). Step k solves L x = A(:, order[k]) with the
 * columns of L known so far; x above the pivot is column k of U, x below, divided by the
 * pivot, column k of L. The nonzero entries of x are found first, by a search through the
 * graph of L, which follows only entries needed for reachability (symmetric pruning:
 * Eisenstat, Liu 1992). The order in which the search leaves the nodes, reversed, is one
 * in which the columns may be subtracted. It is kept as the order of U's entries, so that
 * `refactor` subtracts in the same order, without a search. While rows are being chosen L
 * has the original row numbers; afterwards they are replaced by the steps at which the
 * rows were pivots. */
#include "num/sparse_lu.h"

#include "base/arena.h"
#include "base/memory.h"
#include "num/linear.h"
#include "num/sound.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { NONE = -1 };

/* One of the factors without its diagonal, by columns. */
typedef struct factor {
    int *start; /* n + 1 */
    int *index;
    double *value;
    int room;   /* entries that fit */
    bool fixed; /* `room` must not grow */
} factor;

struct lv_sparse_lu {
    lv_arena arena;
    lv_column_pattern a;
    const int *order;
    double tolerance;
    factor lower, upper;
    double *inverse; /* 1 / pivot, by step */
    int *pivot_row;  /* by step */
    int *step;       /* of a row; NONE: not yet a pivot */
    int *target;     /* steps of the rows of A's entries, columns in elimination order */
    double *x;       /* the current column, zero between calls; also right sides */
    int *followed;   /* by column of L: the end of the part that searches follow */
    int *mark;       /* of a row: the last step that reached it */
    /* From the front: the path of a search; from the back: the steps it has left */
    int *reach;
    int *position;  /* position of a search in each column of its path */
    int *candidate; /* rows reached that are not yet pivots */
    bool *left_out; /* rows and columns that are left out; all their entries are zero */
    bool ready;     /* there are factors */
};

/* ---- memory ------------------------------------------------------------------------ */

static bool reserve_entries(factor *f, long long entries)
{
    const size_t count = entries > 0 ? (size_t)entries : 1;
    if (entries <= f->room)
        return true;
    if (entries > INT_MAX)
        return false;
    int *index = lv_memory_resize(f->index, count * sizeof *index);
    if (!index)
        return false;
    f->index = index;
    double *value = lv_memory_resize(f->value, count * sizeof *value);
    if (!value)
        return false;
    f->value = value;
    f->room = (int)entries;
    return true;
}

/* Makes room for `more` entries after column k, growing by half if there is memory. */
static bool grow(factor *f, int k, int more)
{
    const long long needed = (long long)f->start[k] + more;
    const long long ample = needed + needed / 2;
    return needed <= f->room ||
           (!f->fixed && (reserve_entries(f, ample < INT_MAX ? ample : INT_MAX) ||
                          reserve_entries(f, needed)));
}

static bool take_memory(lv_sparse_lu *lu, lv_fill room)
{
    const size_t n = (size_t)lu->a.n;
    int **const integers[] = {&lu->lower.start, &lu->upper.start, &lu->pivot_row,
                              &lu->step,        &lu->followed,    &lu->mark,
                              &lu->reach,       &lu->position,    &lu->candidate};
    double **const numbers[] = {&lu->inverse, &lu->x};
    bool all = true;
    for (size_t k = 0; k < sizeof integers / sizeof *integers; k++) {
        *integers[k] = lv_arena_alloc(&lu->arena, n + 1, sizeof(int));
        all &= *integers[k] != NULL;
    }
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        *numbers[k] = lv_arena_alloc(&lu->arena, n, sizeof(double));
        all &= *numbers[k] != NULL;
    }
    lu->target = lv_arena_alloc(&lu->arena, (size_t)lu->a.start[n], sizeof(int));
    lu->left_out = lv_arena_alloc(&lu->arena, n + 1, sizeof *lu->left_out);
    return all && lu->target && lu->left_out && reserve_entries(&lu->lower, room.lower) &&
           reserve_entries(&lu->upper, room.upper);
}

lv_status lv_sparse_lu_create(lv_sparse_lu **lu, const lv_column_pattern *a,
                              const int *order, double tolerance, lv_fill room,
                              lv_error *err)
{
    assert(lv_columns_are_sound(a));
    assert(lv_is_permutation(order, a->n));
    assert(tolerance >= 0 && tolerance <= 1);
    *lu = NULL;
    if (room.lower > INT_MAX || room.upper > INT_MAX)
        return lv_fail(err, LV_ERR_LIMIT, "a sparse matrix with %d unknowns is too large",
                       a->n);
    lv_sparse_lu *fresh = lv_memory_zeroed(1, sizeof *fresh);
    if (!fresh)
        return lv_fail_memory(err);
    fresh->a = *a;
    fresh->order = order;
    fresh->tolerance = tolerance;
    if (!take_memory(fresh, room)) {
        lv_sparse_lu_free(fresh);
        return lv_fail_memory(err);
    }
    *lu = fresh;
    return LV_OK;
}

void lv_sparse_lu_fix_room(lv_sparse_lu *lu)
{
    lu->lower.fixed = lu->upper.fixed = true;
}

void lv_sparse_lu_leave_out(lv_sparse_lu *lu, const bool *lines)
{
    const size_t bytes = (size_t)lu->a.n * sizeof *lines;
    if (memcmp(lu->left_out, lines, bytes) == 0)
        return;
    memcpy(lu->left_out, lines, bytes);
    lu->ready = false; /* rows have to be chosen again */
}

void lv_sparse_lu_free(lv_sparse_lu *lu)
{
    if (!lu)
        return;
    lv_memory_free(lu->lower.index);
    lv_memory_free(lu->lower.value);
    lv_memory_free(lu->upper.index);
    lv_memory_free(lu->upper.value);
    lv_arena_done(&lu->arena);
    lv_memory_free(lu);
}

/* ---- choosing rows ----------------------------------------------------------------- */

/* Results of step k. */
typedef struct column {
    int k;
    int top;        /* reach[top] ... reach[n - 1]: steps to subtract, in this order */
    int candidates; /* rows to choose from */
    double largest; /* largest entry of the column of A */
    double grown;   /* largest entry of the column of U */
    bool finite;
} column;

/* Continues in column j of L from position p to the first entry that leads to a step not
 * yet reached; marks the rows on the way. Returns that step or NONE. */
static int next_step(lv_sparse_lu *lu, column *c, int j, int *p)
{
    const int end = lu->followed[j];
    while (*p < end) {
        const int row = lu->lower.index[(*p)++];
        if (lu->mark[row] == c->k)
            continue;
        lu->mark[row] = c->k;
        if (lu->step[row] != NONE)
            return lu->step[row];
        lu->candidate[c->candidates++] = row;
    }
    return NONE;
}

/* Depth-first search from a step not yet reached. */
static void search(lv_sparse_lu *lu, column *c, int from)
{
    int depth = 0;
    lu->reach[0] = from;
    lu->position[0] = lu->lower.start[from];
    while (depth >= 0) {
        const int j = lu->reach[depth];
        const int next = next_step(lu, c, j, &lu->position[depth]);
        if (next == NONE) {
            depth--;
            lu->reach[--c->top] = j;
        } else {
            lu->reach[++depth] = next;
            lu->position[depth] = lu->lower.start[next];
        }
    }
}

static void find_pattern(lv_sparse_lu *lu, column *c)
{
    const int j = lu->order[c->k];
    for (int e = lu->a.start[j]; e < lu->a.start[j + 1]; e++) {
        const int row = lu->a.row[e];
        if (lu->mark[row] == c->k)
            continue;
        lu->mark[row] = c->k;
        if (lu->step[row] == NONE)
            lu->candidate[c->candidates++] = row;
        else
            search(lu, c, lu->step[row]);
    }
}

/* x = A(:, order[k]); subtracts what was reached, which becomes column k of U. */
static void compute_column(lv_sparse_lu *lu, const double *values, column *c)
{
    const int j = lu->order[c->k];
    double sum = 0, *restrict x = lu->x;
    for (int e = lu->a.start[j]; e < lu->a.start[j + 1]; e++) {
        const double size = fabs(values[e]);
        x[lu->a.row[e]] = values[e];
        c->largest = size > c->largest ? size : c->largest;
        sum += size;
    }
    const factor *l = &lu->lower;
    int at = lu->upper.start[c->k];
    for (int t = c->top; t < lu->a.n; t++, at++) {
        const int i = lu->reach[t], row = lu->pivot_row[i];
        const double u = x[row], size = fabs(u);
        x[row] = 0;
        lu->upper.index[at] = i;
        lu->upper.value[at] = u;
        c->grown = size > c->grown ? size : c->grown;
        sum += size;
        for (int e = l->start[i]; e < l->start[i + 1]; e++)
            x[l->index[e]] -= l->value[e] * u;
    }
    lu->upper.start[c->k + 1] = at;
    c->finite = sum <= DBL_MAX;
}

/* Index among the candidates of the row to take as pivot; NONE if there is no good
 * one. */
static int choose(const lv_sparse_lu *lu, column *c)
{
    double largest = 0, sum = 0;
    int best = NONE, diagonal = NONE;
    for (int t = 0; t < c->candidates; t++) {
        const double size = fabs(lu->x[lu->candidate[t]]);
        sum += size;
        if (size > largest) {
            largest = size;
            best = t;
        }
        if (lu->candidate[t] == lu->order[c->k])
            diagonal = t;
    }
    c->finite &= sum <= DBL_MAX;
    if (diagonal == NONE)
        return best;
    const double size = fabs(lu->x[lu->candidate[diagonal]]);
    return size > 0 && size >= lu->tolerance * largest ? diagonal : best;
}

/* Updates `pivots` with this pivot; returns false if it is not good enough. */
static bool judge(lv_sparse_lu *lu, const column *c, double pivot, lv_pivots *pivots)
{
    const double size = fabs(pivot);
    double ratio = c->finite && size > 0 ? size / c->largest : 0;
    const double grown = c->grown > size ? c->grown : size;
    if (!(ratio <= DBL_MAX))
        ratio = 0;
    if (ratio < pivots->worst) {
        pivots->worst = ratio;
        pivots->column = lu->order[c->k];
    }
    if (c->largest < pivots->growth * grown)
        pivots->growth = c->largest / grown;
    return ratio > LV_LINEAR_SINGULAR;
}

/* Column k of L from the candidates; x is zero again. */
static void store_column(lv_sparse_lu *lu, const column *c, int row)
{
    const double inverse = 1 / lu->x[row];
    factor *l = &lu->lower;
    int at = l->start[c->k];
    lu->inverse[c->k] = inverse;
    lu->pivot_row[c->k] = row;
    lu->step[row] = c->k;
    for (int t = 0; t < c->candidates; t++) {
        const int i = lu->candidate[t];
        if (i != row) {
            l->index[at] = i;
            l->value[at++] = lu->x[i] * inverse;
        }
        lu->x[i] = 0;
    }
    l->start[c->k + 1] = lu->followed[c->k] = at;
}

static bool has_entry(const factor *f, int j, int index)
{
    for (int e = f->start[j]; e < f->start[j + 1]; e++)
        if (f->index[e] == index)
            return true;
    return false;
}

/* Shortens the part of columns of L that searches follow. If column j of L contains the
 * pivot row of step k, and row j of U contains column k, then searches that visit j reach
 * the rows that are not yet pivots through k as well. Entries with a step are moved to
 * the front. */
static void prune(lv_sparse_lu *lu, int k)
{
    factor *l = &lu->lower;
    for (int t = lu->upper.start[k]; t < lu->upper.start[k + 1]; t++) {
        const int j = lu->upper.index[t];
        if (lu->followed[j] < l->start[j + 1] || !has_entry(l, j, lu->pivot_row[k]))
            continue;
        int head = l->start[j], tail = l->start[j + 1];
        while (head < tail) {
            const int index = l->index[head];
            const double value = l->value[head];
            if (lu->step[index] != NONE) {
                head++;
                continue;
            }
            tail--;
            l->index[head] = l->index[tail];
            l->value[head] = l->value[tail];
            l->index[tail] = index;
            l->value[tail] = value;
        }
        lu->followed[j] = tail;
    }
}

/* Handles a column that is left out: it has nothing but a pivot of 1. */
static bool skip_column(lv_sparse_lu *lu, int k)
{
    const int row = lu->order[k];
    lu->upper.start[k + 1] = lu->upper.start[k];
    lu->lower.start[k + 1] = lu->followed[k] = lu->lower.start[k];
    lu->inverse[k] = 1;
    lu->pivot_row[k] = row;
    lu->step[row] = k;
    return true;
}

static bool factor_column(lv_sparse_lu *lu, const double *values, int k,
                          lv_pivots *pivots)
{
    column c = {.k = k, .top = lu->a.n};
    find_pattern(lu, &c);
    const int below = c.candidates > 0 ? c.candidates - 1 : 0;
    if (!grow(&lu->upper, k, lu->a.n - c.top) || !grow(&lu->lower, k, below)) {
        *pivots = (lv_pivots){.worst = 0, .column = NONE};
        return false;
    }
    compute_column(lu, values, &c);
    const int best = choose(lu, &c);
    const int row = best == NONE ? NONE : lu->candidate[best];
    if (!judge(lu, &c, row == NONE ? 0 : lu->x[row], pivots)) {
        for (int t = 0; t < c.candidates; t++)
            lu->x[lu->candidate[t]] = 0;
        return false;
    }
    store_column(lu, &c, row);
    prune(lu, k);
    return true;
}

static void rename_rows(lv_sparse_lu *lu)
{
    const int n = lu->a.n;
    for (int e = 0; e < lu->lower.start[n]; e++)
        lu->lower.index[e] = lu->step[lu->lower.index[e]];
    int at = 0;
    for (int k = 0; k < n; k++)
        for (int e = lu->a.start[lu->order[k]]; e < lu->a.start[lu->order[k] + 1]; e++)
            lu->target[at++] = lu->step[lu->a.row[e]];
}

bool lv_sparse_lu_factor(lv_sparse_lu *lu, const double *values, lv_pivots *pivots)
{
    lu->ready = false;
    *pivots = (lv_pivots){HUGE_VAL, 0, HUGE_VAL};
    for (int i = 0; i < lu->a.n; i++)
        lu->step[i] = lu->mark[i] = NONE;
    for (int k = 0; k < lu->a.n; k++)
        if (!(lu->left_out[lu->order[k]] ? skip_column(lu, k)
                                         : factor_column(lu, values, k, pivots)))
            return false;
    rename_rows(lu);
    lu->ready = true;
    return true;
}

/* ---- the same rows again ----------------------------------------------------------- */

/* Computes column k except its part of L: the candidates are left in x. The result is not
 * finite if an entry of A or U is not. */
static double compute_again(lv_sparse_lu *lu, const double *restrict values,
                            const int *restrict target, column *c)
{
    double *restrict x = lu->x, largest = 0, grown = 0, sum = 0;
    const int *restrict l_start = lu->lower.start, *restrict l_index = lu->lower.index;
    const double *restrict l_value = lu->lower.value;
    const int begin = lu->a.start[lu->order[c->k]],
              end = lu->a.start[lu->order[c->k] + 1];
    for (int e = 0; e < end - begin; e++) {
        const double value = values[begin + e], size = fabs(value);
        x[target[e]] = value;
        largest = size > largest ? size : largest;
        sum += size;
    }
    const int u_end = lu->upper.start[c->k + 1];
    for (int t = lu->upper.start[c->k]; t < u_end; t++) {
        const int j = lu->upper.index[t], l_end = l_start[j + 1];
        const double u = x[j], size = fabs(u);
        x[j] = 0;
        lu->upper.value[t] = u;
        grown = size > grown ? size : grown;
        sum += size;
        for (int e = l_start[j]; e < l_end; e++)
            x[l_index[e]] -= l_value[e] * u;
    }
    c->largest = largest;
    c->grown = grown;
    return sum;
}

/* Stores column k of L; returns the largest candidate that was not chosen, and adds all
 * candidates to `check`. x is zero again. */
static double store_again(lv_sparse_lu *lu, int k, double inverse, double *check)
{
    double *restrict x = lu->x, largest = 0, sum = 0;
    const int end = lu->lower.start[k + 1], *restrict index = lu->lower.index;
    for (int e = lu->lower.start[k]; e < end; e++) {
        const double value = x[index[e]], size = fabs(value);
        largest = size > largest ? size : largest;
        sum += size;
        lu->lower.value[e] = value * inverse;
        x[index[e]] = 0;
    }
    *check += sum;
    return largest;
}

/* Would `factor` choose the same row? `other` is the largest of the other candidates,
 * `diagonal` the diagonal entry if it is a candidate, else 0. Of equal candidates
 * `factor` chooses the first; which one that is is not known here, so equality counts as
 * no. */
static bool would_choose(const lv_sparse_lu *lu, int k, double size, double other,
                         double diagonal)
{
    if (lu->pivot_row[k] == lu->order[k])
        return size >= lu->tolerance * other;
    return size > other && (diagonal == 0 || diagonal < lu->tolerance * size);
}

/* Factors column k again and judges the pivot as `factor` does. */
static bool factor_again(lv_sparse_lu *lu, const double *values, const int *target, int k,
                         lv_pivots *pivots, double *check)
{
    column c = {.k = k, .finite = true};
    *check += compute_again(lu, values, target, &c);
    const int on_diagonal = lu->step[lu->order[k]];
    const double diagonal = on_diagonal > k ? fabs(lu->x[on_diagonal]) : 0;
    const double pivot = lu->x[k], inverse = 1 / pivot;
    lu->x[k] = 0;
    lu->inverse[k] = inverse;
    const double other = store_again(lu, k, inverse, check);
    *check += fabs(pivot);
    return would_choose(lu, k, fabs(pivot), other, diagonal) &&
           judge(lu, &c, pivot, pivots);
}

bool lv_sparse_lu_refactor(lv_sparse_lu *lu, const double *values, lv_pivots *pivots)
{
    const int n = lu->a.n, *target = lu->target;
    double check = 0; /* sum that is not finite if any entry is not */
    if (!lu->ready)
        return false;
    lu->ready = false;
    *pivots = (lv_pivots){HUGE_VAL, 0, HUGE_VAL};
    for (int k = 0; k < n; k++) {
        const int own = lu->order[k];
        if (!lu->left_out[own] && !factor_again(lu, values, target, k, pivots, &check))
            return false;
        target += lu->a.start[own + 1] - lu->a.start[own];
    }
    lu->ready = check <= DBL_MAX;
    return lu->ready;
}

void lv_sparse_lu_solve(lv_sparse_lu *lu, double *x)
{
    assert(x != lu->x);
    const int n = lu->a.n;
    const factor *l = &lu->lower, *u = &lu->upper;
    double *restrict y = lu->x;
    if (!lu->ready)
        return;
    for (int k = 0; k < n; k++)
        y[k] = x[lu->pivot_row[k]];
    for (int k = 0; k < n; k++) {
        const double yk = y[k];
        for (int e = l->start[k]; e < l->start[k + 1]; e++)
            y[l->index[e]] -= l->value[e] * yk;
    }
    for (int k = n - 1; k >= 0; k--) {
        const double yk = y[k] * lu->inverse[k];
        x[lu->order[k]] = yk;
        y[k] = 0;
        for (int e = u->start[k]; e < u->start[k + 1]; e++)
            y[u->index[e]] -= u->value[e] * yk;
    }
}

/* ---- what came of it --------------------------------------------------------------- */

lv_fill lv_sparse_lu_fill(const lv_sparse_lu *lu)
{
    return (lv_fill){lu->lower.start[lu->a.n], lu->upper.start[lu->a.n]};
}

int lv_sparse_lu_off_diagonal(const lv_sparse_lu *lu)
{
    int count = 0;
    for (int k = 0; k < lu->a.n; k++)
        count += lu->pivot_row[k] != lu->order[k];
    return count;
}
