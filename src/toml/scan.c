/* Characters, blanks and comments, and how to name them in messages. */
#include "toml/reader.h"

#include <stdio.h>
#include <string.h>

int lv_toml_byte(const lv_toml_reader *r, size_t ahead)
{
    return ahead < r->size - r->at ? (unsigned char)r->text[r->at + ahead] : LV_TOML_END;
}

size_t lv_toml_newline(const lv_toml_reader *r)
{
    int c = lv_toml_byte(r, 0);
    if (c == '\n')
        return 1;
    return c == '\r' && lv_toml_byte(r, 1) == '\n' ? 2 : 0;
}

bool lv_toml_is_digit(int c)
{
    return c >= '0' && c <= '9';
}

bool lv_toml_is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool lv_toml_is_bare(int c)
{
    return lv_toml_is_letter(c) || lv_toml_is_digit(c) || c == '_' || c == '-';
}

bool lv_toml_is_control(int c)
{
    return (c >= 0 && c < 32 && c != '\t') || c == 127;
}

void lv_toml_skip_blanks(lv_toml_reader *r)
{
    while (lv_toml_byte(r, 0) == ' ' || lv_toml_byte(r, 0) == '\t')
        r->at++;
}

lv_status lv_toml_skip_comment(lv_toml_reader *r)
{
    if (lv_toml_byte(r, 0) != '#')
        return LV_OK;
    while (lv_toml_byte(r, 0) != LV_TOML_END && lv_toml_newline(r) == 0) {
        if (lv_toml_is_control(lv_toml_byte(r, 0)))
            return LV_TOML_FAIL(r, r->at, 1, "found %s in a comment",
                                lv_toml_found(r).text);
        r->at++;
    }
    return LV_OK;
}

lv_status lv_toml_skip_lines(lv_toml_reader *r)
{
    for (;;) {
        lv_toml_skip_blanks(r);
        LV_TRY(lv_toml_skip_comment(r));
        size_t newline = lv_toml_newline(r);
        if (newline == 0)
            return LV_OK;
        r->at += newline;
    }
}

/* Bytes of the UTF-8 character at p, or 0 if it is not one. The range of the second byte
 * excludes overlong forms, surrogates and what lies beyond U+10FFFF. */
static size_t character_length(const char *p, size_t left)
{
    const unsigned char *b = (const unsigned char *)p;
    if (b[0] < 0x80)
        return 1;
    size_t n = b[0] >= 0xC2 && b[0] <= 0xDF   ? 2
               : b[0] >= 0xE0 && b[0] <= 0xEF ? 3
               : b[0] >= 0xF0 && b[0] <= 0xF4 ? 4
                                              : 0;
    if (n == 0 || n > left)
        return 0;

    unsigned low = b[0] == 0xE0 ? 0xA0 : b[0] == 0xF0 ? 0x90 : 0x80;
    unsigned high = b[0] == 0xED ? 0x9F : b[0] == 0xF4 ? 0x8F : 0xBF;
    if (b[1] < low || b[1] > high)
        return 0;
    for (size_t i = 2; i < n; i++)
        if ((b[i] & 0xC0) != 0x80)
            return 0;
    return n;
}

lv_status lv_toml_check_utf8(const lv_toml_reader *r)
{
    if (r->size >= 3 && memcmp(r->text, "\xEF\xBB\xBF", 3) == 0) {
        lv_status status =
            LV_TOML_FAIL(r, 0, 3, "the file begins with a byte order mark");
        lv_error_hint(r->err, "save it as UTF-8 without byte order mark (BOM)");
        return status;
    }
    size_t n = 0;
    for (size_t i = 0; i < r->size; i += n) {
        n = character_length(r->text + i, r->size - i);
        if (n == 0) {
            lv_status status = LV_TOML_FAIL(r, i, 1, "byte 0x%02X is not valid UTF-8",
                                            (unsigned)(unsigned char)r->text[i]);
            lv_error_hint(r->err, "save the file as UTF-8");
            return status;
        }
    }
    return LV_OK;
}

lv_toml_shown lv_toml_show(const lv_toml_reader *r, size_t offset, size_t length)
{
    lv_toml_shown shown = {""};
    const size_t room = sizeof shown.text - 6; /* for "...", two quotes and NUL */
    bool cut = length > room;
    if (cut) {
        length = room;
        while (length > 0 && ((unsigned char)r->text[offset + length] & 0xC0) == 0x80)
            length--;
    }
    for (size_t i = 0; i < length; i++) {
        char c = r->text[offset + i];
        shown.text[i] = (unsigned char)c < 32 || c == 127 ? ' ' : c;
    }
    if (cut)
        memcpy(shown.text + length, "...", 3);
    return shown;
}

lv_toml_shown lv_toml_show_key(const lv_toml_reader *r, const lv_toml_key *key)
{
    lv_toml_shown raw = lv_toml_show(r, key->place.offset, key->place.length);
    if (raw.text[0] == '"' || raw.text[0] == '\'')
        return raw;
    lv_toml_shown shown = {"'"};
    size_t n = strlen(raw.text);
    memcpy(shown.text + 1, raw.text, n);
    shown.text[n + 1] = '\'';
    return shown;
}

lv_toml_shown lv_toml_found(const lv_toml_reader *r)
{
    lv_toml_shown shown = {""};
    int c = lv_toml_byte(r, 0);
    if (c == LV_TOML_END)
        snprintf(shown.text, sizeof shown.text, "the end of the file");
    else if (lv_toml_newline(r) > 0)
        snprintf(shown.text, sizeof shown.text, "the end of the line");
    else if (c == '\r')
        snprintf(shown.text, sizeof shown.text, "a carriage return without line feed");
    else if (c == '\t')
        snprintf(shown.text, sizeof shown.text, "a tab");
    else if (lv_toml_is_control(c))
        snprintf(shown.text, sizeof shown.text, "control character 0x%02X", (unsigned)c);
    else
        snprintf(shown.text, sizeof shown.text, "'%.*s'",
                 (int)character_length(r->text + r->at, r->size - r->at),
                 r->text + r->at);
    return shown;
}

int lv_toml_line(const lv_toml_reader *r, size_t offset)
{
    int line = 0, column = 0;
    lv_source_position(r->source, offset, &line, &column);
    return line;
}
