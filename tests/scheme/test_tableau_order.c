/* Orders of all families and of given pairs, measured on a nonlinear motion with a varying
 * mass; steps that can be undone; the step map's symplecticity. */
#include "check.h"
#include "motion.h"

enum { UNTIL = 2 };

static double error_with(const lv_tableau *t, int steps)
{
    motion y = motion_start, end = motion_reference(1, UNTIL);
    for (int n = 0; n < steps; n++)
        motion_step(t, 1, (real)UNTIL / steps, &y);
    return (double)motion_distance(&y, &end);
}

static double order_of(const lv_tableau *t, int steps)
{
    return log2(error_with(t, steps) / error_with(t, 2 * steps));
}

static void check_order(const char *name, const lv_tableau *t, int order)
{
    double measured = order_of(t, order > 6 ? 8 : order > 3 ? 32 : 256);
    print_message("    %-12s %d stages: order %d, measured %.2f\n", name, t->stages,
                  order, measured);
    if (fabs(measured - order) > 0.3)
        fail_msg("%s with %d stages: order %d, measured %.2f", name, t->stages, order,
                 measured);
}

static void families_have_their_orders(void **state)
{
    (void)state;
    for (lv_family family = 0; family < LV_FAMILIES; family++) {
        const lv_family_row *row = &lv_family_table[family];
        for (int s = row->least; 2 * s - row->order_loss <= 8; s++) {
            lv_tableau *t;
            assert_int_equal(lv_tableau_create(&t, family, s, NULL), LV_OK);
            assert_int_equal(t->order, 2 * s - row->order_loss);
            check_order(row->name, t, t->order);
            lv_tableau_free(t);
        }
    }
}

/* Degree m, rule with m + 1 points: order 2m + 1 with jumps; continuous of degree k: 2k. */
static void closures_have_their_orders(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        lv_ansatz ansatz;
        int order;
    } cases[] = {
        {"LR 0 G1", {LV_RULE_GAUSS, 1, LV_CLOSURE_LR, 0}, 1},
        {"LR 1 G2", {LV_RULE_GAUSS, 2, LV_CLOSURE_LR, 1}, 3},
        {"LR 2 G3", {LV_RULE_GAUSS, 3, LV_CLOSURE_LR, 2}, 5},
        {"RL 1 G2", {LV_RULE_GAUSS, 2, LV_CLOSURE_RL, 1}, 3},
        {"RL 2 L4", {LV_RULE_LOBATTO, 4, LV_CLOSURE_RL, 2}, 5},
        {"LR 2 L3", {LV_RULE_LOBATTO, 3, LV_CLOSURE_LR, 2}, 4},
        {"RR 1 G2", {LV_RULE_GAUSS, 2, LV_CLOSURE_RR, 1}, 3},
        {"C 2 G3", {LV_RULE_GAUSS, 3, LV_CLOSURE_C, 2}, 4},
        {"C 3 L5", {LV_RULE_LOBATTO, 5, LV_CLOSURE_C, 3}, 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lv_tableau *t;
        assert_int_equal(lv_tableau_ansatz(&t, &cases[i].ansatz, NULL), LV_OK);
        check_order(cases[i].name, t, cases[i].order);
        lv_tableau_free(t);
    }
}

/* Kutta's method keeps order 3 with its conjugate and the classical one order 4; Ralston's
 * falls to 2, since sum_i d_i^2 / b_i with d_i = sum_j b_j a_ji is not 1/3. */
static void given_pairs_may_have_a_lower_order(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int stages, order;
        double a[16], b[4];
    } cases[] = {
        {"Kutta", 3, 3, {0, 0, 0, 0.5, 0, 0, -1, 2, 0}, {1.0 / 6, 2.0 / 3, 1.0 / 6}},
        {"Ralston", 3, 2, {0, 0, 0, 0.5, 0, 0, 0, 0.75, 0}, {2.0 / 9, 1.0 / 3, 4.0 / 9}},
        {"classical",
         4,
         4,
         {0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1, 0},
         {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lv_tableau *t;
        assert_int_equal(
            lv_tableau_given(&t, cases[i].stages, cases[i].a, cases[i].b, NULL, NULL),
            LV_OK);
        check_order(cases[i].name, t, cases[i].order);
        lv_tableau_free(t);
    }
}

static void symmetric_families_and_no_others_are_undone_by_a_step_back(void **state)
{
    (void)state;
    for (lv_family family = 0; family < LV_FAMILIES; family++)
        for (int s = lv_family_table[family].least; s <= 5; s++) {
            lv_tableau *t;
            assert_int_equal(lv_tableau_create(&t, family, s, NULL), LV_OK);
            motion y = motion_start;
            motion_step(t, 1, 0.4L, &y);
            motion_step(t, 1, -0.4L, &y);
            real defect = motion_distance(&y, &motion_start);
            if (lv_family_table[family].symmetric)
                assert_true(defect <= 1e-16L);
            else
                assert_true(defect >= 1e-11L);
            lv_tableau_free(t);
        }
}

/* D = d(q1, p1)/d(q0, p0) by central differences; D^T J D - J */
static double symplectic_defect(const lv_tableau *t, real h)
{
    const real e = 1e-6L;
    real D[4][4], defect = 0;
    for (int k = 0; k < 4; k++) {
        motion y[2] = {motion_start, motion_start};
        for (int side = 0; side < 2; side++) {
            real *x = k < 2 ? &y[side].q[k] : &y[side].p[k - 2];
            *x += side ? e : -e;
            motion_step(t, 1, h, &y[side]);
        }
        for (int i = 0; i < 4; i++)
            D[i][k] = i < 2 ? (y[1].q[i] - y[0].q[i]) / (2 * e)
                            : (y[1].p[i - 2] - y[0].p[i - 2]) / (2 * e);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            real sum = i + 2 == j ? -1 : i == j + 2 ? 1 : 0;
            for (int k = 0; k < 2; k++)
                sum += D[k][i] * D[k + 2][j] - D[k + 2][i] * D[k][j];
            defect = fmaxl(defect, fabsl(sum));
        }
    return (double)defect;
}

static void step_maps_are_symplectic(void **state)
{
    (void)state;
    for (lv_family family = 0; family < LV_FAMILIES; family++)
        for (int s = lv_family_table[family].least; s <= 4; s++) {
            lv_tableau *t;
            assert_int_equal(lv_tableau_create(&t, family, s, NULL), LV_OK);
            assert_true(symplectic_defect(t, 0.3L) <= 1e-11);
            lv_tableau_free(t);
        }
    lv_ansatz damped = {LV_RULE_GAUSS, 2, LV_CLOSURE_RR, 1};
    lv_tableau *t;
    assert_int_equal(lv_tableau_ansatz(&t, &damped, NULL), LV_OK);
    assert_true(symplectic_defect(t, 0.3L) >= 1e-5);
    lv_tableau_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(families_have_their_orders),
        RUN(closures_have_their_orders),
        RUN(given_pairs_may_have_a_lower_order),
        RUN(symmetric_families_and_no_others_are_undone_by_a_step_back),
        RUN(step_maps_are_symplectic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
