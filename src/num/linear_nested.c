/* Matrices with lines ("inner" ones) that fall into many small sets, which only the other
 * lines join: velocities of bodies, joined by multipliers, or the multipliers that keep
 * the axes of a body orthonormal, joined by those of joints. The sets are eliminated one
 * by one with dense factors, which leaves a matrix S for the other lines:
 *
 *     | N  B |
 *     | C  D |     S = D - C N^-1 B,   where N consists of small diagonal blocks.
 *
 * S is a linear system of its own, with a back end of its own. */
#include "base/inline.h"
#include "base/memory.h"
#include "base/wide.h"
#include "num/dense.h"
#include "num/linear_private.h"
#include "num/sparse.h"

#include <math.h>
#include <string.h>

/* Inner lines that are eliminated together. */
typedef struct set {
    int size;
    int *lines;
    int first; /* where its part of N begins in `values`, row by row */
    int columns, rows;
    /* The outer lines in its parts of B and C, counted from the first outer line */
    int *column, *row;
    int width; /* numbers in a row of B: its columns, filled up to whole pieces */
    /* Where these parts begin in `values`, row by row */
    int push, pull;
    int *slots;    /* where C N^-1 B belongs in the storage of S, row by row */
    bool straight; /* rows of C N^-1 B are side by side in that storage */
    int *pivot;
} set;

typedef LV_ARRAY(int) line_list;

typedef struct nested {
    set *sets;
    int set_count;
    const bool *inner; /* by line, while the sets are found */
    int *set_of;       /* by line: the set of an inner line */
    int *within;       /* by line: its position in its set, or among the outer lines */
    int *outer;        /* the outer lines */
    int outer_count;
    int value_count;    /* numbers of N, B and C, in `values` and in linear->storage */
    double *values;     /* the factors of N, N^-1 B, and C */
    lv_pattern pattern; /* pattern of S */
    lv_linear *rest;    /* S; NULL: there are no outer lines */
    int *diagonal;      /* by outer line: where S has its diagonal entry; -1: nowhere */
    bool *left_out;     /* by outer line */
    bool *gone;         /* the same, with those that depend on inner lines */
    int dependent;      /* number of these */
    double *x;          /* numbers of the outer lines */
    lv_linear_work work;
} nested;

/* Most lines of a set, and most outer lines that it may join: S is full where they
 * meet. */
enum { MOST = 48, JOINED_MOST = 120 };

/* This many columns of B are computed at once, in one instruction where registers are
 * wide enough. */
enum { PIECE = 4 };
typedef double piece
    __attribute__((vector_size(PIECE * sizeof(double)), aligned(8), may_alias));

/* ---- sets -------------------------------------------------------------------------- */

/* The line that represents a set while sets are found. */
static int leader(int *of, int line)
{
    while (of[line] != line)
        line = of[line] = of[of[line]];
    return line;
}

static void join_lines(nested *w, const lv_pattern *p)
{
    for (int i = 0; i < p->rows; i++)
        w->set_of[i] = i;
    for (int i = 0; i < p->rows; i++)
        for (int e = p->start[i]; e < p->start[i + 1]; e++)
            if (w->inner[i] && w->inner[p->column[e]]) {
                const int a = leader(w->set_of, i), b = leader(w->set_of, p->column[e]);
                w->set_of[a > b ? a : b] = a > b ? b : a;
            }
    for (int i = 0; i < p->rows; i++)
        w->set_of[i] = leader(w->set_of, i);
}

/* Numbers the sets by their first lines, and the outer lines. */
static void number_sets(nested *w, int n)
{
    for (int i = 0; i < n; i++) {
        if (!w->inner[i]) {
            w->within[i] = w->outer_count;
            w->outer[w->outer_count++] = i;
            continue;
        }
        /* the set of an earlier line is numbered already */
        w->set_of[i] = w->set_of[i] == i ? w->set_count++ : w->set_of[w->set_of[i]];
        w->within[i] = w->sets[w->set_of[i]].size++;
    }
}

static bool list_lines(nested *w, lv_arena *arena, int n)
{
    for (int k = 0; k < w->set_count; k++) {
        set *s = &w->sets[k];
        s->lines = lv_arena_alloc(arena, (size_t)s->size, sizeof *s->lines);
        s->pivot = lv_arena_alloc(arena, (size_t)s->size, sizeof *s->pivot);
        if (!s->lines || !s->pivot)
            return false;
    }
    for (int i = 0; i < n; i++)
        if (w->inner[i])
            w->sets[w->set_of[i]].lines[w->within[i]] = i;
    return true;
}

static size_t count_leaders(const nested *w, int n)
{
    size_t count = 0;
    for (int i = 0; i < n; i++)
        count += w->inner[i] && w->set_of[i] == i;
    return count;
}

static bool find_sets(nested *w, lv_linear *linear)
{
    const size_t n = (size_t)linear->n + 1;
    lv_arena *arena = &linear->arena;
    w->set_of = lv_arena_alloc(arena, n, sizeof *w->set_of);
    w->within = lv_arena_alloc(arena, n, sizeof *w->within);
    w->outer = lv_arena_alloc(arena, n, sizeof *w->outer);
    if (!w->set_of || !w->within || !w->outer)
        return false;
    join_lines(w, &linear->pattern);
    w->sets = lv_arena_alloc(arena, count_leaders(w, linear->n) + 1, sizeof *w->sets);
    if (!w->sets)
        return false;
    number_sets(w, linear->n);
    return list_lines(w, arena, linear->n);
}

/* Whether there are several sets, none of which is large. */
static bool are_small(const nested *w)
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
    line_list *columns, *rows; /* one list per set */
} neighbours;

/* Lists that are too long already need no more lines. */
static bool add_line(line_list *list, int line)
{
    return list->count > JOINED_MOST || find_line(list->data, list->count, line) >= 0 ||
           LV_PUSH(*list, line);
}

static bool list_neighbours(const nested *w, const lv_pattern *p, neighbours *n)
{
    bool ok = true;
    for (int i = 0; ok && i < p->rows; i++)
        for (int e = p->start[i]; ok && e < p->start[i + 1]; e++) {
            const int j = p->column[e];
            if (w->inner[i] && !w->inner[j])
                ok = add_line(&n->columns[w->set_of[i]], w->within[j]);
            if (!w->inner[i] && w->inner[j])
                ok = add_line(&n->rows[w->set_of[j]], w->within[i]);
        }
    return ok;
}

static bool are_few(const nested *w, const neighbours *n)
{
    for (int k = 0; k < w->set_count; k++)
        if (n->columns[k].count > JOINED_MOST || n->rows[k].count > JOINED_MOST)
            return false;
    return true;
}

static bool keep_neighbours(nested *w, lv_arena *arena, const neighbours *n)
{
    int at = 0;
    for (int k = 0; k < w->set_count; k++) {
        set *s = &w->sets[k];
        s->columns = n->columns[k].count;
        s->rows = n->rows[k].count;
        s->column = lv_arena_copy(arena, n->columns[k].data, (size_t)s->columns,
                                  sizeof *s->column);
        s->row = lv_arena_copy(arena, n->rows[k].data, (size_t)s->rows, sizeof *s->row);
        s->slots =
            lv_arena_alloc(arena, (size_t)(s->rows * s->columns) + 1, sizeof *s->slots);
        if ((s->columns > 0 && !s->column) || (s->rows > 0 && !s->row) || !s->slots)
            return false;
        s->width = (s->columns + PIECE - 1) / PIECE * PIECE;
        s->first = at;
        s->push = s->first + s->size * s->size;
        s->pull = s->push + s->size * s->width;
        at = s->pull + s->size * s->rows;
    }
    w->value_count = at;
    return true;
}

/* Returns false if there is no memory; *few tells whether no set joins too many lines. */
static bool find_neighbours(nested *w, lv_linear *linear, bool *few)
{
    const size_t count = (size_t)w->set_count + 1;
    line_list *all = lv_memory_zeroed(2 * count, sizeof *all);
    neighbours n = {all, all ? all + count : NULL};
    bool ok = all && list_neighbours(w, &linear->pattern, &n);
    *few = ok && are_few(w, &n);
    if (*few)
        ok = keep_neighbours(w, &linear->arena, &n);
    for (size_t k = 0; all && k < 2 * count; k++)
        LV_ARRAY_FREE(all[k]);
    lv_memory_free(all);
    return ok;
}

/* ---- the rest ---------------------------------------------------------------------- */

/* The entries of D, then those of C N^-1 B, set by set. */
static bool list_rest(const nested *w, const lv_pattern *p, lv_entry_list *list)
{
    for (int i = 0; i < p->rows; i++)
        for (int e = p->start[i]; e < p->start[i + 1]; e++)
            if (!w->inner[i] && !w->inner[p->column[e]] &&
                !LV_PUSH(*list,
                         ((lv_entry_place){w->within[i], w->within[p->column[e]]})))
                return false;
    for (int k = 0; k < w->set_count; k++)
        for (int r = 0; r < w->sets[k].rows; r++)
            for (int c = 0; c < w->sets[k].columns; c++)
                if (!LV_PUSH(*list,
                             ((lv_entry_place){w->sets[k].row[r], w->sets[k].column[c]})))
                    return false;
    return true;
}

/* Where an entry of the matrix is stored. `next` counts the entries of D; those behind
 * the values of the sets are laid out as S is. */
static int place_entry(const nested *w, int i, int j, const int **next)
{
    if (!w->inner[i] && !w->inner[j])
        return w->value_count + lv_linear_slots(w->rest)[*(*next)++];
    const set *s = &w->sets[w->set_of[w->inner[i] ? i : j]];
    if (w->inner[i] && w->inner[j])
        return s->first + w->within[i] * s->size + w->within[j];
    if (w->inner[i])
        return s->push + w->within[i] * s->width +
               find_line(s->column, s->columns, w->within[j]);
    return s->pull + find_line(s->row, s->rows, w->within[i]) * s->size + w->within[j];
}

static const int *place_products(const nested *w, set *s, const int *entry)
{
    const int *slots = s->rows * s->columns > 0 ? lv_linear_slots(w->rest) : NULL;
    s->straight = true;
    for (int r = 0; r < s->rows; r++)
        for (int c = 0; c < s->columns; c++) {
            int *at = &s->slots[r * s->columns + c];
            *at = slots[*entry++];
            s->straight = s->straight && (c == 0 || at[0] == at[-1] + 1);
        }
    return entry;
}

static void place_all(nested *w, lv_linear *linear, const int *entry)
{
    const lv_pattern *p = &linear->pattern;
    for (int k = 0; k < w->outer_count; k++)
        w->diagonal[k] = -1;
    for (int i = 0; i < p->rows; i++)
        for (int e = p->start[i]; e < p->start[i + 1]; e++) {
            linear->slot[e] = place_entry(w, i, p->column[e], &entry);
            if (p->column[e] == i && !w->inner[i])
                w->diagonal[w->within[i]] = linear->slot[e] - w->value_count;
        }
    for (int k = 0; k < w->set_count; k++)
        entry = place_products(w, &w->sets[k], entry);
}

static lv_status make_rest(nested *w, lv_linear *linear, lv_error *err)
{
    lv_entry_list list = {0};
    const bool ok = list_rest(w, &linear->pattern, &list);
    int *entry = ok ? lv_memory_zeroed((size_t)list.count + 1, sizeof *entry) : NULL;
    lv_status status =
        entry ? lv_pattern_build(&w->pattern, entry, &linear->arena, list.data,
                                 list.count, w->outer_count, w->outer_count, err)
              : lv_fail_memory(err);
    if (status == LV_OK && w->outer_count > 0)
        status = lv_linear_create(&w->rest, &w->pattern, LV_BACK_END_AUTO, NULL, err);
    if (status == LV_OK)
        place_all(w, linear, entry);
    lv_memory_free(entry);
    LV_ARRAY_FREE(list);
    return status;
}

static lv_status take_room(nested *w, lv_linear *linear, lv_error *err)
{
    lv_arena *arena = &linear->arena;
    linear->stored = (size_t)w->value_count + (w->rest ? w->rest->stored : 0);
    linear->storage = lv_arena_alloc(arena, linear->stored + 1, sizeof(double));
    w->values = lv_arena_alloc(arena, (size_t)w->value_count + 1, sizeof *w->values);
    return linear->storage && w->values ? LV_OK : lv_fail_memory(err);
}

static void count_work(nested *w)
{
    w->work = w->rest ? lv_linear_count_work(w->rest) : (lv_linear_work){0, 0};
    for (int k = 0; k < w->set_count; k++) {
        const double size = w->sets[k].size, rows = w->sets[k].rows,
                     columns = w->sets[k].columns;
        w->work.factor += size * (size * size / 3 + size * columns + rows * columns);
        w->work.solve += size * (size + rows + columns);
    }
}

static lv_status complete(nested *w, lv_linear *linear, lv_error *err)
{
    const size_t count = (size_t)w->outer_count + 1;
    w->diagonal = lv_arena_alloc(&linear->arena, count, sizeof *w->diagonal);
    w->left_out = lv_arena_alloc(&linear->arena, count, sizeof *w->left_out);
    w->gone = lv_arena_alloc(&linear->arena, count, sizeof *w->gone);
    w->x = lv_arena_alloc(&linear->arena, count, sizeof *w->x);
    if (!w->diagonal || !w->left_out || !w->gone || !w->x)
        return lv_fail_memory(err);
    LV_TRY(make_rest(w, linear, err));
    count_work(w);
    return take_room(w, linear, err);
}

lv_status lv_nested_create(lv_linear *linear, const bool *inner, bool *good,
                           lv_error *err)
{
    nested *w = lv_arena_alloc(&linear->arena, 1, sizeof *w);
    *good = false;
    if (!w)
        return lv_fail_memory(err);
    w->inner = inner;
    if (!find_sets(w, linear))
        return lv_fail_memory(err);
    if (are_small(w) && !find_neighbours(w, linear, good))
        return lv_fail_memory(err);
    if (!*good)
        return LV_OK;
    linear->factors = w;
    linear->methods = &lv_linear_nested;
    return complete(w, linear, err);
}

static void release(lv_linear *linear)
{
    const nested *w = linear->factors;
    lv_linear_free(w->rest);
}

lv_linear *lv_nested_rest(const lv_linear *linear)
{
    const nested *w = linear->factors;
    return w->rest;
}

/* ---- factors ----------------------------------------------------------------------- */

/* Loops over the lines of a set are unrolled for the sizes that bodies have: one to three
 * velocities of a plain coordinate, or of a rotation; six products of axes,
 * at one or at two points. */
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

/* B becomes N^-1 B, a piece of its columns at a time. */
LV_INLINE void solve_columns(const set *s, double *values, int n)
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
LV_INLINE void subtract_products(const set *s, const double *values, double *rest, int n)
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
LV_INLINE void note_pivots(lv_linear *linear, const set *s, const double *lu, int n)
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
LV_INLINE void eliminate_set(lv_linear *linear, const nested *w, const set *s,
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

static void eliminate_narrow(lv_linear *linear, const nested *w, const set *s,
                             double *rest)
{
    eliminate_set(linear, w, s, rest);
}

LV_WIDE static void eliminate_wide(lv_linear *linear, const nested *w, const set *s,
                                   double *rest)
{
    eliminate_set(linear, w, s, rest);
}

/* Returns false if a set is singular. */
static bool eliminate(lv_linear *linear, const nested *w)
{
    double *rest = w->rest ? w->rest->storage : NULL;
    const bool wide = lv_is_wide();
    for (int k = 0; k < w->set_count; k++) {
        const set *s = &w->sets[k];
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
    const double *before = linear->storage + w->value_count, *after = w->rest->storage;
    const int at = w->diagonal[k];
    return at >= 0 && fabs(after[at]) < fabs(before[at]) ? fabs(after[at] / before[at])
                                                         : 1;
}

/* The outer line of which the least is left. */
typedef struct least {
    double left;
    int line;
} least;

/* Where little is left outer lines nearly depend on inner ones. Where it is rounding
 * errors they do depend on them, and are left out of S. */
static least judge_outer(const lv_linear *linear, nested *w)
{
    const double coarse = 1e-5;
    least found = {1, -1};
    w->dependent = 0;
    w->rest->cancelled = false;
    for (int k = 0; k < w->outer_count; k++) {
        const double left = w->left_out[k] ? 1 : part_left(linear, w, k);
        const bool gone = left < LV_LINEAR_DEPENDENT;
        w->gone[k] = w->left_out[k] || gone;
        w->dependent += gone;
        w->rest->cancelled |= left < coarse && !gone;
        if (left < found.left)
            found = (least){left, k};
    }
    return found;
}

/* Notes the smallest pivot of S relative to D: no smaller than this if the least is left
 * of its line. */
static void note_rest(lv_linear *linear, const nested *w, least found)
{
    const lv_linear *rest = w->rest;
    if (!(rest->worst * found.left < linear->worst))
        return;
    const int line = found.left < rest->worst ? found.line : rest->worst_unknown;
    linear->worst = rest->worst * found.left;
    linear->worst_unknown = line < 0 ? -1 : w->outer[line];
}

/* The dependent equations that S found among its lines. */
static int count_found(const lv_linear *rest)
{
    return rest->by_rest && rest->redundant > 0 ? rest->redundant - rest->left
                                                : rest->redundant;
}

/* Factors S, which judges dependent equations itself. */
static bool factor_rest(lv_linear *linear, nested *w)
{
    const least found = judge_outer(linear, w);
    lv_linear_leave_out(w->rest, linear->left + w->dependent > 0 ? w->gone : NULL);
    const bool regular = lv_linear_factor(w->rest);
    const int more = w->dependent + count_found(w->rest);
    linear->redundant = more > 0 ? linear->left + more : 0;
    note_rest(linear, w, found);
    return regular;
}

static bool factor(lv_linear *linear)
{
    nested *w = linear->factors;
    const size_t own = (size_t)w->value_count;
    memcpy(w->values, linear->storage, own * sizeof *w->values);
    if (w->rest)
        memcpy(w->rest->storage, linear->storage + own,
               w->rest->stored * sizeof *w->values);
    if (!eliminate(linear, w))
        return false;
    return linear->worst > LV_LINEAR_SINGULAR && (!w->rest || factor_rest(linear, w));
}

static void leave_out(lv_linear *linear)
{
    const nested *w = linear->factors;
    for (int k = 0; k < w->set_count; k++) {
        const set *s = &w->sets[k];
        for (int i = 0; i < s->size; i++)
            if (linear->left_out[s->lines[i]])
                linear->storage[s->first + i * (s->size + 1)] = 1;
    }
    for (int k = 0; k < w->outer_count; k++)
        w->left_out[k] = linear->left_out[w->outer[k]];
}

/* ---- solutions --------------------------------------------------------------------- */

/* x = N^-1 x in the set, outer -= C x */
LV_INLINE void solve_inner(const nested *w, const set *s, double *x, int n)
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
LV_INLINE void subtract_outer(const nested *w, const set *s, double *x, int n)
{
    const double *push = w->values + s->push;
    double by[JOINED_MOST];
    for (int c = 0; c < s->columns; c++)
        by[c] = w->x[s->column[c]];
    for (int i = 0; i < n; i++, push += s->width)
        x[s->lines[i]] -= dot(push, by, s->columns);
}

static void solve(const lv_linear *linear, double *x)
{
    const nested *w = linear->factors;
    for (int k = 0; k < w->outer_count; k++)
        w->x[k] = x[w->outer[k]];
    for (int k = 0; k < w->set_count; k++) {
        const set *s = &w->sets[k];
#define CALL(size) solve_inner(w, s, x, size)
        FOR_SIZE(CALL, s->size)
#undef CALL
    }
    if (!w->rest)
        return;
    lv_linear_solve(w->rest, w->x);
    for (int k = 0; k < w->set_count; k++) {
        const set *s = &w->sets[k];
#define CALL(size) subtract_outer(w, s, x, size)
        FOR_SIZE(CALL, s->size)
#undef CALL
    }
    for (int k = 0; k < w->outer_count; k++)
        x[w->outer[k]] = w->x[k];
}

/* ---- what callers ask -------------------------------------------------------------- */

lv_status lv_nested_expect_left_out(lv_linear *linear, const bool *lines, lv_error *err)
{
    const nested *w = linear->factors;
    for (int k = 0; k < w->outer_count; k++)
        w->gone[k] = lines[w->outer[k]];
    return w->rest ? lv_linear_expect_left_out(w->rest, w->gone, err) : LV_OK;
}

lv_linear_work lv_nested_count_work(const lv_linear *linear)
{
    const nested *w = linear->factors;
    return w->work;
}

const lv_linear_methods lv_linear_nested = {
    LV_BACK_END_NESTED, NULL, factor, solve, release, leave_out};
