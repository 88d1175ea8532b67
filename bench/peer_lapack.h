/* LU factors of LAPACK on one thread, if it is there: what bench_linear compares our dense factors
 * with. */
#ifndef LV_BENCH_PEER_LAPACK_H
#define LV_BENCH_PEER_LAPACK_H

#include <stdbool.h>

/* Prepares it; false where there is no LAPACK. */
bool peer_lapack_begin(void);

/* Factors `a`, whose rows are stored one after the other; x = A^-1 x. */
void peer_lapack_solve(double *a, int n, int *pivot, double *x);

#endif
