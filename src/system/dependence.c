#include "system/dependence.h"

#include "base/arena.h"
#include "base/disjoint.h"
#include "base/memory.h"
#include "num/extent.h"
#include "num/least_norm.h"
#include "num/row_rank.h"
#include "system/sparse.h"

#include <math.h>
#include <string.h>

/* Rows that depend on each other, as a dense matrix. */
typedef struct set {
    lv_least_norm least;
    const int *rows;    /* which */
    const int *columns; /* that they have entries in */
} set;

/* A dependent row: where it is among the rows of its set. */
typedef struct dependent {
    int set, at;
} dependent;

struct lv_dependence {
    lv_arena arena;
    int rows, columns, entries; /* at most */
    lv_row_rank *rank;          /* NULL: too closely knit */
    bool by_rank;               /* the last look was a clear case: `rank` has all of it */
    double gap; /* of these gradients, the factors of `rank`; 0: of none */
    int seen_rows;
    double *seen;
    int looks;
    bool too_many;
    int count, sets;
    set *set;
    dependent *dependent;
    int *row, *column, *order; /* of the sets, one after the other */
    int *parent, *size;        /* by row: sets that are being joined */
    int *place;                /* by column: where it is in the set at work */
    double *weights;           /* rows */
    double *scratch;           /* rows or columns, whichever is more, */
    double *part;              /* twice */
    double *rest, *direction;  /* rows: of a least-norm solution */
    bool *suspect;             /* rows that take part */
    bool *lines;               /* of a matrix, to be left out */
    double *numbers;           /* of the sets */
    size_t room;
};

/* Up to here all rows are one set. */
enum { FEW = 32 };

/* Larger sets are not looked at, nor are sets with more numbers in all. */
enum { MOST = LV_DEPENDENCE_MOST, WIDEST = 12000 };
static const size_t most_numbers = (size_t)1 << 23;

/* ---- creation ----------------------------------------------------------------------------------- */

static size_t numbers_of(int rows, int columns)
{
    return (size_t)rows * (size_t)columns + lv_least_norm_work(rows, columns);
}

/* Are rows that depend on each other found first? Few rows are one set. */
static bool falls_apart(const lv_dependence *d)
{
    return d->rank && d->rows > FEW;
}

/* Not zeroed: what is never used is never touched. */
static bool take_numbers(lv_dependence *d)
{
    const size_t one = numbers_of(d->rows, d->columns);
    const bool apart = falls_apart(d);
    d->room = !apart && (d->rows > MOST || d->columns > WIDEST) ? 0
              : apart && one > most_numbers                     ? most_numbers
                                                                : one;
    d->numbers = lv_memory_resize(NULL, (d->room + 1) * sizeof *d->numbers);
    return d->numbers != NULL;
}

static bool take_room(lv_dependence *d)
{
    const size_t rows = (size_t)d->rows + 1, columns = (size_t)d->columns + 1;
    const size_t more = rows > columns ? rows : columns;
    int **const integers[] = {&d->row,    &d->column, &d->order,
                              &d->parent, &d->size,   &d->place};
    const size_t counts[] = {rows,   (size_t)d->entries + columns, rows, rows, rows,
                             columns};
    double **const numbers[] = {&d->weights, &d->scratch,   &d->part,
                                &d->rest,    &d->direction, &d->seen};
    const size_t sizes[] = {rows, more, more, rows, rows, (size_t)d->entries + 1};
    bool all = true;
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        *integers[k] = lv_arena_alloc(&d->arena, counts[k], sizeof(int));
        all &= *integers[k] != NULL;
    }
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        *numbers[k] = lv_arena_alloc(&d->arena, sizes[k], sizeof(double));
        all &= *numbers[k] != NULL;
    }
    d->set = lv_arena_alloc(&d->arena, rows, sizeof *d->set);
    d->dependent = lv_arena_alloc(&d->arena, rows, sizeof *d->dependent);
    d->suspect = lv_arena_alloc(&d->arena, rows, sizeof *d->suspect);
    d->lines = lv_arena_alloc(&d->arena, rows + columns, sizeof *d->lines);
    return all && d->set && d->dependent && d->suspect && d->lines && take_numbers(d);
}

lv_status lv_dependence_create(lv_dependence **result, const lv_pattern *pattern,
                               lv_error *err)
{
    lv_dependence *d = *result = lv_memory_zeroed(1, sizeof *d);
    if (!d)
        return lv_fail_memory(err);
    d->rows = pattern->rows;
    d->columns = pattern->columns;
    d->entries = pattern->start[pattern->rows];
    lv_status status = lv_row_rank_create(&d->rank, pattern, err);
    if (status == LV_OK && !take_room(d))
        status = lv_fail_memory(err);
    if (status != LV_OK) {
        lv_dependence_free(d);
        *result = NULL;
    }
    return status;
}

void lv_dependence_free(lv_dependence *d)
{
    if (!d)
        return;
    lv_row_rank_free(d->rank);
    lv_memory_free(d->numbers);
    lv_arena_done(&d->arena);
    lv_memory_free(d);
}

/* ---- sets of rows --------------------------------------------------------------------------------- */

/* Everything is one set. */
static void join_all(lv_dependence *d, const lv_pattern *p)
{
    d->sets = 1;
    d->set[0] = (set){.least = {.rows = p->rows, .columns = p->columns},
                      .rows = d->row,
                      .columns = d->column};
    for (int r = 0; r < p->rows; r++)
        d->row[r] = r;
    for (int c = 0; c < p->columns; c++)
        d->column[c] = c;
}

/* Rows of which little is left, but not nothing. What is left of them is written with an orthonormal basis, in which
 * each of them has one vector more than those before it. */
typedef struct loose {
    int count;
    int *which; /* as num/row_rank.h counts them */
    double *basis;
    size_t width, stride; /* of a vector; with the components of its row behind it */
} loose;

static double *vector_of(const loose *l, int i)
{
    return l->basis + (size_t)i * l->stride;
}

/* What is left of a row, off the span of what is left of the loose ones; its components are then behind those. */
static double off_loose(const loose *l, const double *rest)
{
    double *own = vector_of(l, l->count), *along = own + l->width, square = 0;
    memcpy(own, rest, l->width * sizeof *own);
    memset(along, 0, (size_t)l->count * sizeof *along);
    for (int i = 0; i < 2 * l->count; i++) { /* twice: the second time for rounding */
        const double *other = vector_of(l, i % l->count);
        double part = 0;
        for (size_t c = 0; c < l->width; c++)
            part += own[c] * other[c];
        for (size_t c = 0; c < l->width; c++)
            own[c] -= part * other[c];
        along[i % l->count] += part;
    }
    for (size_t c = 0; c < l->width; c++)
        square += own[c] * own[c];
    return sqrt(square);
}

static void add_loose(loose *l, int k, double left)
{
    double *own = vector_of(l, l->count);
    for (size_t c = 0; c < l->width; c++)
        own[c] /= left;
    own[l->width + (size_t)l->count] = left;
    l->which[l->count++] = k;
}

/* weights += share times what row k is a combination of, and itself. */
static void add_weights(lv_dependence *d, const lv_pattern *p, int k,
                        const double *weight, double share)
{
    for (int r = 0; r < p->rows; r++)
        d->weights[r] += share * weight[r];
    d->weights[lv_row_rank_row(d->rank, k)] -= share;
}

/* Row k is a combination of others, and of the loose ones that what is left of it is made of. */
static void find_weights(lv_dependence *d, const lv_pattern *p, const loose *l, int k,
                         const double *weight, bool loosely)
{
    double left;
    memset(d->weights, 0, (size_t)d->rows * sizeof *d->weights);
    add_weights(d, p, k, weight, 1);
    if (!loosely)
        return;
    double *along = vector_of(l, l->count) + l->width;
    for (int i = l->count - 1; i >= 0; i--) {
        const double *other = vector_of(l, i) + l->width;
        const double share = along[i] / other[i];
        for (int j = 0; j < i; j++)
            along[j] -= share * other[j];
        weight = lv_row_rank_combination(d->rank, l->which[i], &left);
        add_weights(d, p, l->which[i], weight, -share);
    }
}

/* Rows that take part belong to one set; weights below a part of the tolerance are rounding. */
static void join_set(lv_dependence *d, const lv_pattern *p, int row, double tolerance)
{
    d->suspect[row] = true;
    for (int r = 0; r < p->rows; r++)
        if (!(fabs(d->weights[r]) <= 0.01 * tolerance)) {
            d->suspect[r] = true;
            lv_disjoint_join(d->parent, row, r);
        }
}

/* Sets of rows that may depend on each other, found with a coarse tolerance. false: something is not finite, or there
 * is no room. */
static bool join_dependent(lv_dependence *d, const lv_pattern *p, const double *values,
                           double tolerance)
{
    const double coarse = fmin(0.3, fmax(0.03, 10 * tolerance)), limit = 10 * tolerance;
    d->gap = 0;
    const int count = lv_row_rank_find(d->rank, p, values, coarse);
    const size_t width = (size_t)d->columns, stride = width + (size_t)d->rows;
    loose l = {0, d->order, d->numbers, width, stride}; /* memory not yet in use */
    for (int r = 0; r < p->rows; r++) {
        d->parent[r] = r;
        d->suspect[r] = false;
        d->size[r] = 0;
    }
    for (int k = 0; k < count; k++) {
        double left;
        const double *weight = lv_row_rank_combination(d->rank, k, &left);
        const bool loosely = left > limit;
        d->too_many = loosely && (size_t)(l.count + 1) * l.stride > d->room;
        if (d->too_many)
            return false;
        if (loosely)
            left = off_loose(&l, lv_row_rank_rest(d->rank));
        if (left > limit) {
            add_loose(&l, k, left);
        } else {
            find_weights(d, p, &l, k, weight, loosely);
            join_set(d, p, lv_row_rank_row(d->rank, k), tolerance);
        }
    }
    return count >= 0;
}

/* The columns of the rows of a set, in the order in which they are met. */
static int list_columns(lv_dependence *d, const lv_pattern *p, const set *s, int *column)
{
    int count = 0;
    for (int i = 0; i < s->least.rows; i++)
        for (int e = p->start[s->rows[i]]; e < p->start[s->rows[i] + 1]; e++)
            d->place[p->column[e]] = -1;
    for (int i = 0; i < s->least.rows; i++)
        for (int e = p->start[s->rows[i]]; e < p->start[s->rows[i] + 1]; e++) {
            const int c = p->column[e];
            if (d->place[c] < 0) {
                d->place[c] = count;
                column[count++] = c;
            }
        }
    return count;
}

/* The sets, in the order of their smallest rows, by which they are known while they are joined. */
static void list_sets(lv_dependence *d, const lv_pattern *p)
{
    int rows = 0, columns = 0, *which = d->order; /* not yet in use */
    for (int r = 0; r < p->rows; r++)
        if (d->suspect[r])
            d->size[lv_disjoint_find(d->parent, r)]++;
    for (int r = 0; r < p->rows; r++) {
        if (!d->suspect[r])
            continue;
        const int first = lv_disjoint_find(d->parent, r);
        if (first == r) {
            which[r] = d->sets++;
            d->set[which[r]] = (set){.rows = d->row + rows};
            rows += d->size[r];
        }
        set *s = &d->set[which[first]];
        d->row[(s->rows - d->row) + s->least.rows++] = r;
    }
    for (int k = 0; k < d->sets; k++) {
        set *s = &d->set[k];
        s->columns = d->column + columns;
        s->least.columns = list_columns(d, p, s, d->column + columns);
        columns += s->least.columns;
    }
}

/* ---- judging ---------------------------------------------------------------------------------------- */

static void fill_set(lv_dependence *d, const set *s, const lv_pattern *p,
                     const double *values)
{
    const size_t width = (size_t)s->least.columns;
    memset(s->least.a, 0, (size_t)s->least.rows * width * sizeof *s->least.a);
    for (int t = 0; t < s->least.columns; t++)
        d->place[s->columns[t]] = t;
    for (int i = 0; i < s->least.rows; i++) {
        const int r = s->rows[i];
        for (int e = p->start[r]; e < p->start[r + 1]; e++)
            s->least.a[(size_t)i * width + (size_t)d->place[p->column[e]]] = values[e];
    }
}

/* Factors all sets; false if they are too large. */
static bool judge(lv_dependence *d, const lv_pattern *p, const double *values,
                  double tolerance)
{
    size_t used = 0;
    for (int k = 0; k < d->sets; k++) {
        set *s = &d->set[k];
        const int rows = s->least.rows, columns = s->least.columns;
        const size_t needed = numbers_of(rows, columns);
        if (rows > MOST || columns > WIDEST || used + needed > d->room)
            return false;
        s->least.a = d->numbers + used;
        s->least.work = s->least.a + (size_t)rows * (size_t)columns;
        s->least.row_order = d->order + (s->rows - d->row);
        used += needed;
        fill_set(d, s, p, values);
        lv_least_norm_factor(&s->least, tolerance);
        for (int i = s->least.rank; i < rows; i++)
            d->dependent[d->count++] = (dependent){k, i};
    }
    return true;
}

/* ---- clear cases ------------------------------------------------------------------------------------ */

/* Factors the gradients, unless that was done last; false if something is not finite. */
static bool factor_gradients(lv_dependence *d, const lv_pattern *p, const double *values,
                             double gap)
{
    const size_t size = (size_t)lv_pattern_entries(p) * sizeof *values;
    if (d->gap == gap && d->seen_rows == p->rows && memcmp(d->seen, values, size) == 0)
        return true;
    d->gap = 0;
    if (lv_row_rank_find(d->rank, p, values, gap) < 0)
        return false;
    memcpy(d->seen, values, size);
    d->seen_rows = p->rows;
    d->gap = gap;
    return true;
}

/* Nothing but the tolerance is left of some rows, and much of all others, in the order in which rows are factored: no
 * set has to be judged. Rows of very different sizes are none: which of them are better left out matters. */
static bool is_clear(lv_dependence *d, const lv_pattern *p, const double *values,
                     double tolerance, double like)
{
    const double least = 1e-4;
    if (!d->rank || !factor_gradients(d, p, values, fmax(least, 10 * tolerance)))
        return false;
    const lv_row_gap gap = lv_row_rank_gap(d->rank);
    return gap.dropped <= tolerance &&
           (lv_row_rank_count(d->rank) == 0 || gap.largest <= like * gap.smallest);
}

/* ---- looking ---------------------------------------------------------------------------------------- */

static int look_at_sets(lv_dependence *d, const lv_pattern *pattern, const double *values,
                        double tolerance)
{
    d->too_many = d->room == 0;
    if (d->too_many)
        return -1;
    if (!falls_apart(d))
        join_all(d, pattern);
    else if (join_dependent(d, pattern, values, tolerance))
        list_sets(d, pattern);
    else
        return -1;
    if (judge(d, pattern, values, tolerance))
        return d->count;
    d->too_many = true;
    d->count = d->sets = 0;
    return -1;
}

int lv_dependence_look(lv_dependence *d, const lv_pattern *pattern, const double *values,
                       double tolerance)
{
    const double alike = 1e4; /* sizes of rows up to this ratio */
    d->looks++;
    d->count = d->sets = 0;
    d->too_many = d->by_rank = false;
    if (pattern->rows > d->rows || pattern->columns > d->columns ||
        !isfinite(lv_extent(values, lv_pattern_entries(pattern))))
        return -1;
    d->by_rank = is_clear(d, pattern, values, tolerance, alike);
    if (!d->by_rank) {
        const int count = look_at_sets(d, pattern, values, tolerance);
        d->by_rank = d->too_many && is_clear(d, pattern, values, tolerance, HUGE_VAL);
        if (!d->by_rank)
            return count;
        d->too_many = false;
    }
    d->count = lv_row_rank_count(d->rank);
    return d->count;
}

/* ---- what came of it -------------------------------------------------------------------------------- */

bool lv_dependence_too_many(const lv_dependence *d)
{
    return d->too_many;
}

int lv_dependence_looks(const lv_dependence *d)
{
    return d->looks;
}

int lv_dependence_count(const lv_dependence *d)
{
    return d->count;
}

int lv_dependence_row(const lv_dependence *d, int k)
{
    if (d->by_rank)
        return lv_row_rank_row(d->rank, k);
    const set *s = &d->set[d->dependent[k].set];
    return s->rows[s->least.row_order[d->dependent[k].at]];
}

static const double *weights_by_rank(lv_dependence *d, int k)
{
    double left;
    const int row = lv_row_rank_row(d->rank, k);
    const double *part = lv_row_rank_combination(d->rank, k, &left);
    for (int r = 0; r < d->rows; r++)
        d->weights[r] = part[r] == 0 ? 0
                                     : -part[r] * lv_row_rank_norm(d->rank, row) /
                                           lv_row_rank_norm(d->rank, r);
    d->weights[row] = 1;
    return d->weights;
}

const double *lv_dependence_weights(lv_dependence *d, int k)
{
    if (d->by_rank)
        return weights_by_rank(d, k);
    const set *s = &d->set[d->dependent[k].set];
    const lv_least_norm *f = &s->least;
    memset(d->weights, 0, (size_t)d->rows * sizeof *d->weights);
    lv_least_norm_combination(f, d->dependent[k].at, d->scratch);
    for (int i = 0; i < f->rank; i++)
        d->weights[s->rows[f->row_order[i]]] = -d->scratch[i];
    d->weights[lv_dependence_row(d, k)] = 1;
    return d->weights;
}

/* The part of y in the span of G's columns: G x for the x that comes closest. Rows that are in no set keep
 * theirs. */
static void shorten_sets(lv_dependence *d, const lv_pattern *pattern,
                         const double *values, double *y)
{
    for (int k = 0; k < d->sets; k++) {
        const set *s = &d->set[k];
        if (s->least.rank == s->least.rows)
            continue;
        for (int i = 0; i < s->least.rows; i++)
            d->part[i] = y[s->rows[i]];
        lv_least_norm_solve(&s->least, d->scratch, d->part);
        for (int t = 0; t < s->least.columns; t++)
            d->part[s->columns[t]] = d->scratch[t];
        for (int i = 0; i < s->least.rows; i++) {
            const int r = s->rows[i];
            y[r] = 0;
            for (int e = pattern->start[r]; e < pattern->start[r + 1]; e++)
                y[r] += values[e] * d->part[pattern->column[e]];
        }
    }
}

/* What G^T sends to zero are the sums N z: the dependent row k is the sum of c_rk times the others, and
 *   (N z)_r = sum_k c_rk z_k,   (N z)_k = -z_k.
 * (N^T y)_k = t . (row k) - y_k, where the product of t with row r is y_r. Its square. */
static double along_kernel(lv_dependence *d, const lv_pattern *p, const double *values,
                           const double *y)
{
    double square = 0;
    lv_row_rank_meet(d->rank, y, d->scratch);
    for (int k = 0; k < d->count; k++) {
        const int row = lv_row_rank_row(d->rank, k);
        double sum = -y[row];
        for (int e = p->start[row]; e < p->start[row + 1]; e++)
            sum += values[e] * d->scratch[p->column[e]];
        d->rest[k] = sum;
        square += sum * sum;
    }
    return square;
}

/* part = N direction; its square. */
static double expand_kernel(lv_dependence *d, const lv_pattern *p, const double *values)
{
    double square = 0;
    memset(d->scratch, 0, (size_t)d->columns * sizeof *d->scratch);
    for (int k = 0; k < d->count; k++) {
        const int row = lv_row_rank_row(d->rank, k);
        for (int e = p->start[row]; e < p->start[row + 1]; e++)
            d->scratch[p->column[e]] += values[e] * d->direction[k];
    }
    lv_row_rank_write(d->rank, d->scratch, d->part);
    for (int k = 0; k < d->count; k++)
        d->part[lv_row_rank_row(d->rank, k)] = -d->direction[k];
    for (int r = 0; r < p->rows; r++)
        square += d->part[r] * d->part[r];
    return square;
}

/* min |y - N z| by conjugate gradients (CGLS: Bjorck 1996, 7.4.1). N^T N is 1 plus a positive matrix: few passes are
 * enough, one where a single row depends on others, or each on one that is like it. Every pass shortens y, by less and
 * less; where rounding makes that uneven the gradients begin anew. */
static void shorten_by_rank(lv_dependence *d, const lv_pattern *p, const double *values,
                            double *y)
{
    enum { MOST_PASSES = 100 };
    const double rounding = 1e-14;
    double square = along_kernel(d, p, values, y), enough = 0, turn = 0;
    for (int r = 0; r < p->rows; r++)
        enough += y[r] * y[r] * (rounding * rounding);
    memset(d->direction, 0, (size_t)d->count * sizeof *d->direction);
    for (int pass = 0; pass < MOST_PASSES && square > 0; pass++) {
        double slope = 0;
        for (int k = 0; k < d->count; k++) {
            d->direction[k] = d->rest[k] + turn * d->direction[k];
            slope += d->rest[k] * d->direction[k];
        }
        const double length = slope / expand_kernel(d, p, values);
        if (!(slope * length > enough))
            break;
        for (int r = 0; r < p->rows; r++)
            y[r] -= length * d->part[r];
        if (d->count == 1)
            break;
        const double left = along_kernel(d, p, values, y);
        turn = left < square ? left / square : 0;
        square = left;
    }
}

void lv_dependence_least_norm(lv_dependence *d, const lv_pattern *pattern,
                              const double *values, double *y)
{
    if (d->by_rank)
        shorten_by_rank(d, pattern, values, y);
    else
        shorten_sets(d, pattern, values, y);
}

/* Looks, and leaves out what depends on others; true if that is anything. */
static bool leave_out(lv_dependence *d, lv_linear *linear, int first,
                      const lv_pattern *pattern, const double *values)
{
    /* G M^-1 G^T has the squares of what is left of the gradients. */
    const double tolerance = 1e-5;
    if (lv_dependence_look(d, pattern, values, tolerance) <= 0)
        return false;
    memset(d->lines, 0, (size_t)lv_linear_size(linear) * sizeof *d->lines);
    for (int k = 0; k < d->count; k++)
        d->lines[first + lv_dependence_row(d, k)] = true;
    lv_linear_leave_out(linear, d->lines);
    return true;
}

bool lv_dependence_factor(lv_dependence *d, lv_linear *linear, int first,
                          const lv_pattern *pattern, const double *values)
{
    /* Where some were left out the last time they will be again. */
    const bool before = lv_linear_redundant(linear) > 0;
    if (before && leave_out(d, linear, first, pattern, values))
        return lv_linear_factor(linear);
    lv_linear_leave_out(linear, NULL);
    const bool regular = lv_linear_factor(linear);
    if (before || (regular && lv_linear_worst_pivot(linear, NULL) > LV_LINEAR_DEPENDENT))
        return regular;
    return leave_out(d, linear, first, pattern, values) ? lv_linear_factor(linear)
                                                        : regular;
}

void lv_dependence_solve(lv_dependence *d, const lv_linear *linear,
                         const lv_pattern *pattern, const double *values, double *y)
{
    lv_linear_solve(linear, y);
    if (lv_linear_redundant(linear) > 0)
        lv_dependence_least_norm(d, pattern, values, y);
}
