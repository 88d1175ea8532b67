/* Derivatives of formulas whose derivatives are known: conditionals, special points, and
 * the Lagrangian of a chain of links with its Hessian in closed form. */
#include "check.h"
#include "expr/diff.h"
#include "reference.h"

/* Formulas in one coordinate x, for the tests of conditionals. */
typedef struct one {
    lv_graph *g;
    lv_node x, zero, one;
} one;

static one one_create(void)
{
    one s = {.g = lv_graph_create(0)};
    assert_non_null(s.g);
    s.x = lv_graph_input(s.g, LV_INPUT_Q, 0);
    s.zero = lv_graph_const(s.g, 0);
    s.one = lv_graph_const(s.g, 1);
    return s;
}

static lv_node unary(const one *s, lv_op op, lv_node a)
{
    return lv_graph_op(s->g, op, a, LV_NODE_NONE, LV_NODE_NONE);
}

/* if (a < b) then else otherwise */
static lv_node branch(const one *s, lv_node a, lv_node b, lv_node then, lv_node otherwise)
{
    lv_node less = lv_graph_op(s->g, LV_OP_LESS, a, b, LV_NODE_NONE);
    return lv_graph_select(s->g, less, then, otherwise);
}

/* First to third derivative at x in both modes. */
static void check_derivatives(const one *s, lv_node f, double x, const double want[3])
{
    lv_node d[6];
    lv_diff_gradient(s->g, &d[0], f, &s->x, 1);
    lv_diff_hessian(s->g, &d[1], f, &s->x, 1, &s->x, 1);
    lv_diff_third(s->g, &d[2], f, &s->x, &s->one, 1, &s->x, 1, &s->x, 1);
    lv_diff_forward(s->g, &d[3], &f, 1, &s->x, &s->one, 1);
    lv_diff_gradient(s->g, &d[4], d[3], &s->x, 1);
    lv_diff_jacobian(s->g, &d[5], &d[4], 1, &s->x, 1);
    double value[6];
    const double *inputs[LV_INPUT_KINDS] = {[LV_INPUT_Q] = &x};
    assert_int_equal(lv_graph_evaluate(s->g, value, d, 6, inputs, NULL), LV_OK);
    for (int k = 0; k < 6; k++)
        assert_close(value[k], want[k % 3], 1e-14);
}

static void derivative_is_not_polluted_by_the_branch_not_taken(void **state)
{
    (void)state;
    one s = one_create();
    lv_node root = unary(&s, LV_OP_SQRT, s.x);
    lv_node f = branch(&s, s.zero, s.x, root, s.zero);
    check_derivatives(&s, f, -1, (double[]){0, 0, 0});
    check_derivatives(&s, f, 0, (double[]){0, 0, 0});
    check_derivatives(&s, f, 4, (double[]){0.25, -1.0 / 32, 3.0 / 256});

    /* The conditional inside other operations, the other branch alive. */
    lv_node inner = branch(&s, s.zero, s.x, root, s.x);
    lv_node sine = unary(&s, LV_OP_SIN, inner);
    lv_node product = lv_graph_mul(s.g, sine, s.x);
    check_derivatives(
        &s, product, -1,
        (double[]){sin(-1) - cos(-1), 2 * cos(-1) + sin(-1), -3 * sin(-1) + cos(-1)});

    /* Each operation with an edge to its domain. */
    static const lv_op edges[] = {LV_OP_SQRT, LV_OP_LOG, LV_OP_ASIN, LV_OP_ACOS};
    for (int k = 0; k < 4; k++) {
        lv_node shifted = lv_graph_sub(s.g, s.x, lv_graph_const(s.g, 3));
        lv_node wild = unary(&s, edges[k], shifted);
        lv_node squared = lv_graph_square(s.g, s.x);
        lv_node g = branch(&s, s.x, s.one, squared, wild);
        check_derivatives(&s, g, 0, (double[]){0, 2, 0});
        check_derivatives(&s, g, -7, (double[]){-14, 2, 0});
    }
    lv_node inverse = lv_graph_div(s.g, s.one, s.x);
    lv_node is_zero = lv_graph_op(s.g, LV_OP_EQUAL, s.x, s.zero, LV_NODE_NONE);
    lv_node guarded = lv_graph_select(s.g, is_zero, s.one, inverse);
    check_derivatives(&s, guarded, 0, (double[]){0, 0, 0});
    check_derivatives(&s, guarded, 2, (double[]){-0.25, 0.25, -0.375});
    lv_graph_free(s.g);
}

static void minimum_and_maximum_pass_the_derivative_of_what_they_take(void **state)
{
    (void)state;
    one s = one_create();

    /* A slack rope, max(0, |x| - 1)^2 with |x| = sqrt(x^2 + y^2), where its ends meet. */
    lv_node y = lv_graph_input(s.g, LV_INPUT_Q, 1);
    lv_node x2 = lv_graph_square(s.g, s.x), y2 = lv_graph_square(s.g, y);
    lv_node r2 = lv_graph_add(s.g, x2, y2), r = unary(&s, LV_OP_SQRT, r2);
    lv_node stretch = lv_graph_sub(s.g, r, s.one);
    lv_node taut = lv_graph_op(s.g, LV_OP_MAX, s.zero, stretch, LV_NODE_NONE);
    lv_node energy = lv_graph_square(s.g, taut), both[2] = {s.x, y}, d[6];
    lv_diff_gradient(s.g, d, energy, both, 2);
    lv_diff_hessian(s.g, d + 2, energy, both, 2, both, 2);
    double q[2] = {0, 0}, value[6];
    const double *inputs[LV_INPUT_KINDS] = {[LV_INPUT_Q] = q};
    assert_int_equal(lv_graph_evaluate(s.g, value, d, 6, inputs, NULL), LV_OK);
    for (int k = 0; k < 6; k++)
        assert_close(value[k], 0, 0);
    q[0] = 3;
    assert_int_equal(lv_graph_evaluate(s.g, value, d, 6, inputs, NULL), LV_OK);
    const double want[6] = {4, 0, 2, 0, 0, 2 - 2.0 / 3};
    for (int k = 0; k < 6; k++)
        assert_close(value[k], want[k], 1e-14);

    /* min(1/x, 5) at 0, in both orders; both operands alive. */
    lv_node inverse = lv_graph_div(s.g, s.one, s.x), five = lv_graph_const(s.g, 5);
    lv_node capped = lv_graph_op(s.g, LV_OP_MIN, inverse, five, LV_NODE_NONE);
    check_derivatives(&s, capped, 0, (double[]){0, 0, 0});
    check_derivatives(&s, capped, 2, (double[]){-0.25, 0.25, -0.375});
    capped = lv_graph_op(s.g, LV_OP_MIN, five, inverse, LV_NODE_NONE);
    check_derivatives(&s, capped, 0, (double[]){0, 0, 0});
    lv_node larger = lv_graph_op(s.g, LV_OP_MAX, x2, s.x, LV_NODE_NONE);
    check_derivatives(&s, larger, 3, (double[]){6, 2, 0});
    check_derivatives(&s, larger, 0.5, (double[]){1, 0, 0});
    lv_graph_free(s.g);
}

static void derivative_passes_through_nested_conditionals(void **state)
{
    (void)state;
    one s = one_create();

    /* if(x > 0, if(x > 1, log(x - 1), x^3), sqrt(-x)) */
    lv_node less_one = lv_graph_sub(s.g, s.x, s.one);
    lv_node log_node = unary(&s, LV_OP_LOG, less_one);
    lv_node three = lv_graph_const(s.g, 3);
    lv_node cube = lv_graph_pow(s.g, s.x, three);
    lv_node minus = lv_graph_neg(s.g, s.x);
    lv_node root = unary(&s, LV_OP_SQRT, minus);
    lv_node inner = branch(&s, s.one, s.x, log_node, cube);
    lv_node f = branch(&s, s.zero, s.x, inner, root);
    check_derivatives(&s, f, 3, (double[]){0.5, -0.25, 0.25});
    check_derivatives(&s, f, 0.5, (double[]){0.75, 3, 6});
    check_derivatives(&s, f, 1, (double[]){3, 6, 6});
    check_derivatives(&s, f, -4, (double[]){-0.25, -1.0 / 32, -3.0 / 256});
    lv_graph_free(s.g);
}

static void one_subexpression_under_two_conditions_keeps_them_apart(void **state)
{
    (void)state;
    one s = one_create();

    /* r = sqrt(x) is used where x > 0, and squared where x > 1; x^2 is always there. */
    lv_node root = unary(&s, LV_OP_SQRT, s.x);
    lv_node product = lv_graph_mul(s.g, root, s.x);
    lv_node first = branch(&s, s.zero, s.x, root, s.one);
    lv_node second = branch(&s, s.one, s.x, product, s.one);
    lv_node sum = lv_graph_add(s.g, first, second);
    lv_node squared = lv_graph_square(s.g, s.x);
    lv_node f = lv_graph_add(s.g, sum, squared);
    check_derivatives(&s, f, -1, (double[]){-2, 2, 0});
    check_derivatives(&s, f, 0.25, (double[]){1 + 0.5, -2 + 2.0, 12});
    check_derivatives(
        &s, f, 4, (double[]){0.25 + 3 + 8, -1.0 / 32 + 0.375 + 2, 3.0 / 256 - 3.0 / 64});

    /* The same conditional root used twice, the product of both. */
    lv_node both = lv_graph_mul(s.g, first, second);
    check_derivatives(&s, both, -1, (double[]){0, 0, 0});
    lv_graph_free(s.g);
}

static void chains_of_conditionals_stay_linear(void **state)
{
    (void)state;
    enum { LENGTH = 40 };
    one s = one_create();

    /* y <- if(y < c, y^2 + x, y - x), each used three times by the next. */
    lv_node y = s.x, nested = s.x;
    for (int k = 0; k < LENGTH; k++) {
        lv_node limit = lv_graph_const(s.g, 1.5 + k / 7.0);
        lv_node squared = lv_graph_square(s.g, y);
        lv_node up = lv_graph_add(s.g, squared, s.x);
        lv_node down = lv_graph_sub(s.g, y, s.x);
        y = branch(&s, y, limit, up, down);

        /* Conditions inside branches: if(x < c1, sin(..), if(x < c2, ...)). */
        lv_node sine = unary(&s, LV_OP_SIN, nested);
        lv_node shared = lv_graph_mul(s.g, sine, nested);
        nested = branch(&s, s.x, limit, shared, nested);
    }
    lv_node f = lv_graph_add(s.g, y, nested), gradient, hessian, third;
    int before = lv_graph_count(s.g);
    lv_diff_gradient(s.g, &gradient, f, &s.x, 1);
    int with_gradient = lv_graph_count(s.g);
    lv_diff_hessian(s.g, &hessian, f, &s.x, 1, &s.x, 1);
    lv_diff_third(s.g, &third, f, &s.x, &s.one, 1, &s.x, 1, &s.x, 1);
    print_message("chain of %d conditionals: %d nodes, %d with the gradient, %d with the "
                  "second and third derivative\n",
                  LENGTH, before, with_gradient, lv_graph_count(s.g));
    assert_in_range(with_gradient, before, 20 * before);
    assert_in_range(lv_graph_count(s.g), before, 200 * before);
    lv_graph_free(s.g);
}

static void derivatives_at_special_points_are_finite(void **state)
{
    (void)state;
    one s = one_create();

    /* Powers at 0: no 0 * inf from logarithms or negative powers. */
    for (int n = 0; n <= 5; n++) {
        lv_node f = lv_graph_pow(s.g, s.x, lv_graph_const(s.g, n));
        check_derivatives(&s, f, 0, (double[]){n == 1, n == 2 ? 2 : 0, n == 3 ? 6 : 0});
    }
    lv_node p = lv_graph_input(s.g, LV_INPUT_P, 0), f = lv_graph_pow(s.g, s.x, p);
    lv_node d;
    lv_diff_gradient(s.g, &d, f, &s.x, 1);
    const double x[] = {0, -2}, three = 3;
    for (int k = 0; k < 2; k++) {
        const double *inputs[LV_INPUT_KINDS] = {
            [LV_INPUT_Q] = &x[k], [LV_INPUT_P] = &three};
        double value;
        assert_int_equal(lv_graph_evaluate(s.g, &value, &d, 1, inputs, NULL), LV_OK);
        assert_close(value, 3 * x[k] * x[k], 1e-15);
    }

    /* tanh far out, atan2 on the axes. */
    lv_node tanh_node = unary(&s, LV_OP_TANH, s.x);
    check_derivatives(&s, tanh_node, 800, (double[]){0, 0, 0});
    lv_node up = lv_graph_op(s.g, LV_OP_ATAN2, s.one, s.x, LV_NODE_NONE);
    check_derivatives(&s, up, 0, (double[]){-1, 0, 2});
    lv_node right = lv_graph_op(s.g, LV_OP_ATAN2, s.x, s.one, LV_NODE_NONE);
    check_derivatives(&s, right, 0, (double[]){1, 0, -2});

    /* sign, comparisons: flat. */
    check_derivatives(&s, unary(&s, LV_OP_SIGN, s.x), 2, (double[]){0, 0, 0});
    lv_node less = lv_graph_op(s.g, LV_OP_LESS, s.x, s.one, LV_NODE_NONE);
    check_derivatives(&s, less, 0, (double[]){0, 0, 0});
    lv_graph_free(s.g);
}

static void derivative_by_an_input_that_does_not_occur_is_zero(void **state)
{
    (void)state;
    one s = one_create();
    lv_node other = lv_graph_input(s.g, LV_INPUT_Q, 7), f = unary(&s, LV_OP_SIN, s.x);
    lv_node variables[2] = {other, s.x}, d[2];
    lv_diff_gradient(s.g, d, f, variables, 2);
    assert_true(lv_graph_is_const(s.g, d[0], 0));
    assert_int_equal(d[1], unary(&s, LV_OP_COS, s.x));
    lv_diff_gradient(s.g, d, s.one, variables, 2);
    assert_true(lv_graph_is_const(s.g, d[0], 0) && lv_graph_is_const(s.g, d[1], 0));
    lv_diff_gradient(s.g, d, s.x, variables, 2);
    assert_true(lv_graph_is_const(s.g, d[0], 0) && lv_graph_is_const(s.g, d[1], 1));
    lv_graph_free(s.g);
}

/* Chain of n links: L = sum m/2 (X_i'^2 + Y_i'^2) - m g Y_i. */
static lv_node pendulum(lv_graph *g, int n, bool parameters)
{
    lv_node l = parameters ? lv_graph_input(g, LV_INPUT_P, 0) : lv_graph_const(g, 0.7);
    lv_node m = parameters ? lv_graph_input(g, LV_INPUT_P, 1) : lv_graph_const(g, 1.3);
    lv_node weight =
        parameters ? lv_graph_input(g, LV_INPUT_P, 2) : lv_graph_const(g, 9.81);
    lv_node X = lv_graph_const(g, 0), Y = X, L = X, half = lv_graph_const(g, 0.5);
    for (int i = 0; i < n; i++) {
        lv_node q = lv_graph_input(g, LV_INPUT_Q, i), rate[2];
        lv_node s = lv_graph_op(g, LV_OP_SIN, q, LV_NODE_NONE, LV_NODE_NONE);
        lv_node c = lv_graph_op(g, LV_OP_COS, q, LV_NODE_NONE, LV_NODE_NONE);
        s = lv_graph_mul(g, l, s);
        c = lv_graph_mul(g, l, c);
        X = lv_graph_add(g, X, s);
        Y = lv_graph_sub(g, Y, c);
        lv_diff_time(g, rate, (lv_node[]){X, Y}, 2);
        lv_node vx = lv_graph_square(g, rate[0]), vy = lv_graph_square(g, rate[1]);
        lv_node v = lv_graph_add(g, vx, vy), half_m = lv_graph_mul(g, half, m);
        lv_node kinetic = lv_graph_mul(g, half_m, v), mg = lv_graph_mul(g, m, weight);
        lv_node potential = lv_graph_mul(g, mg, Y);
        L = lv_graph_add(g, L, kinetic);
        L = lv_graph_sub(g, L, potential);
    }
    return L;
}

/* Hessian of L in (q, v) in closed form, i and k being links, s = sin, c = cos:
 *   L = m l^2/2 sum_ik M_ik cos(q_i - q_k) v_i v_k + m g l sum_i (n - i) cos q_i,
 *   M_ik = n - max(i, k). */
static double pendulum_entry(int n, const double *q, const double *v, int row, int col)
{
    const double l = 0.7, m = 1.3, weight = 9.81;
    int i = row % n, k = col % n;
    double M = n - (i > k ? i : k), a = m * l * l;
    if (row >= n && col >= n)
        return a * M * cos(q[i] - q[k]);
    if (row < n && col < n) {
        if (i != k)
            return a * M * cos(q[i] - q[k]) * v[i] * v[k];
        double sum = -m * weight * l * (n - i) * cos(q[i]);
        for (int j = 0; j < n; j++)
            if (j != i)
                sum -= a * (n - (i > j ? i : j)) * cos(q[i] - q[j]) * v[i] * v[j];
        return sum;
    }
    /* d/dq_i d/dv_k */
    int at = row < n ? i : k, by = row < n ? k : i;
    double sum = -a * M * sin(q[at] - q[by]) * v[at];
    if (at == by) {
        sum = 0;
        for (int j = 0; j < n; j++)
            sum -= a * (n - (at > j ? at : j)) * sin(q[at] - q[j]) * v[j];
    }
    return sum;
}

static void hessian_of_a_chain_of_16_links_is_cheap(void **state)
{
    (void)state;
    enum { LINKS = 16, N = 2 * LINKS };
    for (int parameters = 0; parameters < 2; parameters++) {
        lv_graph *g = lv_graph_create(0);
        lv_node L = pendulum(g, LINKS, parameters), variables[N];
        for (int k = 0; k < N; k++)
            variables[k] =
                lv_graph_input(g, k < LINKS ? LV_INPUT_Q : LV_INPUT_V, k % LINKS);
        static lv_node hessian[N * N], lower[N * (N + 1) / 2];
        lv_diff_hessian(g, hessian, L, variables, N, variables, N);
        int m = 0;
        for (int i = 0; i < N; i++)
            for (int k = 0; k <= i; k++)
                lower[m++] = hessian[i * N + k];

        lv_reference reference;
        lv_reference_init(&reference, g, lower, m);
        int operations = lv_reference_operations(&reference);
        lv_reference_done(&reference);
        print_message("16 links, %s: %d operations for the lower triangle\n",
                      parameters ? "parameters" : "constants", operations);
        assert_in_range(operations, 500, 3500);

        double q[LINKS], v[LINKS];
        static double value[N * N];
        for (int k = 0; k < LINKS; k++) {
            q[k] = 0.3 + sin(2.0 * k);
            v[k] = cos(3.0 * k);
        }
        const double p[] = {0.7, 1.3, 9.81};
        const double *inputs[LV_INPUT_KINDS] = {
            [LV_INPUT_Q] = q, [LV_INPUT_V] = v, [LV_INPUT_P] = p};
        assert_int_equal(lv_graph_evaluate(g, value, hessian, N * N, inputs, NULL),
                         LV_OK);
        for (int k = 0; k < N * N; k++)
            assert_close(value[k], pendulum_entry(LINKS, q, v, k / N, k % N), 1e-12);
        lv_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(derivative_is_not_polluted_by_the_branch_not_taken),
        RUN(minimum_and_maximum_pass_the_derivative_of_what_they_take),
        RUN(derivative_passes_through_nested_conditionals),
        RUN(one_subexpression_under_two_conditions_keeps_them_apart),
        RUN(chains_of_conditionals_stay_linear),
        RUN(derivatives_at_special_points_are_finite),
        RUN(derivative_by_an_input_that_does_not_occur_is_zero),
        RUN(hessian_of_a_chain_of_16_links_is_cheap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
