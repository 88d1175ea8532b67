/* Numerical rank of small dense matrices. */
#ifndef LV_NUM_RANK_H
#define LV_NUM_RANK_H

/* Rank of the rows x columns matrix a (row-major, overwritten). Rows, then columns, are
 * scaled to largest entry 1, so that units do not matter; then Gaussian elimination with
 * full pivoting stops at the first pivot below `tolerance`. */
int lv_rank(double *a, int rows, int columns, double tolerance);

#endif
