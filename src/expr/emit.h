/* Writes a program as a C function:
 *   void NAME(const double *const in[], double *out)
 * in[kind] is the block of inputs of that kind (see lv_input), out the outputs in order.
 * The function computes the same bits as the interpreter if it is compiled with
 * -ffp-contract=off and -fno-builtin-pow (compilers may replace pow(10, x) and the like
 * by other functions). */
#ifndef LV_EXPR_EMIT_H
#define LV_EXPR_EMIT_H

#include "base/text.h"
#include "expr/program.h"

/* Appends the function. The `failed` flag of the text is set if there is no memory. The
 * emitted file needs <math.h>, which the caller includes once. */
void lv_emit_function(lv_text *text, const lv_program *program, const char *name);

#endif
