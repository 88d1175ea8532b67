/* Generates the code of a tape: it assigns values to registers and chooses the
 * instructions of each operation. */
#ifndef LV_EXPR_CODE_X86_H
#define LV_EXPR_CODE_X86_H

#include "expr/tape.h"
#include "expr/x86.h"

/* Appends the function to x, whose `vex` and `width` are set, for a multiple of `width`
 * lanes. Returns false if there is no memory, or not enough spare slots for the order of
 * the tape. */
bool lv_code_x86(lv_x86 *x, const lv_tape *tape, int lanes);

#endif
