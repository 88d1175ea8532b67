/* Finds which rows of a large sparse matrix depend on others, and on which.
 *
 * The method is a multifrontal QR factorisation of the transposed matrix (Duff, Reid
 * 1983; Heath 1982 for the rank). Rows are taken in an order that keeps the work small.
 * The remainder of a row, orthogonal to the rows before it, is known when its turn comes,
 * and a row with too small a remainder takes no further part. Rows are not pivoted by
 * size: with a tolerance near rounding, rows with small remainders would spoil what
 * follows. A coarse tolerance is safe, and the actual remainder of each rejected row is
 * computed afterwards. */
#ifndef LV_NUM_ROW_RANK_H
#define LV_NUM_ROW_RANK_H

#include "base/status.h"
#include "num/pattern.h"

typedef struct lv_row_rank lv_row_rank;

/* Analyses the pattern. *rank is NULL, which is no error, if the factors would have more
 * than LV_ROW_RANK_MOST numbers. All memory is reserved now, and hardly touched before it
 * is needed. */
enum { LV_ROW_RANK_MOST = 1 << 24 };
lv_status lv_row_rank_create(lv_row_rank **rank, const lv_pattern *pattern,
                             lv_error *err);
void lv_row_rank_free(lv_row_rank *rank);

/* Returns the number of dependent rows: those whose remainder is at most `tolerance`
 * times the row. Returns -1 if an entry is not finite or lies outside the analysed
 * pattern. The matrix may lack the last rows of that pattern. */
int lv_row_rank_find(lv_row_rank *rank, const lv_pattern *pattern, const double *values,
                     double tolerance);

/* The k-th dependent row (increasing with k), and their number. */
int lv_row_rank_row(const lv_row_rank *rank, int k);
int lv_row_rank_count(const lv_row_rank *rank);

/* How clear the decision was: the smallest relative remainder of an independent row (1 if
 * there is none), the largest of a dependent one (0 if there is none), and the smallest
 * and the largest norm of a row that is not zero. */
typedef struct lv_row_gap {
    double kept, dropped;
    double smallest, largest;
} lv_row_gap;
lv_row_gap lv_row_rank_gap(const lv_row_rank *rank);
double lv_row_rank_norm(const lv_row_rank *rank, int row);

/* lv_row_rank_write: c[r] for all analysed rows (0 for dependent ones), such that the sum
 * of c[r] times row r comes closest to t, which has one number per column.
 * lv_row_rank_meet: the t in the span of the independent rows whose product with each of
 * these rows is b[r]. Both take the rows as given, not scaled. */
void lv_row_rank_write(lv_row_rank *rank, const double *t, double *c);
void lv_row_rank_meet(lv_row_rank *rank, const double *b, double *t);

/* Writes the k-th dependent row as a combination of the independent ones: c[r] for all
 * analysed rows minimises the norm of the difference, all rows being scaled to norm 1
 * (seminormal equations, corrected: Bjorck 1996, 2.4.6). `left` receives that norm. The
 * result is valid until the next call. */
const double *lv_row_rank_combination(lv_row_rank *rank, int k, double *left);

/* The difference that the last lv_row_rank_combination left, by column. */
const double *lv_row_rank_rest(const lv_row_rank *rank);

#endif
