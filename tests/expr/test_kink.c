/* Formulas with kinks as smooth functions of free numbers. */
#include "check.h"
#include "deny.h"
#include "expr/kink.h"

typedef struct fixture {
    lv_graph *g;
    lv_node x, y, v, t, p, one;
    lv_node_list guards;
} fixture;

static fixture set_up(void)
{
    fixture s = {.g = lv_graph_create(0)};
    assert_non_null(s.g);
    s.x = lv_graph_input(s.g, LV_INPUT_Q, 0);
    s.y = lv_graph_input(s.g, LV_INPUT_Q, 1);
    s.v = lv_graph_input(s.g, LV_INPUT_V, 0);
    s.t = lv_graph_input(s.g, LV_INPUT_T, 0);
    s.p = lv_graph_input(s.g, LV_INPUT_P, 0);
    s.one = lv_graph_const(s.g, 1);
    return s;
}

static void tear_down(fixture *s)
{
    LV_ARRAY_FREE(s->guards);
    lv_graph_free(s->g);
}

static lv_node open_one(fixture *s, lv_node f)
{
    lv_error err;
    lv_node smooth = LV_NODE_NONE;
    assert_int_equal(lv_kink_open(s->g, &smooth, &f, 1, &s->guards, &err), LV_OK);
    return smooth;
}

static double value_of(const fixture *s, lv_node f, double x, double y)
{
    lv_error err;
    double value = NAN;
    const double q[2] = {x, y}, v[1] = {0.5}, t[1] = {2}, p[1] = {3};
    const double *const inputs[LV_INPUT_KINDS] = {q, v, t, p};
    assert_int_equal(lv_graph_evaluate(s->g, &value, &f, 1, inputs, &err), LV_OK);
    return value;
}

static void smooth_formulas_stay(void **state)
{
    fixture s = set_up();
    (void)state;
    lv_node root = lv_graph_op(s.g, LV_OP_SQRT, s.x, 0, 0);
    lv_node f = lv_graph_mul(s.g, root, s.y);
    assert_int_equal(open_one(&s, f), f);
    assert_int_equal(s.guards.count, 0);
    tear_down(&s);
}

static void kinks_become_numbers_and_guards(void **state)
{
    static const lv_op unary[] = {LV_OP_ABS, LV_OP_SIGN};
    static const lv_op binary[] = {LV_OP_MIN, LV_OP_MAX, LV_OP_LESS, LV_OP_LESS_EQUAL,
                                   LV_OP_EQUAL};
    (void)state;
    for (int k = 0; k < 7; k++) {
        fixture s = set_up();
        lv_node f = k < 2 ? lv_graph_op(s.g, unary[k], s.x, 0, 0)
                          : lv_graph_op(s.g, binary[k - 2], s.x, s.v, 0);
        lv_node smooth = open_one(&s, f);
        double n = value_of(&s, smooth, 1, 1);
        assert_true(n > 0 && n < 1 && n == value_of(&s, smooth, -5, 1));
        assert_int_equal(s.guards.count, k < 2 ? 1 : 2);
        assert_int_equal(s.guards.data[0], s.x);
        tear_down(&s);
    }
}

/* if(x < y, x^2, y) is n x^2 + (1 - n) y: both branches are in it. */
static void conditionals_mix_their_branches(void **state)
{
    fixture s = set_up();
    (void)state;
    lv_node less = lv_graph_op(s.g, LV_OP_LESS, s.x, s.y, 0);
    lv_node square = lv_graph_square(s.g, s.x);
    lv_node f = lv_graph_select(s.g, less, square, s.y);
    lv_node smooth = open_one(&s, f);
    double n = value_of(&s, smooth, 1, 0);
    assert_true(n > 0 && n < 1);
    assert_close(value_of(&s, smooth, 3, 7), 9 * n + 7 * (1 - n), 1e-15);
    assert_in_range(s.guards.count, 2,
                    3); /* x, y; the comparison itself is a number now */
    tear_down(&s);
}

/* A root would have no value where the other branch is taken. */
static void partial_functions_become_numbers_where_something_decides(void **state)
{
    fixture s = set_up();
    (void)state;
    lv_node root = lv_graph_op(s.g, LV_OP_SQRT, s.x, 0, 0);
    lv_node zero = lv_graph_const(s.g, 0),
            late = lv_graph_op(s.g, LV_OP_LESS, s.t, s.one, 0);
    lv_node f = lv_graph_select(s.g, late, root, zero);
    lv_node smooth = open_one(&s, f);
    assert_true(isfinite(value_of(&s, smooth, -4, 0)));
    assert_int_equal(s.guards.count, 1); /* time alone needs no guard */
    assert_int_equal(s.guards.data[0], s.x);
    tear_down(&s);
}

static void parameters_settle_decisions(void **state)
{
    fixture s = set_up();
    (void)state;
    lv_node less = lv_graph_op(s.g, LV_OP_LESS, s.p, s.one, 0);
    lv_node f = lv_graph_select(s.g, less, s.x, s.y);
    assert_int_equal(open_one(&s, f), f);
    assert_int_equal(s.guards.count, 0);
    tear_down(&s);
}

static bool jumps(fixture *s, lv_node f)
{
    lv_error err;
    bool result = false;
    assert_int_equal(lv_kink_jumps(s->g, &result, &f, 1, LV_KIND(V), &err), LV_OK);
    return result;
}

static void a_sign_jumps_at_zero_unless_something_vanishes_with_it(void **state)
{
    fixture s = set_up();
    (void)state;
    lv_node sign = lv_graph_op(s.g, LV_OP_SIGN, s.v, 0, 0);
    lv_node square = lv_graph_mul(s.g, s.v, s.v);
    assert_true(jumps(&s, sign));
    assert_true(jumps(&s, lv_graph_mul(s.g, s.p, sign)));
    assert_false(jumps(&s, lv_graph_mul(s.g, sign, square)));
    assert_false(jumps(&s, lv_graph_op(s.g, LV_OP_SIGN, s.x, 0, 0)));
    assert_false(jumps(&s, lv_graph_op(s.g, LV_OP_ABS, s.v, 0, 0)));
    assert_false(jumps(&s, lv_graph_op(s.g, LV_OP_TANH, s.v, 0, 0)));
    tear_down(&s);
}

/* if(0 < v, x, y) jumps at v = 0, if(1 < v, x, y) elsewhere, if(0 < v, v, 2 v) nowhere. */
static void conditionals_jump_where_they_are_decided(void **state)
{
    fixture s = set_up();
    (void)state;
    lv_node zero = lv_graph_const(s.g, 0), two = lv_graph_const(s.g, 2);
    lv_node here = lv_graph_op(s.g, LV_OP_LESS, zero, s.v, 0);
    lv_node there = lv_graph_op(s.g, LV_OP_LESS, s.one, s.v, 0);
    lv_node twice = lv_graph_mul(s.g, two, s.v);
    assert_true(jumps(&s, lv_graph_select(s.g, here, s.x, s.y)));
    assert_false(jumps(&s, lv_graph_select(s.g, there, s.x, s.y)));
    assert_false(jumps(&s, lv_graph_select(s.g, here, s.v, twice)));
    tear_down(&s);
}

static lv_status open_without_memory(void *user, lv_error *err)
{
    fixture s = {.g = lv_graph_create(0)};
    (void)user;
    if (!s.g)
        return lv_fail_memory(err);
    lv_node x = lv_graph_input(s.g, LV_INPUT_Q, 0),
            y = lv_graph_input(s.g, LV_INPUT_Q, 1);
    lv_node most = lv_graph_op(s.g, LV_OP_MAX, x, y, 0);
    lv_node f[2];
    f[0] = lv_graph_mul(s.g, most, x);
    f[1] = lv_graph_add(s.g, most, y);
    lv_status status = lv_graph_check(s.g, err);
    bool jumps = false;
    if (status == LV_OK)
        status = lv_kink_jumps(s.g, &jumps, f, 2, LV_KIND(Q), err);
    if (status == LV_OK)
        status = lv_kink_open(s.g, f, f, 2, &s.guards, err);
    tear_down(&s);
    return status;
}

static void no_memory_is_reported(void **state)
{
    (void)state;
    lv_deny_sweep(open_without_memory, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(smooth_formulas_stay),
        RUN(kinks_become_numbers_and_guards),
        RUN(conditionals_mix_their_branches),
        RUN(partial_functions_become_numbers_where_something_decides),
        RUN(parameters_settle_decisions),
        RUN(a_sign_jumps_at_zero_unless_something_vanishes_with_it),
        RUN(conditionals_jump_where_they_are_decided),
        RUN(no_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
