/* Strings, numbers, booleans, dates and times: what they mean and where they stand. */
#include "document.h"

#include <limits.h>

static void check_string(const char *text, const char *expected, int length)
{
    document d;
    document_read(&d, text);
    const lv_toml *a = document_at(&d, "a");
    assert_int_equal(a->kind, LV_TOML_STRING);
    if (a->string.length != length ||
        memcmp(a->string.text, expected, (size_t)length) != 0)
        fail_msg("%s is read as '%s'", text, a->string.text);
    assert_int_equal(a->string.text[length], 0);
    assert_ptr_equal(a->string.source, &d.source);
    document_free(&d);
}

#define CHECK_STRING(text, expected)                                                     \
    check_string(text, expected, (int)sizeof(expected) - 1)

static void basic_strings_decode_escapes(void **state)
{
    (void)state;
    CHECK_STRING("a = \"\"", "");
    CHECK_STRING("a = \"x y\"", "x y");
    CHECK_STRING("a = \"\\b\\t\\n\\f\\r\\\"\\\\\"", "\b\t\n\f\r\"\\");
    CHECK_STRING("a = \"\\u00e9\\u20AC\\U0001F600\\u0041\"",
                 "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"
                 "A");
    CHECK_STRING("a = \"\\u007f\\u0080\\u07ff\\u0800\\uffff\\U00010000\\U0010FFFF\"",
                 "\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80"
                 "\xF4\x8F\xBF\xBF");
    CHECK_STRING("a = \"it's # no comment\"", "it's # no comment");
    CHECK_STRING("a = \"tab\tinside\"", "tab\tinside");
}

static void strings_may_hold_nul(void **state)
{
    (void)state;
    CHECK_STRING("a = \"x\\u0000y\"", "x\0y");
    CHECK_STRING("a = \"\\U00000000\"", "\0");
}

static void literal_strings_keep_backslashes(void **state)
{
    (void)state;
    CHECK_STRING("a = 'C:\\new \"x\"'", "C:\\new \"x\"");
    CHECK_STRING("a = ''", "");
    CHECK_STRING("a = '''\\u0041 ''quoted'' \\'''", "\\u0041 ''quoted'' \\");
}

static void multi_line_strings_drop_the_first_line_break(void **state)
{
    (void)state;
    CHECK_STRING("a = \"\"\"\nx\ny\"\"\"", "x\ny");
    CHECK_STRING("a = \"\"\"\n\nx\"\"\"", "\nx");
    CHECK_STRING("a = '''\nx\n'''", "x\n");
    CHECK_STRING("a = \"\"\"\"\"\"", "");
    CHECK_STRING("a = ''''''", "");
}

static void line_breaks_of_two_bytes_become_one(void **state)
{
    (void)state;
    CHECK_STRING("a = \"\"\"\r\nx\r\ny\r\n\"\"\"", "x\ny\n");
    CHECK_STRING("a = '''x\r\ny'''", "x\ny");
}

static void backslash_at_the_end_of_a_line_swallows_white_space(void **state)
{
    (void)state;
    CHECK_STRING("a = \"\"\"x \\\n   y\\  \t\n\n \n z\"\"\"", "x yz");
    CHECK_STRING("a = \"\"\"\\\n   x\\\r\n   \"\"\"", "x");
}

static void two_quotes_may_stand_before_the_closing_ones(void **state)
{
    (void)state;
    CHECK_STRING("a = \"\"\"x\"\"\"\"", "x\"");
    CHECK_STRING("a = \"\"\"x\"\"\"\"\"", "x\"\"");
    CHECK_STRING("a = '''x'''''", "x''");
    CHECK_STRING("a = '''''''", "'");
    CHECK_STRING("a = \"\"\"\"\"\"\"\"", "\"\"");
    CHECK_STRING("a = \"\"\"a\"\"b\\\"\"\"\"", "a\"\"b\"");
}

static void plain_strings_map_to_the_source_without_a_table(void **state)
{
    (void)state;
    document d;
    document_read(&d, "x = 1\na = 'm/2' # c\nb = '''\nx\ny'''");
    const lv_toml *a = document_at(&d, "a"), *b = document_at(&d, "b");
    assert_null(a->string.offsets);
    assert_int_equal(a->string.start, 11);
    assert_int_equal(a->place.offset, 10);
    assert_int_equal(a->place.length, 5);
    assert_null(b->string.offsets);
    assert_int_equal(lv_snippet_offset(&b->string, 2),
                     strlen("x = 1\na = 'm/2' # c\nb = '''\nx\n"));
    document_free(&d);
}

static void decoded_strings_map_every_byte_to_the_source(void **state)
{
    (void)state;
    document d;
    document_read(&d, "a = \"p\\u00e9q\\tr\"");
    const lv_snippet *s = &document_at(&d, "a")->string;
    static const size_t expected[] = {5, 6, 6, 12, 13, 15, 16};
    assert_int_equal(s->length, 6);
    assert_non_null(s->offsets);
    for (int i = 0; i <= s->length; i++)
        assert_int_equal(lv_snippet_offset(s, i), expected[i]);
    document_free(&d);
}

static void line_breaks_and_trimmed_lines_map_to_the_source(void **state)
{
    (void)state;
    document d;
    document_read(&d, "a = \"\"\"\r\nx\r\ny\\\n  z\"\"\"\"");
    const lv_snippet *s = &document_at(&d, "a")->string;
    static const size_t expected[] = {9, 10, 12, 17, 18, 19};
    assert_string_equal(s->text, "x\nyz\"");
    for (int i = 0; i <= s->length; i++)
        assert_int_equal(lv_snippet_offset(s, i), expected[i]);
    document_free(&d);
}

static void check_integer(const char *text, long long expected)
{
    document d;
    document_read(&d, text);
    const lv_toml *a = document_at(&d, "a");
    assert_int_equal(a->kind, LV_TOML_INTEGER);
    if (a->integer != expected)
        fail_msg("%s is read as %lld", text, a->integer);
    document_free(&d);
}

static void integers_are_read_in_four_bases(void **state)
{
    (void)state;
    check_integer("a = 0", 0);
    check_integer("a = -0", 0);
    check_integer("a = +17", 17);
    check_integer("a = -1_000", -1000);
    check_integer("a = 0xDead_beef", 0xDEADBEEF);
    check_integer("a = 0o755", 0755);
    check_integer("a = 0b1101", 13);
    check_integer("a = 0x00", 0);
}

static void integers_reach_the_ends_of_64_bits(void **state)
{
    (void)state;
    check_integer("a = 9223372036854775807", LLONG_MAX);
    check_integer("a = -9223372036854775808", LLONG_MIN);
    check_integer("a = -9223372036854775807", -LLONG_MAX);
    check_integer("a = 0x7FFFFFFFFFFFFFFF", LLONG_MAX);
    check_integer("a = 0o777777777777777777777", LLONG_MAX);
}

static void check_float(const char *text, double expected)
{
    document d;
    document_read(&d, text);
    const lv_toml *a = document_at(&d, "a");
    assert_int_equal(a->kind, LV_TOML_FLOAT);
    if (memcmp(&a->number, &expected, sizeof expected) != 0)
        fail_msg("%s is read as %.17g", text, a->number);
    document_free(&d);
}

static void floats_are_read_to_the_last_bit(void **state)
{
    (void)state;
    check_float("a = 3.1415", 3.1415);
    check_float("a = -0.0", -0.0);
    check_float("a = +0.0", 0.0);
    check_float("a = 5e+22", 5e+22);
    check_float("a = 1E06", 1e6);
    check_float("a = -6.626e-34", -6.626e-34);
    check_float("a = 1_0.0_1e1_0", 10.01e10);
    check_float("a = 4.9e-324", 4.9e-324);
    check_float("a = 9007199254740993.0", 9007199254740992.0);
    check_float("a = 0.1000000000000000055511151231257827021181583404541015625", 0.1);
}

static void floats_may_be_infinite_or_nan(void **state)
{
    (void)state;
    check_float("a = inf", (double)INFINITY);
    check_float("a = +inf", (double)INFINITY);
    check_float("a = -inf", -(double)INFINITY);
    check_float("a = 1e400", (double)INFINITY);
    check_float("a = 1e-400", 0.0);
    document d;
    document_read(&d, "a = [nan, +nan, -nan]");
    for (const lv_toml *item = document_at(&d, "a")->first; item; item = item->next) {
        assert_int_equal(item->kind, LV_TOML_FLOAT);
        assert_true(isnan(item->number));
    }
    document_free(&d);
}

static void booleans_are_read(void **state)
{
    (void)state;
    document d;
    document_read(&d, "a = true\nb = false");
    assert_int_equal(document_at(&d, "a")->kind, LV_TOML_BOOLEAN);
    assert_true(document_at(&d, "a")->boolean);
    assert_int_equal(document_at(&d, "b")->kind, LV_TOML_BOOLEAN);
    assert_false(document_at(&d, "b")->boolean);
    document_free(&d);
}

static void check_time(const char *text, lv_toml_kind kind, lv_toml_time expected)
{
    document d;
    document_read(&d, text);
    const lv_toml *a = document_at(&d, "a");
    const lv_toml_time *t = &a->time;
    assert_int_equal(a->kind, kind);
    assert_int_equal(t->year, expected.year);
    assert_int_equal(t->month, expected.month);
    assert_int_equal(t->day, expected.day);
    assert_int_equal(t->hour, expected.hour);
    assert_int_equal(t->minute, expected.minute);
    assert_int_equal(t->second, expected.second);
    assert_int_equal(t->microsecond, expected.microsecond);
    assert_int_equal(t->offset, expected.offset);
    document_free(&d);
}

static void dates_and_times_are_read_in_four_kinds(void **state)
{
    (void)state;
    check_time("a = 1979-05-27T07:32:01Z", LV_TOML_OFFSET_DATETIME,
               (lv_toml_time){1979, 5, 27, 7, 32, 1, 0, 0});
    check_time("a = 1979-05-27 07:32:01.25-07:30", LV_TOML_OFFSET_DATETIME,
               (lv_toml_time){1979, 5, 27, 7, 32, 1, 250000, -450});
    check_time("a = 1979-05-27t07:32:01.1234567+00:01 # c", LV_TOML_OFFSET_DATETIME,
               (lv_toml_time){1979, 5, 27, 7, 32, 1, 123456, 1});
    check_time("a = 1979-05-27 07:32:01", LV_TOML_LOCAL_DATETIME,
               (lv_toml_time){1979, 5, 27, 7, 32, 1, 0, 0});
    check_time("a = 1979-05-27 # date", LV_TOML_LOCAL_DATE,
               (lv_toml_time){1979, 5, 27, 0, 0, 0, 0, 0});
    check_time("a = 23:59:59.000001", LV_TOML_LOCAL_TIME,
               (lv_toml_time){0, 0, 0, 23, 59, 59, 1, 0});
}

static void leap_years_have_a_29th_of_february(void **state)
{
    (void)state;
    check_time("a = 2000-02-29", LV_TOML_LOCAL_DATE,
               (lv_toml_time){.year = 2000, .month = 2, .day = 29});
    check_time("a = 2024-02-29", LV_TOML_LOCAL_DATE,
               (lv_toml_time){.year = 2024, .month = 2, .day = 29});
    check_refused("a = 1900-02-29", 1, 13, "a day that this month has", NULL);
    check_refused("a = 2023-02-29", 1, 13, "a day that this month has", NULL);
    check_refused("a = 2021-04-31", 1, 13, "a day that this month has", NULL);
}

static void kinds_have_names(void **state)
{
    (void)state;
    assert_string_equal(lv_toml_kind_name(LV_TOML_STRING), "string");
    assert_string_equal(lv_toml_kind_name(LV_TOML_LOCAL_DATETIME), "local date-time");
    assert_string_equal(lv_toml_kind_name(LV_TOML_TABLE), "table");
    assert_string_equal(lv_toml_kind_name((lv_toml_kind)99), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(basic_strings_decode_escapes),
        RUN(strings_may_hold_nul),
        RUN(literal_strings_keep_backslashes),
        RUN(multi_line_strings_drop_the_first_line_break),
        RUN(line_breaks_of_two_bytes_become_one),
        RUN(backslash_at_the_end_of_a_line_swallows_white_space),
        RUN(two_quotes_may_stand_before_the_closing_ones),
        RUN(plain_strings_map_to_the_source_without_a_table),
        RUN(decoded_strings_map_every_byte_to_the_source),
        RUN(line_breaks_and_trimmed_lines_map_to_the_source),
        RUN(integers_are_read_in_four_bases),
        RUN(integers_reach_the_ends_of_64_bits),
        RUN(floats_are_read_to_the_last_bit),
        RUN(floats_may_be_infinite_or_nan),
        RUN(booleans_are_read),
        RUN(dates_and_times_are_read_in_four_kinds),
        RUN(leap_years_have_a_29th_of_february),
        RUN(kinds_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
