#include "check.h"
#include "deny.h"
#include "expr/analyse.h"
#include "expr/diff.h"
#include "random_formula.h"

#include <stdlib.h>
#include <string.h>

#define ALL (LV_KIND(Q) | LV_KIND(V) | LV_KIND(T) | LV_KIND(P))

/* Coordinates, velocities, time and a parameter. */
typedef struct fixture {
    lv_graph *g;
    lv_node q[3], v[3], t, p, one;
} fixture;

static fixture set_up(void)
{
    fixture s = {.g = lv_graph_create(0)};
    assert_non_null(s.g);
    for (int k = 0; k < 3; k++) {
        s.q[k] = lv_graph_input(s.g, LV_INPUT_Q, k);
        s.v[k] = lv_graph_input(s.g, LV_INPUT_V, k);
    }
    s.t = lv_graph_input(s.g, LV_INPUT_T, 0);
    s.p = lv_graph_input(s.g, LV_INPUT_P, 0);
    s.one = lv_graph_const(s.g, 1);
    return s;
}

static lv_node call(const fixture *s, lv_op op, lv_node a)
{
    return lv_graph_op(s->g, op, a, LV_NODE_NONE, LV_NODE_NONE);
}

/* |q|^2 */
static lv_node length2(const fixture *s)
{
    lv_node sum = lv_graph_const(s->g, 0);
    for (int k = 0; k < 3; k++) {
        lv_node squared = lv_graph_square(s->g, s->q[k]);
        sum = lv_graph_add(s->g, sum, squared);
    }
    return sum;
}

static int degree(const fixture *s, lv_node f, lv_kinds in)
{
    unsigned char *degrees = malloc((size_t)lv_graph_count(s->g));
    assert_non_null(degrees);
    lv_analyse_degrees(s->g, degrees, in);
    int result = degrees[f];
    free(degrees);
    return result;
}

static lv_kinds kinds_of(const fixture *s, lv_node f)
{
    lv_kinds *kinds = malloc((size_t)lv_graph_count(s->g) * sizeof *kinds);
    assert_non_null(kinds);
    lv_analyse_kinds(s->g, kinds);
    lv_kinds result = kinds[f];
    free(kinds);
    return result;
}

static void degrees_of_known_formulas(void **state)
{
    (void)state;
    fixture s = set_up();
    lv_graph *g = s.g;
    const lv_kinds q = LV_KIND(Q), v = LV_KIND(V), none = LV_DEGREE_NONE;
    assert_int_equal(degree(&s, s.one, q), 0);
    assert_int_equal(degree(&s, s.q[0], q), 1);
    assert_int_equal(degree(&s, s.q[0], v), 0);
    assert_int_equal(degree(&s, s.p, q), 0);

    lv_node r2 = length2(&s), quartic = lv_graph_square(g, r2);
    assert_int_equal(degree(&s, r2, q), 2);
    assert_int_equal(degree(&s, quartic, q), 4);
    lv_node shifted = lv_graph_sub(g, r2, s.one);
    assert_int_equal(degree(&s, lv_graph_square(g, shifted), q), 4);

    /* Coefficients in anything else do not count. */
    lv_node sine = call(&s, LV_OP_SIN, s.q[0]);
    lv_node kinetic = lv_graph_mul(g, sine, lv_graph_square(g, s.v[1]));
    assert_int_equal(degree(&s, kinetic, v), 2);
    assert_int_equal(degree(&s, kinetic, q), none);
    assert_int_equal(degree(&s, kinetic, q | v), none);
    lv_node bilinear = lv_graph_mul(g, s.q[0], s.v[0]);
    assert_int_equal(degree(&s, bilinear, q), 1);
    assert_int_equal(degree(&s, bilinear, v), 1);
    assert_int_equal(degree(&s, bilinear, q | v), 2);

    /* Quotients, powers, functions. */
    assert_int_equal(degree(&s, lv_graph_div(g, r2, s.p), q), 2);
    assert_int_equal(degree(&s, lv_graph_div(g, s.p, s.q[0]), q), none);
    assert_int_equal(degree(&s, call(&s, LV_OP_SQRT, r2), q), none);
    assert_int_equal(degree(&s, call(&s, LV_OP_SQRT, s.p), q), 0);
    assert_int_equal(degree(&s, call(&s, LV_OP_ABS, s.q[0]), q), none);
    lv_node seven = lv_graph_pow(g, s.q[0], lv_graph_const(g, 7));
    assert_int_equal(degree(&s, seven, q), 7);
    assert_int_equal(degree(&s, lv_graph_pow(g, s.q[0], s.p), q), none);
    assert_int_equal(degree(&s, lv_graph_neg(g, seven), q), 7);

    /* A conditional on other things has the degree of its branches. */
    lv_node later = lv_graph_op(g, LV_OP_LESS, s.t, s.p, LV_NODE_NONE);
    lv_node right = lv_graph_op(g, LV_OP_LESS, s.q[0], s.p, LV_NODE_NONE);
    lv_node by_time = lv_graph_select(g, later, r2, s.q[0]);
    lv_node by_place = lv_graph_select(g, right, r2, s.q[0]);
    assert_int_equal(degree(&s, by_time, q), 2);
    assert_int_equal(degree(&s, by_place, q), none);
    assert_int_equal(degree(&s, right, q), none);
    assert_int_equal(degree(&s, right, v), 0);

    /* High degrees end at none and do not wrap around. */
    lv_node high = s.q[0];
    for (int k = 0; k < 12; k++) {
        high = lv_graph_square(g, high);
        int want = k < 7 ? 2 << k : LV_DEGREE_NONE;
        assert_int_equal(degree(&s, high, q), want);
    }
    assert_int_equal(degree(&s, lv_graph_mul(g, high, s.q[1]), q), none);
    lv_graph_free(s.g);
}

/* A polynomial of degree d in its inputs has no (d + 1)-th difference along any line. */
static void degrees_bound_random_polynomials(void **state)
{
    (void)state;
    int checked = 0;
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        static unsigned char degrees[4000];
        lv_random_formula formula;
        lv_node nodes[LV_RANDOM_NODES];
        const lv_input kind = seed % 2 ? LV_INPUT_Q : LV_INPUT_V;
        lv_random_formula_make(&formula, seed + 400000, 5 + (int)(seed % 25), ALL);
        lv_graph *g = lv_graph_create(0);
        lv_random_formula_build(&formula, g, nodes);
        assert_in_range(lv_graph_count(g), 1, sizeof degrees);
        lv_analyse_degrees(g, degrees, 1U << (unsigned)kind);

        static lv_complex values[10][LV_RANDOM_NODES];
        for (int k = 0; k < 10; k++) {
            lv_reference_point point;
            lv_random_point(&formula, point);
            for (int i = 0; i < LV_RANDOM_Q; i++)
                point[kind][i] *= lv_reference_make(1 + 0.125L * k * (i + 1), 0);
            lv_reference_values(values[k], formula.nodes, formula.count, point);
        }
        for (int i = 0; i < formula.count; i++) {
            int d = degrees[nodes[i]];
            if (d > 8 || !formula.usable[i])
                continue;
            long double difference = 0, binomial = 1, scale = 0;
            for (int k = 0; k <= d + 1; k++) {
                difference += (k % 2 ? -1 : 1) * binomial * creall(values[k][i]);
                scale += binomial * fabsl(creall(values[k][i]));
                binomial = binomial * (d + 1 - k) / (k + 1);
            }
            if (!(fabsl(difference) <= 1e-9L * (scale + 1)))
                fail_msg("formula %d, node %d is no polynomial of degree %d (%Lg)",
                         (int)seed, i, d, difference);
            checked += d > 0;
        }
        lv_graph_free(g);
    }
    assert_true(checked > 5000);
}

static void kinds_are_those_below(void **state)
{
    (void)state;
    fixture s = set_up();
    lv_graph *g = s.g;
    assert_int_equal(kinds_of(&s, s.one), 0);
    assert_int_equal(kinds_of(&s, s.t), LV_KIND(T));
    lv_node product = lv_graph_mul(g, s.q[0], s.p);
    assert_int_equal(kinds_of(&s, product), LV_KIND(Q) | LV_KIND(P));
    lv_node less = lv_graph_op(g, LV_OP_LESS, s.t, s.one, LV_NODE_NONE);
    lv_node select = lv_graph_select(g, less, product, s.v[2]);
    assert_int_equal(kinds_of(&s, select), ALL);
    for (int kind = 0; kind < LV_INPUT_KINDS; kind++) {
        lv_node input = lv_graph_input(g, (lv_input)kind, 5);
        assert_int_equal(kinds_of(&s, call(&s, LV_OP_SIN, input)), 1U << (unsigned)kind);
    }
    lv_graph_free(s.g);
}

static void inputs_come_by_index(void **state)
{
    (void)state;
    static const int order[] = {7, 2, 30, 0, 11, 2};
    static const int sorted[] = {0, 2, 7, 11, 30};
    lv_graph *g = lv_graph_create(0);
    lv_node f[2] = {lv_graph_const(g, 0), LV_NODE_NONE};
    for (int k = 0; k < 6; k++) {
        lv_node q = lv_graph_input(g, LV_INPUT_Q, order[k]);
        lv_node v = lv_graph_input(g, LV_INPUT_V, order[k] + 1);
        lv_node sine = lv_graph_op(g, LV_OP_SIN, q, LV_NODE_NONE, LV_NODE_NONE);
        lv_node term = lv_graph_mul(g, sine, v);
        f[0] = lv_graph_add(g, f[0], term);
    }
    lv_graph_input(g, LV_INPUT_Q, 5); /* not below f */
    lv_node_list inputs = {0};
    assert_int_equal(lv_analyse_inputs(g, &inputs, f, 1, LV_INPUT_Q, NULL), LV_OK);
    assert_int_equal(inputs.count, 5);
    for (int k = 0; k < 5; k++) {
        assert_true(lv_graph_is_input(g, inputs.data[k], LV_INPUT_Q));
        assert_int_equal(lv_graph_node(g, inputs.data[k])->b, sorted[k]);
    }
    LV_ARRAY_FREE(inputs);

    /* Several formulas together; kinds that do not occur; no formula. */
    f[1] = lv_graph_input(g, LV_INPUT_Q, 5);
    assert_int_equal(lv_analyse_inputs(g, &inputs, f, 2, LV_INPUT_Q, NULL), LV_OK);
    assert_int_equal(inputs.count, 6);
    assert_int_equal(inputs.data[2], f[1]);
    LV_ARRAY_FREE(inputs);
    assert_int_equal(lv_analyse_inputs(g, &inputs, f, 2, LV_INPUT_T, NULL), LV_OK);
    assert_int_equal(inputs.count, 0);
    assert_int_equal(lv_analyse_inputs(g, &inputs, f, 0, LV_INPUT_Q, NULL), LV_OK);
    assert_int_equal(inputs.count, 0);
    LV_ARRAY_FREE(inputs);
    lv_graph_free(g);
}

/* The frontier of f in q is exactly these nodes. */
static void check_frontier(const fixture *s, lv_node f, const lv_node *want, int count)
{
    unsigned char *degrees = malloc((size_t)lv_graph_count(s->g));
    assert_non_null(degrees);
    lv_analyse_degrees(s->g, degrees, LV_KIND(Q));
    lv_node_list frontier = {0};
    assert_int_equal(lv_analyse_frontier(s->g, &frontier, f, degrees, NULL), LV_OK);
    assert_int_equal(frontier.count, count);
    for (int k = 0; k < count; k++) {
        assert_int_equal(frontier.data[k], want[k]);
        assert_true(k == 0 || frontier.data[k - 1] < frontier.data[k]);
    }
    LV_ARRAY_FREE(frontier);
    free(degrees);
}

static void frontier_of_known_formulas(void **state)
{
    (void)state;
    fixture s = set_up();
    lv_graph *g = s.g;
    lv_node r2 = length2(&s), shifted = lv_graph_sub(g, r2, s.one);

    /* (|q|^2 - 1)^2 sees |q|^2 - 1, a length sees its square, sin(q) sees q. */
    check_frontier(&s, lv_graph_square(g, shifted), &shifted, 1);
    lv_node length = call(&s, LV_OP_SQRT, r2);
    check_frontier(&s, length, &r2, 1);
    lv_node stretched = lv_graph_sub(g, length, s.p);
    check_frontier(&s, lv_graph_square(g, stretched), &r2, 1);
    lv_node sine = call(&s, LV_OP_SIN, s.q[1]);
    check_frontier(&s, sine, &s.q[1], 1);

    /* What is quadratic itself is its own frontier; what does not depend has none. */
    check_frontier(&s, r2, &r2, 1);
    check_frontier(&s, s.q[2], &s.q[2], 1);
    check_frontier(&s, s.one, NULL, 0);
    check_frontier(&s, call(&s, LV_OP_SIN, s.p), NULL, 0);

    /* Sums: each part has its own; a quadratic part stays whole. */
    lv_node distance = lv_graph_sub(g, s.q[0], s.q[1]);
    lv_node spring = lv_graph_square(g, distance);
    lv_node cosine = call(&s, LV_OP_COS, distance);
    lv_node sum = lv_graph_add(g, sine, cosine);
    sum = lv_graph_add(g, sum, lv_graph_div(g, s.p, length));
    sum = lv_graph_add(g, sum, spring);
    lv_node want[4] = {s.q[1], r2, distance, spring};
    check_frontier(&s, sum, want, 4);

    /* Through conditions as well. */
    lv_node less = lv_graph_op(g, LV_OP_LESS, s.q[0], s.p, LV_NODE_NONE);
    lv_node select = lv_graph_select(g, less, r2, s.p);
    lv_node both[2] = {s.q[0], r2};
    check_frontier(&s, select, both, 2);
    lv_graph_free(s.g);
}

/* With the values of the frontier kept, f does not notice that q moves; every node of the
 * frontier is reached from f through nodes that are more than quadratic. */
static void dependence_passes_through_the_frontier(void **state)
{
    (void)state;
    long long members = 0;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        static unsigned char degrees[4000], reached[4000];
        static lv_node_data nodes[4000];
        static lv_complex values[4000], moved[4000];
        lv_random_formula formula;
        lv_random_formula_make(&formula, seed + 500000, 5 + (int)(seed % 30), ALL);
        lv_graph *g = lv_graph_create(0);
        lv_node f = lv_random_formula_build(&formula, g, NULL);
        int count = lv_graph_count(g);
        assert_in_range(count, 1, 4000);
        lv_analyse_degrees(g, degrees, LV_KIND(Q));
        lv_node_list frontier = {0};
        assert_int_equal(lv_analyse_frontier(g, &frontier, f, degrees, NULL), LV_OK);

        /* The frontier is what a walk from f meets first. */
        memset(reached, 0, sizeof reached);
        reached[f] = 1;
        int met = 0;
        for (lv_node i = f; i >= 0; i--) {
            const lv_node_data *n = lv_graph_node(g, i);
            bool member = reached[i] && degrees[i] >= 1 && degrees[i] <= 2;
            met += member;
            if (!reached[i] || member || n->op == LV_OP_INPUT)
                continue;
            lv_node operands[3] = {n->a, n->b, n->c};
            for (int k = 0; k < lv_op_arity(n->op); k++)
                reached[operands[k]] = 1;
        }
        assert_int_equal(met, frontier.count);
        members += met;

        lv_reference_point point;
        lv_random_point(&formula, point);
        for (lv_node i = 0; i < count; i++)
            nodes[i] = *lv_graph_node(g, i);
        lv_reference_values(values, nodes, count, point);

        /* Frontier nodes become inputs W with the values they had. */
        assert_true(frontier.count <= LV_REFERENCE_INPUTS);
        for (int k = 0; k < frontier.count; k++) {
            lv_node i = frontier.data[k];
            assert_true(reached[i] && degrees[i] >= 1 && degrees[i] <= 2);
            nodes[i] = (lv_node_data){.op = LV_OP_INPUT, .a = (int)LV_INPUT_W, .b = k};
            point[LV_INPUT_W][k] = values[i];
        }
        for (int k = 0; k < LV_RANDOM_Q; k++)
            point[LV_INPUT_Q][k] += lv_reference_make(0.37L, 0);
        lv_reference_values(moved, nodes, count, point);
        assert_true(creall(moved[f]) == creall(values[f]));
        LV_ARRAY_FREE(frontier);
        lv_graph_free(g);
    }
    assert_true(members > 3000);
}

static void kinds_set_to_zero_disappear(void **state)
{
    (void)state;
    fixture s = set_up();
    lv_graph *g = s.g;
    const lv_kinds v = LV_KIND(V);

    /* q0^2/2 + v0^2 sin(q0) + q1 v1 - p cos(v0) */
    lv_node half_square =
        lv_graph_mul(g, lv_graph_const(g, 0.5), lv_graph_square(g, s.q[0]));
    lv_node sine = call(&s, LV_OP_SIN, s.q[0]);
    lv_node second = lv_graph_mul(g, sine, lv_graph_square(g, s.v[0]));
    lv_node third = lv_graph_mul(g, s.q[1], s.v[1]);
    lv_node fourth = lv_graph_mul(g, s.p, call(&s, LV_OP_COS, s.v[0]));
    lv_node f = lv_graph_add(g, half_square, second);
    f = lv_graph_add(g, f, third);
    f = lv_graph_sub(g, f, fourth);
    lv_node still = lv_graph_sub(g, half_square, s.p);
    assert_int_equal(lv_analyse_at_zero(g, f, v), still);
    assert_int_equal(lv_analyse_at_zero(g, f, 0), f);
    assert_true(lv_graph_is_const(g, lv_analyse_at_zero(g, f, ALL), 0));
    assert_true(lv_graph_is_const(g, lv_analyse_at_zero(g, s.v[0], v), 0));
    assert_int_equal(lv_analyse_at_zero(g, s.p, v), s.p);
    assert_int_equal(lv_analyse_at_zero(g, s.one, ALL), s.one);

    /* Without a value there: still a node. */
    lv_node inverse = lv_graph_div(g, s.one, s.v[0]);
    lv_node bad = lv_analyse_at_zero(g, inverse, v);
    assert_true(bad >= 0 && lv_graph_node(g, bad)->op == LV_OP_DIV);
    assert_int_equal(lv_analyse_at_zero(g, LV_NODE_NONE, v), LV_NODE_NONE);
    lv_graph_free(s.g);
}

/* Is some atan2 on its cut, where the sign of a zero decides? */
static bool on_a_cut(const lv_random_formula *formula)
{
    lv_reference_point point;
    lv_complex values[LV_RANDOM_NODES];
    bool found = false;
    lv_random_point(formula, point);
    lv_reference_values(values, formula->nodes, formula->count, point);
    for (int i = 0; i < formula->count; i++)
        if (formula->nodes[i].op == LV_OP_ATAN2)
            found = found || creall(values[formula->nodes[i].a]) == 0;
    return found;
}

static void random_formulas_at_zero_have_the_value_at_zero(void **state)
{
    (void)state;
    int compared = 0;
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        lv_random_formula formula;
        const lv_kinds zero = seed % 3 ? LV_KIND(V) : LV_KIND(V) | LV_KIND(T);
        lv_random_formula_make(&formula, seed + 600000, 5 + (int)(seed % 30), ALL);
        lv_graph *g = lv_graph_create(0);
        lv_node f = lv_random_formula_build(&formula, g, NULL);
        lv_node pair[2] = {f, lv_analyse_at_zero(g, f, zero)};
        const double *inputs[LV_INPUT_KINDS];
        double values[2];
        lv_random_inputs(&formula, inputs);
        lv_kinds *kinds = malloc((size_t)lv_graph_count(g) * sizeof *kinds);
        assert_non_null(kinds);
        lv_analyse_kinds(g, kinds);
        assert_int_equal(kinds[pair[1]] & zero, 0);
        free(kinds);
        for (int k = 0; k < LV_RANDOM_Q; k++)
            formula.point[LV_INPUT_V][k] = 0;
        if (zero & LV_KIND(T))
            formula.point[LV_INPUT_T][0] = 0;
        assert_int_equal(lv_graph_evaluate(g, values, pair, 2, inputs, NULL), LV_OK);
        if (isfinite(values[0]) && !on_a_cut(&formula)) {
            assert_close(values[1], values[0], 1e-9);
            compared++;
        }
        lv_graph_free(g);
    }
    assert_true(compared > 1000);
}

static lv_status analyse_everything(void *user, lv_error *err)
{
    const lv_random_formula *formula = user;
    static unsigned char degrees[4000];
    lv_node_list inputs = {0}, frontier = {0};
    lv_graph *g = lv_graph_create(4000);
    if (!g)
        return lv_fail_memory(err);
    lv_node x[LV_RANDOM_VARIABLES], h[4], f = lv_random_formula_build(formula, g, NULL);
    lv_random_variables(g, x);
    lv_diff_gradient(g, h, f, x, 4);
    lv_diff_hessian(g, h, f, x, 2, x, 2);
    lv_analyse_at_zero(g, f, LV_KIND(V));
    lv_status status = lv_graph_check(g, err);
    if (status == LV_OK) {
        lv_analyse_degrees(g, degrees, LV_KIND(Q));
        status = lv_analyse_frontier(g, &frontier, f, degrees, err);
    }
    if (status == LV_OK)
        status = lv_analyse_inputs(g, &inputs, h, 4, LV_INPUT_Q, err);
    LV_ARRAY_FREE(inputs);
    LV_ARRAY_FREE(frontier);
    lv_graph_free(g);
    return status;
}

static void denied_memory_is_reported_and_nothing_leaks(void **state)
{
    (void)state;
    lv_random_formula formula;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        lv_random_formula_make(&formula, seed + 700000, 15, ALL);
        lv_deny_sweep(analyse_everything, &formula);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(degrees_of_known_formulas),
        RUN(degrees_bound_random_polynomials),
        RUN(kinds_are_those_below),
        RUN(inputs_come_by_index),
        RUN(frontier_of_known_formulas),
        RUN(dependence_passes_through_the_frontier),
        RUN(kinds_set_to_zero_disappear),
        RUN(random_formulas_at_zero_have_the_value_at_zero),
        RUN(denied_memory_is_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
