/* The normal form of a step for a system.
 *
 * Definitions are inlined, so that every sum is over carried fields, unknowns and
 * operators; operators are simplified by the facts about the system; equal definitions
 * become one (step/inline.h). If the mass matrix is constant, an equation M U = ... turns
 * the velocity U into a definition (step/reduce.h). The remaining unknowns are
 * multipliers, and those velocities or inner positions without which definitions would
 * depend on each other in a cycle. */
#ifndef LV_STEP_NORMAL_H
#define LV_STEP_NORMAL_H

#include "step/facts.h"
#include "step/form.h"

/* Brings the form into its normal form. Sets q, p and v of the facts; all other facts are
 * given. */
lv_status lv_form_normalise(lv_form *form, lv_step_facts *facts, lv_error *err);

#endif
