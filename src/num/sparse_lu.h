/* Sparse LU: P A Q = L U with columns in a given order Q, for matrices in compressed
 * columns whose pattern stays while the values change.
 *
 * `factor` chooses the rows P: the diagonal entry of a column if it is at least
 * `tolerance` of the largest candidate, else the largest. `refactor` computes the same
 * factors with the rows that were chosen last, in a fraction of the time, and only if
 * they would be chosen again: what was factored before leaves no trace in the bits.
 *
 * All memory is taken at creation. With room for lv_fill_bound nothing else is ever
 * needed; with less, `factor` may have to grow it. */
#ifndef LV_NUM_SPARSE_LU_H
#define LV_NUM_SPARSE_LU_H

#include "base/status.h"
#include "num/fill.h"
#include "num/pattern.h"

#include <stdbool.h>

typedef struct lv_sparse_lu lv_sparse_lu;

/* How good the pivots are. */
typedef struct lv_pivots {
    double worst;  /* smallest pivot relative to the largest entry of its column of A */
    int column;    /* whose it is; -1 if there was no memory or room */
    double growth; /* smallest ratio of the largest entries of a column of A and of U */
} lv_pivots;

/* Pattern and order are the caller's and must outlive it. LV_ERR_LIMIT if `room` is
 * beyond INT_MAX. */
lv_status lv_sparse_lu_create(lv_sparse_lu **lu, const lv_column_pattern *a,
                              const int *order, double tolerance, lv_fill room,
                              lv_error *err);
void lv_sparse_lu_free(lv_sparse_lu *lu);

/* From now on the room is all there is: `factor` fails where it would have to grow, as if
 * there were no memory. */
void lv_sparse_lu_fix_room(lv_sparse_lu *lu);

/* Rows and columns of these numbers, in which there is nothing but zeros, get pivots of
 * 1. The numbers are copied; none are left out at first. */
void lv_sparse_lu_leave_out(lv_sparse_lu *lu, const bool *lines);

/* false at the first pivot that is not above LV_LINEAR_SINGULAR relative to its column or
 * not finite: it is the worst one, and there is nothing to solve with. */
bool lv_sparse_lu_factor(lv_sparse_lu *lu, const double *values, lv_pivots *pivots);

/* false if rows were never chosen, or others might be chosen now, or a pivot is singular.
 * `factor` is due then. */
bool lv_sparse_lu_refactor(lv_sparse_lu *lu, const double *values, lv_pivots *pivots);

/* x = A^-1 x with the last factors; nothing without any. */
void lv_sparse_lu_solve(lv_sparse_lu *lu, double *x);

/* What the last factors consist of, and how often rows off the diagonal were pivots. */
lv_fill lv_sparse_lu_fill(const lv_sparse_lu *lu);
int lv_sparse_lu_off_diagonal(const lv_sparse_lu *lu);

#endif
