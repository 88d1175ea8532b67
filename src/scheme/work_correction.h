/* Corrects gradients of hidden constraints so that they do no work where the mass matrix
 * varies (theory 6.5). The correction is a multiple of a direction that is transverse to
 * the orbits of all symmetries. It is an opaque call of the step language. */
#ifndef LV_SCHEME_WORK_CORRECTION_H
#define LV_SCHEME_WORK_CORRECTION_H

#include "scheme/transverse.h"
#include "step/form.h"
#include "system/system.h"

typedef struct lv_work_correction {
    const lv_system *system;
    lv_transverse transverse;
    lv_plan *inertia;
    double *room; /* scratch, 4 n numbers */
} lv_work_correction;

/* The symmetries and all scratch are allocated in the arena, which must outlive
 * `correction`. */
lv_status lv_work_correction_init(lv_work_correction *correction, const lv_system *system,
                                  lv_arena *arena, lv_error *err);
void lv_work_correction_done(lv_work_correction *correction);

/* The call correct(z, pm, V, dp, a, c) of a step with the mean velocity V, in which the
 * momentum changes by dp about pm. Its results are a velocity and a force to be added to
 * a and c, so that a . dp + h c . V = 0. */
void lv_work_correction_apply(void *correction, const lv_opaque_values *values);

#endif
