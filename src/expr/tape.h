/* MAIN of a program, or a part of it, as a list of steps that compute values, in an order
 * that suits registers.
 *
 * Every step produces one value. The values below `slots` are the contents of the slots
 * before MAIN runs, which include outputs that are given; the results of operations
 * follow, including fused products. Operations that no wanted output needs are left out.
 *
 * With packs (expr/pack.h) some values are vectors of four numbers: the results of packs,
 * numbers that are collected from several values or are all the same value, and
 * slots side by side. */
#ifndef LV_EXPR_TAPE_H
#define LV_EXPR_TAPE_H

#include "base/arena.h"
#include "expr/pack.h"
#include "expr/program.h"

enum { LV_TAPE_NEVER = -1, LV_TAPE_OPERANDS = 4 };

typedef enum lv_tape_kind {
    LV_TAPE_OPERATE, /* an operation on each number of its operands */
    LV_TAPE_REPEAT,  /* a vector whose numbers are all the same value */
    LV_TAPE_COLLECT  /* a vector of several values */
} lv_tape_kind;

typedef struct lv_tape_step {
    lv_tape_kind kind;
    lv_op op;   /* of OPERATE */
    int width;  /* how many numbers its result has, 1 or LV_PACK_WIDTH */
    int result; /* number of the value */
    int operands;
    int operand[LV_TAPE_OPERANDS]; /* numbers of values */
    int next[LV_TAPE_OPERANDS];    /* the next step that uses this operand, or
                                    * LV_TAPE_NEVER */
} lv_tape_step;

typedef struct lv_tape_value {
    int width;
    int slot; /* the first slot that holds it before MAIN runs, or -1 */
    int home; /* the (first) slot of the output that it is, or -1 */
    int use;  /* the first step that uses it, or LV_TAPE_NEVER */
    /* For results of packs: the values that are its numbers; `apart` says whether any of
     * them is used alone or is an output that is not side by side with the others. */
    const int *numbers;
    bool apart;
} lv_tape_value;

typedef struct lv_tape {
    int slots, values, count;
    const lv_tape_step *step;
    const lv_tape_value *value;
    /* slots that MAIN writes, except for outputs that are wanted or given */
    const int *spare;
    int spare_count;
    bool packed; /* some values are vectors */
} lv_tape;

/* The order of the steps: as in the program, grouped by operation; each result right
 * before its first use; the same with packs. */
typedef enum lv_tape_order {
    LV_TAPE_AS_COMPILED,
    LV_TAPE_DEPTH_FIRST,
    LV_TAPE_PACKED
} lv_tape_order;

/* Builds a tape in the arena. */
lv_status lv_tape_init(lv_tape *tape, lv_arena *arena, const lv_program *program,
                       lv_part part, lv_tape_order order, lv_error *err);

#endif
