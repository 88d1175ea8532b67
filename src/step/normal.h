/* The normal form of a step for a system.
 *
 * Definitions are inlined, so that every sum is over carried fields, unknowns and operators; operators are simplified
 * by what is known of the system; equal definitions become one. Where the mass matrix is constant, an equation
 * M U = ... makes the velocity U a definition: what has to be solved for are multipliers, and the velocities or inner
 * positions that no order of evaluation can do without. */
#ifndef LV_STEP_NORMAL_H
#define LV_STEP_NORMAL_H

#include "step/form.h"

/* What is known of a system. */
typedef struct lv_step_facts {
    bool mass_constant;       /* p = M v with a constant M */
    bool mass_solvable;       /* and M can be solved with, block by block */
    bool momentum_affine;     /* momenta are affine in the velocities, */
    bool rolling_affine;      /* and so are the nonholonomic constraints */
    bool force_of_velocity;   /* forces depend on velocities */
    bool forced;              /* there are forces without potential, */
    bool applied_of_velocity; /* which depend on velocities */
    bool
        bilinear; /* constraints are at most quadratic and do not move: discrete gradients are gradients at the middle */
    int q, p, v;  /* the carried fields with p = M v, found by name; -1: none */
} lv_step_facts;

lv_status lv_form_normalise(lv_form *form, lv_step_facts *facts, lv_error *err);

#endif
