/* Wrong calls of functions that need no model: statuses, options, tables and names. */
#ifndef LV_TESTS_MISUSE_VALUES_H
#define LV_TESTS_MISUSE_VALUES_H

#include "misuse.h"

/* ---- status ---------------------------------------------------------------------------------- */

static void wrong_status(void)
{
    assert_string_equal(lv_status_name((lv_status)99), "unknown");
    assert_string_equal(lv_status_name((lv_status)-1), "unknown");
    assert_non_null(lv_status_meaning((lv_status)99));
    assert_string_equal(lv_subject_name((lv_subject)99), "unknown");
    assert_string_equal(lv_reason_name((lv_reason)-5), "unknown");
    assert_int_equal(lv_status_exit_code((lv_status)99), 3);
    lv_error_clear(NULL);
}

static void wrong_error_write(void)
{
    char buffer[8] = "abc";
    const lv_error err = {.code = LV_ERR_IO, .text = "x"};
    assert_int_equal(lv_error_write(NULL, buffer, sizeof buffer), 0);
    assert_string_equal(buffer, "");
    assert_int_equal(lv_error_write(&err, NULL, 100), strlen("error: x\n"));
    assert_int_equal(lv_error_write(NULL, NULL, 0), 0);
}

/* ---- options ----------------------------------------------------------------------------------- */

static void wrong_option_set(void)
{
    struct {
        double before;
        lv_scheme_options options;
        double after;
    } guarded = {.before = 7, .after = 8};
    for (int k = 0; k < BAD_OPTIONS; k++)
        lv_scheme_option_set(&guarded.options, bad_options[k], 3);
    assert_int_equal(guarded.options.given, 0);
    for (int k = 0; k < LV_OPTIONS; k++)
        assert_true(guarded.options.value[k] == 0);
    assert_true(guarded.before == 7 && guarded.after == 8);
    lv_scheme_option_set(NULL, LV_OPTION_STAGES, 3);
}

static void wrong_option(void)
{
    lv_scheme_options all = {.given = ~0u};
    for (int k = 0; k < BAD_OPTIONS; k++) {
        assert_true(lv_scheme_option(&all, bad_options[k], 42) == 42);
        assert_false(lv_scheme_option_given(&all, bad_options[k]));
    }
    assert_true(lv_scheme_option(NULL, LV_OPTION_STAGES, 42) == 42);
    assert_false(lv_scheme_option_given(NULL, LV_OPTION_STAGES));
}

static void wrong_option_texts(void)
{
    double value = 5;
    char buffer[8] = "abc";
    for (int k = 0; k < BAD_OPTIONS; k++) {
        assert_false(lv_option_parse(bad_options[k], "3", &value));
        assert_string_equal(lv_option_format(bad_options[k], 3, buffer, sizeof buffer),
                            "");
    }
    assert_false(lv_option_parse(LV_OPTION_STAGES, NULL, &value));
    assert_false(lv_option_parse(LV_OPTION_STAGES, "3", NULL));
    assert_true(value == 5);
    assert_non_null(lv_option_format(LV_OPTION_STAGES, 3, NULL, 8));
    assert_non_null(
        lv_option_format(LV_OPTION_CONTINUITY, (double)NAN, buffer, sizeof buffer));
}

/* ---- lists ------------------------------------------------------------------------------------- */

static void wrong_descriptions(void)
{
    lv_option_info option;
    lv_function_info function;
    lv_section_info section;
    lv_key_info key;
    lv_word_info word;
    lv_scheme_info scheme;
    lv_group_info group;
    static const int numbers[] = {-1, INT_MIN, INT_MAX, 100000};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        assert_false(lv_option_describe(numbers[k], &option));
        assert_false(lv_function_describe(numbers[k], &function));
        assert_false(lv_section_describe(numbers[k], &section));
        assert_false(lv_key_describe(numbers[k], 0, &key));
        assert_false(lv_key_describe(1, numbers[k], &key));
        for (int i = -1; i < 40; i++)
            assert_false(lv_word_describe(i, numbers[k], &word));
        assert_false(lv_word_describe(numbers[k], 0, &word));
        assert_false(lv_scheme_describe(numbers[k], &scheme));
        assert_false(lv_group_describe(model, numbers[k], &group));
    }
    assert_false(lv_option_describe(0, NULL));
    assert_false(lv_function_describe(0, NULL));
    assert_false(lv_section_describe(0, NULL));
    assert_false(lv_key_describe(0, 0, NULL));
    for (int i = 0; i < 40; i++)
        assert_false(lv_word_describe(i, 0, NULL));
    assert_false(lv_scheme_describe(0, NULL));
    assert_false(lv_group_describe(model, 0, NULL));
    assert_false(lv_group_describe(NULL, 0, &group));
}

static void wrong_names(void)
{
    assert_string_equal(lv_mass_kind_name((lv_mass_kind)3), "unknown");
    assert_string_equal(lv_mass_kind_name((lv_mass_kind)-1), "unknown");
}

/* Nothing to do wrongly. */
static void right(void)
{
    char version[32];
    (void)snprintf(version, sizeof version, "%d.%d.%d", lv_version_number() / 10000,
                   lv_version_number() / 100 % 100, lv_version_number() % 100);
    assert_string_equal(lv_version(), version);
    assert_int_equal(lv_version_number(), LV_VERSION_NUMBER);
    assert_non_null(lv_shipped_names());
    assert_true(lv_sweep_threads() > 0);
    assert_true(lv_memory_used() > 0 && lv_memory_budget() > 0);
    lv_memory_set_budget(0);
    assert_true(lv_sweep_request_default().threads == 0);
}

#endif
