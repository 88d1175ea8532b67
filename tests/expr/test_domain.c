#include "check.h"
#include "deny.h"
#include "expr/diff.h"
#include "expr/domain.h"

/* Formulas stand in a file of two lines; the snippet is what is between the quotes. */
#define BEFORE "[energy]\npotential = \""
static const char file_text[] = BEFORE "a formula of x and y\"\n";
static const lv_source source = {"m.toml", file_text, sizeof file_text - 1};
static const lv_snippet snippet = {"a formula of x and y", 20, &source, sizeof BEFORE - 1,
                                   NULL};

static lv_status diagnose(const lv_graph *g, lv_node f, double x, double y, lv_error *err)
{
    const double q[] = {x, y};
    const double *const in[LV_INPUT_KINDS] = {[LV_INPUT_Q] = q};
    lv_error_clear(err);
    return lv_domain_diagnose(g, &f, 1, in, err);
}

/* One operation on x and y, made at the place "formula". */
static void expect(lv_op op, double x, double y, const char *text)
{
    lv_graph *g = lv_graph_create(0);
    lv_error err;
    lv_node a = lv_graph_input(g, LV_INPUT_Q, 0), b = lv_graph_input(g, LV_INPUT_Q, 1);
    int mark = lv_graph_enter(g, &snippet, 2, 7);
    lv_node f = lv_graph_op(g, op, a, b, 0);
    lv_graph_leave(g, mark);
    lv_status status = diagnose(g, f, x, y, &err);
    if (text) {
        assert_int_equal(status, LV_ERR_DOMAIN);
        assert_int_equal(err.code, LV_ERR_DOMAIN);
        assert_string_equal(err.text, text);
        assert_int_equal(err.line, 2);
        assert_int_equal(err.column, 16);
        assert_int_equal(err.length, 7);
    } else {
        assert_int_equal(status, LV_OK);
    }
    lv_graph_free(g);
}

static void every_operation_says_what_is_wrong(void **state)
{
    (void)state;
    expect(LV_OP_LOG, 0, 0, "logarithm of zero: log(0)");
    expect(LV_OP_LOG, -0.0, 0, "logarithm of zero: log(0)");
    expect(LV_OP_LOG, -0.5, 0, "logarithm of a negative number: log(-0.5)");
    expect(LV_OP_SQRT, -2, 0, "square root of a negative number: sqrt(-2)");
    expect(LV_OP_DIV, 1, 0, "division by zero: 1/0");
    expect(LV_OP_DIV, 0, -0.0, "division by zero: 0/0");
    expect(LV_OP_DIV, 1e300, -1e-300, "overflow: 1e+300/(-1e-300)");
    expect(LV_OP_ASIN, 1.5, 0, "asin of a number outside [-1, 1]: asin(1.5)");
    expect(LV_OP_ACOS, -1.25, 0, "acos of a number outside [-1, 1]: acos(-1.25)");
    expect(LV_OP_POW, -2, 0.5, "a negative number to a fractional power: (-2)^0.5");
    expect(LV_OP_POW, 0, -3, "zero to a negative power: 0^(-3)");
    expect(LV_OP_POW, 10, 400, "overflow: 10^400");
    expect(LV_OP_POW, -10, 401, "overflow: (-10)^401");
    expect(LV_OP_EXP, 1000, 0, "overflow: exp(1000)");
    expect(LV_OP_SINH, -1000, 0, "overflow: sinh(-1000)");
    expect(LV_OP_COSH, 1000, 0, "overflow: cosh(1000)");
    expect(LV_OP_ADD, 1e308, 1e308, "overflow: 1e+308 + 1e+308");
    expect(LV_OP_SUB, -1e308, 1e308, "overflow: -1e+308 - 1e+308");
    expect(LV_OP_MUL, 1e200, -1e200, "overflow: 1e+200*(-1e+200)");
    expect(LV_OP_SQUARE, -1e200, 0, "overflow: (-1e+200)^2");
}

static void finite_values_are_no_error(void **state)
{
    (void)state;
    expect(LV_OP_LOG, 2, 0, NULL);
    expect(LV_OP_SQRT, 0, 0, NULL);
    expect(LV_OP_DIV, 0, 1, NULL);
    expect(LV_OP_TAN, 1.5707963267948966, 0, NULL);
}

static void message_shows_the_place(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_error err;
    char text[400];
    int mark = lv_graph_enter(g, &snippet, 13, 1);
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0);
    lv_graph_leave(g, mark);
    mark = lv_graph_enter(g, &snippet, 2, 12);
    lv_node f = lv_graph_op(g, LV_OP_LOG, x, 0, 0);
    lv_graph_leave(g, mark);
    assert_int_equal(diagnose(g, f, -0.5, 0, &err), LV_ERR_DOMAIN);
    (void)lv_error_write(&err, text, sizeof text);
    assert_string_equal(text,
                        "m.toml:2:16: error: logarithm of a negative number: log(-0.5)\n"
                        "    2 | potential = \"a formula of x and y\"\n"
                        "      |                ^~~~~~~~~~~~\n");

    assert_int_equal(diagnose(g, f, (double)NAN, 0, &err), LV_ERR_DOMAIN);
    (void)lv_error_write(&err, text, sizeof text);
    assert_string_equal(
        text, "m.toml:2:27: error: the value of this coordinate is not finite: nan\n"
              "    2 | potential = \"a formula of x and y\"\n"
              "      |                           ^\n");
    lv_graph_free(g);
}

static void nodes_without_place_are_named_without(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_error err;
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 1), t = lv_graph_input(g, LV_INPUT_T, 0);
    lv_node big = lv_graph_const(g, HUGE_VAL), root = lv_graph_op(g, LV_OP_SQRT, x, 0, 0);
    assert_int_equal(diagnose(g, x, 0, HUGE_VAL, &err), LV_ERR_DOMAIN);
    assert_string_equal(err.text, "the value of coordinate 2 is not finite: inf");
    assert_int_equal(err.line, 0);
    assert_int_equal(diagnose(g, t, 0, 0, &err), LV_ERR_DOMAIN);
    assert_string_equal(err.text, "the time is not finite: nan");
    assert_int_equal(diagnose(g, big, 0, 0, &err), LV_ERR_DOMAIN);
    assert_string_equal(err.text, "a number is not finite: inf");
    assert_int_equal(diagnose(g, root, 0, -1, &err), LV_ERR_DOMAIN);
    assert_string_equal(err.text, "square root of a negative number: sqrt(-1)");
    assert_int_equal(err.line, 0);
    lv_graph_free(g);
}

static void first_cause_is_reported_not_its_consequences(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_error err;
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0), one = lv_graph_const(g, 1);
    lv_node swallowed = lv_graph_div(g, one, x); /* infinite, but 1/(x + 1/x) is 0 */
    lv_node sum = lv_graph_add(g, x, swallowed), finite = lv_graph_div(g, one, sum);
    lv_node y = lv_graph_input(g, LV_INPUT_Q, 1);
    lv_node log_y = lv_graph_op(g, LV_OP_LOG, y, 0, 0);
    lv_node f = lv_graph_add(g, finite, log_y);
    f = lv_graph_op(g, LV_OP_SIN, f, 0, 0);
    assert_int_equal(diagnose(g, f, 0, -1, &err), LV_ERR_DOMAIN);
    assert_string_equal(err.text, "logarithm of a negative number: log(-1)");
    assert_int_equal(diagnose(g, f, 0, 1, &err), LV_OK);
    lv_graph_free(g);
}

/* if(x > 0, sqrt(x), log(y)) */
static lv_node conditional(lv_graph *g, lv_node x, lv_node y)
{
    lv_node zero = lv_graph_const(g, 0);
    lv_node condition = lv_graph_op(g, LV_OP_LESS, zero, x, 0);
    lv_node root = lv_graph_op(g, LV_OP_SQRT, x, 0, 0);
    lv_node logarithm = lv_graph_op(g, LV_OP_LOG, y, 0, 0);
    return lv_graph_select(g, condition, root, logarithm);
}

static void only_the_taken_branch_counts(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_error err;
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0), y = lv_graph_input(g, LV_INPUT_Q, 1);
    lv_node f = conditional(g, x, y);
    assert_int_equal(diagnose(g, f, 4, -1, &err), LV_OK);
    assert_int_equal(diagnose(g, f, -4, 1, &err), LV_OK);
    assert_int_equal(diagnose(g, f, -4, -1, &err), LV_ERR_DOMAIN);
    assert_string_equal(err.text, "logarithm of a negative number: log(-1)");
    lv_graph_free(g);
}

static void not_a_number_in_a_condition_is_the_cause(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_error err;
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0), y = lv_graph_input(g, LV_INPUT_Q, 1);
    lv_node one = lv_graph_const(g, 1), log_y = lv_graph_op(g, LV_OP_LOG, y, 0, 0);
    lv_node less = lv_graph_op(g, LV_OP_LESS, log_y, one, 0);
    lv_node both = lv_graph_op(g, LV_OP_MIN, less, one, 0),
            inverse = lv_graph_div(g, one, x);
    lv_node f = lv_graph_select(g, both, one, inverse);
    assert_int_equal(diagnose(g, f, 0, -1, &err), LV_ERR_DOMAIN);
    assert_string_equal(err.text, "logarithm of a negative number: log(-1)");

    /* An infinity compares as it should. */
    lv_node root = lv_graph_op(g, LV_OP_SQRT, x, 0, 0);
    f = lv_graph_select(g, both, root, one);
    assert_int_equal(diagnose(g, f, -3, 0, &err), LV_ERR_DOMAIN);
    assert_string_equal(err.text, "square root of a negative number: sqrt(-3)");
    lv_graph_free(g);
}

static void derivatives_point_at_what_they_derive_from(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_error err;
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0), slope = LV_NODE_NONE;
    int mark = lv_graph_enter(g, &snippet, 2, 7);
    lv_node f = lv_graph_op(g, LV_OP_SQRT, x, 0, 0);
    lv_graph_leave(g, mark);
    lv_diff_gradient(g, &slope, f, &x, 1);
    assert_int_equal(diagnose(g, f, 0, 0, &err), LV_OK);
    assert_int_equal(diagnose(g, slope, 0, 0, &err), LV_ERR_DOMAIN);
    assert_string_equal(err.text,
                        "division by zero: 0.5/0, in a derivative of this expression");
    assert_int_equal(err.column, 16);

    /* The same as a formula of its own. */
    lv_node half = lv_graph_const(g, 0.5);
    mark = lv_graph_enter(g, &snippet, 17, 3);
    assert_int_equal(lv_graph_div(g, half, f), slope);
    lv_graph_leave(g, mark);
    assert_int_equal(diagnose(g, slope, 0, 0, &err), LV_ERR_DOMAIN);
    assert_string_equal(err.text, "division by zero: 0.5/0");
    assert_int_equal(err.column, 31);
    lv_graph_free(g);
}

static void derivatives_without_place_are_named_without(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_error err;
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0), slope = LV_NODE_NONE;
    lv_node f = lv_graph_op(g, LV_OP_SQRT, x, 0, 0);
    lv_diff_gradient(g, &slope, f, &x, 1);
    assert_int_equal(diagnose(g, slope, 0, 0, &err), LV_ERR_DOMAIN);
    assert_string_equal(err.text, "division by zero: 0.5/0, in a derivative");
    assert_int_equal(err.line, 0);
    lv_graph_free(g);
}

static void deep_graphs_are_diagnosed(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_error err;
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0), f = lv_graph_op(g, LV_OP_LOG, x, 0, 0);
    for (int i = 0; i < 200000; i++)
        f = lv_graph_op(g, i % 2 ? LV_OP_SIN : LV_OP_ATAN, f, 0, 0);
    assert_int_equal(diagnose(g, f, -1, 0, &err), LV_ERR_DOMAIN);
    assert_string_equal(err.text, "logarithm of a negative number: log(-1)");
    assert_int_equal(lv_domain_diagnose(g, NULL, 0, NULL, &err), LV_OK);
    lv_graph_free(g);
}

typedef struct question {
    const lv_graph *graph;
    lv_node node;
} question;

static lv_status ask(void *user, lv_error *err)
{
    const question *q = user;
    return diagnose(q->graph, q->node, 4, 1, err);
}

static void denied_memory_is_reported(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0), y = lv_graph_input(g, LV_INPUT_Q, 1);
    question q = {g, conditional(g, x, y)};
    lv_deny_sweep(ask, &q);
    lv_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_operation_says_what_is_wrong),
        RUN(finite_values_are_no_error),
        RUN(message_shows_the_place),
        RUN(nodes_without_place_are_named_without),
        RUN(first_cause_is_reported_not_its_consequences),
        RUN(only_the_taken_branch_counts),
        RUN(not_a_number_in_a_condition_is_the_cause),
        RUN(derivatives_point_at_what_they_derive_from),
        RUN(derivatives_without_place_are_named_without),
        RUN(deep_graphs_are_diagnosed),
        RUN(denied_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
