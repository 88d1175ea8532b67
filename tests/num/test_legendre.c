/* Legendre polynomials against closed forms and their differential equation; rules against
 * closed forms, exactness and the discrete orthogonality of dense rules. */
#include "check.h"
#include "num/legendre.h"

static void values_and_derivatives_match_closed_forms(void **state)
{
    (void)state;
    for (int i = -20; i <= 20; i++) {
        double x = i / 20.0, x2 = x * x, p[6], d[6];
        lv_legendre(p, d, 5, x);
        const double value[] = {1,
                                x,
                                (3 * x2 - 1) / 2,
                                x * (5 * x2 - 3) / 2,
                                ((35 * x2 - 30) * x2 + 3) / 8,
                                x * ((63 * x2 - 70) * x2 + 15) / 8};
        const double slope[] = {0,
                                1,
                                3 * x,
                                (15 * x2 - 3) / 2,
                                x * (35 * x2 - 15) / 2,
                                ((315 * x2 - 210) * x2 + 15) / 8};
        for (int k = 0; k < 6; k++) {
            assert_close(p[k], value[k], 1e-15);
            assert_close(d[k], slope[k], 4e-15);
        }
    }
}

/* ((1 - x^2) P')' + k (k+1) P = 0, integrated: (1 - x^2) P_k' = k (P_{k-1} - x P_k) */
static void high_degrees_satisfy_the_derivative_identity(void **state)
{
    (void)state;
    double p[61], d[61];
    for (int i = -50; i <= 50; i++) {
        double x = i / 50.0;
        lv_legendre(p, d, 60, x);
        for (int k = 1; k <= 60; k++)
            assert_close((1 - x * x) * d[k], k * (p[k - 1] - x * p[k]), 2e-13);
    }
}

static void ends_are_exact(void **state)
{
    (void)state;
    double left[41], right[41], slope[41];
    lv_legendre(left, NULL, 40, -1);
    lv_legendre(right, slope, 40, 1);
    lv_dd twofold[41];
    lv_legendre_dd(twofold, 40, lv_dd_from(-1));
    for (int k = 0; k <= 40; k++) {
        double sign = k % 2 ? -1 : 1;
        assert_true(left[k] == sign && right[k] == 1);
        assert_true(slope[k] == k * (k + 1) / 2);
        assert_true(twofold[k].hi == sign && twofold[k].lo == 0);
    }
}

static void shifted_polynomials_live_on_the_unit_interval(void **state)
{
    (void)state;
    double p[8], d[8], q[8], e[8];
    for (int i = 0; i <= 16; i++) {
        double t = i / 16.0;
        lv_legendre_shifted(p, d, 7, t);
        lv_legendre(q, e, 7, 2 * t - 1);
        for (int k = 0; k < 8; k++)
            assert_true(p[k] == q[k] && d[k] == 2 * e[k]);
    }
    lv_legendre_shifted(p, NULL, 0, 0.3);
    assert_true(p[0] == 1);
}

static void twofold_values_round_to_the_plain_ones(void **state)
{
    (void)state;
    double p[41];
    lv_dd twofold[41];
    for (int i = -30; i <= 30; i++) {
        double x = i / 31.0;
        lv_legendre(p, NULL, 40, x);
        lv_legendre_dd(twofold, 40, lv_dd_from(x));
        for (int k = 0; k <= 40; k++)
            assert_close(p[k], twofold[k].hi, 2e-15);
    }
}

static void check_rule(lv_rule rule, int n, const long double *c, const long double *b)
{
    double nodes[LV_RULE_MOST], weights[LV_RULE_MOST];
    assert_true(lv_rule_nodes(nodes, weights, rule, n));
    for (int i = 0; i < n; i++) {
        assert_true(fabsl(nodes[i] - c[i]) <= 6e-17L);
        assert_true(fabsl(weights[i] - b[i]) <= 6e-17L);
    }
}

static void small_rules_match_closed_forms(void **state)
{
    (void)state;
    long double r3 = sqrtl(3) / 6, r15 = sqrtl(15) / 10, r5 = sqrtl(5) / 10,
                r6 = sqrtl(6);
    check_rule(LV_RULE_GAUSS, 1, (long double[]){0.5L}, (long double[]){1});
    check_rule(LV_RULE_GAUSS, 2, (long double[]){0.5L - r3, 0.5L + r3},
               (long double[]){0.5L, 0.5L});
    check_rule(LV_RULE_GAUSS, 3, (long double[]){0.5L - r15, 0.5L, 0.5L + r15},
               (long double[]){5 / 18.0L, 8 / 18.0L, 5 / 18.0L});
    check_rule(LV_RULE_LOBATTO, 2, (long double[]){0, 1}, (long double[]){0.5L, 0.5L});
    check_rule(LV_RULE_LOBATTO, 3, (long double[]){0, 0.5L, 1},
               (long double[]){1 / 6.0L, 4 / 6.0L, 1 / 6.0L});
    check_rule(LV_RULE_LOBATTO, 4, (long double[]){0, 0.5L - r5, 0.5L + r5, 1},
               (long double[]){1 / 12.0L, 5 / 12.0L, 5 / 12.0L, 1 / 12.0L});
    check_rule(LV_RULE_RADAU_RIGHT, 1, (long double[]){1}, (long double[]){1});
    check_rule(LV_RULE_RADAU_LEFT, 1, (long double[]){0}, (long double[]){1});
    check_rule(LV_RULE_RADAU_LEFT, 2, (long double[]){0, 2 / 3.0L},
               (long double[]){0.25L, 0.75L});
    check_rule(LV_RULE_RADAU_RIGHT, 3, (long double[]){(4 - r6) / 10, (4 + r6) / 10, 1},
               (long double[]){(16 - r6) / 36, (16 + r6) / 36, 1 / 9.0L});
}

/* The integral of P_k P_m over [0, 1] in x = 2t - 1 is 1/(2k+1) for k = m, else 0. */
static void rules_are_exact_to_their_degree_and_not_beyond(void **state)
{
    (void)state;
    for (lv_rule rule = 0; rule < LV_RULES; rule++)
        for (int n = lv_rule_least(rule); n <= LV_RULE_MOST; n++) {
            lv_dd x[LV_RULE_MOST], b[LV_RULE_MOST];
            assert_true(lv_rule_nodes_dd(x, b, rule, n));
            int degree = lv_rule_degree(rule, n);
            for (int k = 0; k <= degree + 1; k++) {
                lv_dd sum = lv_dd_from(k == 0 ? -1 : 0);
                for (int i = 0; i < n; i++) {
                    lv_dd p[2 * LV_RULE_MOST + 1];
                    lv_legendre_dd(p, k, x[i]);
                    sum = lv_dd_add(sum, lv_dd_mul(b[i], p[k]));
                }
                if (k <= degree)
                    assert_at_most(fabs(sum.hi), 1e-29);
                else
                    assert_at_least(fabs(sum.hi), 1e-3);
            }
        }
}

static void nodes_ascend_and_weights_are_positive(void **state)
{
    (void)state;
    for (lv_rule rule = 0; rule < LV_RULES; rule++)
        for (int n = lv_rule_least(rule); n <= LV_RULE_MOST; n++) {
            double c[LV_RULE_MOST], b[LV_RULE_MOST];
            assert_true(lv_rule_nodes(c, b, rule, n));
            for (int i = 0; i < n; i++) {
                assert_true(b[i] > 0 && c[i] >= 0 && c[i] <= 1);
                assert_true(i == 0 || c[i - 1] < c[i]);
            }
            bool has_left = rule == LV_RULE_LOBATTO || rule == LV_RULE_RADAU_LEFT;
            bool has_right = rule == LV_RULE_LOBATTO || rule == LV_RULE_RADAU_RIGHT;
            assert_int_equal(c[0] == 0, has_left);
            assert_int_equal(c[n - 1] == 1, has_right);
        }
}

static void symmetric_rules_are_symmetric_in_every_bit(void **state)
{
    (void)state;
    for (lv_rule rule = LV_RULE_GAUSS; rule <= LV_RULE_LOBATTO; rule++)
        for (int n = lv_rule_least(rule); n <= LV_RULE_MOST; n++) {
            lv_dd x[LV_RULE_MOST], b[LV_RULE_MOST];
            assert_true(lv_rule_nodes_dd(x, b, rule, n));
            for (int i = 0; i < n; i++) {
                int r = n - 1 - i;
                assert_true(x[i].hi == -x[r].hi && x[i].lo == -x[r].lo);
                assert_true(b[i].hi == b[r].hi && b[i].lo == b[r].lo);
            }
        }
}

static void radau_rules_mirror_each_other(void **state)
{
    (void)state;
    for (int n = 1; n <= LV_RULE_MOST; n++) {
        lv_dd x[LV_RULE_MOST], b[LV_RULE_MOST], y[LV_RULE_MOST], w[LV_RULE_MOST];
        assert_true(lv_rule_nodes_dd(x, b, LV_RULE_RADAU_LEFT, n));
        assert_true(lv_rule_nodes_dd(y, w, LV_RULE_RADAU_RIGHT, n));
        for (int i = 0; i < n; i++) {
            assert_true(x[i].hi == -y[n - 1 - i].hi);
            assert_true(b[i].hi == w[n - 1 - i].hi);
        }
    }
}

static void impossible_numbers_of_points_are_refused(void **state)
{
    (void)state;
    double c[1] = {7}, b[1] = {7};
    for (lv_rule rule = 0; rule < LV_RULES; rule++) {
        assert_false(lv_rule_nodes(c, b, rule, lv_rule_least(rule) - 1));
        assert_false(lv_rule_nodes(c, b, rule, LV_RULE_MOST + 1));
        assert_false(lv_rule_nodes(c, b, rule, -3));
        assert_non_null(lv_rule_name(rule));
    }
    assert_true(c[0] == 7 && b[0] == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(values_and_derivatives_match_closed_forms),
        RUN(high_degrees_satisfy_the_derivative_identity),
        RUN(ends_are_exact),
        RUN(shifted_polynomials_live_on_the_unit_interval),
        RUN(twofold_values_round_to_the_plain_ones),
        RUN(small_rules_match_closed_forms),
        RUN(rules_are_exact_to_their_degree_and_not_beyond),
        RUN(nodes_ascend_and_weights_are_positive),
        RUN(symmetric_rules_are_symmetric_in_every_bit),
        RUN(radau_rules_mirror_each_other),
        RUN(impossible_numbers_of_points_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
