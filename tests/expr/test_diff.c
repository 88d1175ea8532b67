/* Derivatives against complex steps: Im f(x + i h d) / h, with f the list of nodes as it
 * was made up, never simplified (tests/support/reference.h). Second derivatives twice:
 * complex steps of our own gradient, which was checked first, and eighth-order
 * differences of complex steps of f, which know nothing of our derivatives. All of these
 * in long double, so that what remains is an error of the derivative and of folded
 * constants. */
#include "check.h"
#include "deny.h"
#include "expr/diff.h"
#include "random_formula.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMULAS = 3000, VARIABLES = LV_RANDOM_VARIABLES };

#define ALL (LV_KIND(Q) | LV_KIND(V) | LV_KIND(T) | LV_KIND(P))

/* Where long double is no more than double, rounding weighs more. */
static const long double tolerance = LDBL_MANT_DIG > DBL_MANT_DIG ? 1e-10L : 1e-6L;

/* Doubles, as users evaluate: rounding grows with the formula's own condition. */
static const long double double_tolerance = 1e-10L;

static long double worst;        /* of the test that runs, for those who want to know */
static long double worst_double; /* of all evaluations in double so far */

static void compare(const char *what, uint64_t seed, int entry, long double got,
                    long double want, long double allowed)
{
    long double scale = fabsl(want) > 1e-3L ? fabsl(want) : 1e-3L;
    long double error = fabsl(got - want) / scale;
    if (!(error <= allowed))
        fail_msg("%s of formula %d, entry %d: %.20Lg, expected %.20Lg", what, (int)seed,
                 entry, got, want);
    worst = error > worst ? error : worst;
}

/* Position of variable k in the blocks of inputs. */
static lv_complex *variable_in(lv_reference_point point, int k)
{
    if (k < LV_RANDOM_Q)
        return &point[LV_INPUT_Q][k];
    if (k < 2 * LV_RANDOM_Q)
        return &point[LV_INPUT_V][k - LV_RANDOM_Q];
    if (k == 2 * LV_RANDOM_Q)
        return &point[LV_INPUT_T][0];
    return &point[LV_INPUT_P][k - 2 * LV_RANDOM_Q - 1];
}

/* Directional derivatives of some nodes of a list by one complex step. */
static uint64_t complex_step(long double *result, const lv_node_data *nodes, int count,
                             const int *outputs, int m, lv_reference_point point)
{
    lv_complex *values = malloc((size_t)count * sizeof *values);
    assert_non_null(values);
    uint64_t fingerprint = lv_reference_values(values, nodes, count, point);
    for (int k = 0; k < m; k++)
        result[k] = cimagl(values[outputs[k]]) / LV_REFERENCE_STEP;
    free(values);
    return fingerprint;
}

static const lv_complex *step_in(lv_reference_point point, int variable)
{
    lv_complex *x = variable_in(point, variable);
    *x = lv_reference_make(creall(*x), LV_REFERENCE_STEP);
    return x;
}

/* A random formula built in a graph of its own. */
typedef struct fixture {
    lv_random_formula formula;
    lv_graph *graph;
    lv_node f;
    lv_node nodes[LV_RANDOM_NODES];
    lv_node variables[VARIABLES];
    const double *inputs[LV_INPUT_KINDS];
} fixture;

static void set_up(fixture *x, uint64_t seed, int size, lv_kinds kinds)
{
    lv_random_formula_make(&x->formula, seed, size, kinds);
    x->graph = lv_graph_create(0);
    assert_non_null(x->graph);
    x->f = lv_random_formula_build(&x->formula, x->graph, x->nodes);
    lv_random_variables(x->graph, x->variables);
    lv_random_inputs(&x->formula, x->inputs);
}

/* Values of nodes of the graph in long double, and in double by the graph itself. */
static void evaluate(const fixture *x, const char *what, uint64_t seed,
                     const lv_node *nodes, int m, long double *result)
{
    lv_error err;
    assert_int_equal(lv_graph_check(x->graph, &err), LV_OK);
    lv_reference reference;
    lv_reference_point point;
    double *plain = malloc((size_t)m * sizeof *plain);
    assert_non_null(plain);
    lv_reference_init(&reference, x->graph, nodes, m);
    lv_random_point(&x->formula, point);
    lv_reference_run(&reference, point);
    assert_int_equal(lv_graph_evaluate(x->graph, plain, nodes, m, x->inputs, &err),
                     LV_OK);
    long double worst_before = worst;
    worst = worst_double;
    for (int k = 0; k < m; k++) {
        result[k] = creall(reference.values[reference.outputs[k]]);
        compare(what, seed, k, (long double)plain[k], result[k], double_tolerance);
    }
    worst_double = worst;
    worst = worst_before;
    lv_reference_done(&reference);
    free(plain);
}

/* Complex steps of nodes of the graph in one variable. */
static void step_nodes(const fixture *x, const lv_node *nodes, int m, int variable,
                       long double *result)
{
    lv_reference reference;
    lv_reference_point point;
    lv_reference_init(&reference, x->graph, nodes, m);
    lv_random_point(&x->formula, point);
    step_in(point, variable);
    complex_step(result, reference.nodes, reference.count, reference.outputs, m, point);
    lv_reference_done(&reference);
}

static void gradient_agrees_with_complex_steps(void **state)
{
    (void)state;
    int dependent = 0;
    worst = 0;
    for (uint64_t seed = 1; seed <= FORMULAS; seed++) {
        fixture x;
        lv_node gradient[VARIABLES];
        long double got[VARIABLES];
        set_up(&x, seed, 5 + (int)(seed % 40), ALL);
        lv_diff_gradient(x.graph, gradient, x.f, x.variables, VARIABLES);
        evaluate(&x, "gradient", seed, gradient, VARIABLES, got);
        int last = x.formula.count - 1;
        for (int k = 0; k < VARIABLES; k++) {
            lv_reference_point point;
            long double want;
            lv_random_point(&x.formula, point);
            step_in(point, k);
            complex_step(&want, x.formula.nodes, x.formula.count, &last, 1, point);
            compare("gradient", seed, k, got[k], want, tolerance);
            dependent += want != 0;
        }
        lv_graph_free(x.graph);
    }
    assert_true(dependent > 4 * FORMULAS);
    print_message("gradients: worst error %.2Le, %d entries not zero\n", worst,
                  dependent);
}

static void jacobian_and_forward_agree_with_complex_steps(void **state)
{
    (void)state;
    enum { M = 4 };
    worst = 0;
    for (uint64_t seed = 1; seed <= FORMULAS / 2; seed++) {
        fixture x;
        set_up(&x, seed + 10000, 5 + (int)(seed % 30), ALL);

        /* Several nodes of one list: they share subexpressions. */
        int outputs[M];
        lv_node f[M], jacobian[M * VARIABLES], along[M], tangents[VARIABLES];
        for (int i = 0, at = x.formula.count - 1; i < M; i++) {
            outputs[i] = at;
            f[i] = x.nodes[at];
            do
                at = at > 0 ? at - 1 : x.formula.count - 1;
            while (!x.formula.usable[at]);
        }
        for (int k = 0; k < VARIABLES; k++)
            tangents[k] = lv_graph_input(x.graph, LV_INPUT_W, k);
        lv_diff_jacobian(x.graph, jacobian, f, M, x.variables, VARIABLES);
        lv_diff_forward(x.graph, along, f, M, x.variables, tangents, VARIABLES);

        long double got[M * VARIABLES], got_along[M], want[M];
        evaluate(&x, "Jacobian", seed, jacobian, M * VARIABLES, got);
        evaluate(&x, "forward", seed, along, M, got_along);
        lv_reference_point point;
        for (int k = 0; k < VARIABLES; k++) {
            lv_random_point(&x.formula, point);
            step_in(point, k);
            complex_step(want, x.formula.nodes, x.formula.count, outputs, M, point);
            for (int i = 0; i < M; i++)
                compare("Jacobian", seed, i * VARIABLES + k, got[i * VARIABLES + k],
                        want[i], tolerance);
        }
        lv_random_point(&x.formula, point);
        for (int k = 0; k < VARIABLES; k++) {
            lv_complex *variable = variable_in(point, k);
            long double direction = (long double)x.formula.point[LV_INPUT_W][k];
            *variable =
                lv_reference_make(creall(*variable), direction * LV_REFERENCE_STEP);
        }
        complex_step(want, x.formula.nodes, x.formula.count, outputs, M, point);
        for (int i = 0; i < M; i++)
            compare("forward", seed, i, got_along[i], want[i], tolerance);
        lv_graph_free(x.graph);
    }
    print_message("Jacobians: worst error %.2Le\n", worst);
}

/* Derivative at 0 of g on the grid -4..4 with spacing h, order 8 (Fornberg 1988). */
static long double difference(const long double g[9], long double h)
{
    static const long double weight[5] = {0, 4.0L / 5, -1.0L / 5, 4.0L / 105,
                                          -1.0L / 280};
    long double sum = 0;
    for (int k = 1; k <= 4; k++)
        sum += weight[k] * (g[4 + k] - g[4 - k]);
    return sum / h;
}

/* d2 f / d variable(a) d variable(b) from f alone. False where a kink is too near. */
static bool second_from_values(const fixture *x, int a, int b, lv_reference_point at,
                               long double *result)
{
    const long double h = 1e-3L;
    long double g[9];
    uint64_t fingerprint = 0;
    int last = x->formula.count - 1;
    lv_reference_point point;
    for (int k = -4; k <= 4; k++) {
        memcpy(point, at, sizeof point);
        *variable_in(point, b) += lv_reference_make((long double)k * h, 0);
        step_in(point, a);
        uint64_t now =
            complex_step(&g[4 + k], x->formula.nodes, x->formula.count, &last, 1, point);
        if (k > -4 && now != fingerprint)
            return false;
        fingerprint = now;
    }
    *result = difference(g, h);
    return true;
}

static void hessian_agrees_with_complex_steps_and_with_differences(void **state)
{
    (void)state;
    static const int rows[] = {0, 2, 3, 4, 6};    /* q0 q2 v0 v1 t */
    static const int columns[] = {5, 0, 6, 1, 7}; /* v2 q0 t q1 p0 */
    enum { NR = 5, NC = 5 };
    int kinks = 0, nonzero = 0;
    long double worst_difference = 0;
    worst = 0;
    for (uint64_t seed = 1; seed <= FORMULAS; seed++) {
        fixture x;
        lv_node gradient[NR], hessian[NR * NC], r[NR], c[NC];
        long double got[NR * NC], want[NR];
        set_up(&x, seed + 20000, 5 + (int)(seed % 25), ALL);
        for (int k = 0; k < NR; k++)
            r[k] = x.variables[rows[k]];
        for (int k = 0; k < NC; k++)
            c[k] = x.variables[columns[k]];
        lv_diff_hessian(x.graph, hessian, x.f, r, NR, c, NC);
        lv_diff_gradient(x.graph, gradient, x.f, r, NR);
        evaluate(&x, "Hessian", seed, hessian, NR * NC, got);
        for (int k = 0; k < NC; k++) {
            step_nodes(&x, gradient, NR, columns[k], want);
            for (int i = 0; i < NR; i++) {
                compare("Hessian", seed, i * NC + k, got[i * NC + k], want[i], tolerance);
                nonzero += want[i] != 0;
            }
        }

        /* Two entries per formula from values of f alone. */
        lv_reference_point at;
        lv_random_point(&x.formula, at);
        long double worst_before = worst;
        worst = worst_difference;
        for (int entry = (int)(seed % 12); entry < NR * NC; entry += 13) {
            int i = entry / NC, k = entry % NC;
            long double second;
            if (second_from_values(&x, rows[i], columns[k], at, &second))
                compare("Hessian by differences", seed, entry, got[entry], second,
                        tolerance);
            else
                kinks++;
        }
        worst_difference = worst;
        worst = worst_before;
        lv_graph_free(x.graph);
    }
    assert_true(kinks < FORMULAS / 50);
    assert_true(nonzero > FORMULAS);
    print_message(
        "Hessians: worst error %.2Le, against differences %.2Le; %d entries not "
        "zero; %d differences skipped at kinks\n",
        worst, worst_difference, nonzero, kinks);
}

static void
hessian_over_one_set_is_symmetric_and_agrees_with_the_general_one(void **state)
{
    (void)state;
    worst = 0;
    for (uint64_t seed = 1; seed <= FORMULAS / 6; seed++) {
        fixture x;
        lv_node same[VARIABLES * VARIABLES], general[VARIABLES * VARIABLES];
        lv_node copy[VARIABLES];
        long double a[VARIABLES * VARIABLES], b[VARIABLES * VARIABLES];
        set_up(&x, seed + 30000, 5 + (int)(seed % 25), ALL);
        memcpy(copy, x.variables, sizeof copy);
        lv_diff_hessian(x.graph, same, x.f, x.variables, VARIABLES, x.variables,
                        VARIABLES);
        lv_diff_hessian(x.graph, general, x.f, x.variables, VARIABLES, copy, VARIABLES);
        for (int i = 0; i < VARIABLES; i++)
            for (int k = 0; k < i; k++)
                assert_int_equal(same[i * VARIABLES + k], same[k * VARIABLES + i]);
        evaluate(&x, "symmetric Hessian", seed, same, VARIABLES * VARIABLES, a);
        evaluate(&x, "general Hessian", seed, general, VARIABLES * VARIABLES, b);
        for (int k = 0; k < VARIABLES * VARIABLES; k++)
            compare("symmetric Hessian", seed, k, a[k], b[k], tolerance);
        lv_graph_free(x.graph);
    }
    print_message("symmetric Hessians: worst error %.2Le\n", worst);
}

/* sum over q of d3 f / d q_j d a d b w_j from f alone: differences of second_from_values.
 */
static bool third_from_values(const fixture *x, int a, int b, long double *result)
{
    const long double h = 1e-3L;
    long double g[9];
    for (int k = -4; k <= 4; k++) {
        lv_reference_point point;
        lv_random_point(&x->formula, point);
        for (int j = 0; j < LV_RANDOM_Q; j++)
            point[LV_INPUT_Q][j] += lv_reference_make(
                (long double)k * h * (long double)x->formula.point[LV_INPUT_W][j], 0);
        if (!second_from_values(x, a, b, point, &g[4 + k]))
            return false;
    }
    *result = difference(g, h);
    return true;
}

static void contracted_third_derivatives_agree(void **state)
{
    (void)state;
    enum { NR = 3, NC = 4, N = LV_RANDOM_Q };
    static const int columns[NC] = {0, 1, 3, 6}; /* q0 q1 v0 t */
    int kinks = 0, nonzero = 0, compared = 0;
    long double worst_difference = 0;
    worst = 0;
    for (uint64_t seed = 1; seed <= FORMULAS / 2; seed++) {
        fixture x;
        lv_node hessian[NR * NC], third[NR * NC], r[NR], c[NC], w[N];
        long double got[NR * NC], want[NR * NC], part[NR * NC];
        set_up(&x, seed + 40000, 5 + (int)(seed % 25), ALL);
        for (int k = 0; k < NR; k++)
            r[k] = x.variables[k];
        for (int k = 0; k < NC; k++)
            c[k] = x.variables[columns[k]];
        for (int k = 0; k < N; k++)
            w[k] = lv_graph_input(x.graph, LV_INPUT_W, k);
        lv_diff_third(x.graph, third, x.f, x.variables, w, N, r, NR, c, NC);
        lv_diff_hessian(x.graph, hessian, x.f, r, NR, c, NC);
        evaluate(&x, "third derivative", seed, third, NR * NC, got);

        /* Complex steps of the Hessian, weighted with the direction. */
        memset(want, 0, sizeof want);
        for (int j = 0; j < N; j++) {
            step_nodes(&x, hessian, NR * NC, j, part);
            for (int k = 0; k < NR * NC; k++)
                want[k] += part[k] * (long double)x.formula.point[LV_INPUT_W][j];
        }
        for (int k = 0; k < NR * NC; k++) {
            compare("third derivative", seed, k, got[k], want[k], tolerance);
            nonzero += want[k] != 0;
        }

        /* One entry of every fifth formula from values of f alone. */
        long double value, worst_before = worst;
        if (seed % 5 == 0) {
            int entry = (int)(seed / 5 % (NR * NC));
            worst = worst_difference;
            if (third_from_values(&x, entry / NC, columns[entry % NC], &value))
                compare("third derivative by differences", seed, entry, got[entry], value,
                        100 * tolerance); /* rounding is divided by h twice */
            else
                kinks++;
            compared++;
            worst_difference = worst;
            worst = worst_before;
        }
        lv_graph_free(x.graph);
    }
    assert_true(kinks < compared / 10);
    assert_true(nonzero > FORMULAS / 2);
    print_message("third derivatives: worst error %.2Le, against differences %.2Le; %d "
                  "entries not zero\n",
                  worst, worst_difference, nonzero);
}

static void time_derivative_agrees_with_complex_steps(void **state)
{
    (void)state;
    worst = 0;
    for (uint64_t seed = 1; seed <= FORMULAS; seed++) {
        fixture x;
        lv_node rate;
        long double got, want;
        set_up(&x, seed + 50000, 5 + (int)(seed % 30),
               LV_KIND(Q) | LV_KIND(T) | LV_KIND(P));
        lv_diff_time(x.graph, &rate, &x.f, 1);
        evaluate(&x, "time derivative", seed, &rate, 1, &got);

        lv_reference_point point;
        int last = x.formula.count - 1;
        lv_random_point(&x.formula, point);
        for (int k = 0; k < LV_RANDOM_Q; k++)
            point[LV_INPUT_Q][k] = lv_reference_make(
                (long double)x.formula.point[LV_INPUT_Q][k],
                (long double)x.formula.point[LV_INPUT_V][k] * LV_REFERENCE_STEP);
        step_in(point, 2 * LV_RANDOM_Q);
        complex_step(&want, x.formula.nodes, x.formula.count, &last, 1, point);
        compare("time derivative", seed, 0, got, want, tolerance);
        lv_graph_free(x.graph);
    }
    print_message("time derivatives: worst error %.2Le\n", worst);
    print_message("all of these evaluated in double: worst error %.2Le\n", worst_double);
}

static void contraction_sums_products(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_node f[3], y[3];
    for (int k = 0; k < 3; k++) {
        f[k] = lv_graph_input(g, LV_INPUT_Q, k);
        y[k] = lv_graph_input(g, LV_INPUT_Y, k);
    }
    lv_node sum = lv_diff_contract(g, f, y, 3), none = lv_diff_contract(g, f, y, 0);
    const double q[] = {2, 3, 5}, lambda[] = {7, 11, 13};
    const double *inputs[LV_INPUT_KINDS] = {[LV_INPUT_Q] = q, [LV_INPUT_Y] = lambda};
    double value;
    assert_int_equal(lv_graph_evaluate(g, &value, &sum, 1, inputs, NULL), LV_OK);
    assert_close(value, 2 * 7 + 3 * 11 + 5 * 13, 0);
    assert_true(lv_graph_is_const(g, none, 0));
    lv_graph_free(g);
}

static void a_failed_graph_gives_no_derivatives(void **state)
{
    (void)state;
    enum { N = 3 };
    lv_graph *g = lv_graph_create(0);
    lv_node q[N], out[N * N], f;
    for (int k = 0; k < N; k++)
        q[k] = lv_graph_input(g, LV_INPUT_Q, k);
    f = lv_graph_mul(g, q[0], q[1]);
    lv_graph_give_up(g, LV_ERR_LIMIT);
    for (int what = 0; what < 6; what++) {
        int count = what == 0 ? N : what < 4 ? N * N : 1;
        memset(out, 0, sizeof out);
        if (what == 0)
            lv_diff_gradient(g, out, f, q, N);
        else if (what == 1)
            lv_diff_jacobian(g, out, (lv_node[]){f, q[0], q[1]}, 3, q, N);
        else if (what == 2)
            lv_diff_hessian(g, out, f, q, N, q, N);
        else if (what == 3)
            lv_diff_third(g, out, f, q, q, N, q, N, q, N);
        else if (what == 4)
            lv_diff_time(g, out, &f, 1);
        else
            lv_diff_forward(g, out, &f, 1, q, q, N);
        for (int k = 0; k < count; k++)
            assert_int_equal(out[k], LV_NODE_NONE);
    }
    assert_int_equal(lv_diff_contract(g, q, q, N), LV_NODE_NONE);
    assert_int_equal(lv_graph_status(g), LV_ERR_LIMIT);
    lv_graph_free(g);
}

static void a_limit_passed_on_the_way_leaves_all_derivatives_or_none(void **state)
{
    (void)state;
    enum { N = LV_RANDOM_Q };
    lv_random_formula formula;
    lv_random_formula_make(&formula, 70000, 25, LV_KIND(Q) | LV_KIND(T));
    int failures = 0;
    for (int limit = 10; limit < 3000; limit += 1 + limit / 20) {
        lv_graph *g = lv_graph_create(limit);
        lv_node x[VARIABLES], out[N * N + N + 1];
        lv_node f = lv_random_formula_build(&formula, g, NULL);
        lv_random_variables(g, x);
        lv_node both[2] = {f, x[0]};
        int parts = lv_graph_status(g) == LV_OK ? 2 : 0;
        for (int part = 0; part < parts; part++) {
            int count = part == 0 ? 2 * N : N * N;
            if (part == 0)
                lv_diff_jacobian(g, out, both, 2, x, N);
            else
                lv_diff_hessian(g, out, f, x, N, x, N);
            bool ok = lv_graph_status(g) == LV_OK;
            for (int k = 0; k < count; k++)
                assert_int_equal(out[k] == LV_NODE_NONE, !ok);
        }
        failures += lv_graph_status(g) != LV_OK;
        assert_true(lv_graph_count(g) <= limit);
        lv_graph_free(g);
    }
    assert_in_range(failures, 20, 90);
}

static lv_status derive_everything(void *user, lv_error *err)
{
    const lv_random_formula *formula = user;
    enum { N = VARIABLES };
    lv_graph *g = lv_graph_create(0);
    if (!g)
        return lv_fail_memory(err);
    lv_node x[N], out[N * N], f = lv_random_formula_build(formula, g, NULL);
    lv_random_variables(g, x);
    lv_diff_gradient(g, out, f, x, N);
    lv_diff_hessian(g, out, f, x, 2, x, 2);
    lv_diff_third(g, out, f, x, x, 2, x, 2, x + 2, 2);
    lv_status status = lv_graph_check(g, err);
    lv_graph_free(g);
    return status;
}

static void denied_memory_is_reported_and_nothing_leaks(void **state)
{
    (void)state;
    lv_random_formula formula;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        lv_random_formula_make(&formula, seed + 60000, 12, ALL);
        lv_deny_sweep(derive_everything, &formula);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(gradient_agrees_with_complex_steps),
        RUN(jacobian_and_forward_agree_with_complex_steps),
        RUN(hessian_agrees_with_complex_steps_and_with_differences),
        RUN(hessian_over_one_set_is_symmetric_and_agrees_with_the_general_one),
        RUN(contracted_third_derivatives_agree),
        RUN(time_derivative_agrees_with_complex_steps),
        RUN(contraction_sums_products),
        RUN(a_failed_graph_gives_no_derivatives),
        RUN(a_limit_passed_on_the_way_leaves_all_derivatives_or_none),
        RUN(denied_memory_is_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
