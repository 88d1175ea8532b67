#include "random_formula.h"

#include "check.h"

#include <string.h>

/* Values and distances from kinks that a formula is kept within. */
#define LARGEST 12.0
#define CLEARANCE 0.1

typedef struct maker {
    lv_random_formula *formula;
    long double values[LV_RANDOM_NODES];
    bool varies[LV_RANDOM_NODES]; /* smoothly, with some input */
    uint64_t state;
    lv_kinds kinds;
} maker;

uint64_t lv_random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

int lv_random_below(uint64_t *state, int n)
{
    return (int)(lv_random_bits(state) % (uint64_t)n);
}

double lv_random_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(lv_random_bits(state) >> 11) * 0x1p-53);
}

void lv_random_order(uint64_t *state, int *order, int n)
{
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        const int j = lv_random_below(state, i + 1), t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
}

static int push_const(maker *m, double value)
{
    lv_random_formula *f = m->formula;
    if (f->count == LV_RANDOM_NODES)
        return -1;
    f->nodes[f->count] = (lv_node_data){.op = LV_OP_CONST, .value = value};
    f->usable[f->count] = true;
    m->values[f->count] = (long double)value;
    m->varies[f->count] = false;
    return f->count++;
}

/* A node whether or not it has a sensible value; -1 when full or when an operand is -1.
 */
static int push_any(maker *m, lv_op op, int a, int b, int c)
{
    lv_random_formula *f = m->formula;
    int arity = lv_op_arity(op);
    if (a < 0 || (arity > 1 && b < 0) || (arity > 2 && c < 0) ||
        f->count == LV_RANDOM_NODES)
        return -1;
    f->nodes[f->count] = (lv_node_data){.op = op, .a = a, .b = b, .c = c};
    f->usable[f->count] = false;
    lv_complex x = lv_reference_make(m->values[a], 0);
    lv_complex y = lv_reference_make(arity > 1 ? m->values[b] : 0, 0);
    lv_complex z = lv_reference_make(arity > 2 ? m->values[c] : 0, 0);
    m->values[f->count] = creall(lv_reference_op(op, x, y, z));
    bool step = op == LV_OP_SIGN || op == LV_OP_LESS || op == LV_OP_LESS_EQUAL ||
                op == LV_OP_EQUAL;
    m->varies[f->count] = !step && (m->varies[a] || (arity > 1 && m->varies[b]) ||
                                    (arity > 2 && m->varies[c]));
    return f->count++;
}

static int push(maker *m, lv_op op, int a, int b, int c)
{
    int node = push_any(m, op, a, b, c);
    if (node < 0 || !(fabsl(m->values[node]) <= (long double)LARGEST))
        return -1;
    m->formula->usable[node] = true;
    return node;
}

static int input(maker *m)
{
    static const lv_input kinds[] = {LV_INPUT_Q, LV_INPUT_Q, LV_INPUT_V, LV_INPUT_T,
                                     LV_INPUT_P};
    lv_random_formula *f = m->formula;
    lv_input kind;
    do
        kind = kinds[lv_random_below(&m->state, 5)];
    while (!(m->kinds & (1U << (unsigned)kind)));
    int size = kind == LV_INPUT_T ? 1 : kind == LV_INPUT_P ? LV_RANDOM_P : LV_RANDOM_Q;
    int index = lv_random_below(&m->state, size);
    if (f->count == LV_RANDOM_NODES)
        return -1;
    f->nodes[f->count] = (lv_node_data){.op = LV_OP_INPUT, .a = (int)kind, .b = index};
    f->usable[f->count] = true;
    m->values[f->count] = (long double)f->point[kind][index];
    m->varies[f->count] = true;
    return f->count++;
}

static int constant(maker *m)
{
    static const double favourites[] = {0, 1, -1, 2, 3, 0.5, -0.25};
    int k = lv_random_below(&m->state, 9);
    return push_const(m, k < 7 ? favourites[k] : lv_random_between(&m->state, -3, 3));
}

/* An operand: something recent, anything, a constant, or an input. */
static int operand(maker *m)
{
    const lv_random_formula *f = m->formula;
    int kind = lv_random_below(&m->state, 16);
    if (kind == 0)
        return constant(m);
    for (int attempt = 0; attempt < 8 && kind < 12 && f->count > 0; attempt++) {
        int last = kind < 8 && f->count > 10 ? 10 : f->count;
        int node = f->count - 1 - lv_random_below(&m->state, last);
        if (f->usable[node] && (m->varies[node] || kind == 1))
            return node;
    }
    return input(m);
}

/* c + x^2 */
static int lifted(maker *m, double c, int x)
{
    int square = push_any(m, LV_OP_SQUARE, x, 0, 0);
    int lift = push_const(m, c);
    return push_any(m, LV_OP_ADD, lift, square, 0);
}

/* x / (2 + x^2), within (-0.36, 0.36) */
static int squeezed(maker *m, int x)
{
    int bottom = lifted(m, 2, x);
    return push_any(m, LV_OP_DIV, x, bottom, 0);
}

static bool apart(const maker *m, int a, int b)
{
    return a >= 0 && b >= 0 &&
           fabsl(m->values[a] - m->values[b]) > (long double)CLEARANCE;
}

/* Without a real value anywhere. */
static int nonsense(maker *m, int x)
{
    int positive = lifted(m, 2, x);
    int negative = push_any(m, LV_OP_NEG, positive, 0, 0);
    switch (lv_random_below(&m->state, 4)) {
    case 0:
        return push_any(m, LV_OP_SQRT, negative, 0, 0);
    case 1:
        return push_any(m, LV_OP_LOG, negative, 0, 0);
    case 2:
        return push_any(m, LV_OP_ACOS, positive, 0, 0);
    default: {
        int half = push_const(m, 1.5);
        return push_any(m, LV_OP_POW, negative, half, 0);
    }
    }
}

static int grow_select(maker *m, int x, int y)
{
    static const lv_op tests[] = {LV_OP_LESS, LV_OP_LESS_EQUAL, LV_OP_EQUAL};
    int a = operand(m), b = operand(m);
    if (!apart(m, a, b))
        return -1;
    int test = push(m, tests[lv_random_below(&m->state, 3)], a, b, 0);
    if (test < 0 || lv_random_below(&m->state, 3) != 0)
        return push(m, LV_OP_SELECT, test, x, y);
    int bad = nonsense(m, y);
    return m->values[test] != 0 ? push(m, LV_OP_SELECT, test, x, bad)
                                : push(m, LV_OP_SELECT, test, bad, x);
}

static int grow_pow(maker *m, int x, int y)
{
    static const double exponents[] = {0.5, 1.5, -0.5, 2.3, -1.7};
    int exponent;
    switch (lv_random_below(&m->state, 4)) {
    case 0: /* whole exponents, any base away from 0 */
        exponent = push_const(m, (double)(lv_random_below(&m->state, 12) - 4));
        if (!(fabsl(m->values[x]) > 0.3L))
            return -1;
        return push(m, LV_OP_POW, x, exponent, 0);
    case 1:
        exponent = push_const(m, exponents[lv_random_below(&m->state, 5)]);
        x = lifted(m, 1, x);
        return push(m, LV_OP_POW, x, exponent, 0);
    case 2:
        x = push_const(m, lv_random_between(&m->state, 0.5, 2));
        return push(m, LV_OP_POW, x, y, 0);
    default:
        x = lifted(m, 1, x);
        return push(m, LV_OP_POW, x, y, 0);
    }
}

static int grow_atan2(maker *m, int x, int y)
{
    long double re = m->values[y], im = m->values[x];
    if (hypotl(re, im) < 0.3L || (re < 0 && fabsl(im) < (long double)CLEARANCE))
        return -1;
    return push(m, LV_OP_ATAN2, x, y, 0);
}

/* Identities worth meeting: sin^2 + cos^2, and the square of a length. */
static int grow_identity(maker *m, int x, int y)
{
    if (lv_random_below(&m->state, 2)) {
        int s = push(m, LV_OP_SIN, x, 0, 0), c = push(m, LV_OP_COS, x, 0, 0);
        s = push(m, LV_OP_SQUARE, s, 0, 0);
        c = push(m, LV_OP_MUL, c, c, 0);
        s = push(m, LV_OP_MUL, y, s, 0);
        c = push(m, LV_OP_MUL, y, c, 0);
        return push(m, LV_OP_ADD, s, c, 0);
    }
    int a = lifted(m, 1, x), b = push_any(m, LV_OP_SQUARE, y, 0, 0);
    int sum = push_any(m, LV_OP_ADD, a, b, 0);
    int length = push_any(m, LV_OP_SQRT, sum, 0, 0);
    return push(m, LV_OP_SQUARE, length, 0, 0);
}

/* One more random operation, or -1 where its arguments do not suit. */
static int grow(maker *m)
{
    const int first = (int)LV_OP_ADD, kinds = (int)LV_OP_COUNT - first;
    int pick = lv_random_below(&m->state, kinds + 1);
    int x = operand(m), y = operand(m);
    if (x < 0 || y < 0)
        return -1;
    if (pick == kinds)
        return grow_identity(m, x, y);

    lv_op op = (lv_op)(first + pick);
    switch (op) {
    case LV_OP_DIV:
        y = lifted(m, 2, y);
        return push(m, op, x, y, 0);
    case LV_OP_SQRT:
        x = lifted(m, 1, x);
        return push(m, op, x, 0, 0);
    case LV_OP_LOG:
        x = lifted(m, 2, x);
        return push(m, op, x, 0, 0);
    case LV_OP_TAN:
    case LV_OP_ASIN:
    case LV_OP_ACOS:
        x = squeezed(m, x);
        return push(m, op, x, 0, 0);
    case LV_OP_ABS:
    case LV_OP_SIGN:
        return fabsl(m->values[x]) > (long double)CLEARANCE ? push(m, op, x, 0, 0) : -1;
    case LV_OP_POW:
        return grow_pow(m, x, y);
    case LV_OP_ATAN2:
        return grow_atan2(m, x, y);
    case LV_OP_MIN:
    case LV_OP_MAX:
    case LV_OP_LESS:
    case LV_OP_LESS_EQUAL:
    case LV_OP_EQUAL:
        return apart(m, x, y) ? push(m, op, x, y, 0) : -1;
    case LV_OP_SELECT:
        return grow_select(m, x, y);
    case LV_OP_CONST:
    case LV_OP_INPUT:
    case LV_OP_COUNT:
        return -1;
    case LV_OP_ADD:
    case LV_OP_SUB:
    case LV_OP_MUL:
    case LV_OP_NEG:
    case LV_OP_SQUARE:
    case LV_OP_SIN:
    case LV_OP_COS:
    case LV_OP_ATAN:
    case LV_OP_SINH:
    case LV_OP_COSH:
    case LV_OP_TANH:
    case LV_OP_EXP:
        break;
    }
    return push(m, op, x, y, 0);
}

/* Helpers of an operation that came to nothing are forgotten. */
static int grow_or_forget(maker *m)
{
    int mark = m->formula->count;
    int node = grow(m);
    if (node < 0)
        m->formula->count = mark;
    return node;
}

void lv_random_formula_make(lv_random_formula *formula, uint64_t seed, int size,
                            lv_kinds kinds)
{
    maker m = {.formula = formula, .state = seed * 0x2545f4914f6cdd1dU + 1};
    m.kinds = kinds;
    formula->count = 0;
    /* Kinds of inputs that no formula has must not change the formulas. */
    memset(formula->point, 0, sizeof formula->point);
    for (int kind = 0; kind <= LV_INPUT_M; kind++)
        for (int k = 0; k < LV_REFERENCE_INPUTS; k++) {
            double size_of = lv_random_between(&m.state, 0.2, 1.6);
            formula->point[kind][k] = lv_random_below(&m.state, 2) ? size_of : -size_of;
        }

    int made = 0;
    for (int attempt = 0; made < size && attempt < 20 * size; attempt++)
        made += grow_or_forget(&m) >= 0;

    /* Tie loose ends together, so that the formula depends on most of what was made. */
    int result = input(&m);
    for (int k = 0; k < 3 + size / 4; k++) {
        int mark = formula->count;
        int x = operand(&m), y = operand(&m);
        int product = push(&m, LV_OP_MUL, x, y, 0);
        int sum = push(&m, LV_OP_ADD, result, product, 0);
        if (sum >= 0)
            result = sum;
        else
            formula->count = mark;
    }
    formula->count = result + 1;
    assert_in_range(result, 0, LV_RANDOM_NODES - 1);
}

lv_node lv_random_formula_build(const lv_random_formula *formula, lv_graph *graph,
                                lv_node *nodes)
{
    lv_node own[LV_RANDOM_NODES];
    lv_node *to = nodes ? nodes : own;
    for (int i = 0; i < formula->count; i++) {
        const lv_node_data *n = &formula->nodes[i];
        if (n->op == LV_OP_CONST)
            to[i] = lv_graph_const(graph, n->value);
        else if (n->op == LV_OP_INPUT)
            to[i] = lv_graph_input(graph, (lv_input)n->a, n->b);
        else
            to[i] = lv_graph_op(graph, n->op, to[n->a], to[n->b], to[n->c]);
    }
    return to[formula->count - 1];
}

void lv_random_variables(lv_graph *graph, lv_node *variables)
{
    int n = 0;
    for (int k = 0; k < LV_RANDOM_Q; k++)
        variables[n++] = lv_graph_input(graph, LV_INPUT_Q, k);
    for (int k = 0; k < LV_RANDOM_Q; k++)
        variables[n++] = lv_graph_input(graph, LV_INPUT_V, k);
    variables[n++] = lv_graph_input(graph, LV_INPUT_T, 0);
    for (int k = 0; k < LV_RANDOM_P; k++)
        variables[n++] = lv_graph_input(graph, LV_INPUT_P, k);
}

void lv_random_point(const lv_random_formula *formula, lv_reference_point point)
{
    for (int kind = 0; kind < LV_INPUT_KINDS; kind++)
        for (int k = 0; k < LV_REFERENCE_INPUTS; k++)
            point[kind][k] = lv_reference_make((long double)formula->point[kind][k], 0);
}

void lv_random_inputs(const lv_random_formula *formula,
                      const double *inputs[LV_INPUT_KINDS])
{
    for (int kind = 0; kind < LV_INPUT_KINDS; kind++)
        inputs[kind] = formula->point[kind];
}
