/* Dense matrices: L D L^T factors of symmetric ones that are not tiny, LU factors of all
 * others. */
#include "num/dense.h"
#include "num/ldl.h"
#include "num/linear_private.h"

#include <float.h>
#include <limits.h>
#include <math.h>

typedef enum method {
    DIAGONAL, /* nothing couples the unknowns */
    LU,
    LDL
} method;

typedef struct dense {
    method method;
    double *factors;
    double *largest; /* of each column of A */
    int *pivot;
    int *order; /* room for lv_ldl_worst */
} dense;

static method choose(const lv_linear *linear)
{
    const lv_pattern *p = &linear->pattern;
    bool diagonal = true;
    for (int i = 0; i < linear->n; i++)
        for (int e = p->start[i]; e < p->start[i + 1]; e++)
            diagonal &= p->column[e] == i;
    if (diagonal)
        return DIAGONAL;
    return linear->symmetric && linear->n >= LV_LDL_LEAST ? LDL : LU;
}

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
    d->factors = lv_arena_alloc(&linear->arena, size, sizeof(double));
    d->largest = lv_arena_alloc(&linear->arena, n, sizeof(double));
    d->pivot = lv_arena_alloc(&linear->arena, 2 * n, sizeof(int));
    if (!linear->storage || !d->factors || !d->largest || !d->pivot)
        return lv_fail_memory(err);
    d->order = d->pivot + n;
    d->method = choose(linear);
    for (int i = 0; i < linear->n; i++)
        for (int e = linear->pattern.start[i]; e < linear->pattern.start[i + 1]; e++)
            linear->slot[e] = i * linear->n + linear->pattern.column[e];
    return LV_OK;
}

/* Largest entry of each column of A; copies A. */
static void copy_rows(dense *d, const double *restrict a, int n)
{
    double *restrict largest = d->largest, *restrict to = d->factors;
    for (int j = 0; j < n; j++)
        largest[j] = 0;
    for (int i = 0; i < n; i++, a += n, to += n)
        for (int j = 0; j < n; j++) {
            const double size = fabs(a[j]);
            to[j] = a[j];
            largest[j] = size > largest[j] ? size : largest[j];
        }
}

/* Finds the smallest relative pivot, as the largest (entry of a column of A) / pivot; the
 * reciprocals of pivots are stored. */
static void find_worst(lv_linear *linear, const dense *d)
{
    const int n = linear->n;
    double inverse = 0;
    for (int k = 0; k < n; k++) {
        const double reciprocal = fabs(d->factors[(size_t)k * (size_t)(n + 1)]);
        const double ratio = reciprocal * d->largest[k];
        if (!(ratio <= inverse)) {
            inverse = ratio;
            linear->worst_unknown = k;
            /* Pivots after a singular one mean nothing. */
            if (!(inverse < 1 / LV_LINEAR_SINGULAR))
                break;
        }
    }
    linear->worst = inverse <= DBL_MAX ? 1 / inverse : 0;
}

/* Equations with one unknown each: every pivot is the largest entry of its column, unless
 * that is zero. */
static bool factor_diagonal(lv_linear *linear, dense *d)
{
    const int n = linear->n;
    linear->worst = 1;
    for (int i = 0; i < n; i++) {
        const double r = 1 / linear->storage[(size_t)i * (size_t)(n + 1)];
        d->factors[(size_t)i * (size_t)(n + 1)] = r;
        if (!(fabs(r) > 0 && fabs(r) <= DBL_MAX) && linear->worst > 0) {
            linear->worst = 0;
            linear->worst_unknown = i;
        }
    }
    return linear->worst > 0;
}

static void factor_coupled(lv_linear *linear, dense *d)
{
    const int n = linear->n;
    copy_rows(d, linear->storage, n);
    if (d->method == LU) {
        lv_lu_factor(d->factors, n, d->pivot);
        find_worst(linear, d);
    } else {
        lv_ldl_factor(d->factors, n, d->pivot);
        linear->worst =
            lv_ldl_worst(d->factors, n, d->pivot, d->largest, LV_LINEAR_SINGULAR,
                         d->order, &linear->worst_unknown);
    }
}

static bool factor(lv_linear *linear)
{
    dense *d = linear->factors;
    if (d->method == DIAGONAL)
        return factor_diagonal(linear, d);
    factor_coupled(linear, d);
    return linear->worst > LV_LINEAR_SINGULAR;
}

static void solve(const lv_linear *linear, double *x)
{
    const dense *d = linear->factors;
    const int n = linear->n;
    if (d->method == DIAGONAL)
        for (int i = 0; i < n; i++)
            x[i] *= d->factors[(size_t)i * (size_t)(n + 1)];
    else if (d->method == LU)
        lv_lu_solve(d->factors, n, d->pivot, x);
    else
        lv_ldl_solve(d->factors, n, d->pivot, x);
}

static void leave_out(lv_linear *linear)
{
    for (int i = 0; i < linear->n; i++)
        if (linear->left_out[i])
            linear->storage[(size_t)i * (size_t)(linear->n + 1)] = 1;
}

const lv_linear_methods lv_linear_dense = {LV_BACK_END_DENSE, create, factor, solve, NULL,
                                           leave_out};
