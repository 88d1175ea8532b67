/* Changes of formulas along a direction: derivatives in closed form, far beyond doubles. */
#include "deny.h"
#include "expr/lie.h"
#include "names.h"

/* df of f along (dx, dy) at (x, y); frees the graph. */
static lv_change change(fixture *s, lv_node f, double x, double y, double dx, double dy)
{
    lv_error err;
    lv_lie *lie = NULL;
    const double q[] = {x, y};
    const double *const inputs[LV_INPUT_KINDS] = {[LV_INPUT_Q] = q};
    const lv_change dq[] = {lv_change_of(dx), lv_change_of(dy)};
    assert_int_equal(lv_lie_create(&lie, s->g, &f, 1, &err), LV_OK);
    assert_true(lv_lie_place(lie, inputs, 0));
    lv_lie_move(lie, dq, NULL, 0);
    lv_change result = lv_lie_change(lie, 0);
    lv_lie_free(lie);
    lv_graph_free(s->g);
    return result;
}

static lv_node one(fixture *s, lv_op op, lv_node a)
{
    return lv_graph_op(s->g, op, a, 0, 0);
}

/* Against central differences where doubles suffice. */
static void derivatives_are_those_of_the_functions(void **state)
{
    static const lv_op ops[] = {LV_OP_NEG,  LV_OP_SQUARE, LV_OP_SQRT, LV_OP_SIN,
                                LV_OP_COS,  LV_OP_TAN,    LV_OP_ASIN, LV_OP_ACOS,
                                LV_OP_ATAN, LV_OP_SINH,   LV_OP_COSH, LV_OP_TANH,
                                LV_OP_EXP,  LV_OP_LOG,    LV_OP_ABS};
    static const lv_op two[] = {LV_OP_ADD, LV_OP_SUB,   LV_OP_MUL, LV_OP_DIV,
                                LV_OP_POW, LV_OP_ATAN2, LV_OP_MIN, LV_OP_MAX};
    const double x = 0.37, y = 0.81, h = 1e-5;
    (void)state;
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        fixture s = set_up();
        lv_node f = one(&s, ops[k], s.x);
        double expected =
            (lv_op_value(ops[k], x + h, 0, 0) - lv_op_value(ops[k], x - h, 0, 0)) /
            (2 * h);
        assert_close(lv_wide_double(change(&s, f, x, y, 1, 0).d), expected, 1e-8);
    }
    for (size_t k = 0; k < sizeof two / sizeof *two; k++) {
        fixture s = set_up();
        lv_node f = lv_graph_op(s.g, two[k], s.x, s.y, 0);
        double expected = (lv_op_value(two[k], x + h, y - 2 * h, 0) -
                           lv_op_value(two[k], x - h, y + 2 * h, 0)) /
                          (2 * h);
        assert_close(lv_wide_double(change(&s, f, x, y, 1, -2).d), expected, 1e-8);
    }
}

/* d tanh(x) = 4 exp(-2 x), d exp(x) = exp(x), to the last of 43429 decimals before the point. */
static void steep_functions_keep_their_derivatives(void **state)
{
    (void)state;
    fixture s = set_up();
    lv_change d = change(&s, one(&s, LV_OP_TANH, s.x), 1e5, 0, 1, 0);
    assert_close(lv_wide_double(lv_wide_log(d.d)), log(4) - 2e5, 1e-9);
    assert_false(d.guess);
    s = set_up();
    d = change(&s, one(&s, LV_OP_EXP, s.x), -1e5, 0, 1, 0);
    assert_close(lv_wide_double(lv_wide_log(d.d)), -1e5, 1e-9);
}

static void what_cancels_is_nothing(void **state)
{
    (void)state;
    fixture s = set_up(); /* exp(1e4 (x^2 + y^2)) along a rotation */
    lv_node a = lv_graph_square(s.g, s.x), b = lv_graph_square(s.g, s.y);
    lv_node sum = lv_graph_add(s.g, a, b), k = lv_graph_const(s.g, 1e4);
    lv_node f = one(&s, LV_OP_EXP, lv_graph_mul(s.g, k, sum));
    assert_true(lv_wide_is_zero(change(&s, f, 0.3, 0.7, -0.7, 0.3).size));
}

/* 1e9 (x - y) + exp(-x^2) along (1, 1), in any order of the terms */
static void strong_terms_that_cancel_hide_nothing(void **state)
{
    (void)state;
    for (int order = 0; order < 3; order++) {
        fixture s = set_up();
        lv_node k = lv_graph_const(s.g, 1e9), square = lv_graph_square(s.g, s.x);
        lv_node minus = lv_graph_neg(s.g, square);
        lv_node terms[] = {lv_graph_mul(s.g, k, s.x), one(&s, LV_OP_EXP, minus),
                           lv_graph_neg(s.g, lv_graph_mul(s.g, k, s.y))};
        lv_node f = lv_graph_add(s.g, terms[order], terms[(order + 1) % 3]);
        f = lv_graph_add(s.g, f, terms[(order + 2) % 3]);
        lv_change d = change(&s, f, 100, 3, 1, 1);
        assert_close(lv_wide_double(lv_wide_log(lv_wide_neg(d.d))), log(200) - 1e4, 1e-9);
    }
}

/* y (1 + tanh(x)) along y: the factor is lost, not zero. */
static void lost_values_are_guesses(void **state)
{
    (void)state;
    fixture s = set_up();
    lv_node unit = lv_graph_const(s.g, 1);
    lv_node factor = lv_graph_add(s.g, unit, one(&s, LV_OP_TANH, s.x));
    lv_node f = lv_graph_mul(s.g, s.y, factor);
    lv_change d = change(&s, f, -1e5, 3, 0, 1);
    assert_false(lv_wide_is_zero(d.size));
    assert_true(d.guess);
}

static void values_that_do_not_exist_are_noticed(void **state)
{
    lv_error err;
    lv_lie *lie = NULL;
    const double q[] = {-1, 0};
    const double *const inputs[LV_INPUT_KINDS] = {[LV_INPUT_Q] = q};
    (void)state;
    fixture s = set_up();
    lv_node f = one(&s, LV_OP_SQRT, s.x);
    assert_int_equal(lv_lie_create(&lie, s.g, &f, 1, &err), LV_OK);
    assert_false(lv_lie_place(lie, inputs, 0));
    lv_lie_free(lie);
    lv_graph_free(s.g);
}

static lv_status create(void *user, lv_error *err)
{
    fixture *s = user;
    lv_lie *lie = NULL;
    lv_node f = lv_graph_mul(s->g, s->x, s->y);
    lv_status status = lv_lie_create(&lie, s->g, &f, 1, err);
    lv_lie_free(lie);
    return status;
}

static void no_memory_is_reported(void **state)
{
    (void)state;
    fixture s = set_up();
    (void)lv_graph_mul(s.g, s.x, s.y);
    lv_deny_sweep(create, &s);
    lv_graph_free(s.g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_the_functions),
        cmocka_unit_test(steep_functions_keep_their_derivatives),
        cmocka_unit_test(what_cancels_is_nothing),
        cmocka_unit_test(strong_terms_that_cancel_hide_nothing),
        cmocka_unit_test(lost_values_are_guesses),
        cmocka_unit_test(values_that_do_not_exist_are_noticed),
        cmocka_unit_test(no_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
