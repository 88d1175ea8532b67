/* Where a sparse matrix may have entries: compressed rows. */
#ifndef LV_NUM_PATTERN_H
#define LV_NUM_PATTERN_H

typedef struct lv_pattern {
    int rows, columns;
    const int *start;  /* rows + 1: entries of row i are start[i] .. start[i + 1] - 1 */
    const int *column; /* increasing within a row, no duplicates */
} lv_pattern;

#endif
