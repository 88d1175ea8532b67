#include "expr/tape.h"

#include <assert.h>
#include <string.h>

enum { NO_SLOT = -1, NONE = -1 };

typedef enum progress { UNTOUCHED, OPEN, DONE } progress;

/* Units are operations, by their numbers, and behind them packs. */
typedef struct builder {
    const lv_program *program;
    lv_part part;
    lv_arena *arena;
    lv_pack_operation *all; /* operations in the order of the program */
    int operations;
    int *slot_value; /* the current value in each slot */
    int *spare;
    int *leaf;   /* for each operation: the slot where its result is given, or NO_SLOT */
    int *height; /* length of the longest chain of operations up to each one */
    lv_packs packs;
    progress *progress; /* by unit */
    int *order, units;  /* units in the order of the tape */
    int *stack, depth;
    int *vectors; /* by value: the last vector that begins with it, or NONE */
    int *earlier; /* by vector: the one before it that begins alike, or NONE */
    lv_tape_value *value;
    int values;
    lv_tape_step *step; /* those that are needed, in the order of the tape */
    int *maker;         /* by vector: the step that makes it */
    int count;
} builder;

static lv_status allocate(builder *b, lv_error *err)
{
    const lv_program *p = b->program;
    lv_arena *arena = b->arena;
    const size_t slots = (size_t)p->slots + 1, operations = (size_t)p->operations + 1;
    b->all = lv_arena_alloc(arena, operations, sizeof *b->all);
    b->slot_value = lv_arena_alloc(arena, slots, sizeof *b->slot_value);
    b->spare = lv_arena_alloc(arena, slots, sizeof *b->spare);
    b->leaf = lv_arena_alloc(arena, operations, sizeof *b->leaf);
    b->height = lv_arena_alloc(arena, operations, sizeof *b->height);
    bool ok = b->all && b->slot_value && b->spare && b->leaf && b->height;
    return ok ? LV_OK : lv_fail_memory(err);
}

/* Makes room for units and values: each operand of each pack may be a vector of its
 * own. */
static lv_status allocate_units(builder *b, lv_error *err)
{
    const size_t units = (size_t)b->operations + (size_t)b->packs.count + 1,
                 steps = units + 2 * (size_t)b->packs.count,
                 values = (size_t)b->program->slots + steps;
    lv_arena *arena = b->arena;
    b->progress = lv_arena_alloc(arena, units, sizeof *b->progress);
    b->order = lv_arena_alloc(arena, units, sizeof *b->order);
    b->stack = lv_arena_alloc(arena, units, sizeof *b->stack);
    b->value = lv_arena_alloc(arena, values, sizeof *b->value);
    b->step = lv_arena_alloc(arena, steps, sizeof *b->step);
    b->vectors = lv_arena_alloc(arena, 3 * values, sizeof *b->vectors);
    if (!b->progress || !b->order || !b->stack || !b->value || !b->step || !b->vectors)
        return lv_fail_memory(err);
    b->earlier = b->vectors + values;
    b->maker = b->earlier + values;
    for (size_t v = 0; v < values; v++)
        b->vectors[v] = NONE;
    return LV_OK;
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
    const int i = b->operations++;
    lv_pack_operation *x = &b->all[i];
    *x = (lv_pack_operation){.op = op, .home = NO_SLOT};
    for (int j = 0; j < lv_op_arity(op); j++) {
        x->operand[j] = operand[j];
        if (b->height[i] <= height_of(b, operand[j]))
            b->height[i] = height_of(b, operand[j]) + 1;
    }
    return b->program->slots + i;
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

/* Reads the runs; afterwards slot_value[] is what each slot holds at the end. */
static void read_operations(builder *b)
{
    const lv_program *p = b->program;
    for (int s = 0; s < p->slots; s++)
        b->slot_value[s] = s;
    for (int r = 0; r < p->run_count[LV_SEGMENT_MAIN]; r++) {
        const lv_op_run *run = &p->run[LV_SEGMENT_MAIN][r];
        const int arity = lv_op_run_arity(run), *slot = p->operand + run->first;
        for (int k = 0; k < run->count; k++, slot += arity + 1) {
            int operand[3] = {0};
            for (int j = 0; j < arity; j++)
                operand[j] = b->slot_value[slot[j]];
            b->slot_value[slot[arity]] = run->fused == LV_FUSED_NOT
                                             ? append_operation(b, run->op, operand)
                                             : append_fused(b, run, operand);
        }
    }
}

/* Results that are given are read from their slots. */
static void find_given(builder *b)
{
    const lv_program *p = b->program;
    for (int i = 0; i < b->operations; i++)
        b->leaf[i] = NO_SLOT;
    for (int k = 0; b->part.given && k < p->output_count; k++)
        if (b->part.given[k] && maker(b, b->slot_value[p->output[k]]) >= 0)
            b->leaf[maker(b, b->slot_value[p->output[k]])] = p->output[k];
    for (int i = 0; i < b->operations; i++)
        for (int j = 0; j < lv_op_arity(b->all[i].op); j++) {
            const int from = maker(b, b->all[i].operand[j]);
            if (from >= 0 && b->leaf[from] != NO_SLOT)
                b->all[i].operand[j] = b->leaf[from];
        }
}

static bool is_wanted(const builder *b, int output)
{
    return !b->part.wanted || b->part.wanted[output];
}

/* Assigns wanted outputs to their slots; the other slots that MAIN writes, and those for
 * machine code, are spare. Returns the number of spare slots. */
static int find_homes(builder *b)
{
    const lv_program *p = b->program;
    int spare_count = 0;
    for (int k = 0; k < p->output_count; k++) {
        const int i = maker(b, b->slot_value[p->output[k]]);
        if (is_wanted(b, k) && i >= 0)
            b->all[i].home = p->output[k];
    }
    for (int s = 0; s < p->slots; s++) {
        const int i = maker(b, b->slot_value[s]);
        if (i >= 0 && b->all[i].home == NO_SLOT && b->leaf[i] == NO_SLOT)
            b->spare[spare_count++] = s;
    }
    for (int k = 0; k < p->spare_count; k++)
        b->spare[spare_count++] = p->spare + k;
    return spare_count;
}

/* Finds the operations that wanted outputs need. */
static void find_wanted(builder *b)
{
    for (int i = b->operations - 1; i >= 0; i--) {
        const lv_pack_operation *x = &b->all[i];
        b->all[i].wanted = x->wanted || x->home != NO_SLOT;
        for (int j = 0; x->wanted && j < lv_op_arity(x->op); j++)
            if (maker(b, x->operand[j]) >= 0)
                b->all[maker(b, x->operand[j])].wanted = true;
    }
}

/* ---- order -------------------------------------------------------------------------- */

/* The unit that computes a value, or NONE. */
static int unit_of(const builder *b, int value)
{
    const int i = maker(b, value);
    return i < 0 ? NONE
           : b->packs.count == 0 || b->packs.of[i] == NONE
               ? i
               : b->operations + b->packs.of[i];
}

/* The missing operand of an operation whose unit has to be made next: that of the largest
 * height, if this is above `most`. Returns its unit, or NONE. */
static int missing_operand(const builder *b, int operation, int *most)
{
    const lv_pack_operation *x = &b->all[operation];
    int best = NONE;
    for (int j = 0; j < lv_op_arity(x->op); j++) {
        const int unit = unit_of(b, x->operand[j]);
        if (unit >= 0 && b->progress[unit] != DONE &&
            height_of(b, x->operand[j]) > *most) {
            *most = height_of(b, x->operand[j]);
            best = unit;
        }
    }
    return best;
}

/* The same for a unit. */
static int missing_unit(const builder *b, int unit)
{
    int most = 0, best = NONE;
    if (unit < b->operations)
        return missing_operand(b, unit, &most);
    for (int l = 0; l < LV_PACK_WIDTH; l++) {
        const int missing =
            missing_operand(b, b->packs.pack[unit - b->operations].member[l], &most);
        best = missing >= 0 ? missing : best;
    }
    return best;
}

/* How far apart the members of a pack are in the longest chains up to them. */
static int spread_of(const builder *b, const lv_pack *p)
{
    int least = b->height[p->member[0]], most = least;
    for (int l = 1; l < LV_PACK_WIDTH; l++) {
        const int height = b->height[p->member[l]];
        least = height < least ? height : least;
        most = height > most ? height : most;
    }
    return most - least;
}

/* Packs wait for each other: those on the stack from this unit on. The one whose members
 * are farthest apart is taken apart, and the stack is taken back to what was there before
 * it. */
static void take_apart(builder *b, int unit)
{
    int worst = NONE, most = -1;
    for (int i = b->depth - 1, last = NONE; last != unit; last = b->stack[i--]) {
        const int k = b->stack[i] - b->operations;
        if (k >= 0 && spread_of(b, &b->packs.pack[k]) > most) {
            most = spread_of(b, &b->packs.pack[k]);
            worst = i;
        }
    }
    assert(worst >= 0); /* operations alone do not wait for each other */
    const lv_pack *p = &b->packs.pack[b->stack[worst] - b->operations];
    for (int l = 0; l < LV_PACK_WIDTH; l++)
        b->packs.of[p->member[l]] = NONE;
    while (b->depth > worst)
        b->progress[b->stack[--b->depth]] = UNTOUCHED;
}

/* Appends what computes a value, and what this needs. */
static void order_depth_first(builder *b, int value)
{
    while (unit_of(b, value) >= 0 && b->progress[unit_of(b, value)] != DONE) {
        if (b->depth == 0)
            b->stack[b->depth++] = unit_of(b, value);
        const int unit = b->stack[b->depth - 1], missing = missing_unit(b, unit);
        b->progress[unit] = OPEN;
        if (missing < 0) {
            b->progress[unit] = DONE;
            b->order[b->units++] = unit;
            b->depth--;
        } else if (b->progress[missing] == OPEN) {
            take_apart(b, missing);
        } else {
            b->stack[b->depth++] = missing;
        }
    }
}

static void order_all(builder *b)
{
    const lv_program *p = b->program;
    for (int k = 0; k < p->output_count; k++)
        if (is_wanted(b, k))
            order_depth_first(b, b->slot_value[p->output[k]]);
}

/* Takes the operations that an output needs in the order of the program. */
static void order_as_compiled(builder *b)
{
    for (int i = 0; i < b->operations; i++)
        if (b->all[i].wanted)
            b->order[b->units++] = i;
}

/* ---- steps -------------------------------------------------------------------------- */

static lv_tape_value value_of(int width, int slot, int home)
{
    return (lv_tape_value){
        .width = width, .slot = slot, .home = home, .use = LV_TAPE_NEVER};
}

/* Whether a pack has not been taken apart. */
static bool is_whole(const builder *b, int k)
{
    return b->packs.of[b->packs.pack[k].member[0]] == k;
}

/* The value of pack k. */
static int value_of_pack(const builder *b, int k)
{
    return b->program->slots + b->operations + k;
}

/* The first slot of outputs that are side by side, or NO_SLOT. */
static int home_of_pack(const builder *b, const lv_pack *p)
{
    int home[LV_PACK_WIDTH];
    for (int l = 0; l < LV_PACK_WIDTH; l++)
        home[l] = b->all[p->member[l]].home;
    return home[0] != NO_SLOT && lv_pack_in_row(b->program->slots, home) ? home[0]
                                                                         : NO_SLOT;
}

/* Sets what is known of the values of slots, operations and packs. */
static lv_status set_values(builder *b, lv_error *err)
{
    const int slots = b->program->slots, packs = b->packs.count;
    int *numbers =
        lv_arena_alloc(b->arena, LV_PACK_WIDTH * (size_t)packs + 1, sizeof *numbers);
    if (!numbers)
        return lv_fail_memory(err);
    for (int s = 0; s < slots; s++)
        b->value[s] = value_of(1, s, NO_SLOT);
    for (int i = 0; i < b->operations; i++)
        b->value[slots + i] = value_of(1, NO_SLOT, b->all[i].home);
    for (int k = 0; k < packs; k++, numbers += LV_PACK_WIDTH) {
        lv_tape_value *x = &b->value[value_of_pack(b, k)];
        *x = value_of(LV_PACK_WIDTH, NO_SLOT, home_of_pack(b, &b->packs.pack[k]));
        x->numbers = numbers;
        for (int l = 0; l < LV_PACK_WIDTH; l++)
            numbers[l] = slots + b->packs.pack[k].member[l];
    }
    b->values = slots + b->operations + packs;
    return LV_OK;
}

/* Adds a vector that no step makes yet. */
static int add_vector(builder *b, int slot)
{
    b->value[b->values] = value_of(LV_PACK_WIDTH, slot, NO_SLOT);
    return b->values++;
}

/* Adds a step that makes a vector of these values. */
static int collect(builder *b, const int *value)
{
    const int v = add_vector(b, NO_SLOT);
    const bool same = lv_pack_same(value);
    lv_tape_step *step = &b->step[b->count];
    *step = (lv_tape_step){.kind = same ? LV_TAPE_REPEAT : LV_TAPE_COLLECT,
                           .width = LV_PACK_WIDTH,
                           .result = v,
                           .operands = same ? 1 : LV_PACK_WIDTH};
    memcpy(step->operand, value, sizeof step->operand);
    b->maker[v] = b->count++;
    b->earlier[v] = b->vectors[value[0]];
    b->vectors[value[0]] = v;
    return v;
}

/* The vector of these values: the results of a pack, slots side by side, or one that a
 * step makes, once for all uses. */
static int find_vector(builder *b, const int *value)
{
    const int pack = lv_packs_match(&b->packs, b->program->slots, value);
    if (pack >= 0)
        return value_of_pack(b, pack);
    if (lv_pack_in_row(b->program->slots, value))
        return add_vector(b, value[0]);
    for (int v = b->vectors[value[0]]; v != NONE; v = b->earlier[v])
        if (memcmp(b->step[b->maker[v]].operand, value, LV_PACK_WIDTH * sizeof *value) ==
            0)
            return v;
    return collect(b, value);
}

static void add_operation(builder *b, int i)
{
    const lv_pack_operation *x = &b->all[i];
    lv_tape_step step = {.kind = LV_TAPE_OPERATE,
                         .op = x->op,
                         .width = 1,
                         .result = b->program->slots + i,
                         .operands = lv_op_arity(x->op)};
    memcpy(step.operand, x->operand, sizeof x->operand);
    b->step[b->count++] = step;
}

static void add_pack(builder *b, int k)
{
    const lv_pack *p = &b->packs.pack[k];
    lv_tape_step step = {.kind = LV_TAPE_OPERATE,
                         .op = b->all[p->member[0]].op,
                         .width = LV_PACK_WIDTH,
                         .result = value_of_pack(b, k),
                         .operands = lv_op_arity(b->all[p->member[0]].op)};
    for (int j = 0; j < step.operands; j++) {
        int value[LV_PACK_WIDTH];
        for (int l = 0; l < LV_PACK_WIDTH; l++)
            value[l] = b->all[p->member[l]].operand[j];
        step.operand[j] = find_vector(b, value);
    }
    b->step[b->count++] = step;
}

static lv_status make_steps(builder *b, lv_tape_order order, lv_error *err)
{
    if (order == LV_TAPE_PACKED)
        LV_TRY(lv_packs_find(&b->packs, b->arena, b->all, b->operations,
                             b->program->slots, err));
    LV_TRY(allocate_units(b, err));
    if (order == LV_TAPE_AS_COMPILED)
        order_as_compiled(b);
    else
        order_all(b);
    LV_TRY(set_values(b, err));
    for (int k = 0; k < b->units; k++)
        if (b->order[k] < b->operations)
            add_operation(b, b->order[k]);
        else
            add_pack(b, b->order[k] - b->operations);
    return LV_OK;
}

/* ---- uses --------------------------------------------------------------------------- */

/* Walks backwards; use is the use of a value that was seen last, that is, the next one in
 * the tape. */
static void find_uses(builder *b)
{
    for (int i = b->count - 1; i >= 0; i--) {
        lv_tape_step *step = &b->step[i];
        for (int j = 0; j < step->operands; j++)
            step->next[j] = b->value[step->operand[j]].use;
        for (int j = 0; j < step->operands; j++)
            b->value[step->operand[j]].use = i;
    }
}

static void find_apart(builder *b)
{
    for (int k = 0; k < b->packs.count; k++) {
        lv_tape_value *x = &b->value[value_of_pack(b, k)];
        for (int l = 0; l < LV_PACK_WIDTH && is_whole(b, k); l++) {
            const lv_tape_value *number = &b->value[x->numbers[l]];
            x->apart = x->apart || number->use != LV_TAPE_NEVER ||
                       (x->home == NO_SLOT && number->home != NO_SLOT);
        }
    }
}

lv_status lv_tape_init(lv_tape *tape, lv_arena *arena, const lv_program *program,
                       lv_part part, lv_tape_order order, lv_error *err)
{
    builder b = {.program = program, .part = part, .arena = arena};
    LV_TRY(allocate(&b, err));
    read_operations(&b);
    find_given(&b);
    int spare_count = find_homes(&b);
    find_wanted(&b);
    LV_TRY(make_steps(&b, order, err));
    find_uses(&b);
    find_apart(&b);
    *tape = (lv_tape){.slots = program->slots,
                      .values = b.values,
                      .count = b.count,
                      .step = b.step,
                      .value = b.value,
                      .spare = b.spare,
                      .spare_count = spare_count,
                      .packed = b.packs.count > 0};
    return LV_OK;
}
