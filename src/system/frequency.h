/* The largest rate of the linearised equations near a state: how fast the system can move
 * there. */
#ifndef LV_SYSTEM_FREQUENCY_H
#define LV_SYSTEM_FREQUENCY_H

#include "system/system.h"

/* Sets *rate to the largest |mu| of z' = J z, in 1/s: the linearisation of q' = v, v' =
 * a(q, v, t) at a state that satisfies the constraints, where a includes the constraint
 * forces. Oscillations, growth and decay count alike. 0: nothing oscillates, up to
 * rounding. Fails where accelerations cannot be computed. */
lv_status lv_system_fastest(lv_system *system, double *rate, double t, const double *q,
                            const double *v, lv_error *err);

#endif
