/* Recursive descent over the grammar in syntax.h. Depth is counted, so that a hostile text
 * cannot exhaust the stack. */
#include "expr/lex.h"
#include "expr/syntax.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct parser {
    lv_arena *arena;
    const lv_snippet *snippet;
    lv_token token; /* the next token */
    int previous_end;
    int depth;
    lv_error *err;
} parser;

static lv_status parse_sum(parser *p, lv_syntax **result);
static lv_status parse_unary(parser *p, lv_syntax **result);

static lv_status fail_between(parser *p, int start, int end, lv_status code,
                              const char *format, ...) LV_PRINTF(5, 6);

static lv_status fail_between(parser *p, int start, int end, lv_status code,
                              const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t from = lv_snippet_offset(p->snippet, start);
    size_t to = lv_snippet_offset(p->snippet, end);
    return lv_fail_at(p->err, code, p->snippet->source, from, to > from ? to - from : 1,
                      "%s", text);
}

lv_place lv_formula_place(const lv_snippet *snippet, const lv_syntax *part)
{
    while (part->formula) {
        snippet = part->formula->snippet;
        part = part->formula->root;
    }
    size_t from = lv_snippet_offset(snippet, part->start);
    size_t to = lv_snippet_offset(snippet, part->start + part->length);
    return (lv_place){snippet->source, from, to > from ? to - from : 1};
}

const char *lv_syntax_name(const lv_syntax *name, char buffer[LV_SYNTAX_NAME_SIZE])
{
    snprintf(buffer, LV_SYNTAX_NAME_SIZE, "%.100s%s%.100s", name->name,
             name->member ? "." : "", name->member ? name->member : "");
    return buffer;
}

lv_status lv_formula_fail(lv_error *err, lv_status code, const lv_snippet *snippet,
                          const lv_syntax *part, const char *format, ...)
{
    char text[700];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return lv_fail_at(err, code, LV_AT(lv_formula_place(snippet, part)), "%s", text);
}

static lv_status advance(parser *p)
{
    p->previous_end = p->token.start + p->token.length;
    return lv_lex(&p->token, p->snippet, p->previous_end, p->err);
}

static bool at_sign(const parser *p, char sign)
{
    return p->token.kind == LV_TOKEN_SIGN && p->token.sign == sign;
}

/* Describes the current token for messages. */
static const char *describe(const parser *p, char buffer[64])
{
    if (p->token.kind == LV_TOKEN_END)
        return "the end of the formula";
    snprintf(buffer, 64, "'%.*s'", p->token.length < 50 ? p->token.length : 50,
             p->snippet->text + p->token.start);
    return buffer;
}

static lv_status unexpected(parser *p, const char *expected)
{
    char buffer[64];
    int start = p->token.start, end = p->token.start + p->token.length;
    return fail_between(p, start, end, LV_ERR_SYNTAX, "expected %s, found %s", expected,
                        describe(p, buffer));
}

static lv_status too_deep(parser *p)
{
    return fail_between(p, p->token.start, p->token.start + p->token.length, LV_ERR_LIMIT,
                        "this formula is nested more than %d levels deep",
                        LV_FORMULA_DEPTH);
}

static lv_status expect(parser *p, char sign, const char *expected)
{
    return at_sign(p, sign) ? advance(p) : unexpected(p, expected);
}

static lv_status new_part(parser *p, lv_syntax **result, lv_syntax_kind kind, int start)
{
    lv_syntax *part = lv_arena_alloc(p->arena, 1, sizeof *part);
    if (!part)
        return lv_fail_memory(p->err);
    part->kind = kind;
    part->start = start;
    *result = part;
    return LV_OK;
}

static void finish(const parser *p, lv_syntax *part)
{
    part->length = p->previous_end - part->start;
}

/* Appends a child. The caller keeps `last`, so that this takes constant time. */
static void append(lv_syntax *parent, lv_syntax **last, lv_syntax *child)
{
    if (*last)
        (*last)->next = child;
    else
        parent->first = child;
    *last = child;
    parent->count++;
}

/* Makes `first` the first child of a new part. */
static lv_status wrap(parser *p, lv_syntax **result, lv_syntax_kind kind,
                      lv_syntax *first)
{
    LV_TRY(new_part(p, result, kind, first->start));
    lv_syntax *last = NULL;
    append(*result, &last, first);
    finish(p, *result);
    return LV_OK;
}

/* sum { "," sum } up to the closing sign, as children of `parent`. */
static lv_status parse_comparison(parser *p, lv_syntax **result);

static lv_status parse_list(parser *p, lv_syntax *parent, char close,
                            const char *expected)
{
    lv_syntax *last = NULL;
    if (at_sign(p, close))
        return advance(p);
    for (;;) {
        lv_syntax *child = NULL;
        LV_TRY(parse_comparison(p, &child));
        append(parent, &last, child);
        if (!at_sign(p, ','))
            return expect(p, close, expected);
        LV_TRY(advance(p));
    }
}

static lv_status no_member(parser *p, int dot)
{
    lv_status status = fail_between(p, dot, dot + 1, LV_ERR_SYNTAX,
                                    "the name of a member must follow the dot at once");
    lv_error_hint(p->err, "for example top.e1");
    return status;
}

/* Advances past a name, its number or its subscript. If a dot follows directly, the
 * member after it is read as well. */
static lv_status advance_past_name(parser *p, lv_syntax *name)
{
    const char *text = p->snippet->text;
    const int dot = p->token.start + p->token.length;
    lv_token member;
    if (text[dot] != '.' || text[dot + 1] == '.')
        return advance(p);
    LV_TRY(lv_lex(&member, p->snippet, dot + 1, p->err));
    if (member.kind != LV_TOKEN_NAME || member.start != dot + 1)
        return no_member(p, dot);
    name->member = lv_arena_text(p->arena, text + member.start, (size_t)member.length);
    if (!name->member)
        return lv_fail_memory(p->err);
    p->token.length = member.start + member.length - p->token.start;
    return advance(p);
}

/* Parses "_{" sum "}" [ "." name ]; the brace is the next token */
static lv_status parse_subscript(parser *p, lv_syntax *name)
{
    lv_syntax *subscript = NULL, *last = NULL;
    LV_TRY(advance(p));
    LV_TRY(parse_sum(p, &subscript));
    if (!at_sign(p, '}'))
        return unexpected(p, "'}' after the index");
    append(name, &last, subscript);
    return advance_past_name(p, name);
}

/* Parses name "." name "_{" sum "}"; the brace is the next token */
static lv_status parse_member_subscript(parser *p, lv_syntax *name)
{
    lv_syntax *subscript = NULL, *last = NULL;
    name->member = lv_arena_text(p->arena, name->member, strlen(name->member) - 1);
    name->of_member = true;
    if (!name->member)
        return lv_fail_memory(p->err);
    LV_TRY(advance(p));
    LV_TRY(parse_sum(p, &subscript));
    append(name, &last, subscript);
    return expect(p, '}', "'}' after the index");
}

static bool ends_in_underscore(const char *name)
{
    const size_t length = name ? strlen(name) : 0;
    return length > 1 && name[length - 1] == '_';
}

/* Whether the next token is a name followed by a single "=". Elsewhere that sign is an
 * error. */
static bool at_index(const parser *p)
{
    const char *text = p->snippet->text + p->token.start + p->token.length;
    if (p->token.kind != LV_TOKEN_NAME)
        return false;
    text += strspn(text, " \t\r\n");
    return text[0] == '=' && text[1] != '=';
}

/* Parses name "=" sum ".." sum "," sum ")"; the name is the next token */
static lv_status parse_series(parser *p, lv_syntax *series)
{
    const char *text = p->snippet->text;
    lv_syntax *part = NULL, *last = NULL;
    series->kind = LV_SYNTAX_SERIES;
    series->name =
        lv_arena_text(p->arena, text + p->token.start, (size_t)p->token.length);
    if (!series->name)
        return lv_fail_memory(p->err);
    int equals = p->token.start + p->token.length;
    while (text[equals] != '=')
        equals++;
    LV_TRY(lv_lex(&p->token, p->snippet, equals + 1, p->err));
    LV_TRY(parse_sum(p, &part));
    append(series, &last, part);
    LV_TRY(expect(p, 'r', "'..' between the ends of the range"));
    LV_TRY(parse_sum(p, &part));
    append(series, &last, part);
    LV_TRY(expect(p, ',', "',' and the terms of the sum"));
    LV_TRY(parse_sum(p, &part));
    append(series, &last, part);
    LV_TRY(expect(p, ')', "')' after the terms of the sum"));
    finish(p, series);
    return LV_OK;
}

/* variable | name "(" args ")" */
static lv_status parse_name(parser *p, lv_syntax **result)
{
    const char *text = p->snippet->text + p->token.start;
    int length = p->token.length;
    LV_TRY(new_part(p, result, LV_SYNTAX_NAME, p->token.start));
    LV_TRY(advance_past_name(p, *result));

    const bool is_plain = !(*result)->member;
    const bool glued = p->token.start == p->previous_end;
    if (is_plain && glued && at_sign(p, '{') && length > 1 && text[length - 1] == '_') {
        length--;
        LV_TRY(parse_subscript(p, *result));
    } else if (glued && at_sign(p, '{') && ends_in_underscore((*result)->member)) {
        LV_TRY(parse_member_subscript(p, *result));
    } else if (is_plain && at_sign(p, '(')) {
        (*result)->kind = LV_SYNTAX_CALL;
        LV_TRY(advance(p));
        if (length == 3 && strncmp(text, "sum", 3) == 0 && at_index(p))
            return parse_series(p, *result);
        LV_TRY(parse_list(p, *result, ')', "',' or ')' in the list of arguments"));
    }
    (*result)->name = lv_arena_text(p->arena, text, (size_t)length);
    if (!(*result)->name)
        return lv_fail_memory(p->err);
    finish(p, *result);
    return LV_OK;
}

static lv_status parse_primary(parser *p, lv_syntax **result)
{
    int start = p->token.start;
    if (p->token.kind == LV_TOKEN_NUMBER) {
        LV_TRY(new_part(p, result, LV_SYNTAX_NUMBER, start));
        (*result)->number = p->token.number;
        LV_TRY(advance(p));
        finish(p, *result);
        return LV_OK;
    }
    if (p->token.kind == LV_TOKEN_NAME)
        return parse_name(p, result);
    if (at_sign(p, '(')) {
        LV_TRY(advance(p));
        LV_TRY(parse_comparison(p, result));
        LV_TRY(expect(p, ')', "')'"));
        (*result)->start = start; /* the caret covers the parentheses too */
        finish(p, *result);
        return LV_OK;
    }
    if (at_sign(p, '[')) {
        LV_TRY(new_part(p, result, LV_SYNTAX_VECTOR, start));
        LV_TRY(advance(p));
        LV_TRY(parse_list(p, *result, ']', "',' or ']' in the vector"));
        finish(p, *result);
        return LV_OK;
    }
    return unexpected(p, "a number, a name or '('");
}

static lv_status parse_postfix(parser *p, lv_syntax **result)
{
    LV_TRY(parse_primary(p, result));
    for (int depth = p->depth; at_sign(p, '\'') || at_sign(p, '['); depth++) {
        bool is_prime = at_sign(p, '\'');
        lv_syntax *inner = *result;
        if (depth >= LV_FORMULA_DEPTH)
            return too_deep(p);
        LV_TRY(advance(p));
        if (is_prime) {
            LV_TRY(wrap(p, result, LV_SYNTAX_PRIME, inner));
            continue;
        }
        lv_syntax *index = NULL, *last = inner;
        LV_TRY(wrap(p, result, LV_SYNTAX_INDEX, inner));
        LV_TRY(parse_sum(p, &index));
        LV_TRY(expect(p, ']', "']' after the index"));
        append(*result, &last, index);
        finish(p, *result);
    }
    return LV_OK;
}

static lv_status parse_power(parser *p, lv_syntax **result)
{
    LV_TRY(parse_postfix(p, result));
    if (!at_sign(p, '^'))
        return LV_OK;
    lv_syntax *base = *result, *exponent = NULL, *last = base;
    LV_TRY(advance(p));
    LV_TRY(parse_unary(p, &exponent));
    LV_TRY(wrap(p, result, LV_SYNTAX_POWER, base));
    append(*result, &last, exponent);
    return LV_OK;
}

static lv_status parse_unary_inner(parser *p, lv_syntax **result)
{
    bool minus = at_sign(p, '-');
    int start = p->token.start;
    if (!minus && !at_sign(p, '+'))
        return parse_power(p, result);
    lv_syntax *inner = NULL;
    LV_TRY(advance(p));
    LV_TRY(parse_unary(p, &inner));
    *result = inner;
    if (minus)
        LV_TRY(wrap(p, result, LV_SYNTAX_NEGATE, inner));
    (*result)->start = start;
    finish(p, *result);
    return LV_OK;
}

/* Every nested construct passes through this function, which counts the depth. */
static lv_status parse_unary(parser *p, lv_syntax **result)
{
    if (p->depth >= LV_FORMULA_DEPTH)
        return too_deep(p);
    p->depth++;
    lv_status status = parse_unary_inner(p, result);
    p->depth--;
    return status;
}

typedef lv_status (*parse_part)(parser *p, lv_syntax **result);

/* Parses item { (sign1 | sign2) item } as a list; a single item is returned as it is. */
static lv_status parse_chain(parser *p, lv_syntax **result, lv_syntax_kind kind,
                             const char signs[2], parse_part item)
{
    lv_syntax *last = NULL;
    LV_TRY(item(p, result));
    if (!at_sign(p, signs[0]) && !at_sign(p, signs[1]))
        return LV_OK;
    last = *result;
    LV_TRY(wrap(p, result, kind, last));
    last->sign = signs[0];
    while (at_sign(p, signs[0]) || at_sign(p, signs[1])) {
        char sign = p->token.sign;
        lv_syntax *next = NULL;
        LV_TRY(advance(p));
        LV_TRY(item(p, &next));
        next->sign = sign;
        append(*result, &last, next);
    }
    finish(p, *result);
    return LV_OK;
}

static lv_status parse_product(parser *p, lv_syntax **result)
{
    return parse_chain(p, result, LV_SYNTAX_PRODUCT, "*/", parse_unary);
}

static lv_status parse_sum(parser *p, lv_syntax **result)
{
    return parse_chain(p, result, LV_SYNTAX_SUM, "+-", parse_product);
}

static bool at_comparison(const parser *p)
{
    return p->token.kind == LV_TOKEN_SIGN && strchr("<>lg=!", p->token.sign);
}

static lv_status parse_comparison(parser *p, lv_syntax **result)
{
    LV_TRY(parse_sum(p, result));
    if (!at_comparison(p))
        return LV_OK;
    char sign = p->token.sign;
    lv_syntax *left = *result, *right = NULL, *last = left;
    LV_TRY(advance(p));
    LV_TRY(parse_sum(p, &right));
    LV_TRY(wrap(p, result, LV_SYNTAX_COMPARE, left));
    (*result)->sign = sign;
    append(*result, &last, right);
    if (!at_comparison(p))
        return LV_OK;
    lv_status status = unexpected(p, "one comparison");
    lv_error_hint(p->err, "nest conditions: if(0 < x, if(x < 1, a, b), b)");
    return status;
}

static lv_status leftover(parser *p)
{
    lv_status status = LV_OK;
    if (at_sign(p, ')') || at_sign(p, ']') || at_sign(p, '}')) {
        status = unexpected(p, "an operator or the end of the formula");
        lv_error_hint(p->err, "nothing is open that '%c' could close", p->token.sign);
    } else if (at_sign(p, ',')) {
        status = unexpected(p, "an operator or the end of the formula");
        lv_error_hint(p->err,
                      "a vector is written in brackets: [a, b, c]; decimals have a "
                      "point: 0.5");
    } else {
        status = unexpected(p, "an operator or the end of the formula");
        bool is_name = p->token.kind == LV_TOKEN_NAME || at_sign(p, '(');
        if (is_name ||
            (p->token.kind == LV_TOKEN_NUMBER && p->previous_end < p->token.start))
            lv_error_hint(p->err, "products need a sign: write a*b, not a b");
    }
    return status;
}

lv_status lv_formula_parse(lv_formula *formula, lv_arena *arena,
                           const lv_snippet *snippet, lv_error *err)
{
    parser p = {.arena = arena, .snippet = snippet, .err = err};
    lv_syntax *root = NULL;
    if (snippet->length > LV_FORMULA_LENGTH)
        return lv_fail_at(err, LV_ERR_LIMIT, snippet->source, snippet->start, 1,
                          "this formula is longer than %d bytes", LV_FORMULA_LENGTH);
    LV_TRY(lv_lex(&p.token, snippet, 0, err));
    if (p.token.kind == LV_TOKEN_END)
        return fail_between(&p, 0, snippet->length, LV_ERR_SYNTAX,
                            "the formula is empty");
    LV_TRY(parse_comparison(&p, &root));
    if (p.token.kind != LV_TOKEN_END)
        return leftover(&p);
    *formula = (lv_formula){snippet, root};
    return LV_OK;
}
