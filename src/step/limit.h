/* Steps in which bodies turn by the chart cay with the momentum D(x)^T J x (theory 10.8): about a principal axis the angle
 * of a step is asin(h omega). There is no such step beyond h omega = 1, and where there is one there is a second, which
 * turns by more than a quarter and is none of the motion. */
#ifndef LV_STEP_LIMIT_H
#define LV_STEP_LIMIT_H

#include "step/course.h"
#include "step/state.h"

/* After the equations were solved or, failed, could not be: LV_ERR_NUMERIC if a body turns too far. For failed steps the
 * velocities at their start decide, which may not be those of the step: `err` stays as it is where these are small. */
lv_status lv_limit_check(const lv_course *course, const lv_state *from, double h,
                         bool failed, lv_error *err);

#endif
