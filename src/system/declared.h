/* Declared symmetries that are none (theory 1.7).
 *
 * J = p . xi(q, t) of a declared generator xi changes by
 *
 *     d/dt J = xi . (L_q + f) + L_v . (d/dt xi) + mu . G xi + lambda . Phi_v xi
 *
 * along a motion. At the start and at random points near it that satisfy the constraints,
 * the first two terms have to vanish together, G xi and Phi_v xi row by row. What is not
 * seen there is not said: a wall far away, and terms whose numbers are lost, prove
 * nothing. */
#ifndef LV_SYSTEM_DECLARED_H
#define LV_SYSTEM_DECLARED_H

#include "system/system.h"

/* Fills system->spoilt, once: for every declared symmetry NULL, or a text that begins
 * with the place of its generator and says which term spoils it and by how much. */
lv_status lv_declared_judge(lv_system *system, lv_error *err);

#endif
