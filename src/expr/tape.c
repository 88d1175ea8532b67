#include "expr/tape.h"

#include <assert.h>

enum { NO_SLOT = -1 };

typedef struct builder {
    const lv_program *program;
    lv_tape_step *all;  /* operations in the order of the program */
    lv_tape_step *step; /* those that are needed, in the order of the tape */
    int operations;
    int *value; /* the current value in each slot */
    int *home, *spare;
    int *height; /* length of the longest chain of operations up to each one */
    bool *done;  /* for each operation: it is on the tape, or will be */
    int *stack, depth;
    int count;
} builder;

static lv_status allocate(builder *b, lv_arena *arena, lv_error *err)
{
    const lv_program *p = b->program;
    size_t slots = (size_t)p->slots + 1, operations = (size_t)p->operations + 1;
    b->all = lv_arena_alloc(arena, operations, sizeof *b->all);
    b->step = lv_arena_alloc(arena, operations, sizeof *b->step);
    b->value = lv_arena_alloc(arena, slots, sizeof *b->value);
    b->home = lv_arena_alloc(arena, slots + operations, sizeof *b->home);
    b->spare = lv_arena_alloc(arena, slots, sizeof *b->spare);
    b->height = lv_arena_alloc(arena, operations, sizeof *b->height);
    b->done = lv_arena_alloc(arena, operations, sizeof *b->done);
    b->stack = lv_arena_alloc(arena, operations, sizeof *b->stack);
    bool ok = b->all && b->step && b->value && b->home && b->spare && b->height &&
              b->done && b->stack;
    return ok ? LV_OK : lv_fail_memory(err);
}

/* The operation that produces a value; negative: none. */
static int maker(const builder *b, int value)
{
    return value - b->program->slots;
}

static int height_of(const builder *b, int value)
{
    return maker(b, value) < 0 ? 0 : b->height[maker(b, value)];
}

/* Appends an operation in the order of the program; returns its value. */
static int append_operation(builder *b, lv_op op, const int operand[3])
{
    int i = b->operations++;
    lv_tape_step *step = &b->all[i];
    *step = (lv_tape_step){.op = op, .result = b->program->slots + i};
    for (int j = 0; j < lv_op_arity(op); j++) {
        step->operand[j] = operand[j];
        if (b->height[i] <= height_of(b, operand[j]))
            b->height[i] = height_of(b, operand[j]) + 1;
    }
    return step->result;
}

/* A fused product becomes an operation of its own. */
static int append_fused(builder *b, const lv_op_run *run, const int operand[3])
{
    int product = append_operation(b, LV_OP_MUL, operand);
    bool first = run->fused == LV_FUSED_FIRST;
    return append_operation(
        b, run->op,
        (const int[3]){first ? product : operand[2], first ? operand[2] : product, 0});
}

/* Reads the runs; afterwards value[] is what each slot holds at the end. */
static void read_operations(builder *b)
{
    const lv_program *p = b->program;
    for (int s = 0; s < p->slots; s++)
        b->value[s] = s;
    for (int r = 0; r < p->run_count[LV_SEGMENT_MAIN]; r++) {
        const lv_op_run *run = &p->run[LV_SEGMENT_MAIN][r];
        const int arity = lv_op_run_arity(run), *slot = p->operand + run->first;
        for (int k = 0; k < run->count; k++, slot += arity + 1) {
            int operand[3] = {0};
            for (int j = 0; j < arity; j++)
                operand[j] = b->value[slot[j]];
            b->value[slot[arity]] = run->fused == LV_FUSED_NOT
                                        ? append_operation(b, run->op, operand)
                                        : append_fused(b, run, operand);
        }
    }
}

/* Assigns outputs to their slots; the other slots that MAIN writes, and those for machine
 * code, are spare. Returns the number of spare slots. */
static int find_homes(builder *b)
{
    const lv_program *p = b->program;
    int spare_count = 0;
    for (int v = 0; v < p->slots + b->operations; v++)
        b->home[v] = NO_SLOT;
    for (int k = 0; k < p->output_count; k++)
        b->home[b->value[p->output[k]]] = p->output[k];
    for (int s = 0; s < p->slots; s++)
        if (b->value[s] >= p->slots && b->home[b->value[s]] == NO_SLOT)
            b->spare[spare_count++] = s;
    for (int k = 0; k < p->spare_count; k++)
        b->spare[spare_count++] = p->spare + k;
    return spare_count;
}

/* ---- order ------------------------------------------------------------------------------ */

/* The operation that must be computed next before a step: the missing operand of the
 * largest height, or -1. */
static int missing_operand(const builder *b, const lv_tape_step *step)
{
    int best = -1;
    for (int j = 0; j < lv_op_arity(step->op); j++) {
        int i = maker(b, step->operand[j]);
        if (i >= 0 && !b->done[i] && (best < 0 || b->height[i] > b->height[best]))
            best = i;
    }
    return best;
}

static void order_depth_first(builder *b, int operation)
{
    if (operation < 0 || b->done[operation])
        return;
    b->stack[b->depth++] = operation;
    while (b->depth > 0) {
        int i = b->stack[b->depth - 1], missing = missing_operand(b, &b->all[i]);
        if (missing >= 0) {
            b->stack[b->depth++] = missing;
        } else {
            b->done[i] = true;
            b->step[b->count++] = b->all[i];
            b->depth--;
        }
    }
}

/* Takes the operations that an output needs in the order of the program. */
static void order_as_compiled(builder *b)
{
    for (int i = b->operations - 1; i >= 0; i--) {
        const lv_tape_step *step = &b->all[i];
        b->done[i] = b->done[i] || b->home[step->result] != NO_SLOT;
        for (int j = 0; b->done[i] && j < lv_op_arity(step->op); j++)
            if (maker(b, step->operand[j]) >= 0)
                b->done[maker(b, step->operand[j])] = true;
    }
    for (int i = 0; i < b->operations; i++)
        if (b->done[i])
            b->step[b->count++] = b->all[i];
}

/* Walks backwards; last[v] is the use of value v that was seen last, that is, the next
 * one in the tape. */
static lv_status find_uses(builder *b, lv_arena *arena, lv_error *err)
{
    int values = b->program->slots + b->operations;
    int *last = lv_arena_alloc(arena, (size_t)values + 1, sizeof *last);
    if (!last)
        return lv_fail_memory(err);
    for (int v = 0; v < values; v++)
        last[v] = LV_TAPE_NEVER;
    for (int i = b->count - 1; i >= 0; i--) {
        lv_tape_step *step = &b->step[i];
        step->use = last[step->result];
        for (int j = 0; j < lv_op_arity(step->op); j++)
            step->next[j] = last[step->operand[j]];
        for (int j = 0; j < lv_op_arity(step->op); j++)
            last[step->operand[j]] = i;
    }
    return LV_OK;
}

lv_status lv_tape_init(lv_tape *tape, lv_arena *arena, const lv_program *program,
                       lv_tape_order order, lv_error *err)
{
    builder b = {.program = program};
    LV_TRY(allocate(&b, arena, err));
    read_operations(&b);
    int spare_count = find_homes(&b);
    if (order == LV_TAPE_AS_COMPILED)
        order_as_compiled(&b);
    else
        for (int k = 0; k < program->output_count; k++)
            order_depth_first(&b, maker(&b, b.value[program->output[k]]));
    LV_TRY(find_uses(&b, arena, err));
    *tape = (lv_tape){.slots = program->slots,
                      .values = program->slots + b.operations,
                      .count = b.count,
                      .step = b.step,
                      .home = b.home,
                      .spare = b.spare,
                      .spare_count = spare_count};
    return LV_OK;
}
