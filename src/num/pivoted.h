/* Sparse LU with pivots chosen for stability first: for the matrices on which pivots from the
 * diagonal fail. UMFPACK, or in a build without it KLU with columns ordered by COLAMD and
 * partial pivoting. Each factorisation allocates. */
#ifndef LV_NUM_PIVOTED_H
#define LV_NUM_PIVOTED_H

#include <stdbool.h>

typedef struct lv_pivoted lv_pivoted;

/* For matrices in compressed columns with this pattern, which must outlive it; NULL without
 * memory. */
lv_pivoted *lv_pivoted_create(int n, int *start, int *row);
void lv_pivoted_free(lv_pivoted *p);

/* false without memory. A singular matrix gives a pivot that is zero or not finite. */
bool lv_pivoted_factor(lv_pivoted *p, double *values);

/* Pivot k and the column it stands in, after lv_pivoted_factor. */
const double *lv_pivoted_pivots(const lv_pivoted *p);
const int *lv_pivoted_columns(const lv_pivoted *p);

/* x = A^-1 x; `values` are those that were factored. */
void lv_pivoted_solve(lv_pivoted *p, double *values, double *x);

#endif
