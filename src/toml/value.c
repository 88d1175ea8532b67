/* Scalars of all kinds, and what to say about text that should have been in quotes. */
#include "toml/reader.h"

#include <string.h>

static bool word_is(const lv_toml_reader *r, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(r->text + r->at, word, length) == 0;
}

/* The end of what looks like one value: to the comment or the end of the line, and inside
 * of arrays and inline tables to a comma or closing bracket that is not inside of
 * parentheses. */
static size_t phrase_end(const lv_toml_reader *r, size_t offset)
{
    int parentheses = 0;
    size_t i = offset;
    for (; i < r->size && !strchr("#\r\n", r->text[i]); i++) {
        char c = r->text[i];
        if (r->open_count > 0 && parentheses == 0 && strchr(",]}", c))
            break;
        parentheses += c == '(' ? 1 : c == ')' && parentheses > 0 ? -1 : 0;
    }
    while (i > offset && (r->text[i - 1] == ' ' || r->text[i - 1] == '\t'))
        i--;
    return i;
}

static bool contains(const char *text, size_t length, const char *any)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] != '\0' && strchr(any, text[i]))
            return true;
    return false;
}

static bool same_letters(const char *text, size_t length, const char *word)
{
    if (strlen(word) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if ((text[i] | 0x20) != word[i])
            return false;
    return true;
}

static bool looks_like_formula(const char *text, size_t length)
{
    if (contains(text, length, "*/^()+=<>|") || text[0] == '-')
        return true;
    for (size_t i = 0; i + 1 < length; i++)
        if (text[i] == '-' && text[i + 1] == ' ') /* a - b, but not a-b */
            return true;
    return false;
}

static const char *word_advice(const char *text, size_t length)
{
    if (same_letters(text, length, "true") || same_letters(text, length, "false"))
        return "true and false are written in small letters";
    if (same_letters(text, length, "inf") || same_letters(text, length, "nan") ||
        same_letters(text, length, "infinity"))
        return "infinity and not-a-number are written inf and nan";
    if (same_letters(text, length, "null") || same_letters(text, length, "nil") ||
        same_letters(text, length, "none"))
        return "there is no empty value: leave the key out";
    return NULL;
}

lv_status lv_toml_fail_unquoted(lv_toml_reader *r, size_t offset)
{
    size_t length = phrase_end(r, offset) - offset;
    const char *text = r->text + offset;
    lv_toml_shown shown = lv_toml_show(r, offset, length);
    lv_status status = LV_TOML_FAIL(r, offset, length, "'%s' is not a value", shown.text);

    const char *advice = word_advice(text, length);
    if (advice) {
        lv_error_hint(r->err, "%s", advice);
        return status;
    }
    advice = looks_like_formula(text, length)
                 ? "formulas are strings: write them in quotes"
                 : "strings need quotes";
    const char *quote = contains(text, length, "\"\\") ? "'" : "\"";
    bool whole = strlen(shown.text) == length;
    if (whole && !contains(text, length, quote))
        lv_error_hint(r->err, "%s: %s%s%s", advice, quote, shown.text, quote);
    else
        lv_error_hint(r->err, "%s", advice);
    return status;
}

static lv_status fail_value(lv_toml_reader *r)
{
    int c = lv_toml_byte(r, 0);
    if (c >= 0x80 || (c > 0 && strchr("(|\\/*~$@&!", c)))
        return lv_toml_fail_unquoted(r, r->at);
    lv_status status =
        LV_TOML_FAIL(r, r->at, 1, "found %s, expected a value", lv_toml_found(r).text);
    if (c == '=')
        lv_error_hint(r->err, "one '=' stands between a key and its value");
    return status;
}

static lv_status read_word(lv_toml_reader *r, lv_toml *node)
{
    size_t length = lv_toml_word_length(r);
    if (word_is(r, length, "inf") || word_is(r, length, "nan"))
        return lv_toml_read_number(r, node);
    bool yes = word_is(r, length, "true");
    if (!yes && !word_is(r, length, "false"))
        return lv_toml_fail_unquoted(r, r->at);
    node->kind = LV_TOML_BOOLEAN;
    node->boolean = yes;
    r->at += length;
    return LV_OK;
}

lv_status lv_toml_read_scalar(lv_toml_reader *r, lv_toml *node)
{
    int c = lv_toml_byte(r, 0);
    if (c == '"' || c == '\'') {
        node->kind = LV_TOML_STRING;
        return lv_toml_read_string(r, &node->string);
    }
    if (lv_toml_at_datetime(r))
        return lv_toml_read_datetime(r, node);
    if (lv_toml_is_digit(c) || c == '+' || c == '-' || c == '.')
        return lv_toml_read_number(r, node);
    if (lv_toml_is_letter(c) || c == '_')
        return read_word(r, node);
    return fail_value(r);
}
