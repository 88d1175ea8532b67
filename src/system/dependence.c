#include "system/dependence_private.h"

#include "base/memory.h"
#include "num/extent.h"
#include "num/sparse.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- creation ---------------------------------------------------------------------- */

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
    return all && d->set && d->dependent && d->suspect && d->lines &&
           lv_dependence_take_numbers(d);
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

/* ---- clear cases ------------------------------------------------------------------- */

/* Factors the gradients, unless the last factors are those; returns false if a value is
 * not finite. */
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

/* The null space of G^T consists of the vectors N z: the dependent row k is the sum of
 * c_rk times the others, and (N z)_r = sum_k c_rk z_k, (N z)_k = -z_k. Then (N^T y)_k = t
 * . (row k) - y_k, where t is the vector whose product with every other row r is y_r.
 * Computes N^T y and returns its square. */
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

/* part = N direction; returns its square. */
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

/* Are the weights that express dependent rows by the others moderate, with all rows
 * scaled alike? Large weights mean that the independent rows are close to being
 * dependent: their errors in a step appear in the dependent rows times the weights, and
 * the rank is lost as the system moves on. The weights are estimated from one sum of all
 * dependent rows with signs like random ones. Where the remainders of the independent
 * rows are large, no estimate is needed. */
static bool has_moderate_weights(lv_dependence *d, const lv_pattern *p,
                                 const double *values)
{
    const double much = 0.3, most = 10;
    double largest = 0;
    if (lv_row_rank_gap(d->rank).kept >= much)
        return true;
    for (int k = 0; k < d->count; k++) {
        const double norm = lv_row_rank_norm(d->rank, lv_row_rank_row(d->rank, k));
        d->direction[k] = norm > 0 ? (sin(1 + 2.4 * k) > 0 ? 1 : -1) / norm : 0;
    }
    (void)expand_kernel(d, p, values);
    for (int r = 0; r < p->rows; r++)
        largest = fmax(largest, fabs(d->part[r]) * lv_row_rank_norm(d->rank, r));
    return largest <= most;
}

/* Is the case clear: some rows have remainders below the tolerance and all others large
 * ones, in the order in which rows are factored? Then no set has to be judged. With
 * `choosy`, rows of very different sizes or large weights make a case unclear: it then
 * matters which rows are left out. */
static bool is_clear(lv_dependence *d, const lv_pattern *p, const double *values,
                     double tolerance, bool choosy)
{
    const double least = 1e-4, alike = 1e4;
    if (!d->rank || !factor_gradients(d, p, values, fmax(least, 10 * tolerance)))
        return false;
    const lv_row_gap gap = lv_row_rank_gap(d->rank);
    d->count = lv_row_rank_count(d->rank);
    const bool clear =
        gap.dropped <= tolerance &&
        (d->count == 0 || !choosy ||
         (gap.largest <= alike * gap.smallest && has_moderate_weights(d, p, values)));
    d->count = clear ? d->count : 0;
    return clear;
}

/* ---- looking ----------------------------------------------------------------------- */

static int look(lv_dependence *d, const lv_pattern *pattern, const double *values,
                double tolerance, bool closely)
{
    d->looks++;
    d->count = d->sets = 0;
    d->too_many = d->by_rank = false;
    if (pattern->rows > d->rows || pattern->columns > d->columns ||
        !isfinite(lv_extent(values, lv_pattern_entries(pattern))))
        return -1;
    d->by_rank =
        is_clear(d, pattern, values, tolerance, true) && !(closely && d->count > 0);
    if (!d->by_rank) {
        d->count = 0;
        const int count = lv_dependence_look_at_sets(d, pattern, values, tolerance);
        d->by_rank = d->too_many && is_clear(d, pattern, values, tolerance, false);
        if (!d->by_rank)
            return count;
        d->too_many = false;
    }
    return d->count;
}

int lv_dependence_look(lv_dependence *d, const lv_pattern *pattern, const double *values,
                       double tolerance)
{
    return look(d, pattern, values, tolerance, false);
}

int lv_dependence_look_closely(lv_dependence *d, const lv_pattern *pattern,
                               const double *values, double tolerance)
{
    return look(d, pattern, values, tolerance, true);
}

/* ---- what came of it --------------------------------------------------------------- */

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
    const lv_row_set *s = &d->set[d->dependent[k].set];
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
    const lv_row_set *s = &d->set[d->dependent[k].set];
    const lv_least_norm *f = &s->least;
    memset(d->weights, 0, (size_t)d->rows * sizeof *d->weights);
    lv_least_norm_combination(f, d->dependent[k].at, d->scratch);
    for (int i = 0; i < f->rank; i++)
        d->weights[s->rows[f->row_order[i]]] = -d->scratch[i];
    d->weights[lv_dependence_row(d, k)] = 1;
    return d->weights;
}

/* Replaces y by its projection onto the span of G's columns: G x for the x that comes
 * closest. Rows that are in no set keep their values. */
static void shorten_sets(lv_dependence *d, const lv_pattern *pattern,
                         const double *values, double *y)
{
    for (int k = 0; k < d->sets; k++) {
        const lv_row_set *s = &d->set[k];
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

/* Minimises |y - N z| by conjugate gradients (CGLS: Bjorck 1996, 7.4.1). N^T N is 1 plus
 * a positive matrix, so that few passes suffice: one if a single row depends on others,
 * or each on one that is like it. Every pass shortens y by less; where rounding makes
 * that irregular the iteration is restarted. */
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

static void without_by_rank(lv_dependence *d, const lv_pattern *p, const double *values,
                            double *y)
{
    bool any = false;
    for (int k = 0; k < d->count; k++) {
        d->direction[k] = y[lv_row_rank_row(d->rank, k)];
        any |= d->direction[k] != 0;
    }
    if (!any)
        return;
    (void)expand_kernel(d, p, values);
    for (int r = 0; r < p->rows; r++)
        y[r] += d->part[r];
}

void lv_dependence_without(lv_dependence *d, const lv_pattern *pattern,
                           const double *values, double *y)
{
    if (d->by_rank) {
        without_by_rank(d, pattern, values, y);
        return;
    }
    for (int k = 0; k < d->count; k++) {
        const double share = y[lv_dependence_row(d, k)];
        const double *weights = lv_dependence_weights(d, k);
        for (int r = 0; r < pattern->rows; r++)
            y[r] -= share * weights[r];
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

/* Examines the gradients and leaves out the lines of dependent ones; returns true if
 * there are any. */
static bool leave_out(lv_dependence *d, lv_linear *linear, int first,
                      const lv_pattern *pattern, const double *values)
{
    /* Pivots of G M^-1 G^T are squares of the remainders of the gradients. */
    const double tolerance = 1e-5;
    assert(lv_linear_size(linear) <= d->rows + d->columns);
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
    /* If lines were left out the last time, they are likely to be again. */
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
