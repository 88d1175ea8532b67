#include "expr/pack.h"

enum { NONE = -1 };

/* Fewer instructions than these are not worth a frame, which a function without packs
 * does without. */
enum { LEAST_SAVED = 24 };

/* Most packs of a tree; larger trees go on in the trees that are tried next. */
enum { LARGEST_TREE = 48 };

typedef struct finder {
    lv_pack_operation *operation;
    int operations, slots;
    lv_packs packs;
    int *start;  /* by value: its first user in `user`; the next value's is the end */
    int *user;   /* operations that use values */
    int *packed; /* by pack: how often its results are used as they are */
    int tree;    /* first pack of the tree that is being grown */
    int *used;   /* packs that this tree uses, once for each use */
    int used_count;
    int saved; /* by all packs, in instructions */
} finder;

static int maker(const finder *f, int value)
{
    return value - f->slots;
}

static int uses_of(const finder *f, int value)
{
    return f->start[value + 1] - f->start[value];
}

/* The number of operands of an operation that anything needs. */
static int operands_of(const finder *f, int i)
{
    return f->operation[i].wanted ? lv_op_arity(f->operation[i].op) : 0;
}

static bool are_same(const int *value, int count)
{
    bool same = true;
    for (int l = 1; l < count; l++)
        same = same && value[l] == value[0];
    return same;
}

static bool are_in_row(int slots, const int *value, int count)
{
    bool row = value[0] + count <= slots;
    for (int l = 1; l < count; l++)
        row = row && value[l] == value[0] + l;
    return row;
}

bool lv_pack_same(const int *value)
{
    return are_same(value, LV_PACK_WIDTH);
}

bool lv_pack_in_row(int slots, const int *value)
{
    return are_in_row(slots, value, LV_PACK_WIDTH);
}

int lv_packs_match(const lv_packs *packs, int slots, const int *value)
{
    const int k = value[0] < slots ? NONE : packs->of[value[0] - slots];
    for (int l = 0; k >= 0 && l < LV_PACK_WIDTH; l++)
        if (packs->pack[k].member[l] != value[l] - slots)
            return NONE;
    return k;
}

static bool is_packable(lv_op op)
{
    return op == LV_OP_ADD || op == LV_OP_SUB || op == LV_OP_MUL || op == LV_OP_DIV ||
           op == LV_OP_NEG || op == LV_OP_SQUARE || op == LV_OP_SQRT || op == LV_OP_ABS ||
           op == LV_OP_MIN || op == LV_OP_MAX;
}

static bool commutes(lv_op op)
{
    return op == LV_OP_ADD || op == LV_OP_MUL;
}

/* Whether the values are results of operations that may become a pack. */
static bool may_be_packed(const finder *f, const int *value)
{
    for (int l = 0; l < LV_PACK_WIDTH; l++) {
        const int i = maker(f, value[l]);
        if (i < 0 || !f->operation[i].wanted || f->packs.of[i] != NONE ||
            f->operation[i].op != f->operation[maker(f, value[0])].op)
            return false;
        for (int k = 0; k < l; k++)
            if (value[k] == value[l])
                return false;
    }
    return is_packable(f->operation[maker(f, value[0])].op);
}

/* ---- costs, in instructions --------------------------------------------------------- */

/* What it takes to collect two numbers in a register. */
static int cost_of_pair(const finder *f, const int *value)
{
    return are_same(value, 2) || are_in_row(f->slots, value, 2) ? 1 : 2;
}

static int cost_of_collecting(const finder *f, const int *value)
{
    return cost_of_pair(f, value) + cost_of_pair(f, value + 2) + 1;
}

/* What it takes to store the results of a pack where others find them one by one, less
 * what single operations would take. */
static int cost_of_results(const finder *f, int pack)
{
    const lv_pack *p = &f->packs.pack[pack];
    int homes = 0, alone = 0, home[LV_PACK_WIDTH] = {0};
    for (int l = 0; l < LV_PACK_WIDTH; l++) {
        home[l] = f->operation[p->member[l]].home;
        homes += home[l] >= 0;
        alone += uses_of(f, f->slots + p->member[l]) > f->packed[pack];
    }
    if (homes == LV_PACK_WIDTH && lv_pack_in_row(f->slots, home))
        return 1 - LV_PACK_WIDTH;
    return (homes + alone > 0) + homes;
}

/* ---- trees -------------------------------------------------------------------------- */

/* How well two operands fit beside each other, the second one `l` numbers farther on. */
static int fitness(const finder *f, int first, int other, int l)
{
    const int i = maker(f, first), k = maker(f, other);
    if (first == other)
        return 2;
    if (i < 0 || k < 0)
        return i < 0 && k < 0 ? 1 + 2 * (other == first + l) : 0;
    if (f->packs.of[i] != NONE || f->packs.of[k] != NONE)
        return f->packs.of[i] == f->packs.of[k] ? 3 : 0;
    return f->operation[i].op == f->operation[k].op ? 2 : 0;
}

/* Exchanges operands of members so that they fit those of the first one. */
static void align(finder *f, const lv_pack *p)
{
    const lv_pack_operation *first = &f->operation[p->member[0]];
    for (int l = 1; l < LV_PACK_WIDTH && commutes(first->op); l++) {
        int *x = f->operation[p->member[l]].operand;
        const int as_it_is = fitness(f, first->operand[0], x[0], l) +
                             fitness(f, first->operand[1], x[1], l),
                  exchanged = fitness(f, first->operand[0], x[1], l) +
                              fitness(f, first->operand[1], x[0], l);
        if (exchanged > as_it_is) {
            const int swap = x[0];
            x[0] = x[1];
            x[1] = swap;
        }
    }
}

static int add_pack(finder *f, const int *value)
{
    const int k = f->packs.count++;
    f->packed[k] = 0;
    for (int l = 0; l < LV_PACK_WIDTH; l++) {
        f->packs.pack[k].member[l] = maker(f, value[l]);
        f->packs.of[maker(f, value[l])] = k;
    }
    align(f, &f->packs.pack[k]);
    return k;
}

static void use_pack(finder *f, int k)
{
    f->packed[k]++;
    f->used[f->used_count++] = k;
}

/* Decides how operand j of pack k is to be had, and packs its operations if this is
 * possible. Returns what it costs. */
static int take_operand(finder *f, int k, int j)
{
    int operand[LV_PACK_WIDTH];
    for (int l = 0; l < LV_PACK_WIDTH; l++)
        operand[l] = f->operation[f->packs.pack[k].member[l]].operand[j];
    const int known = lv_packs_match(&f->packs, f->slots, operand);
    if (known >= 0) {
        use_pack(f, known);
        return 0;
    }
    if (lv_pack_same(operand) || lv_pack_in_row(f->slots, operand))
        return lv_pack_same(operand);
    if (f->packs.count - f->tree >= LARGEST_TREE || !may_be_packed(f, operand))
        return cost_of_collecting(f, operand);
    use_pack(f, add_pack(f, operand));
    return 0;
}

/* Packs the operations of these results, and those of their operands where this is
 * possible. Returns what the operands cost less what is saved. Packs of the tree are
 * visited in the order in which they are added. */
static int grow(finder *f, const int *value)
{
    int cost = 0;
    add_pack(f, value);
    for (int k = f->tree; k < f->packs.count; k++) {
        cost -= LV_PACK_WIDTH - 1;
        for (int j = 0; j < operands_of(f, f->packs.pack[k].member[0]); j++)
            cost += take_operand(f, k, j);
    }
    return cost;
}

static void undo(finder *f)
{
    for (int k = 0; k < f->used_count; k++)
        f->packed[f->used[k]]--;
    for (int k = f->tree; k < f->packs.count; k++)
        for (int l = 0; l < LV_PACK_WIDTH; l++)
            f->packs.of[f->packs.pack[k].member[l]] = NONE;
    f->packs.count = f->tree;
}

/* Packs a tree whose root are these results, if that pays. */
static bool try_tree(finder *f, const int *value)
{
    if (!may_be_packed(f, value))
        return false;
    f->tree = f->packs.count;
    f->used_count = 0;
    int cost = grow(f, value);
    for (int k = f->tree; k < f->packs.count; k++)
        cost += cost_of_results(f, k);
    if (cost >= 0)
        undo(f);
    else
        f->saved -= cost;
    return cost < 0;
}

/* ---- roots -------------------------------------------------------------------------- */

/* Outputs that are side by side. */
static void pack_outputs(finder *f, const int *at_slot)
{
    for (int s = 0; s + LV_PACK_WIDTH <= f->slots;)
        s += at_slot[s] != NONE && try_tree(f, at_slot + s) ? LV_PACK_WIDTH : 1;
}

/* The operand of an operation beside the one that is `value`. */
static int other_operand(const lv_pack_operation *x, int value)
{
    return x->operand[0] == value ? x->operand[1] : x->operand[0];
}

/* Whether operation i may stand beside `first` in a pack: it takes this value where that
 * one takes its own. */
static bool stands_beside(const finder *f, int first, int own, int i, int value)
{
    const lv_pack_operation *x = &f->operation[first], *y = &f->operation[i];
    return y->op == x->op && f->packs.of[i] == NONE &&
           (commutes(x->op) || (x->operand[0] == own) == (y->operand[0] == value));
}

/* The use of value[l] that fits best beside the operation `first`, which uses value[0];
 * NONE: there is none. */
static int best_use(const finder *f, int first, const int *value, int l)
{
    const lv_pack_operation *x = &f->operation[first];
    int best = NONE, most = -1;
    for (int e = f->start[value[l]]; e < f->start[value[l] + 1]; e++) {
        const int i = f->user[e];
        if (!stands_beside(f, first, value[0], i, value[l]))
            continue;
        const int fit = lv_op_arity(x->op) < 2
                            ? 0
                            : fitness(f, other_operand(x, value[0]),
                                      other_operand(&f->operation[i], value[l]), l);
        if (fit > most) {
            most = fit;
            best = i;
        }
    }
    return best;
}

/* Packs operations that use these values, which are side by side. Values with very many
 * uses are no good sign. */
static void pack_users(finder *f, const int *value)
{
    enum { MANY = 24 };
    for (int l = 0; l < LV_PACK_WIDTH; l++)
        if (uses_of(f, value[l]) > MANY)
            return;
    for (int e = f->start[value[0]]; e < f->start[value[0] + 1]; e++) {
        const int first = f->user[e];
        int result[LV_PACK_WIDTH] = {f->slots + first};
        bool found = f->packs.of[first] == NONE;
        for (int l = 1; l < LV_PACK_WIDTH && found; l++) {
            const int i = best_use(f, first, value, l);
            result[l] = f->slots + i;
            found = i != NONE;
        }
        if (found)
            (void)try_tree(f, result);
    }
}

/* Packs operations that use the results of packs from number `from` on, and those that
 * use their results, and so on. */
static void pack_users_of_packs(finder *f, int from)
{
    for (int k = from; k < f->packs.count; k++) {
        int value[LV_PACK_WIDTH];
        for (int l = 0; l < LV_PACK_WIDTH; l++)
            value[l] = f->slots + f->packs.pack[k].member[l];
        pack_users(f, value);
    }
}

/* Packs operations that use slots side by side. */
static void pack_users_of_slots(finder *f)
{
    for (int s = 0; s + LV_PACK_WIDTH <= f->slots;) {
        const int before = f->packs.count;
        int value[LV_PACK_WIDTH];
        for (int l = 0; l < LV_PACK_WIDTH; l++)
            value[l] = s + l;
        pack_users(f, value);
        pack_users_of_packs(f, before);
        s += f->packs.count > before ? LV_PACK_WIDTH : 1;
    }
}

/* The previous operation that is of this kind and not packed, or NONE. */
static int previous(const finder *f, int i, lv_op op)
{
    for (i--; i >= 0; i--)
        if (f->operation[i].op == op && f->operation[i].wanted && f->packs.of[i] == NONE)
            return i;
    return NONE;
}

/* Operations that follow each other in the program, among those of the same kind, from
 * the last ones to the first. */
static void pack_neighbours(finder *f, lv_op op)
{
    int value[LV_PACK_WIDTH], i = f->operations;
    while ((i = previous(f, i, op)) >= 0) {
        int k = i, l = LV_PACK_WIDTH;
        while (l > 0 && k >= 0) {
            value[--l] = f->slots + k;
            k = l > 0 ? previous(f, k, op) : k;
        }
        if (l == 0)
            (void)try_tree(f, value);
    }
}

static void find_all(finder *f, const int *at_slot)
{
    pack_outputs(f, at_slot);
    for (int op = LV_OP_ADD; op < LV_OP_COUNT; op++)
        if (is_packable((lv_op)op))
            pack_neighbours(f, (lv_op)op);
    pack_users_of_packs(f, 0);
    pack_users_of_slots(f);
}

/* Lists the operations that use each value. */
static lv_status list_users(finder *f, lv_arena *arena, lv_error *err)
{
    const size_t values = (size_t)f->slots + (size_t)f->operations;
    f->start = lv_arena_alloc(arena, values + 3, sizeof *f->start);
    f->user = lv_arena_alloc(arena, 3 * (size_t)f->operations + 1, sizeof *f->user);
    if (!f->start || !f->user)
        return lv_fail_memory(err);
    for (int i = 0; i < f->operations; i++)
        for (int j = 0; j < operands_of(f, i); j++)
            f->start[f->operation[i].operand[j] + 2]++;
    for (size_t v = 0; v < values; v++)
        f->start[v + 2] += f->start[v + 1];
    for (int i = 0; i < f->operations; i++)
        for (int j = 0; j < operands_of(f, i); j++)
            f->user[f->start[f->operation[i].operand[j] + 1]++] = i;
    return LV_OK;
}

lv_status lv_packs_find(lv_packs *packs, lv_arena *arena, lv_pack_operation *operation,
                        int operations, int slots, lv_error *err)
{
    const size_t count = (size_t)operations + 1;
    finder f = {.operation = operation, .operations = operations, .slots = slots};
    f.packs.pack = lv_arena_alloc(arena, count, sizeof *f.packs.pack);
    f.packs.of = lv_arena_alloc(arena, count, sizeof *f.packs.of);
    f.packed = lv_arena_alloc(arena, count, sizeof *f.packed);
    f.used = lv_arena_alloc(arena, (size_t)3 * LARGEST_TREE + 3, sizeof *f.used);
    int *at_slot = lv_arena_alloc(arena, (size_t)slots + 1, sizeof *at_slot);
    if (!f.packs.pack || !f.packs.of || !f.packed || !f.used || !at_slot)
        return lv_fail_memory(err);
    LV_TRY(list_users(&f, arena, err));
    for (int s = 0; s < slots; s++)
        at_slot[s] = NONE;
    for (int i = 0; i < operations; i++) {
        f.packs.of[i] = NONE;
        if (operation[i].home >= 0)
            at_slot[operation[i].home] = slots + i;
    }
    find_all(&f, at_slot);
    if (f.saved < LEAST_SAVED) {
        f.tree = 0;
        f.used_count = 0;
        undo(&f);
    }
    *packs = f.packs;
    return LV_OK;
}
