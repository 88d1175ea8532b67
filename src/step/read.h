/* The step language: reads the text of a scheme into a form.
 *
 *   carried NAME KIND, ...            a field that goes from step to step
 *   unknown NAME[i] KIND, ...         found by the solver
 *   let NAME[i] = SUM                 a definition
 *   point NAME[i] at PART = SUM       a configuration at the time t + PART h
 *   eq NAME[i]: SUM                   SUM = 0 is the equation that belongs to this unknown
 *   eq NAME[i] once: SUM              asked at the end of a composed step only
 *   eq NAME[i] dependent: SUM         asked in steps in which constraints depend on each other only
 *   call NAME KIND, ... = FUNCTION(NAME, ...)   fields that a function of the scheme makes of others
 *   assign NAME <- SUM                what a carried field becomes
 *   first NAME <- SUM                 what it becomes before the first step
 *   show NAME[i], ...                 fields that are wanted when the step is over
 *   when FACT: STATEMENT              the statement counts if the fact holds; `when not FACT: ...`
 *   ... for i = FROM..TO              after a statement: not for all members of the index set
 *
 * Every statement is a line; lines that begin with a blank continue the one before; #
 * begins a comment. Kinds are point, tangent, momentum, multiplier g, multiplier Phi,
 * impulse g. A sum has terms "number h^k coefficient[i,j] NAME[j]" or "...
 * OPERATOR(NAME[i], NAME[i]; NAME[i])"; an index that is not on the left side is summed
 * over. Operators are those of step/operator.h, and those of motion on groups, which for
 * plain coordinates are 1 or 0: move(q, x) = q + x, drift(q, x) = q + x, D(x, e) = e,
 * DT(x, w) = w, DTm(x, w) = w, B(x, e, w) = 0, space(q, w) = w, body(q, w) = w. */
#ifndef LV_STEP_READ_H
#define LV_STEP_READ_H

#include "step/table.h"

/* Spaces that have no coordinates (no constraints of this kind) are left out, with all
 * statements and terms that need them: sizes[space]. A mistake in the text is
 * LV_ERR_USAGE with its line: texts are part of the program. */
lv_status lv_form_read(lv_form *form, const char *text, const lv_step_table *table,
                       const int sizes[LV_SPACES], lv_error *err);

#endif
