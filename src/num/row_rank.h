/* Which rows of a large sparse matrix depend on others, and on which.
 *
 * QR factors of the transposed matrix, front by front (Duff, Reid 1983; Heath 1982 for the rank): rows are taken
 * in an order that keeps the work small, and what is left of a row, off the span of those before it, is known
 * when its turn comes. A row of which too little is left takes part no further. Rows are not chosen by size: with a
 * tolerance near rounding, rows of which little is left would spoil what follows. A coarse one is safe, and what is
 * really left is then told for each row by itself. */
#ifndef LV_NUM_ROW_RANK_H
#define LV_NUM_ROW_RANK_H

#include "base/status.h"
#include "num/pattern.h"

typedef struct lv_row_rank lv_row_rank;

/* Analyses the pattern. *rank is NULL, which is no error, if the factors would be out of proportion
 * (LV_ROW_RANK_MOST numbers). All memory is taken now, and hardly touched before it is needed. */
enum { LV_ROW_RANK_MOST = 1 << 24 };
lv_status lv_row_rank_create(lv_row_rank **rank, const lv_pattern *pattern,
                             lv_error *err);
void lv_row_rank_free(lv_row_rank *rank);

/* The number of rows of which at most the part `tolerance` is left; -1 if an entry is not finite or stands where
 * the analysed pattern has none. The matrix may lack the last rows of that. */
int lv_row_rank_find(lv_row_rank *rank, const lv_pattern *pattern, const double *values,
                     double tolerance);

/* The k-th of them. */
int lv_row_rank_row(const lv_row_rank *rank, int k);

/* c[r] for all analysed rows: of all sums of c[r] times rows that are not among them, the one that comes nearest to
 * it, all rows being scaled to norm 1; `left` is then the norm of the difference (seminormal equations,
 * corrected: Bjorck 1996, 2.4.6). The numbers are valid until the next call. */
const double *lv_row_rank_combination(lv_row_rank *rank, int k, double *left);

/* That difference, by column. */
const double *lv_row_rank_rest(const lv_row_rank *rank);

#endif
