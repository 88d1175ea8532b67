/* The operations of the expression graph, as one list. The interpreter, the folding of
 * constants and the C emitter all expand it, so they agree to the last bit.
 *
 * X(name, number of operands, value in C with the operands a, b, c) */
#ifndef LV_EXPR_OP_H
#define LV_EXPR_OP_H

#define LV_OP_LIST(X)                                                                    \
    X(ADD, 2, a + b)                                                                     \
    X(SUB, 2, a - b)                                                                     \
    X(MUL, 2, a *b)                                                                      \
    X(DIV, 2, a / b)                                                                     \
    X(NEG, 1, -a)                                                                        \
    X(SQUARE, 1, a *a)                                                                   \
    X(SQRT, 1, sqrt(a))                                                                  \
    X(SIN, 1, sin(a))                                                                    \
    X(COS, 1, cos(a))                                                                    \
    X(TAN, 1, tan(a))                                                                    \
    X(ASIN, 1, asin(a))                                                                  \
    X(ACOS, 1, acos(a))                                                                  \
    X(ATAN, 1, atan(a))                                                                  \
    X(SINH, 1, sinh(a))                                                                  \
    X(COSH, 1, cosh(a))                                                                  \
    X(TANH, 1, tanh(a))                                                                  \
    X(EXP, 1, exp(a))                                                                    \
    X(LOG, 1, log(a))                                                                    \
    X(ABS, 1, fabs(a))                                                                   \
    X(SIGN, 1, (double)((a > 0) - (a < 0)))                                              \
    X(POW, 2, pow(a, b))                                                                 \
    X(ATAN2, 2, atan2(a, b))                                                             \
    X(MIN, 2, b < a ? b : a)                                                             \
    X(MAX, 2, a < b ? b : a)                                                             \
    X(LESS, 2, (double)(a < b))                                                          \
    X(LESS_EQUAL, 2, (double)(a <= b))                                                   \
    X(EQUAL, 2, (double)(a == b))                                                        \
    X(SELECT, 3, a != 0 ? b : c)

typedef enum lv_op {
    LV_OP_CONST, /* a constant */
    LV_OP_INPUT, /* an input: operand a is its kind, b its index */
#define LV_X(name, arity, value) LV_OP_##name,
    LV_OP_LIST(LV_X)
#undef LV_X
        LV_OP_COUNT
} lv_op;

int lv_op_arity(lv_op op);
const char *lv_op_name(lv_op op); /* "ADD", "SQRT", ...: for dumps */
const char *lv_op_c_text(lv_op op);

/* The value of an operation; unused operands are ignored. */
double lv_op_value(lv_op op, double a, double b, double c);

#endif
