#include "expr/lex.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static lv_status fail(lv_error *err, const lv_snippet *s, int start, int length,
                      const char *text, const char *hint)
{
    size_t from = lv_snippet_offset(s, start), to = lv_snippet_offset(s, start + length);
    lv_status status = lv_fail_at(err, LV_ERR_SYNTAX, s->source, from,
                                  to > from ? to - from : 1, "%s", text);
    if (hint)
        lv_error_hint(err, "%s", hint);
    return status;
}

/* The end of the number that begins at `i`: digits, point, exponent. */
static int number_end(const char *text, int i)
{
    while (is_digit(text[i]))
        i++;
    if (text[i] == '.' && text[i + 1] != '.')
        for (i++; is_digit(text[i]);)
            i++;
    if (text[i] == 'e' || text[i] == 'E') {
        int digits = text[i + 1] == '+' || text[i + 1] == '-' ? i + 2 : i + 1;
        if (is_digit(text[digits]))
            for (i = digits; is_digit(text[i]);)
                i++;
    }
    return i;
}

static lv_status lex_number(lv_token *token, const lv_snippet *s, lv_error *err)
{
    int end = number_end(s->text, token->start);
    token->kind = LV_TOKEN_NUMBER;
    token->length = end - token->start;
    /* the syntax is valid by construction, so only memory can be missing */
    if (!lv_number_parse(s->text + token->start, (size_t)token->length, &token->number))
        return lv_fail_memory(err);
    if (!isfinite(token->number))
        return fail(err, s, token->start, token->length,
                    "this number is too large for double precision",
                    "the largest is about 1.8e308");
    if (is_letter(s->text[end]) || s->text[end] == '_')
        return fail(err, s, end, 1, "a number runs into a name",
                    "products need a sign: write 2*x, not 2x");
    return LV_OK;
}

/* Signs of two characters, and signs of other languages with a hint about what to write
 * here. */
static const struct pair {
    const char *text;
    char sign;        /* 0: not in the language */
    const char *hint; /* what to write instead, if sign is 0 */
} pairs[] = {
    {"<=", 'l', NULL},
    {">=", 'g', NULL},
    {"==", '=', NULL},
    {"!=", '!', NULL},
    {"**", 0, "powers are written with ^: x^2"},
    {"&&", 0, "nest conditions instead: if(a < b, if(c < d, x, y), y)"},
    {"||", 0, "nest conditions instead: if(a < b, x, if(c < d, x, y))"},
    {"=", 0,
     "a constraint is written as one side: \"x - y\" means x - y = 0; in conditions "
     "equality is =="},
    {"!", 0, "inequality is written !="},
    {"\"", 0, "the quotes belong around the whole formula"},
    {";", 0, "components are separated by commas"},
    {"_", 0, "a name begins with a letter"},
    {"..", 'r', NULL},
    {".", 0, "a member follows its name at once, and only a name has members: top.e1"},
    {"%", 0, "there is no remainder; nor percent: write 0.05 for 5 %"},
    {"\xE2\x80\xB2", 0, "velocities are written with a plain apostrophe: x'"},
    {"\xE2\x80\xB3", 0, "velocities are written with a plain apostrophe: x'"},
    {"\xE2\x80\x99", 0, "velocities are written with a plain apostrophe: x'"},
    {"\xC2\xB4", 0, "velocities are written with a plain apostrophe: x'"},
    {"`", 0, "velocities are written with a plain apostrophe: x'"},
    {"\xC2\xB7", 0, "products are written with *"},
    {"\xC3\x97", 0, "products are written with *; of vectors cross(u, v)"},
    {"\xC2\xB2", 0, "powers are written with ^: x^2"},
    {"\xE2\x88\x92", 0, "minus is the plain sign -"},
};

static lv_status lex_sign(lv_token *token, const lv_snippet *s, lv_error *err)
{
    const char *at = s->text + token->start;
    token->kind = LV_TOKEN_SIGN;
    token->length = 1;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        size_t n = strlen(pairs[i].text);
        if (strncmp(at, pairs[i].text, n) != 0)
            continue;
        token->sign = pairs[i].sign;
        token->length = (int)n;
        if (token->sign)
            return LV_OK;
        return fail(err, s, token->start, (int)n, "this sign has no meaning in a formula",
                    pairs[i].hint);
    }
    if (*at && strchr("+-*/^()[]{},'<>", *at)) {
        token->sign = *at;
        return LV_OK;
    }

    /* Extend the token to a whole UTF-8 character. */
    while (token->start + token->length < s->length &&
           ((unsigned char)at[token->length] & 0xC0) == 0x80)
        token->length++;
    return fail(
        err, s, token->start, token->length, "this character has no meaning in a formula",
        (unsigned char)*at >= 0x80
            ? "names are made of the letters a-z, A-Z, digits and _; products are "
              "written with *"
            : NULL);
}

lv_status lv_lex(lv_token *token, const lv_snippet *s, int from, lv_error *err)
{
    while (from < s->length && s->text[from] && strchr(" \t\r\n", s->text[from]))
        from++;
    *token = (lv_token){.kind = LV_TOKEN_END, .start = from};
    if (from >= s->length)
        return LV_OK;

    char c = s->text[from];
    if (is_digit(c) || (c == '.' && is_digit(s->text[from + 1])))
        return lex_number(token, s, err);
    if (!is_letter(c))
        return lex_sign(token, s, err);

    token->kind = LV_TOKEN_NAME;
    int end = from;
    while (is_letter(s->text[end]) || is_digit(s->text[end]) || s->text[end] == '_')
        end++;
    token->length = end - from;
    return LV_OK;
}
