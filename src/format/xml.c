#include "format/xml.h"

#include <stdio.h>
#include <string.h>

typedef struct reader {
    const lv_source *source;
    size_t at;
    lv_arena *arena;
    lv_error *err;
    lv_xml *root, *open; /* open: the innermost element that is being read */
} reader;

#define FAIL(r, offset, length, ...)                                                     \
    lv_fail_at((r)->err, LV_ERR_SYNTAX, (r)->source, offset, length, __VA_ARGS__)

/* ---- characters --------------------------------------------------------------------------------------- */

/* The byte at this distance ahead; -1 beyond the end. */
static int byte(const reader *r, size_t ahead)
{
    return ahead < r->source->size - r->at ? (unsigned char)r->source->text[r->at + ahead]
                                           : -1;
}

static bool is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Whether a name may contain this character: those of ASCII that XML allows, and
 * everything beyond ASCII. */
static bool is_name(int c, bool first)
{
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
                        c == ':' || c >= 0x80;
    return letter || (!first && ((c >= '0' && c <= '9') || c == '-' || c == '.'));
}

static void skip_blanks(reader *r)
{
    while (is_blank(byte(r, 0)))
        r->at++;
}

static bool follows(const reader *r, const char *text)
{
    const size_t n = strlen(text);
    return r->source->size - r->at >= n && memcmp(r->source->text + r->at, text, n) == 0;
}

/* Names what was found: "'x'", "the end of the file", "a character that XML does not
 * allow". */
static const char *found(const reader *r, char buffer[8])
{
    const int c = byte(r, 0);
    if (c < 0)
        return "the end of the file";
    if (c == '\n' || c == '\r')
        return "the end of the line";
    if (c < 0x20 || c >= 0x7f)
        return "another character";
    (void)snprintf(buffer, 8, "'%c'", c);
    return buffer;
}

static lv_status expected(reader *r, const char *what)
{
    char buffer[8];
    return FAIL(r, r->at, 1, "found %s, expected %s", found(r, buffer), what);
}

/* Skips everything up to and including the text `end`. */
static lv_status skip_past(reader *r, const char *end, size_t begin, const char *what)
{
    const char *text = r->source->text;
    const size_t n = strlen(end);
    for (; r->source->size - r->at >= n; r->at++)
        if (memcmp(text + r->at, end, n) == 0) {
            r->at += n;
            return LV_OK;
        }
    return FAIL(r, begin, 1, "%s that does not end", what);
}

static lv_status read_name(reader *r, const char **name, lv_place *place,
                           const char *what)
{
    const size_t begin = r->at;
    if (!is_name(byte(r, 0), true))
        return expected(r, what);
    while (is_name(byte(r, 0), false))
        r->at++;
    *place = (lv_place){r->source, begin, r->at - begin};
    *name = lv_arena_text(r->arena, r->source->text + begin, r->at - begin);
    return *name ? LV_OK : lv_fail_memory(r->err);
}

/* ---- values of attributes ----------------------------------------------------------------------------- */

static size_t put_utf8(char *to, unsigned code)
{
    const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char heads[] = {0, 0xc0, 0xe0, 0xf0};
    to[0] = (char)(heads[more] | code >> 6 * more);
    for (int k = 1; k <= more; k++)
        to[k] = (char)(0x80 | (code >> 6 * (more - k) & 0x3f));
    return (size_t)more + 1;
}

/* The code of a character reference "#65;" or "#x41;"; 0: it is not one. */
static unsigned read_code(const char *text, size_t length)
{
    const bool hex = length > 1 && text[1] == 'x';
    unsigned code = 0;
    size_t k = hex ? 2 : 1;
    if (k >= length)
        return 0;
    for (; k < length; k++) {
        const char c = text[k];
        const unsigned digit = c >= '0' && c <= '9'          ? (unsigned)(c - '0')
                               : hex && c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                               : hex && c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                                             : 16;
        if (digit > 15 || (!hex && digit > 9) || code > 0x110000)
            return 0;
        code = code * (hex ? 16 : 10) + digit;
    }
    const bool sound = code >= 0x20 || code == 9 || code == 10 || code == 13;
    return sound && code < 0x110000 && (code < 0xd800 || code > 0xdfff) ? code : 0;
}

/* Replaces an entity such as "&lt;" by its character. The result is never longer than the
 * source. */
static lv_status read_entity(reader *r, char *to, size_t *used)
{
    static const struct {
        const char *name;
        char value;
    } entities[] = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    const size_t begin = r->at++;
    const char *text = r->source->text + r->at;
    size_t length = 0;
    while (byte(r, length) > ' ' && byte(r, length) != ';' && length < 16)
        length++;
    const bool ends = byte(r, length) == ';';
    r->at += length + 1;
    if (ends && length > 1 && text[0] == '#') {
        const unsigned code = read_code(text, length);
        if (code == 0)
            return FAIL(r, begin, length + 2, "no character has this number");
        *used += put_utf8(to + *used, code);
        return LV_OK;
    }
    for (size_t k = 0; ends && k < sizeof entities / sizeof *entities; k++)
        if (strlen(entities[k].name) == length &&
            memcmp(entities[k].name, text, length) == 0) {
            to[(*used)++] = entities[k].value;
            return LV_OK;
        }
    const lv_status status = FAIL(r, begin, ends ? length + 2 : 1,
                                  ends ? "unknown entity" : "'&' without a ';'");
    lv_error_hint(r->err,
                  "&amp; is written for &; documents cannot declare entities here");
    return status;
}

static lv_status read_value(reader *r, lv_xml_attribute *a)
{
    const int quote = byte(r, 0);
    const size_t begin = r->at;
    if (quote != '"' && quote != '\'')
        return expected(r, "a value in quotes");
    const char *end =
        memchr(r->source->text + begin + 1, quote, r->source->size - begin - 1);
    if (!end)
        return FAIL(r, begin, 1, "the value of '%s' does not end", a->name);
    const size_t stop = (size_t)(end - r->source->text);
    char *value = lv_arena_alloc(r->arena, stop - begin, 1);
    size_t used = 0;
    if (!value)
        return lv_fail_memory(r->err);
    r->at++;
    while (r->at < stop) {
        const int c = byte(r, 0);
        if (c == '&') {
            LV_TRY(read_entity(r, value, &used));
        } else if (c == '<' || (c < 0x20 && !is_blank(c))) {
            return expected(r, "the end of the value");
        } else {
            value[used++] = is_blank(c) ? ' ' : (char)c;
            r->at++;
        }
    }
    if (r->at != stop)
        return FAIL(r, begin, 1, "the value of '%s' does not end", a->name);
    r->at++;
    a->value = value;
    a->place = (lv_place){r->source, begin, r->at - begin};
    return LV_OK;
}

/* ---- elements ------------------------------------------------------------------------------------------ */

static lv_status read_attribute(reader *r, lv_xml *element)
{
    lv_xml_attribute *a = lv_arena_alloc(r->arena, 1, sizeof *a);
    if (!a)
        return lv_fail_memory(r->err);
    LV_TRY(read_name(r, &a->name, &a->name_place, "an attribute, '>' or '/>'"));
    if (lv_xml_find(element, a->name))
        return FAIL(r, a->name_place.offset, a->name_place.length,
                    "<%s> has the attribute '%s' twice", element->name, a->name);
    if (++element->attribute_count > LV_XML_MOST_ATTRIBUTES)
        return lv_fail_at(r->err, LV_ERR_LIMIT, LV_AT(a->name_place),
                          "<%s> has more than %d attributes", element->name,
                          LV_XML_MOST_ATTRIBUTES);
    skip_blanks(r);
    if (byte(r, 0) != '=')
        return expected(r, "'='");
    r->at++;
    skip_blanks(r);
    LV_TRY(read_value(r, a));
    if (element->last_attribute)
        element->last_attribute->next = a;
    else
        element->attributes = a;
    element->last_attribute = a;
    return LV_OK;
}

static lv_status add_element(reader *r, lv_xml *e)
{
    lv_xml *parent = r->open;
    e->parent = parent;
    if (!parent) {
        if (r->root)
            return FAIL(r, e->place.offset, e->place.length,
                        "a document has one outermost element, <%s>", r->root->name);
        r->root = e;
        return LV_OK;
    }
    e->depth = parent->depth + 1;
    if (e->depth > LV_XML_MOST_DEPTH)
        return lv_fail_at(r->err, LV_ERR_LIMIT, LV_AT(e->place),
                          "elements are nested more than %d deep", LV_XML_MOST_DEPTH);
    if (parent->last)
        parent->last->next = e;
    else
        parent->first = e;
    parent->last = e;
    return LV_OK;
}

static lv_status read_opening(reader *r)
{
    lv_xml *e = lv_arena_alloc(r->arena, 1, sizeof *e);
    if (!e)
        return lv_fail_memory(r->err);
    r->at++;
    LV_TRY(read_name(r, &e->name, &e->place, "the name of an element"));
    LV_TRY(add_element(r, e));
    for (;;) {
        const bool apart = is_blank(byte(r, 0));
        skip_blanks(r);
        if (follows(r, "/>")) {
            r->at += 2;
            return LV_OK;
        }
        if (byte(r, 0) == '>') {
            r->at++;
            r->open = e;
            return LV_OK;
        }
        if (!apart)
            return expected(r, "a blank, '>' or '/>'");
        LV_TRY(read_attribute(r, e));
    }
}

static lv_status read_closing(reader *r)
{
    const char *name;
    lv_place place;
    r->at += 2;
    LV_TRY(read_name(r, &name, &place, "the name of an element"));
    if (!r->open)
        return FAIL(r, place.offset, place.length, "</%s> closes nothing", name);
    if (strcmp(name, r->open->name) != 0) {
        int line, column;
        const lv_status status =
            FAIL(r, place.offset, place.length, "</%s> where </%s> is expected", name,
                 r->open->name);
        lv_source_position(r->source, r->open->place.offset, &line, &column);
        lv_error_note(r->err, "<%s> opens at line %d", r->open->name, line);
        return status;
    }
    skip_blanks(r);
    if (byte(r, 0) != '>')
        return expected(r, "'>'");
    r->at++;
    r->open = r->open->parent;
    return LV_OK;
}

/* Skips a document type declaration, unless it has declarations inside. */
static lv_status skip_doctype(reader *r)
{
    const size_t begin = r->at;
    while (byte(r, 0) >= 0 && byte(r, 0) != '>') {
        if (byte(r, 0) == '[') {
            const lv_status status =
                FAIL(r, r->at, 1, "declarations inside of a document are not read");
            lv_error_hint(r->err, "leave <!DOCTYPE ... [...]> out");
            return status;
        }
        r->at++;
    }
    return skip_past(r, ">", begin, "a document type");
}

static lv_status read_markup(reader *r)
{
    const size_t begin = r->at;
    if (follows(r, "<!--")) {
        r->at += 4;
        return skip_past(r, "-->", begin, "a comment");
    }
    if (follows(r, "<?"))
        return skip_past(r, "?>", begin, "a processing instruction");
    if (follows(r, "<![CDATA["))
        return r->open ? skip_past(r, "]]>", begin, "a section of characters")
                       : expected(r, "an element");
    if (follows(r, "<!DOCTYPE"))
        return skip_doctype(r);
    return follows(r, "</") ? read_closing(r) : read_opening(r);
}

static lv_status read_document(reader *r)
{
    if (follows(r, "\xef\xbb\xbf"))
        r->at += 3;
    while (r->at < r->source->size) {
        const int c = byte(r, 0);
        if (c == '<')
            LV_TRY(read_markup(r));
        else if (!is_blank(c) && (!r->open || c == 0))
            return expected(r, "an element");
        else
            r->at++;
    }
    if (r->open)
        return FAIL(r, r->open->place.offset, r->open->place.length, "<%s> is not closed",
                    r->open->name);
    if (!r->root)
        return lv_fail_at(r->err, LV_ERR_SYNTAX, r->source, 0, 1,
                          "there is no element: the file is empty");
    return LV_OK;
}

lv_status lv_xml_read(lv_xml **root, lv_arena *arena, const lv_source *source,
                      lv_error *err)
{
    reader r = {.source = source, .arena = arena, .err = err};
    *root = NULL;
    if (source->size > LV_XML_MOST_BYTES)
        return lv_fail(err, LV_ERR_LIMIT, "'%s' is larger than %d MB", source->name,
                       LV_XML_MOST_BYTES >> 20);
    LV_TRY(read_document(&r));
    *root = r.root;
    return LV_OK;
}

static lv_xml *called(lv_xml *e, const char *name)
{
    while (e && strcmp(e->name, name) != 0)
        e = e->next;
    return e;
}

lv_xml *lv_xml_child(const lv_xml *element, const char *name)
{
    return called(element->first, name);
}

lv_xml *lv_xml_again(const lv_xml *element)
{
    return called(element->next, element->name);
}

lv_xml_attribute *lv_xml_find(const lv_xml *element, const char *name)
{
    lv_xml_attribute *a = element->attributes;
    while (a && strcmp(a->name, name) != 0)
        a = a->next;
    return a;
}
