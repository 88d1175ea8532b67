/* Formulas that are zero for all inputs are proven to be, and others are not. */
#include "deny.h"
#include "expr/diff.h"
#include "expr/identity.h"
#include "names.h"

static bool is_zero(fixture *s, lv_node f)
{
    lv_error err;
    bool zero = false;
    assert_int_equal(lv_graph_status(s->g), LV_OK);
    assert_int_equal(lv_identity_zero(&zero, s->g, &f, 1, &err), LV_OK);
    return zero;
}

static lv_node one(fixture *s, lv_op op, lv_node a)
{
    return lv_graph_op(s->g, op, a, 0, 0);
}

static lv_node number(fixture *s, double value)
{
    return lv_graph_const(s->g, value);
}

/* (x - y) z - (x z - y z) + c, which no constructor simplifies */
static lv_node hidden(fixture *s, double c)
{
    lv_node difference = lv_graph_sub(s->g, s->x, s->y);
    lv_node product = lv_graph_mul(s->g, difference, s->z);
    lv_node left = lv_graph_mul(s->g, s->x, s->z), right = lv_graph_mul(s->g, s->y, s->z);
    lv_node rest = lv_graph_sub(s->g, product, lv_graph_sub(s->g, left, right));
    return lv_graph_add(s->g, rest, number(s, c));
}

static void products_are_expanded(void **state)
{
    static const double others[] = {1, -1, 0x1p-1074, 1e-300, 1e300, 2147483629.0};
    (void)state;
    fixture s = set_up();
    assert_false(lv_graph_is_const(s.g, hidden(&s, 0), 0)); /* else this tests nothing */
    assert_true(is_zero(&s, hidden(&s, 0)));
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        assert_false(is_zero(&s, hidden(&s, others[k])));
    lv_graph_free(s.g);
}

/* 1/x + 1/y - (x + y)/(x y), x^-3 x^5 - x^2 */
static void quotients_and_whole_powers_are_known(void **state)
{
    (void)state;
    fixture s = set_up();
    lv_node first = lv_graph_div(s.g, number(&s, 1), s.x);
    lv_node second = lv_graph_div(s.g, number(&s, 1), s.y);
    lv_node sum = lv_graph_add(s.g, first, second);
    lv_node over = lv_graph_add(s.g, s.x, s.y), below = lv_graph_mul(s.g, s.x, s.y);
    lv_node quotient = lv_graph_div(s.g, over, below);
    assert_true(is_zero(&s, lv_graph_sub(s.g, sum, quotient)));
    assert_false(is_zero(&s, lv_graph_add(s.g, sum, quotient)));
    lv_node down = lv_graph_pow(s.g, s.x, number(&s, -3));
    lv_node up = lv_graph_pow(s.g, s.x, number(&s, 5));
    lv_node power = lv_graph_mul(s.g, down, up);
    assert_true(is_zero(&s, lv_graph_sub(s.g, power, lv_graph_square(s.g, s.x))));
    assert_false(is_zero(&s, lv_graph_sub(s.g, power, s.x)));
    lv_graph_free(s.g);
}

/* sin^2 + cos^2 - 1 of one angle, however it is written; not of two */
static void angles_lie_on_the_circle(void **state)
{
    (void)state;
    fixture s = set_up();
    lv_node difference = lv_graph_sub(s.g, s.x, s.y);
    lv_node product = lv_graph_mul(s.g, s.z, difference);
    lv_node left = lv_graph_mul(s.g, s.z, s.x), right = lv_graph_mul(s.g, s.z, s.y);
    lv_node angles[] = {product, lv_graph_sub(s.g, left, right), s.x};
    lv_node sine = lv_graph_square(s.g, one(&s, LV_OP_SIN, angles[0]));
    for (int k = 1; k < 3; k++) {
        lv_node cosine = lv_graph_square(s.g, one(&s, LV_OP_COS, angles[k]));
        lv_node sum = lv_graph_add(s.g, sine, cosine);
        lv_node f = lv_graph_sub(s.g, sum, number(&s, 1));
        assert_int_equal(is_zero(&s, f), k == 1);
    }
    lv_node ratio = lv_graph_div(s.g, one(&s, LV_OP_SIN, s.x), one(&s, LV_OP_COS, s.x));
    assert_true(is_zero(&s, lv_graph_sub(s.g, ratio, one(&s, LV_OP_TAN, s.x))));
    lv_graph_free(s.g);
}

/* d/dt f(|a - b|) along a rotation, for functions that are nothing but functions */
static void functions_of_what_stays_stay(void **state)
{
    static const lv_op ops[] = {LV_OP_SQRT, LV_OP_ASIN, LV_OP_ATAN, LV_OP_SINH,
                                LV_OP_TANH, LV_OP_EXP,  LV_OP_LOG,  LV_OP_ABS};
    (void)state;
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        fixture s = set_up();
        lv_node w = lv_graph_input(s.g, LV_INPUT_Q, 3), df[2];
        lv_node dx = lv_graph_sub(s.g, s.x, s.z), dy = lv_graph_sub(s.g, s.y, w);
        lv_node first = lv_graph_square(s.g, dx), second = lv_graph_square(s.g, dy);
        lv_node r2 = lv_graph_add(s.g, first, second);
        lv_node f[2] = {lv_graph_mul(s.g, s.k, one(&s, ops[k], r2))};
        f[1] = lv_graph_add(s.g, f[0], s.x);
        const lv_node x[] = {s.x, s.y, s.z, w};
        const lv_node xi[] = {lv_graph_neg(s.g, s.y), s.x, lv_graph_neg(s.g, w), s.z};
        lv_diff_forward(s.g, df, f, 2, x, xi, 4);
        assert_false(lv_graph_is_const(s.g, df[0], 0));
        assert_true(is_zero(&s, df[0]));
        assert_false(is_zero(&s, df[1]));
        lv_graph_free(s.g);
    }
}

/* Zero by the value of a parameter, by the sign of a number, by rounding, or not at all a number */
static void what_holds_for_some_inputs_is_not_proven(void **state)
{
    (void)state;
    fixture s = set_up();
    assert_false(is_zero(&s, lv_graph_mul(s.g, s.k, s.x)));
    lv_node root = one(&s, LV_OP_SQRT, lv_graph_square(s.g, s.x));
    assert_false(is_zero(&s, lv_graph_sub(s.g, root, s.x)));
    lv_node tenth = lv_graph_mul(s.g, number(&s, 0.1), s.x);
    lv_node fifth = lv_graph_mul(s.g, number(&s, 0.2), s.y);
    lv_node third = lv_graph_mul(s.g, number(&s, 0.3), s.z);
    lv_node sum = lv_graph_add(s.g, lv_graph_add(s.g, tenth, fifth), third);
    assert_false(is_zero(&s, sum));
    lv_node nothing = lv_graph_div(s.g, s.x, hidden(&s, 0));
    assert_false(is_zero(&s, nothing));
    assert_false(is_zero(&s, lv_graph_mul(s.g, hidden(&s, 0), nothing)));
    lv_graph_free(s.g);
}

/* 2^61 x - x is zero modulo 2^61 - 1, and p x modulo p. */
static void constants_are_exact(void **state)
{
    static const double factors[] = {0x1p61, 0x1p31, 0x1p62, 2147483630.0, 2147483564.0};
    (void)state;
    fixture s = set_up();
    for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
        lv_node strong = lv_graph_mul(s.g, number(&s, factors[k]), s.x);
        lv_node f = lv_graph_add(s.g, lv_graph_sub(s.g, strong, s.x), hidden(&s, 0));
        assert_false(is_zero(&s, f));
    }
    lv_graph_free(s.g);
}

/* if(x < y, c, z c') where both branches are zero for all inputs, or one is not */
static void conditionals_are_zero_where_both_branches_are(void **state)
{
    (void)state;
    fixture s = set_up();
    lv_node less = lv_graph_op(s.g, LV_OP_LESS, s.x, s.y, 0);
    lv_node zero = hidden(&s, 0), also = lv_graph_mul(s.g, s.k, zero);
    assert_true(is_zero(&s, lv_graph_select(s.g, less, zero, also)));
    assert_false(is_zero(&s, lv_graph_select(s.g, less, zero, s.z)));
    assert_false(is_zero(&s, lv_graph_select(s.g, less, s.z, zero)));
    lv_graph_free(s.g);
}

static lv_status prove(void *user, lv_error *err)
{
    fixture *s = user;
    bool zero = false;
    lv_node f = hidden(s, 0);
    return lv_identity_zero(&zero, s->g, &f, 1, err);
}

static void no_memory_is_reported(void **state)
{
    (void)state;
    fixture s = set_up();
    (void)hidden(&s, 0);
    lv_deny_sweep(prove, &s);
    lv_graph_free(s.g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_expanded),
        cmocka_unit_test(quotients_and_whole_powers_are_known),
        cmocka_unit_test(angles_lie_on_the_circle),
        cmocka_unit_test(functions_of_what_stays_stay),
        cmocka_unit_test(what_holds_for_some_inputs_is_not_proven),
        cmocka_unit_test(constants_are_exact),
        cmocka_unit_test(conditionals_are_zero_where_both_branches_are),
        cmocka_unit_test(no_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
