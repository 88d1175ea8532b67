/* How fast a system can move near a state: the largest rate of the linearised
 * equations. */
#ifndef LV_SYSTEM_FREQUENCY_H
#define LV_SYSTEM_FREQUENCY_H

#include "system/system.h"

/* The largest |mu| of z' = J z, the linearisation of q' = v, v' = a(q, v, t) at a state
 * that satisfies the constraints, a being the accelerations with the forces of the
 * constraints: oscillations, growth and decay alike, in 1/s. 0: nothing oscillates, as
 * far as rounding tells. Fails where there are no accelerations. */
lv_status lv_system_fastest(lv_system *system, double *rate, double t, const double *q,
                            const double *v, lv_error *err);

#endif
