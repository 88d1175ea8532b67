/* The state that a row shows: results have positions, quaternions and angular velocities of bodies instead of the
 * coordinates of their formulation. */
#ifndef LV_REPORT_PLACING_H
#define LV_REPORT_PLACING_H

#include <livens/model.h>

#include "base/arena.h"
#include "out/sink.h"

/* Where a coordinate comes from: a column, or component `component` of axis `axis` of a body. */
typedef struct lv_placed {
    const double *position, *velocity; /* columns; velocity may be NULL: not known */
    const double *quaternion,
        *omega; /* of a body, w first and in body axes; omega may be NULL */
    int axis, component;
} lv_placed;

typedef struct lv_placing {
    int count;
    lv_placed *list; /* by coordinate */
    double *q, *v;
} lv_placing;

/* Everything lives in the arena; channels outlive the placing. *complete: whether rows have all coordinates. */
lv_status lv_placing_init(lv_placing *placing, const lv_model *model,
                          const lv_channels *channels, lv_arena *arena, bool *complete,
                          lv_error *err);

/* Fills q and v from the values that the channels have now; velocities that are not known are 0. */
void lv_placing_fill(const lv_placing *placing);

#endif
