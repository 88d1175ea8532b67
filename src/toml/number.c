/* Integers (decimal, 0x, 0o, 0b) and floats, with underscores between digits. */
#include "toml/reader.h"

#include "base/text.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* A word of the source, read from left to right. */
typedef struct word {
    const char *text;
    size_t length;
    size_t at;
} word;

size_t lv_toml_word_length(const lv_toml_reader *r)
{
    size_t n = 0;
    for (int c = lv_toml_byte(r, 0);
         lv_toml_is_bare(c) || c == '+' || c == '.' || c == ':'; c = lv_toml_byte(r, n))
        n++;
    return n;
}

static int peek(const word *w)
{
    return w->at < w->length ? (unsigned char)w->text[w->at] : LV_TOML_END;
}

static bool accept(word *w, const char *any)
{
    int c = peek(w);
    if (c == LV_TOML_END || c == 0 || !strchr(any, c))
        return false;
    w->at++;
    return true;
}

/* digit (_? digit)* out of the given digits */
static bool accept_digits(word *w, const char *digits)
{
    if (!accept(w, digits))
        return false;
    for (;;) {
        size_t before = w->at;
        accept(w, "_");
        if (!accept(w, digits)) {
            w->at = before;
            return true;
        }
    }
}

static const char decimal[] = "0123456789";

/* The digits before the point: one zero, or digits that do not begin with zero. */
static bool accept_whole(word *w)
{
    return accept(w, "0") || accept_digits(w, decimal);
}

/* [+-] whole [. digits] [e [+-] digits]; *is_float tells whether there is more than the
 * whole part. */
static bool accept_decimal(word *w, bool *is_float)
{
    accept(w, "+-");
    if (!accept_whole(w))
        return false;
    size_t whole = w->at;
    if (accept(w, ".") && !accept_digits(w, decimal))
        return false;
    if (accept(w, "eE")) {
        accept(w, "+-");
        if (!accept_digits(w, decimal))
            return false;
    }
    *is_float = w->at > whole;
    return w->at == w->length;
}

static int digit_value(char c)
{
    if (lv_toml_is_digit(c))
        return c - '0';
    return (c >= 'a' && c <= 'f') ? c - 'a' + 10 : c - 'A' + 10;
}

static lv_status read_integer(lv_toml_reader *r, lv_toml *node, const word *w, int base)
{
    bool negative = w->text[0] == '-';
    size_t i = base != 10 ? 2 : negative || w->text[0] == '+' ? 1 : 0;
    const unsigned long long most = (unsigned long long)LLONG_MAX + negative;
    unsigned long long value = 0;
    for (; i < w->length; i++) {
        if (w->text[i] == '_')
            continue;
        unsigned long long d = (unsigned long long)digit_value(w->text[i]);
        if (value > (most - d) / (unsigned long long)base) {
            lv_status status = LV_TOML_FAIL(r, r->at, w->length,
                                            "'%s' does not fit into a 64-bit integer",
                                            lv_toml_show(r, r->at, w->length).text);
            if (base == 10)
                lv_error_hint(r->err,
                              "with a decimal point it is a floating-point number");
            return status;
        }
        value = value * (unsigned long long)base + d;
    }
    node->kind = LV_TOML_INTEGER;
    /* -value without leaving the range when value is 2^63 */
    node->integer =
        negative && value > 0 ? -(long long)(value - 1) - 1 : (long long)value;
    r->at += w->length;
    return LV_OK;
}

static lv_status read_float(lv_toml_reader *r, lv_toml *node, const word *w)
{
    const char *digits = w->text;
    size_t n = w->length;
    if (memchr(w->text, '_', w->length)) {
        char *copy = lv_arena_alloc(r->arena, w->length, 1);
        if (!copy)
            return lv_fail_memory(r->err);
        n = 0;
        for (size_t i = 0; i < w->length; i++)
            if (w->text[i] != '_')
                copy[n++] = w->text[i];
        digits = copy;
    }
    /* The syntax is checked already; only the buffer for very many digits can fail. */
    if (!lv_number_parse(digits, n, &node->number))
        return lv_fail_memory(r->err);
    node->kind = LV_TOML_FLOAT;
    r->at += w->length;
    return LV_OK;
}

/* [+-]inf and [+-]nan */
static bool read_special(lv_toml_reader *r, lv_toml *node, const word *w)
{
    size_t sign = w->text[0] == '+' || w->text[0] == '-';
    if (w->length != sign + 3)
        return false;
    bool infinite = memcmp(w->text + sign, "inf", 3) == 0;
    if (!infinite && memcmp(w->text + sign, "nan", 3) != 0)
        return false;
    double value = infinite ? (double)INFINITY : (double)NAN;
    node->number = w->text[0] == '-' ? -value : value;
    node->kind = LV_TOML_FLOAT;
    r->at += w->length;
    return true;
}

/* Why a word of digits, underscores, points and exponents is not a number. */
static const char *number_advice(const char *text, size_t n)
{
    bool sign = text[0] == '+' || text[0] == '-';
    const char *digits = text + sign;
    size_t left = n - sign;
    if (left > 1 && digits[0] == '0' && strchr("xob", digits[1]))
        return sign ? "hexadecimal, octal and binary numbers have no sign"
                    : "0x is followed by hexadecimal digits, 0o by octal, 0b by binary "
                      "ones, with single underscores between digits";
    if (left > 1 && digits[0] == '0' && strchr("XOB", digits[1]))
        return "0x, 0o and 0b are written in small letters";
    if (left > 1 && digits[0] == '0' &&
        (lv_toml_is_digit((unsigned char)digits[1]) || digits[1] == '_'))
        return "numbers do not begin with zeros";
    if (memchr(text, '_', n))
        return "an underscore in a number stands between two digits";
    if (memchr(text, '.', n))
        return "the decimal point stands between two digits";
    if (strchr("eE+-", text[n - 1]))
        return "digits are missing at the end";
    return "formulas are strings: write them in quotes";
}

/* Whether a word consists only of digits and related characters, so that a number was
 * meant. */
static bool is_numeric(const char *text, size_t n)
{
    size_t i = text[0] == '+' || text[0] == '-';
    const char *allowed = "0123456789_.+-eE";
    if (n > i + 1 && text[i] == '0' && strchr("xobXOB", text[i + 1])) {
        allowed = "0123456789abcdefABCDEF_";
        i += 2;
    }
    for (; i < n; i++)
        if (!strchr(allowed, text[i]))
            return false;
    return n > 0;
}

/* Whether a word is a sum or difference of numbers: a sign with a number on either side
 * that belongs to no exponent. */
static bool is_sum(const char *text, size_t n)
{
    for (size_t i = 1; i + 1 < n; i++)
        if (strchr("+-", text[i]) && !strchr("eE+-", text[i - 1]) &&
            (lv_toml_is_digit((unsigned char)text[i + 1]) || text[i + 1] == '.'))
            return true;
    return false;
}

static lv_status fail_number(lv_toml_reader *r, const word *w)
{
    int next = lv_toml_byte(r, w->length);
    if (!is_numeric(w->text, w->length) || (next > 0 && strchr("(*/^", next)))
        return lv_toml_fail_unquoted(r, r->at);
    lv_status status = LV_TOML_FAIL(r, r->at, w->length, "'%s' is not a number",
                                    lv_toml_show(r, r->at, w->length).text);
    if (is_sum(w->text, w->length))
        lv_error_hint(r->err, "formulas are strings: write them in quotes: \"%s\"",
                      lv_toml_show(r, r->at, w->length).text);
    else
        lv_error_hint(r->err, "%s", number_advice(w->text, w->length));
    return status;
}

/* The base of a number with a prefix if all its digits are valid; 0 if there is no
 * prefix. */
static int prefixed_base(word *w)
{
    static const struct {
        const char *prefix, *digits;
        int base;
    } forms[] = {
        {"0x", "0123456789abcdefABCDEF", 16}, {"0o", "01234567", 8}, {"0b", "01", 2}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (w->length < 3 || memcmp(w->text, forms[i].prefix, 2) != 0)
            continue;
        w->at = 2;
        if (accept_digits(w, forms[i].digits) && w->at == w->length)
            return forms[i].base;
    }
    w->at = 0;
    return 0;
}

lv_status lv_toml_read_number(lv_toml_reader *r, lv_toml *node)
{
    word w = {.text = r->text + r->at, .length = lv_toml_word_length(r)};
    if (read_special(r, node, &w))
        return LV_OK;
    int base = prefixed_base(&w);
    if (base != 0)
        return read_integer(r, node, &w, base);
    bool is_float = false;
    if (!accept_decimal(&w, &is_float))
        return fail_number(r, &w);
    return is_float ? read_float(r, node, &w) : read_integer(r, node, &w, 10);
}
