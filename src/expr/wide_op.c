#include "expr/wide_op.h"

static lv_wide number(double x)
{
    return lv_wide_of(x);
}

/* A function f(x) with |f(x)| < limit and f(x) = x near 0 */
static lv_wide bounded(double (*f)(double), lv_wide x, double limit)
{
    if (x.e < 0)
        return x;
    return number(x.e > 0 ? copysign(limit, x.m) : f(x.m));
}

/* sin, cos, tan and their inverses need x as a double: NaN beyond the range of doubles */
static lv_wide plain(double (*f)(double), lv_wide x)
{
    return x.e > 0 ? number(NAN) : number(f(lv_wide_double(x)));
}

static lv_wide odd(double (*f)(double), lv_wide x)
{
    return x.e < 0 ? x : plain(f, x);
}

/* (exp(x) + sign exp(-x)) / 2 */
static lv_wide hyperbolic(lv_wide x, double sign)
{
    const lv_wide up = lv_wide_exp(x), down = lv_wide_exp(lv_wide_neg(x));
    if (x.e <= 0 && fabs(x.m) < 1)
        return sign > 0  ? number(cosh(lv_wide_double(x)))
               : x.e < 0 ? x
                         : number(sinh(x.m));
    return lv_wide_mul(number(0.5),
                       sign > 0 ? lv_wide_add(up, down) : lv_wide_sub(up, down));
}

lv_wide lv_wide_value(lv_op op, lv_wide a, lv_wide b)
{
    switch ((int)op) {
    case LV_OP_ADD:
        return lv_wide_add(a, b);
    case LV_OP_SUB:
        return lv_wide_sub(a, b);
    case LV_OP_MUL:
        return lv_wide_mul(a, b);
    case LV_OP_DIV:
        return lv_wide_div(a, b);
    case LV_OP_NEG:
        return lv_wide_neg(a);
    case LV_OP_SQUARE:
        return lv_wide_mul(a, a);
    case LV_OP_SQRT:
        return lv_wide_sqrt(a);
    case LV_OP_SIN:
        return odd(sin, a);
    case LV_OP_COS:
        return plain(cos, a);
    case LV_OP_TAN:
        return odd(tan, a);
    case LV_OP_ASIN:
        return odd(asin, a);
    case LV_OP_ACOS:
        return plain(acos, a);
    case LV_OP_ATAN:
        return bounded(atan, a, acos(0));
    case LV_OP_SINH:
        return hyperbolic(a, -1);
    case LV_OP_COSH:
        return hyperbolic(a, 1);
    case LV_OP_TANH:
        return bounded(tanh, a, 1);
    case LV_OP_EXP:
        return lv_wide_exp(a);
    case LV_OP_LOG:
        return lv_wide_log(a);
    case LV_OP_ABS:
        return lv_wide_abs(a);
    case LV_OP_SIGN:
        return number((a.m > 0) - (a.m < 0));
    case LV_OP_POW:
        return lv_wide_pow(a, b);
    case LV_OP_ATAN2:
        return lv_wide_atan2(a, b);
    case LV_OP_MIN:
        return lv_wide_compare(b, a) < 0 ? b : a;
    case LV_OP_MAX:
        return lv_wide_compare(a, b) < 0 ? b : a;
    case LV_OP_LESS:
        return number(lv_wide_compare(a, b) < 0);
    case LV_OP_LESS_EQUAL:
        return number(lv_wide_compare(a, b) <= 0);
    case LV_OP_EQUAL:
        return number(lv_wide_compare(a, b) == 0);
    default:
        return number(NAN);
    }
}

/* 4 E / (1 + E)^2 with E = exp(-2 |x|): the derivative of tanh */
static lv_wide slope_of_tanh(lv_wide x)
{
    const lv_wide e = lv_wide_exp(lv_wide_mul(number(-2), lv_wide_abs(x)));
    const lv_wide sum = lv_wide_add(number(1), e);
    return lv_wide_div(lv_wide_mul(number(4), e), lv_wide_mul(sum, sum));
}

/* 1 + x^2, or (1 - x) (1 + x) */
static lv_wide one_and_square(lv_wide x, bool minus)
{
    const lv_wide one = number(1);
    if (!minus)
        return lv_wide_add(one, lv_wide_mul(x, x));
    return lv_wide_mul(lv_wide_sub(one, x), lv_wide_add(one, x));
}

static lv_wide slope_of_one(lv_op op, lv_wide a, lv_wide value)
{
    const lv_wide one = number(1);
    switch ((int)op) {
    case LV_OP_NEG:
        return number(-1);
    case LV_OP_SQUARE:
        return lv_wide_mul(number(2), a);
    case LV_OP_SQRT:
        return lv_wide_div(number(0.5), value);
    case LV_OP_SIN:
        return plain(cos, a);
    case LV_OP_COS:
        return lv_wide_neg(odd(sin, a));
    case LV_OP_TAN:
        return one_and_square(value, false);
    case LV_OP_ASIN:
        return lv_wide_div(one, lv_wide_sqrt(one_and_square(a, true)));
    case LV_OP_ACOS:
        return lv_wide_div(number(-1), lv_wide_sqrt(one_and_square(a, true)));
    case LV_OP_ATAN:
        return lv_wide_div(one, one_and_square(a, false));
    case LV_OP_SINH:
        return hyperbolic(a, 1);
    case LV_OP_COSH:
        return hyperbolic(a, -1);
    case LV_OP_TANH:
        return slope_of_tanh(a);
    case LV_OP_EXP:
        return value;
    case LV_OP_LOG:
        return lv_wide_div(one, a);
    case LV_OP_ABS:
        return number((a.m > 0) - (a.m < 0));
    default: /* sign is constant where it has a derivative */
        return number(0);
    }
}

static void slopes_of_two(lv_op op, lv_wide by[2], lv_wide a, lv_wide b, lv_wide value)
{
    const lv_wide one = number(1), zero = number(0);
    lv_wide r;
    by[0] = by[1] = zero;
    switch ((int)op) {
    case LV_OP_ADD:
    case LV_OP_SUB:
        by[0] = one;
        by[1] = number(op == LV_OP_ADD ? 1 : -1);
        break;
    case LV_OP_MUL:
        by[0] = b;
        by[1] = a;
        break;
    case LV_OP_DIV:
        by[0] = lv_wide_div(one, b);
        by[1] = lv_wide_neg(lv_wide_div(value, b));
        break;
    case LV_OP_POW:
        by[0] = lv_wide_mul(b, lv_wide_pow(a, lv_wide_sub(b, one)));
        by[1] = lv_wide_mul(value, lv_wide_log(a));
        break;
    case LV_OP_ATAN2:
        r = lv_wide_add(lv_wide_mul(a, a), lv_wide_mul(b, b));
        by[0] = lv_wide_div(b, r);
        by[1] = lv_wide_neg(lv_wide_div(a, r));
        break;
    case LV_OP_MIN:
    case LV_OP_MAX:
        by[lv_wide_compare(a, b) == 0 ? 0 : lv_wide_compare(a, value) != 0] = one;
        break;
    default: /* comparisons */
        break;
    }
}

void lv_wide_slopes(lv_op op, lv_wide by[2], lv_wide a, lv_wide b, lv_wide value)
{
    if (lv_op_arity(op) > 1) {
        slopes_of_two(op, by, a, b, value);
        return;
    }
    by[0] = slope_of_one(op, a, value);
    by[1] = number(0);
}
