/* How many entries the factors of a sparse matrix have, P A Q = L U with columns in a
 * given order Q: known before any number is. */
#ifndef LV_NUM_FILL_H
#define LV_NUM_FILL_H

#include "base/status.h"
#include "num/pattern.h"

/* Entries of L below and of U above the diagonal. */
typedef struct lv_fill {
    long long lower, upper;
} lv_fill;

/* With all pivots from the diagonal: the factors of A + A^T, unknown order[k] at step k.
 * Counting ends beyond INT_MAX. */
lv_status lv_fill_on_diagonal(lv_fill *fill, const lv_column_pattern *a, const int *order,
                              lv_error *err);

/* With any choice of pivot rows, column order[k] at step k, up to the first column that
 * has no pivot: a bound. U is within the Cholesky factor of A^T A (George, Ng 1985), and
 * L has at most the rows that are left to be merged at each step. Counting ends where U
 * exceeds `most`: both are `most` then. */
lv_status lv_fill_bound(lv_fill *fill, const lv_column_pattern *a, const int *order,
                        long long most, lv_error *err);

#endif
