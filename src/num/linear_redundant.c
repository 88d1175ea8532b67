/* Systems with dependent equations: the scaled matrix is factored as a dense one for
 * solutions of least norm. The norm is that of the unscaled unknowns: the components of
 * the solution along vectors that the matrix maps to zero are removed. */
#include "base/memory.h"
#include "num/extent.h"
#include "num/least_norm.h"
#include "num/linear_private.h"

#include <math.h>
#include <string.h>

typedef struct lv_redundancy {
    lv_least_norm least;
    double *memory; /* a, kernel, solution, work */
    double *kernel; /* orthonormal rows that span the null space of the matrix */
    double *solution;
} lv_redundancy;

/* Relative remainder below which a row counts as dependent on others. */
static const double dependent = 1e-10;

/* Allocates without zeroing, so that pages that are never used are never touched. */
static void *take(size_t count, size_t size)
{
    return lv_memory_resize(NULL, (count + 1) * size);
}

bool lv_redundancy_reserve(lv_linear *linear)
{
    const int n = linear->n;
    const size_t size = (size_t)n, square = size * size;
    if (linear->deficient)
        return true;
    lv_redundancy *r = lv_memory_zeroed(1, sizeof *r);
    if (!r)
        return false;
    linear->deficient = r;
    r->memory = take(2 * square + size + lv_least_norm_work(n, n), sizeof *r->memory);
    int *order = take(size, sizeof *order);
    r->least = (lv_least_norm){.rows = n, .columns = n, .row_order = order};
    if (!r->memory || !order) {
        lv_redundancy_free(linear);
        return false;
    }
    r->least.a = r->memory;
    r->kernel = r->memory + square;
    r->solution = r->kernel + square;
    r->least.work = r->solution + size;
    return true;
}

static bool copy_dense(const lv_linear *linear, double *a)
{
    const lv_pattern *p = &linear->pattern;
    const size_t n = (size_t)linear->n;
    memset(a, 0, n * n * sizeof *a);
    for (int i = 0; i < linear->n; i++)
        for (int e = p->start[i]; e < p->start[i + 1]; e++) {
            const double value = linear->storage[linear->slot[e]];
            if (!isfinite(value))
                return false;
            a[(size_t)i * n + (size_t)p->column[e]] = value;
        }
    return true;
}

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Removes the components of x along these orthonormal rows. */
static void shorten(double *x, const double *rows, int count, int n)
{
    for (int k = 0; k < count; k++, rows += n) {
        const double part = dot(x, rows, n);
        for (int i = 0; i < n; i++)
            x[i] -= part * rows[i];
    }
}

static void divide(double *x, double by, int n)
{
    for (int i = 0; i < n; i++)
        x[i] /= by;
}

/* Finds an orthonormal basis of the null space, in unscaled unknowns. */
static void find_kernel(lv_linear *linear)
{
    const lv_redundancy *r = linear->deficient;
    const int n = linear->n;
    for (int k = 0; k < linear->redundant; k++) {
        double *row = r->kernel + (size_t)k * (size_t)n;
        lv_least_norm_kernel(&r->least, k, row);
        for (int i = 0; i < n; i++) /* rounding must not be scaled up */
            row[i] = fabs(row[i]) > dependent ? row[i] * linear->column[i] : 0;
        divide(row, lv_extent(row, n), n);
        for (int pass = 0; pass < 2; pass++)
            shorten(row, r->kernel, k, n);
        divide(row, sqrt(dot(row, row, n)), n);
    }
}

bool lv_redundancy_factor(lv_linear *linear)
{
    lv_redundancy *r = linear->deficient;
    if (!r || !copy_dense(linear, r->least.a))
        return false;
    lv_least_norm_factor(&r->least, dependent);
    linear->redundant = linear->n - r->least.rank;
    find_kernel(linear);
    return linear->redundant > 0;
}

void lv_redundancy_solve(const lv_linear *linear, double *x)
{
    const lv_redundancy *r = linear->deficient;
    lv_least_norm_solve(&r->least, r->solution, x);
    for (int i = 0; i < linear->n; i++)
        x[i] = r->solution[i] * linear->column[i];
    shorten(x, r->kernel, linear->redundant, linear->n);
}

void lv_redundancy_free(lv_linear *linear)
{
    lv_redundancy *r = linear->deficient;
    if (!r)
        return;
    lv_memory_free(r->memory);
    lv_memory_free(r->least.row_order);
    lv_memory_free(r);
    linear->deficient = NULL;
}
