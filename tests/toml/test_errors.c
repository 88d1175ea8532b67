/* What is refused: where the error points, what it says, and what it advises. */
#include "document.h"

typedef struct refused {
    const char *text;
    int line, column;
    const char *message, *advice;
} refused;

#define CHECK_ALL(cases)                                                                 \
    for (size_t i = 0; i < sizeof(cases) / sizeof *(cases); i++)                         \
    check_refused((cases)[i].text, (cases)[i].line, (cases)[i].column,                   \
                  (cases)[i].message, (cases)[i].advice)

static void statements_that_are_incomplete_are_refused(void **state)
{
    (void)state;
    static const refused cases[] = {
        {"a", 1, 2, "found the end of the file after key 'a', expected '='", NULL},
        {"x = 1\na\n", 2, 2, "found the end of the line after key 'a', expected '='",
         NULL},
        {"a =", 1, 4, "found the end of the file, expected a value", NULL},
        {"a = # c", 1, 5, "found '#', expected a value", NULL},
        {"= 1", 1, 1, "found '=', expected a key, a [table] or a comment", NULL},
        {"a == 1", 1, 4, "found '=', expected a value", "one '='"},
        {"a : 1", 1, 3, "found ':' after key 'a', expected '='", "key = value"},
        {"a b = 1", 1, 3, "found 'b' after key 'a', expected '='", NULL},
        {"a. = 1", 1, 4, "found '=', expected a key after the '.'", NULL},
        {"gr\xC3\xB6\xC3\x9F = 1", 1, 3, "found '\xC3\xB6' after key 'gr'",
         "need quotes"},
        {"\xC3\xB6 = 1", 1, 1, "found '\xC3\xB6', expected a key", "need quotes"},
        {"a = 1 b = 2", 1, 7, "found 'b' after the value, expected the end of the line",
         "line of its own"},
        {"a = 'x' 'y'", 1, 9, "found ''' after the value", NULL},
        {"a = 1;", 1, 6, "found ';' after the value", NULL},
        {"\"\"\"a\"\"\" = 1", 1, 3, "found '\"' after key \"\"", NULL},
    };
    CHECK_ALL(cases);
}

static void headers_that_are_malformed_are_refused(void **state)
{
    (void)state;
    static const refused cases[] = {
        {"[]", 1, 2, "found ']', expected a key", NULL},
        {"[a", 1, 3, "found the end of the file in a header, expected ']'", NULL},
        {"[[a]\n", 1, 5, "found the end of the line in a header, expected ']]'", NULL},
        {"[ [a]]", 1, 3, "found '[', expected a key", NULL},
        {"[a..b]", 1, 4, "found '.', expected a key after the '.'", NULL},
        {"[a] b = 1", 1, 5, "found 'b' after the header", "line of its own"},
        {"[a]]", 1, 4, "found ']' after the header", NULL},
    };
    CHECK_ALL(cases);
}

static void text_without_quotes_is_refused_with_advice(void **state)
{
    (void)state;
    static const refused cases[] = {
        {"name = pendulum", 1, 8, "'pendulum' is not a value",
         "strings need quotes: \"pendulum\""},
        {"kinetic = m/2*x", 1, 11, "'m/2*x' is not a value",
         "formulas are strings: write them in quotes: \"m/2*x\""},
        {"a = m/2*x'^2 # c", 1, 5, "'m/2*x'^2' is not a value", "\"m/2*x'^2\""},
        {"a = 2*x", 1, 5, "'2*x' is not a value", "formulas are strings"},
        {"a = 2 - x", 1, 5, "'2 - x' is not a value", "formulas are strings"},
        {"a = 3-4", 1, 5, "'3-4' is not a number", "formulas are strings"},
        {"a = -x", 1, 5, "'-x' is not a value", "formulas are strings"},
        {"a = -(x + y)", 1, 5, "'-(x + y)' is not a value", "formulas are strings"},
        {"a = (1)", 1, 5, "'(1)' is not a value", "formulas are strings"},
        {"a = [1, f(x, y), 2]", 1, 9, "'f(x, y)' is not a value", "formulas are strings"},
        {"a = [2*x, 1]", 1, 6, "'2*x' is not a value", "formulas are strings"},
        {"a = {b = x^2, c = 1}", 1, 10, "'x^2' is not a value", "formulas are strings"},
        {"t = 10 s", 1, 5, "'10 s' is not a value", "strings need quotes: \"10 s\""},
        {"p = C:\\x", 1, 5, "'C:\\x' is not a value", "strings need quotes: 'C:\\x'"},
        {"a = True", 1, 5, "'True' is not a value", "small letters"},
        {"a = NaN", 1, 5, "'NaN' is not a value", "inf and nan"},
        {"a = null", 1, 5, "'null' is not a value", "leave the key out"},
        {"a = truer", 1, 5, "'truer' is not a value", "strings need quotes"},
    };
    CHECK_ALL(cases);
}

static void long_phrases_are_cut_in_messages(void **state)
{
    (void)state;
    char text[400] = "a = ";
    for (int i = 0; i < 90; i++)
        strcat(text, "\xC3\xA9");
    check_refused(text, 1, 5, "\xC3\xA9...' is not a value", "strings need quotes");
    text[3] = '_'; /* the cut now falls between the bytes of a character */
    check_refused(text, 1, 4, "\xC3\xA9...' is not a value", "strings need quotes");
}

static void arrays_that_are_malformed_are_refused(void **state)
{
    (void)state;
    static const refused cases[] = {
        {"a = [1 2]", 1, 8, "found '2' in the array, expected ',' or ']'", "at line 1"},
        {"x = 1\na = [\n1,\n2\n3]", 5, 1, "found '3' in the array, expected ','",
         "at line 2"},
        {"a = [1, 2\nb = 3", 2, 1, "found 'b' in the array, expected ',' or ']'",
         "line 1"},
        {"b = 1\na = [1,\n", 2, 5, "this array is not closed", NULL},
        {"a = [1, [2]", 1, 5, "this array is not closed", NULL},
        {"a = [,]", 1, 6, "found ',', expected a value", NULL},
        {"a = [1,,2]", 1, 8, "found ',', expected a value", NULL},
        {"a = [1]]", 1, 8, "found ']' after the value", NULL},
        {"a = [1 -2]", 1, 8, "found '-' in the array, expected ',' or ']'", NULL},
    };
    CHECK_ALL(cases);
}

static void inline_tables_that_are_malformed_are_refused(void **state)
{
    (void)state;
    static const refused cases[] = {
        {"a = {b = 1,}", 1, 12, "found '}' after ',', expected a key",
         "no comma follows"},
        {"a = {b = 1,\nc = 2}", 1, 12, "found the end of the line after ','",
         "on one line"},
        {"a = {b = 1\n}", 1, 11, "found the end of the line in the inline table",
         "on one line"},
        {"a = {\n}", 1, 6, "expected a key or '}'", "on one line"},
        {"a = {b = 1 c = 2}", 1, 12, "found 'c' in the inline table, expected ',' or '}'",
         NULL},
        {"a = {b = 1", 1, 5, "this inline table is not closed", NULL},
        {"a = {b}", 1, 7, "found '}' after key 'b', expected '='", NULL},
        {"a = {b =}", 1, 9, "found '}', expected a value", NULL},
        {"a = {,}", 1, 6, "found ',', expected a key", NULL},
        {"a = {b = 1 # c\n}", 1, 12, "found '#' in the inline table", NULL},
    };
    CHECK_ALL(cases);
}

static void strings_that_are_not_closed_are_refused_where_they_begin(void **state)
{
    (void)state;
    static const refused cases[] = {
        {"a = \"x\nb = 1", 1, 5, "not closed: found the end of the line, expected \"",
         "three quotes"},
        {"a = 'x", 1, 5, "not closed: found the end of the file, expected '",
         "three quotes"},
        {"b = 1\na = \"\"\"x\n\n\"\"", 2, 5, "not closed: found the end of the file",
         NULL},
        {"a = '''x", 1, 5, "expected '''", NULL},
        {"\"a = 1", 1, 1, "not closed", NULL},
    };
    CHECK_ALL(cases);
}

static void characters_that_strings_may_not_hold_are_refused(void **state)
{
    (void)state;
    static const refused cases[] = {
        {"a = \"x\x01\"", 1, 7, "found control character 0x01 in a string", NULL},
        {"a = '\x7f'", 1, 6, "found control character 0x7F in a string", NULL},
        {"a = \"\"\"\nx\ry\"\"\"", 2, 2, "found a carriage return without line feed",
         NULL},
        {"a = \"C:\\qx\"", 1, 8, "found 'q' after a backslash", "single quotes"},
        {"a = \"x\\", 1, 7, "found the end of the file after a backslash", NULL},
        {"a = \"\"\"x\\ y\"\"\"", 1, 9, "found ' ' after a backslash", NULL},
        {"a = \"\\\t\"", 1, 6, "found a tab after a backslash", NULL},
        {"a = \"\\u12x4\"", 1, 6, "'\\u' needs 4 hexadecimal digits", NULL},
        {"a = \"\\U0001F60\"", 1, 6, "'\\U' needs 8 hexadecimal digits", NULL},
        {"a = \"\\uD800\"", 1, 6, "'\\uD800' is not a Unicode character", NULL},
        {"a = \"\\U00110000\"", 1, 6, "'\\U00110000' is not a Unicode character", NULL},
    };
    CHECK_ALL(cases);
}

static void numbers_that_are_malformed_are_refused_with_advice(void **state)
{
    (void)state;
    static const refused cases[] = {
        {"a = 01", 1, 5, "'01' is not a number", "do not begin with zeros"},
        {"a = 1__0", 1, 5, "'1__0' is not a number", "underscore"},
        {"a = 1_", 1, 5, "'1_' is not a number", "underscore"},
        {"a = 5.", 1, 5, "'5.' is not a number", "decimal point"},
        {"a = .5", 1, 5, "'.5' is not a number", "decimal point"},
        {"a = 1e", 1, 5, "'1e' is not a number", "digits are missing"},
        {"a = +", 1, 5, "'+' is not a number", "digits are missing"},
        {"a = 0X1", 1, 5, "'0X1' is not a number", "small letters"},
        {"a = 0b2", 1, 5, "'0b2' is not a number", "0b by binary"},
        {"a = +0x1", 1, 5, "'+0x1' is not a number", "no sign"},
        {"a = [1, 9223372036854775808]", 1, 9, "does not fit into a 64-bit integer",
         "decimal point"},
        {"a = -9223372036854775809", 1, 5, "does not fit into a 64-bit integer", NULL},
        {"a = 0x8000000000000000", 1, 5, "does not fit into a 64-bit integer", NULL},
    };
    CHECK_ALL(cases);
}

static void dates_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    static const refused cases[] = {
        {"a = 1979-13-01", 1, 10, "expected a month from 01 to 12", NULL},
        {"a = 1979-5-27", 1, 11, "expected a month from 01 to 12", NULL},
        {"a = 1979-05/27", 1, 12, "expected '-' after the month", NULL},
        {"a = 0000-01-01", 1, 5, "expected a year from 0001", NULL},
        {"a = 1979-05-32", 1, 13, "expected a day that this month has", NULL},
        {"a = 1979-05-27T24:00:00", 1, 16, "expected an hour from 00 to 23", NULL},
        {"a = 1979-05-27 07:32", 1, 21, "expected ':' and the seconds", NULL},
        {"a = 07:32:60", 1, 11, "expected a second from 00 to 59", NULL},
        {"a = 07:32:00.", 1, 14, "expected digits after the point", NULL},
        {"a = 1979-05-27T07:32:00+24:00", 1, 25, "an offset of 00 to 23 hours", NULL},
        {"a = 1979-05-27Z", 1, 15, "expected the end of the value", NULL},
        {"a = 1979-05-27  07:32:00", 1, 17, "found '0' after the value", NULL},
    };
    CHECK_ALL(cases);
}

static void control_characters_outside_of_strings_are_refused(void **state)
{
    (void)state;
    static const refused cases[] = {
        {"a = 1 # bell \a", 1, 14, "found control character 0x07 in a comment", NULL},
        {"a = 1\rb = 2", 1, 6, "found a carriage return without line feed", NULL},
        {"a = 1 \r\r\n", 1, 7, "found a carriage return without line feed", NULL},
        {"\va = 1", 1, 1, "found control character 0x0B", NULL},
    };
    CHECK_ALL(cases);
    document d;
    document_read_bytes(&d, "a = 1\0", 6);
    assert_int_equal(d.status, LV_ERR_SYNTAX);
    assert_int_equal(d.err.column, 6);
    document_free(&d);
}

static void text_that_is_not_utf8_is_refused(void **state)
{
    (void)state;
    static const refused cases[] = {
        {"a = '\xC3'", 1, 6, "byte 0xC3 is not valid UTF-8", "save the file as UTF-8"},
        {"a = 1\n# \x80", 2, 3, "byte 0x80", NULL},
        {"a = '\xC0\x80'", 1, 6, "byte 0xC0", NULL},             /* overlong */
        {"a = '\xE0\x80\x80'", 1, 6, "byte 0xE0", NULL},         /* overlong */
        {"a = '\xF0\x80\x80\x80'", 1, 6, "byte 0xF0", NULL},     /* overlong */
        {"a = '\xED\xA0\x80'", 1, 6, "byte 0xED", NULL},         /* surrogate */
        {"a = '\xF4\x90\x80\x80'", 1, 6, "byte 0xF4", NULL},     /* beyond U+10FFFF */
        {"a = '\xF8\x88\x80\x80\x80'", 1, 6, "byte 0xF8", NULL}, /* five bytes */
        {"a = '\xE2\x82x'", 1, 6, "byte 0xE2", NULL},
        {"a = '\xE2\x82", 1, 6, "byte 0xE2", NULL}, /* cut off */
        {"\xEF\xBB\xBF"
         "a = 1",
         1, 1, "byte order mark", "without byte order mark"},
    };
    CHECK_ALL(cases);
}

static void columns_count_characters(void **state)
{
    (void)state;
    check_refused("'\xC3\xA4\xE2\x88\x91' = x", 1, 8, "'x' is not a value", NULL);
}

static void errors_need_no_place_to_go(void **state)
{
    (void)state;
    lv_arena arena = {0};
    lv_source source = {.name = "t", .text = "a = x*2", .size = 7};
    lv_toml *root = NULL;
    assert_int_equal(lv_toml_read(&root, &arena, &source, NULL), LV_ERR_SYNTAX);
    assert_null(root);
    lv_arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(statements_that_are_incomplete_are_refused),
        RUN(headers_that_are_malformed_are_refused),
        RUN(text_without_quotes_is_refused_with_advice),
        RUN(long_phrases_are_cut_in_messages),
        RUN(arrays_that_are_malformed_are_refused),
        RUN(inline_tables_that_are_malformed_are_refused),
        RUN(strings_that_are_not_closed_are_refused_where_they_begin),
        RUN(characters_that_strings_may_not_hold_are_refused),
        RUN(numbers_that_are_malformed_are_refused_with_advice),
        RUN(dates_that_do_not_exist_are_refused),
        RUN(control_characters_outside_of_strings_are_refused),
        RUN(text_that_is_not_utf8_is_refused),
        RUN(columns_count_characters),
        RUN(errors_need_no_place_to_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
