/* Splits the text of a formula into tokens. */
#ifndef LV_EXPR_LEX_H
#define LV_EXPR_LEX_H

#include "base/source.h"
#include "base/status.h"

typedef enum lv_token_kind {
    LV_TOKEN_END,
    LV_TOKEN_NUMBER,
    LV_TOKEN_NAME,
    LV_TOKEN_SIGN /* one of + - * / ^ ( ) [ ] { } , ' < > l g = ! (see lv_syntax), or r for .. */
} lv_token_kind;

typedef struct lv_token {
    lv_token_kind kind;
    char sign;
    int start;
    int length;
    double number;
} lv_token;

/* Reads the token that begins at or after byte `from`. */
lv_status lv_lex(lv_token *token, const lv_snippet *snippet, int from, lv_error *err);

#endif
