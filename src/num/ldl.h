/* Small dense symmetric matrices, definite or not: P^T A P = U^T D U, row-major.
 *
 * U is unit upper triangular, D has diagonal blocks of one or two rows. This takes half
 * the operations of LU and is as accurate. Plain loops in a fixed order make the bits
 * independent of machine and threads. */
#ifndef LV_NUM_LDL_H
#define LV_NUM_LDL_H

#include <stdbool.h>

/* The smallest size from which L D L^T is faster than LU (num/dense.h), to factor and
 * solve once (bench_linear). Its time relative to LU is 1.05 to 1.1 for 3 to 6 unknowns,
 * 0.92 for 8, 0.74 for 16, 0.65 for 33 and more; for indefinite matrices without any
 * structure 0.8 to 1. */
enum { LV_LDL_LEAST = 7 };

/* Factors in place. Only the upper triangle is read; what is below the diagonal is
 * overwritten. D^-1 is left on the diagonal and, for a block of two rows k and k + 1, at
 * (k + 1, k); U is left above the diagonal.
 *
 * pivot[k] is the unknown exchanged with unknown k at step k, or LV_LDL_PAIR if a block
 * of two rows begins there. Returns false if some block is singular or not finite;
 * callers judge blocks that are nearly singular. */
enum { LV_LDL_PAIR = -1 };
bool lv_ldl_factor(double *a, int n, int *pivot);

/* x = A^-1 x */
void lv_ldl_solve(const double *factors, int n, const int *pivot, double *x);

/* Returns the smallest pivot, relative to scale[i] of its unknown i, and sets `unknown`
 * to that unknown; returns 0 if a pivot is not finite. Pivots after one that is below
 * `enough` mean nothing and are skipped. The pivots of a block of two rows are those of
 * its own LU factors. `order` is work space for n numbers. */
double lv_ldl_worst(const double *factors, int n, const int *pivot, const double *scale,
                    double enough, int *order, int *unknown);

#endif
