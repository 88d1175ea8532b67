/* What makes gradients of hidden constraints do no work where the mass matrix varies (theory 6.5): as much of a
 * direction across the orbits of all symmetries as is needed, for the step language. */
#ifndef LV_SCHEME_TRANSVERSE_H
#define LV_SCHEME_TRANSVERSE_H

#include "scheme/across.h"
#include "step/form.h"
#include "system/system.h"

typedef struct lv_transverse {
    const lv_system *system;
    lv_across across;
    lv_plan *inertia;
    double *room; /* 4 n numbers */
} lv_transverse;

/* Symmetries and room are in the arena. */
lv_status lv_transverse_init(lv_transverse *transverse, const lv_system *system,
                             lv_arena *arena, lv_error *err);
void lv_transverse_done(lv_transverse *transverse);

/* The call across(z, pm, V, dp, a, c) of a step with the mean velocity V, in which the momentum changes by dp about pm:
 * velocity and force to be added to a and c, so that a . dp + h c . V = 0. */
void lv_transverse_apply(void *transverse, const lv_opaque_values *values);

#endif
