/* Matrices with small sets of inner lines (num/nested.h): velocities of bodies, joined by
 * multipliers, or the multipliers that keep the axes of a body orthonormal, joined by
 * those of joints. The sets are eliminated one by one with dense factors. What is left for
 * the outer lines, S = D - C N^-1 B, is a linear system of its own, with a back end of its
 * own. */
#include "base/inline.h"
#include "base/wide.h"
#include "num/dense.h"
#include "num/linear_private.h"
#include "num/nested.h"

#include <math.h>
#include <string.h>

typedef struct nested {
    lv_nested parts;
    double *values; /* the factors of N, N^-1 B, and C, laid out as in the storage */
    bool *left_out; /* by outer line */
    bool *gone;     /* the same, with those that depend on inner lines */
    double *x;      /* numbers of the outer lines */
    lv_linear_work work;
} nested;

/* As many columns as are computed at once, in one instruction where registers are wide
 * enough. */
enum { MOST = LV_NESTED_MOST, PIECE = LV_NESTED_PIECE };
typedef double piece
    __attribute__((vector_size(PIECE * sizeof(double)), aligned(8), may_alias));

/* ---- creation ---------------------------------------------------------------------- */

static lv_linear_work count_work(const lv_nested *w)
{
    lv_linear_work work =
        w->rest ? lv_linear_count_work(w->rest) : (lv_linear_work){0, 0};
    for (int k = 0; k < w->set_count; k++) {
        const double size = w->sets[k].size, rows = w->sets[k].rows,
                     columns = w->sets[k].columns;
        work.factor += size * (size * size / 3 + size * columns + rows * columns);
        work.solve += size * (size + rows + columns);
    }
    return work;
}

static bool take_room(nested *w, lv_linear *linear)
{
    const size_t outer = (size_t)w->parts.outer_count + 1,
                 own = (size_t)w->parts.value_count;
    lv_arena *arena = &linear->arena;
    linear->stored = own + (w->parts.rest ? w->parts.rest->stored : 0);
    linear->storage = lv_arena_alloc(arena, linear->stored + 1, sizeof(double));
    w->values = lv_arena_alloc(arena, own + 1, sizeof *w->values);
    w->left_out = lv_arena_alloc(arena, outer, sizeof *w->left_out);
    w->gone = lv_arena_alloc(arena, outer, sizeof *w->gone);
    w->x = lv_arena_alloc(arena, outer, sizeof *w->x);
    return linear->storage && w->values && w->left_out && w->gone && w->x;
}

lv_status lv_nested_create(lv_linear *linear, const bool *inner, bool *good,
                           lv_error *err)
{
    nested *w = lv_arena_alloc(&linear->arena, 1, sizeof *w);
    *good = false;
    if (!w)
        return lv_fail_memory(err);
    const lv_status status = lv_nested_find(&w->parts, good, linear->slot, &linear->arena,
                                            &linear->pattern, inner, err);
    if (!*good)
        return status;
    linear->factors = w;
    linear->methods = &lv_linear_nested;
    if (status != LV_OK)
        return status;
    w->work = count_work(&w->parts);
    return take_room(w, linear) ? LV_OK : lv_fail_memory(err);
}

static void release(lv_linear *linear)
{
    const nested *w = linear->factors;
    lv_linear_free(w->parts.rest);
}

lv_linear *lv_nested_rest(const lv_linear *linear)
{
    const nested *w = linear->factors;
    return w->parts.rest;
}

/* ---- factors ----------------------------------------------------------------------- */

/* Loops over the lines of a set are unrolled for the sizes that bodies have: one to three
 * velocities of a plain coordinate, or of a rotation, at up to three stages; six products
 * of axes at one or two. */
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
    case 12:                                                                             \
        call(12);                                                                        \
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
LV_INLINE void order_rows(const lv_nested_set *s, int *order, int n)
{
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int k = 0; k < n; k++) {
        const int other = s->pivot[k], kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
}

/* B becomes N^-1 B, a piece of its columns at a time. */
LV_INLINE void solve_columns(const lv_nested_set *s, double *values, int n)
{
    const double *lu = values + s->first;
    int order[MOST];
    order_rows(s, order, n);
    for (double *b = values + s->push, *end = b + s->width; b < end; b += PIECE) {
        piece y[MOST];
        for (int i = 0; i < n; i++) {
            piece x = *(const piece *)(b + (ptrdiff_t)order[i] * s->width);
            for (int k = 0; k < i; k++)
                x -= lu[i * n + k] * y[k];
            y[i] = x;
        }
        for (int i = n - 1; i >= 0; i--) {
            piece x = y[i];
            for (int k = i + 1; k < n; k++)
                x -= lu[i * n + k] * y[k];
            y[i] = x * lu[i * n + i];
        }
        for (int i = 0; i < n; i++)
            *(piece *)(b + (ptrdiff_t)i * s->width) = y[i];
    }
}

/* S -= C N^-1 B */
LV_INLINE void subtract_products(const lv_nested_set *s, const double *values,
                                 double *rest, int n)
{
    const double *pull = values + s->pull;
    const int *slot = s->slots;
    for (int r = 0; r < s->rows; r++, pull += n, slot += s->columns)
        for (int from = 0; from < s->columns; from += PIECE) {
            const double *push = values + s->push + from;
            const int count = s->columns - from;
            piece sum = pull[0] * *(const piece *)push;
            for (int i = 1; i < n; i++)
                sum += pull[i] * *(const piece *)(push + (ptrdiff_t)i * s->width);
            if (s->straight && count >= PIECE)
                *(piece *)(rest + slot[from]) -= sum;
            else
                for (int c = 0; c < PIECE && c < count; c++)
                    rest[slot[from + c]] -= sum[c];
        }
}

/* Notes the smallest pivot of a set relative to its column of N. */
LV_INLINE void note_pivots(lv_linear *linear, const lv_nested_set *s, const double *lu,
                           int n)
{
    const double *matrix = linear->storage + s->first;
    double largest[MOST] = {0}, inverse = 0;
    int at = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double size = fabs(matrix[i * n + j]);
            largest[j] = size > largest[j] ? size : largest[j];
        }
    for (int k = 0; k < n; k++) {
        const double ratio = fabs(lu[k * n + k]) * largest[k];
        at = ratio > inverse ? k : at;
        inverse = ratio > inverse ? ratio : inverse;
    }
    if (inverse * linear->worst > 1) {
        linear->worst = 1 / inverse;
        linear->worst_unknown = s->lines[at];
    }
}

/* Eliminates a set whose part of N was factored. */
LV_INLINE void eliminate_set(lv_linear *linear, const nested *w, const lv_nested_set *s,
                             double *rest)
{
#define CALL(size)                                                                       \
    {                                                                                    \
        note_pivots(linear, s, w->values + s->first, size);                              \
        solve_columns(s, w->values, size);                                               \
        subtract_products(s, w->values, rest, size);                                     \
    }
    FOR_SIZE(CALL, s->size)
#undef CALL
}

static void eliminate_narrow(lv_linear *linear, const nested *w, const lv_nested_set *s,
                             double *rest)
{
    eliminate_set(linear, w, s, rest);
}

LV_WIDE static void eliminate_wide(lv_linear *linear, const nested *w,
                                   const lv_nested_set *s, double *rest)
{
    eliminate_set(linear, w, s, rest);
}

/* Returns false if a set is singular. */
static bool eliminate(lv_linear *linear, const nested *w)
{
    double *rest = w->parts.rest ? w->parts.rest->storage : NULL;
    const bool wide = lv_is_wide();
    for (int k = 0; k < w->parts.set_count; k++) {
        const lv_nested_set *s = &w->parts.sets[k];
        if (!lv_lu_factor(w->values + s->first, s->size, s->pivot)) {
            linear->worst = 0;
            linear->worst_unknown = s->lines[0];
            return false;
        }
        (wide ? eliminate_wide : eliminate_narrow)(linear, w, s, rest);
    }
    return true;
}

/* How much of the diagonal entry of D is left in S for an outer line. */
static double part_left(const lv_linear *linear, const nested *w, int k)
{
    const double *before = linear->storage + w->parts.value_count,
                 *after = w->parts.rest->storage;
    const int at = w->parts.diagonal[k];
    return at >= 0 && fabs(after[at]) < fabs(before[at]) ? fabs(after[at] / before[at])
                                                         : 1;
}

/* What is said of the outer lines: the one of which the least is left, and how many depend
 * on inner lines. */
typedef struct judged {
    double left;
    int line, dependent;
} judged;

/* Where little is left outer lines nearly depend on inner ones. Where it is rounding
 * errors they do depend on them, and are left out of S. */
static judged judge_outer(const lv_linear *linear, const nested *w)
{
    const double coarse = 1e-5; /* with less, S has too few digits to tell ranks */
    judged found = {1, -1, 0};
    w->parts.rest->cancelled = false;
    for (int k = 0; k < w->parts.outer_count; k++) {
        const double left = w->left_out[k] ? 1 : part_left(linear, w, k);
        const bool gone = left < LV_LINEAR_DEPENDENT;
        w->gone[k] = w->left_out[k] || gone;
        found.dependent += gone;
        w->parts.rest->cancelled |= left < coarse && !gone;
        if (left < found.left) {
            found.left = left;
            found.line = k;
        }
    }
    return found;
}

/* Notes the smallest pivot of S relative to D: no smaller than this if the least is left
 * of its line. */
static void note_rest(lv_linear *linear, const nested *w, judged found)
{
    const lv_linear *rest = w->parts.rest;
    if (!(rest->worst * found.left < linear->worst))
        return;
    const int line = found.left < rest->worst ? found.line : rest->worst_unknown;
    linear->worst = rest->worst * found.left;
    linear->worst_unknown = line < 0 ? -1 : w->parts.outer[line];
}

/* The dependent equations that S found among its lines. */
static int count_found(const lv_linear *rest)
{
    return rest->by_rest && rest->redundant > 0 ? rest->redundant - rest->left
                                                : rest->redundant;
}

/* Factors S, which judges dependent equations itself. */
static bool factor_rest(lv_linear *linear, const nested *w)
{
    const judged found = judge_outer(linear, w);
    lv_linear_leave_out(w->parts.rest,
                        linear->left + found.dependent > 0 ? w->gone : NULL);
    const bool regular = lv_linear_factor(w->parts.rest);
    const int more = found.dependent + count_found(w->parts.rest);
    linear->redundant = more > 0 ? linear->left + more : 0;
    note_rest(linear, w, found);
    return regular;
}

static bool factor(lv_linear *linear)
{
    nested *w = linear->factors;
    const size_t own = (size_t)w->parts.value_count;
    memcpy(w->values, linear->storage, own * sizeof *w->values);
    if (w->parts.rest)
        memcpy(w->parts.rest->storage, linear->storage + own,
               w->parts.rest->stored * sizeof *w->values);
    if (!eliminate(linear, w))
        return false;
    return linear->worst > LV_LINEAR_SINGULAR &&
           (!w->parts.rest || factor_rest(linear, w));
}

static void leave_out(lv_linear *linear)
{
    const nested *w = linear->factors;
    for (int k = 0; k < w->parts.set_count; k++) {
        const lv_nested_set *s = &w->parts.sets[k];
        for (int i = 0; i < s->size; i++)
            if (linear->left_out[s->lines[i]])
                linear->storage[s->first + i * (s->size + 1)] = 1;
    }
    for (int k = 0; k < w->parts.outer_count; k++)
        w->left_out[k] = linear->left_out[w->parts.outer[k]];
}

/* ---- solutions --------------------------------------------------------------------- */

/* x = N^-1 x in the set, outer -= C x */
LV_INLINE void solve_inner(const nested *w, const lv_nested_set *s, double *x, int n)
{
    double y[MOST];
    const double *pull = w->values + s->pull;
    for (int i = 0; i < n; i++)
        y[i] = x[s->lines[i]];
    lv_lu_solve(w->values + s->first, n, s->pivot, y);
    for (int r = 0; r < s->rows; r++, pull += n)
        w->x[s->row[r]] -= dot(pull, y, n);
    for (int i = 0; i < n; i++)
        x[s->lines[i]] = y[i];
}

/* x -= N^-1 B outer in the set */
LV_INLINE void subtract_outer(const nested *w, const lv_nested_set *s, double *x, int n)
{
    const double *push = w->values + s->push;
    double by[LV_NESTED_JOINED_MOST];
    for (int c = 0; c < s->columns; c++)
        by[c] = w->x[s->column[c]];
    for (int i = 0; i < n; i++, push += s->width)
        x[s->lines[i]] -= dot(push, by, s->columns);
}

static void solve(const lv_linear *linear, double *x)
{
    const nested *w = linear->factors;
    for (int k = 0; k < w->parts.outer_count; k++)
        w->x[k] = x[w->parts.outer[k]];
    for (int k = 0; k < w->parts.set_count; k++) {
        const lv_nested_set *s = &w->parts.sets[k];
#define CALL(size) solve_inner(w, s, x, size)
        FOR_SIZE(CALL, s->size)
#undef CALL
    }
    if (!w->parts.rest)
        return;
    lv_linear_solve(w->parts.rest, w->x);
    for (int k = 0; k < w->parts.set_count; k++) {
        const lv_nested_set *s = &w->parts.sets[k];
#define CALL(size) subtract_outer(w, s, x, size)
        FOR_SIZE(CALL, s->size)
#undef CALL
    }
    for (int k = 0; k < w->parts.outer_count; k++)
        x[w->parts.outer[k]] = w->x[k];
}

/* ---- what callers ask -------------------------------------------------------------- */

lv_status lv_nested_expect_left_out(lv_linear *linear, const bool *lines, lv_error *err)
{
    const nested *w = linear->factors;
    for (int k = 0; k < w->parts.outer_count; k++)
        w->gone[k] = lines[w->parts.outer[k]];
    return w->parts.rest ? lv_linear_expect_left_out(w->parts.rest, w->gone, err) : LV_OK;
}

lv_linear_work lv_nested_count_work(const lv_linear *linear)
{
    const nested *w = linear->factors;
    return w->work;
}

const lv_linear_methods lv_linear_nested = {
    LV_BACK_END_NESTED, NULL, factor, solve, release, leave_out};
