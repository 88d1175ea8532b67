/* Which constraints depend on others at a point, judged from their gradients G alone. G
 * M^-1 G^T is no judge: it loses rank where M does, and half of the digits.
 *
 * Sparse factors show what is left of each row off the span of the others
 * (num/row_rank.h). In a clear case, nothing or much, that is all. Otherwise the rows
 * that depend on each other fall into sets, mostly small ones, each of which is judged by
 * itself, with the most independent rows first (num/least_norm.h). Where there are few
 * rows in all, they are one set from the start.
 *
 * What is found depends on the gradients alone, never on those of earlier looks: a run
 * that is resumed takes the same steps. */
#ifndef LV_SYSTEM_DEPENDENCE_H
#define LV_SYSTEM_DEPENDENCE_H

#include "base/status.h"
#include "num/linear.h"
#include "num/pattern.h"

#include <stdbool.h>

typedef struct lv_dependence lv_dependence;

/* For gradients with this pattern, or the first rows of it. All memory is reserved, and
 * most of it not touched before it is needed. */
lv_status lv_dependence_create(lv_dependence **dependence, const lv_pattern *pattern,
                               lv_error *err);
void lv_dependence_free(lv_dependence *dependence);

/* Looks at the gradients: the number of those that are combinations of others, but for a
 * part of `tolerance`; -1 if something is not finite, or if the case is not clear and
 * more than LV_DEPENDENCE_MOST depend on each other. */
enum { LV_DEPENDENCE_MOST = 600 };
int lv_dependence_look(lv_dependence *dependence, const lv_pattern *pattern,
                       const double *values, double tolerance);

/* The same, but rows that depend on each other are always judged as sets, unless these
 * are too large: the most independent ones are found even where the case is clear, which
 * takes longer. */
int lv_dependence_look_closely(lv_dependence *dependence, const lv_pattern *pattern,
                               const double *values, double tolerance);

/* Constraints that depend on each other where they hold do so to rounding, which matters
 * most where one of the gradients is small. */
#define LV_DEPENDENT 1e-8

/* Of the last look: whether more depend on each other, its number, the number of
 * dependent gradients, the k-th of them. */
bool lv_dependence_too_many(const lv_dependence *dependence);
int lv_dependence_looks(const lv_dependence *dependence);
int lv_dependence_count(const lv_dependence *dependence);
int lv_dependence_row(const lv_dependence *dependence, int k);

/* weights[r] for all rows: the k-th dependent gradient is minus the sum of the others
 * times their weights; its own is 1. The numbers are the dependence's, until the next
 * call. */
const double *lv_dependence_weights(lv_dependence *dependence, int k);

/* Of all y with the same sum of gradients, G^T y, that which is zero for dependent ones,
 * and that of least norm. The gradients are those of the last look. */
void lv_dependence_without(lv_dependence *dependence, const lv_pattern *pattern,
                           const double *values, double *y);
void lv_dependence_least_norm(lv_dependence *dependence, const lv_pattern *pattern,
                              const double *values, double *y);

/* Factors a matrix with a line for each gradient, `first` being that of the first one,
 * like G M^-1 G^T: where it is singular, without the lines of those that depend on others
 * (lv_linear_leave_out). If the equations are consistent they hold all the same. */
bool lv_dependence_factor(lv_dependence *dependence, lv_linear *linear, int first,
                          const lv_pattern *pattern, const double *values);

#endif
