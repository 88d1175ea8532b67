/* Coefficients that the library gives away, against those that textbooks print. */
#include "check.h"

#include <livens/livens.h>

#include <math.h>
#include <string.h>

static lv_coefficients *coefficients_of(const char *name, lv_option option, double value)
{
    lv_scheme_options options = {0};
    lv_coefficients *t = NULL;
    lv_error err;
    lv_scheme_option_set(&options, option, value);
    assert_int_equal(lv_scheme_coefficients(&t, name, &options, &err), LV_OK);
    return t;
}

static void assert_table(const double *x, const double *expected, int count)
{
    for (int k = 0; k < count; k++)
        assert_close(x[k], expected[k], 1e-15);
}

/* Hairer, Lubich, Wanner (2006), table II.1.1; Gauss is its own conjugate. */
static void gauss_has_two_stages_as_printed(void **state)
{
    (void)state;
    const double r = sqrt(3) / 6;
    const double c[] = {0.5 - r, 0.5 + r}, b[] = {0.5, 0.5};
    const double a[] = {0.25, 0.25 - r, 0.25 + r, 0.25};
    lv_coefficients *t = coefficients_of("gauss", LV_OPTION_STAGES, 2);
    assert_int_equal(t->stages, 2);
    assert_table(t->c, c, 2);
    assert_table(t->b, b, 2);
    assert_table(t->a, a, 4);
    assert_table(t->ah, a, 4);
    lv_coefficients_free(t);
}

/* The same, tables II.1.2 and II.2.2: the pair IIIA, IIIB of three stages. */
static void lobatto_has_three_stages_as_printed(void **state)
{
    (void)state;
    const double b[] = {1.0 / 6, 2.0 / 3, 1.0 / 6};
    const double a[] = {0, 0, 0, 5.0 / 24, 1.0 / 3, -1.0 / 24, 1.0 / 6, 2.0 / 3, 1.0 / 6};
    const double ah[] = {1.0 / 6, -1.0 / 6, 0, 1.0 / 6, 1.0 / 3, 0, 1.0 / 6, 5.0 / 6, 0};
    lv_coefficients *t = coefficients_of("lobatto", LV_OPTION_STAGES, 3);
    assert_int_equal(t->stages, 3);
    assert_table(t->b, b, 3);
    assert_table(t->a, a, 9);
    assert_table(t->ah, ah, 9);
    lv_coefficients_free(t);
}

static void other_schemes_say_that_they_have_none(void **state)
{
    (void)state;
    static const char *const names[] = {"em", "livens", "vi-s"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        lv_coefficients *t = NULL;
        lv_error err;
        assert_int_equal(lv_scheme_coefficients(&t, names[k], NULL, &err), LV_ERR_MODEL);
        assert_null(t);
        assert_int_equal(err.about, LV_ABOUT_SCHEME);
        assert_non_null(strstr(err.text, names[k]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(gauss_has_two_stages_as_printed),
        RUN(lobatto_has_three_stages_as_printed),
        RUN(other_schemes_say_that_they_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
