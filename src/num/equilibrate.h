/* Matrices in units of their own.
 *
 * Rows of a matrix are equations and columns unknowns, each in some unit, and nothing
 * that is decided of the matrix may depend on these. So factors r_i, c_j are sought for
 * which the entries of |r_i a_ij c_j| are as close to 1 as can be, on average over their
 * logarithms' squares (Curtis, Reid 1972). The matrix that results is the same whatever
 * the units were. Largest entries alone would not do: [e 1; 1 0] has rows and columns of
 * largest entry 1 for every e. Entries that turn out to be much smaller than the others
 * are left out, so that rounding in place of a zero changes nothing. Factors are powers
 * of two: scaling costs no digits. */
#ifndef LV_NUM_EQUILIBRATE_H
#define LV_NUM_EQUILIBRATE_H

#include "num/pattern.h"

#include <stdbool.h>

/* Room to work in: a sum and a number of entries for each column, an exponent for each
 * entry. */
typedef struct lv_equilibration {
    double *sum;
    int *count;
    short *exponent;
} lv_equilibration;

/* Entry e of the square pattern is values[slot[e]]. `row` and `column` receive the
 * factors. symmetric: both are the same. false: an entry is not finite. */
bool lv_equilibrate(const lv_pattern *pattern, const double *values, const int *slot,
                    bool symmetric, lv_equilibration *room, double *row, double *column);

#endif
