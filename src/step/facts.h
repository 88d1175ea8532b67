/* What is known of a system when a step is simplified for it. */
#ifndef LV_STEP_FACTS_H
#define LV_STEP_FACTS_H

#include <stdbool.h>

typedef struct lv_step_facts {
    bool on_groups; /* momenta that are carried are spatial, and positions are no sums */
    bool mass_constant;     /* p(q, v) = M v with a constant M, on groups in body axes */
    bool mass_solvable;     /* M is constant and can be solved with, block by block */
    bool momentum_affine;   /* momenta are affine in the velocities */
    bool rolling_affine;    /* nonholonomic constraints are affine in the velocities */
    bool force_of_velocity; /* forces depend on velocities */
    bool forced;            /* there are forces without a potential */
    bool applied_of_velocity; /* forces without a potential depend on velocities */

    /* Holonomic constraints are at most quadratic and do not depend on time: their discrete gradients are gradients
     * at the midpoint. */
    bool bilinear;

    int q, p,
        v; /* the carried fields of these names, with p = M v; -1: none, as on groups */
} lv_step_facts;

#endif
