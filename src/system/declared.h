/* Finds declared symmetries that are none (theory 1.7).
 *
 * J = p . xi(q, t) of a declared generator xi changes by
 *
 *     d/dt J = xi . (L_q + f) + L_v . (d/dt xi) + mu . G xi + lambda . Phi_v xi
 *
 * along a motion. At the start and at random points near it that satisfy the constraints,
 * the sum of the first two terms must vanish, and G xi and Phi_v xi row by row. Only
 * violations found at these points are reported: nothing is concluded about a wall far
 * away, or from terms too small to be computed. */
#ifndef LV_SYSTEM_DECLARED_H
#define LV_SYSTEM_DECLARED_H

#include "system/system.h"

/* Fills system->spoilt on the first call: for every declared symmetry NULL, or a text
 * that begins with the place of its generator and says which term breaks it and by how
 * much. */
lv_status lv_declared_judge(lv_system *system, lv_error *err);

#endif
