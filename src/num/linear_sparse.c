/* Sparse matrices: LU (num/sparse_lu.h), analysed once and refactored with the same
 * pivots as long as they would be chosen again. Where pivots that prefer the diagonal
 * fail (singular, entry growth, or more entries than there is room for), num/pivoted.h is
 * used. */
#include "num/fill.h"
#include "num/kkt_order.h"
#include "num/linear_private.h"
#include "num/pivoted.h"
#include "num/sparse_lu.h"

#include <limits.h>
#include <math.h>

#include <amd.h>

/* A diagonal entry is taken as pivot if it is at least this fraction of the largest
 * candidate. */
#define DIAGONAL_TOLERANCE 1e-3

/* The factors are not trusted if lv_pivots.growth is below this. */
#define LEAST_GROWTH 1e-8

/* Entries reserved for each factor, unless fewer suffice for any choice of rows: this
 * many, or this many times what pivots on the diagonal need
 * (docs/decisions/007-sparse-lu.md). Where the diagonal is preferred few pivots are off
 * it, and the room is fixed. Where stability comes first any rows may be chosen, and
 * memory grows if needed. */
enum { USUAL_LEAST = 1 << 14, USUAL_TIMES = 2 };
enum { PIVOTED_LEAST = 1 << 20, PIVOTED_TIMES = 8 };

typedef struct sparse {
    lv_column_pattern a; /* its values are linear->storage */
    int *order;
    lv_sparse_lu *lu;
    lv_pivoted *pivoted;
    bool use_pivoted; /* the last factors are those of `pivoted` */
} sparse;

/* Compressed columns of the pattern; slot[e] is where entry e of its rows ends up. */
static bool compress_columns(lv_linear *linear, sparse *s)
{
    const lv_pattern *pattern = &linear->pattern;
    const int n = linear->n, entries = pattern->start[n];
    int *start = lv_arena_alloc(&linear->arena, (size_t)n + 2, sizeof(int));
    int *row = lv_arena_alloc(&linear->arena, (size_t)entries, sizeof(int));
    s->a = (lv_column_pattern){n, start, row};
    linear->stored = (size_t)entries;
    linear->storage = lv_arena_alloc(&linear->arena, (size_t)entries, sizeof(double));
    if (!start || !row || !linear->storage)
        return false;

    /* start[j + 1] runs through column j and ends where column j + 1 begins. */
    for (int e = 0; e < entries; e++)
        start[pattern->column[e] + 2]++;
    for (int j = 0; j < n; j++)
        start[j + 2] += start[j + 1];
    for (int i = 0; i < n; i++)
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++) {
            const int at = start[pattern->column[e] + 1]++;
            row[at] = i;
            linear->slot[e] = at;
        }
    return true;
}

/* Flags the unknowns without a diagonal entry; returns their number. */
static int flag_multipliers(const lv_pattern *pattern, bool *multiplier)
{
    int count = 0;
    for (int i = 0; i < pattern->rows; i++) {
        multiplier[i] = true;
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++)
            if (pattern->column[e] == i)
                multiplier[i] = false;
        count += multiplier[i];
    }
    return count;
}

static lv_status too_large(int n, lv_error *err)
{
    return lv_fail(err, LV_ERR_LIMIT, "a sparse matrix with %d unknowns is too large", n);
}

static lv_status minimum_degree(int *order, const lv_pattern *pattern, lv_error *err)
{
    const int status =
        amd_order(pattern->rows, pattern->start, pattern->column, order, NULL, NULL);
    if (status == AMD_OUT_OF_MEMORY)
        return lv_fail_memory(err);
    return status == AMD_OK ? LV_OK : too_large(pattern->rows, err);
}

/* Finds an elimination order where the caller gave none. */
static lv_status find_order(int *order, const lv_pattern *pattern, lv_error *err)
{
    lv_arena scratch = {0};
    bool *multiplier =
        lv_arena_alloc(&scratch, (size_t)pattern->rows, sizeof *multiplier);
    lv_status status = LV_OK;
    if (!multiplier)
        status = lv_fail_memory(err);
    else if (flag_multipliers(pattern, multiplier) > 0)
        status = lv_kkt_order(order, pattern, multiplier, err);
    else
        status = minimum_degree(order, pattern, err);
    lv_arena_done(&scratch);
    return status;
}

static long long at_most(long long usual, int least, int times)
{
    const long long most = times * usual > least ? times * usual : least;
    return most < INT_MAX ? most : INT_MAX;
}

/* Reserves room for any choice of rows, within the limits above. */
static lv_status reserve(lv_linear *linear, sparse *s, lv_error *err)
{
    lv_fill usual, room;
    LV_TRY(lv_fill_on_diagonal(&usual, &s->a, s->order, err));
    if (usual.upper > INT_MAX)
        return too_large(s->a.n, err);
    linear->fill = (double)usual.upper;
    const long long most = at_most(usual.upper, USUAL_LEAST, USUAL_TIMES);
    LV_TRY(lv_fill_bound(&room, &s->a, s->order, most, err));
    LV_TRY(lv_sparse_lu_create(&s->lu, &s->a, s->order, DIAGONAL_TOLERANCE, room, err));
    lv_sparse_lu_fix_room(s->lu);
    return lv_pivoted_create(&s->pivoted, &s->a,
                             at_most(usual.upper, PIVOTED_LEAST, PIVOTED_TIMES), err);
}

static lv_status create(lv_linear *linear, const int *order, lv_error *err)
{
    const size_t n = (size_t)linear->n;
    sparse *s = lv_arena_alloc(&linear->arena, 1, sizeof *s);
    if (!s)
        return lv_fail_memory(err);
    linear->factors = s;
    s->order = order ? lv_arena_copy(&linear->arena, order, n, sizeof(int))
                     : lv_arena_alloc(&linear->arena, n, sizeof(int));
    if (!s->order || !compress_columns(linear, s))
        return lv_fail_memory(err);
    if (!order)
        LV_TRY(find_order(s->order, &linear->pattern, err));
    return reserve(linear, s, err);
}

static void take_note(lv_linear *linear, const lv_pivots *pivots)
{
    linear->worst = pivots->worst;
    linear->worst_unknown = pivots->column;
}

/* Factors with pivots chosen for stability. If that fails too, the reported unknown is
 * that of `before`, and the worst pivot the smaller one of both. */
static bool factor_pivoted(lv_linear *linear, const lv_pivots *before)
{
    sparse *s = linear->factors;
    lv_pivots pivots;
    s->use_pivoted = lv_pivoted_factor(s->pivoted, linear->storage, &pivots);
    take_note(linear, &pivots);
    if (!s->use_pivoted && pivots.column >= 0 && before->column >= 0) {
        linear->worst_unknown = before->column;
        if (before->worst < pivots.worst)
            linear->worst = before->worst;
    }
    return s->use_pivoted;
}

static bool factor(lv_linear *linear)
{
    sparse *s = linear->factors;
    lv_pivots pivots;
    if (linear->n == 0)
        return true;
    s->use_pivoted = false; /* each matrix is judged anew */
    const bool factored = lv_sparse_lu_refactor(s->lu, linear->storage, &pivots) ||
                          lv_sparse_lu_factor(s->lu, linear->storage, &pivots);
    take_note(linear, &pivots);
    return (factored && pivots.growth > LEAST_GROWTH) || factor_pivoted(linear, &pivots);
}

static void solve(const lv_linear *linear, double *x)
{
    sparse *s = linear->factors;
    if (s->use_pivoted)
        lv_pivoted_solve(s->pivoted, linear->storage, x);
    else
        lv_sparse_lu_solve(s->lu, x);
}

static void release(lv_linear *linear)
{
    sparse *s = linear->factors;
    if (!s)
        return;
    lv_sparse_lu_free(s->lu);
    lv_pivoted_free(s->pivoted);
}

static void leave_out(lv_linear *linear)
{
    sparse *s = linear->factors;
    lv_sparse_lu_leave_out(s->lu, linear->left_out);
    lv_pivoted_leave_out(s->pivoted, linear->left_out);
}

const lv_linear_methods lv_linear_sparse = {
    LV_BACK_END_SPARSE, create, factor, solve, release, leave_out};
