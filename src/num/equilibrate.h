/* Scales the rows and columns of a matrix so that decisions about it do not depend on
 * units.
 *
 * Each row is an equation and each column an unknown, with a unit of its own. The factors
 * r_i and c_j make all |r_i a_ij c_j| as close to 1 as possible: they minimise the sum of
 * squares of the logarithms (Curtis, Reid 1972). The scaled matrix is then the same
 * whatever the units were. Scaling by the largest entries alone would not do: [e 1; 1 0]
 * has rows and columns of largest entry 1 for every e. Entries much smaller than the
 * others are ignored, so that rounding noise in place of a zero has no effect. All
 * factors are powers of two, so that scaling is exact. */
#ifndef LV_NUM_EQUILIBRATE_H
#define LV_NUM_EQUILIBRATE_H

#include "num/pattern.h"

#include <stdbool.h>

/* Work space: a sum and a count for each column, an exponent for each entry. */
typedef struct lv_equilibration {
    double *sum;
    int *count;
    short *exponent;
} lv_equilibration;

/* Entry e of the square pattern is values[slot[e]]. `row` and `column` receive the
 * factors. With `symmetric` both are equal. Returns false if an entry is not finite. */
bool lv_equilibrate(const lv_pattern *pattern, const double *values, const int *slot,
                    bool symmetric, lv_equilibration *room, double *row, double *column);

#endif
