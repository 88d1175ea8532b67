/* The functions that formulas may call. One row each: a new function is a new row. */
#ifndef LV_EXPR_FUNCTION_H
#define LV_EXPR_FUNCTION_H

#include "expr/elaboration.h"

typedef struct lv_function lv_function;

/* An angle that counts turns has three inputs R: its reference r, cos r, sin r. */
enum { LV_TURN_NUMBERS = 3 };

struct lv_function {
    const char *name;
    const char *signature; /* "atan2(y, x)" */
    const char *doc;       /* one line */
    short least, most;     /* number of arguments; most < 0: no upper limit */
    lv_op op;              /* the operation, if the function is a single one */
    lv_status (*apply)(const lv_function *self, lv_elaboration *e, lv_value *value,
                       const lv_value *arguments, const lv_syntax *call, lv_error *err);
    bool of_body; /* the first argument is the name of a body, not a value */
};

/* The last row has the name NULL. */
extern const lv_function lv_function_table[];

const lv_function *lv_function_find(const char *name);

/* Reserved names with a fixed meaning: t, pi, ground. NULL ends the list. */
extern const char *const lv_reserved_names[];

#endif
