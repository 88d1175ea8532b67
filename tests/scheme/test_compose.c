/* Compositions: palindromes, order conditions to rounding, measured orders, refusals. */
#include "check.h"
#include "motion.h"
#include "num/dd.h"
#include "scheme/compose.h"

static int weights_of(double *weights, int base, int wanted)
{
    int count = 0;
    assert_int_equal(lv_compose(weights, &count, base, wanted, NULL), LV_OK);
    assert_in_range(count, 1, LV_COMPOSE_MOST);
    return count;
}

static void weights_are_palindromic_and_sum_to_one(void **state)
{
    (void)state;
    for (int base = 2; base <= 8; base += 2)
        for (int wanted = base; wanted <= 8; wanted += 2) {
            double w[LV_COMPOSE_MOST];
            int n = weights_of(w, base, wanted);
            lv_dd sum = lv_dd_from(-1);
            for (int i = 0; i < n; i++) {
                assert_true(w[i] == w[n - 1 - i]);
                sum = lv_dd_add(sum, lv_dd_from(w[i]));
            }
            assert_at_most(fabs(sum.hi), 6e-17);
        }
}

static void numbers_of_weights_are_as_documented(void **state)
{
    (void)state;
    static const int cases[][3] = {{2, 2, 1},  {2, 4, 5}, {2, 6, 9},
                                   {2, 8, 17}, {4, 4, 1}, {4, 6, 5},
                                   {4, 8, 25}, {6, 8, 5}, {12, 12, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double w[LV_COMPOSE_MOST];
        assert_int_equal(weights_of(w, cases[i][0], cases[i][1]), cases[i][2]);
    }
}

/* The middle weights as published, which the code takes from the sum; and Suzuki's closed
 * form. */
static void weights_have_their_published_digits(void **state)
{
    (void)state;
    double w[LV_COMPOSE_MOST];
    weights_of(w, 2, 4);
    double suzuki = 1 / (4 - cbrt(4));
    assert_close(w[0], suzuki, 2e-16);
    assert_close(w[1], suzuki, 2e-16);
    assert_close(w[2], -0.65796308717750294857, 2e-16);
    weights_of(w, 2, 6);
    assert_close(w[4], 0.79854399093482996340, 2e-16);
    weights_of(w, 2, 8);
    assert_close(w[8], -0.60550853383003451170, 4e-16);
    for (int p = 4; p <= 6; p += 2) {
        weights_of(w, p, p + 2);
        assert_close(w[0], 1 / (4 - pow(4, 1.0 / (p + 1))), 2e-16);
        assert_close(4 * pow(w[0], p + 1) + pow(w[2], p + 1), 0, 1e-16);
    }
}

static lv_dd power(lv_dd x, int n)
{
    lv_dd y = lv_dd_from(1);
    while (n-- > 0)
        y = lv_dd_mul(y, x);
    return y;
}

/* sum_k w_k^e u_k^m v_k^n with u_k = sum'_{l<=k} w_l, v_k = sum'_{l<=k} w_l^3, where the last
 * term of sum' counts half (Hairer, Lubich, Wanner, Geometric Numerical Integration, V.3.1). */
static double condition(const double *w, int count, int e, int m, int n)
{
    lv_dd u = lv_dd_from(0), v = u, sum = u;
    for (int k = 0; k < count; k++) {
        lv_dd x = lv_dd_from(w[k]), half = lv_dd_scale(x, 0.5);
        lv_dd half_cube = lv_dd_scale(power(x, 3), 0.5);
        u = lv_dd_add(u, half);
        v = lv_dd_add(v, half_cube);
        lv_dd term = lv_dd_mul(power(x, e), lv_dd_mul(power(u, m), power(v, n)));
        sum = lv_dd_add(sum, term);
        u = lv_dd_add(u, half);
        v = lv_dd_add(v, half_cube);
    }
    return sum.hi;
}

static void order_conditions_hold_to_rounding(void **state)
{
    (void)state;
    static const struct {
        int order, e, m, n;
    } conditions[] = {
        {4, 3, 0, 0}, {6, 5, 0, 0}, {6, 3, 2, 0}, {8, 7, 0, 0},
        {8, 5, 2, 0}, {8, 3, 4, 0}, {8, 3, 1, 1},
    };
    for (int wanted = 4; wanted <= 8; wanted += 2) {
        double w[LV_COMPOSE_MOST], worst = 0, least = 1;
        int n = weights_of(w, 2, wanted);
        for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++) {
            double defect =
                fabs(condition(w, n, conditions[i].e, conditions[i].m, conditions[i].n));
            if (conditions[i].order <= wanted)
                worst = fmax(worst, defect);
            else
                least = fmin(least, defect);
        }
        print_message("    order %d: worst defect %.1e\n", wanted, worst);
        assert_at_most(worst, 2e-16);
        assert_at_least(least, 1e-5);
    }
}

typedef struct method {
    const lv_tableau *base; /* NULL: leapfrog */
    double weights[LV_COMPOSE_MOST];
    int count;
} method;

static double error_with(const method *m, int steps)
{
    const int until = 4;
    motion y = motion_start, end = motion_reference(m->base ? 1 : 0, until);
    for (int n = 0; n < steps; n++)
        for (int k = 0; k < m->count; k++) {
            real h = (real)m->weights[k] * until / steps;
            if (m->base)
                motion_step(m->base, 1, h, &y);
            else
                motion_leapfrog(h, &y);
        }
    return (double)motion_distance(&y, &end);
}

static void check_order(const char *name, const method *m, int order, int steps)
{
    double coarse = error_with(m, steps), fine = error_with(m, 2 * steps);
    print_message("    %s, %d weights: order %d, measured %.2f (errors %.1e %.1e)\n",
                  name, m->count, order, log2(coarse / fine), coarse, fine);
    if (!(fabs(log2(coarse / fine) - order) <= 0.35))
        fail_msg("%s: order %d, measured %.2f", name, order, log2(coarse / fine));
}

static void composed_leapfrog_has_the_wanted_order(void **state)
{
    (void)state;
    for (int wanted = 2; wanted <= 8; wanted += 2) {
        method m = {.base = NULL};
        m.count = weights_of(m.weights, 2, wanted);
        check_order("leapfrog", &m, wanted, wanted == 8 ? 16 : 32);
    }
}

static void composed_schemes_of_higher_order_have_the_wanted_order(void **state)
{
    (void)state;
    static const struct {
        lv_family family;
        int stages, base, wanted, steps;
    } cases[] = {
        {LV_FAMILY_GAUSS, 1, 2, 6, 32},
        {LV_FAMILY_GAUSS, 2, 4, 6, 16},
        {LV_FAMILY_LOBATTO, 3, 4, 8, 8},
        {LV_FAMILY_LOBATTO, 4, 6, 8, 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lv_tableau *t;
        assert_int_equal(lv_tableau_create(&t, cases[i].family, cases[i].stages, NULL),
                         LV_OK);
        assert_int_equal(t->order, cases[i].base);
        method m = {.base = t};
        m.count = weights_of(m.weights, cases[i].base, cases[i].wanted);
        check_order(lv_family_table[cases[i].family].name, &m, cases[i].wanted,
                    cases[i].steps);
        lv_tableau_free(t);
    }
}

static void check_refusal(int base, int wanted, const char *text, const char *help)
{
    double w[LV_COMPOSE_MOST] = {7};
    int count = 7;
    lv_error err;
    lv_error_clear(&err);
    assert_int_equal(lv_compose(w, &count, base, wanted, &err), LV_ERR_USAGE);
    assert_string_equal(err.text, text);
    assert_non_null(strstr(err.note[0] ? err.note : err.hint, help));
    assert_true(count == 7 && w[0] == 7);
    assert_int_equal(lv_compose(w, &count, base, wanted, NULL), LV_ERR_USAGE);
}

static void unreachable_orders_are_refused(void **state)
{
    (void)state;
    check_refusal(3, 4, "a scheme of order 3 cannot be composed", "symmetric");
    check_refusal(0, 4, "a scheme of order 0 cannot be composed", "symmetric");
    check_refusal(-2, 4, "a scheme of order -2 cannot be composed", "symmetric");
    check_refusal(2, 5, "there is no composition to order 5",
                  "from order 2: even orders up to 8");
    check_refusal(4, 10, "there is no composition to order 10",
                  "from order 4: even orders up to 8");
    check_refusal(8, 10, "there is no composition to order 10", "");
    check_refusal(6, 4, "composition to order 4 of a scheme that has order 6", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(weights_are_palindromic_and_sum_to_one),
        RUN(numbers_of_weights_are_as_documented),
        RUN(weights_have_their_published_digits),
        RUN(order_conditions_hold_to_rounding),
        RUN(composed_leapfrog_has_the_wanted_order),
        RUN(composed_schemes_of_higher_order_have_the_wanted_order),
        RUN(unreachable_orders_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
