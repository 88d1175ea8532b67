#include "expr/factors.h"

#include "expr/analyse.h"
#include "expr/graph_private.h"

/* A node as factor * rest in the new graph. A factor of LV_NODE_NONE means 1; a rest of
 * LV_NODE_NONE means that the node is fixed. The rest has no constant factor and no
 * sign. */
typedef struct factored {
    lv_node factor, rest;
} factored;

typedef struct collection {
    lv_graph *g;
    const lv_graph *from;
    lv_kinds *kinds; /* kinds of inputs that each node of `from` depends on */
    bool *needed;
    /* How often each node is used by needed nodes, not counting products with fixed
     * nodes, which pass the factor on. */
    int *uses;
    factored *image;
} collection;

/* ---- nodes ------------------------------------------------------------------------------------------------ */

static bool is_fixed(const collection *c, lv_node n)
{
    return (c->kinds[n] & ~(LV_KIND(P) | LV_KIND(I))) == 0;
}

static lv_node product_of_factors(const collection *c, lv_node x, lv_node y)
{
    if (x == LV_NODE_NONE || y == LV_NODE_NONE)
        return x == LV_NODE_NONE ? y : x;
    return lv_graph_mul(c->g, x, y);
}

static lv_node quotient_of_factors(const collection *c, lv_node x, lv_node y)
{
    if (y == LV_NODE_NONE)
        return x;
    return lv_graph_div(c->g, x == LV_NODE_NONE ? lv_graph_const(c->g, 1) : x, y);
}

/* Moves signs and constants from the rest, where the constructors of the graph put them,
 * to the factor. */
static factored normalised(const collection *c, factored x)
{
    const bool failed = lv_graph_status(c->g) != LV_OK || x.rest == LV_NODE_NONE;
    const lv_node_data *d = failed ? NULL : lv_graph_node(c->g, x.rest);
    if (d && d->op == LV_OP_NEG) {
        const lv_node minus = lv_graph_const(c->g, -1);
        x.rest = lv_graph_node(c->g, x.rest)->a;
        x.factor = product_of_factors(c, x.factor, minus);
    } else if (d && d->op == LV_OP_MUL && lv_graph_node(c->g, d->a)->op == LV_OP_CONST) {
        const lv_node constant = d->a;
        x.rest = d->b;
        x.factor = product_of_factors(c, x.factor, constant);
    }
    if (d && lv_graph_node(c->g, x.rest)->op == LV_OP_CONST)
        return (factored){product_of_factors(c, x.factor, x.rest), LV_NODE_NONE};
    if (d && lv_graph_is_const(c->g, x.factor, 1))
        x.factor = LV_NODE_NONE;
    return x;
}

/* The value as one node. lv_graph_mul would take constants out of the factor again, so
 * the node is interned directly. */
static lv_node as_node(const collection *c, factored x)
{
    if (x.factor == LV_NODE_NONE || x.rest == LV_NODE_NONE)
        return x.factor == LV_NODE_NONE ? x.rest : x.factor;
    if (lv_graph_is_const(c->g, x.factor, -1))
        return lv_graph_neg(c->g, x.rest);
    return lv_graph_intern(c->g, LV_OP_MUL, x.factor, x.rest, 0, 0);
}

/* An operand with its factor if this is its only use, so that the factor may be passed
 * on; else as a whole with the factor 1. */
static factored operand_of(const collection *c, lv_node n)
{
    const factored x = c->image[n];
    if (x.rest == LV_NODE_NONE || x.factor == LV_NODE_NONE || c->uses[n] <= 1)
        return x;
    return (factored){LV_NODE_NONE, as_node(c, x)};
}

/* ---- operations --------------------------------------------------------------------------------------------- */

static factored multiply(const collection *c, lv_node a, lv_node b)
{
    const bool fixed = is_fixed(c, a) || is_fixed(c, b);
    const factored x = fixed ? c->image[a] : operand_of(c, a),
                   y = fixed ? c->image[b] : operand_of(c, b);
    factored result = {product_of_factors(c, x.factor, y.factor), x.rest};
    if (x.rest == LV_NODE_NONE)
        result.rest = y.rest;
    else if (y.rest != LV_NODE_NONE)
        result.rest = lv_graph_mul(c->g, x.rest, y.rest);
    return normalised(c, result);
}

static factored divide(const collection *c, lv_node a, lv_node b)
{
    const factored x = is_fixed(c, b) ? c->image[a] : operand_of(c, a),
                   y = operand_of(c, b);
    factored result = {quotient_of_factors(c, x.factor, y.factor), x.rest};
    if (y.rest == LV_NODE_NONE)
        return normalised(c, result);
    if (x.rest == LV_NODE_NONE)
        result = (factored){
            LV_NODE_NONE, lv_graph_intern(c->g, LV_OP_DIV, result.factor, y.rest, 0, 0)};
    else
        result.rest = lv_graph_div(c->g, x.rest, y.rest);
    return normalised(c, result);
}

/* Takes the sign out of a factor; returns whether it was negative. */
static bool take_sign(const collection *c, factored *x)
{
    const bool failed = lv_graph_status(c->g) != LV_OK || x->factor == LV_NODE_NONE;
    const lv_node_data *d = failed ? NULL : lv_graph_node(c->g, x->factor);
    if (!d || !(d->op == LV_OP_NEG || (d->op == LV_OP_CONST && d->value < 0) ||
                (d->op == LV_OP_MUL && lv_graph_node(c->g, d->a)->op == LV_OP_CONST &&
                 lv_graph_node(c->g, d->a)->value < 0)))
        return false;
    x->factor = lv_graph_neg(c->g, x->factor);
    if (x->rest != LV_NODE_NONE && lv_graph_is_const(c->g, x->factor, 1))
        x->factor = LV_NODE_NONE;
    return true;
}

/* Whether both have the same factor and it is cheaper to multiply the sum by it than both
 * terms. */
static bool have_common_factor(const collection *c, lv_node a, lv_node b, factored x,
                               factored y)
{
    return x.factor == y.factor && x.rest != LV_NODE_NONE && y.rest != LV_NODE_NONE &&
           (x.factor == LV_NODE_NONE || c->uses[a] <= 1 || c->uses[b] <= 1);
}

/* a + b, or a - b */
static factored add_terms(const collection *c, lv_node a, lv_node b, bool minus)
{
    factored x = c->image[a], y = c->image[b];
    const bool x_minus = take_sign(c, &x), y_minus = take_sign(c, &y) != minus;
    const bool common = have_common_factor(c, a, b, x, y);
    const lv_node first = common ? x.rest : as_node(c, x),
                  second = common ? y.rest : as_node(c, y);
    factored result = {common ? x.factor : LV_NODE_NONE, LV_NODE_NONE};
    if (x_minus == y_minus)
        result.rest = lv_graph_add(c->g, first, second);
    else if (x_minus)
        result.rest = lv_graph_sub(c->g, second, first);
    else
        result.rest = lv_graph_sub(c->g, first, second);
    if (x_minus && y_minus)
        result.factor = product_of_factors(c, result.factor, lv_graph_const(c->g, -1));
    return normalised(c, result);
}

static factored square(const collection *c, lv_node a)
{
    const factored x = operand_of(c, a);
    const factored result = {x.factor == LV_NODE_NONE ? x.factor
                                                      : lv_graph_square(c->g, x.factor),
                             lv_graph_square(c->g, x.rest)};
    return normalised(c, result);
}

static factored absolute(const collection *c, lv_node a)
{
    const lv_node none = LV_NODE_NONE;
    factored x = c->image[a];
    (void)take_sign(c, &x);
    if (x.factor != none && c->uses[a] > 1)
        x = (factored){none, as_node(c, x)};
    if (x.factor != none)
        x.factor = lv_graph_op(c->g, LV_OP_ABS, x.factor, none, none);
    x.rest = lv_graph_op(c->g, LV_OP_ABS, x.rest, none, none);
    return normalised(c, x);
}

static bool is_positive(const collection *c, lv_node factor)
{
    if (factor == LV_NODE_NONE || lv_graph_status(c->g) != LV_OK)
        return true;
    const lv_node_data *d = lv_graph_node(c->g, factor);
    return d->op == LV_OP_ABS || d->op == LV_OP_SQUARE ||
           (d->op == LV_OP_CONST && d->value > 0);
}

static factored largest(const collection *c, lv_node a, lv_node b)
{
    const factored x = c->image[a], y = c->image[b];
    const bool common = have_common_factor(c, a, b, x, y) && is_positive(c, x.factor);
    const lv_node first = common ? x.rest : as_node(c, x),
                  second = common ? y.rest : as_node(c, y);
    return (factored){common ? x.factor : LV_NODE_NONE,
                      lv_graph_op(c->g, LV_OP_MAX, first, second, LV_NODE_NONE)};
}

/* ---- graphs ------------------------------------------------------------------------------------------------- */

static lv_node copy_operation(const collection *c, const lv_node_data *d)
{
    const int arity = lv_op_arity(d->op);
    if (d->op == LV_OP_CONST)
        return lv_graph_const(c->g, d->value);
    if (d->op == LV_OP_INPUT)
        return lv_graph_input(c->g, (lv_input)d->a, d->b);
    const lv_node x = as_node(c, c->image[d->a]),
                  y = arity > 1 ? as_node(c, c->image[d->b]) : LV_NODE_NONE,
                  z = arity > 2 ? as_node(c, c->image[d->c]) : LV_NODE_NONE;
    return lv_graph_op(c->g, d->op, x, y, z);
}

static factored build_node(const collection *c, lv_node n)
{
    const lv_node_data *d = lv_graph_node(c->from, n);
    if (is_fixed(c, n))
        return (factored){copy_operation(c, d), LV_NODE_NONE};
    switch ((int)d->op) {
    case LV_OP_MUL:
        return multiply(c, d->a, d->b);
    case LV_OP_DIV:
        return divide(c, d->a, d->b);
    case LV_OP_ADD:
    case LV_OP_SUB:
        return add_terms(c, d->a, d->b, d->op == LV_OP_SUB);
    case LV_OP_NEG:
        return normalised(c, (factored){product_of_factors(c, c->image[d->a].factor,
                                                           lv_graph_const(c->g, -1)),
                                        c->image[d->a].rest});
    case LV_OP_SQUARE:
        return square(c, d->a);
    case LV_OP_ABS:
        return absolute(c, d->a);
    case LV_OP_MAX:
        return largest(c, d->a, d->b);
    default:
        return normalised(c, (factored){LV_NODE_NONE, copy_operation(c, d)});
    }
}

/* Whether the node is a fixed multiple of an operand. */
static bool is_multiple(const collection *c, const lv_node_data *d)
{
    return d->op == LV_OP_NEG || (d->op == LV_OP_DIV && is_fixed(c, d->b)) ||
           (d->op == LV_OP_MUL && (is_fixed(c, d->a) || is_fixed(c, d->b)));
}

static void count_uses(collection *c, const lv_node *nodes, int count)
{
    for (int k = 0; k < count; k++) {
        c->needed[nodes[k]] = true;
        c->uses[nodes[k]]++;
    }
    for (lv_node i = lv_graph_count(c->from) - 1; i >= 0; i--) {
        const lv_node_data *d = lv_graph_node(c->from, i);
        const lv_node operands[3] = {d->a, d->b, d->c};
        const int arity = c->needed[i] ? lv_op_arity(d->op) : 0;
        const bool counts = arity > 0 && !is_multiple(c, d);
        for (int k = 0; k < arity; k++) {
            c->needed[operands[k]] = true;
            c->uses[operands[k]] += counts;
        }
    }
}

static void build_all(collection *c, lv_node *images, const lv_node *nodes, int count)
{
    lv_analyse_kinds(c->from, c->kinds);
    count_uses(c, nodes, count);
    for (lv_node i = 0; i < lv_graph_count(c->from); i++)
        if (c->needed[i] && lv_graph_status(c->g) == LV_OK)
            c->image[i] = build_node(c, i);
    for (int k = 0; k < count && lv_graph_status(c->g) == LV_OK; k++)
        images[k] = as_node(c, c->image[nodes[k]]);
}

void lv_graph_collect_factors(lv_graph *to, lv_node *images, const lv_graph *from,
                              const lv_node *nodes, int count)
{
    const size_t size = (size_t)lv_graph_count(from) + 1;
    collection c = {.g = to,
                    .from = from,
                    .kinds = lv_memory_zeroed(size, sizeof *c.kinds),
                    .needed = lv_memory_zeroed(size, sizeof *c.needed),
                    .uses = lv_memory_zeroed(size, sizeof *c.uses),
                    .image = lv_memory_zeroed(size, sizeof *c.image)};
    if (!c.kinds || !c.needed || !c.uses || !c.image)
        lv_graph_give_up(to, LV_ERR_MEMORY);
    else
        build_all(&c, images, nodes, count);
    for (int k = 0; k < count && lv_graph_status(to) != LV_OK; k++)
        images[k] = LV_NODE_NONE;
    lv_memory_free(c.kinds);
    lv_memory_free(c.needed);
    lv_memory_free(c.uses);
    lv_memory_free(c.image);
}
