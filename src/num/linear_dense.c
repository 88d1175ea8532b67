/* Dense matrices: our own LU below a measured size, LAPACK's above. */
#include "num/back_end.h"
#include "num/dense.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* Up to here our own LU is not slower (bench_linear), and its bits are the same everywhere. */
enum { OWN_MOST = 64 };

void dgetrf_(const int *rows, const int *columns, double *a, const int *lda, int *pivot,
             int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a,
             const int *lda, const int *pivot, double *b, const int *ldb, int *info);

/* Row-major for our own code, column-major for LAPACK. */
typedef struct dense {
    double *lu;
    double *largest; /* of each column of A */
    int *pivot;
    bool diagonal; /* nothing couples the unknowns */
} dense;

static lv_status create(lv_linear *linear, const int *order, lv_error *err)
{
    (void)order;
    const size_t n = (size_t)linear->n, size = n * n;
    if (size > INT_MAX)
        return lv_fail(err, LV_ERR_LIMIT, "%d unknowns are too many for a dense matrix",
                       linear->n);
    dense *d = lv_arena_alloc(&linear->arena, 1, sizeof *d);
    if (!d)
        return lv_fail_memory(err);
    linear->factors = d;
    linear->stored = size;
    linear->storage = lv_arena_alloc(&linear->arena, size, sizeof(double));
    d->lu = lv_arena_alloc(&linear->arena, size, sizeof(double));
    d->largest = lv_arena_alloc(&linear->arena, n, sizeof(double));
    d->pivot = lv_arena_alloc(&linear->arena, n, sizeof(int));
    if (!linear->storage || !d->lu || !d->largest || !d->pivot)
        return lv_fail_memory(err);

    const bool own = linear->n <= OWN_MOST;
    if (!own)
        lv_blas_single_thread();
    d->diagonal = true;
    for (int i = 0; i < linear->n; i++)
        for (int e = linear->pattern.start[i]; e < linear->pattern.start[i + 1]; e++) {
            const int j = linear->pattern.column[e];
            linear->slot[e] = own ? i * linear->n + j : j * linear->n + i;
            d->diagonal &= i == j;
        }
    return LV_OK;
}

/* Largest entry of each column of A; copies A to lu. */
static void copy_rows(dense *d, const double *restrict a, int n)
{
    double *restrict largest = d->largest, *restrict lu = d->lu;
    for (int j = 0; j < n; j++)
        largest[j] = 0;
    for (int i = 0; i < n; i++, a += n, lu += n)
        for (int j = 0; j < n; j++) {
            const double size = fabs(a[j]);
            lu[j] = a[j];
            largest[j] = size > largest[j] ? size : largest[j];
        }
}

static void copy_columns(dense *d, const double *a, int n)
{
    memcpy(d->lu, a, (size_t)n * (size_t)n * sizeof *a);
    for (int j = 0; j < n; j++, a += n) {
        double largest = 0;
        for (int i = 0; i < n; i++)
            largest = fabs(a[i]) > largest ? fabs(a[i]) : largest;
        d->largest[j] = largest;
    }
}

/* Finds the largest (entry of a column of A) / pivot; `own` stores reciprocals of pivots. */
static void find_worst(lv_linear *linear, const dense *d, bool own)
{
    const int n = linear->n;
    double inverse = 0;
    for (int k = 0; k < n; k++) {
        const double stored = fabs(d->lu[(size_t)k * (size_t)(n + 1)]);
        const double ratio = own ? stored * d->largest[k] : d->largest[k] / stored;
        if (!(ratio <= inverse)) {
            inverse = ratio;
            linear->worst_unknown = k;
            /* What follows a singular pivot means nothing. */
            if (!(inverse < 1 / LV_LINEAR_SINGULAR))
                break;
        }
    }
    linear->worst = inverse <= DBL_MAX ? 1 / inverse : 0;
}

/* Equations with an unknown each: every pivot is the largest entry of its column, unless there
 * is none. */
static bool factor_diagonal(lv_linear *linear, dense *d)
{
    const int n = linear->n;
    linear->worst = 1;
    for (int i = 0; i < n; i++) {
        const double r = 1 / linear->storage[(size_t)i * (size_t)(n + 1)];
        d->lu[(size_t)i * (size_t)(n + 1)] = r;
        if (!(fabs(r) > 0 && fabs(r) <= DBL_MAX) && linear->worst > 0) {
            linear->worst = 0;
            linear->worst_unknown = i;
        }
    }
    return linear->worst > 0;
}

static bool factor(lv_linear *linear)
{
    dense *d = linear->factors;
    const int n = linear->n;
    const bool own = n <= OWN_MOST;
    if (d->diagonal)
        return factor_diagonal(linear, d);
    if (own) {
        copy_rows(d, linear->storage, n);
        lv_lu_factor(d->lu, n, d->pivot);
    } else {
        int info;
        copy_columns(d, linear->storage, n);
        dgetrf_(&n, &n, d->lu, &n, d->pivot, &info);
    }
    find_worst(linear, d, own);
    return linear->worst > LV_LINEAR_SINGULAR;
}

static void solve(const lv_linear *linear, double *x)
{
    const dense *d = linear->factors;
    const int n = linear->n, one = 1;
    int info;
    if (d->diagonal) {
        for (int i = 0; i < n; i++)
            x[i] *= d->lu[(size_t)i * (size_t)(n + 1)];
        return;
    }
    if (n <= OWN_MOST)
        lv_lu_solve(d->lu, n, d->pivot, x);
    else
        dgetrs_("N", &n, &one, d->lu, &n, d->pivot, x, &n, &info);
}

const lv_linear_methods lv_linear_dense = {LV_BACK_END_DENSE, create, factor, solve,
                                           NULL};
