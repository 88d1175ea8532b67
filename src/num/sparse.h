/* Builds patterns of sparse matrices from lists of entries, and multiplies with such
 * matrices. */
#ifndef LV_NUM_SPARSE_H
#define LV_NUM_SPARSE_H

#include "base/arena.h"
#include "base/memory.h"
#include "base/status.h"
#include "num/pattern.h"

typedef struct lv_entry_place {
    int row, column;
} lv_entry_place;

typedef LV_ARRAY(lv_entry_place) lv_entry_list;

/* Makes the pattern that holds all entries, each once; slot[k] receives the index in it
 * of entry k of the list, unless slot is NULL. The pattern is allocated in the arena. */
lv_status lv_pattern_build(lv_pattern *pattern, int *slot, lv_arena *arena,
                           const lv_entry_place *entries, int count, int rows,
                           int columns, lv_error *err);

int lv_pattern_entries(const lv_pattern *pattern);

/* y += c A x, y += c A^T x */
void lv_sparse_multiply(const lv_pattern *pattern, const double *values, double c,
                        const double *x, double *y);
void lv_sparse_multiply_transposed(const lv_pattern *pattern, const double *values,
                                   double c, const double *x, double *y);

#endif
