/* Formulas as syntax trees.
 *
 *   comparison = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
 *   sum        = product { ("+" | "-") product }
 *   product    = unary { ("*" | "/") unary }
 *   unary      = "-" unary | "+" unary | power
 *   power      = postfix [ "^" unary ]
 *   postfix    = primary { "'" | "[" sum "]" }
 *   primary    = number | variable | name "(" args ")" | "(" sum ")"
 *              | "[" sum { "," sum } "]"
 *              | "sum" "(" name "=" sum ".." sum "," sum ")"
 *   variable   = name [ "_{" sum "}" ] [ "." name ] | name "." name "_{" sum "}",
 *                without blanks before the brace and around the dot
 *
 * Sums and products are lists, so that a formula of many terms is wide, not deep. */
#ifndef LV_EXPR_SYNTAX_H
#define LV_EXPR_SYNTAX_H

#include "base/arena.h"
#include "base/source.h"
#include "base/status.h"

#include <stdbool.h>

typedef enum lv_syntax_kind {
    LV_SYNTAX_NUMBER,
    LV_SYNTAX_NAME,    /* name; a child is the subscript of name_{...} */
    LV_SYNTAX_NEGATE,  /* one child */
    LV_SYNTAX_SUM,     /* children; `sign` of each is '+' or '-' */
    LV_SYNTAX_PRODUCT, /* children; `sign` of each is '*' or '/' */
    LV_SYNTAX_POWER,   /* two children */
    LV_SYNTAX_COMPARE, /* two children; sign: '<', '>', 'l' (<=), 'g' (>=), '=', '!' */
    LV_SYNTAX_PRIME,   /* one child */
    LV_SYNTAX_INDEX,   /* two children: the vector and the index */
    LV_SYNTAX_CALL,    /* name, children are the arguments */
    LV_SYNTAX_VECTOR,  /* children are the components */
    LV_SYNTAX_SERIES,  /* sum(name = first..last, term): three children */

    /* These are not in any text; parts use them to compose formulas. */
    LV_SYNTAX_FORMULA, /* a formula with a text of its own */
    /* a formula of its own whose scalar value counts as a vector of length 1 */
    LV_SYNTAX_POINT,
    LV_SYNTAX_START /* one child: its value at the start, t = 0 */
} lv_syntax_kind;

typedef struct lv_syntax {
    lv_syntax_kind kind;
    char sign; /* sign of an item of a sum or product, or of a comparison */
    int start; /* place in the snippet, in bytes */
    int length;
    double number;
    const char *name;
    const char *member; /* member of a name: "e1" of top.e1, or NULL */
    bool of_member;     /* the subscript belongs to the member: lambda.link_{i-1} */
    int count;          /* number of children */
    struct lv_syntax *first;
    struct lv_syntax *next; /* sibling */
    const struct lv_formula *formula;
} lv_syntax;

/* A formula: its text and its tree. */
typedef struct lv_formula {
    const lv_snippet *snippet;
    const lv_syntax *root;
} lv_formula;

enum {
    /* depth of nested parentheses, calls, powers and signs */
    LV_FORMULA_DEPTH = 200,
    LV_FORMULA_LENGTH = 1 << 20, /* number of bytes */
};

/* Parses a formula. The tree lives in the arena; the snippet must live as long as the
 * tree. */
lv_status lv_formula_parse(lv_formula *formula, lv_arena *arena,
                           const lv_snippet *snippet, lv_error *err);

/* Writes a name with its member, "top.e1", for messages; a long one is cut. */
enum { LV_SYNTAX_NAME_SIZE = 220 };
const char *lv_syntax_name(const lv_syntax *name, char buffer[LV_SYNTAX_NAME_SIZE]);

/* The place of a part of a formula; a part with a text of its own has its place in that
 * text. */
lv_place lv_formula_place(const lv_snippet *snippet, const lv_syntax *part);

/* Fails at a part of a formula; at one with a text of its own, in that text. */
lv_status lv_formula_fail(lv_error *err, lv_status code, const lv_snippet *snippet,
                          const lv_syntax *part, const char *format, ...) LV_PRINTF(5, 6);

#endif
