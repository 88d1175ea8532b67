#include "base/text.h"
#include "expr/domain.h"
#include "random_text.h"

/* ---- values ------------------------------------------------------------------------ */

static const formula_point point = {
    .q = {3, 2, 5, 1, -2, 4, 0.5, 3, -1, 7, 8, 11, 12, 13, 14, 15},
    .v = {0.25, -1.5, 2, 3, 4, 5, -6, 7, 8, 9, 10, 21, 22, 23, 24, 25},
    .t = 0.75,
    .p = {1.5, 0.5, 2, -3, 6},
    .i = 4,
};

static void precedence_is_that_of_mathematics(void **state)
{
    (void)state;
    static const struct expected {
        const char *text;
        double value; /* at x = 3, y = 2, z = 5 */
    } expected[] = {
        {"-x^2", -9},       {"(-x)^2", 9},     {"2^-1", 0.5},    {"2^-y^2", 0.0625},
        {"y^x^y", 512},     {"(y^x)^y", 64},   {"x-y-z", -4},    {"x-(y-z)", 6},
        {"x/y/z", 0.3},     {"x/y*z", 7.5},    {"x/(y*z)", 0.3}, {"x*y/z*x/y", 1.8},
        {"x--y", 5},        {"x-+-y", 5},      {"-x-y", -5},     {"+x*-y", -6},
        {"-x*y+z", -1},     {"x+y*z^2", 53},   {"--x", 3},       {"- - -x", -3},
        {"x/-y", -1.5},     {"x/-y^2", -0.75}, {"12*-x^-1", -4}, {"-2^-2", -0.25},
        {"x - y*2", -1},    {"x -y", 1},       {"1-2-3-4", -8},  {"64/2/4/2", 4},
        {"x^2'", 1},        {"2*x'^2", 0.125}, {"-a[2]^2", -4},  {"a[2]*-2", 4},
        {"[x, y][2]^2", 4}, {"-sin(0)+x", 3},  {"x*(y+z)", 21},  {"(x+y)*z/(x+y)", 5},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        double got = formula_value(expected[i].text, &point);
        if (fabs(got - expected[i].value) > 1e-14 * (1 + fabs(expected[i].value)))
            fail_msg("%s = %.17g, expected %.17g", expected[i].text, got,
                     expected[i].value);
    }
}

static void random_scalars_have_their_values(void **state)
{
    (void)state;
    static text_writer w;
    formula_point at;
    for (uint64_t seed = 0; seed < 6000; seed++) {
        text_point(&at, 3 * seed + 1);
        w = (text_writer){.state = seed, .point = &at};
        text_number n = text_sum(&w, 2 + (int)(seed % 3));
        w.text[w.length] = '\0';
        double got = formula_value(w.text, &at);
        long double allowed = 4 * (long double)DBL_EPSILON * (n.error + 1);
        if (!(fabsl((long double)got - n.value) <= allowed))
            fail_msg("seed %d: \"%s\" = %.17g, expected %.17Lg", (int)seed, w.text, got,
                     n.value);
    }
}

static void random_vectors_have_their_values(void **state)
{
    (void)state;
    static text_writer w;
    formula_point at;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        text_number v[3];
        double got[FORMULA_LENGTH];
        text_point(&at, 5 * seed + 2);
        w = (text_writer){.state = seed, .point = &at};
        text_vector_sum(&w, 2 + (int)(seed % 2), v);
        w.text[w.length] = '\0';
        assert_int_equal(formula_values(w.text, &at, got), 3);
        for (int k = 0; k < 3; k++) {
            long double allowed = 4 * (long double)DBL_EPSILON * (v[k].error + 1);
            if (!(fabsl((long double)got[k] - v[k].value) <= allowed))
                fail_msg("seed %d: \"%s\"[%d] = %.17g, expected %.17Lg", (int)seed,
                         w.text, k + 1, got[k], v[k].value);
        }
    }
}

static void expect_vector(const char *text, int length, const double *expected)
{
    double got[FORMULA_LENGTH];
    assert_int_equal(formula_values(text, &point, got), length);
    for (int k = 0; k < (length == 0 ? 1 : length); k++)
        assert_close(got[k], expected[k], 1e-15);
}

/* a = (1, -2, 4), b = (0.5, 3, -1), c = (7, 8), w = (2, -3, 6) */
static void vectors_are_computed_by_components(void **state)
{
    (void)state;
    expect_vector("a", 3, (double[]){1, -2, 4});
    expect_vector("-a", 3, (double[]){-1, 2, -4});
    expect_vector("a + b - w", 3, (double[]){-0.5, 4, -3});
    expect_vector("2*a*x", 3, (double[]){6, -12, 24});
    expect_vector("a/y/2", 3, (double[]){0.25, -0.5, 1});
    expect_vector("x*a/y", 3, (double[]){1.5, -3, 6});
    expect_vector("[x, y]", 2, (double[]){3, 2});
    expect_vector("[x]", 1, (double[]){3});
    expect_vector("c - [1, 2]", 2, (double[]){6, 6});
    expect_vector("a[2]", 0, (double[]){-2});
    expect_vector("(a + b)[3]", 0, (double[]){3});
    expect_vector("[a[3], k][4 - 2*1]", 0, (double[]){1.5});
    expect_vector("a[2] + b[3]*c[1]", 0, (double[]){-9});
    expect_vector("a'", 3, (double[]){3, 4, 5});
    expect_vector("a'[2]", 0, (double[]){4});
    expect_vector("a[2]'", 0, (double[]){4});
}

static void names_mean_what_the_caller_says(void **state)
{
    (void)state;
    expect_vector("q_3", 0, (double[]){13});
    expect_vector("q_{3}", 0, (double[]){13});
    expect_vector("q_{2 + 3 - 1}'", 0, (double[]){24});
    expect_vector("q_{if(1 < 2, 4, 5)}", 0, (double[]){14});
    expect_vector("twice^2", 0, (double[]){36});
    expect_vector("twice'", 0, (double[]){0.5});
    expect_vector("i*k", 0, (double[]){6});
    expect_vector("pi", 0, (double[]){3.141592653589793});
    expect_vector("t", 0, (double[]){0.75});
}

/* ---- conditions -------------------------------------------------------------------- */

static void comparisons_decide_also_at_equality(void **state)
{
    (void)state;
    static const struct expected {
        const char *sign;
        double less, equal, greater;
    } expected[] = {{"<", 1, 0, 0},  {"<=", 1, 1, 0}, {">", 0, 0, 1},
                    {">=", 0, 1, 1}, {"==", 0, 1, 0}, {"!=", 1, 0, 1}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        static const char *const sides[][2] = {{"if(x", "y, 1, 0)"},
                                               {"if((x)", "2, 1, 0)"}};
        for (int form = 0; form < 2; form++) {
            char text[40];
            formula_point at = {.q = {1, 2}};
            (void)snprintf(text, sizeof text, "%s %s %s", sides[form][0],
                           expected[i].sign, sides[form][1]);
            assert_close(formula_value(text, &at), expected[i].less, 0);
            at.q[0] = 2;
            assert_close(formula_value(text, &at), expected[i].equal, 0);
            at.q[0] = 3;
            assert_close(formula_value(text, &at), expected[i].greater, 0);
            at.q[0] = (double)NAN;
            assert_close(formula_value(text, &at), strcmp(expected[i].sign, "!=") == 0,
                         0);
        }
    }
}

static void only_the_taken_branch_counts(void **state)
{
    (void)state;
    formula_point at = {.q = {-4}};
    assert_close(formula_value("if(x > 0, sqrt(x), 2*x)", &at), -8, 0);
    assert_close(formula_value("if(x > 0, log(x), 1)^2 + if(x != 0, 1/x, 0)", &at), 0.75,
                 1e-15);
    assert_close(
        formula_value("if(x > 0, sqrt(x), -x^2)'", &(formula_point){.q = {-4}, .v = {3}}),
        24, 1e-15);
}

/* ---- time derivatives -------------------------------------------------------------- */

/* The rate of a formula along q + s*v, t + s at s = 0, by central differences. */
static void rate_by_differences(const char *text, const formula_point *at, double h,
                                double *rate)
{
    double plus[FORMULA_LENGTH], minus[FORMULA_LENGTH];
    formula_point p = *at, m = *at;
    for (int k = 0; k < FORMULA_Q; k++) {
        p.q[k] += h * at->v[k];
        m.q[k] -= h * at->v[k];
    }
    p.t += h;
    m.t -= h;
    int length = formula_values(text, &p, plus);
    (void)formula_values(text, &m, minus);
    for (int k = 0; k < (length == 0 ? 1 : length); k++)
        rate[k] = (plus[k] - minus[k]) / (2 * h);
}

static void expect_rate(const char *text, const formula_point *at, double tolerance)
{
    static char primed[TEXT_SIZE + 8];
    double got[FORMULA_LENGTH], fine[FORMULA_LENGTH], coarse[FORMULA_LENGTH];
    (void)snprintf(primed, sizeof primed, "(%s)'", text);
    int length = formula_values(primed, at, got);
    rate_by_differences(text, at, 2e-4, coarse);
    rate_by_differences(text, at, 1e-4, fine);
    for (int k = 0; k < (length == 0 ? 1 : length); k++) {
        double expected = fine[k] + (fine[k] - coarse[k]) / 3;
        /* Where halving the step changes much, differences say nothing. */
        double doubt = 0.1 * fabs(fine[k] - coarse[k]);
        if (!(fabs(got[k] - expected) <= tolerance * (1 + fabs(expected)) + doubt))
            fail_msg("%s = %.17g, by differences %.17g", primed, got[k], expected);
    }
}

static void primes_follow_the_rules_of_calculus(void **state)
{
    (void)state;
    const double *q = point.q, *v = point.v;
    assert_close(formula_value("x'", &point), v[0], 0);
    assert_close(formula_value("(x*y)'", &point), v[0] * q[1] + q[0] * v[1], 1e-15);
    assert_close(formula_value("(x*y*z)'", &point),
                 v[0] * q[1] * q[2] + q[0] * v[1] * q[2] + q[0] * q[1] * v[2], 1e-15);
    assert_close(formula_value("(x/y)'", &point), (v[0] * q[1] - q[0] * v[1]) / 4, 1e-15);
    assert_close(formula_value("x^2'", &point), 1, 0);
    assert_close(formula_value("(x^2)'", &point), 2 * q[0] * v[0], 1e-15);
    assert_close(formula_value("sin(x)'", &point), cos(q[0]) * v[0], 1e-15);
    assert_close(formula_value("(k*t^2)'", &point), 2 * point.p[0] * point.t, 1e-15);
    assert_close(formula_value("t' + k' + pi' + 5' + i'", &point), 1, 0);
    assert_close(formula_value("(x*t)'", &point), v[0] * point.t + q[0], 1e-15);
    assert_close(formula_value("norm2(a)'", &point),
                 2 * (q[3] * v[3] + q[4] * v[4] + q[5] * v[5]), 1e-15);
    expect_vector(
        "cross(a, w)'", 3,
        (double[]){v[4] * 6 + v[5] * 3, v[5] * 2 - v[3] * 6, v[3] * -3 - v[4] * 2});
    expect_vector("[x, 2*t]'", 2, (double[]){v[0], 2});
}

static void random_primes_agree_with_differences(void **state)
{
    (void)state;
    static text_writer w;
    formula_point at;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        text_number v[3];
        text_point(&at, 7 * seed + 3);
        w = (text_writer){.state = seed, .point = &at, .smooth = true, .still = true};
        if (seed % 4 == 0)
            text_vector_sum(&w, 2, v);
        else
            (void)text_sum(&w, 2);
        w.text[w.length] = '\0';
        expect_rate(w.text, &at, 1e-6);
    }
}

/* ---- places ------------------------------------------------------------------------ */

/* A velocity that is not a number is reported where it is written. */
static void velocities_know_where_they_are_written(void **state)
{
    (void)state;
    static const struct expected {
        const char *text;
        int index, column;
    } expected[] = {
        {"y*x' + sin(y')", 0, 3}, {"y*x' + sin(y')", 1, 12}, {"y*(x*z)'", 2, 3}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        formula_test f = {.graph = NULL};
        formula_point at = point;
        lv_error err;
        const double *in[LV_INPUT_KINDS] = {at.q, at.v, &at.t, at.p, &at.i};
        at.v[expected[i].index] = (double)NAN;
        assert_int_equal(formula_make(&f, expected[i].text, NULL, &err), LV_OK);
        assert_int_equal(lv_domain_diagnose(f.graph, f.value.items, 1, in, &err),
                         LV_ERR_DOMAIN);
        assert_int_equal(err.column, expected[i].column);
        formula_done(&f);
    }
}

/* The file has "x + \u0061^2 - 1" as a string with an escape; its value is "x + a^2 - 1". */
static void places_count_in_the_file(void **state)
{
    (void)state;
    static const char file[] = "potential = \"x + \\u0061^2 - 1\"\n";
    static const size_t offsets[] = {13, 14, 15, 16, 17, 23, 24, 25, 26, 27, 28, 29};
    const lv_source source = {"m.toml", file, sizeof file - 1};
    const lv_snippet snippet = {
        .text = "x + a^2 - 1", .length = 11, .source = &source, .offsets = offsets};
    lv_arena arena = {0};
    lv_formula formula;
    lv_value value;
    lv_error err;
    char message[400];
    lv_elaboration e = {.arena = &arena, .resolve = formula_resolve};
    e.graph = lv_graph_create(0);
    assert_int_equal(lv_formula_parse(&formula, &arena, &snippet, &err), LV_OK);
    assert_int_equal(lv_elaborate(&e, &value, &formula, &err), LV_ERR_MODEL);
    (void)lv_error_write(&err, message, sizeof message);
    assert_string_equal(message,
                        "m.toml:1:18: error: a vector has no powers\n"
                        "    1 | potential = \"x + \\u0061^2 - 1\"\n"
                        "      |                  ^~~~~~\n"
                        "   hint: the squared length is norm2(v) or dot(v, v)\n");
    lv_graph_free(e.graph);
    lv_arena_done(&arena);
}

/* ---- errors ------------------------------------------------------------------------ */

#define ONLY_IN_IF "a comparison may stand only as the first argument of if"
#define EXAMPLE "for example if(x > 0, a, b)"
#define VELOCITIES                                                                       \
    "this contains velocities; its time derivative would need accelerations"
#define PRIME_HINT                                                                       \
    "' may follow whatever depends on coordinates and time only; in [outputs] x'' is "   \
    "the "                                                                               \
    "acceleration of x"

static const complaint complaints[] = {
    {"nosuch", LV_ERR_MODEL, 1, 6, "nothing is called 'nosuch'", NULL},
    {"1 + q_{9}", LV_ERR_MODEL, 5, 5, "nothing is called 'q'", NULL},
    {"t_{1}", LV_ERR_MODEL, 1, 5, "nothing is called 't'", NULL},
    {"pi_{1}", LV_ERR_MODEL, 1, 6, "nothing is called 'pi'", NULL},
    {"q_{nosuch}", LV_ERR_MODEL, 4, 6, "nothing is called 'nosuch'", NULL},
    {"sin + 1", LV_ERR_MODEL, 1, 3, "nothing is called 'sin'", NULL},
    {"a + x", LV_ERR_MODEL, 5, 1, "cannot add a scalar to a vector of length 3", NULL},
    {"x - a", LV_ERR_MODEL, 5, 1, "cannot subtract a vector of length 3 from a scalar",
     NULL},
    {"a + c", LV_ERR_MODEL, 5, 1,
     "cannot add a vector of length 2 to a vector of length 3", NULL},
    {"a*b", LV_ERR_MODEL, 3, 1, "the product of two vectors is ambiguous",
     "write dot(u, v) or cross(u, v)"},
    {"x*a*2*b", LV_ERR_MODEL, 7, 1, "the product of two vectors is ambiguous",
     "write dot(u, v) or cross(u, v)"},
    {"x/a", LV_ERR_MODEL, 3, 1,
     "a divisor must be a scalar, this is a vector of length 3", NULL},
    {"(a + b)^2", LV_ERR_MODEL, 1, 7, "a vector has no powers",
     "the squared length is norm2(v) or dot(v, v)"},
    {"x^a", LV_ERR_MODEL, 3, 1,
     "an exponent must be a scalar, this is a vector of length 3", NULL},
    {"[]", LV_ERR_MODEL, 1, 2, "a vector needs at least one component", NULL},
    {"[1, c]", LV_ERR_MODEL, 5, 1,
     "a component must be a scalar, this is a vector of length 2", NULL},
    {"x[1]", LV_ERR_MODEL, 1, 1, "a scalar has no components", NULL},
    {"a[1][1]", LV_ERR_MODEL, 1, 4, "a scalar has no components", NULL},
    {"a[a]", LV_ERR_MODEL, 3, 1,
     "an index must be a scalar, this is a vector of length 3", NULL},
    {"a[0]", LV_ERR_MODEL, 3, 1, "index 0 is outside 1..3", NULL},
    {"a[-1]", LV_ERR_MODEL, 3, 2, "index -1 is outside 1..3", NULL},
    {"a[2 + 2]", LV_ERR_MODEL, 3, 5, "index 4 is outside 1..3", NULL},
    {"a[1e300]", LV_ERR_MODEL, 3, 5, "index 1e+300 is outside 1..3", NULL},
    {"a[1.5]", LV_ERR_MODEL, 3, 3, "an index must be a whole number", NULL},
    {"a[i]", LV_ERR_MODEL, 3, 1, "the index of a component must be a number, such as 1",
     NULL},
    {"a[1/0]", LV_ERR_MODEL, 3, 3, "the index of a component must be a number, such as 1",
     NULL},
    {"x''", LV_ERR_MODEL, 1, 2, VELOCITIES, PRIME_HINT},
    {"2*(x*y')'", LV_ERR_MODEL, 3, 6, VELOCITIES, PRIME_HINT},
    {"norm(a')'", LV_ERR_MODEL, 1, 8, VELOCITIES, PRIME_HINT},
    {"[x, y']'", LV_ERR_MODEL, 1, 7, VELOCITIES, PRIME_HINT},
    {"x == y", LV_ERR_MODEL, 1, 6, ONLY_IN_IF,
     "a constraint is written as one side: \"x - y\" means x - y = 0"},
    {"x < y", LV_ERR_MODEL, 1, 5, ONLY_IN_IF, EXAMPLE},
    {"1 + (x > y)", LV_ERR_MODEL, 5, 7, ONLY_IN_IF, EXAMPLE},
    {"if(x < y, x < z, 1)", LV_ERR_MODEL, 11, 5, ONLY_IN_IF, EXAMPLE},
    {"sin(x < y)", LV_ERR_MODEL, 5, 5, ONLY_IN_IF, EXAMPLE},
    {"if(a < y, 1, 2)", LV_ERR_MODEL, 4, 1,
     "the side of a comparison must be a scalar, this is a vector of length 3", NULL},
    {"if(x < c, 1, 2)", LV_ERR_MODEL, 8, 1,
     "the side of a comparison must be a scalar, this is a vector of length 2", NULL},
};

static void wrong_formulas_are_refused_at_their_place(void **state)
{
    (void)state;
    expect_complaints(complaints, sizeof complaints / sizeof *complaints);
}

static void time_is_refused_where_it_has_no_place(void **state)
{
    (void)state;
    static const complaint timeless[] = {
        {"2*t", LV_ERR_MODEL, 3, 1, "a mass cannot depend on time", NULL},
        {"2*x'", LV_ERR_MODEL, 3, 2, "a mass cannot contain a time derivative", NULL},
    };
    for (int i = 0; i < 2; i++) {
        formula_test f = {.graph = NULL};
        lv_error err;
        lv_status status = formula_make(&f, timeless[i].text, "a mass", &err);
        expect_error(&timeless[i], status, &err);
        formula_done(&f);
    }
}

static void endless_definitions_are_stopped(void **state)
{
    (void)state;
    formula_test f = {.graph = NULL};
    lv_error err;
    assert_int_equal(formula_make(&f, "1 + endless", NULL, &err), LV_ERR_LIMIT);
    assert_string_equal(err.text,
                        "formulas and definitions are nested more than 1000 levels deep");
    formula_done(&f);
}

static void large_formulas_are_refused_where_they_become_too_large(void **state)
{
    (void)state;
    static const char text[] = "x + y*z - sin(x*y) + cos(z)";
    formula_test f = {.graph = lv_graph_create(6)};
    lv_elaboration e = {.graph = f.graph, .arena = &f.arena, .resolve = formula_resolve};
    lv_error err;
    assert_int_equal(formula_parse(&f, text, &err), LV_OK);
    assert_int_equal(lv_elaborate(&e, &f.value, &f.formula, &err), LV_ERR_LIMIT);
    assert_string_equal(err.text,
                        "this formula and its derivatives need more than 6 operations");
    assert_int_equal(err.line, 1);
    assert_in_range(err.column, 11, 15);
    assert_int_equal(e.depth, 0);
    assert_null(e.snippet);
    formula_done(&f);
}

static void denied_memory_is_reported(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "2",
        "t",
        "pi",
        "twice",
        "q_{2}",
        "-a",
        "a + b - a",
        "2*a/x",
        "x^y",
        "a[1]",
        "[x, y]",
        "(x*y*t)'",
        "norm(a + b)",
        "a'",
        "if(x < y, 1, 2)",
        "if(x != y, a, -b)",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        formula_deny(texts[i]);
    formula_deny("(x*y + norm(a - 2*b)*sin(t))' + if(x < q_{2}, -k^l, max(x, y, z)) + "
                 "dot(cross(a, b)', [1, x/y, twice]) + sum(if(x == y, a, b/2))");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(precedence_is_that_of_mathematics),
        RUN(random_scalars_have_their_values),
        RUN(random_vectors_have_their_values),
        RUN(vectors_are_computed_by_components),
        RUN(names_mean_what_the_caller_says),
        RUN(comparisons_decide_also_at_equality),
        RUN(only_the_taken_branch_counts),
        RUN(primes_follow_the_rules_of_calculus),
        RUN(random_primes_agree_with_differences),
        RUN(velocities_know_where_they_are_written),
        RUN(places_count_in_the_file),
        RUN(wrong_formulas_are_refused_at_their_place),
        RUN(time_is_refused_where_it_has_no_place),
        RUN(endless_definitions_are_stopped),
        RUN(large_formulas_are_refused_where_they_become_too_large),
        RUN(denied_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
