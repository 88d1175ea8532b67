/* Encoder of the few x86-64 instructions that formulas need: arithmetic of doubles in the
 * vector registers, one number (width 1), two (width 2) or four (width 4) at a time.
 *
 * Instructions have three operands, d = a op b. With `vex` they are encoded as AVX
 * instructions, which width 4 needs; without, as SSE2 moves and instructions with two
 * operands, so that d must not be b unless it is also a.
 *
 * With `paired` every register stands for two, and every instruction is emitted twice,
 * the second time for the next `width` numbers: two independent computations take little
 * more time than one.
 *
 * Without `paired`, and with `vex`, the width may change between instructions. Vectors of
 * numbers that are computed one by one are then stored in blocks of the frame. */
#ifndef LV_EXPR_X86_H
#define LV_EXPR_X86_H

#include "base/memory.h"

#include <stdint.h>

/* Registers below LV_X86_FREE are temporary. LV_X86_SECOND is overwritten by every
 * instruction whose second operand is in memory. */
enum { LV_X86_FIRST, LV_X86_SECOND, LV_X86_FREE, LV_X86_REGISTERS = 16 };

/* Offsets of the constants in the pool in front of the code, each stored four times. */
enum { LV_X86_ONE = 0, LV_X86_SIGN = 32, LV_X86_NO_SIGN = 64, LV_X86_POOL = 96 };

typedef enum lv_x86_kind {
    LV_X86_IN_REGISTER, /* at: its number */
    LV_X86_IN_SLOT,     /* at: byte offset from the argument of the function */
    LV_X86_IN_FRAME,    /* at: byte offset from the operands of calls in the frame */
    LV_X86_IN_BLOCK,    /* at: byte offset from the first block */
    LV_X86_IN_POOL      /* at: LV_X86_ONE, ... */
} lv_x86_kind;

typedef struct lv_x86_place {
    lv_x86_kind kind;
    int32_t at;
} lv_x86_place;

/* Bytes of a block. */
enum { LV_X86_BLOCK = 32 };

/* Operations by their opcode. */
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
    LV_X86_NOT_EQUAL = 4 /* true if an operand is NaN */
} lv_x86_relation;

typedef struct lv_x86 {
    LV_ARRAY(uint8_t) code; /* the pool of constants, then functions */
    bool vex, paired;
    int width;
    bool framed, failed; /* the function has a frame */
    bool blocks;         /* there may be blocks in it */
    bool wide;           /* it has used four numbers at a time */
    int entry;           /* offset of the last function */
    int frame;           /* offset of the size of its frame */
    int loop;            /* offset of its loop over lanes */
} lv_x86;

static inline lv_x86_place lv_x86_register(int number)
{
    return (lv_x86_place){LV_X86_IN_REGISTER, number};
}

/* The number of lanes that are computed at a time, and the number of registers for
 * them. */
static inline int lv_x86_numbers(const lv_x86 *x)
{
    return x->paired ? 2 * x->width : x->width;
}

static inline int lv_x86_registers(const lv_x86 *x)
{
    return x->paired ? LV_X86_REGISTERS / 2 : LV_X86_REGISTERS;
}

/* Emits the pool if there is none yet, and the start of a function void f(double *slots)
 * that repeats its code `turns` times, each time lv_x86_numbers lanes further; `calls`
 * says whether it calls functions, `blocks` whether it uses blocks. lv_x86_end is told
 * how many. */
void lv_x86_begin(lv_x86 *x, int turns, bool calls, bool blocks);
void lv_x86_end(lv_x86 *x, int turns, int blocks);

void lv_x86_load(lv_x86 *x, int to, lv_x86_place from);
void lv_x86_store(lv_x86 *x, lv_x86_place to, int from);

/* ADD, SUB, MUL, DIV, MIN, MAX; b is in a register or a slot */
void lv_x86_arithmetic(lv_x86 *x, lv_x86_op op, int d, int a, lv_x86_place b);
/* AND, AND_NOT, OR, XOR; b is in a register or the pool */
void lv_x86_bitwise(lv_x86 *x, lv_x86_op op, int d, int a, lv_x86_place b);
/* sets all bits of d where the relation holds; b is in a register or a slot */
void lv_x86_compare(lv_x86 *x, lv_x86_relation relation, int d, int a, lv_x86_place b);
void lv_x86_sqrt(lv_x86 *x, int d, int a);

/* With vex: all numbers of d are the number at `from`. */
void lv_x86_repeat(lv_x86 *x, int d, lv_x86_place from);
/* With vex and width 2: the numbers of d are the first one of a and the one at b. */
void lv_x86_pair(lv_x86 *x, int d, int a, lv_x86_place b);
/* With vex and width 4: d has the two numbers of a, then those of b. */
void lv_x86_join(lv_x86 *x, int d, int a, int b);

/* For width 1, calls double f(double[, double]) with operands in registers 0 and 1 and
 * the result in 0. Otherwise calls void f(double *x, int count) on `count` operands in
 * the frame, followed by as many second operands; results replace the first ones. All
 * registers are lost. */
void lv_x86_call(lv_x86 *x, uint64_t address);

#endif
