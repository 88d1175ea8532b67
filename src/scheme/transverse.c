#include "scheme/transverse.h"

#include "base/arena.h"

#include <math.h>
#include <string.h>

lv_status lv_transverse_init(lv_transverse *x, lv_arena *arena, const lv_model *model,
                             lv_error *err)
{
    const size_t wide = 2 * (size_t)model->coordinate_count;
    *x = (lv_transverse){.model = model, .n = model->coordinate_count};
    LV_TRY(lv_symmetries_find(&x->symmetries, arena, model, true, err));
    x->basis =
        lv_arena_alloc(arena, (size_t)x->symmetries.count * wide + 1, sizeof *x->basis);
    x->weight = lv_arena_alloc(arena, wide + 1, sizeof *x->weight);
    x->u = lv_arena_alloc(arena, wide + 1, sizeof *x->u);
    return x->basis && x->weight && x->u ? LV_OK : lv_fail_memory(err);
}

static double product(const lv_transverse *x, const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < 2 * x->n; k++)
        sum += x->weight[k] * a[k] * b[k];
    return sum;
}

/* Makes `to` orthogonal to the first `count` vectors of the basis; twice, because of
 * rounding. */
static void make_orthogonal(const lv_transverse *x, double *to, int count)
{
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < count; i++) {
            const double *with = x->basis + (size_t)i * 2 * (size_t)x->n;
            const double part = product(x, with, to);
            for (int k = 0; k < 2 * x->n; k++)
                to[k] -= part * with[k];
        }
}

/* Builds the basis and returns its size. An orbit may have fewer dimensions than there
 * are symmetries, for example if all points are on a line. */
static int make_basis(lv_transverse *x, const double *q, const double *p)
{
    const double rounding = 1e-10;
    int count = 0;
    for (int i = 0; i < x->symmetries.count; i++) {
        double *v = x->basis + (size_t)count * 2 * (size_t)x->n;
        lv_symmetry_motion(&x->symmetries.list[i], x->model, q, p, v, v + x->n);
        const double before = sqrt(product(x, v, v));
        make_orthogonal(x, v, count);
        const double size = sqrt(product(x, v, v));
        if (!(size > rounding * before))
            continue;
        for (int k = 0; k < 2 * x->n; k++)
            v[k] /= size;
        count++;
    }
    return count;
}

double lv_transverse_direction(lv_transverse *x, const double *q, const double *p,
                               const double *dq, const double *dp, const double *mass)
{
    const int n = x->n;
    for (int k = 0; k < n; k++) {
        x->weight[k] = mass[k];
        x->weight[n + k] = 1 / mass[k];
        x->u[k] = dq[k];
        x->u[n + k] = dp[k];
    }
    make_orthogonal(x, x->u, make_basis(x, q, p));
    const double along = product(x, x->u, x->u);
    for (int k = 0; k < 2 * n; k++)
        x->u[k] *= x->weight[k];
    return along;
}
