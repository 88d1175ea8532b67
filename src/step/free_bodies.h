/* Bodies of a system on groups as bodies that turn freely between kicks. */
#ifndef LV_STEP_FREE_BODIES_H
#define LV_STEP_FREE_BODIES_H

#include "group/free.h"
#include "system/system.h"

/* The bodies, one for each pose, of a system whose poses are not coupled and whose mass
 * matrix is constant. *coupled: a tangent of a body whose kinetic energy is also that of
 * something else, so that it does not turn freely; -1: there is none. bodies NULL: only
 * this. */
lv_status lv_free_bodies_find(lv_free_body *bodies, int *coupled, const lv_system *system,
                              lv_error *err);

#endif
