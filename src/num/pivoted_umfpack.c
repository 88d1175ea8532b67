#include "num/pivoted.h"

#if LIVENS_UMFPACK

#include "base/memory.h"
#include "num/linear_private.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include <umfpack.h>

/* UMFPACK calls BLAS, which must use a single thread. OpenBLAS is told so once per
 * process. */
#if defined(__GNUC__)
void openblas_set_num_threads(int count) __attribute__((weak));
#endif

static void blas_single_thread(void)
{
#if defined(__GNUC__)
    static atomic_flag done = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&done) && openblas_set_num_threads)
        openblas_set_num_threads(1);
#endif
}

struct lv_pivoted {
    lv_column_pattern a;
    void *symbolic, *numeric;
    double *pivots; /* n, and as many for the right side and as work */
    int *columns;   /* n, and as many as work */
    double control[UMFPACK_CONTROL];
};

static lv_status create(lv_pivoted *p, lv_error *err)
{
    const int n = p->a.n;
    p->pivots = lv_memory_zeroed(3 * (size_t)n, sizeof *p->pivots);
    p->columns = lv_memory_zeroed(2 * (size_t)n, sizeof *p->columns);
    if (!p->pivots || !p->columns)
        return lv_fail_memory(err);
    umfpack_di_defaults(p->control);
    p->control[UMFPACK_PRL] = 0;
    p->control[UMFPACK_IRSTEP] = 0;
    p->control[UMFPACK_SCALE] = UMFPACK_SCALE_NONE;
    blas_single_thread();
    const int status = n > 0 ? umfpack_di_symbolic(n, n, p->a.start, p->a.row, NULL,
                                                   &p->symbolic, p->control, NULL)
                             : UMFPACK_OK;
    if (status == UMFPACK_ERROR_out_of_memory)
        return lv_fail_memory(err);
    if (status < 0)
        return lv_fail(err, LV_ERR_LIMIT, "a sparse matrix with %d unknowns is too large",
                       n);
    return LV_OK;
}

lv_status lv_pivoted_create(lv_pivoted **p, const lv_column_pattern *a, long long most,
                            lv_error *err)
{
    (void)most; /* UMFPACK allocates its own memory */
    *p = lv_memory_zeroed(1, sizeof **p);
    if (!*p)
        return lv_fail_memory(err);
    (*p)->a = *a;
    const lv_status status = create(*p, err);
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
    umfpack_di_free_numeric(&p->numeric);
    umfpack_di_free_symbolic(&p->symbolic);
    lv_memory_free(p->pivots);
    lv_memory_free(p->columns);
    lv_memory_free(p);
}

/* Pivot k relative to the largest entry of its column; 0 if something is not finite. */
static double ratio_of(const lv_pivoted *p, const double *values, int k)
{
    const int j = p->columns[k];
    double largest = 0, sum = 0;
    for (int e = p->a.start[j]; e < p->a.start[j + 1]; e++) {
        const double size = fabs(values[e]);
        largest = size > largest ? size : largest;
        sum += size;
    }
    const double ratio = fabs(p->pivots[k]) / largest;
    return ratio > 0 && ratio <= DBL_MAX && sum <= DBL_MAX ? ratio : 0;
}

static bool judge(const lv_pivoted *p, const double *values, lv_pivots *pivots)
{
    *pivots = (lv_pivots){HUGE_VAL, 0, HUGE_VAL};
    for (int k = 0; k < p->a.n && pivots->worst > LV_LINEAR_SINGULAR; k++) {
        const double ratio = ratio_of(p, values, k);
        if (ratio < pivots->worst) {
            pivots->worst = ratio;
            pivots->column = p->columns[k];
        }
    }
    return pivots->worst > LV_LINEAR_SINGULAR;
}

void lv_pivoted_leave_out(lv_pivoted *p, const bool *lines)
{
    (void)p;
    (void)lines;
}

bool lv_pivoted_factor(lv_pivoted *p, const double *values, lv_pivots *pivots)
{
    int reciprocal = 0; /* of no interest: nothing is scaled */
    umfpack_di_free_numeric(&p->numeric);
    if (umfpack_di_numeric(p->a.start, p->a.row, values, p->symbolic, &p->numeric,
                           p->control, NULL) < 0 ||
        umfpack_di_get_numeric(NULL, NULL, NULL, NULL, NULL, NULL, p->columns + p->a.n,
                               p->columns, p->pivots, &reciprocal, NULL,
                               p->numeric) < 0) {
        *pivots = (lv_pivots){.worst = 0, .column = -1};
        return false;
    }
    return judge(p, values, pivots);
}

void lv_pivoted_solve(lv_pivoted *p, const double *values, double *x)
{
    const size_t n = (size_t)p->a.n;
    double *right = p->pivots + n, *work = right + n;
    memcpy(right, x, n * sizeof *x);
    umfpack_di_wsolve(UMFPACK_A, p->a.start, p->a.row, values, x, right, p->numeric,
                      p->control, NULL, p->columns + n, work);
}

#else
typedef int lv_pivoted_is_own; /* a translation unit must not be empty */
#endif
