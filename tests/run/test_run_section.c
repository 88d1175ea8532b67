/* Wishes in [run] that are refused: the message shows where they stand, and only if they stand there. */
#include "../claims/moving.h"

#define PENDULUM                                                                         \
    "[coordinates]\nx = { value = [1, 0], velocity = [0, 0] }\n"                         \
    "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"9.81*x[2]\"\n"                   \
    "[constraints]\nrod = { holonomic = \"norm2(x) - 1\" }\n"

enum { RUN_LINE = 9 }; /* of the first key in [run] */

/* The error of a run as the model wishes it, with changes. */
static lv_error refused(const char *text, const lv_run_changes *changes)
{
    lv_error err;
    lv_run_summary *run = NULL;
    lv_model *model = read_text(text);
    lv_run_request request = lv_run_request_default(model);
    request.until = 1;
    lv_run_request_change(&request, changes);
    const lv_status status = lv_run(&run, model, &request, &err);
    assert_int_not_equal(status, LV_OK);
    assert_int_equal(err.code, status);
    assert_null(run);
    lv_model_free(model);
    return err;
}

static lv_error refused_wish(const char *text)
{
    const lv_run_changes none = {0};
    return refused(text, &none);
}

static void unknown_schemes_have_a_place(void **state)
{
    (void)state;
    lv_error err = refused_wish(PENDULUM "[run]\nscheme = \"ratle\"\nstep = 0.1\n");
    assert_int_equal(err.line, RUN_LINE);
    assert_int_equal(err.column, 10);
    assert_string_equal(err.hint, "did you mean 'rattle'?");
}

static void schemes_that_do_not_take_the_model_have_a_place(void **state)
{
    (void)state;
    lv_error err = refused_wish(PENDULUM "[run]\nstep = 0.1\nscheme = \"gauss\"\n");
    assert_int_equal(err.line, RUN_LINE + 1);
    assert_int_equal(err.column, 10);
}

static void options_of_other_schemes_have_a_place(void **state)
{
    (void)state;
    lv_error err =
        refused_wish(PENDULUM "[run]\nscheme = \"rattle\"\nstep = 0.1\ntheta = 0.5\n");
    assert_int_equal(err.line, RUN_LINE + 2);
    assert_int_equal(err.column, 9);
    assert_int_equal(err.about, LV_ABOUT_OPTION);
    assert_int_equal(err.index, LV_OPTION_THETA);
    assert_string_equal(err.name, "theta");
    err = refused_wish(PENDULUM "[run]\ntheta = 0.5\nstep = 0.1\n");
    assert_int_equal(err.line, RUN_LINE); /* no scheme is named: lobatto */
}

static void samples_that_a_scheme_cannot_give_have_a_place(void **state)
{
    (void)state;
    const char *text = PENDULUM "[run]\nstep = 0.1\nscheme = \"em\"\nsample = 0.02\n";
    lv_run_changes changes = {0};
    lv_error err = refused(text, &changes);
    assert_int_equal(err.code, LV_ERR_MODEL);
    assert_int_equal(err.line, RUN_LINE + 2);
    assert_int_equal(err.column, 10);
    changes.sample = 0.05; /* not that of the file */
    assert_int_equal(refused(text, &changes).line, 0);
    changes = (lv_run_changes){.scheme = "lobatto"};
    lv_scheme_option_set(&changes.options, LV_OPTION_COMPOSE, 6);
    assert_int_equal(refused(text, &changes).line, RUN_LINE + 2);
}

/* More rows than can be counted. */
static void samples_without_end_have_a_place(void **state)
{
    (void)state;
    lv_error err = refused_wish(PENDULUM "[run]\nsample = 1e-300\nstep = 0.1\n");
    assert_int_equal(err.code, LV_ERR_LIMIT);
    assert_int_equal(err.line, RUN_LINE);
}

static void what_is_not_in_the_file_has_no_place(void **state)
{
    (void)state;
    const char *text = PENDULUM "[run]\nscheme = \"lobatto\"\nstages = 3\nstep = 0.1\n";
    lv_run_changes changes = {.scheme = "ratle"};
    assert_int_equal(refused(text, &changes).line, 0);
    changes.scheme = NULL;
    lv_scheme_option_set(&changes.options, LV_OPTION_THETA, 0.5);
    assert_int_equal(refused(text, &changes).line, 0);
    changes = (lv_run_changes){.scheme = "vi-b"};
    lv_scheme_option_set(&changes.options, LV_OPTION_STAGES, 3); /* as in the file */
    assert_int_equal(refused(text, &changes).line, 0);
}

static void claims_of_a_model_are_those_of_its_scheme(void **state)
{
    (void)state;
    lv_error err;
    lv_claims claims;
    lv_model *model = read_text(PENDULUM "[run]\nscheme = \"lobatto\"\nstages = 4\n");
    assert_int_equal(lv_model_claims(&claims, model, &err), LV_OK);
    assert_int_equal(claims.order, 6);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(unknown_schemes_have_a_place),
        RUN(schemes_that_do_not_take_the_model_have_a_place),
        RUN(options_of_other_schemes_have_a_place),
        RUN(samples_that_a_scheme_cannot_give_have_a_place),
        RUN(samples_without_end_have_a_place),
        RUN(what_is_not_in_the_file_has_no_place),
        RUN(claims_of_a_model_are_those_of_its_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
