/* Counts the entries of the factors of a sparse matrix, P A Q = L U with columns in a
 * given order Q, from its pattern alone. */
#ifndef LV_NUM_FILL_H
#define LV_NUM_FILL_H

#include "base/status.h"
#include "num/pattern.h"

/* Number of entries of L below and of U above the diagonal. */
typedef struct lv_fill {
    long long lower, upper;
} lv_fill;

/* Counts for pivots from the diagonal only: the factors of A + A^T, with unknown order[k]
 * eliminated at step k. Counting stops beyond INT_MAX. */
lv_status lv_fill_on_diagonal(lv_fill *fill, const lv_column_pattern *a, const int *order,
                              lv_error *err);

/* Upper bounds for any choice of pivot rows, with column order[k] at step k, up to the
 * first column that has no pivot. U lies within the Cholesky factor of A^T A (George, Ng
 * 1985), and L has at most the rows that are left to be merged at each step. Counting
 * stops where U exceeds `most`; both results are then `most`. */
lv_status lv_fill_bound(lv_fill *fill, const lv_column_pattern *a, const int *order,
                        long long most, lv_error *err);

#endif
