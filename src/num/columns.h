/* A sparse matrix by columns, for products with its transpose. Each number of a result is
 * computed at once, so that sums do not wait for each other and results are written
 * once. */
#ifndef LV_NUM_COLUMNS_H
#define LV_NUM_COLUMNS_H

#include "num/pattern.h"
#include "num/repeats.h"

/* A row that touches a group of columns, and its entry for the first of them; its entries
 * for the others follow directly. */
typedef struct lv_touch {
    int row, entry;
} lv_touch;

/* Columns come in groups of `width` (at most 3) that are touched by the same rows: group
 * k has the columns k width, k width + 1, ... touch[start[k]] to touch[start[k + 1] - 1]
 * are the rows that touch it. */
typedef struct lv_columns {
    int width, groups;
    const int *start;
    const lv_touch *touch;
    lv_repeats repeats; /* the same, with groups as lines; indices are row and entry */
} lv_columns;

/* The width of groups: 3 or 2 for points in space or in the plane, if one index can serve
 * all of their coordinates, otherwise 1. */
int lv_columns_width(const lv_pattern *pattern);

/* `width` must be lv_columns_width or divide it. */
lv_status lv_columns_find(lv_columns *columns, lv_arena *arena, const lv_pattern *pattern,
                          int width, lv_error *err);

/* A vector y to which c times a result is added, or which is set to it. */
typedef struct lv_column_target {
    double *y;
    double c;
    bool add;
} lv_column_target;

/* Adds c A^T x to `count` vectors y, or sets them to it. Products of group k are
 * multiplied by factor[k], unless that is NULL. */
void lv_columns_spread(const lv_columns *columns, const lv_column_target *to, int count,
                       const double *values, const double *x, const double *factor);

#endif
