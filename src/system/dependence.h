/* Finds which constraints depend on others at a point, from their gradients G alone. G
 * M^-1 G^T is not suited: it loses rank where M does, and half of the digits.
 *
 * Sparse factors give the remainder of each row, orthogonal to the span of the others
 * (num/row_rank.h). If every remainder is either negligible or large, that is the answer.
 * Otherwise the rows that depend on each other fall into sets, mostly small ones, each of
 * which is judged by itself with the most independent rows first (num/least_norm.h). Few
 * rows form one set from the start.
 *
 * The result depends on the given gradients alone, never on earlier calls: a resumed run
 * takes the same steps. */
#ifndef LV_SYSTEM_DEPENDENCE_H
#define LV_SYSTEM_DEPENDENCE_H

#include "base/status.h"
#include "num/linear.h"
#include "num/pattern.h"

#include <stdbool.h>

typedef struct lv_dependence lv_dependence;

/* For gradients with this pattern, or its first rows. All memory is reserved now, and
 * most of it not touched before it is needed. */
lv_status lv_dependence_create(lv_dependence **dependence, const lv_pattern *pattern,
                               lv_error *err);
void lv_dependence_free(lv_dependence *dependence);

/* Examines the gradients and returns the number of those that are combinations of others
 * up to a relative remainder of `tolerance`. Returns -1 if a value is not finite, or if
 * the case is not clear and more than LV_DEPENDENCE_MOST rows depend on each other. */
enum { LV_DEPENDENCE_MOST = 600 };
int lv_dependence_look(lv_dependence *dependence, const lv_pattern *pattern,
                       const double *values, double tolerance);

/* The same, but rows that depend on each other are always judged as sets, unless these
 * are too large. The most independent rows are then found even in a clear case, which
 * takes longer. */
int lv_dependence_look_closely(lv_dependence *dependence, const lv_pattern *pattern,
                               const double *values, double tolerance);

/* The usual tolerance. Where constraints hold, dependent ones are dependent up to
 * rounding, whose effect is largest where one of the gradients is small. */
#define LV_DEPENDENT 1e-8

/* Results of the last examination: whether more than LV_DEPENDENCE_MOST rows depend on
 * each other; how many examinations there were; the number of dependent gradients; the
 * k-th of them. */
bool lv_dependence_too_many(const lv_dependence *dependence);
int lv_dependence_looks(const lv_dependence *dependence);
int lv_dependence_count(const lv_dependence *dependence);
int lv_dependence_row(const lv_dependence *dependence, int k);

/* weights[r] for all rows: the k-th dependent gradient is minus the sum of the others
 * times their weights; its own weight is 1. The array belongs to the lv_dependence and is
 * valid until the next call. */
const double *lv_dependence_weights(lv_dependence *dependence, int k);

/* Replace y by another vector with the same G^T y: one that is zero for dependent
 * gradients, or the one of least norm. The gradients must be those of the last
 * examination. */
void lv_dependence_without(lv_dependence *dependence, const lv_pattern *pattern,
                           const double *values, double *y);
void lv_dependence_least_norm(lv_dependence *dependence, const lv_pattern *pattern,
                              const double *values, double *y);

/* Factors a matrix that has a line for each gradient, beginning at line `first`, such as
 * G M^-1 G^T. If it is singular, the lines of dependent gradients are left out
 * (lv_linear_leave_out). Consistent equations are satisfied all the same. */
bool lv_dependence_factor(lv_dependence *dependence, lv_linear *linear, int first,
                          const lv_pattern *pattern, const double *values);

#endif
