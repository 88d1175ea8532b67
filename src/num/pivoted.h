/* Sparse LU with pivots chosen for stability first, for matrices on which pivots from the
 * diagonal fail. It is num/sparse_lu.h with columns ordered by COLAMD and partial
 * pivoting, whose memory is taken at creation; or UMFPACK, in a build with it, where each
 * factorisation allocates. */
#ifndef LV_NUM_PIVOTED_H
#define LV_NUM_PIVOTED_H

#include "base/status.h"
#include "num/sparse_lu.h"

typedef struct lv_pivoted lv_pivoted;

/* Creates it for matrices with this pattern, which must outlive it. Reserves memory for
 * any choice of pivot rows, but at most `most` entries for each factor. */
lv_status lv_pivoted_create(lv_pivoted **p, const lv_column_pattern *a, long long most,
                            lv_error *err);
void lv_pivoted_free(lv_pivoted *p);

/* As lv_sparse_lu_leave_out. UMFPACK does not support it: there such a matrix is
 * singular. */
void lv_pivoted_leave_out(lv_pivoted *p, const bool *lines);

/* As lv_sparse_lu_factor, but pivots->growth is not meaningful. */
bool lv_pivoted_factor(lv_pivoted *p, const double *values, lv_pivots *pivots);

/* x = A^-1 x; `values` are those that were factored. */
void lv_pivoted_solve(lv_pivoted *p, const double *values, double *x);

#endif
