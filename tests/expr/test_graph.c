#include "check.h"
#include "deny.h"
#include "expr/diff.h"
#include "expr/graph.h"
#include "random_formula.h"

#include <ctype.h>
#include <string.h>

#define ALL (LV_KIND(Q) | LV_KIND(V) | LV_KIND(T) | LV_KIND(P))

static lv_node unary(lv_graph *g, lv_op op, lv_node a)
{
    return lv_graph_op(g, op, a, LV_NODE_NONE, LV_NODE_NONE);
}

static lv_node binary(lv_graph *g, lv_op op, lv_node a, lv_node b)
{
    return lv_graph_op(g, op, a, b, LV_NODE_NONE);
}

/* FNV-1a over operations, operands and the bits of constants. */
static uint64_t hash_bytes(uint64_t h, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
    return h;
}

static uint64_t hash_number(uint64_t h, uint64_t x)
{
    for (int k = 0; k < 8; k++, x >>= 8) {
        unsigned char byte = (unsigned char)(x & 0xff);
        h = hash_bytes(h, &byte, 1);
    }
    return h;
}

static uint64_t hash_graph(const lv_graph *g)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (lv_node i = 0; i < lv_graph_count(g); i++) {
        const lv_node_data *n = lv_graph_node(g, i);
        for (const char *name = lv_op_name(n->op); *name; name++) {
            char upper = (char)toupper((unsigned char)*name);
            h = hash_bytes(h, &upper, 1);
        }
        int arity = n->op == LV_OP_INPUT ? 2 : lv_op_arity(n->op);
        uint64_t bits = 0;
        if (n->op == LV_OP_CONST)
            memcpy(&bits, &n->value, sizeof bits);
        h = hash_number(h, arity > 0 ? (uint64_t)n->a : 0);
        h = hash_number(h, arity > 1 ? (uint64_t)n->b : 0);
        h = hash_number(h, arity > 2 ? (uint64_t)n->c : 0);
        h = hash_number(h, bits);
    }
    return h;
}

static void equal_expressions_are_one_node(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0), y = lv_graph_input(g, LV_INPUT_Q, 1);
    assert_int_not_equal(x, y);
    assert_int_not_equal(x, lv_graph_input(g, LV_INPUT_V, 0));
    assert_int_equal(x, lv_graph_input(g, LV_INPUT_Q, 0));
    assert_int_equal(lv_graph_add(g, x, y), lv_graph_add(g, y, x));
    assert_int_equal(lv_graph_mul(g, x, y), lv_graph_mul(g, y, x));
    assert_int_not_equal(lv_graph_sub(g, x, y), lv_graph_sub(g, y, x));
    assert_int_not_equal(lv_graph_div(g, x, y), lv_graph_div(g, y, x));
    assert_int_equal(unary(g, LV_OP_SIN, x), unary(g, LV_OP_SIN, x));
    assert_int_not_equal(unary(g, LV_OP_SIN, x), unary(g, LV_OP_COS, x));
    assert_int_equal(lv_graph_mul(g, x, x), lv_graph_square(g, x));

    /* One node per number; one zero. */
    assert_int_equal(lv_graph_const(g, 0.1), lv_graph_const(g, 0.1));
    assert_int_not_equal(lv_graph_const(g, 0.1), lv_graph_const(g, nextafter(0.1, 1)));
    lv_node zero = lv_graph_const(g, -0.0);
    assert_int_equal(lv_graph_const(g, 0.0), zero);
    assert_false(signbit(lv_graph_node(g, zero)->value));
    assert_int_equal(lv_graph_const(g, (double)NAN), lv_graph_const(g, (double)NAN));
    lv_graph_free(g);
}

static void building_twice_adds_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        lv_random_formula formula;
        lv_node x[LV_RANDOM_VARIABLES], d[LV_RANDOM_VARIABLES],
            again[LV_RANDOM_VARIABLES];
        lv_random_formula_make(&formula, seed, 30, ALL);
        lv_graph *g = lv_graph_create(0);
        lv_random_variables(g, x);
        lv_node f = lv_random_formula_build(&formula, g, NULL);
        lv_diff_gradient(g, d, f, x, LV_RANDOM_VARIABLES);
        int count = lv_graph_count(g);
        assert_int_equal(lv_random_formula_build(&formula, g, NULL), f);
        lv_diff_gradient(g, again, f, x, LV_RANDOM_VARIABLES);
        assert_memory_equal(again, d, sizeof d);
        assert_int_equal(lv_graph_count(g), count);
        lv_graph_free(g);
    }
}

static void operands_come_before_results(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        lv_random_formula formula;
        lv_node x[LV_RANDOM_VARIABLES], h[4];
        lv_random_formula_make(&formula, seed, 30, ALL);
        lv_graph *g = lv_graph_create(0);
        lv_node f = lv_random_formula_build(&formula, g, NULL);
        lv_random_variables(g, x);
        lv_diff_hessian(g, h, f, x, 2, x, 2);
        for (lv_node i = 0; i < lv_graph_count(g); i++) {
            const lv_node_data *n = lv_graph_node(g, i);
            int arity = lv_op_arity(n->op);
            lv_node operands[3] = {n->a, n->b, n->c};
            for (int k = 0; k < arity; k++)
                assert_true(operands[k] >= 0 && operands[k] < i);
        }
        lv_graph_free(g);
    }
}

/* A fixed set of formulas with derivatives. Nothing here folds a transcendental function
 * of a constant: those may differ in the last bit between C libraries. */
static void build_fixed_set(lv_graph *g)
{
    lv_node q[4], v[4], p = lv_graph_input(g, LV_INPUT_P, 0), h[64], rate[2];
    for (int k = 0; k < 4; k++) {
        q[k] = lv_graph_input(g, LV_INPUT_Q, k);
        v[k] = lv_graph_input(g, LV_INPUT_V, k);
    }

    /* Every operation, and the gradient of their sum. */
    lv_node total = lv_graph_const(g, 0.1), half = lv_graph_const(g, 0.5);
    for (int op = (int)LV_OP_ADD; op < (int)LV_OP_COUNT; op++) {
        lv_node less = binary(g, LV_OP_LESS, q[1], q[2]);
        lv_node a = (lv_op)op == LV_OP_SELECT ? less : lv_graph_mul(g, half, q[0]);
        lv_node value = lv_graph_op(g, (lv_op)op, a, q[1], p);
        value = lv_graph_mul(g, value, v[0]);
        total = lv_graph_add(g, total, value);
    }
    lv_diff_gradient(g, h, total, q, 4);
    lv_diff_hessian(g, h, total, q, 3, v, 2);

    /* A double pendulum. */
    lv_node x = lv_graph_const(g, 0), y = x, L = x;
    for (int k = 0; k < 2; k++) {
        lv_node s = unary(g, LV_OP_SIN, q[k]), c = unary(g, LV_OP_COS, q[k]);
        s = lv_graph_mul(g, lv_graph_const(g, 0.7), s);
        c = lv_graph_mul(g, lv_graph_const(g, 0.7), c);
        x = lv_graph_add(g, x, s);
        y = lv_graph_sub(g, y, c);
        lv_diff_time(g, rate, (lv_node[]){x, y}, 2);
        lv_node vx = lv_graph_square(g, rate[0]), vy = lv_graph_square(g, rate[1]);
        lv_node speed = lv_graph_add(g, vx, vy), height = lv_graph_mul(g, p, y);
        speed = lv_graph_mul(g, half, speed);
        L = lv_graph_add(g, L, speed);
        L = lv_graph_sub(g, L, height);
    }
    lv_node both[4] = {q[0], q[1], v[0], v[1]};
    lv_diff_hessian(g, h, L, both, 4, both, 4);

    /* A Kepler potential, with a third derivative. */
    lv_node r = lv_graph_const(g, 0);
    for (int k = 0; k < 3; k++) {
        lv_node squared = lv_graph_square(g, q[k]);
        r = lv_graph_add(g, r, squared);
    }
    r = unary(g, LV_OP_SQRT, r);
    lv_node potential = lv_graph_div(g, lv_graph_neg(g, p), r);
    lv_diff_third(g, h, potential, q, v, 3, q, 3, q, 3);
    lv_node minus_third = lv_graph_const(g, -1.0 / 3), power;
    power = lv_graph_pow(g, r, minus_third);
    lv_diff_hessian(g, h, power, q, 3, q, 3);
}

static void numbering_is_the_same_with_every_compiler(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0), *again = lv_graph_create(0);
    build_fixed_set(g);
    build_fixed_set(again);
    assert_int_equal(lv_graph_status(g), LV_OK);
    assert_true(hash_graph(g) == hash_graph(again));

    /* Changes with every change of the simplification or of the order of construction;
     * both alter results in the last bits. */
    const int count = 887;
    const uint64_t hash = UINT64_C(0x859a077deb18bf9a);
    if (hash_graph(g) != hash || lv_graph_count(g) != count)
        fail_msg("%d nodes with hash 0x%016llx, expected %d with 0x%016llx",
                 lv_graph_count(g), (unsigned long long)hash_graph(g), count,
                 (unsigned long long)hash);
    lv_graph_free(g);
    lv_graph_free(again);
}

static void large_graphs_find_their_nodes_again(void **state)
{
    (void)state;
    enum { N = 100000 };
    lv_graph *g = lv_graph_create(0);
    lv_node first = LV_NODE_NONE;
    for (int round = 0; round < 2; round++) {
        lv_node f = lv_graph_input(g, LV_INPUT_Q, 0);
        for (int k = 0; k < N; k++) {
            lv_node x = lv_graph_input(g, LV_INPUT_Q, k % 50);
            f = k % 2 ? lv_graph_mul(g, f, x) : unary(g, LV_OP_SIN, f);
        }
        assert_true(round == 0 || f == first);
        first = f;
    }
    assert_int_equal(lv_graph_count(g), N + 50);
    lv_graph_free(g);
}

static void limit_is_reported_where_it_was_passed(void **state)
{
    (void)state;
    const char *text = "first\na = \"x + sin(y)*z\"\n";
    lv_source source = {.name = "big.toml", .text = text, .size = strlen(text)};
    lv_snippet snippet = {
        .text = "x + sin(y)*z", .length = 12, .source = &source, .start = 11};
    lv_graph *g = lv_graph_create(5);
    lv_error err;
    int outer = lv_graph_enter(g, &snippet, 0, 12);
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0);
    for (int k = 1; k < 5; k++)
        assert_int_equal(lv_graph_input(g, LV_INPUT_Q, k), k);
    assert_int_equal(lv_graph_check(g, &err), LV_OK);

    int inner = lv_graph_enter(g, &snippet, 4, 6);
    assert_int_equal(unary(g, LV_OP_SIN, x), LV_NODE_NONE);
    lv_graph_leave(g, inner);
    assert_int_equal(lv_graph_add(g, x, x + 1), LV_NODE_NONE);
    lv_graph_leave(g, outer);

    assert_int_equal(lv_graph_status(g), LV_ERR_LIMIT);
    assert_int_equal(lv_graph_check(g, &err), LV_ERR_LIMIT);
    assert_int_equal(lv_graph_check(g, NULL), LV_ERR_LIMIT);
    assert_int_equal(err.code, LV_ERR_LIMIT);
    assert_string_equal(err.file, "big.toml");
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 10);
    assert_int_equal(err.length, 6);
    assert_non_null(strstr(err.text, "5"));
    assert_true(err.hint[0] != 0);
    lv_graph_free(g);
}

static void limit_without_a_place_is_still_an_error(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(1);
    lv_error err;
    assert_int_equal(lv_graph_const(g, 1), 0);
    assert_int_equal(lv_graph_const(g, 1), 0); /* found, not made */
    assert_int_equal(lv_graph_const(g, 2), LV_NODE_NONE);
    assert_int_equal(lv_graph_check(g, &err), LV_ERR_LIMIT);
    assert_int_equal(err.line, 0);
    lv_graph_free(g);
}

static void failure_is_sticky(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0), zero = lv_graph_const(g, 0);
    lv_node one = lv_graph_const(g, 1), minus = lv_graph_neg(g, x);
    int count = lv_graph_count(g);
    assert_int_equal(lv_graph_give_up(g, LV_ERR_LIMIT), LV_NODE_NONE);
    assert_int_equal(lv_graph_give_up(g, LV_ERR_MEMORY), LV_NODE_NONE);
    assert_int_equal(lv_graph_status(g), LV_ERR_LIMIT); /* the first one */

    /* Also where the result exists already. */
    assert_int_equal(lv_graph_const(g, 0), LV_NODE_NONE);
    assert_int_equal(lv_graph_input(g, LV_INPUT_Q, 0), LV_NODE_NONE);
    assert_int_equal(lv_graph_add(g, x, zero), LV_NODE_NONE);
    assert_int_equal(lv_graph_add(g, zero, x), LV_NODE_NONE);
    assert_int_equal(lv_graph_sub(g, x, zero), LV_NODE_NONE);
    assert_int_equal(lv_graph_mul(g, x, one), LV_NODE_NONE);
    assert_int_equal(lv_graph_div(g, x, one), LV_NODE_NONE);
    assert_int_equal(lv_graph_neg(g, minus), LV_NODE_NONE);
    assert_int_equal(lv_graph_pow(g, x, one), LV_NODE_NONE);
    assert_int_equal(lv_graph_square(g, one), LV_NODE_NONE);
    assert_int_equal(lv_graph_select(g, one, x, zero), LV_NODE_NONE);
    assert_int_equal(binary(g, LV_OP_MIN, x, x), LV_NODE_NONE);
    assert_int_equal(lv_graph_count(g), count);
    lv_graph_free(g);
}

static void no_operand_gives_no_node(void **state)
{
    (void)state;
    const lv_node none = LV_NODE_NONE;
    lv_graph *g = lv_graph_create(0);
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0), zero = lv_graph_const(g, 0);
    for (int op = (int)LV_OP_ADD; op < (int)LV_OP_COUNT; op++) {
        int arity = lv_op_arity((lv_op)op);
        assert_int_equal(lv_graph_op(g, (lv_op)op, none, x, x), none);
        assert_int_equal(lv_graph_op(g, (lv_op)op, zero, none, x) == none, arity > 1);
        assert_int_equal(lv_graph_op(g, (lv_op)op, zero, x, none) == none, arity > 2);
    }
    assert_int_equal(lv_graph_mul(g, zero, none), none);
    assert_int_equal(lv_graph_pow(g, none, zero), none);
    assert_int_equal(lv_graph_neg(g, none), none);
    assert_int_equal(lv_graph_square(g, none), none);
    assert_false(lv_graph_is_const(g, none, 0));
    assert_false(lv_graph_is_input(g, none, LV_INPUT_Q));
    lv_graph_free(g);
}

static void nodes_remember_where_they_were_written(void **state)
{
    (void)state;
    lv_snippet snippet = {.text = "x*y + sin(x)", .length = 12};
    lv_graph *g = lv_graph_create(0);
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0), y = lv_graph_input(g, LV_INPUT_Q, 1);
    assert_null(lv_graph_span(g, x).snippet);

    int outer = lv_graph_enter(g, &snippet, 0, 12);
    int inner = lv_graph_enter(g, &snippet, 0, 3);
    lv_node product = lv_graph_mul(g, x, y);
    lv_graph_leave(g, inner);
    inner = lv_graph_enter(g, &snippet, 6, 6);
    lv_node sine = unary(g, LV_OP_SIN, x);
    assert_int_equal(lv_graph_mul(g, y, x), product); /* the first place stays */
    lv_graph_leave(g, inner);
    lv_node f = lv_graph_add(g, product, sine);
    lv_graph_leave(g, outer);
    assert_int_equal(lv_graph_span(g, product).start, 0);
    assert_int_equal(lv_graph_span(g, product).length, 3);
    assert_int_equal(lv_graph_span(g, sine).start, 6);
    assert_int_equal(lv_graph_span(g, f).length, 12);
    assert_ptr_equal(lv_graph_span(g, f).snippet, &snippet);

    /* A derivative stands where its formula stands, until somebody writes it. */
    lv_node d;
    lv_diff_gradient(g, &d, sine, &x, 1);
    assert_int_equal(lv_graph_node(g, d)->op, LV_OP_COS);
    assert_int_equal(lv_graph_span(g, d).start, 6);
    assert_true(lv_graph_node(g, d)->derived);
    assert_false(lv_graph_node(g, sine)->derived);
    outer = lv_graph_enter(g, &snippet, 1, 2);
    assert_int_equal(unary(g, LV_OP_COS, x), d);
    lv_graph_leave(g, outer);
    assert_int_equal(lv_graph_span(g, d).start, 1);
    assert_false(lv_graph_node(g, d)->derived);

    lv_node after = unary(g, LV_OP_EXP, y);
    assert_null(lv_graph_span(g, after).snippet);
    lv_graph_free(g);
}

static void evaluation_uses_the_list_of_operations(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_node q[3], nodes[LV_OP_COUNT];
    const double x[3] = {0.3, 0.7, -1.2};
    const double *inputs[LV_INPUT_KINDS] = {[LV_INPUT_Q] = x};
    double values[LV_OP_COUNT];
    for (int k = 0; k < 3; k++)
        q[k] = lv_graph_input(g, LV_INPUT_Q, k);
    int n = 0;
    for (int op = (int)LV_OP_ADD; op < (int)LV_OP_COUNT; op++)
        nodes[n++] = lv_graph_op(g, (lv_op)op, q[0], q[1], q[2]);
    assert_int_equal(lv_graph_evaluate(g, values, nodes, n, inputs, NULL), LV_OK);
    for (int k = 0; k < n; k++) {
        double want = lv_op_value((lv_op)((int)LV_OP_ADD + k), x[0], x[1], x[2]);
        assert_true(values[k] == want);
    }
    assert_int_equal(lv_graph_evaluate(g, values, nodes, 0, inputs, NULL), LV_OK);
    assert_true(lv_graph_is_input(g, q[2], LV_INPUT_Q));
    assert_false(lv_graph_is_input(g, q[2], LV_INPUT_V));
    assert_false(lv_graph_is_const(g, q[2], 2));
    assert_true(lv_graph_is_const(g, lv_graph_const(g, 2), 2));
    lv_graph_free(g);
}

static void evaluation_reads_only_what_it_needs(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_graph_input(g, LV_INPUT_Q, 1000000); /* no such coordinate in the block below */
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0), nodes[2];
    lv_graph_input(g, LV_INPUT_V, 1000000);
    nodes[0] = unary(g, LV_OP_SIN, x);
    nodes[1] = lv_graph_input(g, LV_INPUT_T, 0);
    const double q = 0.4;
    const double *inputs[LV_INPUT_KINDS] = {[LV_INPUT_Q] = &q};
    double values[2];
    assert_int_equal(lv_graph_evaluate(g, values, nodes, 2, inputs, NULL), LV_OK);
    assert_true(values[0] == sin(0.4));
    assert_true(isnan(values[1])); /* nobody knows the time */
    lv_graph_free(g);
}

static lv_status build_and_evaluate(void *user, lv_error *err)
{
    const lv_random_formula *formula = user;
    const double *inputs[LV_INPUT_KINDS];
    lv_snippet snippet = {.text = "f", .length = 1};
    double value;
    lv_graph *g = lv_graph_create(0);
    if (!g)
        return lv_fail_memory(err);
    for (int k = 0; k < 40; k++) {
        int mark = lv_graph_enter(g, &snippet, 0, 1);
        lv_graph_input(g, LV_INPUT_W, k);
        lv_graph_leave(g, mark);
    }
    lv_node f = lv_random_formula_build(formula, g, NULL);
    for (int k = 0; k < 600; k++) /* the table grows */
        f = k % 2 ? unary(g, LV_OP_SIN, f) : unary(g, LV_OP_ATAN, f);
    lv_random_inputs(formula, inputs);
    lv_status status = lv_graph_check(g, err);
    if (status == LV_OK)
        status = lv_graph_evaluate(g, &value, &f, 1, inputs, err);
    else
        assert_int_equal(f, LV_NODE_NONE);
    lv_graph_free(g);
    return status;
}

static void denied_memory_is_reported_and_nothing_leaks(void **state)
{
    (void)state;
    lv_random_formula formula;
    lv_random_formula_make(&formula, 1, 30, ALL);
    lv_deny_sweep(build_and_evaluate, &formula);
    lv_graph_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(equal_expressions_are_one_node),
        RUN(building_twice_adds_nothing),
        RUN(operands_come_before_results),
        RUN(numbering_is_the_same_with_every_compiler),
        RUN(large_graphs_find_their_nodes_again),
        RUN(limit_is_reported_where_it_was_passed),
        RUN(limit_without_a_place_is_still_an_error),
        RUN(failure_is_sticky),
        RUN(no_operand_gives_no_node),
        RUN(nodes_remember_where_they_were_written),
        RUN(evaluation_uses_the_list_of_operations),
        RUN(evaluation_reads_only_what_it_needs),
        RUN(denied_memory_is_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
