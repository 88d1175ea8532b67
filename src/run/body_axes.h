/* How far bodies whose axes are coordinates turn in a step: h |omega|, where
 *
 *     |omega|^2 = (|e1'|^2 + |e2'|^2 + |e3'|^2)/2.
 *
 * Steps on groups, and those with axes in three unknowns, report it themselves
 * (course/limit.h). */
#ifndef LV_RUN_BODY_AXES_H
#define LV_RUN_BODY_AXES_H

#include "course/state.h"

/* The bodies of a simulation in space. */
typedef struct lv_body_axes {
    int count;
    int (*first)[3]; /* first coordinates of the three axes */
    double doubtful; /* from this angle on a step may be wrong by much (theory 10.1) */
} lv_body_axes;

/* order: of single steps, or of the substeps of composed ones. */
lv_status lv_body_axes_init(lv_body_axes *axes, const lv_model *model, int order,
                            lv_arena *arena, lv_error *err);

/* The body that turns fastest, if its angle in a step of size h is doubtful; otherwise
 * the angle is 0. Velocity i is v[stride i]. */
lv_turned lv_body_axes_turned(const lv_body_axes *axes, const double *v, int stride,
                              double h);

#endif
