/* MAIN of a program as a list of operations on values, in an order that suits registers.
 *
 * Every operation produces one value. The values below `slots` are the contents of the
 * slots before MAIN runs; the results of operations follow, including fused products.
 * Operations that no output needs are left out. */
#ifndef LV_EXPR_TAPE_H
#define LV_EXPR_TAPE_H

#include "base/arena.h"
#include "expr/program.h"

enum { LV_TAPE_NEVER = -1 };

typedef struct lv_tape_step {
    lv_op op;
    int result;     /* number of the value */
    int operand[3]; /* numbers of values */
    int next[3];    /* the next step that uses this operand, or LV_TAPE_NEVER */
    int use;        /* the first step that uses the result, or LV_TAPE_NEVER */
} lv_tape_step;

typedef struct lv_tape {
    int slots, values, count;
    const lv_tape_step *step;
    const int *home;  /* for each value: the slot of the output that it is, or -1 */
    const int *spare; /* slots that MAIN writes and that are not outputs */
    int spare_count;
} lv_tape;

/* The order of the steps: as in the program, grouped by operation, or each result right
 * before its first use. */
typedef enum lv_tape_order { LV_TAPE_AS_COMPILED, LV_TAPE_DEPTH_FIRST } lv_tape_order;

/* Builds a tape in the arena. */
lv_status lv_tape_init(lv_tape *tape, lv_arena *arena, const lv_program *program,
                       lv_tape_order order, lv_error *err);

#endif
