/* Which constraints depend on others at a point, judged from their gradients G alone. G M^-1 G^T is
 * no judge: it loses rank where M does, and half of the digits. */
#ifndef LV_SYSTEM_DEPENDENCE_H
#define LV_SYSTEM_DEPENDENCE_H

#include "base/status.h"
#include "num/pattern.h"

#include <stdbool.h>

typedef struct lv_dependence lv_dependence;

/* For up to `rows` gradients of `columns` entries. The memory for it is reserved, and not touched before it is
 * needed. */
lv_status lv_dependence_create(lv_dependence **dependence, int rows, int columns,
                               lv_error *err);
void lv_dependence_free(lv_dependence *dependence);

/* Looks at the gradients: the number of those that are combinations of others, but for a part of
 * `tolerance`; -1 if there are too many to tell (600, of 12000 entries). */
int lv_dependence_look(lv_dependence *dependence, const lv_pattern *pattern,
                       const double *values, double tolerance);

/* Constraints that depend on each other where they hold do so to rounding, which matters most where one of the
 * gradients is small. */
#define LV_DEPENDENT 1e-8

/* Of the last look: the number of dependent gradients, the k-th of them, whether that is zero. */
int lv_dependence_count(const lv_dependence *dependence);
int lv_dependence_row(const lv_dependence *dependence, int k);
bool lv_dependence_vanishes(const lv_dependence *dependence, int k);

/* weights[r] for all rows: the k-th dependent gradient is minus the sum of the others times their
 * weights; its own is 1. The numbers are the dependence's, until the next call. */
const double *lv_dependence_weights(lv_dependence *dependence, int k);

/* Of all y with the same sum of gradients, G^T y, that of least norm. The gradients are those of the last
 * look. */
void lv_dependence_least_norm(lv_dependence *dependence, const lv_pattern *pattern,
                              const double *values, double *y);

#endif
