/* Tableaux beside the families: Galerkin closures, given coefficients; the predictor; refusals
 * and denied memory. */
#include "check.h"
#include "deny.h"
#include "scheme/tableau.h"

#include <float.h>
#include <string.h>

enum { MOST = LV_RULE_MOST };

static lv_tableau *create(lv_family family, int stages)
{
    lv_tableau *t = NULL;
    assert_int_equal(lv_tableau_create(&t, family, stages, NULL), LV_OK);
    return t;
}

static lv_tableau *make(lv_rule rule, int points, lv_closure closure, int degree)
{
    lv_ansatz ansatz = {rule, points, closure, degree};
    lv_tableau *t = NULL;
    assert_int_equal(lv_tableau_ansatz(&t, &ansatz, NULL), LV_OK);
    assert_int_equal(t->stages, points);
    assert_int_equal(t->order, 0);
    assert_true(t->symplectic == (closure != LV_CLOSURE_RR));
    return t;
}

static void check_matrix(const double *m, const double *expected, int count)
{
    for (int i = 0; i < count; i++)
        assert_close(m[i], expected[i], 2e-16);
}

/* The example of Muehlebach, Heimsch, Glocker, section 5. */
static void left_right_of_degree_one_is_the_printed_table(void **state)
{
    (void)state;
    double r = sqrt(3);
    lv_tableau *t = make(LV_RULE_GAUSS, 2, LV_CLOSURE_LR, 1);
    check_matrix(t->a, (double[]){1.0 / 3, (1 - r) / 6, (1 + r) / 6, 1.0 / 3}, 4);
    check_matrix(t->ah, (double[]){1.0 / 6, 1.0 / 3 - r / 6, 1.0 / 3 + r / 6, 1.0 / 6},
                 4);
    assert_false(t->symmetric);
    lv_tableau_free(t);
}

static void left_right_of_degree_zero_is_symplectic_euler(void **state)
{
    (void)state;
    lv_tableau *t = make(LV_RULE_GAUSS, 1, LV_CLOSURE_LR, 0);
    assert_true(t->a[0] == 1 && t->ah[0] == 0);
    lv_tableau_free(t);
    t = make(LV_RULE_GAUSS, 1, LV_CLOSURE_RL, 0);
    assert_true(t->a[0] == 0 && t->ah[0] == 1);
    lv_tableau_free(t);
}

static void left_right_on_lobatto_points_is_lobatto_c(void **state)
{
    (void)state;
    lv_tableau *t = make(LV_RULE_LOBATTO, 3, LV_CLOSURE_LR, 2);
    const double c3[] = {1.0 / 6,   -1.0 / 3, 1.0 / 6, 1.0 / 6, 5.0 / 12,
                         -1.0 / 12, 1.0 / 6,  2.0 / 3, 1.0 / 6};
    const double star[] = {0, 0, 0, 0.25, 0.25, 0, 0, 1, 0};
    check_matrix(t->a, c3, 9);
    check_matrix(t->ah, star, 9);
    assert_true(t->q_ends && t->p_starts && !t->q_starts && !t->p_ends);
    lv_tableau_free(t);
}

/* Other ways to the same tables: rules whose points are zeros of what the closure cuts off. */
static void closures_meet_the_families(void **state)
{
    (void)state;
    for (int s = 1; s <= 12; s++) {
        const struct {
            lv_family family;
            lv_tableau *made;
        } pairs[] = {
            {LV_FAMILY_GAUSS, make(LV_RULE_GAUSS, s, LV_CLOSURE_LR, s)},
            {LV_FAMILY_GAUSS, make(LV_RULE_GAUSS, s, LV_CLOSURE_RL, s)},
            {LV_FAMILY_GAUSS, make(LV_RULE_GAUSS, s, LV_CLOSURE_C, s)},
            {LV_FAMILY_RADAU, make(LV_RULE_RADAU_RIGHT, s, LV_CLOSURE_LR, s - 1)},
            {LV_FAMILY_RADAU, make(LV_RULE_RADAU_RIGHT, s, LV_CLOSURE_C, s)},
            {LV_FAMILY_RADAU_LEFT, make(LV_RULE_RADAU_LEFT, s, LV_CLOSURE_LR, s - 1)},
        };
        for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
            lv_tableau *t = create(pairs[i].family, s), *u = pairs[i].made;
            check_matrix(u->a, t->a, s * s);
            check_matrix(u->ah, t->ah, s * s);
            assert_true(u->q_starts == t->q_starts && u->q_ends == t->q_ends);
            assert_true(u->p_starts == t->p_starts && u->p_ends == t->p_ends);
            lv_tableau_free(t);
            lv_tableau_free(u);
        }
    }
}

/* With m + 1 Gauss points a and ah are Gauss +- P_m(x_i) P_m(x_j) b_j / 2. */
static void jumps_add_a_matrix_of_rank_one_to_gauss(void **state)
{
    (void)state;
    for (int m = 0; m < 12; m++) {
        int s = m + 1;
        lv_tableau *t = make(LV_RULE_GAUSS, s, LV_CLOSURE_LR, m);
        lv_tableau *u = make(LV_RULE_GAUSS, s, LV_CLOSURE_RL, m);
        lv_tableau *v = make(LV_RULE_GAUSS, s, LV_CLOSURE_RR, m);
        lv_tableau *gauss = create(LV_FAMILY_GAUSS, s);
        for (int i = 0; i < s; i++)
            for (int j = 0; j < s; j++) {
                double p[MOST], q[MOST];
                lv_legendre_shifted(p, NULL, m, t->c[i]);
                lv_legendre_shifted(q, NULL, m, t->c[j]);
                double beta = p[m] * q[m] * t->b[j] / 2;
                int k = i * s + j;
                assert_close(t->a[k], gauss->a[k] + beta, 1e-15);
                assert_close(t->ah[k], gauss->a[k] - beta, 1e-15);
                assert_close(u->a[k], t->ah[k], 2e-16);
                assert_true(v->a[k] == t->a[k] && v->ah[k] == t->a[k]);
            }
        lv_tableau_free(t);
        lv_tableau_free(u);
        lv_tableau_free(v);
        lv_tableau_free(gauss);
    }
}

static const double rk4_a[] = {0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1, 0};
static const double rk4_b[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

static void given_coefficients_get_their_conjugate(void **state)
{
    (void)state;
    lv_tableau *t = NULL;
    assert_int_equal(lv_tableau_given(&t, 4, rk4_a, rk4_b, NULL, NULL), LV_OK);
    check_matrix(t->c, (double[]){0, 0.5, 0.5, 1}, 4);
    const double conjugate[] = {1.0 / 6,  -2.0 / 3, 1.0 / 3, 1.0 / 6, 1.0 / 6, 1.0 / 3,
                                -1.0 / 6, 1.0 / 6,  1.0 / 6, 1.0 / 3, 1.0 / 3, -1.0 / 3,
                                1.0 / 6,  1.0 / 3,  1.0 / 3, 1.0 / 6};
    check_matrix(t->ah, conjugate, 16);
    assert_true(t->symplectic && !t->symmetric && t->order == 0);
    assert_true(t->q_starts && !t->q_ends && !t->p_starts && t->p_ends);
    assert_memory_equal(t->a, rk4_a, sizeof rk4_a);
    assert_memory_equal(t->b, rk4_b, sizeof rk4_b);
    lv_tableau_free(t);
}

static void given_families_come_back(void **state)
{
    (void)state;
    for (lv_family family = 0; family < LV_FAMILIES; family++)
        for (int s = lv_family_table[family].least; s <= 8; s++) {
            lv_tableau *t = create(family, s), *u = NULL;
            assert_int_equal(lv_tableau_given(&u, s, t->a, t->b, t->c, NULL), LV_OK);
            assert_memory_equal(u->c, t->c, sizeof(double) * (size_t)s);
            check_matrix(u->ah, t->ah, s * s);
            check_matrix(u->aah, t->aah, s * s);
            assert_true(u->symmetric == t->symmetric && u->symplectic);
            lv_tableau_free(t);
            lv_tableau_free(u);
        }
}

static void check_error(const lv_error *err, const char *text, const char *help)
{
    assert_int_equal(err->code, LV_ERR_USAGE);
    assert_string_equal(err->text, text);
    assert_non_null(strstr(err->note[0] ? err->note : err->hint, help));
}

static void impossible_stages_are_refused(void **state)
{
    (void)state;
    lv_error err;
    lv_tableau *t = NULL;
    for (lv_family family = 0; family < LV_FAMILIES; family++) {
        int wrong[] = {lv_family_table[family].least - 1, MOST + 1, -5, 1 << 30};
        for (int i = 0; i < 4; i++) {
            assert_int_equal(lv_tableau_create(&t, family, wrong[i], NULL), LV_ERR_USAGE);
            assert_null(t);
        }
    }
    lv_error_clear(&err);
    assert_int_equal(lv_tableau_create(&t, LV_FAMILY_LOBATTO, 1, &err), LV_ERR_USAGE);
    check_error(&err, "Lobatto IIIA-IIIB has 2 to 40 stages, not 1",
                "with s stages its order is 2 s - 2");
    lv_error_clear(&err);
    assert_int_equal(lv_tableau_create(&t, LV_FAMILY_GAUSS, 41, &err), LV_ERR_USAGE);
    check_error(&err, "Gauss has 1 to 40 stages, not 41", "order is 2 s");
}

static void impossible_closures_are_refused(void **state)
{
    (void)state;
    static const struct {
        lv_ansatz ansatz;
        const char *text;
    } cases[] = {
        {{LV_RULE_LOBATTO, 1, LV_CLOSURE_C, 1},
         "a Lobatto rule has 2 to 40 points, not 1"},
        {{LV_RULE_GAUSS, 41, LV_CLOSURE_LR, 1},
         "a Gauss rule has 1 to 40 points, not 41"},
        {{LV_RULE_GAUSS, 3, LV_CLOSURE_C, 0},
         "with a rule of 3 points the degree is 1 to 3, not 0"},
        {{LV_RULE_GAUSS, 3, LV_CLOSURE_LR, 4},
         "with a rule of 3 points the degree is 0 to 3, not 4"},
        {{LV_RULE_GAUSS, 3, LV_CLOSURE_RR, -1},
         "with a rule of 3 points the degree is 0 to 3, not -1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lv_error err;
        lv_tableau *t = NULL;
        lv_error_clear(&err);
        assert_int_equal(lv_tableau_ansatz(&t, &cases[i].ansatz, &err), LV_ERR_USAGE);
        check_error(&err, cases[i].text, "");
        assert_null(t);
    }
}

static void bad_given_coefficients_are_refused(void **state)
{
    (void)state;
    const double a[] = {0.5, 0, 0, 0.5}, bad_a[] = {0.5, 0, 0, (double)NAN};
    const double b[] = {0.5, 0.5}, zero[] = {1, 0}, sum[] = {0.5, 0.25};
    const double bad_c[] = {(double)INFINITY, 0};
    lv_error err;
    lv_tableau *t = NULL;
    const struct {
        int stages;
        const double *a, *b, *c;
        const char *text, *help;
    } cases[] = {
        {0, a, b, NULL, "a scheme has 1 to 40 stages, not 0", ""},
        {41, a, b, NULL, "a scheme has 1 to 40 stages, not 41", ""},
        {2, bad_a, b, NULL, "a coefficient of stage 2 is not finite", ""},
        {2, a, b, bad_c, "a coefficient of stage 1 is not finite", ""},
        {2, a, zero, NULL, "weight b_2 is zero", "needs every weight"},
        {2, a, sum, NULL, "the weights b sum to 0.75, not 1", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lv_error_clear(&err);
        assert_int_equal(lv_tableau_given(&t, cases[i].stages, cases[i].a, cases[i].b,
                                          cases[i].c, &err),
                         LV_ERR_USAGE);
        check_error(&err, cases[i].text, cases[i].help);
        assert_null(t);
    }
}

static lv_status make_all(void *user, lv_error *err)
{
    (void)user;
    lv_tableau *t[3] = {NULL, NULL, NULL};
    lv_ansatz ansatz = {LV_RULE_GAUSS, 3, LV_CLOSURE_LR, 2};
    lv_status status = lv_tableau_create(&t[0], LV_FAMILY_LOBATTO, 3, err);
    if (status == LV_OK)
        status = lv_tableau_ansatz(&t[1], &ansatz, err);
    if (status == LV_OK)
        status = lv_tableau_given(&t[2], 4, rk4_a, rk4_b, NULL, err);
    for (int i = 0; i < 3; i++)
        lv_tableau_free(t[i]);
    return status;
}

static void denied_memory_leaks_nothing(void **state)
{
    (void)state;
    lv_deny_sweep(make_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(left_right_of_degree_one_is_the_printed_table),
        RUN(left_right_of_degree_zero_is_symplectic_euler),
        RUN(left_right_on_lobatto_points_is_lobatto_c),
        RUN(closures_meet_the_families),
        RUN(jumps_add_a_matrix_of_rank_one_to_gauss),
        RUN(given_coefficients_get_their_conjugate),
        RUN(given_families_come_back),
        RUN(impossible_stages_are_refused),
        RUN(impossible_closures_are_refused),
        RUN(bad_given_coefficients_are_refused),
        RUN(denied_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
