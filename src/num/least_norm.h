/* Least-norm least-squares solutions of small dense systems of any rank.
 *
 * A is a rows x columns matrix, usually the gradients of constraints, some of which may
 * depend on others. Computed are the x that minimises |A x - b| and, among those, |x|;
 * the rank; and which rows depend on which. The method is a complete orthogonal
 * decomposition
 *   A = P [L1; L2] Q^T,   [L1; L2] = H R
 * with rows exchanged (P) so that the first `rank` of them are independent (Golub, Van
 * Loan 2013, 5.4 and 5.5). x lies in the span of A's rows. */
#ifndef LV_NUM_LEAST_NORM_H
#define LV_NUM_LEAST_NORM_H

#include <stddef.h>

typedef struct lv_least_norm {
    int rows, columns;
    double *a; /* rows x columns, row-major; overwritten by the factors */
    /* Row numbers, `rows` of them: the first `rank` of these rows are independent, the
     * others are combinations of them to within the tolerance */
    int *row_order;
    double *work; /* lv_least_norm_work(rows, columns) numbers, part of the factors */
    int rank;     /* result */
    /* Result: the smallest remainder of a row that counts as independent, relative to the
     * row; 1 if there is none. The gap between `kept` and `dropped` tells how certain the
     * rank is. */
    double kept;
    /* Result: the largest relative remainder of a row that counts as dependent; 0 if
     * there is none */
    double dropped;
} lv_least_norm;

size_t lv_least_norm_work(int rows, int columns);

/* Factors a; the caller has set rows, columns, a, row_order and work. A row counts as
 * dependent if its remainder, orthogonal to the rows before, is below `tolerance` times
 * the norm of the row: units of rows do not matter. */
void lv_least_norm_factor(lv_least_norm *f, double tolerance);

/* Computes x (columns numbers) from b (rows numbers). May be called repeatedly: it uses
 * f->work but changes no factor. */
void lv_least_norm_solve(const lv_least_norm *f, double *x, const double *b);

/* x (columns numbers) receives the k-th of the columns - rank orthonormal vectors with A
 * x = 0, to within the tolerance. */
void lv_least_norm_kernel(const lv_least_norm *f, int k, double *x);

/* Writes row row_order[dependent], dependent >= rank, as a combination of independent
 * rows: it is, to within the tolerance, the sum over k < rank of combination[k] times row
 * row_order[k]. */
void lv_least_norm_combination(const lv_least_norm *f, int dependent,
                               double *combination);

#endif
