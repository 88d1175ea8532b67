/* Properties of a system by which a step is simplified for it. */
#ifndef LV_STEP_FACTS_H
#define LV_STEP_FACTS_H

#include <stdbool.h>

typedef struct lv_step_facts {
    /* bodies move on groups: carried momenta are in space axes, and positions are no
     * sums */
    bool on_groups;
    bool mass_constant;     /* p(q, v) = M v with a constant M (on groups in body axes) */
    bool mass_solvable;     /* M x = b can be solved block by block, and this is wanted */
    bool momentum_affine;   /* momenta are affine in the velocities */
    bool rolling_affine;    /* nonholonomic constraints are affine in the velocities */
    bool force_of_velocity; /* forces depend on velocities */
    bool forced;            /* there are forces without a potential */
    bool applied_of_velocity; /* forces without a potential depend on velocities */

    /* Holonomic constraints are at most quadratic and do not depend on time: their
     * discrete gradients are gradients at the midpoint. */
    bool bilinear;

    /* The carried fields of these names; -1: none. p and v are -1 unless p = M v; on
     * groups they always are. */
    int q, p, v;
} lv_step_facts;

#endif
