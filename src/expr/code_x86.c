/* Registers are assigned to values while the code is written, from its first to its last
 * operation. If none is free, the value whose next use is latest is evicted. If it has no
 * place in memory yet, neither as an input nor as an output, it is stored in a spare
 * slot, or in a block of the frame if there is none or it is a vector, which it keeps
 * until its last use.
 * The results of a pack whose numbers are used alone are stored at once, and the numbers
 * are read from there. */
#include "expr/code_x86.h"

#include <assert.h>
#include <limits.h>
#include <math.h>

enum { NONE = -1, FIRST = LV_X86_FIRST, SECOND = LV_X86_SECOND };

/* Slots from BLOCKS on are numbers in blocks of the frame, WIDTH of them in each. */
enum { BLOCKS = 1 << 28, MOST_BLOCKS = 1 << 10, WIDTH = LV_PACK_WIDTH };

typedef struct value {
    int reg;  /* its register, or NONE */
    int slot; /* its (first) place in memory, or NONE */
    int width;
    /* the slot is a spare one or in a block, to be released after the last use of the
     * value */
    bool spare;
    int next; /* the next step that uses it, or LV_TAPE_NEVER */
} value;

typedef struct generator {
    lv_x86 *x;
    const lv_tape *tape;
    int lanes;
    value *values;
    int registers;
    int held[LV_X86_REGISTERS]; /* the value in each register, or NONE */
    int *free_slots;
    int free_count;
    int users[MOST_BLOCKS]; /* of each block: values in it that are used again */
    int blocks;             /* so many have been used */
    bool failed;
} generator;

static lv_x86_place slot_place(const generator *g, int slot)
{
    if (slot >= BLOCKS)
        return (lv_x86_place){LV_X86_IN_BLOCK, (slot - BLOCKS) * (int)sizeof(double)};
    return (lv_x86_place){LV_X86_IN_SLOT, slot * g->lanes * (int)sizeof(double)};
}

/* The place of an operand: its register, else its slot. */
static lv_x86_place place_of(const generator *g, int v)
{
    const value *it = &g->values[v];
    assert(g->failed || it->reg != NONE || it->slot != NONE);
    return it->reg != NONE ? lv_x86_register(it->reg) : slot_place(g, it->slot);
}

/* ---- registers --------------------------------------------------------------------------- */

static void give_up_register(generator *g, int v)
{
    if (g->values[v].reg != NONE)
        g->held[g->values[v].reg] = NONE;
    g->values[v].reg = NONE;
}

static void give_up_slot(generator *g, int v)
{
    value *it = &g->values[v];
    if (!it->spare)
        return;
    if (it->slot >= BLOCKS)
        g->users[(it->slot - BLOCKS) / WIDTH]--;
    else
        g->free_slots[g->free_count++] = it->slot;
    it->spare = false;
    it->slot = NONE;
}

/* The first slot of a block that nothing uses. */
static int free_block(generator *g)
{
    int k = 0;
    while (k < MOST_BLOCKS && g->users[k] > 0)
        k++;
    g->failed = g->failed || k == MOST_BLOCKS;
    k = g->failed ? 0 : k;
    g->blocks = k < g->blocks ? g->blocks : k + 1;
    return BLOCKS + k * WIDTH;
}

/* Says that a value is in a slot of a block until its last use. */
static void put_into_block(generator *g, int v, int slot)
{
    g->values[v].slot = slot;
    g->values[v].spare = true;
    g->users[(slot - BLOCKS) / WIDTH]++;
}

/* Stores a register that holds a value of this width. */
static void store(generator *g, int width, int slot, int reg)
{
    const int current = g->x->width;
    if (g->tape->packed)
        g->x->width = width;
    lv_x86_store(g->x, slot_place(g, slot), reg);
    g->x->width = current;
}

/* Makes sure that a value that is used again is in memory. */
static void save_to_memory(generator *g, int v)
{
    value *it = &g->values[v];
    if (it->slot != NONE || it->next == LV_TAPE_NEVER)
        return;
    if (it->width == 1 && g->free_count > 0) {
        it->slot = g->free_slots[--g->free_count];
        it->spare = true;
    } else if (g->x->blocks) {
        put_into_block(g, v, free_block(g));
    } else {
        g->failed = true;
        return;
    }
    store(g, it->width, it->slot, it->reg);
}

static int free_register(const generator *g)
{
    for (int r = LV_X86_FREE; r < g->registers; r++)
        if (g->held[r] == NONE)
            return r;
    return NONE;
}

/* The register to evict: that of the value whose next use is latest, except operands of
 * the current step. */
static int register_to_evict(const generator *g, const lv_tape_step *step)
{
    int best = NONE, latest = -1;
    for (int r = LV_X86_FREE; r < g->registers; r++) {
        int v = g->held[r], next = g->values[v].next;
        bool is_read = false;
        for (int j = 0; j < step->operands; j++)
            is_read = is_read || step->operand[j] == v;
        if (next == LV_TAPE_NEVER)
            next = INT_MAX;
        if (!is_read && next > latest) {
            latest = next;
            best = r;
        }
    }
    return best;
}

static int take_register(generator *g, const lv_tape_step *step, int v)
{
    int r = free_register(g);
    if (r == NONE) {
        r = register_to_evict(g, step);
        save_to_memory(g, g->held[r]);
        give_up_register(g, g->held[r]);
    }
    g->held[r] = v;
    g->values[v].reg = r;
    return r;
}

/* Loads an operand into a register if it is not in one, and returns the register. */
static int in_register(generator *g, const lv_tape_step *step, int v)
{
    if (g->values[v].reg == NONE) {
        lv_x86_place from = place_of(g, v);
        lv_x86_load(g->x, take_register(g, step, v), from);
    }
    return g->values[v].reg;
}

/* Loads an operand that is used again if there is a free register for it. */
static void load_if_room(generator *g, const lv_tape_step *step, int v)
{
    if (g->values[v].next != LV_TAPE_NEVER && free_register(g) != NONE)
        (void)in_register(g, step, v);
}

/* ---- operations -------------------------------------------------------------------------- */

/* Takes a register for the result, which may be that of the operand `first` if this is
 * its last use. */
static int result_register(generator *g, const lv_tape_step *step, int first)
{
    if (g->values[first].next == LV_TAPE_NEVER)
        give_up_register(g, first);
    return take_register(g, step, step->result);
}

/* Generates result = a op b; one operand may be in memory. */
static void arithmetic(generator *g, const lv_tape_step *step, lv_x86_op op, int a, int b)
{
    bool commutes = op == LV_X86_ADD || op == LV_X86_MUL;
    if (commutes && g->values[a].reg == NONE && g->values[b].reg != NONE) {
        int swap = a;
        a = b;
        b = swap;
    }
    load_if_room(g, step, a);
    load_if_room(g, step, b);
    lv_x86_place from = place_of(g, a), second = place_of(g, b);
    if (from.kind == LV_X86_IN_SLOT && a == b)
        from = second = lv_x86_register(in_register(g, step, a));
    int d = result_register(g, step, a);
    if (from.kind != LV_X86_IN_REGISTER)
        lv_x86_load(g->x, d, from);
    lv_x86_arithmetic(g->x, op, d, from.kind == LV_X86_IN_REGISTER ? from.at : d, second);
}

static void masked(generator *g, const lv_tape_step *step, lv_x86_op op, int mask)
{
    int a = in_register(g, step, step->operand[0]);
    int d = result_register(g, step, step->operand[0]);
    lv_x86_bitwise(g->x, op, d, a, (lv_x86_place){LV_X86_IN_POOL, mask});
}

static void square_root(generator *g, const lv_tape_step *step)
{
    int a = in_register(g, step, step->operand[0]);
    lv_x86_sqrt(g->x, result_register(g, step, step->operand[0]), a);
}

/* 1 where a < b and the like, else 0 */
static void relation(generator *g, const lv_tape_step *step, lv_x86_relation which)
{
    int a = in_register(g, step, step->operand[0]);
    lv_x86_compare(g->x, which, FIRST, a, place_of(g, step->operand[1]));
    int d = result_register(g, step, step->operand[0]);
    lv_x86_bitwise(g->x, LV_X86_AND, d, FIRST,
                   (lv_x86_place){LV_X86_IN_POOL, LV_X86_ONE});
}

/* (0 < a) - (a < 0) */
static void sign(generator *g, const lv_tape_step *step)
{
    const lv_x86_place one = {LV_X86_IN_POOL, LV_X86_ONE};
    const lv_x86_place zero = lv_x86_register(FIRST);
    int a = in_register(g, step, step->operand[0]);
    int d = result_register(g, step, step->operand[0]);
    lv_x86_bitwise(g->x, LV_X86_XOR, FIRST, FIRST, zero);
    lv_x86_compare(g->x, LV_X86_LESS, SECOND, FIRST, lv_x86_register(a));
    lv_x86_bitwise(g->x, LV_X86_AND, SECOND, SECOND, one);
    lv_x86_compare(g->x, LV_X86_LESS, d, a, zero);
    lv_x86_bitwise(g->x, LV_X86_AND, d, d, one);
    lv_x86_arithmetic(g->x, LV_X86_SUB, SECOND, SECOND, lv_x86_register(d));
    lv_x86_load(g->x, d, lv_x86_register(SECOND));
}

/* a != 0 ? b : c, by masks */
static void select_one(generator *g, const lv_tape_step *step)
{
    const lv_x86_place first = lv_x86_register(FIRST);
    int a = in_register(g, step, step->operand[0]);
    lv_x86_place b = lv_x86_register(in_register(g, step, step->operand[1]));
    lv_x86_place c = lv_x86_register(in_register(g, step, step->operand[2]));
    lv_x86_bitwise(g->x, LV_X86_XOR, FIRST, FIRST, first);
    lv_x86_compare(g->x, LV_X86_NOT_EQUAL, SECOND, a, first);
    lv_x86_bitwise(g->x, LV_X86_AND, FIRST, SECOND, b);
    lv_x86_bitwise(g->x, LV_X86_AND_NOT, SECOND, SECOND, c);
    int d = result_register(g, step, step->operand[0]);
    lv_x86_bitwise(g->x, LV_X86_OR, d, FIRST, lv_x86_register(SECOND));
}

/* ---- functions --------------------------------------------------------------------------- */

#define FUNCTIONS_1(X)                                                                   \
    X(SIN, sin)                                                                          \
    X(COS, cos)                                                                          \
    X(TAN, tan)                                                                          \
    X(ASIN, asin)                                                                        \
    X(ACOS, acos)                                                                        \
    X(ATAN, atan)                                                                        \
    X(SINH, sinh)                                                                        \
    X(COSH, cosh)                                                                        \
    X(TANH, tanh)                                                                        \
    X(EXP, exp)                                                                          \
    X(LOG, log)

#define FUNCTIONS_2(X)                                                                   \
    X(POW, pow)                                                                          \
    X(ATAN2, atan2)

/* The functions for several numbers, as lv_x86_call expects them. */
#define LV_X(name, function)                                                             \
    static void many_##function(double *x, int count)                                    \
    {                                                                                    \
        for (int l = 0; l < count; l++)                                                  \
            x[l] = function(x[l]);                                                       \
    }
FUNCTIONS_1(LV_X)
#undef LV_X
#define LV_X(name, function)                                                             \
    static void many_##function(double *x, int count)                                    \
    {                                                                                    \
        for (int l = 0; l < count; l++)                                                  \
            x[l] = function(x[l], x[count + l]);                                         \
    }
FUNCTIONS_2(LV_X)
#undef LV_X

/* The address of the function that computes an operation for one number or for several;
 * 0: there is none. */
static uint64_t function_of(lv_op op, bool many)
{
#define LV_X(name, function)                                                             \
    if (op == LV_OP_##name)                                                              \
        return many ? (uintptr_t)many_##function : (uintptr_t)function;
    FUNCTIONS_1(LV_X)
    FUNCTIONS_2(LV_X)
#undef LV_X
    return 0;
}

static bool has_calls(const lv_tape *tape)
{
    for (int i = 0; i < tape->count; i++)
        if (tape->step[i].kind == LV_TAPE_OPERATE &&
            function_of(tape->step[i].op, false) != 0)
            return true;
    return false;
}

/* Saves all values that are used again, since no register survives a call. */
static void leave_registers(generator *g)
{
    for (int r = LV_X86_FREE; r < g->registers; r++)
        if (g->held[r] != NONE)
            save_to_memory(g, g->held[r]);
}

static void forget_registers(generator *g)
{
    for (int r = LV_X86_FREE; r < g->registers; r++)
        if (g->held[r] != NONE)
            give_up_register(g, g->held[r]);
}

static void call(generator *g, const lv_tape_step *step)
{
    lv_x86 *x = g->x;
    const lv_x86_place frame[] = {
        {LV_X86_IN_FRAME, 0}, {LV_X86_IN_FRAME, lv_x86_numbers(x) * (int)sizeof(double)}};
    leave_registers(g);
    for (int j = 0; j < step->operands; j++) {
        lv_x86_load(x, j, place_of(g, step->operand[j]));
        if (x->width > 1)
            lv_x86_store(x, frame[j], j);
    }
    lv_x86_call(x, function_of(step->op, x->width > 1));
    forget_registers(g);
    int d = take_register(g, step, step->result);
    lv_x86_load(x, d, x->width > 1 ? frame[0] : lv_x86_register(0));
}

/* ---- vectors ------------------------------------------------------------------------------ */

/* Whether two values are beside each other where they were stored together. */
static bool are_together(const generator *g, int a, int b)
{
    const int first = g->values[a].slot, second = g->values[b].slot;
    return first != NONE && second == first + 1 &&
           (first >= BLOCKS ? first / WIDTH == second / WIDTH
                            : a < g->tape->slots && b < g->tape->slots);
}

/* Puts two values side by side into a register. */
static void pair(generator *g, int d, int a, int b)
{
    lv_x86 *x = g->x;
    x->width = 2;
    if (are_together(g, a, b)) {
        lv_x86_load(x, d, slot_place(g, g->values[a].slot));
    } else if (a == b) {
        lv_x86_repeat(x, d, place_of(g, a));
    } else {
        lv_x86_place from = place_of(g, a);
        if (from.kind != LV_X86_IN_REGISTER) {
            x->width = 1;
            lv_x86_load(x, d, from);
            x->width = 2;
        }
        lv_x86_pair(x, d, from.kind == LV_X86_IN_REGISTER ? from.at : d, place_of(g, b));
    }
}

static void collect(generator *g, const lv_tape_step *step)
{
    const int d = take_register(g, step, step->result);
    pair(g, d, step->operand[0], step->operand[1]);
    pair(g, SECOND, step->operand[2], step->operand[3]);
    g->x->width = 4;
    lv_x86_join(g->x, d, d, SECOND);
}

static void repeat(generator *g, const lv_tape_step *step)
{
    const int d = take_register(g, step, step->result);
    lv_x86_repeat(g->x, d, place_of(g, step->operand[0]));
}

/* Stores the results of a pack, if anything needs them in memory, and its numbers where
 * they are outputs. */
static void store_pack(generator *g, const lv_tape_step *step)
{
    const lv_tape_value *it = &g->tape->value[step->result];
    const int reg = g->values[step->result].reg;
    if (!it->apart && it->home == NONE)
        return;
    const int slot = it->home != NONE ? it->home : free_block(g);
    store(g, it->width, slot, reg);
    if (it->home != NONE)
        g->values[step->result].slot = slot;
    else if (it->use != LV_TAPE_NEVER)
        put_into_block(g, step->result, slot);
    for (int l = 0; l < it->width; l++) {
        const lv_tape_value *number = &g->tape->value[it->numbers[l]];
        value *x = &g->values[it->numbers[l]];
        x->next = number->use;
        if (it->home != NONE)
            x->slot = slot + l;
        else if (number->use != LV_TAPE_NEVER)
            put_into_block(g, it->numbers[l], slot + l);
        if (it->home != NONE || number->home == NONE)
            continue;
        g->x->width = 1;
        lv_x86_load(g->x, FIRST, slot_place(g, slot + l));
        lv_x86_store(g->x, slot_place(g, number->home), FIRST);
    }
}

/* ---- all steps --------------------------------------------------------------------------- */

static void operate(generator *g, const lv_tape_step *step)
{
    int a = step->operand[0], b = step->operand[1];
    switch (step->op) {
    case LV_OP_ADD:
        arithmetic(g, step, LV_X86_ADD, a, b);
        break;
    case LV_OP_SUB:
        arithmetic(g, step, LV_X86_SUB, a, b);
        break;
    case LV_OP_MUL:
        arithmetic(g, step, LV_X86_MUL, a, b);
        break;
    case LV_OP_DIV:
        arithmetic(g, step, LV_X86_DIV, a, b);
        break;
    case LV_OP_SQUARE:
        arithmetic(g, step, LV_X86_MUL, a, a);
        break;
    case LV_OP_MIN: /* b < a ? b : a */
        arithmetic(g, step, LV_X86_MIN, b, a);
        break;
    case LV_OP_MAX: /* b > a ? b : a */
        arithmetic(g, step, LV_X86_MAX, b, a);
        break;
    case LV_OP_NEG:
        masked(g, step, LV_X86_XOR, LV_X86_SIGN);
        break;
    case LV_OP_ABS:
        masked(g, step, LV_X86_AND, LV_X86_NO_SIGN);
        break;
    case LV_OP_SQRT:
        square_root(g, step);
        break;
    case LV_OP_SIGN:
        sign(g, step);
        break;
    case LV_OP_LESS:
        relation(g, step, LV_X86_LESS);
        break;
    case LV_OP_LESS_EQUAL:
        relation(g, step, LV_X86_LESS_EQUAL);
        break;
    case LV_OP_EQUAL:
        relation(g, step, LV_X86_EQUAL);
        break;
    case LV_OP_SELECT:
        select_one(g, step);
        break;
    case LV_OP_SIN:
    case LV_OP_COS:
    case LV_OP_TAN:
    case LV_OP_ASIN:
    case LV_OP_ACOS:
    case LV_OP_ATAN:
    case LV_OP_SINH:
    case LV_OP_COSH:
    case LV_OP_TANH:
    case LV_OP_EXP:
    case LV_OP_LOG:
    case LV_OP_POW:
    case LV_OP_ATAN2:
        call(g, step);
        break;
    case LV_OP_CONST:
    case LV_OP_INPUT:
    case LV_OP_COUNT:
        g->failed = true;
        break;
    }
}

/* Stores an output in its slot at once, and releases the registers and slots of values
 * that are not used again. */
static void finish_step(generator *g, const lv_tape_step *step)
{
    value *result = &g->values[step->result];
    const lv_tape_value *it = &g->tape->value[step->result];
    result->next = it->use;
    if (it->numbers) {
        store_pack(g, step);
    } else if (it->home != NONE) {
        store(g, it->width, it->home, result->reg);
        result->slot = it->home;
    }
    if (result->next == LV_TAPE_NEVER)
        give_up_register(g, step->result);
    for (int j = 0; j < step->operands; j++)
        if (g->values[step->operand[j]].next == LV_TAPE_NEVER) {
            give_up_register(g, step->operand[j]);
            give_up_slot(g, step->operand[j]);
        }
}

static void make(generator *g, const lv_tape_step *step)
{
    for (int j = 0; j < step->operands; j++)
        g->values[step->operand[j]].next = step->next[j];
    if (g->tape->packed)
        g->x->width = step->width;
    if (step->kind == LV_TAPE_OPERATE)
        operate(g, step);
    else if (step->kind == LV_TAPE_REPEAT)
        repeat(g, step);
    else
        collect(g, step);
    finish_step(g, step);
}

static bool generator_init(generator *g, lv_arena *arena)
{
    const lv_tape *tape = g->tape;
    g->values = lv_arena_alloc(arena, (size_t)tape->values, sizeof *g->values);
    g->free_slots =
        lv_arena_alloc(arena, (size_t)tape->spare_count, sizeof *g->free_slots);
    if (!g->values || !g->free_slots)
        return false;
    for (int v = 0; v < tape->values; v++)
        g->values[v] = (value){
            .reg = NONE, .slot = tape->value[v].slot, .width = tape->value[v].width};
    for (int k = tape->spare_count - 1; k >= 0; k--)
        g->free_slots[g->free_count++] = tape->spare[k];
    for (int r = LV_X86_FREE; r < g->registers; r++)
        g->held[r] = NONE;
    return true;
}

bool lv_code_x86(lv_x86 *x, const lv_tape *tape, int lanes)
{
    lv_arena arena = {0};
    generator g = {
        .x = x, .tape = tape, .lanes = lanes, .registers = lv_x86_registers(x)};
    int turns = lanes / lv_x86_numbers(x);
    bool ok = generator_init(&g, &arena);
    lv_x86_begin(x, turns, has_calls(tape), tape->packed);
    for (int i = 0; ok && i < tape->count && !g.failed && !x->failed; i++)
        make(&g, &tape->step[i]);
    lv_x86_end(x, turns, g.blocks);
    lv_arena_done(&arena);
    return ok && !g.failed && !x->failed;
}
