/* The functions that formulas may call. One row each: a new function is a new row. */
#ifndef LV_EXPR_FUNCTION_H
#define LV_EXPR_FUNCTION_H

#include "expr/elaboration.h"

typedef struct lv_function lv_function;

/* Inputs R of an angle that counts turns: its reference r, cos r, sin r. */
enum { LV_TURN_NUMBERS = 3 };

struct lv_function {
    const char *name;
    const char *signature; /* "atan2(y, x)" */
    const char *doc;       /* one line */
    short least, most;     /* numbers of arguments; most < 0: any */
    lv_op op;              /* for functions that are one operation */
    lv_status (*apply)(const lv_function *self, lv_elaboration *e, lv_value *value,
                       const lv_value *arguments, const lv_syntax *call, lv_error *err);
    bool of_body; /* the first argument is the name of a body and has no value */
};

/* Ends with a row whose name is NULL. */
extern const lv_function lv_function_table[];

const lv_function *lv_function_find(const char *name);

/* Names that formulas give a meaning of their own: t, pi, ground. Ends with NULL. */
extern const char *const lv_reserved_names[];

#endif
