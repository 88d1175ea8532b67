/* Newton matrices whose first lines fall into many small sets that are joined only by the
 * other lines: velocities of bodies, joined by multipliers. The sets are eliminated one
 * by one, which leaves a matrix S for the other lines:
 *
 *     | N  B |
 *     | C  D |     S = D - C N^-1 B,   where N consists of small diagonal blocks.
 *
 * Blocks are declared and added as in system/assembly.h. */
#ifndef LV_COURSE_CONDENSED_H
#define LV_COURSE_CONDENSED_H

#include "system/assembly.h"

typedef struct lv_condensed lv_condensed;

/* Creates a matrix of `size` lines, of which the first `inner` are eliminated, with at
 * most `blocks` blocks. Returns NULL without memory. */
lv_condensed *lv_condensed_create(int size, int inner, int blocks);
void lv_condensed_free(lv_condensed *condensed);

/* As lv_assembly_block. */
void lv_condensed_block(lv_condensed *condensed, const lv_pattern *pattern,
                        lv_range_of rows, lv_range_of columns, bool transposed);

/* Ends the declaration. *good tells whether the sets are small and there are several;
 * otherwise the matrix must not be used. */
lv_status lv_condensed_finish(lv_condensed *condensed, bool *good, lv_error *err);

void lv_condensed_clear(lv_condensed *condensed);
void lv_condensed_add(lv_condensed *condensed, int block, const double *values, double c);

/* Eliminates the inner lines; lv_condensed_linear then has S, to be factored. Returns
 * false if a set is singular. */
bool lv_condensed_reduce(lv_condensed *condensed);

/* Eliminates the inner lines and factors S. `lines`, which must not be inner ones, are
 * left out; NULL: none. Returns false if the matrix is singular. */
bool lv_condensed_factor(lv_condensed *condensed, const bool *lines);

/* Announces that these lines will be left out repeatedly (lv_linear_expect_left_out). */
lv_status lv_condensed_expect_left_out(lv_condensed *condensed, const bool *lines,
                                       lv_error *err);

void lv_condensed_solve(lv_condensed *condensed, double *x);

/* The linear system of S; NULL if all lines are inner ones. */
lv_linear *lv_condensed_linear(const lv_condensed *condensed);

#endif
