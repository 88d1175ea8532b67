/* Least-norm least-squares solutions of small dense systems of any rank.
 *
 * For a rows x columns matrix A, usually the gradients of constraints, some of which may
 * depend on others: the x that minimises |A x - b| and, among those, |x|; the rank; and
 * which rows depend on which. By a complete orthogonal decomposition
 *   A = P [L1; L2] Q^T,   [L1; L2] = H R
 * with rows exchanged (P) so that the first `rank` of them are independent (Golub, Van
 * Loan 2013, 5.4 and 5.5). x lies in the span of A's rows. */
#ifndef LV_NUM_LEAST_NORM_H
#define LV_NUM_LEAST_NORM_H

#include <stddef.h>

typedef struct lv_least_norm {
    int rows, columns;
    double *a; /* rows x columns, row-major; overwritten by the factors */
    /* rows: the first `rank` of these rows are independent, the others are combinations
     * of them to within the tolerance */
    int *row_order;
    double *work; /* lv_least_norm_work(rows, columns) numbers, part of the factors */
    int rank;     /* result */
    /* result: the smallest remainder of a row that counts as independent, and */
    double kept;
    /* the largest of one that does not, both relative to the row (1 and 0 if there are
     * none): the gap between them tells how sure the rank is */
    double dropped;
} lv_least_norm;

size_t lv_least_norm_work(int rows, int columns);

/* Factors a; the caller has set rows, columns, a, row_order and work. A row counts as
 * dependent if what is left of it, off the span of the rows before, is below `tolerance`
 * times the row: units of rows do not matter. */
void lv_least_norm_factor(lv_least_norm *f, double tolerance);

/* x (columns) from b (rows). As often as needed; uses f->work, changes no factor. */
void lv_least_norm_solve(const lv_least_norm *f, double *x, const double *b);

/* x (columns): the k-th of columns - rank orthonormal vectors with A x = 0, but for the
 * tolerance. */
void lv_least_norm_kernel(const lv_least_norm *f, int k, double *x);

/* combination[k], k < rank: the row row_order[dependent], dependent >= rank, is to within
 * the tolerance the sum over k of combination[k] times the row row_order[k]. */
void lv_least_norm_combination(const lv_least_norm *f, int dependent,
                               double *combination);

#endif
