/* The constructors of the graph: each examines its operands and returns the simplest node
 * of the same value.
 *
 * Products are kept as (constant) * (rest) and signs outside of products, so that like
 * terms meet: 2*x + 3*x is 5*x, and c*x + c*y is c*(x + y). Operands of commutative
 * operations are ordered by number, constants first, so that the result does not depend
 * on which other formulas contain the same constant. A constant expression without a
 * finite value is not folded, so that its evaluation can report its place. */
#include "expr/graph_private.h"

#include <math.h>

static const lv_node_data *at(const lv_graph *g, lv_node n)
{
    return &g->nodes.data[n];
}

static bool is_const(const lv_graph *g, lv_node n)
{
    return at(g, n)->op == LV_OP_CONST;
}

/* Failure is sticky, even if a constructor would create no new node. */
static bool failed(const lv_graph *g, lv_node a, lv_node b)
{
    return g->status != LV_OK || a < 0 || b < 0;
}

static bool usable(double factor)
{
    return isfinite(factor) && (factor == 0 || fabs(factor) >= 0x1p-1000);
}

/* A node as factor * base; base is not itself such a product. */
typedef struct term {
    double factor;
    lv_node base;
} term;

static term term_of(const lv_graph *g, lv_node n)
{
    const lv_node_data *d = at(g, n);
    if (d->op == LV_OP_NEG)
        return (term){-1, d->a};
    if (d->op == LV_OP_MUL && is_const(g, d->a))
        return (term){at(g, d->a)->value, d->b};
    return (term){1, n};
}

/* Sorts the operands of a commutative operation. */
static lv_node ordered(lv_graph *g, lv_op op, lv_node a, lv_node b)
{
    bool swap = is_const(g, a) == is_const(g, b) ? a > b : is_const(g, b);
    return swap ? lv_graph_intern(g, op, b, a, 0, 0) : lv_graph_intern(g, op, a, b, 0, 0);
}

/* factor * base; base has no constant factor. */
static lv_node scaled(lv_graph *g, double factor, lv_node base)
{
    if (factor == 0)
        return lv_graph_const(g, 0);
    if (factor == 1)
        return base;
    if (factor == -1)
        return lv_graph_neg(g, base);
    lv_node c = lv_graph_const(g, factor);
    /* The constant is the first operand, whatever its number. */
    return c < 0 ? LV_NODE_NONE : lv_graph_intern(g, LV_OP_MUL, c, base, 0, 0);
}

/* Whether the value is never negative, whatever the inputs are. */
static bool never_negative(const lv_graph *g, lv_node n, int depth)
{
    const lv_node_data *d = at(g, n);
    if (depth > 8)
        return false;
    switch ((int)d->op) {
    case LV_OP_CONST:
        return d->value >= 0;
    case LV_OP_SQUARE:
    case LV_OP_SQRT:
    case LV_OP_ABS:
    case LV_OP_EXP:
    case LV_OP_COSH:
        return true;
    case LV_OP_ADD:
    case LV_OP_MUL:
    case LV_OP_DIV:
        return never_negative(g, d->a, depth + 1) && never_negative(g, d->b, depth + 1);
    default:
        return false;
    }
}

/* The folded constant if all operands are constants and the value is finite. */
static lv_node folded(lv_graph *g, lv_op op, lv_node a, lv_node b, lv_node c)
{
    int arity = lv_op_arity(op);
    if (!is_const(g, a) || (arity > 1 && !is_const(g, b)) ||
        (arity > 2 && !is_const(g, c)))
        return LV_NODE_NONE;
    double value = lv_op_value(op, at(g, a)->value, arity > 1 ? at(g, b)->value : 0,
                               arity > 2 ? at(g, c)->value : 0);
    return isfinite(value) ? lv_graph_const(g, value) : LV_NODE_NONE;
}

/* Whether a and b are sin(x)^2 and cos(x)^2, in either order. */
static bool is_unit_pair(const lv_graph *g, lv_node a, lv_node b)
{
    const lv_node_data *da = at(g, a), *db = at(g, b);
    if (da->op != LV_OP_SQUARE || db->op != LV_OP_SQUARE)
        return false;
    const lv_node_data *x = at(g, da->a), *y = at(g, db->a);
    return x->a == y->a && ((x->op == LV_OP_SIN && y->op == LV_OP_COS) ||
                            (x->op == LV_OP_COS && y->op == LV_OP_SIN));
}

/* a + sign * b, for a and b that are neither zero nor both constant */
static lv_node sum(lv_graph *g, lv_node a, lv_node b, double sign)
{
    term x = term_of(g, a), y = term_of(g, b);
    y.factor *= sign;
    if (x.base == y.base && usable(x.factor + y.factor))
        return scaled(g, x.factor + y.factor, x.base);
    if (x.factor == y.factor && is_unit_pair(g, x.base, y.base))
        return lv_graph_const(g, x.factor);

    /* A common constant is taken out: c x + c y, c x - c y. */
    if (fabs(x.factor) == fabs(y.factor) && fabs(x.factor) != 1) {
        bool plus = x.factor == y.factor;
        lv_node inner = plus ? ordered(g, LV_OP_ADD, x.base, y.base)
                             : lv_graph_intern(g, LV_OP_SUB, x.base, y.base, 0, 0);
        return inner < 0 ? inner : scaled(g, x.factor, inner);
    }
    /* A sum has one sign, the same for a + b and b + a: it is -(x + y), or a
     * subtraction. */
    lv_node first = scaled(g, fabs(x.factor), x.base);
    lv_node second = scaled(g, fabs(y.factor), y.base);
    if (first < 0 || second < 0)
        return LV_NODE_NONE;
    if (x.factor < 0 && y.factor < 0) {
        lv_node total = ordered(g, LV_OP_ADD, first, second);
        return lv_graph_neg(g, total);
    }
    if (y.factor < 0)
        return lv_graph_intern(g, LV_OP_SUB, first, second, 0, 0);
    if (x.factor < 0)
        return lv_graph_intern(g, LV_OP_SUB, second, first, 0, 0);
    return ordered(g, LV_OP_ADD, first, second);
}

lv_node lv_graph_add(lv_graph *g, lv_node a, lv_node b)
{
    if (failed(g, a, b))
        return LV_NODE_NONE;
    if (lv_graph_is_const(g, a, 0))
        return b;
    if (lv_graph_is_const(g, b, 0))
        return a;
    lv_node constant = folded(g, LV_OP_ADD, a, b, 0);
    return constant >= 0 ? constant : sum(g, a, b, 1);
}

lv_node lv_graph_sub(lv_graph *g, lv_node a, lv_node b)
{
    if (failed(g, a, b))
        return LV_NODE_NONE;
    if (lv_graph_is_const(g, b, 0))
        return a;
    if (lv_graph_is_const(g, a, 0))
        return lv_graph_neg(g, b);
    if (a == b)
        return lv_graph_const(g, 0);
    lv_node constant = folded(g, LV_OP_SUB, a, b, 0);
    return constant >= 0 ? constant : sum(g, a, b, -1);
}

lv_node lv_graph_neg(lv_graph *g, lv_node a)
{
    if (failed(g, a, a))
        return LV_NODE_NONE;
    const lv_node_data d = *at(g, a);
    if (d.op == LV_OP_CONST)
        return lv_graph_const(g, -d.value);
    if (d.op == LV_OP_NEG)
        return d.a;
    if (d.op == LV_OP_MUL && is_const(g, d.a))
        return scaled(g, -at(g, d.a)->value, d.b);
    return lv_graph_intern(g, LV_OP_NEG, a, 0, 0, 0);
}

lv_node lv_graph_square(lv_graph *g, lv_node a)
{
    if (failed(g, a, a))
        return LV_NODE_NONE;
    lv_node constant = folded(g, LV_OP_SQUARE, a, 0, 0);
    if (constant >= 0)
        return constant;
    const lv_node_data d = *at(g, a);
    if (d.op == LV_OP_SQRT && never_negative(g, d.a, 0))
        return d.a;
    if (d.op == LV_OP_ABS)
        return lv_graph_square(g, d.a);
    term x = term_of(g, a);
    if (x.factor != 1 && x.factor * x.factor != 0 && usable(x.factor * x.factor)) {
        lv_node base = lv_graph_square(g, x.base);
        lv_node factor = lv_graph_const(g, x.factor * x.factor);
        return lv_graph_mul(g, factor, base);
    }
    return lv_graph_intern(g, LV_OP_SQUARE, a, 0, 0, 0);
}

lv_node lv_graph_mul(lv_graph *g, lv_node a, lv_node b)
{
    if (failed(g, a, b))
        return LV_NODE_NONE;
    if (lv_graph_is_const(g, a, 0) || lv_graph_is_const(g, b, 0))
        return lv_graph_const(g, 0);
    if (lv_graph_is_const(g, a, 1))
        return b;
    if (lv_graph_is_const(g, b, 1))
        return a;
    if (a == b)
        return lv_graph_square(g, a);
    lv_node constant = folded(g, LV_OP_MUL, a, b, 0);
    if (constant >= 0)
        return constant;

    /* Constant factors of both operands are moved to the front. */
    if (is_const(g, a) || is_const(g, b)) {
        double c = at(g, is_const(g, a) ? a : b)->value;
        lv_node rest = is_const(g, a) ? b : a;
        term x = term_of(g, rest);
        if (usable(c * x.factor) && c * x.factor != 0)
            return scaled(g, c * x.factor, x.base);
        return scaled(g, c, rest);
    }
    term x = term_of(g, a), y = term_of(g, b);
    if ((x.factor != 1 || y.factor != 1) && usable(x.factor * y.factor) &&
        x.factor * y.factor != 0) {
        lv_node rest = lv_graph_mul(g, x.base, y.base);
        lv_node factor = lv_graph_const(g, x.factor * y.factor);
        return lv_graph_mul(g, factor, rest);
    }
    return ordered(g, LV_OP_MUL, a, b);
}

lv_node lv_graph_div(lv_graph *g, lv_node a, lv_node b)
{
    if (failed(g, a, b))
        return LV_NODE_NONE;
    if (lv_graph_is_const(g, a, 0) && !lv_graph_is_const(g, b, 0))
        return a;
    if (lv_graph_is_const(g, b, 1))
        return a;
    lv_node constant = folded(g, LV_OP_DIV, a, b, 0);
    if (constant >= 0)
        return constant;
    if (a == b && !lv_graph_is_const(g, a, 0))
        return lv_graph_const(g, 1);
    if (is_const(g, b)) {
        double inverse = 1 / at(g, b)->value;
        if (usable(inverse) && inverse != 0) {
            lv_node factor = lv_graph_const(g, inverse);
            return lv_graph_mul(g, factor, a);
        }
        return lv_graph_intern(g, LV_OP_DIV, a, b, 0, 0);
    }
    term x = is_const(g, a) ? (term){1, a} : term_of(g, a), y = term_of(g, b);
    double factor = x.factor / y.factor;
    if ((x.factor != 1 || y.factor != 1) && usable(factor) && factor != 0) {
        lv_node rest = lv_graph_div(g, x.base, y.base);
        lv_node front = lv_graph_const(g, factor);
        return lv_graph_mul(g, front, rest);
    }
    return lv_graph_intern(g, LV_OP_DIV, a, b, 0, 0);
}

/* a^n by repeated squaring, n >= 1 */
static lv_node integer_power(lv_graph *g, lv_node a, int n)
{
    lv_node result = LV_NODE_NONE, power = a;
    for (;; power = lv_graph_square(g, power), n /= 2) {
        if (n % 2 == 1)
            result = result < 0 ? power : lv_graph_mul(g, result, power);
        if (n <= 1)
            return result;
    }
}

enum { LARGEST_INTEGER_POWER = 64 };

lv_node lv_graph_pow(lv_graph *g, lv_node a, lv_node b)
{
    if (failed(g, a, b))
        return LV_NODE_NONE;
    if (is_const(g, b)) {
        double e = at(g, b)->value;
        if (e == 0)
            return lv_graph_const(g, 1);
        if (e == 0.5)
            return lv_graph_op(g, LV_OP_SQRT, a, 0, 0);
        if (e == floor(e) && fabs(e) <= LARGEST_INTEGER_POWER) {
            lv_node power = integer_power(g, a, (int)fabs(e));
            if (e > 0)
                return power;
            lv_node one = lv_graph_const(g, 1);
            return lv_graph_div(g, one, power);
        }
    }
    lv_node constant = folded(g, LV_OP_POW, a, b, 0);
    return constant >= 0 ? constant : lv_graph_intern(g, LV_OP_POW, a, b, 0, 0);
}

lv_node lv_graph_select(lv_graph *g, lv_node condition, lv_node a, lv_node b)
{
    if (condition < 0 || failed(g, a, b))
        return LV_NODE_NONE;
    if (is_const(g, condition))
        return at(g, condition)->value != 0 ? a : b;
    if (a == b)
        return a;
    return lv_graph_intern(g, LV_OP_SELECT, condition, a, b, 0);
}

/* f(-x) = f(x), f(-x) = -f(x) */
static bool is_even(lv_op op)
{
    return op == LV_OP_COS || op == LV_OP_COSH || op == LV_OP_ABS;
}

static bool is_odd(lv_op op)
{
    return op == LV_OP_SIN || op == LV_OP_TAN || op == LV_OP_ASIN || op == LV_OP_ATAN ||
           op == LV_OP_SINH || op == LV_OP_TANH || op == LV_OP_SIGN;
}

static lv_node unary(lv_graph *g, lv_op op, lv_node a)
{
    const lv_node_data d = *at(g, a);
    if (op == LV_OP_ABS && never_negative(g, a, 0))
        return a;
    if (op == LV_OP_SQRT && d.op == LV_OP_SQUARE)
        return lv_graph_op(g, LV_OP_ABS, d.a, 0, 0);
    term x = term_of(g, a);
    if (x.factor < 0 && (is_even(op) || is_odd(op))) {
        lv_node positive = scaled(g, -x.factor, x.base);
        lv_node result = lv_graph_op(g, op, positive, 0, 0);
        return is_even(op) ? result : lv_graph_neg(g, result);
    }
    return lv_graph_intern(g, op, a, 0, 0, 0);
}

lv_node lv_graph_op(lv_graph *g, lv_op op, lv_node a, lv_node b, lv_node c)
{
    int arity = lv_op_arity(op);
    if (failed(g, a, arity > 1 ? b : a) || (arity > 2 && c < 0))
        return LV_NODE_NONE;
    switch ((int)op) {
    case LV_OP_ADD:
        return lv_graph_add(g, a, b);
    case LV_OP_SUB:
        return lv_graph_sub(g, a, b);
    case LV_OP_MUL:
        return lv_graph_mul(g, a, b);
    case LV_OP_DIV:
        return lv_graph_div(g, a, b);
    case LV_OP_NEG:
        return lv_graph_neg(g, a);
    case LV_OP_SQUARE:
        return lv_graph_square(g, a);
    case LV_OP_POW:
        return lv_graph_pow(g, a, b);
    case LV_OP_SELECT:
        return lv_graph_select(g, a, b, c);
    default:
        break;
    }
    lv_node constant = folded(g, op, a, b, c);
    if (constant >= 0)
        return constant;
    if ((op == LV_OP_MIN || op == LV_OP_MAX) && a == b)
        return a;
    return arity == 1 ? unary(g, op, a) : lv_graph_intern(g, op, a, b, 0, 0);
}
