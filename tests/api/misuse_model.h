/* Models and builders, used wrongly. */
#ifndef LV_TESTS_MISUSE_MODEL_H
#define LV_TESTS_MISUSE_MODEL_H

#include "misuse.h"

static void wrong_read(void)
{
    lv_model *read = model;
    const lv_setting no_name = {NULL, "1"}, no_value = {"g", NULL};
    REFUSED(lv_model_read, "model", NULL, "kepler", NULL, 0, e);
    REFUSED(lv_model_read, "path", &read, NULL, NULL, 0, e);
    assert_null(read);
    REFUSED(lv_model_read, "settings", &read, "kepler", NULL, 1, e);
    REFUSED(lv_model_read, "setting_count", &read, "kepler", &no_name, -1, e);
    REFUSED(lv_model_read, "settings", &read, "kepler", &no_name, 1, e);
    REFUSED(lv_model_read, "settings", &read, "kepler", &no_value, 1, e);
}

static void wrong_parse(void)
{
    lv_model *read = model;
    const lv_setting no_value = {"g", NULL};
    REFUSED(lv_model_parse, "model", NULL, "m", PENDULUM, 3, NULL, 0, e);
    REFUSED(lv_model_parse, "name", &read, NULL, PENDULUM, 3, NULL, 0, e);
    REFUSED(lv_model_parse, "text", &read, "m", NULL, 3, NULL, 0, e);
    REFUSED(lv_model_parse, "settings", &read, "m", PENDULUM, 3, NULL, 2, e);
    REFUSED(lv_model_parse, "setting_count", &read, "m", PENDULUM, 3, NULL, -2, e);
    REFUSED(lv_model_parse, "settings", &read, "m", PENDULUM, 3, &no_value, 1, e);
    assert_null(read);
}

static void wrong_model(void)
{
    char buffer[8] = "abc";
    static const int numbers[] = {-1, INT_MIN, INT_MAX, 1000};
    assert_string_equal(lv_model_title(NULL), "");
    assert_null(lv_model_description(NULL));
    assert_null(lv_model_run_options(NULL)->scheme);
    assert_int_equal(lv_model_coordinate_count(NULL), 0);
    assert_null(lv_model_start_position(NULL));
    assert_null(lv_model_start_velocity(NULL));
    assert_string_equal(lv_model_coordinate_name(NULL, 0, buffer, sizeof buffer), "");
    assert_string_equal(lv_model_coordinate_name(model, 0, NULL, 8), "");
    assert_string_equal(lv_model_constraint_name(NULL, 0, buffer, sizeof buffer), "");
    assert_string_equal(lv_model_constraint_name(model, 0, NULL, 8), "");
    assert_false(lv_model_coordinate_is_inner(NULL, 0));
    assert_false(lv_model_constraint_is_inner(NULL, 0));
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        assert_false(lv_model_coordinate_is_inner(model, numbers[k]));
        assert_false(lv_model_constraint_is_inner(model, numbers[k]));
        assert_string_equal(
            lv_model_coordinate_name(model, numbers[k], buffer, sizeof buffer), "");
        assert_string_equal(
            lv_model_constraint_name(model, numbers[k], buffer, sizeof buffer), "");
    }
    lv_model_coordinate_name(model, 0, buffer, 0);
    lv_model_constraint_name(model, 0, buffer, 0);
    assert_null(lv_shipped_text(NULL));
    lv_input_info input;
    assert_int_equal(lv_model_input_count(NULL), 0);
    assert_false(lv_model_input_describe(NULL, 0, &input));
    assert_false(lv_model_input_describe(model, 0, NULL));
    assert_false(lv_model_input_describe(model, -1, &input));
    assert_false(lv_model_input_describe(model, 0, &input)); /* it has none */
    lv_model_free(NULL);
}

static void wrong_inspect(void)
{
    lv_inspection *facts = (lv_inspection *)&facts;
    REFUSED(lv_model_inspect, "inspection", NULL, model, e);
    REFUSED(lv_model_inspect, "model", &facts, NULL, e);
    assert_null(facts);
    lv_inspection_free(NULL);
}

static void wrong_builder_model(void)
{
    lv_model *read = model;
    lv_builder *b = lv_builder_create("m");
    REFUSED(lv_builder_model, "model", NULL, b, e);
    REFUSED(lv_builder_model, "builder", &read, NULL, e);
    assert_null(read);
    lv_builder_free(b);
    lv_builder_free(NULL);
    assert_null(lv_builder_create(NULL));
    assert_null(lv_builder_source(NULL));
}

/* What was set wrongly is reported by lv_builder_model, with the first wrong argument. */
static void assert_misused(lv_builder *b, const char *function, const char *argument)
{
    lv_error err;
    lv_model *read = NULL;
    assert_int_equal(lv_builder_model(&read, b, &err), LV_ERR_USAGE);
    if (!strstr(err.text, function) || !strstr(err.text, argument))
        fail_msg("'%s' names not both %s and %s", err.text, function, argument);
    lv_builder_free(b);
}

static void wrong_builder_text(void)
{
    lv_builder *b = lv_builder_create("m");
    lv_builder_text(NULL, "energy", NULL, "kinetic", "0");
    lv_builder_text(b, NULL, NULL, "kinetic", "0");
    lv_builder_text(b, "energy", NULL, NULL, "0"); /* the first one is reported */
    assert_misused(b, "lv_builder_text", "section");
    b = lv_builder_create("m");
    lv_builder_text(b, "energy", NULL, NULL, "0");
    assert_misused(b, "lv_builder_text", "key");
    b = lv_builder_create("m");
    lv_builder_text(b, "energy", NULL, "kinetic", NULL);
    assert_misused(b, "lv_builder_text", "text");
}

static void wrong_builder_values(void)
{
    const double one = 1;
    lv_builder *b = lv_builder_create("m");
    lv_builder_number(NULL, "parameters", NULL, "g", 1);
    lv_builder_number(b, NULL, NULL, "g", 1);
    assert_misused(b, "lv_builder_number", "section");
    b = lv_builder_create("m");
    lv_builder_number(b, "parameters", NULL, NULL, 1);
    assert_misused(b, "lv_builder_number", "key");
    b = lv_builder_create("m");
    lv_builder_flag(NULL, "run", NULL, "x", true);
    lv_builder_flag(b, NULL, NULL, "x", true);
    assert_misused(b, "lv_builder_flag", "section");
    b = lv_builder_create("m");
    lv_builder_flag(b, "run", NULL, NULL, true);
    assert_misused(b, "lv_builder_flag", "key");
    b = lv_builder_create("m");
    lv_builder_numbers(NULL, "parameters", NULL, "g", &one, 1);
    lv_builder_numbers(b, NULL, NULL, "g", &one, 1);
    assert_misused(b, "lv_builder_numbers", "section");
    b = lv_builder_create("m");
    lv_builder_numbers(b, "parameters", NULL, NULL, &one, 1);
    assert_misused(b, "lv_builder_numbers", "key");
    b = lv_builder_create("m");
    lv_builder_numbers(b, "parameters", NULL, "g", NULL, 1);
    assert_misused(b, "lv_builder_numbers", "values");
    b = lv_builder_create("m");
    lv_builder_numbers(b, "parameters", NULL, "g", &one, -1);
    assert_misused(b, "lv_builder_numbers", "count");
}

static void wrong_builder_texts(void)
{
    const char *const texts[] = {"1", NULL};
    lv_builder *b = lv_builder_create("m");
    lv_builder_texts(NULL, "parameters", NULL, "g", texts, 1);
    lv_builder_texts(b, NULL, NULL, "g", texts, 1);
    assert_misused(b, "lv_builder_texts", "section");
    b = lv_builder_create("m");
    lv_builder_texts(b, "parameters", NULL, NULL, texts, 1);
    assert_misused(b, "lv_builder_texts", "key");
    b = lv_builder_create("m");
    lv_builder_texts(b, "parameters", NULL, "g", NULL, 1);
    assert_misused(b, "lv_builder_texts", "texts");
    b = lv_builder_create("m");
    lv_builder_texts(b, "parameters", NULL, "g", texts, 2);
    assert_misused(b, "lv_builder_texts", "texts");
    b = lv_builder_create("m");
    lv_builder_texts(b, "parameters", NULL, "g", texts, -1);
    assert_misused(b, "lv_builder_texts", "count");
}

#endif
