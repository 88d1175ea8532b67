#include "reference.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

lv_complex lv_reference_make(long double re, long double im)
{
    /* The parts of a complex number lie in memory like an array of two (C11 6.2.5). */
    long double parts[2] = {re, im};
    lv_complex z;
    memcpy(&z, parts, sizeof z);
    return z;
}

static lv_complex real(long double x)
{
    return lv_reference_make(x, 0);
}

static lv_complex complex_pow(lv_complex a, lv_complex b)
{
    long double n = creall(b);
    if (cimagl(b) != 0 || n != floorl(n) || fabsl(n) > 64)
        return cexpl(b * clogl(a));
    lv_complex result = real(1);
    for (int k = 0; k < (int)fabsl(n); k++)
        result *= a;
    return n < 0 ? real(1) / result : result;
}

static lv_complex complex_atan2(lv_complex y, lv_complex x)
{
    const long double pi = acosl(-1.0L);
    if (fabsl(creall(y)) > fabsl(creall(x)))
        return real(creall(y) > 0 ? pi / 2 : -pi / 2) - catanl(x / y);
    if (creall(x) > 0)
        return catanl(y / x);
    return real(creall(y) < 0 ? -pi : pi) + catanl(y / x);
}

lv_complex lv_reference_op(lv_op op, lv_complex a, lv_complex b, lv_complex c)
{
    long double x = creall(a), y = creall(b);
    switch (op) {
    case LV_OP_ADD:
        return a + b;
    case LV_OP_SUB:
        return a - b;
    case LV_OP_MUL:
        return a * b;
    case LV_OP_DIV:
        return a / b;
    case LV_OP_NEG:
        return -a;
    case LV_OP_SQUARE:
        return a * a;
    case LV_OP_SQRT:
        return csqrtl(a);
    case LV_OP_SIN:
        return csinl(a);
    case LV_OP_COS:
        return ccosl(a);
    case LV_OP_TAN:
        return ctanl(a);
    case LV_OP_ASIN:
        return casinl(a);
    case LV_OP_ACOS:
        return cacosl(a);
    case LV_OP_ATAN:
        return catanl(a);
    case LV_OP_SINH:
        return csinhl(a);
    case LV_OP_COSH:
        return ccoshl(a);
    case LV_OP_TANH:
        return ctanhl(a);
    case LV_OP_EXP:
        return cexpl(a);
    case LV_OP_LOG:
        return clogl(a);
    case LV_OP_ABS:
        return x < 0 ? -a : a;
    case LV_OP_SIGN:
        return real((long double)((x > 0) - (x < 0)));
    case LV_OP_POW:
        return complex_pow(a, b);
    case LV_OP_ATAN2:
        return complex_atan2(a, b);
    case LV_OP_MIN:
        return y < x ? b : a;
    case LV_OP_MAX:
        return x < y ? b : a;
    case LV_OP_LESS:
        return real(x < y);
    case LV_OP_LESS_EQUAL:
        return real(x <= y);
    case LV_OP_EQUAL:
        return real(x == y);
    case LV_OP_SELECT:
        return x != 0 ? b : c;
    case LV_OP_CONST:
    case LV_OP_INPUT:
    case LV_OP_COUNT:
        break;
    }
    fail_msg("operation %d has no value", (int)op);
    return real(0);
}

/* Which side of its kink the operation is on, as a small number. */
static unsigned decision(lv_op op, long double x, long double y)
{
    bool two_sided = op == LV_OP_MIN || op == LV_OP_MAX || op == LV_OP_LESS ||
                     op == LV_OP_LESS_EQUAL || op == LV_OP_EQUAL;
    if (two_sided)
        return x < y ? 1 : x > y ? 2 : 3;
    if (op == LV_OP_ABS || op == LV_OP_SIGN)
        return x > 0 ? 1 : x < 0 ? 2 : 3;
    return 0;
}

uint64_t lv_reference_values(lv_complex *values, const lv_node_data *nodes, int count,
                             lv_reference_point point)
{
    uint64_t fingerprint = 0;
    for (int i = 0; i < count; i++) {
        const lv_node_data *n = &nodes[i];
        if (n->op == LV_OP_CONST) {
            values[i] = real((long double)n->value);
        } else if (n->op == LV_OP_INPUT) {
            values[i] = point[n->a][n->b];
        } else {
            int arity = lv_op_arity(n->op);
            lv_complex a = values[n->a];
            lv_complex b = arity > 1 ? values[n->b] : real(0);
            lv_complex c = arity > 2 ? values[n->c] : real(0);
            values[i] = lv_reference_op(n->op, a, b, c);
            fingerprint = fingerprint * 31 + decision(n->op, creall(a), creall(b));
        }
    }
    return fingerprint;
}

void lv_reference_init(lv_reference *reference, const lv_graph *graph,
                       const lv_node *outputs, int count)
{
    int total = lv_graph_count(graph);
    int *place = calloc((size_t)total + 1, sizeof *place);
    reference->nodes = calloc((size_t)total + 1, sizeof *reference->nodes);
    reference->outputs = calloc((size_t)count + 1, sizeof *reference->outputs);
    reference->values = calloc((size_t)total + 1, sizeof *reference->values);
    reference->count = 0;
    assert_true(place && reference->nodes && reference->outputs && reference->values);

    /* Mark what is needed, results before operands ... */
    for (int k = 0; k < count; k++) {
        assert_in_range(outputs[k], 0, total - 1);
        place[outputs[k]] = 1;
    }
    for (int i = total - 1; i >= 0; i--) {
        const lv_node_data *n = lv_graph_node(graph, i);
        int arity = lv_op_arity(n->op);
        if (!place[i] || n->op == LV_OP_INPUT)
            continue;
        if (arity > 0)
            place[n->a] = 1;
        if (arity > 1)
            place[n->b] = 1;
        if (arity > 2)
            place[n->c] = 1;
    }
    /* ... then number it, operands before results. */
    for (int i = 0; i < total; i++) {
        if (!place[i])
            continue;
        lv_node_data n = *lv_graph_node(graph, i);
        int arity = n.op == LV_OP_INPUT ? 0 : lv_op_arity(n.op);
        n.a = arity > 0 ? place[n.a] : n.a;
        n.b = arity > 1 ? place[n.b] : n.b;
        n.c = arity > 2 ? place[n.c] : n.c;
        place[i] = reference->count;
        reference->nodes[reference->count++] = n;
    }
    for (int k = 0; k < count; k++)
        reference->outputs[k] = place[outputs[k]];
    free(place);
}

void lv_reference_done(lv_reference *reference)
{
    free(reference->nodes);
    free(reference->outputs);
    free(reference->values);
}

void lv_reference_run(lv_reference *reference, lv_reference_point point)
{
    lv_reference_values(reference->values, reference->nodes, reference->count, point);
}

int lv_reference_operations(const lv_reference *reference)
{
    int operations = 0;
    for (int i = 0; i < reference->count; i++)
        operations += reference->nodes[i].op != LV_OP_CONST &&
                      reference->nodes[i].op != LV_OP_INPUT;
    return operations;
}
