#include "peer_lapack.h"

bool peer_lapack_begin(void)
{
    return false;
}

void peer_lapack_solve(double *a, int n, int *pivot, double *x)
{
    (void)a;
    (void)n;
    (void)pivot;
    (void)x;
}
