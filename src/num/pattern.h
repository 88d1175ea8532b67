/* Where a sparse matrix may have entries. */
#ifndef LV_NUM_PATTERN_H
#define LV_NUM_PATTERN_H

#include <stdbool.h>

/* Compressed rows. */
typedef struct lv_pattern {
    int rows, columns;
    const int *start;  /* rows + 1: entries of row i are start[i] .. start[i + 1] - 1 */
    const int *column; /* increasing within a row, no duplicates */
    bool threes;       /* entries are known to come in threes: columns j, j + 1, j + 2 */
} lv_pattern;

/* Compressed columns of a square matrix. */
typedef struct lv_column_pattern {
    int n;
    const int *start; /* n + 1: entries of column j are start[j] .. start[j + 1] - 1 */
    const int *row;   /* increasing within a column, no duplicates */
} lv_column_pattern;

#endif
