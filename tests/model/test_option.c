/* The list of scheme options: what it says, and values as texts. */
#include "reading.h"

#include "base/text.h"
#include "model/option.h"

#include <string.h>

static void every_option_is_described(void **state)
{
    lv_option_info info;
    int count = 0;
    (void)state;
    for (; lv_option_describe(count, &info); count++) {
        size_t length = strlen(info.doc);
        assert_true(lv_is_name(info.name));
        assert_true(length > 8 && info.doc[length - 1] != '.' && !strchr(info.doc, '\n'));
        assert_true(info.argument[0] != '\0' && info.least <= info.most);
        assert_int_equal(info.choices != NULL, info.kind == LV_OPTION_IS_CHOICE);
    }
    assert_int_equal(count, LV_OPTIONS);
    assert_false(lv_option_describe(-1, &info));
    assert_false(lv_option_describe(LV_OPTIONS, &info));
}

/* What help shows for a choice are its words, and the range is theirs. */
static void choices_are_shown_as_they_are(void **state)
{
    (void)state;
    lv_option_info info;
    for (int k = 0; lv_option_describe(k, &info); k++) {
        char shown[200] = "";
        int count = 0;
        if (info.kind != LV_OPTION_IS_CHOICE)
            continue;
        for (; info.choices[count]; count++)
            snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%s%s",
                     count ? "|" : "", info.choices[count]);
        assert_string_equal(info.argument, shown);
        assert_true(info.least == 0 && info.most == count - 1);
    }
}

/* On the command line an underscore is a dash. */
static void names_on_the_line_are_those_of_the_keys(void **state)
{
    (void)state;
    static const char *const names[][2] = {
#define LV_X(id, name, on_line, kind, least, most, argument, doc) {name, on_line},
        LV_OPTION_LIST(LV_X)
#undef LV_X
    };
    for (int k = 0; k < LV_OPTIONS; k++) {
        char expected[80];
        snprintf(expected, sizeof expected, "%s", names[k][0]);
        for (char *c = expected; *c; c++)
            *c = *c == '_' ? '-' : *c;
        assert_string_equal(names[k][1], expected);
    }
}

static void what_is_not_given_is_otherwise(void **state)
{
    (void)state;
    lv_scheme_options options = {0};
    assert_true(lv_scheme_option(NULL, LV_OPTION_THETA, 0.25) == 0.25);
    assert_true(lv_scheme_option(&options, LV_OPTION_THETA, 0.25) == 0.25);
    assert_false(lv_scheme_option_given(NULL, LV_OPTION_THETA));
    lv_scheme_option_set(&options, LV_OPTION_THETA, 0);
    assert_true(lv_scheme_option_given(&options, LV_OPTION_THETA));
    assert_true(lv_scheme_option(&options, LV_OPTION_THETA, 0.25) == 0);
    assert_true(lv_scheme_option(&options, LV_OPTION_VARTHETA, 0.25) == 0.25);
    lv_scheme_option_set(&options, LV_OPTION_POINTS, 3000);
    assert_true(lv_scheme_option(&options, LV_OPTION_POINTS, 1) == 3000);
}

static void texts_are_read_back(void **state)
{
    (void)state;
    lv_option_info info;
    for (int k = 0; lv_option_describe(k, &info); k++) {
        const double third = info.kind == LV_OPTION_IS_NUMBER ? 1.0 / 3 : info.least;
        const double values[] = {info.least, info.most, third};
        for (int i = 0; i < 3; i++) {
            char text[80];
            double read = -1;
            lv_option_format((lv_option)k, values[i], text, sizeof text);
            if (!lv_option_parse((lv_option)k, text, &read) || read != values[i])
                fail_msg("%s: '%s' is read as %g", info.name, text, read);
        }
    }
    char text[80];
    assert_string_equal(lv_option_format(LV_OPTION_CONTINUITY, 3, text, sizeof text),
                        "C");
    assert_string_equal(lv_option_format(LV_OPTION_HALF_KICK, 1, text, sizeof text),
                        "true");
    assert_string_equal(lv_option_format(LV_OPTION_POINTS, 10000, text, sizeof text),
                        "10000");
}

static void other_texts_are_no_values(void **state)
{
    (void)state;
    static const struct {
        lv_option option;
        const char *text;
    } wrong[] = {{LV_OPTION_STAGES, ""},         {LV_OPTION_STAGES, "0"},
                 {LV_OPTION_STAGES, "2.0"},      {LV_OPTION_STAGES, "1e1"},
                 {LV_OPTION_STAGES, " 2"},       {LV_OPTION_STAGES, "21"},
                 {LV_OPTION_THETA, ""},          {LV_OPTION_THETA, "1.01"},
                 {LV_OPTION_THETA, "-0.1"},      {LV_OPTION_THETA, "nan"},
                 {LV_OPTION_THETA, "1/2"},       {LV_OPTION_PROJECTION, "1"},
                 {LV_OPTION_PROJECTION, ""},     {LV_OPTION_PROJECTION, "yes"},
                 {LV_OPTION_CONTINUITY, ""},     {LV_OPTION_CONTINUITY, "lr"},
                 {LV_OPTION_CONTINUITY, "LL"},   {LV_OPTION_CONTINUITY, "0"},
                 {LV_OPTION_QUADRATURE, "Gauss"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        double value = 77;
        if (lv_option_parse(wrong[k].option, wrong[k].text, &value) || value != 77)
            fail_msg("'%s' is a value: %g", wrong[k].text, value);
    }
}

static void values_out_of_range_are_refused(void **state)
{
    (void)state;
    lv_error err;
    assert_int_equal(lv_option_check(LV_OPTION_THETA, 0.3, &err), LV_OK);
    assert_int_equal(lv_option_check(LV_OPTION_THETA, 2, &err), LV_ERR_MODEL);
    assert_string_equal(err.text, "option 'theta' must be a number from 0 to 1, not 2");
    assert_int_equal(lv_option_check(LV_OPTION_DEGREE, 0.5, NULL), LV_ERR_MODEL);
    assert_int_equal(lv_option_check(LV_OPTION_DEGREE, (double)NAN, NULL), LV_ERR_MODEL);
    assert_int_equal(lv_option_check(LV_OPTION_QUADRATURE, 4, NULL), LV_ERR_MODEL);
}

#define PLAIN "[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2\"\n"

static void models_give_all_kinds(void **state)
{
    (void)state;
    lv_model *model =
        read_text("[parameters]\nhalf = 0.5\n" PLAIN
                  "[run]\ntheta = \"half\"\nprojection = true\nhalf_kick = false\n"
                  "continuity = \"RR\"\nquadrature = \"rectangle\"\npoints = 3000\n");
    const lv_scheme_options *o = &lv_model_run_options(model)->options;
    assert_true(lv_scheme_option(o, LV_OPTION_THETA, 9) == 0.5);
    assert_true(lv_scheme_option(o, LV_OPTION_PROJECTION, 9) == 1);
    assert_true(lv_scheme_option(o, LV_OPTION_HALF_KICK, 9) == 0);
    assert_true(lv_scheme_option(o, LV_OPTION_CONTINUITY, 9) == 2);
    assert_true(lv_scheme_option(o, LV_OPTION_QUADRATURE, 9) == 3);
    assert_true(lv_scheme_option(o, LV_OPTION_POINTS, 9) == 3000);
    assert_false(lv_scheme_option_given(o, LV_OPTION_DEGREE));
    lv_model_free(model);
}

static void builders_give_flags(void **state)
{
    (void)state;
    lv_error err;
    lv_model *model = NULL;
    lv_builder *b = lv_builder_create("built");
    lv_builder_number(b, "coordinates", "x", "value", 1);
    lv_builder_text(b, "energy", NULL, "kinetic", "x'^2");
    lv_builder_flag(b, "run", NULL, "projection", false);
    lv_builder_flag(b, "run", NULL, "half_kick", true);
    if (lv_builder_model(&model, b, &err) != LV_OK)
        fail_with(&err);
    const lv_scheme_options *o = &lv_model_run_options(model)->options;
    assert_true(lv_scheme_option(o, LV_OPTION_PROJECTION, 9) == 0);
    assert_true(lv_scheme_option(o, LV_OPTION_HALF_KICK, 9) == 1);
    lv_model_free(model);
    lv_builder_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_option_is_described),
        RUN(choices_are_shown_as_they_are),
        RUN(names_on_the_line_are_those_of_the_keys),
        RUN(what_is_not_given_is_otherwise),
        RUN(texts_are_read_back),
        RUN(other_texts_are_no_values),
        RUN(values_out_of_range_are_refused),
        RUN(models_give_all_kinds),
        RUN(builders_give_flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
