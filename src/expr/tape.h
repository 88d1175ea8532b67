/* MAIN of a program, or a part of it, as a list of operations on values, in an order that suits registers.
 *
 * Every operation makes one value. The values below `slots` are the numbers that are in the slots
 * before MAIN runs, outputs that are given among them; the results of operations follow, products that are computed with
 * sums among them. What is not needed for an output that is wanted is left out. */
#ifndef LV_EXPR_TAPE_H
#define LV_EXPR_TAPE_H

#include "base/arena.h"
#include "expr/program.h"

enum { LV_TAPE_NEVER = -1 };

typedef struct lv_tape_step {
    lv_op op;
    int result;     /* value */
    int operand[3]; /* values */
    int next[3];    /* the next step that uses an operand, or LV_TAPE_NEVER */
    int use;        /* the first step that uses the result, or LV_TAPE_NEVER */
} lv_tape_step;

typedef struct lv_tape {
    int slots, values, count;
    const lv_tape_step *step;
    const int *home; /* of each value: the slot of the output that it is, or -1 */
    const int
        *spare; /* slots that MAIN writes, but for outputs that are wanted or given */
    int spare_count;
} lv_tape;

/* How steps follow each other: as the program has them, grouped by operation, or each result right
 * before what uses it first. */
typedef enum lv_tape_order { LV_TAPE_AS_COMPILED, LV_TAPE_DEPTH_FIRST } lv_tape_order;

/* Everything lives in the arena. */
lv_status lv_tape_init(lv_tape *tape, lv_arena *arena, const lv_program *program,
                       lv_part part, lv_tape_order order, lv_error *err);

#endif
