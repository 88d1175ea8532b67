/* Finds the bodies of a system on groups that rotate freely between kicks. */
#ifndef LV_COURSE_FREE_BODIES_H
#define LV_COURSE_FREE_BODIES_H

#include "group/free.h"
#include "system/system.h"

/* Fills `bodies`, one for each pose, for a system whose poses are not coupled and whose
 * mass matrix is constant. *coupled becomes a tangent of a body that shares kinetic
 * energy with something else and so does not rotate freely; -1: there is none. If
 * `bodies` is NULL only *coupled is set. */
lv_status lv_free_bodies_find(lv_free_body *bodies, int *coupled, const lv_system *system,
                              lv_error *err);

#endif
