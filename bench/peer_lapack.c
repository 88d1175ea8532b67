#include "peer_lapack.h"

void dgetrf_(const int *rows, const int *columns, double *a, const int *lda, int *pivot,
             int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a,
             const int *lda, const int *pivot, double *b, const int *ldb, int *info);
#if defined(__GNUC__)
void openblas_set_num_threads(int count) __attribute__((weak));
#endif

bool peer_lapack_begin(void)
{
#if defined(__GNUC__)
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
#endif
    return true;
}

/* LAPACK stores columns: it sees the transposed matrix. */
void peer_lapack_solve(double *a, int n, int *pivot, double *x)
{
    int info;
    const int one = 1;
    dgetrf_(&n, &n, a, &n, pivot, &info);
    dgetrs_("T", &n, &one, a, &n, pivot, x, &n, &info);
}
