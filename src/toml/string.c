/* Strings: basic "...", literal '...', and both in triple quotes over several lines.
 *
 * A first walk over the content checks it and measures its decoded length. Most strings
 * decode to themselves and are copied; only those with escapes or CR LF are walked again,
 * now writing each byte and the place it came from. */
#include "toml/reader.h"

#include <string.h>

typedef struct content {
    int quote;      /* '"' or '\'' */
    bool lines;     /* in triple quotes */
    size_t opening; /* offset of the opening quotes */
    size_t begin, end;
    int length; /* decoded length so far */
    char *text; /* NULL while measuring */
    size_t *offsets;
} content;

static void put_byte(content *s, char c, size_t offset)
{
    if (s->text) {
        s->text[s->length] = c;
        s->offsets[s->length] = offset;
    }
    s->length++;
}

static void put_character(content *s, unsigned long code, size_t offset)
{
    if (code < 0x80) {
        put_byte(s, (char)code, offset);
        return;
    }
    int shift = code < 0x800 ? 6 : code < 0x10000 ? 12 : 18;
    unsigned long lead = code < 0x800 ? 0xC0 : code < 0x10000 ? 0xE0 : 0xF0;
    put_byte(s, (char)(unsigned char)(lead | code >> shift), offset);
    for (shift -= 6; shift >= 0; shift -= 6)
        put_byte(s, (char)(unsigned char)(0x80 | (code >> shift & 0x3F)), offset);
}

static int hex_digit(int c)
{
    if (lv_toml_is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* \uXXXX and \UXXXXXXXX */
static lv_status walk_code(lv_toml_reader *r, content *s, size_t digits)
{
    unsigned long code = 0;
    for (size_t i = 0; i < digits; i++) {
        int d = hex_digit(lv_toml_byte(r, 2 + i));
        if (d < 0)
            return LV_TOML_FAIL(r, r->at, 2 + i, "'\\%c' needs %d hexadecimal digits",
                                lv_toml_byte(r, 1), (int)digits);
        code = code << 4 | (unsigned long)d;
    }
    if ((code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF)
        return LV_TOML_FAIL(r, r->at, 2 + digits, "'%s' is not a Unicode character",
                            lv_toml_show(r, r->at, 2 + digits).text);
    put_character(s, code, r->at);
    r->at += 2 + digits;
    return LV_OK;
}

static lv_status fail_escape(lv_toml_reader *r)
{
    size_t begin = r->at++;
    lv_status status = LV_TOML_FAIL(
        r, begin, 2, "found %s after a backslash, expected one of b t n f r \" \\ u U",
        lv_toml_found(r).text);
    lv_error_hint(r->err,
                  "write \\\\ for a backslash, or put the string in single quotes, "
                  "where backslashes stand for themselves");
    return status;
}

/* A backslash at the end of a line skips all white space up to the next character. */
static lv_status walk_line_end(lv_toml_reader *r)
{
    size_t backslash = r->at++;
    lv_toml_skip_blanks(r);
    if (lv_toml_newline(r) == 0 && lv_toml_byte(r, 0) != LV_TOML_END) {
        r->at = backslash;
        return fail_escape(r);
    }
    for (size_t n = lv_toml_newline(r); n > 0; n = lv_toml_newline(r)) {
        r->at += n;
        lv_toml_skip_blanks(r);
    }
    return LV_OK;
}

static lv_status walk_escape(lv_toml_reader *r, content *s)
{
    static const char letters[] = "btnfr\"\\", meanings[] = "\b\t\n\f\r\"\\";
    int c = lv_toml_byte(r, 1);
    if (c == 'u' || c == 'U')
        return walk_code(r, s, c == 'u' ? 4 : 8);
    if (s->lines && (c == ' ' || c == '\t' || c == '\r' || c == '\n'))
        return walk_line_end(r);

    const char *letter = c > 0 ? strchr(letters, c) : NULL;
    if (!letter)
        return fail_escape(r);
    put_byte(s, meanings[letter - letters], r->at);
    r->at += 2;
    return LV_OK;
}

static lv_status fail_unclosed(lv_toml_reader *r, const content *s)
{
    if (s->lines)
        return LV_TOML_FAIL(r, s->opening, 3,
                            "this string is not closed: found the end of the file, "
                            "expected %s",
                            s->quote == '"' ? "\"\"\"" : "'''");
    lv_status status = LV_TOML_FAIL(r, s->opening, r->at - s->opening,
                                    "this string is not closed: found %s, expected %c",
                                    lv_toml_found(r).text, s->quote);
    lv_error_hint(r->err, "a string over several lines stands in three quotes: %s",
                  s->quote == '"' ? "\"\"\"" : "'''");
    return status;
}

/* Counts quotes from here on, five at most, as no more can close a string. */
static size_t count_quotes(const lv_toml_reader *r, int quote)
{
    size_t n = 0;
    while (n < 5 && lv_toml_byte(r, n) == quote)
        n++;
    return n;
}

/* Whether the closing quotes are here. If there are four or five, the first ones belong
 * to the content. */
static bool walk_closing(lv_toml_reader *r, content *s)
{
    size_t closing = s->lines ? 3 : 1;
    if (lv_toml_byte(r, 0) != s->quote || (s->lines && count_quotes(r, s->quote) < 3))
        return false;
    if (s->lines)
        for (size_t extra = count_quotes(r, s->quote) - closing; extra > 0; extra--)
            put_byte(s, (char)s->quote, r->at++);
    s->end = r->at;
    if (s->text)
        s->offsets[s->length] = r->at;
    r->at += closing;
    return true;
}

static lv_status walk_content(lv_toml_reader *r, content *s)
{
    r->at = s->begin;
    s->length = 0;
    while (!walk_closing(r, s)) {
        int c = lv_toml_byte(r, 0);
        size_t newline = lv_toml_newline(r);
        if (c == LV_TOML_END || (newline > 0 && !s->lines))
            return fail_unclosed(r, s);
        if (c == '\\' && s->quote == '"') {
            LV_TRY(walk_escape(r, s));
        } else if (newline > 0) {
            put_byte(s, '\n', r->at);
            r->at += newline;
        } else if (lv_toml_is_control(c)) {
            return LV_TOML_FAIL(r, r->at, 1, "found %s in a string",
                                lv_toml_found(r).text);
        } else {
            put_byte(s, (char)(unsigned char)c, r->at++);
        }
    }
    return LV_OK;
}

/* Stores the measured content as a snippet: copied if it decodes to itself, else
 * decoded. */
static lv_status store_string(lv_toml_reader *r, lv_snippet *string, content *s)
{
    *string = (lv_snippet){.length = s->length, .source = r->source, .start = s->begin};
    if ((size_t)s->length == s->end - s->begin) {
        string->text = lv_arena_text(r->arena, r->text + s->begin, (size_t)s->length);
        return string->text ? LV_OK : lv_fail_memory(r->err);
    }
    size_t room = (size_t)s->length + 1;
    s->text = lv_arena_alloc(r->arena, room, 1);
    s->offsets = lv_arena_alloc(r->arena, room, sizeof *s->offsets);
    if (!s->text || !s->offsets)
        return lv_fail_memory(r->err);
    LV_TRY(walk_content(r, s));
    string->text = s->text;
    string->offsets = s->offsets;
    return LV_OK;
}

lv_status lv_toml_read_line_string(lv_toml_reader *r, lv_snippet *string)
{
    content s = {.quote = lv_toml_byte(r, 0), .opening = r->at, .begin = r->at + 1};
    LV_TRY(walk_content(r, &s));
    return store_string(r, string, &s);
}

lv_status lv_toml_read_string(lv_toml_reader *r, lv_snippet *string)
{
    content s = {.quote = lv_toml_byte(r, 0), .lines = true, .opening = r->at};
    if (count_quotes(r, s.quote) < 3)
        return lv_toml_read_line_string(r, string);
    r->at += 3;
    s.begin = r->at + lv_toml_newline(r); /* the first line break does not count */
    LV_TRY(walk_content(r, &s));
    return store_string(r, string, &s);
}
