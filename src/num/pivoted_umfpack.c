#include "num/pivoted.h"

#if LIVENS_UMFPACK

#include "base/memory.h"
#include "num/back_end.h"

#include <string.h>
#include <umfpack.h>

struct lv_pivoted {
    int n;
    int *start, *row;
    void *symbolic, *numeric;
    double *pivots; /* n, and as many for the right side and as work */
    int *columns;   /* n, and as many as work */
    double control[UMFPACK_CONTROL];
};

lv_pivoted *lv_pivoted_create(int n, int *start, int *row)
{
    lv_pivoted *p = lv_memory_zeroed(1, sizeof *p);
    if (!p)
        return NULL;
    p->n = n;
    p->start = start;
    p->row = row;
    p->pivots = lv_memory_zeroed(3 * (size_t)n, sizeof *p->pivots);
    p->columns = lv_memory_zeroed(2 * (size_t)n, sizeof *p->columns);
    umfpack_di_defaults(p->control);
    p->control[UMFPACK_PRL] = 0;
    p->control[UMFPACK_IRSTEP] = 0;
    p->control[UMFPACK_SCALE] = UMFPACK_SCALE_NONE;
    lv_blas_single_thread();
    if (!p->pivots || !p->columns ||
        umfpack_di_symbolic(n, n, start, row, NULL, &p->symbolic, p->control, NULL) < 0) {
        lv_pivoted_free(p);
        return NULL;
    }
    return p;
}

void lv_pivoted_free(lv_pivoted *p)
{
    if (!p)
        return;
    umfpack_di_free_numeric(&p->numeric);
    umfpack_di_free_symbolic(&p->symbolic);
    lv_memory_free(p->pivots);
    lv_memory_free(p->columns);
    lv_memory_free(p);
}

bool lv_pivoted_factor(lv_pivoted *p, double *values)
{
    int reciprocal = 0; /* of no interest: nothing is scaled */
    umfpack_di_free_numeric(&p->numeric);
    return umfpack_di_numeric(p->start, p->row, values, p->symbolic, &p->numeric,
                              p->control, NULL) >= 0 &&
           umfpack_di_get_numeric(NULL, NULL, NULL, NULL, NULL, NULL, p->columns + p->n,
                                  p->columns, p->pivots, &reciprocal, NULL,
                                  p->numeric) >= 0;
}

const double *lv_pivoted_pivots(const lv_pivoted *p)
{
    return p->pivots;
}

const int *lv_pivoted_columns(const lv_pivoted *p)
{
    return p->columns;
}

void lv_pivoted_solve(lv_pivoted *p, double *values, double *x)
{
    double *right = p->pivots + p->n, *work = right + p->n;
    memcpy(right, x, (size_t)p->n * sizeof *x);
    umfpack_di_wsolve(UMFPACK_A, p->start, p->row, values, x, right, p->numeric,
                      p->control, NULL, p->columns + p->n, work);
}

#else
typedef int lv_pivoted_is_klu; /* a translation unit must not be empty */
#endif
