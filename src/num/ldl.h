/* Small dense symmetric matrices, definite or not: P^T A P = U^T D U, row-major.
 *
 * U is unit upper triangular, D has blocks of one or two rows. Half the work of LU and as
 * accurate; like there, plain loops in a fixed order, so that the bits depend on neither
 * machine nor threads. */
#ifndef LV_NUM_LDL_H
#define LV_NUM_LDL_H

#include <stdbool.h>

/* Where LU (num/dense.h) is no longer faster, to factor and solve once (bench_linear). Of
 * the time of LU it takes 1.05 to 1.1 for 3 to 6 unknowns, 0.92 for 8, 0.74 for 16, 0.65
 * for 33 and more; for indefinite matrices without any structure 0.8 to 1. */
enum { LV_LDL_LEAST = 7 };

/* In place, the upper triangle only: what is below the diagonal is not read and is lost.
 * D^-1 is left on the diagonal and, for a block of two rows k and k + 1, at (k + 1, k); U
 * above.
 *
 * pivot[k] is the unknown exchanged with unknown k at step k; LV_LDL_PAIR if a block of
 * two begins there. false if some block is singular or not finite; blocks that are merely
 * close to it are the caller's to judge. */
enum { LV_LDL_PAIR = -1 };
bool lv_ldl_factor(double *a, int n, int *pivot);

/* x = A^-1 x */
void lv_ldl_solve(const double *factors, int n, const int *pivot, double *x);

/* The smallest pivot, relative to scale[i] of its unknown i, and that unknown; 0 if one
 * is not finite. Pivots after one that is below `enough` mean nothing and are not looked
 * at. Those of a block of two rows are the pivots of its own LU factors. `order` is room
 * for n numbers. */
double lv_ldl_worst(const double *factors, int n, const int *pivot, const double *scale,
                    double enough, int *order, int *unknown);

#endif
