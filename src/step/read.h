/* The step language: reads the text of a scheme into a form.
 *
 *   carried NAME KIND, ...        a field that is carried from step to step
 *   unknown NAME[i] KIND, ...     found by the solver
 *   let NAME[i] = SUM             a definition
 *   point NAME[i] at PART = SUM   a configuration at the time t + PART h
 *   eq NAME[i]: SUM               SUM = 0 is the equation of this unknown
 *   eq NAME[i] once: SUM          holds in the last substep of a composed step only
 *   eq NAME[i] dependent: SUM     holds only in steps in which constraints are dependent
 *   call NAME KIND, ... = FUNCTION(NAME, ...)
 *                                 fields that a function of the scheme computes from others
 *   assign NAME[i] <- SUM         the new value of a carried field
 *   first NAME[i] <- SUM          its value before the first step
 *   show NAME[i], ...             fields that are wanted after the step
 *   when FACT: STATEMENT          the statement counts if the fact holds
 *   when not FACT: STATEMENT      the statement counts if the fact does not hold
 *   ... for i = FROM..TO          after a statement: only for these members of the index set
 *
 * Every statement is a line; lines that begin with a blank continue the line before; #
 * begins a comment. Kinds are point, tangent, momentum, multiplier g, multiplier Phi,
 * impulse g. A sum has terms "number h^k coefficient[i,j] NAME[j]" or "...
 * OPERATOR(NAME[i], NAME[i]; NAME[i])"; an index that is not on the left side is summed
 * over. Operators are those of step/operator.h. Group operators are the identity or 0 for
 * plain coordinates: move(q, x) = q + x, drift(q, x) = q + x, D(x, e) = e, DT(x, w) = w,
 * DTm(x, w) = w, B(x, e, w) = 0, space(q, w) = w, body(q, w) = w. */
#ifndef LV_STEP_READ_H
#define LV_STEP_READ_H

#include "step/table.h"

/* sizes[space] is the number of coordinates of each space. Empty spaces (no constraints
 * of this kind) are left out, with all statements and terms that need them. A mistake in
 * the text returns LV_ERR_USAGE with its line: texts are part of the program. */
lv_status lv_form_read(lv_form *form, const char *text, const lv_step_table *table,
                       const int sizes[LV_SPACES], lv_error *err);

#endif
