/* Corrects gradients of hidden constraints so that they do no work where the mass matrix
 * varies (theory 6.5). The correction is a multiple of a direction that is transverse to
 * the orbits of all symmetries. It is an opaque call of the step language. */
#ifndef LV_SCHEME_TRANSVERSE_H
#define LV_SCHEME_TRANSVERSE_H

#include "scheme/across.h"
#include "step/form.h"
#include "system/system.h"

typedef struct lv_transverse {
    const lv_system *system;
    lv_across across;
    lv_plan *inertia;
    double *room; /* scratch, 4 n numbers */
} lv_transverse;

/* The symmetries and all scratch are allocated in the arena, which must outlive
 * `transverse`. */
lv_status lv_transverse_init(lv_transverse *transverse, const lv_system *system,
                             lv_arena *arena, lv_error *err);
void lv_transverse_done(lv_transverse *transverse);

/* The call across(z, pm, V, dp, a, c) of a step with the mean velocity V, in which the
 * momentum changes by dp about pm. Its results are a velocity and a force to be added to
 * a and c, so that a . dp + h c . V = 0. */
void lv_transverse_apply(void *transverse, const lv_opaque_values *values);

#endif
