/* Band matrices in a narrow order: LU row by row, with pivots that are at least a
 * quarter of the largest of their column. Row i of A holds columns
 * i - lower .. i + upper; exchanges of rows move entries up to `lower` columns
 * further right, so that a row of the factors is that much longer. As in LINPACK the
 * multipliers stay where they were computed, and the solution exchanges and eliminates
 * alternately.
 *
 * Tridiagonal matrices are first factored without exchanges, from both ends at once (a
 * twisted factorisation: two chains of divisions instead of one). If any row grows by
 * more than GROWTH, they are factored with pivoting like the others. */
#include "num/linear_private.h"

#include "base/inline.h"
#include "base/memory.h"
#include "num/pair.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Largest update of a row, relative to the row, that a tridiagonal matrix may have
 * without pivoting. It costs at most two digits, which a step of refinement restores. */
#define GROWTH 256.0

/* Rows are exchanged if that makes a pivot this many times as large. Factors without
 * exchanges are narrower, and solutions take half the time. */
#define EXCHANGE 4.0

/* Limit of (largest entry of a column) / pivot. Pivots after a singular one mean nothing:
 * the first one is reported. */
#define SINGULAR_INVERSE (1 / LV_LINEAR_SINGULAR)

/* Bands up to this width have specialised code, which does the same in less time. */
#if defined(LIVENS_SMALL_CODE)
enum { WIDEST_SIZED = 1 };
#else
enum { WIDEST_SIZED = 7 };
#endif

typedef struct banded {
    int lower, upper;
    /* Diagonals of the factors above the main one: `upper`, more after exchanges */
    int reach;
    bool exchanged; /* rows were exchanged */
    bool twisted;   /* the factors are r, l, u: tridiagonal, nothing exchanged */
    bool natural;   /* order is the identity */
    int *order;     /* unknown at place i */
    int *pivot;     /* row exchanged with row k */
    /* Factors in rows of 2 lower + upper + 1 numbers, with reciprocals on the diagonal.
     * Allocated separately and not touched before it is needed: the matrix may be one of
     * last resort. */
    double *lu;
    double *r, *l, *u; /* twisted: reciprocal pivots, multipliers, scaled couplings */
    double *largest;   /* of column j at largest[lower + j] */
    double *x;
} banded;

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void note_pivot(lv_linear *linear, const banded *b, int k, double ratio)
{
    if (linear->worst > LV_LINEAR_SINGULAR && !(ratio >= linear->worst)) {
        linear->worst = ratio > 0 ? ratio : 0;
        linear->worst_unknown = b->order[k];
    }
}

/* Copies `width` entries of a row and updates the largest entries of their columns. */
LV_INLINE void copy_row(double *restrict row, double *restrict largest, const double *a,
                        int width)
{
    int t = 0;
    for (; t + LV_PAIR <= width; t += LV_PAIR) {
        const lv_pair x = lv_pair_at(a + t);
        lv_pair_put(row + t, x);
        lv_pair_put(largest + t,
                    lv_pair_larger(lv_pair_size(x), lv_pair_at(largest + t)));
    }
    for (; t < width; t++) {
        row[t] = a[t];
        largest[t] = larger(fabs(a[t]), largest[t]);
    }
}

/* Copies A and finds the largest entry of each column. */
LV_INLINE void copy_rows(banded *b, const double *a, int n, int lower, int upper)
{
    const int width = lower + upper + 1;
    double *restrict row = b->lu;
    memset(b->largest, 0, (size_t)(n + lower + upper) * sizeof(double));
    for (int i = 0; i < n; i++, a += width, row += width + lower) {
        copy_row(row, b->largest + i, a, width);
        for (int t = 0; t < lower; t++)
            row[width + t] = 0;
    }
}

/* The row among `rows` below row k whose entry in column k is largest, or row k itself
 * unless its entry is smaller by more than EXCHANGE; `at` points to the diagonal of row
 * k, one row further down the same column is `step` entries on. */
LV_INLINE int find_pivot(const double *at, int rows, ptrdiff_t step)
{
    int best = 0;
    double largest = EXCHANGE * fabs(at[0]);
    for (int d = 1; d <= rows; d++) {
        const double size = fabs(at[d * step]);
        if (size > largest) {
            largest = size;
            best = d;
        }
    }
    return best;
}

LV_INLINE void exchange(double *restrict x, double *restrict y, int length)
{
    for (int j = 0; j <= length; j++) {
        const double t = x[j];
        x[j] = y[j];
        y[j] = t;
    }
}

/* Eliminates a column from `rows` rows below its diagonal, `length` columns to the
 * right. */
LV_INLINE void eliminate(double *diagonal, int rows, int length, ptrdiff_t step)
{
    const double *restrict top = diagonal;
    for (int d = 1; d <= rows; d++) {
        double *restrict row = diagonal + d * step;
        const double l = row[0] * top[0];
        row[0] = l;
        int j = 1;
        for (; j + LV_PAIR <= length + 1; j += LV_PAIR)
            lv_pair_put(row + j, lv_pair_at(row + j) - l * lv_pair_at(top + j));
        for (; j <= length; j++)
            row[j] -= l * top[j];
    }
}

LV_INLINE void factor_sized(lv_linear *linear, banded *b, int n, int lower, int upper)
{
    const int width = 2 * lower + upper + 1;
    const ptrdiff_t step = width - 1;
    int last = upper; /* the last column that rows 0 .. k reach */
    int worst = 0;
    double inverse = 0; /* largest (column of A) / pivot so far */
    copy_rows(b, linear->storage, n, lower, upper);
    b->reach = upper;
    b->exchanged = false;
    for (int k = 0; k < n; k++) {
        double *diagonal = b->lu + (size_t)k * (size_t)width + lower;
        const int rows = k + lower < n ? lower : n - 1 - k;
        const int p = rows == lower ? find_pivot(diagonal, lower, step)
                                    : find_pivot(diagonal, rows, step);
        b->pivot[k] = k + p;
        last = k + p + upper > last ? k + p + upper : last;
        b->reach = last - k > b->reach ? last - k : b->reach;
        if (p > 0) {
            b->exchanged = true;
            exchange(diagonal, diagonal + p * step, last - k);
        }
        diagonal[0] = 1 / diagonal[0];
        const double size = b->largest[lower + k] * fabs(diagonal[0]);
        if (!(size <= inverse) && inverse < SINGULAR_INVERSE) {
            worst = k;
            inverse = size < HUGE_VAL ? size : HUGE_VAL;
        }
        if (last - k <= upper && rows == lower)
            eliminate(diagonal, lower, upper, step);
        else
            eliminate(diagonal, rows, last - k, step);
    }
    note_pivot(linear, b, worst, 1 / inverse);
}

/* The width of a band with specialised code, else 0. */
static int sized_width(const banded *b)
{
    return b->lower == b->upper && b->lower <= WIDEST_SIZED ? b->lower : 0;
}

static void factor_band(lv_linear *linear, banded *b)
{
    const int n = linear->n;
    switch (sized_width(b)) {
    case 1:
        factor_sized(linear, b, n, 1, 1);
        return;
    case 2:
        factor_sized(linear, b, n, 2, 2);
        return;
    case 3:
        factor_sized(linear, b, n, 3, 3);
        return;
    case 4:
        factor_sized(linear, b, n, 4, 4);
        return;
    case 5:
        factor_sized(linear, b, n, 5, 5);
        return;
    case 6:
        factor_sized(linear, b, n, 6, 6);
        return;
    case 7:
        factor_sized(linear, b, n, 7, 7);
        return;
    default:
        factor_sized(linear, b, n, b->lower, b->upper);
    }
}

/* L y = x with rows exchanged on the way. */
static void solve_lower_exchanging(const banded *b, double *restrict x, int n)
{
    const int lower = b->lower, width = 2 * lower + b->upper + 1;
    const ptrdiff_t step = width - 1;
    const double *diagonal = b->lu + lower;
    for (int k = 0; k < n; k++, diagonal += width) {
        const int rows = k + lower < n ? lower : n - 1 - k, p = b->pivot[k];
        const double t = x[p];
        x[p] = x[k];
        x[k] = t;
        for (int d = 1; d <= rows; d++)
            x[k + d] -= diagonal[d * step] * t;
    }
}

/* x[i] minus `count` entries of a row times the unknowns before it. The nearest unknown,
 * `near`, comes last: it has only just been computed. `at` points to the diagonal. */
LV_INLINE double subtract_before(const double *at, const double *x, double near,
                                 int count)
{
    double sum = x[0];
    for (int d = count; d > 1; d--)
        sum -= at[-d] * x[-d];
    return count > 0 ? sum - at[-1] * near : sum;
}

/* L y = x */
LV_INLINE void solve_lower(const banded *b, double *restrict x, int n, int lower,
                           int upper)
{
    const int width = 2 * lower + upper + 1, first = n < lower ? n : lower;
    const double *diagonal = b->lu + lower;
    double near = 0;
    for (int i = 0; i < first; i++, diagonal += width)
        x[i] = near = subtract_before(diagonal, x + i, near, i);
    for (int i = first; i < n; i++, diagonal += width)
        x[i] = near = subtract_before(diagonal, x + i, near, lower);
}

/* The same with the unknowns after it, divided by the pivot. */
LV_INLINE double subtract_after(const double *at, const double *x, double near, int count)
{
    double sum = x[0];
    for (int j = count; j > 1; j--)
        sum -= at[j] * x[j];
    return (count > 0 ? sum - at[1] * near : sum) * at[0];
}

LV_INLINE void solve_upper(const banded *b, double *restrict x, int n, int lower,
                           int upper, int reach)
{
    const int width = 2 * lower + upper + 1;
    const double *first = b->lu + lower; /* the first number of the diagonal */
    double near = 0;
    int k = n - 1;
    for (; k >= 0 && k + reach >= n; k--)
        x[k] = near =
            subtract_after(first + (ptrdiff_t)k * width, x + k, near, n - 1 - k);
    for (; k >= 0; k--)
        x[k] = near = subtract_after(first + (ptrdiff_t)k * width, x + k, near, reach);
}

LV_INLINE void solve_sized(const banded *b, double *restrict x, int n, int width)
{
    solve_lower(b, x, n, width, width);
    solve_upper(b, x, n, width, width, width);
}

static void solve_band(const banded *b, double *x, int n)
{
    switch (b->exchanged ? 0 : sized_width(b)) {
    case 1:
        solve_sized(b, x, n, 1);
        return;
    case 2:
        solve_sized(b, x, n, 2);
        return;
    case 3:
        solve_sized(b, x, n, 3);
        return;
    case 4:
        solve_sized(b, x, n, 4);
        return;
    case 5:
        solve_sized(b, x, n, 5);
        return;
    case 6:
        solve_sized(b, x, n, 6);
        return;
    case 7:
        solve_sized(b, x, n, 7);
        return;
    default:
        break;
    }
    if (b->exchanged)
        solve_lower_exchanging(b, x, n);
    else
        solve_lower(b, x, n, b->lower, b->upper);
    solve_upper(b, x, n, b->lower, b->upper, b->reach);
}

/* State of the tridiagonal elimination from one end. Row i is (a_i, d_i, u_i). */
typedef struct side {
    double r;       /* reciprocal of the last pivot */
    double toward;  /* entry of the last row towards the next one */
    double inverse; /* largest (column of A) / pivot so far, and where */
    int at;
    bool grew;
} side;

/* Eliminates row i with the row eliminated last: `back` and `on` are the entries of row i
 * towards that row and away from it, `beyond` is the entry of the next row in column
 * i. */
LV_INLINE void step_in(side *s, banded *b, int i, double back, double diagonal, double on,
                       double beyond)
{
    const double update = back * s->toward * s->r;
    const double row = larger(larger(fabs(back), fabs(on)), fabs(diagonal));
    const double column = larger(larger(fabs(s->toward), fabs(beyond)), fabs(diagonal));
    const double r = 1 / (diagonal - update);
    s->grew |= !(fabs(update) <= GROWTH * row);
    if (!(column * fabs(r) <= s->inverse) && s->inverse < SINGULAR_INVERSE) {
        s->inverse = column * fabs(r);
        s->at = i;
    }
    b->l[i] = back * s->r;
    b->u[i] = on * r;
    b->r[i] = r;
    s->r = r;
    s->toward = on;
}

/* Eliminates towards the middle row from both ends; false if a row grew too much. */
static bool factor_twisted(lv_linear *linear, banded *b)
{
    const int n = linear->n, middle = n / 2;
    const double *a = linear->storage, *z = a + 3 * (ptrdiff_t)(n - 1);
    side top = {0, 0, 0, 0, false}, bottom = {0, 0, 0, n - 1, false};
    for (int i = 0, j = n - 1; i < middle; i++, j--, a += 3, z -= 3) {
        step_in(&top, b, i, a[0], a[1], a[2], a[3]);
        if (j > middle)
            step_in(&bottom, b, j, z[2], z[1], z[0], z[-1]);
    }

    /* The middle row takes both updates. */
    const double *m = a;
    const double from_top = m[0] * top.toward * top.r;
    const double from_bottom = m[2] * bottom.toward * bottom.r;
    const double row = larger(larger(fabs(m[0]), fabs(m[2])), fabs(m[1]));
    const double column =
        larger(larger(fabs(top.toward), fabs(bottom.toward)), fabs(m[1]));
    const double pivot = m[1] - from_top - from_bottom;
    if (top.grew || bottom.grew || !(fabs(from_top) <= GROWTH * row) ||
        !(fabs(from_bottom) <= GROWTH * row))
        return false;
    b->l[middle] = m[0] * top.r;
    b->u[middle] = m[2] * bottom.r;
    b->r[middle] = 1 / pivot;

    note_pivot(linear, b, middle, fabs(pivot) / column);
    if (middle > 0)
        note_pivot(linear, b, top.at, 1 / top.inverse);
    if (n - 1 > middle)
        note_pivot(linear, b, bottom.at, 1 / bottom.inverse);
    return true;
}

static void solve_twisted(const banded *b, double *restrict x, int n)
{
    const double *restrict r = b->r, *restrict l = b->l, *restrict u = b->u;
    const int middle = n / 2;
    double above = 0, below = 0;
    for (int i = 0, j = n - 1; i < middle; i++, j--) {
        above = x[i] - l[i] * above;
        x[i] = above * r[i];
        if (j > middle) {
            below = x[j] - l[j] * below;
            x[j] = below * r[j];
        }
    }
    above = below = x[middle] =
        (x[middle] - l[middle] * above - u[middle] * below) * r[middle];
    for (int i = middle - 1, j = middle + 1; i >= 0; i--, j++) {
        above = x[i] -= u[i] * above;
        if (j < n)
            below = x[j] -= u[j] * below;
    }
}

static bool take_memory(lv_linear *linear, banded *b)
{
    const size_t n = (size_t)linear->n, lower = (size_t)b->lower,
                 upper = (size_t)b->upper;
    lv_arena *arena = &linear->arena;
    linear->stored = n * (lower + upper + 1);
    linear->storage = lv_arena_alloc(arena, linear->stored, sizeof(double));
    b->lu = lv_memory_resize(NULL, (n * (2 * lower + upper + 1) + 1) * sizeof(double));
    b->pivot = lv_arena_alloc(arena, n, sizeof(int));
    b->largest = lv_arena_alloc(arena, n + lower + upper, sizeof(double));
    b->x = lv_arena_alloc(arena, n, sizeof(double));
    b->r = lv_arena_alloc(arena, 3 * n, sizeof(double));
    b->l = b->r ? b->r + n : NULL;
    b->u = b->r ? b->l + n : NULL;
    return linear->storage && b->lu && b->pivot && b->largest && b->x && b->r;
}

static lv_status create(lv_linear *linear, const int *order, lv_error *err)
{
    const int n = linear->n;
    banded *b = lv_arena_alloc(&linear->arena, 1, sizeof *b);
    if (!b)
        return lv_fail_memory(err);
    linear->factors = b;
    lv_band band = linear->band;
    if (!band.order)
        LV_TRY(lv_band_find(&band, &linear->arena, &linear->pattern, order, err));

    /* Diagonal matrices are tridiagonal ones. */
    const bool narrow = n > 0 && band.lower <= 1 && band.upper <= 1;
    b->order = band.order;
    b->lower = narrow ? 1 : band.lower;
    b->upper = narrow ? 1 : band.upper;
    linear->bandwidth = b->lower > b->upper ? b->lower : b->upper;
    if ((double)n * (2.0 * b->lower + b->upper + 1) > INT_MAX)
        return lv_fail(err, LV_ERR_LIMIT, "%d unknowns with bandwidth %d are too many", n,
                       linear->bandwidth);
    if (!take_memory(linear, b))
        return lv_fail_memory(err);

    int *place = b->pivot;
    b->natural = true;
    for (int i = 0; i < n; i++) {
        place[b->order[i]] = i;
        b->natural &= b->order[i] == i;
    }
    for (int i = 0; i < n; i++)
        for (int e = linear->pattern.start[i]; e < linear->pattern.start[i + 1]; e++) {
            const int j = place[linear->pattern.column[e]];
            linear->slot[e] =
                place[i] * (b->lower + b->upper + 1) + j - place[i] + b->lower;
        }
    return LV_OK;
}

static bool factor(lv_linear *linear)
{
    banded *b = linear->factors;
    if (linear->n == 0)
        return true;
    b->twisted = b->lower == 1 && b->upper == 1 && factor_twisted(linear, b);
    if (!b->twisted)
        factor_band(linear, b);
    return linear->worst > LV_LINEAR_SINGULAR;
}

static void solve(const lv_linear *linear, double *x)
{
    const banded *b = linear->factors;
    const int n = linear->n;
    double *y = b->natural ? x : b->x;
    for (int i = 0; i < n && !b->natural; i++)
        y[i] = x[b->order[i]];
    if (b->twisted)
        solve_twisted(b, y, n);
    else if (n > 0)
        solve_band(b, y, n);
    for (int i = 0; i < n && !b->natural; i++)
        x[b->order[i]] = y[i];
}

static void leave_out(lv_linear *linear)
{
    const banded *b = linear->factors;
    const int width = b->lower + b->upper + 1;
    for (int i = 0; i < linear->n; i++)
        if (linear->left_out[b->order[i]])
            linear->storage[(size_t)i * (size_t)width + (size_t)b->lower] = 1;
}

static void release(lv_linear *linear)
{
    banded *b = linear->factors;
    if (b)
        lv_memory_free(b->lu);
}

const lv_linear_methods lv_linear_banded = {
    LV_BACK_END_BANDED, create, factor, solve, release, leave_out};
