/* How fast G M^-1 G^T shrinks along the motion, against itself. */
#ifndef LV_SYSTEM_SCHUR_CHANGE_H
#define LV_SYSTEM_SCHUR_CHANGE_H

#include "system/system.h"

/* How fast A = G M^-1 G^T of the holonomic constraints shrinks along the velocities where it does so fastest: -mu of the
 * least mu with A' y = mu A y at a state, in 1/s; 0 if it grows everywhere. `row` takes the largest part in y (-1: there is
 * none). There is no bound where constraints become dependent. 0 for systems without constraints, and for singular mass
 * matrices. */
lv_status lv_system_schur_shrinking(lv_system *system, const lv_point *at, double *rate,
                                    int *row, lv_error *err);

#endif
