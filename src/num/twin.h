/* Small systems of equations, two of one size at a time; each gets the solution it would get alone.
 *
 * The first system is lane 0, the second lane 1. Lanes stand side by side: unknown i is at 2 i + lane, entry
 * (i, j) of the matrix at 2 (i n + j) + lane. Numbers are gathered from elsewhere: number k of a lane is
 * from[index[2 k + lane]], and 0 where that index is negative. */
#ifndef LV_NUM_TWIN_H
#define LV_NUM_TWIN_H

#include <stdbool.h>

/* Larger ones are better off alone. */
enum { LV_TWIN_LARGEST = 9 };

/* Number k = c * (number k of `from`), where all indices are there. */
void lv_twin_put(double *to, double c, const double *from, const int *index, int count);

/* Number at[k] += c * (number k of `from`). complete: all indices are there. */
void lv_twin_add(double *to, const int *at, double c, const double *from,
                 const int *index, int count, bool complete);

/* In place. Pivots are not chosen: matrices have to be close to definite ones. false: a pivot is small
 * beside what stood there. */
bool lv_twin_factor(double *a, int n);

/* x = A^-1 times what is gathered. */
void lv_twin_solve(const double *factors, int n, double *x, const double *from,
                   const int *index);

#endif
