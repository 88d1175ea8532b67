/* Packs: four operations of one kind that are done side by side, in one instruction
 * (Larsen, Amarasinghe 2000).
 *
 * A pack pays if its operands are packs as well, slots side by side, or one value for all;
 * other operands have to be collected, and numbers that are used alone have to be stored
 * first. So packs are grown from outputs that are side by side, and from operations that
 * stand side by side in the program, down to their operands, and whole trees of packs are
 * kept if they take fewer instructions than their operations alone. */
#ifndef LV_EXPR_PACK_H
#define LV_EXPR_PACK_H

#include "base/arena.h"
#include "base/status.h"
#include "expr/op.h"

#include <stdbool.h>

enum { LV_PACK_WIDTH = 4 };

/* An operation that may become a member of a pack. */
typedef struct lv_pack_operation {
    lv_op op;
    int operand[3]; /* numbers of values */
    bool wanted;    /* false: nothing needs it */
    int home;       /* the slot of the output that it is, or -1 */
} lv_pack_operation;

typedef struct lv_pack {
    int member[LV_PACK_WIDTH]; /* operations */
} lv_pack;

typedef struct lv_packs {
    lv_pack *pack;
    int count;
    int *of; /* for each operation: its pack, or -1 */
} lv_packs;

/* Finds packs. The values below `slots` are slots, value slots + i is the result of
 * operation i. Operands of operations that commute may be exchanged. */
lv_status lv_packs_find(lv_packs *packs, lv_arena *arena, lv_pack_operation *operation,
                        int operations, int slots, lv_error *err);

/* The pack whose results are these values, in their order; -1: there is none. */
int lv_packs_match(const lv_packs *packs, int slots, const int *value);

/* Whether the values are slots side by side; whether they are all the same. */
bool lv_pack_in_row(int slots, const int *value);
bool lv_pack_same(const int *value);

#endif
