/* Finds the state that a row shows: results have positions, quaternions and angular
 * velocities of bodies instead of the coordinates of their formulation. */
#ifndef LV_REPORT_PLACING_H
#define LV_REPORT_PLACING_H

#include <livens/model.h>

#include "base/arena.h"
#include "out/sink.h"

/* The source of a coordinate: a column, or component `component` of axis `axis` of a
 * body. */
typedef struct lv_placed {
    const double *position, *velocity; /* columns; velocity is NULL if it is not known */
    const double *quaternion,
        /* of a body: quaternion with w first, angular velocity in body axes or NULL */
        *omega;
    int axis, component;
} lv_placed;

typedef struct lv_placing {
    int count;
    lv_placed *list; /* one per coordinate */
    double *q, *v;
} lv_placing;

/* Everything lives in the arena; the channels must outlive the placing. *complete:
 * whether rows have all coordinates. */
lv_status lv_placing_init(lv_placing *placing, const lv_model *model,
                          const lv_channels *channels, lv_arena *arena, bool *complete,
                          lv_error *err);

/* Computes q and v from the current values of the channels; unknown velocities are 0. */
void lv_placing_fill(const lv_placing *placing);

#endif
