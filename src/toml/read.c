/* Statements - headers and key = value lines - and the arrays and inline tables in them.
 *
 * Arrays and inline tables that are still open stand on a stack of the reader's, so that
 * no input makes the C stack grow. */
#include "toml/reader.h"

#include <string.h>

static lv_status fail_key(lv_toml_reader *r, const char *expected)
{
    int c = lv_toml_byte(r, 0);
    lv_status status = LV_TOML_FAIL(r, r->at, 1, "found %s, expected %s",
                                    lv_toml_found(r).text, expected);
    if (c >= 0x80 || (c > 0 && strchr("$@&!?/*+<>:%", c)))
        lv_error_hint(r->err,
                      "keys of other characters than A-Z a-z 0-9 _ - need quotes");
    return status;
}

/* Reads one part of a key: bare, or in quotes. Its text may lie in the source. */
static lv_status read_key(lv_toml_reader *r, lv_toml_key *key, const char *expected)
{
    size_t begin = r->at;
    int c = lv_toml_byte(r, 0);
    if (c == '"' || c == '\'') {
        lv_snippet string;
        LV_TRY(lv_toml_read_line_string(r, &string));
        key->text = string.text;
        key->length = string.length;
    } else {
        while (lv_toml_is_bare(lv_toml_byte(r, 0)))
            r->at++;
        if (r->at == begin)
            return fail_key(r, expected);
        key->text = r->text + begin;
        key->length = (int)(r->at - begin);
    }
    key->place = (lv_toml_place){begin, r->at - begin};
    return LV_OK;
}

/* Reads a key with dots up to its last part; *table becomes the table that contains this
 * part. */
static lv_status read_path(lv_toml_reader *r, lv_toml_key *key, lv_toml **table,
                           lv_status (*enter)(lv_toml_reader *, lv_toml **,
                                              const lv_toml_key *))
{
    LV_TRY(read_key(r, key, "a key"));
    lv_toml_skip_blanks(r);
    while (lv_toml_byte(r, 0) == '.') {
        LV_TRY(enter(r, table, key));
        r->at++;
        lv_toml_skip_blanks(r);
        LV_TRY(read_key(r, key, "a key after the '.'"));
        lv_toml_skip_blanks(r);
    }
    return LV_OK;
}

static lv_status fail_equals(lv_toml_reader *r, const lv_toml_key *key)
{
    int c = lv_toml_byte(r, 0);
    lv_status status = LV_TOML_FAIL(r, r->at, 1, "found %s after key %s, expected '='",
                                    lv_toml_found(r).text, lv_toml_show_key(r, key).text);
    bool bare = r->text[key->place.offset] != '"' && r->text[key->place.offset] != '\'';
    if (c == ':')
        lv_error_hint(r->err, "TOML is written key = value");
    else if (bare && r->at == key->place.offset + key->place.length &&
             (c >= 0x80 || (c > 0 && strchr("$@&!?/*+<>%'", c))))
        lv_error_hint(r->err,
                      "keys of other characters than A-Z a-z 0-9 _ - need quotes");
    return status;
}

/* Reads "key =" up to the beginning of the value. */
static lv_status read_member(lv_toml_reader *r, lv_toml **node, lv_toml *table)
{
    lv_toml_key key;
    LV_TRY(read_path(r, &key, &table, lv_toml_enter_dotted));
    if (lv_toml_byte(r, 0) != '=')
        return fail_equals(r, &key);
    LV_TRY(lv_toml_define_value(r, node, table, &key));
    r->at++;
    lv_toml_skip_blanks(r);
    return LV_OK;
}

/* Reads a scalar, or opens an array or inline table. */
static lv_status begin_value(lv_toml_reader *r, lv_toml *node)
{
    int c = lv_toml_byte(r, 0);
    node->place.offset = r->at;
    if (c == '[' || c == '{') {
        node->kind = c == '[' ? LV_TOML_ARRAY : LV_TOML_TABLE;
        node->origin = LV_TOML_CLOSED;
        node->place.length = 1;
        r->open[r->open_count++] = node;
        r->at++;
        return LV_OK;
    }
    LV_TRY(lv_toml_read_scalar(r, node));
    node->place.length = r->at - node->place.offset;
    return LV_OK;
}

static void close_innermost(lv_toml_reader *r)
{
    lv_toml *node = r->open[--r->open_count];
    r->at++;
    node->place.length = r->at - node->place.offset;
}

/* Fails because neither a comma nor a closing bracket follows an item. */
static lv_status fail_separator(lv_toml_reader *r, const lv_toml *open)
{
    const char *name = open->kind == LV_TOML_ARRAY ? "array" : "inline table";
    const char *bracket = open->kind == LV_TOML_ARRAY ? "]" : "}";
    int c = lv_toml_byte(r, 0);
    if (c == LV_TOML_END)
        return LV_TOML_FAIL(
            r, open->place.offset, 1,
            "this %s is not closed: found the end of the file, expected '%s'", name,
            bracket);

    const lv_toml *item = open->last;
    bool number = item && (item->kind == LV_TOML_INTEGER || item->kind == LV_TOML_FLOAT);
    if (number && c > 0 && strchr("*/^(", c))
        return lv_toml_fail_unquoted(r, item->place.offset);

    lv_status status = LV_TOML_FAIL(
        r, r->at, 1, "found %s in the %s, expected %s or '%s'", lv_toml_found(r).text,
        name, open->count > 0 ? "','" : "a key", bracket);
    lv_error_note(r->err, "the %s begins at line %d", name,
                  lv_toml_line(r, open->place.offset));
    if (open->kind == LV_TOML_TABLE && lv_toml_newline(r) > 0)
        lv_error_hint(r->err, "an inline table stands on one line; use a [table] header "
                              "for a longer one");
    return status;
}

/* Continues in an array: to the beginning of its next item, or past its end. */
static lv_status continue_array(lv_toml_reader *r, lv_toml *array)
{
    LV_TRY(lv_toml_skip_lines(r));
    if (array->count > 0 && lv_toml_byte(r, 0) == ',') {
        r->at++;
        LV_TRY(lv_toml_skip_lines(r));
    } else if (array->count > 0 && lv_toml_byte(r, 0) != ']') {
        return fail_separator(r, array);
    }
    if (lv_toml_byte(r, 0) == ']') {
        close_innermost(r);
        return LV_OK;
    }
    if (lv_toml_byte(r, 0) == LV_TOML_END)
        return fail_separator(r, array);
    lv_toml *item = NULL;
    LV_TRY(lv_toml_add(r, &item, array, NULL, LV_TOML_STRING));
    return begin_value(r, item);
}

static lv_status fail_after_comma(lv_toml_reader *r)
{
    lv_status status = LV_TOML_FAIL(r, r->at, 1, "found %s after ',', expected a key",
                                    lv_toml_found(r).text);
    if (lv_toml_byte(r, 0) == '}')
        lv_error_hint(r->err, "no comma follows the last member of an inline table");
    else
        lv_error_hint(r->err, "an inline table stands on one line; use a [table] header "
                              "for a longer one");
    return status;
}

/* Continues in an inline table: to the value of its next member, or past its end. */
static lv_status continue_table(lv_toml_reader *r, lv_toml *table)
{
    lv_toml_skip_blanks(r);
    if (lv_toml_byte(r, 0) == '}') {
        close_innermost(r);
        return LV_OK;
    }
    if (table->count > 0) {
        if (lv_toml_byte(r, 0) != ',')
            return fail_separator(r, table);
        r->at++;
        lv_toml_skip_blanks(r);
        if (lv_toml_byte(r, 0) == '}' || lv_toml_newline(r) > 0)
            return fail_after_comma(r);
    } else if (lv_toml_byte(r, 0) == LV_TOML_END || lv_toml_newline(r) > 0) {
        return fail_separator(r, table);
    }
    lv_toml *member = NULL;
    LV_TRY(read_member(r, &member, table));
    return begin_value(r, member);
}

static lv_status read_value(lv_toml_reader *r, lv_toml *node)
{
    LV_TRY(begin_value(r, node));
    while (r->open_count > 0) {
        lv_toml *innermost = r->open[r->open_count - 1];
        LV_TRY(innermost->kind == LV_TOML_ARRAY ? continue_array(r, innermost)
                                                : continue_table(r, innermost));
    }
    return LV_OK;
}

/* Whether another key = value follows on the line. */
static bool another_pair_follows(const lv_toml_reader *r)
{
    size_t i = 0;
    while (lv_toml_is_bare(lv_toml_byte(r, i)) || lv_toml_byte(r, i) == '.')
        i++;
    bool named = i > 0;
    while (lv_toml_byte(r, i) == ' ' || lv_toml_byte(r, i) == '\t')
        i++;
    return named && lv_toml_byte(r, i) == '=';
}

static lv_status end_line(lv_toml_reader *r, const char *what)
{
    lv_toml_skip_blanks(r);
    LV_TRY(lv_toml_skip_comment(r));
    if (lv_toml_byte(r, 0) == LV_TOML_END || lv_toml_newline(r) > 0)
        return LV_OK;
    lv_status status =
        LV_TOML_FAIL(r, r->at, 1, "found %s after the %s, expected the end of the line",
                     lv_toml_found(r).text, what);
    if (another_pair_follows(r))
        lv_error_hint(r->err, "each key = value stands on a line of its own");
    return status;
}

static lv_status read_pair(lv_toml_reader *r)
{
    lv_toml *node = NULL;
    LV_TRY(read_member(r, &node, r->table));
    LV_TRY(read_value(r, node));

    /* A formula may begin like a number: 2 * x */
    lv_toml_skip_blanks(r);
    int c = lv_toml_byte(r, 0);
    bool number = node->kind == LV_TOML_INTEGER || node->kind == LV_TOML_FLOAT;
    bool goes_on = lv_toml_is_letter(c) || (c > 0 && strchr("*/^+-(|_", c));
    if (number && goes_on && !another_pair_follows(r))
        return lv_toml_fail_unquoted(r, node->place.offset);
    return end_line(r, "value");
}

static lv_status close_header(lv_toml_reader *r, size_t brackets)
{
    const char *closing = brackets == 2 ? "]]" : "]";
    for (size_t i = 0; i < brackets; i++) {
        if (lv_toml_byte(r, 0) != ']')
            return LV_TOML_FAIL(r, r->at, 1, "found %s in a header, expected '%s'",
                                lv_toml_found(r).text, closing);
        r->at++;
    }
    return LV_OK;
}

/* [a.b] or [[a.b]] */
static lv_status read_header(lv_toml_reader *r)
{
    size_t begin = r->at, brackets = lv_toml_byte(r, 1) == '[' ? 2 : 1;
    lv_toml *parent = r->root;
    lv_toml_key key;
    r->at += brackets;
    lv_toml_skip_blanks(r);
    LV_TRY(read_path(r, &key, &parent, lv_toml_enter_header));
    LV_TRY(close_header(r, brackets));

    lv_toml_place header = {begin, r->at - begin};
    if (brackets == 2)
        LV_TRY(lv_toml_define_item(r, &r->table, parent, &key, header));
    else
        LV_TRY(lv_toml_define_table(r, &r->table, parent, &key, header));
    return end_line(r, "header");
}

static lv_status read_statement(lv_toml_reader *r)
{
    int c = lv_toml_byte(r, 0);
    if (c == '[')
        return read_header(r);
    if (lv_toml_is_bare(c) || c == '"' || c == '\'')
        return read_pair(r);
    return fail_key(r, "a key, a [table] or a comment");
}

static lv_status read_document(lv_toml_reader *r)
{
    LV_TRY(lv_toml_check_utf8(r));
    r->root = lv_arena_alloc(r->arena, 1, sizeof *r->root);
    if (!r->root)
        return lv_fail_memory(r->err);
    r->root->kind = LV_TOML_TABLE;
    r->root->origin = LV_TOML_HEADER;
    r->root->place.length = r->size;
    r->table = r->root;

    LV_TRY(lv_toml_skip_lines(r));
    while (lv_toml_byte(r, 0) != LV_TOML_END) {
        LV_TRY(read_statement(r));
        LV_TRY(lv_toml_skip_lines(r));
    }
    return LV_OK;
}

lv_status lv_toml_read_within(lv_toml **root, lv_arena *arena, const lv_source *source,
                              const lv_toml_limits *limits, lv_error *err)
{
    *root = NULL;
    if (source->size > limits->bytes)
        return lv_fail(err, LV_ERR_LIMIT, "'%s' is %zu bytes long, at most %zu are read",
                       source->name ? source->name : "the text", source->size,
                       limits->bytes);
    lv_toml_reader r = {.source = source,
                        .text = source->text,
                        .size = source->size,
                        .arena = arena,
                        .err = err,
                        .limits = *limits};
    if (r.limits.depth > LV_TOML_MOST_DEPTH)
        r.limits.depth = LV_TOML_MOST_DEPTH;
    LV_TRY(read_document(&r));
    *root = r.root;
    return LV_OK;
}

lv_status lv_toml_read(lv_toml **root, lv_arena *arena, const lv_source *source,
                       lv_error *err)
{
    const lv_toml_limits limits = {.bytes = LV_TOML_MOST_BYTES,
                                   .values = LV_TOML_MOST_VALUES,
                                   .depth = LV_TOML_MOST_DEPTH};
    return lv_toml_read_within(root, arena, source, &limits, err);
}
