/* Saddle-point systems whose upper left part falls into small blocks of coordinates:
 *
 *   A x + B^T y = r,   C x = s
 *
 * B and C are Jacobians of one pattern, taken at different points perhaps. Blocks of A, which join the
 * coordinates that an element couples, are factored; what is left is the matrix C A^-1 B^T of the
 * constraints. Much cheaper than factors of the whole where blocks are small: masses joined in pairs by
 * springs, say. */
#ifndef LV_SYSTEM_CONDENSED_H
#define LV_SYSTEM_CONDENSED_H

#include "base/status.h"
#include "num/pattern.h"

#include <stdbool.h>

typedef struct lv_condensed lv_condensed;

/* A will be a sum of terms with these patterns; `g` is the pattern of B and C. Patterns have to stay. *result
 * is NULL where a block is larger than LV_TWIN_LARGEST (num/twin.h): it is better off with factors, which is no error. */
lv_status lv_condensed_create(lv_condensed **result, const lv_pattern *g,
                              const lv_pattern *const *terms, int term_count,
                              lv_error *err);
void lv_condensed_free(lv_condensed *condensed);

/* A = c * values, in the order of the pattern of term k, or added to what is there. The term with the most
 * entries is best put first. */
void lv_condensed_put(lv_condensed *condensed, int k, const double *values, double c);
void lv_condensed_add(lv_condensed *condensed, int k, const double *values, double c);

/* Factors A and C A^-1 B^T. false: a pivot of A is small beside what stood
 * there, or the constraints are dependent. Pivots are not chosen: A has to be close to a definite matrix. */
bool lv_condensed_factor(lv_condensed *condensed, const double *b, const double *c);

/* x and y hold r and s, then the solution. `c` as it was factored. moved: A^-1 B^T y */
void lv_condensed_solve(lv_condensed *condensed, const double *c, double *x, double *y,
                        double *moved);

#endif
