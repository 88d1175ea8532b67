/* --set: replacing parameters. */
#include "reading.h"

static const char spring[] = "[parameters]\n"
                             "m = 2\n"
                             "k = \"8*m\"\n"
                             "w = \"sqrt(k/m)\"\n"
                             "e = [0, 0, 1]\n"
                             "[coordinates]\n"
                             "x = { value = 1, velocity = \"w\" }\n"
                             "[energy]\n"
                             "kinetic = \"m/2*x'^2\"\n"
                             "potential = \"k/2*x^2 + e[1]\"\n";

static inspected with(const char *name, const char *value)
{
    const lv_setting setting = {name, value};
    return inspect_model(read_with(spring, &setting, 1));
}

static lv_error refused(const char *name, const char *value)
{
    const lv_setting setting = {name, value};
    lv_error err;
    refuse(spring, strlen(spring), &setting, 1, &err);
    return err;
}

static void a_number_replaces_a_number(void **state)
{
    (void)state;
    inspected i = with("m", "0.5");
    assert_true(parameter_of(i.at, "m")->values[0] == 0.5);
    inspected_free(&i);
}

static void parameters_that_depend_on_it_follow(void **state)
{
    (void)state;
    inspected i = with("m", "0.5");
    assert_true(parameter_of(i.at, "k")->values[0] == 4);
    assert_close(parameter_of(i.at, "w")->values[0], sqrt(8), 1e-15);
    assert_close(i.at->kinetic, 0.25 * 8, 1e-15);
    assert_close(i.at->potential, 2, 1e-15);
    inspected_free(&i);
}

/* k is a formula of m in the file; w depends on it. */
static void a_formula_parameter_can_be_set(void **state)
{
    (void)state;
    inspected i = with("k", "18");
    assert_true(parameter_of(i.at, "m")->values[0] == 2);
    assert_true(parameter_of(i.at, "k")->values[0] == 18);
    assert_close(parameter_of(i.at, "w")->values[0], 3, 1e-15);
    inspected_free(&i);
}

static void a_formula_may_use_pi_and_other_parameters(void **state)
{
    (void)state;
    inspected i = with("k", "2*pi*m");
    assert_close(parameter_of(i.at, "k")->values[0], 4 * 3.14159265358979323846, 1e-15);
    inspected_free(&i);
}

static void a_vector_replaces_a_vector(void **state)
{
    (void)state;
    inspected i = with("e", "[m, 0, 1/3]");
    const lv_parameter_info *e = parameter_of(i.at, "e");
    assert_int_equal(e->length, 3);
    assert_true(e->values[0] == 2 && e->values[1] == 0 && e->values[2] == 1.0 / 3);
    assert_close(i.at->potential, 8 + 2, 1e-15);
    inspected_free(&i);
}

static void the_last_of_two_settings_counts(void **state)
{
    const lv_setting settings[] = {{"m", "3"}, {"k", "1"}, {"m", "4"}};
    (void)state;
    inspected i = inspect_model(read_with(spring, settings, 3));
    assert_true(parameter_of(i.at, "m")->values[0] == 4);
    assert_true(parameter_of(i.at, "k")->values[0] == 1);
    inspected_free(&i);
}

static void a_structural_parameter_changes_sizes(void **state)
{
    (void)state;
    inspected i = inspect_model(read_shipped("chain", "N", "20"));
    assert_int_equal(i.at->coordinates, 60);
    assert_int_equal(i.at->holonomic, 20);
    assert_true(parameter_of(i.at, "N")->structural);
    assert_false(parameter_of(i.at, "g")->structural);
    assert_close(parameter_of(i.at, "l")->values[0], 0.05, 1e-15);
    inspected_free(&i);
}

static void a_structural_parameter_must_be_whole(void **state)
{
    const lv_setting setting = {"N", "2.5"};
    const char *chain = lv_shipped_text("chain");
    lv_error err;
    (void)state;
    refuse(chain, strlen(chain), &setting, 1, &err);
    assert_string_equal(err.text, "'count' must be a whole number, this is 2.5");
    assert_string_equal(err.file, "test");
}

static void an_unknown_name_gets_a_suggestion(void **state)
{
    (void)state;
    lv_error err = refused("M", "1");
    assert_string_equal(err.text, "--set M: the model has no parameter 'M'");
    assert_string_equal(err.hint, "did you mean 'm'?");
    err = refused("stiffness", "1");
    assert_string_equal(err.hint, "the parameters are m, k, w, e");
    err = refused("x", "1");
    assert_string_equal(err.text, "--set x: the model has no parameter 'x'");
}

/* The caret stands in the argument. */
static void a_bad_formula_is_shown_as_an_argument(void **state)
{
    (void)state;
    lv_error err = refused("m", "2*(3 + ");
    char message[1000];
    assert_int_equal(err.code, LV_ERR_SYNTAX);
    assert_string_equal(err.file, "--set m");
    assert_int_equal(err.line, 1);
    assert_int_equal(err.column, 8);
    lv_error_write(&err, message, sizeof message);
    assert_non_null(strstr(message, "    1 | 2*(3 +\n"));

    err = refused("m", "");
    assert_string_equal(err.text, "the formula is empty");
    assert_string_equal(err.file, "--set m");
    err = refused("m", "2*kk");
    assert_string_equal(err.text, "unknown name 'kk'");
    assert_string_equal(err.hint, "did you mean 'k'?");
    assert_int_equal(err.column, 3);
    err = refused("m", "1/0");
    assert_int_equal(err.code, LV_ERR_DOMAIN);
    assert_string_equal(err.file, "--set m");
}

static void a_setting_may_not_close_a_circle(void **state)
{
    (void)state;
    lv_error err = refused("m", "k/8");
    assert_string_equal(err.text, "parameter 'm' depends on itself");
}

static void a_vector_for_a_scalar_is_found_where_it_is_used(void **state)
{
    (void)state;
    lv_error err = refused("m", "[1, 2]");
    assert_int_equal(err.code, LV_ERR_MODEL);
    assert_true(err.line > 0);
}

static void an_error_may_be_ignored(void **state)
{
    const lv_setting setting = {"M", "1"};
    lv_model *model = NULL;
    (void)state;
    assert_int_equal(
        lv_model_parse(&model, "test", spring, strlen(spring), &setting, 1, NULL),
        LV_ERR_MODEL);
    assert_null(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_number_replaces_a_number),
        RUN(parameters_that_depend_on_it_follow),
        RUN(a_formula_parameter_can_be_set),
        RUN(a_formula_may_use_pi_and_other_parameters),
        RUN(a_vector_replaces_a_vector),
        RUN(the_last_of_two_settings_counts),
        RUN(a_structural_parameter_changes_sizes),
        RUN(a_structural_parameter_must_be_whole),
        RUN(an_unknown_name_gets_a_suggestion),
        RUN(a_bad_formula_is_shown_as_an_argument),
        RUN(a_setting_may_not_close_a_circle),
        RUN(a_vector_for_a_scalar_is_found_where_it_is_used),
        RUN(an_error_may_be_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
