/* Spaces of multipliers (multipliers.c): what acts at the stages, what is asked of the constraints,
 * and predictions. */
#include "scheme/multipliers.h"

#include "../model/reading.h"
#include "deny.h"

static lv_tableau *lobatto(int stages)
{
    lv_error err;
    lv_tableau *t = NULL;
    if (lv_tableau_create(&t, LV_FAMILY_LOBATTO, stages, &err) != LV_OK)
        fail_with(&err);
    return t;
}

static lv_tableau *gauss_with_jumps(int degree)
{
    lv_error err;
    lv_tableau *t = NULL;
    const lv_ansatz a = {LV_RULE_GAUSS, degree + 1, LV_CLOSURE_LR, degree};
    if (lv_tableau_ansatz(&t, &a, &err) != LV_OK)
        fail_with(&err);
    return t;
}

static lv_multipliers *nodal(const lv_tableau *t, bool whole)
{
    lv_error err;
    lv_multipliers *m = NULL;
    if (lv_multipliers_nodal(&m, t, whole, &err) != LV_OK)
        fail_with(&err);
    return m;
}

static lv_multipliers *smooth(const lv_tableau *t, int coefficients)
{
    lv_error err;
    lv_multipliers *m = NULL;
    if (lv_multipliers_smooth(&m, t, coefficients, &err) != LV_OK)
        fail_with(&err);
    return m;
}

/* ---- spaces --------------------------------------------------------------------------------------------- */

/* One vector for each stage but the last; each stage but the first is asked for, and the end not
 * apart. */
static void nodal_multipliers_belong_to_stages(void **state)
{
    (void)state;
    for (int s = 2; s <= 6; s++)
        for (int whole = 0; whole <= 1; whole++) {
            lv_tableau *t = lobatto(s);
            lv_multipliers *m = nodal(t, whole);
            assert_true(m->nodal && !m->impulse);
            assert_int_equal(m->count, whole ? s : s - 1);
            for (int i = 0; i < s; i++)
                for (int c = 0; c < m->count; c++)
                    assert_true(m->shape[i * m->count + c] == (i == c));
            for (int e = 0; e < m->count; e++)
                for (int p = 0; p <= s; p++)
                    assert_true(m->test[e * (s + 1) + p] == (e < s - 1 && p == e + 1));
            lv_multipliers_free(m);
            lv_tableau_free(t);
        }
}

/* 1, 2x - 1, 6x^2 - 6x + 1 at the stages; the same with the weights of the rule for the tests. */
static void smooth_multipliers_are_polynomials_and_an_impulse(void **state)
{
    (void)state;
    lv_tableau *t = gauss_with_jumps(3);
    lv_multipliers *m = smooth(t, 3);
    int s = t->stages;
    assert_true(m->impulse && !m->nodal);
    assert_int_equal(m->count, 4);
    for (int i = 0; i < s; i++) {
        double x = t->c[i], l[] = {1, 2 * x - 1, 6 * x * x - 6 * x + 1};
        assert_true(m->shape[i * 4] == 0); /* the impulse is no force */
        assert_true(m->test[i] == 0);
        for (int j = 0; j < 3; j++) {
            assert_close(m->shape[i * 4 + 1 + j], l[j], 1e-15);
            assert_close(m->test[(1 + j) * (s + 1) + i], t->b[i] * l[j], 1e-16);
            assert_true(m->test[(1 + j) * (s + 1) + s] == 0);
        }
    }
    assert_true(m->test[s] == 1); /* the first test is the end of the step */
    lv_multipliers_free(m);
    lv_tableau_free(t);
}

/* Without coefficients there is the impulse only, and the end. */
static void no_coefficients_leave_the_impulse(void **state)
{
    (void)state;
    lv_tableau *t = gauss_with_jumps(0);
    lv_multipliers *m = smooth(t, 0);
    assert_true(m->impulse);
    assert_int_equal(m->count, 1);
    assert_true(m->shape[0] == 0 && m->test[0] == 0 && m->test[1] == 1);
    lv_multipliers_free(m);
    lv_tableau_free(t);
}

/* Tests annihilate polynomials of higher degree that are orthogonal: moments of L_j vanish for j
 * beyond the coefficients, as far as the rule sees. */
static void moments_see_low_degrees_only(void **state)
{
    (void)state;
    lv_tableau *t = gauss_with_jumps(3);
    lv_multipliers *m = smooth(t, 2);
    for (int e = 1; e < 3; e++) {
        double high = 0, low = 0;
        for (int i = 0; i < t->stages; i++) {
            double x = t->c[i], test = m->test[e * (t->stages + 1) + i];
            high += test * (20 * x * x * x - 30 * x * x + 12 * x - 1); /* L_3 */
            low += test * (e == 1 ? 1 : 2 * x - 1);
        }
        assert_close(high, 0, 1e-15);
        assert_close(low, 1 / (2 * e - 1.0), 1e-15);
    }
    lv_multipliers_free(m);
    lv_tableau_free(t);
}

/* ---- predictions ------------------------------------------------------------------------------------------ */

static double cubic(double x)
{
    return 0.3 - x + 2 * x * x - 0.7 * x * x * x;
}

/* A polynomial through the stages goes on into the next step, whatever its size. */
static void nodal_predictions_are_exact_for_polynomials(void **state)
{
    (void)state;
    double matrix[36];
    for (int whole = 0; whole <= 1; whole++)
        for (int k = -1; k <= 3; k++) {
            double theta = k == 0 ? 0.1 : k;
            lv_tableau *t = lobatto(whole ? 4 : 5);
            lv_multipliers *m = nodal(t, whole);
            lv_multipliers_extrapolate(m, t, matrix, theta);
            for (int i = 0; i < m->count; i++) {
                double sum = 0;
                for (int j = 0; j < m->count; j++)
                    sum += matrix[i * m->count + j] * cubic(t->c[j]);
                assert_close(sum, cubic(1 + theta * t->c[i]), 1e-12);
            }
            lv_multipliers_free(m);
            lv_tableau_free(t);
        }
}

/* Coefficients go on likewise; no impulse is expected, and none is heard. */
static void smooth_predictions_are_exact_for_polynomials(void **state)
{
    (void)state;
    /* 0.3 - x + 2 x^2: c0 + c1 (2x - 1) + c2 (6x^2 - 6x + 1) */
    const double series[] = {7, 0.3 - 0.5 + 2 / 3.0, 0.5, 1 / 3.0};
    double matrix[16];
    lv_tableau *t = gauss_with_jumps(3);
    lv_multipliers *m = smooth(t, 3);
    for (int k = -1; k <= 3; k++) {
        double theta = k == 0 ? 0.1 : k, next[4] = {0};
        lv_multipliers_extrapolate(m, t, matrix, theta);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                next[i] += matrix[i * 4 + j] * series[j];
        assert_true(next[0] == 0);
        for (int i = 0; i <= 4; i++) {
            double x = i / 4.0, y = 1 + theta * x;
            double value =
                next[1] + next[2] * (2 * x - 1) + next[3] * (6 * x * x - 6 * x + 1);
            assert_close(value, 0.3 - y + 2 * y * y, 1e-13);
        }
    }
    lv_multipliers_free(m);
    lv_tableau_free(t);
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

static lv_status make_both(void *user, lv_error *err)
{
    lv_multipliers *one = NULL, *two = NULL;
    lv_status status = lv_multipliers_nodal(&one, user, true, err);
    if (status == LV_OK)
        status = lv_multipliers_smooth(&two, user, 2, err);
    lv_multipliers_free(one);
    lv_multipliers_free(two);
    return status;
}

static void denied_memory_is_reported(void **state)
{
    (void)state;
    lv_tableau *t = lobatto(3);
    lv_deny_sweep(make_both, t);
    lv_multipliers_free(NULL);
    lv_tableau_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(nodal_multipliers_belong_to_stages),
        RUN(smooth_multipliers_are_polynomials_and_an_impulse),
        RUN(no_coefficients_leave_the_impulse),
        RUN(moments_see_low_degrees_only),
        RUN(nodal_predictions_are_exact_for_polynomials),
        RUN(smooth_predictions_are_exact_for_polynomials),
        RUN(denied_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
