#include "expr/diff.h"
#include "names.h"
#include "random_formula.h"

#include <float.h>
#include <string.h>

#define ALL (LV_KIND(Q) | LV_KIND(V) | LV_KIND(T) | LV_KIND(P))

/* Short constructors: here formulas are compared, and the numbering does not matter. */

static void tear_down(const fixture *s)
{
    assert_int_equal(lv_graph_status(s->g), LV_OK);
    lv_graph_free(s->g);
}

static lv_node num(const fixture *s, double value)
{
    return lv_graph_const(s->g, value);
}

static lv_node add(const fixture *s, lv_node a, lv_node b)
{
    return lv_graph_add(s->g, a, b);
}

static lv_node sub(const fixture *s, lv_node a, lv_node b)
{
    return lv_graph_sub(s->g, a, b);
}

static lv_node mul(const fixture *s, lv_node a, lv_node b)
{
    return lv_graph_mul(s->g, a, b);
}

static lv_node quo(const fixture *s, lv_node a, lv_node b)
{
    return lv_graph_div(s->g, a, b);
}

static lv_node neg(const fixture *s, lv_node a)
{
    return lv_graph_neg(s->g, a);
}

static lv_node square(const fixture *s, lv_node a)
{
    return lv_graph_square(s->g, a);
}

static lv_node power(const fixture *s, lv_node a, double e)
{
    return lv_graph_pow(s->g, a, num(s, e));
}

static lv_node call(const fixture *s, lv_op op, lv_node a)
{
    return lv_graph_op(s->g, op, a, LV_NODE_NONE, LV_NODE_NONE);
}

static lv_op op_of(const fixture *s, lv_node n)
{
    return lv_graph_node(s->g, n)->op;
}

static double value_at(const fixture *s, lv_node f, double x)
{
    const double q[3] = {x, 0.6, -1.7};
    const double *inputs[LV_INPUT_KINDS] = {[LV_INPUT_Q] = q, [LV_INPUT_P] = q + 1};
    double value = 0;
    assert_int_equal(lv_graph_evaluate(s->g, &value, &f, 1, inputs, NULL), LV_OK);
    return value;
}

static void neutral_and_absorbing_elements_go(void **state)
{
    (void)state;
    fixture s = set_up();
    lv_node zero = num(&s, 0), one = num(&s, 1);
    assert_int_equal(add(&s, s.x, zero), s.x);
    assert_int_equal(add(&s, zero, s.x), s.x);
    assert_int_equal(sub(&s, s.x, zero), s.x);
    assert_int_equal(sub(&s, zero, s.x), neg(&s, s.x));
    assert_int_equal(sub(&s, s.x, s.x), zero);
    assert_int_equal(mul(&s, s.x, one), s.x);
    assert_int_equal(mul(&s, one, s.x), s.x);
    assert_int_equal(mul(&s, s.x, zero), zero);
    assert_int_equal(mul(&s, zero, s.x), zero);
    assert_int_equal(mul(&s, s.x, num(&s, -1)), neg(&s, s.x));
    assert_int_equal(quo(&s, s.x, one), s.x);
    assert_int_equal(quo(&s, s.x, num(&s, -1)), neg(&s, s.x));
    assert_int_equal(quo(&s, s.x, s.x), one);
    assert_int_equal(quo(&s, zero, s.x), zero);
    assert_int_equal(power(&s, s.x, 0), one);
    assert_int_equal(power(&s, s.x, 1), s.x);
    assert_int_equal(neg(&s, neg(&s, s.x)), s.x);
    assert_int_equal(neg(&s, zero), zero);
    tear_down(&s);
}

static void constants_fold(void **state)
{
    (void)state;
    fixture s = set_up();
    lv_node two = num(&s, 2), three = num(&s, 3);
    assert_true(lv_graph_is_const(s.g, add(&s, two, three), 5));
    assert_true(lv_graph_is_const(s.g, sub(&s, two, three), -1));
    assert_true(lv_graph_is_const(s.g, mul(&s, two, three), 6));
    assert_true(lv_graph_is_const(s.g, quo(&s, two, three), 2.0 / 3));
    assert_true(lv_graph_is_const(s.g, power(&s, two, 10), 1024));
    assert_true(lv_graph_is_const(s.g, power(&s, two, -2), 0.25));
    assert_true(lv_graph_is_const(s.g, power(&s, two, 0.3), pow(2, 0.3)));
    for (int op = (int)LV_OP_ADD; op < (int)LV_OP_COUNT; op++) {
        lv_node a = num(&s, 0.5), b = num(&s, 0.25), c = num(&s, 0.75);
        lv_node folded = lv_graph_op(s.g, (lv_op)op, a, b, c);
        double want = lv_op_value((lv_op)op, 0.5, 0.25, 0.75);
        assert_true(lv_graph_is_const(s.g, folded, want));
    }
    tear_down(&s);
}

static void like_terms_are_collected(void **state)
{
    (void)state;
    fixture s = set_up();
    lv_node x2 = mul(&s, num(&s, 2), s.x), x3 = mul(&s, s.x, num(&s, 3));
    lv_node x5 = mul(&s, num(&s, 5), s.x);
    assert_int_equal(add(&s, x2, x3), x5);
    assert_int_equal(add(&s, x3, x2), x5);
    assert_int_equal(sub(&s, x3, x2), s.x);
    assert_int_equal(sub(&s, x2, x3), neg(&s, s.x));
    assert_int_equal(add(&s, s.x, s.x), x2);
    assert_int_equal(add(&s, s.x, x2), x3);
    assert_int_equal(sub(&s, s.x, x2), neg(&s, s.x));
    assert_int_equal(add(&s, s.x, neg(&s, s.x)), num(&s, 0));
    assert_int_equal(add(&s, x2, mul(&s, num(&s, -2), s.x)), num(&s, 0));

    /* c x + c y = c (x + y), and with signs. */
    lv_node y2 = mul(&s, num(&s, 2), s.y);
    lv_node sum = add(&s, s.x, s.y), difference = sub(&s, s.x, s.y);
    assert_int_equal(add(&s, x2, y2), mul(&s, num(&s, 2), sum));
    assert_int_equal(sub(&s, x2, y2), mul(&s, num(&s, 2), difference));
    assert_int_equal(sub(&s, neg(&s, x2), y2), mul(&s, num(&s, -2), sum));
    tear_down(&s);
}

static void signs_and_constant_factors_move_outwards(void **state)
{
    (void)state;
    fixture s = set_up();
    lv_node minus_x = neg(&s, s.x), minus_y = neg(&s, s.y), xy = mul(&s, s.x, s.y);
    assert_int_equal(mul(&s, minus_x, minus_y), xy);
    assert_int_equal(mul(&s, minus_x, s.y), neg(&s, xy));
    assert_int_equal(mul(&s, s.x, minus_y), neg(&s, xy));
    assert_int_equal(mul(&s, minus_x, s.x), neg(&s, square(&s, s.x)));
    assert_int_equal(square(&s, minus_x), square(&s, s.x));
    lv_node ratio = quo(&s, s.x, s.y);
    assert_int_equal(quo(&s, minus_x, s.y), neg(&s, ratio));
    assert_int_equal(quo(&s, s.x, minus_y), neg(&s, ratio));
    assert_int_equal(quo(&s, minus_x, minus_y), ratio);
    assert_int_equal(add(&s, s.x, minus_y), sub(&s, s.x, s.y));
    assert_int_equal(sub(&s, s.x, minus_y), add(&s, s.x, s.y));
    assert_int_equal(add(&s, minus_x, minus_y), neg(&s, add(&s, s.x, s.y)));
    assert_int_equal(add(&s, minus_x, s.y), sub(&s, s.y, s.x));

    lv_node x2 = mul(&s, num(&s, 2), s.x), y3 = mul(&s, num(&s, 3), s.y);
    assert_int_equal(mul(&s, x2, y3), mul(&s, num(&s, 6), xy));
    assert_int_equal(mul(&s, num(&s, 0.5), x2), s.x);
    assert_int_equal(square(&s, x2), mul(&s, num(&s, 4), square(&s, s.x)));
    assert_int_equal(quo(&s, x2, num(&s, 2)), s.x);
    assert_int_equal(quo(&s, x2, mul(&s, num(&s, 2), s.y)), ratio);

    /* Even and odd functions. */
    static const lv_op odd[] = {LV_OP_SIN,  LV_OP_TAN,  LV_OP_ASIN, LV_OP_ATAN,
                                LV_OP_SINH, LV_OP_TANH, LV_OP_SIGN};
    static const lv_op even[] = {LV_OP_COS, LV_OP_COSH, LV_OP_ABS};
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++)
        assert_int_equal(call(&s, odd[k], minus_x), neg(&s, call(&s, odd[k], s.x)));
    for (size_t k = 0; k < sizeof even / sizeof *even; k++)
        assert_int_equal(call(&s, even[k], minus_x), call(&s, even[k], s.x));
    assert_int_equal(call(&s, LV_OP_SIN, neg(&s, x2)), neg(&s, call(&s, LV_OP_SIN, x2)));
    assert_int_not_equal(call(&s, LV_OP_EXP, minus_x), call(&s, LV_OP_EXP, s.x));
    assert_int_not_equal(call(&s, LV_OP_ACOS, minus_x), call(&s, LV_OP_ACOS, s.x));
    tear_down(&s);
}

static void squares_of_roots_need_a_sign(void **state)
{
    (void)state;
    fixture s = set_up();
    lv_node length2 = add(&s, square(&s, s.x), square(&s, s.y));
    lv_node length = call(&s, LV_OP_SQRT, length2);
    assert_int_equal(square(&s, length), length2);
    assert_int_equal(mul(&s, length, length), length2);
    assert_int_equal(power(&s, length, 4), square(&s, length2));
    lv_node lifted = add(&s, num(&s, 1), length2);
    assert_int_equal(square(&s, call(&s, LV_OP_SQRT, lifted)), lifted);

    /* sqrt(x)^2 is x only where x >= 0: elsewhere it has no value and must not get one.
     */
    lv_node root = square(&s, call(&s, LV_OP_SQRT, s.x));
    assert_int_not_equal(root, s.x);
    assert_true(isnan(value_at(&s, root, -1)));
    lv_node lowered = sub(&s, length2, num(&s, 1));
    lv_node lowered_root = square(&s, call(&s, LV_OP_SQRT, lowered));
    assert_int_not_equal(lowered_root, lowered);
    assert_true(isnan(value_at(&s, lowered_root, 0)));

    /* sqrt(x^2) = |x|, |x|^2 = x^2, ||x|| = |x| */
    lv_node abs_x = call(&s, LV_OP_ABS, s.x);
    assert_int_equal(call(&s, LV_OP_SQRT, square(&s, s.x)), abs_x);
    assert_int_equal(square(&s, abs_x), square(&s, s.x));
    assert_int_equal(call(&s, LV_OP_ABS, abs_x), abs_x);
    tear_down(&s);
}

static void sine_and_cosine_squared_are_one(void **state)
{
    (void)state;
    fixture s = set_up();
    lv_node sine = square(&s, call(&s, LV_OP_SIN, s.x));
    lv_node cosine = square(&s, call(&s, LV_OP_COS, s.x));
    lv_node other = square(&s, call(&s, LV_OP_COS, s.y));
    assert_int_equal(add(&s, sine, cosine), num(&s, 1));
    assert_int_equal(add(&s, cosine, sine), num(&s, 1));
    lv_node c = num(&s, 2.5);
    assert_int_equal(add(&s, mul(&s, c, sine), mul(&s, c, cosine)), c);
    assert_int_equal(sub(&s, neg(&s, sine), cosine), num(&s, -1));
    assert_int_equal(op_of(&s, add(&s, sine, other)), LV_OP_ADD);
    assert_int_equal(op_of(&s, sub(&s, cosine, sine)), LV_OP_SUB);
    assert_int_equal(op_of(&s, add(&s, sine, mul(&s, c, cosine))), LV_OP_ADD);
    tear_down(&s);
}

/* Is there a node with this operation below f? */
static bool contains(const fixture *s, lv_node f, lv_op op)
{
    lv_reference r;
    bool found = false;
    lv_reference_init(&r, s->g, &f, 1);
    for (int i = 0; i < r.count; i++)
        found = found || r.nodes[i].op == op;
    lv_reference_done(&r);
    return found;
}

static void powers_become_products_and_roots(void **state)
{
    (void)state;
    fixture s = set_up();
    for (int n = -9; n <= 9; n++) {
        lv_node f = power(&s, s.x, n);
        assert_false(contains(&s, f, LV_OP_POW));
        assert_close(value_at(&s, f, -1.3), pow(-1.3, n), 1e-14);
    }
    lv_node x7 = power(&s, s.x, 7);
    lv_reference r;
    lv_reference_init(&r, s.g, &x7, 1);
    assert_in_range(lv_reference_operations(&r), 4, 4); /* x^2, x^4, two products */
    lv_reference_done(&r);
    assert_int_equal(power(&s, s.x, 2), square(&s, s.x));
    assert_int_equal(power(&s, s.x, -1), quo(&s, num(&s, 1), s.x));
    assert_int_equal(power(&s, s.x, -2), quo(&s, num(&s, 1), square(&s, s.x)));
    assert_int_equal(power(&s, s.x, 0.5), call(&s, LV_OP_SQRT, s.x));
    assert_int_equal(op_of(&s, power(&s, s.x, 1.3)), LV_OP_POW);
    assert_int_equal(op_of(&s, lv_graph_pow(s.g, s.x, s.k)), LV_OP_POW);
    assert_close(value_at(&s, power(&s, s.x, 1000), 1.001), pow(1.001, 1000), 1e-13);
    tear_down(&s);
}

static void constants_without_finite_value_stay(void **state)
{
    (void)state;
    fixture s = set_up();
    lv_node zero = num(&s, 0), one = num(&s, 1), minus = num(&s, -1);
    lv_node huge = num(&s, 1e300);
    const lv_node nodes[] = {
        quo(&s, one, zero),
        call(&s, LV_OP_LOG, minus),
        call(&s, LV_OP_LOG, zero),
        call(&s, LV_OP_SQRT, minus),
        call(&s, LV_OP_ASIN, huge),
        call(&s, LV_OP_ACOS, huge),
        call(&s, LV_OP_EXP, huge),
        mul(&s, huge, huge),
        square(&s, huge),
        power(&s, huge, 2),
        power(&s, zero, -1),
        power(&s, minus, 0.3),
        power(&s, minus, 0.5),
        quo(&s, zero, zero),
        call(&s, LV_OP_COSH, huge),
        power(&s, huge, 1.5),
        power(&s, huge, 7),
        power(&s, zero, -2),
        add(&s, num(&s, DBL_MAX), num(&s, DBL_MAX)),
        sub(&s, num(&s, -DBL_MAX), num(&s, DBL_MAX)),
        quo(&s, huge, num(&s, 1e-300)),
    };
    for (size_t k = 0; k < sizeof nodes / sizeof *nodes; k++) {
        if (op_of(&s, nodes[k]) == LV_OP_CONST)
            fail_msg("constant %d was folded to %g", (int)k,
                     lv_graph_node(s.g, nodes[k])->value);
        assert_true(!isfinite(value_at(&s, nodes[k], 0)));
    }
    /* ... also inside of larger formulas. */
    lv_node f = add(&s, s.x, call(&s, LV_OP_LOG, minus));
    assert_true(isnan(value_at(&s, f, 1)));
    f = mul(&s, s.x, quo(&s, one, zero));
    assert_true(isinf(value_at(&s, f, 1)));
    tear_down(&s);
}

static void extreme_factors_are_not_multiplied_out(void **state)
{
    (void)state;
    fixture s = set_up();
    lv_node tiny = num(&s, 1e-200), huge = num(&s, 1e200);
    lv_node f = mul(&s, tiny, mul(&s, tiny, s.x)); /* not 0 * x */
    assert_close(value_at(&s, f, 1e300) / 1e-100, 1, 1e-14);
    lv_node small = num(&s, 1e-160); /* its square has few bits */
    f = mul(&s, small, mul(&s, small, s.x));
    assert_close(value_at(&s, f, 1e300) / 1e-20, 1, 1e-14);
    f = mul(&s, huge, mul(&s, huge, s.x)); /* not inf * x */
    assert_close(value_at(&s, f, 1e-300) / 1e100, 1, 1e-14);
    f = mul(&s, mul(&s, huge, s.x), mul(&s, huge, s.y));
    assert_true(isfinite(value_at(&s, f, 1e-300)));
    f = quo(&s, s.x, num(&s, 5e-324)); /* its inverse is infinite */
    assert_close(value_at(&s, f, 5e-324 * 8), 8, 1e-14);
    f = mul(&s, s.x, num(&s, 0x1p-1040)); /* few bits, but a factor all the same */
    assert_close(value_at(&s, f, 0x1p1000), 0x1p-40, 1e-14);
    assert_true(value_at(&s, f, 0x1p1000) > 0);
    tear_down(&s);
}

static void conditionals_with_known_answers_go(void **state)
{
    (void)state;
    fixture s = set_up();
    assert_int_equal(lv_graph_select(s.g, num(&s, 1), s.x, s.y), s.x);
    assert_int_equal(lv_graph_select(s.g, num(&s, 0), s.x, s.y), s.y);
    assert_int_equal(lv_graph_select(s.g, num(&s, -0.5), s.x, s.y), s.x);
    lv_node less = lv_graph_op(s.g, LV_OP_LESS, s.x, s.y, LV_NODE_NONE);
    assert_int_equal(lv_graph_select(s.g, less, s.z, s.z), s.z);
    assert_int_equal(op_of(&s, lv_graph_select(s.g, less, s.x, s.y)), LV_OP_SELECT);
    assert_int_equal(lv_graph_op(s.g, LV_OP_MIN, s.x, s.x, LV_NODE_NONE), s.x);
    assert_int_equal(lv_graph_op(s.g, LV_OP_MAX, s.x, s.x, LV_NODE_NONE), s.x);
    tear_down(&s);
}

/* What rounding may do to the naive evaluation: |d op / d operand| times the operand's
 * error, plus a unit of the last place of the result. */
static long double error_of(const lv_node_data *n, const lv_complex *values,
                            const long double *errors, lv_complex value)
{
    /* The square of an error of a value near 1 is what a first-order bound misses. */
    const long double epsilon = (long double)DBL_EPSILON;
    long double error = epsilon * cabsl(value) + 1000 * epsilon * epsilon;
    int arity = lv_op_arity(n->op);
    for (int k = 0; k < arity; k++) {
        lv_complex operands[3] = {values[n->a], arity > 1 ? values[n->b] : values[n->a],
                                  arity > 2 ? values[n->c] : values[n->a]};
        lv_node node = k == 0 ? n->a : k == 1 ? n->b : n->c;
        operands[k] += lv_reference_make(0, LV_REFERENCE_STEP);
        lv_complex moved = lv_reference_op(n->op, operands[0], operands[1], operands[2]);
        error += fabsl(cimagl(moved) / LV_REFERENCE_STEP) * errors[node];
    }
    return error;
}

static void values_change_by_rounding_only(void **state)
{
    (void)state;
    enum { FORMULAS = 4000 };
    int seen[LV_OP_COUNT] = {0}, compared = 0;
    long double worst = 0;
    for (uint64_t seed = 1; seed <= FORMULAS; seed++) {
        lv_random_formula f;
        lv_node nodes[LV_RANDOM_NODES];
        lv_complex values[LV_RANDOM_NODES];
        long double errors[LV_RANDOM_NODES];
        double got[LV_RANDOM_NODES];
        const double *inputs[LV_INPUT_KINDS];
        lv_reference_point point;
        lv_random_formula_make(&f, seed + 100000, 5 + (int)(seed % 50), ALL);
        lv_graph *g = lv_graph_create(0);
        lv_random_formula_build(&f, g, nodes);
        lv_random_inputs(&f, inputs);
        lv_random_point(&f, point);
        assert_int_equal(lv_graph_evaluate(g, got, nodes, f.count, inputs, NULL), LV_OK);
        lv_reference_values(values, f.nodes, f.count, point);
        for (int i = 0; i < f.count; i++) {
            errors[i] = error_of(&f.nodes[i], values, errors, values[i]);
            seen[f.nodes[i].op]++;
            if (!f.usable[i])
                continue;
            long double want = creall(values[i]);
            long double difference = fabsl((long double)got[i] - want);
            /* Sixteen: x^7 by products rounds more often than pow does. */
            if (!(difference <= 16 * errors[i]))
                fail_msg("formula %d, node %d: %.17g, expected %.20Lg (bound %.3Lg)",
                         (int)seed, i, got[i], want, errors[i]);
            if (errors[i] > 0 && difference / errors[i] > worst)
                worst = difference / errors[i];
            compared++;
        }
        lv_graph_free(g);
    }
    for (int op = 0; op < (int)LV_OP_COUNT; op++)
        assert_true(seen[op] > FORMULAS / 10);
    print_message("%d values, worst error %.2Lf of the bound of the naive evaluation\n",
                  compared, worst);
}

/* Making a node again from its operands gives that node: there is nothing left to do. */
static void simplified_nodes_are_simple(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        lv_random_formula formula;
        lv_node x[LV_RANDOM_VARIABLES], d[LV_RANDOM_VARIABLES];
        lv_random_formula_make(&formula, seed + 200000, 5 + (int)(seed % 40), ALL);
        lv_graph *g = lv_graph_create(0);
        lv_node f = lv_random_formula_build(&formula, g, NULL);
        lv_random_variables(g, x);
        lv_diff_gradient(g, d, f, x, LV_RANDOM_VARIABLES);
        int count = lv_graph_count(g);
        for (lv_node i = 0; i < count; i++) {
            const lv_node_data n = *lv_graph_node(g, i);
            if (n.op == LV_OP_CONST || n.op == LV_OP_INPUT)
                continue;
            lv_node again = lv_graph_op(g, n.op, n.a, n.b, n.c);
            if (again != i)
                fail_msg("formula %d: %s of %d and %d is node %d, then %d", (int)seed,
                         lv_op_name(n.op), n.a, n.b, i, again);
        }
        lv_graph_free(g);
    }
}

/* One node, whatever the order of operands and the place of signs. */
static void order_and_signs_do_not_matter(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        lv_random_formula formula;
        lv_node nodes[LV_RANDOM_NODES];
        uint64_t random = seed;
        lv_random_formula_make(&formula, seed + 300000, 5 + (int)(seed % 40), ALL);
        fixture s = {.g = lv_graph_create(0)};
        lv_random_formula_build(&formula, s.g, nodes);
        for (int k = 0; k < 20; k++) {
            lv_node a = nodes[lv_random_below(&random, formula.count)];
            lv_node b = nodes[lv_random_below(&random, formula.count)];
            lv_node minus_a = neg(&s, a), minus_b = neg(&s, b);
            lv_node sum = add(&s, a, b), product = mul(&s, a, b);
            assert_int_equal(add(&s, b, a), sum);
            assert_int_equal(mul(&s, b, a), product);
            assert_int_equal(neg(&s, minus_a), a);
            assert_int_equal(mul(&s, minus_a, minus_b), product);
            assert_int_equal(mul(&s, minus_a, b), neg(&s, product));
            if (op_of(&s, a) == LV_OP_CONST || op_of(&s, b) == LV_OP_CONST)
                continue;
            assert_int_equal(sub(&s, a, minus_b), sum);
            assert_int_equal(add(&s, a, minus_b), sub(&s, a, b));
        }
        tear_down(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(neutral_and_absorbing_elements_go),
        RUN(constants_fold),
        RUN(like_terms_are_collected),
        RUN(signs_and_constant_factors_move_outwards),
        RUN(squares_of_roots_need_a_sign),
        RUN(sine_and_cosine_squared_are_one),
        RUN(powers_become_products_and_roots),
        RUN(constants_without_finite_value_stay),
        RUN(extreme_factors_are_not_multiplied_out),
        RUN(conditionals_with_known_answers_go),
        RUN(values_change_by_rounding_only),
        RUN(simplified_nodes_are_simple),
        RUN(order_and_signs_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
