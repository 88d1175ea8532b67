#include "expr/function.h"

#include "formula.h"
#include "random_formula.h"

#include <stdio.h>

/* ---- the table --------------------------------------------------------------------- */

static void every_function_is_described(void **state)
{
    (void)state;
    int count = 0;
    for (const lv_function *f = lv_function_table; f->name; f++, count++) {
        size_t n = strlen(f->name);
        assert_ptr_equal(lv_function_find(f->name), f);
        assert_memory_equal(f->signature, f->name, n);
        assert_int_equal(f->signature[n], '(');
        assert_true(strlen(f->doc) > 0 && !strchr(f->doc, '\n'));
        assert_true(f->least >= 1 && (f->most < 0 || f->most >= f->least));
        assert_non_null(f->apply);
        for (int k = 0; lv_reserved_names[k]; k++)
            assert_string_not_equal(f->name, lv_reserved_names[k]);
    }
    assert_true(count >= 24);
    assert_null(lv_function_find("nosuch"));
    assert_null(lv_function_find(""));
}

/* ---- scalar functions -------------------------------------------------------------- */

static double sign_of(double x)
{
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

static const struct one {
    const char *name;
    double (*f)(double);
    double low, high;
} ones[] = {
    {"sin", sin, -20, 20},   {"cos", cos, -20, 20},      {"tan", tan, -20, 20},
    {"asin", asin, -1, 1},   {"acos", acos, -1, 1},      {"atan", atan, -20, 20},
    {"sinh", sinh, -20, 20}, {"cosh", cosh, -20, 20},    {"tanh", tanh, -20, 20},
    {"exp", exp, -20, 20},   {"log", log, 0, 20},        {"sqrt", sqrt, 0, 20},
    {"abs", fabs, -20, 20},  {"sign", sign_of, -20, 20},
};

/* Both as an operation on a coordinate and folded from a number. */
static void functions_of_one_scalar_are_those_of_libm(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++) {
        char text[60];
        for (int k = 0; k < 200; k++) {
            formula_point at = {
                .q = {lv_random_between(&random, ones[i].low, ones[i].high)}};
            (void)snprintf(text, sizeof text, "%s(x)", ones[i].name);
            assert_close(formula_value(text, &at), ones[i].f(at.q[0]), 0);
            (void)snprintf(text, sizeof text, "%s(%.17g)", ones[i].name, at.q[0]);
            assert_close(formula_value(text, &at), ones[i].f(at.q[0]), 1e-15);
        }
    }
}

static void functions_of_several_scalars_are_those_of_libm(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int k = 0; k < 500; k++) {
        formula_point at = formula_origin;
        for (int i = 0; i < 3; i++)
            at.q[i] = lv_random_between(&random, -5, 5);
        double x = at.q[0], y = at.q[1], z = at.q[2];
        assert_close(formula_value("atan2(x, y)", &at), atan2(x, y), 0);
        assert_close(formula_value("min(x, y)", &at), fmin(x, y), 0);
        assert_close(formula_value("max(x, y)", &at), fmax(x, y), 0);
        assert_close(formula_value("min(x, y, z, 1)", &at), fmin(fmin(x, y), fmin(z, 1)),
                     0);
        assert_close(formula_value("max(x, y, z, -1)", &at),
                     fmax(fmax(x, y), fmax(z, -1)), 0);
        assert_close(formula_value("pow(abs(x), y)", &at), pow(fabs(x), y), 0);
        assert_close(formula_value("pow(x, 3)", &at), x * x * x, 1e-15);
        assert_close(formula_value("pow(x, -2)", &at), 1 / (x * x), 1e-15);
    }
}

/* How deep maxima are nested below a node. */
static int nesting(const lv_graph *g, lv_node node)
{
    const lv_node_data *d = lv_graph_node(g, node);
    if (d->op != LV_OP_MAX)
        return 0;
    const int a = nesting(g, d->a), b = nesting(g, d->b);
    return 1 + (a > b ? a : b);
}

/* A derivative passes through all that are nested: n in a row would make n^2 of n arguments. */
static void maxima_of_many_arguments_are_nested_as_deep_as_the_logarithm(void **state)
{
    (void)state;
    enum { MANY = 512, DEEP = 9 };
    static const char *const names[] = {"x", "y", "z"};
    static char text[MANY * 24];
    int used = snprintf(text, sizeof text, "max(");
    double largest = 0;
    const formula_point at = {.q = {0.3, -0.7, 0.4}};
    for (int k = 0; k < MANY; k++) {
        const double shift = (k * 37) % MANY, value = (at.q[k % 3] - shift);
        used += snprintf(text + used, sizeof text - (size_t)used, "%s(%s-%g)^2",
                         k ? "," : "", names[k % 3], shift);
        largest = fmax(largest, value * value);
    }
    (void)snprintf(text + used, sizeof text - (size_t)used, ")");
    assert_close(formula_value(text, &at), largest, 1e-15);
    formula_test f = {.graph = NULL};
    assert_int_equal(formula_make(&f, text, NULL, NULL), LV_OK);
    assert_int_equal(nesting(f.graph, f.value.items[0]), DEEP);
    formula_done(&f);
}

static void integer_powers_of_negative_numbers_exist(void **state)
{
    (void)state;
    formula_point at = {.q = {-1.3}};
    for (int n = -70; n <= 70; n++) {
        char text[20];
        (void)snprintf(text, sizeof text, "x^%d", n);
        double expected = pow(-1.3, n);
        assert_close(formula_value(text, &at) / expected, 1, 1e-13);
    }
    assert_true(isnan(formula_value("x^0.5", &at)));
}

/* ---- vector functions -------------------------------------------------------------- */

static void functions_of_vectors_are_their_formulas(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int n = 0; n < 500; n++) {
        formula_point at = formula_origin;
        double cross[FORMULA_LENGTH];
        for (int k = 0; k < FORMULA_Q; k++)
            at.q[k] = lv_random_between(&random, -3, 3);
        const double *a = at.q + 3, *b = at.q + 6, *c = at.q + 9;
        double a2 = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
        assert_close(formula_value("dot(a, b)", &at),
                     a[0] * b[0] + a[1] * b[1] + a[2] * b[2], 1e-14);
        assert_close(formula_value("norm2(a)", &at), a2, 1e-15);
        assert_close(formula_value("norm(a)", &at), sqrt(a2), 1e-15);
        assert_close(formula_value("norm(c)", &at), hypot(c[0], c[1]), 1e-15);
        assert_close(formula_value("norm([x])", &at), fabs(at.q[0]), 0);
        assert_close(formula_value("sum(a)", &at), a[0] + a[1] + a[2], 1e-15);
        assert_close(formula_value("sum([x])", &at), at.q[0], 0);
        assert_int_equal(formula_values("cross(a, b)", &at, cross), 3);
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            assert_close(cross[k], a[i] * b[j] - a[j] * b[i], 1e-14);
        }
        assert_close(formula_value("dot(a, cross(a, b))", &at), 0, 1e-13);
    }
}

static void conditions_choose_scalars_and_vectors(void **state)
{
    (void)state;
    double v[FORMULA_LENGTH];
    formula_point at = {.q = {1, 2, 3, 4, 5, 6, 7, 8, 9}};
    assert_close(formula_value("if(x < y, 5, 6)", &at), 5, 0);
    assert_close(formula_value("if(x > y, 5, 6)", &at), 6, 0);
    assert_close(formula_value("if((x) >= (1), x, y)", &at), 1, 0);
    assert_close(formula_value("if(x > y, 1, if(y > z, 2, 3))", &at), 3, 0);
    assert_int_equal(formula_values("if(x < y, a, b)", &at, v), 3);
    assert_close(v[2], 6, 0);
    assert_int_equal(formula_values("if(x > y, a, b)", &at, v), 3);
    assert_close(v[2], 9, 0);
    assert_int_equal(formula_values("if(1 > 2, a, -b)", &at, v), 3);
    assert_close(v[0], -7, 0);
}

/* ---- errors ------------------------------------------------------------------------ */

#define NO_PRODUCT(name)                                                                 \
    "products need a sign: write " name                                                  \
    "*(...); 'livens list functions' shows the functions"
#define MAKE_SCALAR "norm, dot, sum or an index [k] make a scalar of a vector"
#define OF_SCALARS "of scalars write x*y for dot, x^2 for norm2, abs(x) for norm"

static const complaint complaints[] = {
    {"f(x)", LV_ERR_MODEL, 1, 4, "there is no function 'f'", NO_PRODUCT("f")},
    {"1 + x (y)", LV_ERR_MODEL, 5, 5, "there is no function 'x'", NO_PRODUCT("x")},
    {"pi(2)", LV_ERR_MODEL, 1, 5, "there is no function 'pi'", NO_PRODUCT("pi")},
    {"sine(x)", LV_ERR_MODEL, 1, 7, "there is no function 'sine'",
     "did you mean 'sin(x)'?"},
    {"Sin(x)", LV_ERR_MODEL, 1, 6, "there is no function 'Sin'",
     "did you mean 'sin(x)'?"},
    {"squareroot(x)", LV_ERR_MODEL, 1, 13, "there is no function 'squareroot'",
     NO_PRODUCT("squareroot")},
    {"sin()", LV_ERR_MODEL, 1, 5, "sin takes 1 argument, not 0",
     "sin(x): sine of an angle in radians"},
    {"sin(x, y)", LV_ERR_MODEL, 1, 9, "sin takes 1 argument, not 2",
     "sin(x): sine of an angle in radians"},
    {"min(x)", LV_ERR_MODEL, 1, 6, "min takes at least 2 arguments, not 1",
     "min(x, y, ...): the smallest of its arguments"},
    {"max()", LV_ERR_MODEL, 1, 5, "max takes at least 2 arguments, not 0",
     "max(x, y, ...): the largest of its arguments"},
    {"atan2(x)", LV_ERR_MODEL, 1, 8, "atan2 takes 2 arguments, not 1",
     "atan2(y, x): angle of the point (x, y), from -pi to pi"},
    {"if(x < y, 1)", LV_ERR_MODEL, 1, 12, "if takes 3 arguments, not 2",
     "if(x < y, a, b): a where the comparison (< <= > >= == !=) holds, else b; scalars "
     "or "
     "vectors"},
    {"sin(a)", LV_ERR_MODEL, 5, 1, "sin takes scalars, this is a vector of length 3",
     MAKE_SCALAR},
    {"atan2(x, c)", LV_ERR_MODEL, 10, 1,
     "atan2 takes scalars, this is a vector of length 2", MAKE_SCALAR},
    {"min(x, y, a)", LV_ERR_MODEL, 11, 1,
     "min takes scalars, this is a vector of length 3", MAKE_SCALAR},
    {"dot(x, a)", LV_ERR_MODEL, 5, 1, "dot takes vectors, this is a scalar", OF_SCALARS},
    {"dot(a, x)", LV_ERR_MODEL, 8, 1, "dot takes vectors, this is a scalar", OF_SCALARS},
    {"dot(a, c)", LV_ERR_MODEL, 1, 9,
     "dot of a vector of length 3 and a vector of length 2: the lengths differ", NULL},
    {"cross(a, c)", LV_ERR_MODEL, 10, 1,
     "cross takes vectors of length 3, this is a vector of length 2", NULL},
    {"cross(x, a)", LV_ERR_MODEL, 7, 1,
     "cross takes vectors of length 3, this is a scalar", NULL},
    {"norm(x)", LV_ERR_MODEL, 6, 1, "norm takes vectors, this is a scalar", OF_SCALARS},
    {"norm2(x)", LV_ERR_MODEL, 7, 1, "norm2 takes vectors, this is a scalar", OF_SCALARS},
    {"sum(x)", LV_ERR_MODEL, 5, 1, "sum takes vectors, this is a scalar", NULL},
    {"if(x, 1, 2)", LV_ERR_MODEL, 4, 1, "if needs a comparison as its first argument",
     "for example if(x > 0, a, b)"},
    {"if(x < y, a, 1)", LV_ERR_MODEL, 1, 15,
     "the branches of if differ: a vector of length 3 and a scalar", NULL},
    {"if(x < y, a, c)", LV_ERR_MODEL, 1, 15,
     "the branches of if differ: a vector of length 3 and a vector of length 2", NULL},
};

static void wrong_calls_are_refused_at_their_place(void **state)
{
    (void)state;
    expect_complaints(complaints, sizeof complaints / sizeof *complaints);
}

static void denied_memory_is_reported(void **state)
{
    (void)state;
    static const char *const calls[] = {
        "sin(x)",   "min(x, y, z)", "dot(a, b)", "cross(a, b)",      "norm(a)",
        "norm2(a)", "sum(a)",       "pow(x, y)", "if(x != y, a, -b)"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        formula_deny(calls[i]);
}

/* ---- directions --------------------------------------------------------------------- */

static void normal_is_a_unit_vector_across(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int k = 0; k < 300; k++) {
        formula_point at = formula_origin;
        for (int i = 0; i < 3; i++)
            at.q[3 + i] = k < 27 ? (k / (i == 0   ? 1
                                         : i == 1 ? 3
                                                  : 9)) %
                                           3 -
                                       1
                                 : lv_random_between(&random, -5, 5);
        if (k == 13)
            continue; /* the vector 0 */
        assert_close(formula_value("norm2(normal(a))", &at), 1, 1e-15);
        assert_close(formula_value("dot(normal(a), a)", &at), 0, 1e-14);
        assert_close(formula_value("norm(cross(normal(a), a)) - norm(a)", &at), 0, 1e-14);
    }
}

/* Against the formula with cosine and sine, u along and across the axis. */
static void rotate_turns_by_the_length_of_its_vector(void **state)
{
    (void)state;
    uint64_t random = 8;
    for (int k = 0; k < 300; k++) {
        formula_point at = formula_origin;
        double r[3], u[3], angle = 0, along = 0;
        const double size = pow(10, lv_random_between(&random, -9, 1));
        for (int i = 0; i < 3; i++) {
            r[i] = at.q[3 + i] = size * lv_random_between(&random, -1, 1);
            u[i] = at.q[6 + i] = lv_random_between(&random, -2, 2);
            angle += r[i] * r[i];
            along += r[i] * u[i];
        }
        angle = sqrt(angle);
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, l = (i + 2) % 3;
            const double parallel = along / angle * (r[i] / angle);
            const double turned = parallel + (u[i] - parallel) * cos(angle) +
                                  (r[j] * u[l] - r[l] * u[j]) * (sin(angle) / angle);
            char text[40];
            (void)snprintf(text, sizeof text, "rotate(a, b)[%d]", i + 1);
            assert_close(formula_value(text, &at), turned, 2e-14);
        }
    }
    formula_point at = {.q = {[6] = 0.1, 0.2, 0.3}};
    assert_close(formula_value("norm(rotate([0, 0, 0], b) - b)", &at), 0, 0);
    assert_close(formula_value("norm(rotate(a, b) - b)", &at), 0, 0);
    assert_close(formula_value("rotate([0, 0, pi/2], [1, 0, 0])[2]", &at), 1, 1e-15);
    assert_close(formula_value("rotate(pi/2, [1, 0])[2]", &at), 1, 1e-15);
    assert_close(formula_value("rotate(pi/2, [0, 1])[1]", &at), -1, 1e-15);
}

/* d/dt R(r) u at r = 0 is r' x u, and elsewhere the quotient of differences. */
static void rotate_has_its_derivative(void **state)
{
    (void)state;
    const formula_point at = {.q = {[6] = 0.1, 0.2, 0.3}, .v = {[3] = 1, 2, 3}};
    assert_close(formula_value("rotate(a, b)'[1]", &at), 2 * 0.3 - 3 * 0.2, 1e-15);
    const double sizes[] = {1e-3, 0.00999, 0.0101, 0.5, 2};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        formula_point p = at;
        const double h = 1e-5;
        double ends[2];
        for (int end = 0; end < 2; end++) {
            for (int i = 0; i < 3; i++)
                p.q[3 + i] = sizes[k] * (2 - i) + (end ? h : -h) * at.v[3 + i];
            ends[end] = formula_value("rotate(a, b)[2]", &p);
        }
        for (int i = 0; i < 3; i++)
            p.q[3 + i] = sizes[k] * (2 - i);
        assert_close(formula_value("rotate(a, b)'[2]", &p), (ends[1] - ends[0]) / (2 * h),
                     1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_function_is_described),
        RUN(normal_is_a_unit_vector_across),
        RUN(rotate_turns_by_the_length_of_its_vector),
        RUN(rotate_has_its_derivative),
        RUN(functions_of_one_scalar_are_those_of_libm),
        RUN(functions_of_several_scalars_are_those_of_libm),
        RUN(maxima_of_many_arguments_are_nested_as_deep_as_the_logarithm),
        RUN(integer_powers_of_negative_numbers_exist),
        RUN(functions_of_vectors_are_their_formulas),
        RUN(conditions_choose_scalars_and_vectors),
        RUN(wrong_calls_are_refused_at_their_place),
        RUN(denied_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
