#include "num/pivoted.h"

#if !LIVENS_UMFPACK

#include "base/memory.h"

#include <klu.h>

struct lv_pivoted {
    int *start, *row;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
};

lv_pivoted *lv_pivoted_create(int n, int *start, int *row)
{
    enum { COLAMD = 1 };
    lv_pivoted *p = lv_memory_zeroed(1, sizeof *p);
    if (!p)
        return NULL;
    p->start = start;
    p->row = row;
    klu_defaults(&p->common);
    p->common.ordering = COLAMD;
    p->common.tol = 1;
    p->common.scale = 0;
    p->common.halt_if_singular = 0;
    p->symbolic = klu_analyze(n, start, row, &p->common);
    if (!p->symbolic) {
        lv_memory_free(p);
        return NULL;
    }
    return p;
}

void lv_pivoted_free(lv_pivoted *p)
{
    if (!p)
        return;
    klu_free_numeric(&p->numeric, &p->common);
    klu_free_symbolic(&p->symbolic, &p->common);
    lv_memory_free(p);
}

bool lv_pivoted_factor(lv_pivoted *p, double *values)
{
    klu_free_numeric(&p->numeric, &p->common);
    p->numeric = klu_factor(p->start, p->row, values, p->symbolic, &p->common);
    return p->numeric != NULL;
}

const double *lv_pivoted_pivots(const lv_pivoted *p)
{
    return p->numeric->Udiag;
}

const int *lv_pivoted_columns(const lv_pivoted *p)
{
    return p->symbolic->Q;
}

void lv_pivoted_solve(lv_pivoted *p, double *values, double *x)
{
    (void)values;
    klu_solve(p->symbolic, p->numeric, p->symbolic->n, 1, x, &p->common);
}

#else
typedef int lv_pivoted_is_umfpack; /* a translation unit must not be empty */
#endif
