/* Newton matrices whose first lines fall into many small sets that only the other lines
 * join: velocities of bodies, which multipliers join. The sets are eliminated one by one,
 * and a matrix for the other lines is left:
 *
 *     | N  B |
 *     | C  D |     S = D - C N^-1 B,   N being small blocks along the diagonal.
 *
 * It is declared and filled block by block, as system/assembly.h is. */
#ifndef LV_STEP_CONDENSED_H
#define LV_STEP_CONDENSED_H

#include "system/assembly.h"

typedef struct lv_condensed lv_condensed;

/* `size` lines, of which the first `inner` are to be eliminated; at most `blocks` blocks.
 * NULL without memory. */
lv_condensed *lv_condensed_create(int size, int inner, int blocks);
void lv_condensed_free(lv_condensed *condensed);

/* As lv_assembly_block. */
void lv_condensed_block(lv_condensed *condensed, const lv_pattern *pattern,
                        lv_range_of rows, lv_range_of columns, bool transposed);

/* Ends the declaration. good: the sets are small, and there are several. */
lv_status lv_condensed_finish(lv_condensed *condensed, bool *good, lv_error *err);

void lv_condensed_clear(lv_condensed *condensed);
void lv_condensed_add(lv_condensed *condensed, int block, const double *values, double c);

/* Eliminates: lv_condensed_linear has the matrix that is left, to be factored. false:
 * singular. */
bool lv_condensed_reduce(lv_condensed *condensed);

/* The same, and factors it. lines: those that are left out, none of which is an inner
 * one; NULL: none. false: singular. */
bool lv_condensed_factor(lv_condensed *condensed, const bool *lines);

/* Such lines will be left out again and again. */
lv_status lv_condensed_expect_left_out(lv_condensed *condensed, const bool *lines,
                                       lv_error *err);

/* Factors the sets alone: all other lines are left out, and blocks outside of N need not
 * have been added. */
bool lv_condensed_factor_sets(lv_condensed *condensed);
void lv_condensed_solve(lv_condensed *condensed, double *x);

/* What is left; NULL: nothing. */
lv_linear *lv_condensed_linear(const lv_condensed *condensed);

#endif
