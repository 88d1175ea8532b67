/* The normal form of a step for a system.
 *
 * Definitions are inlined, so that every sum is over carried fields, unknowns and operators; operators are simplified
 * by what is known of the system; equal definitions become one (step/inline.h). Where the mass matrix is constant, an
 * equation M U = ... makes the velocity U a definition (step/reduce.h): the unknowns that are left are multipliers,
 * and the velocities or inner positions without which definitions would depend on each other in a circle. */
#ifndef LV_STEP_NORMAL_H
#define LV_STEP_NORMAL_H

#include "step/facts.h"
#include "step/form.h"

/* Sets q, p and v of the facts; the other facts are given. */
lv_status lv_form_normalise(lv_form *form, lv_step_facts *facts, lv_error *err);

#endif
