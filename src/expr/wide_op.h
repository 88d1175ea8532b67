/* The operations of formulas on wide numbers, and their partial derivatives in closed
 * form: that of tanh(1e4) is 4 exp(-2e4), not zero. */
#ifndef LV_EXPR_WIDE_OP_H
#define LV_EXPR_WIDE_OP_H

#include "expr/op.h"
#include "expr/wide.h"

/* The value of an operation with one operand, a, or two; NaN if it has none. */
lv_wide lv_wide_value(lv_op op, lv_wide a, lv_wide b);

/* The derivatives of an operation by a and b; one-sided if it has none. */
void lv_wide_slopes(lv_op op, lv_wide by[2], lv_wide a, lv_wide b, lv_wide value);

#endif
