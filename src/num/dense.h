/* Dense matrices, row-major: LU with partial pivoting and Cholesky factors.
 *
 * Plain loops in a fixed order, so that the bits depend on neither machine nor threads.
 * Compared with a serial BLAS: docs/decisions/008-dense-lu.md. */
#ifndef LV_NUM_DENSE_H
#define LV_NUM_DENSE_H

#include <stdbool.h>

/* P A = L U in place: the multipliers of L below the diagonal, the reciprocals of U's
 * pivots on it, the rest of U above. pivot[k] is the row exchanged with row k at step k.
 * false if some pivot is zero or not finite; pivots that are merely small are the
 * caller's to judge. */
bool lv_lu_factor(double *a, int n, int *pivot);

/* x = A^-1 x */
void lv_lu_solve(const double *lu, int n, const int *pivot, double *x);

/* A = L L^T in place, lower triangle only (the upper one is neither read nor written);
 * the diagonal holds reciprocals. false if A is not positive definite to working
 * precision. */
bool lv_cholesky_factor(double *a, int n);

/* x = A^-1 x */
void lv_cholesky_solve(const double *l, int n, double *x);

#endif
