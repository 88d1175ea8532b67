#include "base/text.h"
#include "check.h"
#include "deny.h"
#include "expr/lex.h"
#include "random_formula.h"

#include <stdio.h>
#include <string.h>

static lv_status lex(lv_token *token, const char *text, int from, lv_error *err)
{
    const lv_source source = {"f", text, strlen(text)};
    const lv_snippet snippet = {
        .text = text, .length = (int)strlen(text), .source = &source};
    return lv_lex(token, &snippet, from, err);
}

/* ---- tokens ------------------------------------------------------------------------ */

static void tokens_have_their_places(void **state)
{
    (void)state;
    static const char text[] = " q_{i-1}' <=\t2.5e1*a[1]\r\n";
    static const struct expected {
        lv_token_kind kind;
        char sign;
        int start, length;
    } expected[] = {
        {LV_TOKEN_NAME, 0, 1, 2},    {LV_TOKEN_SIGN, '{', 3, 1},
        {LV_TOKEN_NAME, 0, 4, 1},    {LV_TOKEN_SIGN, '-', 5, 1},
        {LV_TOKEN_NUMBER, 0, 6, 1},  {LV_TOKEN_SIGN, '}', 7, 1},
        {LV_TOKEN_SIGN, '\'', 8, 1}, {LV_TOKEN_SIGN, 'l', 10, 2},
        {LV_TOKEN_NUMBER, 0, 13, 5}, {LV_TOKEN_SIGN, '*', 18, 1},
        {LV_TOKEN_NAME, 0, 19, 1},   {LV_TOKEN_SIGN, '[', 20, 1},
        {LV_TOKEN_NUMBER, 0, 21, 1}, {LV_TOKEN_SIGN, ']', 22, 1},
        {LV_TOKEN_END, 0, 25, 0},    {LV_TOKEN_END, 0, 25, 0},
    };
    int from = 0;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        lv_token token;
        assert_int_equal(lex(&token, text, from, NULL), LV_OK);
        assert_int_equal(token.kind, expected[i].kind);
        assert_int_equal(token.start, expected[i].start);
        assert_int_equal(token.length, expected[i].length);
        if (token.kind == LV_TOKEN_SIGN)
            assert_int_equal(token.sign, expected[i].sign);
        from = token.start + token.length;
    }
}

static void every_sign_is_one_token(void **state)
{
    (void)state;
    static const struct expected {
        const char *text;
        char sign;
    } expected[] = {
        {"+", '+'},  {"-", '-'},  {"*", '*'},  {"/", '/'},  {"^", '^'},
        {"(", '('},  {")", ')'},  {"[", '['},  {"]", ']'},  {"{", '{'},
        {"}", '}'},  {",", ','},  {"'", '\''}, {"<", '<'},  {">", '>'},
        {"<=", 'l'}, {">=", 'g'}, {"==", '='}, {"!=", '!'},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        lv_token token;
        assert_int_equal(lex(&token, expected[i].text, 0, NULL), LV_OK);
        assert_int_equal(token.kind, LV_TOKEN_SIGN);
        assert_int_equal(token.sign, expected[i].sign);
        assert_int_equal(token.length, strlen(expected[i].text));
    }
}

static void names_are_letters_digits_and_underscores(void **state)
{
    (void)state;
    static const char *const names[] = {"x", "Z9", "q_", "a_1_b", "e1", "E", "aZ09_"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lv_token token;
        char text[20];
        (void)snprintf(text, sizeof text, "%s-1", names[i]);
        assert_int_equal(lex(&token, text, 0, NULL), LV_OK);
        assert_int_equal(token.kind, LV_TOKEN_NAME);
        assert_int_equal(token.length, strlen(names[i]));
    }
}

/* ---- numbers ----------------------------------------------------------------------- */

static void expect_number(const char *text, double value)
{
    lv_token token;
    lv_error err;
    if (lex(&token, text, 0, &err) != LV_OK)
        fail_msg("%s: %s", text, err.text);
    assert_int_equal(token.kind, LV_TOKEN_NUMBER);
    assert_int_equal(token.length, strlen(text));
    if (memcmp(&token.number, &value, sizeof value) != 0)
        fail_msg("%s is read as %.17g", text, token.number);
}

static void numbers_are_read_in_every_form(void **state)
{
    (void)state;
    expect_number("0", 0);
    expect_number("5", 5);
    expect_number("007", 7);
    expect_number(".5", 0.5);
    expect_number("1.", 1);
    expect_number("0.1", 0x1.999999999999ap-4);
    expect_number("1e-3", 0x1.0624dd2f1a9fcp-10);
    expect_number("1.e5", 100000);
    expect_number(".25E+2", 25);
    expect_number("1.7976931348623157e308", 0x1.fffffffffffffp1023);
    expect_number("4.9406564584124654e-324", 0x1p-1074);
    expect_number("1e-400", 0);
    expect_number("9007199254740993", 9007199254740992.0);
}

static void long_numbers_are_read(void **state)
{
    (void)state;
    char text[400] = "0.";
    memset(text + 2, '0', 290);
    memcpy(text + 292, "25e292", 7);
    expect_number(text, 25);
}

static void printed_doubles_are_read_back(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = lv_random_bits(&random) & UINT64_C(0x7fffffffffffffff);
        double value = 0;
        char text[40];
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        (void)snprintf(text, sizeof text, "%.17g", value);
        expect_number(text, value);
    }
}

static void numbers_end_where_they_should(void **state)
{
    (void)state;
    static const struct expected {
        const char *text;
        int length;
    } expected[] = {{"1-2", 1},  {"1.-2", 2},  {"1e5-2", 3}, {"1e-5-2", 4}, {"1.2.3", 3},
                    {"1..2", 1}, {"1...2", 1}, {"2'", 1},    {"2*e", 1},    {"1 e5", 1}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        lv_token token;
        assert_int_equal(lex(&token, expected[i].text, 0, NULL), LV_OK);
        assert_int_equal(token.length, expected[i].length);
    }
}

/* ---- errors ------------------------------------------------------------------------ */

static const char no_sign[] = "this sign has no meaning in a formula";
static const char no_character[] = "this character has no meaning in a formula";
static const char runs_into[] = "a number runs into a name";
static const char member[] =
    "a member follows its name at once, and only a name has members: top.e1";
static const char product[] = "products need a sign: write 2*x, not 2x";
static const char letters[] =
    "names are made of the letters a-z, A-Z, digits and _; products are "
    "written with *";

static const struct wrong {
    const char *text;
    int column, length;
    const char *message, *hint;
} wrongs[] = {
    {"**", 1, 2, no_sign, "powers are written with ^: x^2"},
    {"&&", 1, 2, no_sign, "nest conditions instead: if(a < b, if(c < d, x, y), y)"},
    {"||", 1, 2, no_sign, "nest conditions instead: if(a < b, x, if(c < d, x, y))"},
    {"= 1", 1, 1, no_sign,
     "a constraint is written as one side: \"x - y\" means x - y = 0; in conditions "
     "equality is =="},
    {" !x", 2, 1, no_sign, "inequality is written !="},
    {"\"x\"", 1, 1, no_sign, "the quotes belong around the whole formula"},
    {"; y", 1, 1, no_sign, "components are separated by commas"},
    {"%", 1, 1, no_sign, "there is no remainder; nor percent: write 0.05 for 5 %"},
    {"# x", 1, 1, no_character, ""},
    {"  $", 3, 1, no_character, ""},
    {"&", 1, 1, no_character, ""},
    {"_x", 1, 1, no_sign, "a name begins with a letter"},
    {".", 1, 1, no_sign, member},
    {".x", 1, 1, no_sign, member},
    {"  .e1", 3, 1, no_sign, member},
    {"\x01", 1, 1, no_character, ""},
    {"\xc3\xb6lig", 1, 1, no_character, letters},
    {" \xe2\x88\x82x", 2, 1, no_character, letters},
    {"2x", 2, 1, runs_into, product},
    {"2.5e3_", 6, 1, runs_into, product},
    {"1e", 2, 1, runs_into, product},
    {"1e+x", 2, 1, runs_into, product},
    {"0x10", 2, 1, runs_into, product},
    {" 1e999", 2, 5, "this number is too large for double precision",
     "the largest is about 1.8e308"},
};

static void wrong_texts_are_refused_at_their_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        const struct wrong *w = &wrongs[i];
        lv_token token;
        lv_error err;
        assert_int_equal(lex(&token, w->text, 0, &err), LV_ERR_SYNTAX);
        assert_int_equal(lex(&token, w->text, 0, NULL), LV_ERR_SYNTAX);
        assert_string_equal(err.text, w->message);
        assert_string_equal(err.hint, w->hint);
        assert_int_equal(err.line, 1);
        assert_int_equal(err.column, w->column);
        assert_int_equal(err.length, w->length);
    }
}

static void a_zero_byte_is_refused(void **state)
{
    (void)state;
    static const char text[] = "x\0+y";
    const lv_source source = {"f", text, 4};
    const lv_snippet snippet = {.text = text, .length = 4, .source = &source};
    lv_token token;
    lv_error err;
    assert_int_equal(lv_lex(&token, &snippet, 0, &err), LV_OK);
    assert_int_equal(token.length, 1);
    assert_int_equal(lv_lex(&token, &snippet, 1, &err), LV_ERR_SYNTAX);
    assert_string_equal(err.text, no_character);
    assert_int_equal(err.column, 2);
}

/* The file has "1 \u0026\u0026 2x" as a string with escapes; its value is "1 && 2x". */
static void places_count_in_the_file(void **state)
{
    (void)state;
    static const char file[] = "[energy]\nk = \"1 \\u0026\\u0026 2x\"\n";
    static const size_t offsets[] = {14, 15, 16, 22, 28, 29, 30, 31};
    const lv_source source = {"m.toml", file, sizeof file - 1};
    const lv_snippet snippet = {
        .text = "1 && 2x", .length = 7, .source = &source, .offsets = offsets};
    lv_token token;
    lv_error err;
    char message[400];
    assert_int_equal(lv_lex(&token, &snippet, 1, &err), LV_ERR_SYNTAX);
    (void)lv_error_write(&err, message, sizeof message);
    assert_string_equal(
        message, "m.toml:2:8: error: this sign has no meaning in a formula\n"
                 "    2 | k = \"1 \\u0026\\u0026 2x\"\n"
                 "      |        ^~~~~~~~~~~~\n"
                 "   hint: nest conditions instead: if(a < b, if(c < d, x, y), y)\n");
    assert_int_equal(lv_lex(&token, &snippet, 4, &err), LV_ERR_SYNTAX);
    assert_int_equal(err.column, 22);
}

static void random_bytes_make_tokens_or_errors(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int i = 0; i < 20000; i++) {
        char text[24] = {0};
        int from = 0, length = lv_random_below(&random, 23);
        for (int k = 0; k < length; k++)
            text[k] = lv_random_below(&random, 3) == 0
                          ? (char)(lv_random_below(&random, 255) + 1)
                          : "x1.e+-*/^()[]{},'<>=!&|_ "[lv_random_below(&random, 25)];
        for (;;) {
            lv_token token;
            lv_error err;
            lv_status status = lex(&token, text, from, &err);
            assert_true(token.start >= from && token.start + token.length <= length);
            if (status != LV_OK) {
                assert_int_equal(status, LV_ERR_SYNTAX);
                break;
            }
            if (token.kind == LV_TOKEN_END)
                break;
            assert_true(token.length > 0);
            from = token.start + token.length;
        }
    }
}

static lv_status lex_long_number(void *user, lv_error *err)
{
    lv_token token;
    return lex(&token, user, 0, err);
}

static void denied_memory_is_reported(void **state)
{
    (void)state;
    char text[300] = {0};
    memset(text, '7', 200);
    lv_deny_sweep(lex_long_number, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(tokens_have_their_places),
        RUN(every_sign_is_one_token),
        RUN(names_are_letters_digits_and_underscores),
        RUN(numbers_are_read_in_every_form),
        RUN(long_numbers_are_read),
        RUN(printed_doubles_are_read_back),
        RUN(numbers_end_where_they_should),
        RUN(wrong_texts_are_refused_at_their_place),
        RUN(a_zero_byte_is_refused),
        RUN(places_count_in_the_file),
        RUN(random_bytes_make_tokens_or_errors),
        RUN(denied_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
