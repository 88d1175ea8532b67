/* Encoder of the few x86-64 instructions that formulas need: arithmetic of doubles in the vector
 * registers, one number (width 1), two (width 2) or four (width 4) at a time.
 *
 * Instructions have three operands, d = a op b. With `vex` they are encoded as AVX has them, which
 * width 4 needs; without, as moves and instructions of SSE2 with two operands, so that d must not be
 * b unless it is also a. The registers LV_X86_SCRATCH and above are never the caller's own between
 * two calls: the encoder may use the last of them. */
#ifndef LV_EXPR_X86_H
#define LV_EXPR_X86_H

#include "base/memory.h"

#include <stdint.h>

enum { LV_X86_SCRATCH = 14, LV_X86_REGISTERS = 16 };

/* Constants that stand in front of the code, each four times. */
enum { LV_X86_ONE = 0, LV_X86_SIGN = 32, LV_X86_NO_SIGN = 64, LV_X86_POOL = 96 };

typedef enum lv_x86_kind {
    LV_X86_IN_REGISTER, /* at: its number */
    LV_X86_IN_SLOT,  /* at: bytes behind the address that the function is called with */
    LV_X86_IN_FRAME, /* at: bytes behind the frame's two operands of calls */
    LV_X86_IN_POOL   /* at: LV_X86_ONE, ... */
} lv_x86_kind;

typedef struct lv_x86_place {
    lv_x86_kind kind;
    int32_t at;
} lv_x86_place;

/* Operations by their byte of code. */
typedef enum lv_x86_op {
    LV_X86_SQRT = 0x51,
    LV_X86_AND = 0x54,
    LV_X86_AND_NOT = 0x55, /* ~a & b */
    LV_X86_OR = 0x56,
    LV_X86_XOR = 0x57,
    LV_X86_ADD = 0x58,
    LV_X86_MUL = 0x59,
    LV_X86_SUB = 0x5C,
    LV_X86_MIN = 0x5D, /* a < b ? a : b */
    LV_X86_DIV = 0x5E,
    LV_X86_MAX = 0x5F, /* a > b ? a : b */
    LV_X86_COMPARE = 0xC2
} lv_x86_op;

typedef enum lv_x86_relation {
    LV_X86_EQUAL = 0,
    LV_X86_LESS = 1,
    LV_X86_LESS_EQUAL = 2,
    LV_X86_NOT_EQUAL = 4 /* also of what is not a number */
} lv_x86_relation;

typedef struct lv_x86 {
    LV_ARRAY(uint8_t) code; /* starts with the pool of constants */
    bool vex, calls, failed;
    int width;
    int loop; /* where the loop over lanes starts */
} lv_x86;

static inline lv_x86_place lv_x86_register(int number)
{
    return (lv_x86_place){LV_X86_IN_REGISTER, number};
}

/* The pool, and the start of a function void f(double *slots) that goes through its code `turns`
 * times, by `width` numbers further each time; `calls` says whether it calls functions. */
void lv_x86_begin(lv_x86 *x, int turns, bool calls);
void lv_x86_end(lv_x86 *x, int turns);

void lv_x86_load(lv_x86 *x, int to, lv_x86_place from);
void lv_x86_store(lv_x86 *x, lv_x86_place to, int from);

/* ADD, SUB, MUL, DIV, MIN, MAX; b in a register or a slot */
void lv_x86_arithmetic(lv_x86 *x, lv_x86_op op, int d, int a, lv_x86_place b);
/* AND, AND_NOT, OR, XOR; b in a register or the pool */
void lv_x86_bitwise(lv_x86 *x, lv_x86_op op, int d, int a, lv_x86_place b);
/* all bits of d set where the relation holds; b in a register or a slot */
void lv_x86_compare(lv_x86 *x, lv_x86_relation relation, int d, int a, lv_x86_place b);
void lv_x86_sqrt(lv_x86 *x, int d, int a);

/* With width 1 a call of double f(double[, double]): operands in registers 0 and 1, result in 0.
 * Otherwise of void f(double *x, int width) on the operands in the frame, the second one behind
 * `width` numbers of the first; the result is left in place of the first. All registers are lost. */
void lv_x86_call(lv_x86 *x, uint64_t address);

#endif
