/* Dependent equations: the matrix as a dense one, factored for solutions of least norm. */
#include "base/memory.h"
#include "num/back_end.h"
#include "num/least_norm.h"

#include <math.h>
#include <string.h>

typedef struct lv_redundancy {
    lv_least_norm least;
    double *memory; /* a, solution, work */
    double *solution;
} lv_redundancy;

/* Not zeroed: what is never used is never touched. */
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
    r->memory = take(square + size + lv_least_norm_work(n, n), sizeof *r->memory);
    int *order = take(size, sizeof *order);
    r->least = (lv_least_norm){.rows = n, .columns = n, .row_order = order};
    if (!r->memory || !order) {
        lv_redundancy_free(linear);
        return false;
    }
    r->least.a = r->memory;
    r->solution = r->memory + square;
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

bool lv_redundancy_factor(lv_linear *linear)
{
    lv_redundancy *r = linear->deficient;
    if (!r || !copy_dense(linear, r->least.a))
        return false;
    lv_least_norm_factor(&r->least, 1e-10);
    linear->redundant = linear->n - r->least.rank;
    return linear->redundant > 0;
}

void lv_redundancy_solve(const lv_linear *linear, double *x)
{
    const lv_redundancy *r = linear->deficient;
    lv_least_norm_solve(&r->least, r->solution, x);
    memcpy(x, r->solution, (size_t)linear->n * sizeof *x);
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
