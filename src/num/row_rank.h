/* Which rows of a large sparse matrix depend on others, and on which.
 *
 * QR factors of the transposed matrix, front by front (Duff, Reid 1983; Heath 1982 for
 * the rank): rows are taken in an order that keeps the work small, and what is left of a
 * row, off the span of those before it, is known when its turn comes. A row of which too
 * little is left takes part no further. Rows are not chosen by size: with a tolerance
 * near rounding, rows of which little is left would spoil what follows. A coarse one is
 * safe, and what is really left is then told for each row by itself. */
#ifndef LV_NUM_ROW_RANK_H
#define LV_NUM_ROW_RANK_H

#include "base/status.h"
#include "num/pattern.h"

typedef struct lv_row_rank lv_row_rank;

/* Analyses the pattern. *rank is NULL, which is no error, if the factors would be out of
 * proportion (LV_ROW_RANK_MOST numbers). All memory is taken now, and hardly touched
 * before it is needed. */
enum { LV_ROW_RANK_MOST = 1 << 24 };
lv_status lv_row_rank_create(lv_row_rank **rank, const lv_pattern *pattern,
                             lv_error *err);
void lv_row_rank_free(lv_row_rank *rank);

/* The number of rows of which at most the part `tolerance` is left; -1 if an entry is not
 * finite or stands where the analysed pattern has none. The matrix may lack the last rows
 * of that. */
int lv_row_rank_find(lv_row_rank *rank, const lv_pattern *pattern, const double *values,
                     double tolerance);

/* The k-th of them; rows increase with k. */
int lv_row_rank_row(const lv_row_rank *rank, int k);
int lv_row_rank_count(const lv_row_rank *rank);

/* How clear that was: the smallest part that is left of a row that is not among them, and
 * the largest of one that is (1 and 0 if there are none); the smallest and the largest
 * norm of a row that is not zero. */
typedef struct lv_row_gap {
    double kept, dropped;
    double smallest, largest;
} lv_row_gap;
lv_row_gap lv_row_rank_gap(const lv_row_rank *rank);
double lv_row_rank_norm(const lv_row_rank *rank, int row);

/* c[r] for all analysed rows, 0 for those among them: the sum of c[r] times rows that
 * comes nearest to t, which has a number for each column. And the t in the span of the
 * rows that are not among them whose product with each of these is b[r]. Rows are as they
 * were given. */
void lv_row_rank_write(lv_row_rank *rank, const double *t, double *c);
void lv_row_rank_meet(lv_row_rank *rank, const double *b, double *t);

/* c[r] for all analysed rows: of all sums of c[r] times rows that are not among them, the
 * one that comes nearest to it, all rows being scaled to norm 1; `left` is then the norm
 * of the difference (seminormal equations, corrected: Bjorck 1996, 2.4.6). The numbers
 * are valid until the next call. */
const double *lv_row_rank_combination(lv_row_rank *rank, int k, double *left);

/* That difference, by column. */
const double *lv_row_rank_rest(const lv_row_rank *rank);

#endif
