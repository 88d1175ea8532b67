#include "num/pivoted.h"

#if !LIVENS_UMFPACK

#include "base/memory.h"

#include <limits.h>
#include <string.h>

#include <colamd.h>

struct lv_pivoted {
    lv_sparse_lu *lu;
    int *order;
};

static lv_status too_large(const lv_column_pattern *a, lv_error *err)
{
    return lv_fail(err, LV_ERR_LIMIT, "a sparse matrix with %d unknowns is too large",
                   a->n);
}

/* Columns in an order that is good whatever rows become pivots. */
static lv_status order_columns(int *order, const lv_column_pattern *a, lv_error *err)
{
    const int n = a->n, entries = a->start[n];
    int stats[COLAMD_STATS];
    const size_t length = colamd_recommended(entries, n, n);
    if (length == 0 || length > INT_MAX)
        return too_large(a, err);
    int *work = lv_memory_resize(NULL, length * sizeof *work);
    if (!work)
        return lv_fail_memory(err);
    memcpy(work, a->row, (size_t)entries * sizeof *work);
    memcpy(order, a->start, ((size_t)n + 1) * sizeof *order);
    const int ordered = colamd(n, n, (int)length, work, order, NULL, stats);
    lv_memory_free(work);
    return ordered ? LV_OK : too_large(a, err);
}

static lv_status create(lv_pivoted *p, const lv_column_pattern *a, long long most,
                        lv_error *err)
{
    lv_fill room;
    p->order = lv_memory_zeroed((size_t)a->n + 1, sizeof *p->order);
    if (!p->order)
        return lv_fail_memory(err);
    LV_TRY(order_columns(p->order, a, err));
    LV_TRY(lv_fill_bound(&room, a, p->order, most, err));
    return lv_sparse_lu_create(&p->lu, a, p->order, 1, room, err);
}

lv_status lv_pivoted_create(lv_pivoted **p, const lv_column_pattern *a, long long most,
                            lv_error *err)
{
    *p = lv_memory_zeroed(1, sizeof **p);
    if (!*p)
        return lv_fail_memory(err);
    const lv_status status = create(*p, a, most, err);
    if (status != LV_OK) {
        lv_pivoted_free(*p);
        *p = NULL;
    }
    return status;
}

void lv_pivoted_free(lv_pivoted *p)
{
    if (!p)
        return;
    lv_sparse_lu_free(p->lu);
    lv_memory_free(p->order);
    lv_memory_free(p);
}

void lv_pivoted_leave_out(lv_pivoted *p, const bool *lines)
{
    lv_sparse_lu_leave_out(p->lu, lines);
}

bool lv_pivoted_factor(lv_pivoted *p, const double *values, lv_pivots *pivots)
{
    return lv_sparse_lu_refactor(p->lu, values, pivots) ||
           lv_sparse_lu_factor(p->lu, values, pivots);
}

void lv_pivoted_solve(lv_pivoted *p, const double *values, double *x)
{
    (void)values;
    lv_sparse_lu_solve(p->lu, x);
}

#else
typedef int lv_pivoted_is_umfpack; /* a translation unit must not be empty */
#endif
