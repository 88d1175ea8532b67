/* Sparse LU: P A Q = L U with columns in a given order Q, for matrices in compressed
 * columns whose pattern is fixed while the values change.
 *
 * `factor` chooses the rows P: the diagonal entry of a column if it is at least
 * `tolerance` times the largest candidate, else the largest candidate. `refactor`
 * computes the same factors with the rows that were chosen last, in a fraction of the
 * time, and only if `factor` would choose these rows again. So the bits never depend on
 * what was factored before.
 *
 * All memory is taken at creation. lv_fill_bound tells how much suffices for every choice
 * of rows; with less, `factor` may have to allocate more. */
#ifndef LV_NUM_SPARSE_LU_H
#define LV_NUM_SPARSE_LU_H

#include "base/status.h"
#include "num/fill.h"
#include "num/pattern.h"

#include <stdbool.h>

typedef struct lv_sparse_lu lv_sparse_lu;

/* How good the pivots are. */
typedef struct lv_pivots {
    double worst; /* smallest pivot relative to the largest entry of its column of A */
    int column;   /* the column of that pivot; -1 if memory or room was missing */
    /* Smallest ratio, over columns, of the largest entry of A to the largest entry of
     * U */
    double growth;
} lv_pivots;

/* Pattern and order belong to the caller and must outlive it. `room` is the number of
 * entries to reserve. Returns LV_ERR_LIMIT if that is beyond INT_MAX. */
lv_status lv_sparse_lu_create(lv_sparse_lu **lu, const lv_column_pattern *a,
                              const int *order, double tolerance, lv_fill room,
                              lv_error *err);
void lv_sparse_lu_free(lv_sparse_lu *lu);

/* Forbids growth from now on: `factor` fails where it would need more room, as if there
 * were no memory. */
void lv_sparse_lu_fix_room(lv_sparse_lu *lu);

/* The rows and columns with lines[i] true, whose entries are all zero, get pivots of 1.
 * The flags are copied; initially no line is left out. */
void lv_sparse_lu_leave_out(lv_sparse_lu *lu, const bool *lines);

/* Returns false at the first pivot that is not finite or not above LV_LINEAR_SINGULAR
 * relative to its column. That pivot is then the worst one, and solving is not
 * possible. */
bool lv_sparse_lu_factor(lv_sparse_lu *lu, const double *values, lv_pivots *pivots);

/* Returns false if no rows were chosen before, if `factor` might choose other rows now,
 * or if a pivot is singular. Call `factor` then. */
bool lv_sparse_lu_refactor(lv_sparse_lu *lu, const double *values, lv_pivots *pivots);

/* x = A^-1 x with the last factors; does nothing if there are none. */
void lv_sparse_lu_solve(lv_sparse_lu *lu, double *x);

/* The number of entries of the last factors, and the number of pivots off the
 * diagonal. */
lv_fill lv_sparse_lu_fill(const lv_sparse_lu *lu);
int lv_sparse_lu_off_diagonal(const lv_sparse_lu *lu);

#endif
