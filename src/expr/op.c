#include "expr/op.h"

#include <math.h>
#include <stddef.h>

typedef struct op_row {
    const char *name;
    int arity;
    const char *c_text;
} op_row;

static const op_row rows[LV_OP_COUNT] = {[LV_OP_CONST] = {"CONST", 0, NULL},
                                         [LV_OP_INPUT] = {"INPUT", 0, NULL},
#define LV_X(name, arity, value) [LV_OP_##name] = {#name, arity, #value},
                                         LV_OP_LIST(LV_X)
#undef LV_X
};

int lv_op_arity(lv_op op)
{
    return rows[op].arity;
}

const char *lv_op_name(lv_op op)
{
    return rows[op].name;
}

const char *lv_op_c_text(lv_op op)
{
    return rows[op].c_text;
}

double lv_op_value(lv_op op, double a, double b, double c)
{
    switch (op) {
#define LV_X(name, arity, value)                                                         \
    case LV_OP_##name:                                                                   \
        (void)a, (void)b, (void)c;                                                       \
        return value;
        LV_OP_LIST(LV_X)
#undef LV_X
    case LV_OP_CONST:
    case LV_OP_INPUT:
    case LV_OP_COUNT:
        break;
    }
    return 0;
}
