#include "system/dependence.h"

#include "base/memory.h"
#include "num/least_norm.h"
#include "system/sparse.h"

#include <math.h>
#include <string.h>

struct lv_dependence {
    int rows, columns; /* at most */
    int count;
    lv_least_norm least;
    double *memory; /* NULL: too large */
    double *norm;   /* largest entry of each row */
    double *weights;
    double *scratch; /* columns */
};

/* Larger ones are not looked at. */
enum { MOST = 600, WIDEST = 12000 };

/* Not zeroed: what is never used is never touched. */
static bool take_room(lv_dependence *d)
{
    const size_t rows = (size_t)d->rows, columns = (size_t)d->columns;
    const size_t numbers =
        rows * columns + 2 * rows + columns + lv_least_norm_work(d->rows, d->columns);
    d->memory = lv_memory_resize(NULL, (numbers + 1) * sizeof *d->memory);
    d->least.row_order = lv_memory_resize(NULL, (rows + 1) * sizeof(int));
    if (!d->memory || !d->least.row_order)
        return false;
    d->norm = d->memory + rows * columns;
    d->weights = d->norm + rows;
    d->scratch = d->weights + rows;
    d->least.a = d->memory;
    d->least.work = d->scratch + columns;
    return true;
}

lv_status lv_dependence_create(lv_dependence **result, int rows, int columns,
                               lv_error *err)
{
    lv_dependence *d = *result = lv_memory_zeroed(1, sizeof *d);
    if (!d)
        return lv_fail_memory(err);
    d->rows = rows;
    d->columns = columns;
    if (rows > MOST || columns > WIDEST || take_room(d))
        return LV_OK;
    lv_dependence_free(d);
    *result = NULL;
    return lv_fail_memory(err);
}

void lv_dependence_free(lv_dependence *d)
{
    if (!d)
        return;
    lv_memory_free(d->memory);
    lv_memory_free(d->least.row_order);
    lv_memory_free(d);
}

int lv_dependence_look(lv_dependence *d, const lv_pattern *pattern, const double *values,
                       double tolerance)
{
    const size_t width = (size_t)pattern->columns;
    d->count = 0;
    if (!d->memory)
        return -1;
    d->least.rows = pattern->rows;
    d->least.columns = pattern->columns;
    memset(d->memory, 0, (size_t)pattern->rows * width * sizeof *d->memory);
    for (int r = 0; r < pattern->rows; r++) {
        d->norm[r] = 0;
        for (int e = pattern->start[r]; e < pattern->start[r + 1]; e++) {
            if (!isfinite(values[e]))
                return -1;
            d->memory[(size_t)r * width + (size_t)pattern->column[e]] = values[e];
            d->norm[r] = fmax(d->norm[r], fabs(values[e]));
        }
    }
    lv_least_norm_factor(&d->least, tolerance);
    d->count = pattern->rows - d->least.rank;
    return d->count;
}

int lv_dependence_count(const lv_dependence *d)
{
    return d->count;
}

int lv_dependence_row(const lv_dependence *d, int k)
{
    return d->least.row_order[d->least.rank + k];
}

bool lv_dependence_vanishes(const lv_dependence *d, int k)
{
    return d->norm[lv_dependence_row(d, k)] == 0;
}

const double *lv_dependence_weights(lv_dependence *d, int k)
{
    const lv_least_norm *f = &d->least;
    memset(d->weights, 0, (size_t)f->rows * sizeof *d->weights);
    lv_least_norm_combination(f, f->rank + k, d->scratch);
    for (int i = 0; i < f->rank; i++)
        d->weights[f->row_order[i]] = -d->scratch[i];
    d->weights[lv_dependence_row(d, k)] = 1;
    return d->weights;
}

void lv_dependence_least_norm(lv_dependence *d, const lv_pattern *pattern,
                              const double *values, double *y)
{
    /* The part of y in the span of G's columns: G x for the x that comes closest. */
    lv_least_norm_solve(&d->least, d->scratch, y);
    memset(y, 0, (size_t)pattern->rows * sizeof *y);
    lv_sparse_multiply(pattern, values, 1, d->scratch, y);
}
