/* Growing strings, numbers as text in any locale, nearest names. */
#include "base/memory.h"
#include "base/text.h"
#include "check.h"
#include "deny.h"

#include <float.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static void texts_grow_as_they_are_appended_to(void **state)
{
    (void)state;
    lv_text text = {0};
    for (int i = 0; i < 1000; i++)
        lv_text_append(&text, "%d,", i % 10);
    lv_text_bytes(&text, "end\0!", 5);
    lv_text_bytes(&text, NULL, 0);
    lv_text_append(&text, "%s", "");
    assert_false(text.failed);
    assert_int_equal(text.count, 2005);
    assert_memory_equal(text.data + 1990, "5,6,7,8,9,end\0!", 16);
    lv_text_done(&text);
    assert_null(text.data);
    assert_int_equal(text.count, 0);
}

static void impossible_lengths_fail_and_stay_failed(void **state)
{
    (void)state;
    lv_text text = {0};
    lv_text_bytes(&text, "x", -1);
    assert_true(text.failed);
    lv_text_append(&text, "more");
    assert_true(text.failed);
    assert_int_equal(text.count, 0);
    lv_text_done(&text);
    assert_false(text.failed);

    lv_text_bytes(&text, "x", INT_MAX);
    assert_true(text.failed);
    lv_text_done(&text);
}

static lv_status write_text(void *user, lv_error *err)
{
    (void)user;
    lv_text text = {0};
    for (int i = 0; i < 200; i++) {
        lv_text_append(&text, "line %d\n", i);
        lv_text_bytes(&text, "bytes", 5);
    }
    lv_status status = text.failed ? lv_fail_memory(err) : LV_OK;
    lv_text_done(&text);
    return status;
}

static void a_denied_append_is_reported_at_the_end(void **state)
{
    (void)state;
    lv_deny_sweep(write_text, NULL);
}

static void assert_parses(const char *text, double expected)
{
    double value = NAN;
    if (!lv_number_parse(text, strlen(text), &value))
        fail_msg("'%s' is a number", text);
    if (memcmp(&value, &expected, sizeof value) != 0)
        fail_msg("'%s' is %.17g, expected %.17g", text, value, expected);
}

static void numbers_are_parsed(void **state)
{
    (void)state;
    assert_parses("0", 0.0);
    assert_parses("-0", -0.0);
    assert_parses("+17", 17);
    assert_parses("9.81", 9.81);
    assert_parses(".5", 0.5);
    assert_parses("5.", 5);
    assert_parses("1e3", 1000);
    assert_parses("1E+3", 1000);
    assert_parses("-2.5e-3", -0.0025);
    assert_parses("1e999", INFINITY);
    assert_parses("-1e999", -INFINITY);
    assert_parses("1e-999", 0.0);
    assert_parses("4.9e-324", 4.9406564584124654e-324);
    assert_parses("0.1000000000000000055511151231257827021181583404541015625", 0.1);
}

static void only_the_bytes_given_are_parsed(void **state)
{
    (void)state;
    double value = 0;
    assert_true(lv_number_parse("12345", 2, &value));
    assert_true(value == 12);
    assert_true(lv_number_parse("1.5]", 3, &value));
    assert_true(value == 1.5);
}

static void what_is_not_a_number_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",    "+",   "-",        ".",  "e5", "1e", "1e+", "1.2.3", "1,5",  "0x10",
        "inf", "nan", "infinity", " 1", "1 ", "1f", "--1", "1_000", "+.e1", "1e5.0"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        double value = 7;
        if (lv_number_parse(wrong[i], strlen(wrong[i]), &value))
            fail_msg("'%s' is not a number", wrong[i]);
        assert_true(value == 7);
    }
}

static void numbers_of_any_length_are_parsed_correctly_rounded(void **state)
{
    (void)state;
    /* 1 + 2^-53 is halfway between two doubles; a digit far behind decides. */
    char text[2000] = "1.00000000000000011102230246251565404236316680908203125";
    const size_t head = strlen(text);
    memset(text + head, '0', sizeof text - 1 - head);
    text[sizeof text - 1] = '\0';
    assert_parses(text, 1.0);
    text[sizeof text - 2] = '1';
    assert_parses(text, 1.0 + DBL_EPSILON);
}

/* xorshift64*: all bit patterns, the same in every run. */
static uint64_t next_random(uint64_t *x)
{
    *x ^= *x >> 12;
    *x ^= *x << 25;
    *x ^= *x >> 27;
    return *x * 2685821657736338717u;
}

static void assert_round_trip(double value)
{
    char buffer[LV_NUMBER_SIZE];
    double back = NAN;
    assert_ptr_equal(lv_number_format(value, buffer), buffer);
    assert_true(strlen(buffer) < LV_NUMBER_SIZE);
    assert_null(strchr(buffer, ','));
    if (!lv_number_parse(buffer, strlen(buffer), &back) ||
        memcmp(&back, &value, sizeof value) != 0)
        fail_msg("%a is written '%s', which reads back as %a", value, buffer, back);
}

static void round_trip_many(void)
{
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = next_random(&seed);
        double value = 0;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            assert_round_trip(value);
        assert_round_trip((double)(bits >> 11) * 0x1p-53);
        assert_round_trip((double)(int64_t)(bits % 2000001) / 1000 - 1000);
    }
    static const double special[] = {0.0,
                                     -0.0,
                                     DBL_MIN,
                                     -DBL_MIN,
                                     DBL_MAX,
                                     -DBL_MAX,
                                     5e-324,
                                     0x1p-1074,
                                     0x1p-44,
                                     1e22,
                                     1e23,
                                     1 / 3.0,
                                     123456789012345678.0};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        assert_round_trip(special[i]);
}

static void written_numbers_read_back_as_the_same_bits(void **state)
{
    (void)state;
    round_trip_many();
}

static void assert_written(double value, const char *expected)
{
    char buffer[LV_NUMBER_SIZE];
    assert_string_equal(lv_number_format(value, buffer), expected);
}

static void numbers_are_written_as_short_as_they_can_be(void **state)
{
    (void)state;
    assert_written(0.1, "0.1");
    assert_written(-9.81, "-9.81");
    assert_written(1000, "1000");
    assert_written(-0.0, "-0");
    assert_written(1e300, "1e+300");
    assert_written(0.1 + 0.2, "0.30000000000000004");
    assert_written(5e-324, "5e-324");
    assert_written(NAN, "nan");
    assert_written(INFINITY, "inf");
    assert_written(-INFINITY, "-inf");
}

static void a_locale_with_a_decimal_comma_changes_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE",
                                        "fr_FR.UTF-8"};
    const char *set = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !set; i++)
        set = setlocale(LC_NUMERIC, names[i]);
    if (!set)
        skip();
    int comma = strcmp(localeconv()->decimal_point, ",") == 0;
    char buffer[LV_NUMBER_SIZE];
    int dot = strcmp(lv_number_format(0.5, buffer), "0.5") == 0;
    double value = 0, wrong = 0;
    int parsed = lv_number_parse("9.81", 4, &value);
    int refused = !lv_number_parse("9,81", 4, &wrong);
    round_trip_many();
    setlocale(LC_NUMERIC, "C");
    assert_true(comma);
    assert_true(dot);
    assert_true(parsed && value == 9.81);
    assert_true(refused);
}

static const char *nearest_key(const char *word)
{
    static const char *const keys[] = {"kinetic",  "potential",    "lagrangian", "value",
                                       "velocity", "holonomic",    "mass",       "m",
                                       "Theta",    "nonholonomic", "step"};
    lv_nearest nearest;
    lv_nearest_start(&nearest, word);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        lv_nearest_offer(&nearest, keys[i]);
    return lv_nearest_result(&nearest);
}

static void slips_of_the_finger_find_the_name_that_was_meant(void **state)
{
    (void)state;
    assert_string_equal(nearest_key("potental"), "potential");
    assert_string_equal(nearest_key("potnetial"), "potential");
    assert_string_equal(nearest_key("Potential"), "potential");
    assert_string_equal(nearest_key("kinetik"), "kinetic");
    assert_string_equal(nearest_key("kinetics"), "kinetic");
    assert_string_equal(nearest_key("velocty"), "velocity");
    assert_string_equal(nearest_key("lagrangain"), "lagrangian");
    assert_string_equal(nearest_key("holonom"), "holonomic");
    assert_string_equal(nearest_key("theta"), "Theta");
    assert_string_equal(nearest_key("maas"), "mass");
    assert_string_equal(nearest_key("setp"), "step");
    assert_string_equal(nearest_key("M"), "m");
}

static void far_words_find_nothing(void **state)
{
    (void)state;
    assert_null(nearest_key("gravity"));
    assert_null(nearest_key("x"));
    assert_null(nearest_key(""));
    assert_null(nearest_key("coordinates"));
    assert_null(nearest_key("an_extremely_long_name_that_nobody_would_ever_mistype_"
                            "for_any_of_the_others"));
}

static void the_closest_of_several_candidates_wins_and_ties_go_to_the_first(void **state)
{
    (void)state;
    lv_nearest nearest;
    lv_nearest_start(&nearest, "position");
    assert_null(lv_nearest_result(&nearest));
    lv_nearest_offer(&nearest, "positive");
    lv_nearest_offer(&nearest, "positions");
    lv_nearest_offer(&nearest, "positron");
    lv_nearest_offer(&nearest, "xposition");
    assert_string_equal(lv_nearest_result(&nearest), "positions");
}

static void names_are_letters_then_letters_digits_and_underscores(void **state)
{
    (void)state;
    assert_true(lv_is_name("x"));
    assert_true(lv_is_name("Theta_12b"));
    assert_true(lv_is_name("q_"));
    assert_false(lv_is_name(""));
    assert_false(lv_is_name("1x"));
    assert_false(lv_is_name("_x"));
    assert_false(lv_is_name("x'"));
    assert_false(lv_is_name("a b"));
    assert_false(lv_is_name("a-b"));
    assert_false(lv_is_name("ä"));
    assert_false(lv_is_name("xä"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(texts_grow_as_they_are_appended_to),
        RUN(impossible_lengths_fail_and_stay_failed),
        RUN(a_denied_append_is_reported_at_the_end),
        RUN(numbers_are_parsed),
        RUN(only_the_bytes_given_are_parsed),
        RUN(what_is_not_a_number_is_refused),
        RUN(numbers_of_any_length_are_parsed_correctly_rounded),
        RUN(written_numbers_read_back_as_the_same_bits),
        RUN(numbers_are_written_as_short_as_they_can_be),
        RUN(a_locale_with_a_decimal_comma_changes_nothing),
        RUN(slips_of_the_finger_find_the_name_that_was_meant),
        RUN(far_words_find_nothing),
        RUN(the_closest_of_several_candidates_wins_and_ties_go_to_the_first),
        RUN(names_are_letters_then_letters_digits_and_underscores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
