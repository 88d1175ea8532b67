/* Compilation of graph nodes into a program.
 *
 * Within a segment the operations are ordered such that there are few and long runs:
 * among the operations whose operands are known, one kind is chosen and all of that kind
 * are executed, including those that become ready meanwhile. The order depends only on
 * the graph and the outputs, not on the node numbers of inputs and constants. */
#include "expr/program.h"

#include "base/arena.h"
#include "base/memory.h"
#include "expr/analyse.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

enum { NOT_NEEDED = LV_SEGMENTS, NO_SLOT = -1 };

/* Kinds of operations: those of lv_op, and sums and differences fused with a product. */
enum { SUM_OF_PRODUCT = LV_OP_COUNT, DIFFERENCE_OF_PRODUCT, MINUS_PRODUCT, KINDS };

/* Operations of one kind that are ready, in the order in which they became ready. */
typedef struct queue {
    lv_node head, tail;
    int count;
} queue;

typedef struct compiler {
    const lv_graph *graph;
    const lv_layout *layout;
    const lv_node *outputs;
    int output_count;
    int nodes; /* number of nodes up to the last output; others cannot be needed */

    lv_arena scratch;
    lv_kinds *kinds;
    unsigned char *segment; /* of each node, or NOT_NEEDED */
    int *slot;              /* slot of each node, or NO_SLOT */
    /* number of operands of each node that are not computed yet */
    int *waiting;
    unsigned char *fused; /* lv_fusion of each node */
    bool *is_output;      /* of each node */
    /* remaining uses of each node, by operations that are not scheduled and as an
     * output */
    int *uses_left;
    /* the users of node i are uses[users[i]] up to uses[users[i + 1]] */
    int *users;
    lv_node *uses;
    lv_node *next;  /* next node in a queue */
    lv_node *order; /* operations in the order of execution */
    lv_op_run *runs;
    bool *carried; /* for each slot */
    int *free_slots, free_count;
    int shared; /* number of slots that results of MAIN share */
    int spare;
    queue ready[KINDS];

    int slots, operations, run_count, operand_count, carried_count;
    int input[LV_INPUT_KINDS], input_size[LV_INPUT_KINDS];
    int constants, constant_count;
    int segment_runs[LV_SEGMENTS], segment_operations[LV_SEGMENTS];
} compiler;

/* The operands of a node in the program, after fusion; returns their number. */
static int operands_of(const compiler *k, lv_node node, lv_node operand[3])
{
    const lv_node_data *d = lv_graph_node(k->graph, node);
    operand[0] = d->a;
    operand[1] = d->b;
    operand[2] = d->c;
    if (k->fused[node] == LV_FUSED_NOT)
        return lv_op_arity(d->op);
    bool first = k->fused[node] == LV_FUSED_FIRST;
    const lv_node_data *product = lv_graph_node(k->graph, first ? d->a : d->b);
    operand[0] = product->a;
    operand[1] = product->op == LV_OP_SQUARE ? product->a : product->b;
    operand[2] = first ? d->b : d->a;
    return 3;
}

static int kind_of(const compiler *k, lv_node node)
{
    lv_op op = lv_graph_node(k->graph, node)->op;
    if (k->fused[node] == LV_FUSED_NOT)
        return (int)op;
    if (op == LV_OP_ADD)
        return SUM_OF_PRODUCT;
    return k->fused[node] == LV_FUSED_FIRST ? DIFFERENCE_OF_PRODUCT : MINUS_PRODUCT;
}

static bool is_operation(const compiler *k, lv_node node)
{
    lv_op op = lv_graph_node(k->graph, node)->op;
    return op != LV_OP_CONST && op != LV_OP_INPUT;
}

static lv_segment segment_of(lv_kinds kinds)
{
    if ((kinds & ~LV_KIND(P)) == 0)
        return LV_SEGMENT_UNIFORM;
    return (kinds & ~(LV_KIND(P) | LV_KIND(I))) == 0 ? LV_SEGMENT_INSTANCE
                                                     : LV_SEGMENT_MAIN;
}

static lv_status check_outputs(compiler *k, lv_error *err)
{
    LV_TRY(lv_graph_check(k->graph, err));
    if (lv_graph_count(k->graph) > INT_MAX / 4) /* operands are counted in int */
        return lv_fail(err, LV_ERR_LIMIT, "a program of more than %d operations",
                       INT_MAX / 4);
    for (int i = 0; i < k->output_count; i++) {
        lv_node node = k->outputs[i];
        if (node < 0 || node >= lv_graph_count(k->graph))
            return lv_fail(err, LV_ERR_USAGE, "output %d of a program is no node", i);
        if (node >= k->nodes)
            k->nodes = node + 1;
    }
    return LV_OK;
}

static lv_status allocate_scratch(compiler *k, lv_error *err)
{
    size_t n = (size_t)k->nodes, all = (size_t)lv_graph_count(k->graph);
    k->kinds = lv_arena_alloc(&k->scratch, all, sizeof *k->kinds);
    k->segment = lv_arena_alloc(&k->scratch, n, sizeof *k->segment);
    k->slot = lv_arena_alloc(&k->scratch, n, sizeof *k->slot);
    k->waiting = lv_arena_alloc(&k->scratch, n, sizeof *k->waiting);
    k->fused = lv_arena_alloc(&k->scratch, n, sizeof *k->fused);
    k->is_output = lv_arena_alloc(&k->scratch, n, sizeof *k->is_output);
    k->uses_left = lv_arena_alloc(&k->scratch, n, sizeof *k->uses_left);
    k->free_slots = lv_arena_alloc(&k->scratch, n, sizeof *k->free_slots);
    k->users = lv_arena_alloc(&k->scratch, n + 2, sizeof *k->users);
    k->next = lv_arena_alloc(&k->scratch, n, sizeof *k->next);
    k->order = lv_arena_alloc(&k->scratch, n, sizeof *k->order);
    k->runs = lv_arena_alloc(&k->scratch, n, sizeof *k->runs);
    bool ok = k->kinds && k->segment && k->slot && k->waiting && k->fused &&
              k->is_output && k->uses_left && k->free_slots && k->users && k->next &&
              k->order && k->runs;
    return ok ? LV_OK : lv_fail_memory(err);
}

/* Determines which nodes are needed and their segments. */
static void classify(compiler *k)
{
    lv_node operand[3];
    lv_analyse_kinds(k->graph, k->kinds);
    memset(k->segment, NOT_NEEDED, (size_t)k->nodes);
    for (int i = 0; i < k->output_count; i++)
        k->segment[k->outputs[i]] = LV_SEGMENT_MAIN;
    for (lv_node i = k->nodes - 1; i >= 0; i--) {
        k->slot[i] = NO_SLOT;
        if (k->segment[i] == NOT_NEEDED)
            continue;
        k->segment[i] = (unsigned char)segment_of(k->kinds[i]);
        for (int j = operands_of(k, i, operand) - 1; j >= 0; j--)
            k->segment[operand[j]] = LV_SEGMENT_MAIN;
    }
}

/* Counts the uses of each node; being an output counts as one use. */
static void count_uses(compiler *k)
{
    lv_node operand[3];
    for (int i = 0; i < k->output_count; i++)
        k->is_output[k->outputs[i]] = true;
    for (lv_node i = 0; i < k->nodes; i++)
        k->uses_left[i] = k->is_output[i];
    for (lv_node i = 0; i < k->nodes; i++)
        if (k->segment[i] != NOT_NEEDED && is_operation(k, i))
            for (int j = operands_of(k, i, operand) - 1; j >= 0; j--)
                k->uses_left[operand[j]]++;
}

/* Whether an operand is a product that only one operation of its segment uses. */
static bool is_single_product(const compiler *k, lv_node node, unsigned char segment)
{
    lv_op op = lv_graph_node(k->graph, node)->op;
    return (op == LV_OP_MUL || op == LV_OP_SQUARE) && k->segment[node] == segment &&
           k->uses_left[node] == 1;
}

/* Fuses products with the sums that use them; they are then no operations of their
 * own. */
static void fuse(compiler *k)
{
    for (lv_node i = 0; i < k->nodes; i++) {
        const lv_node_data *d = lv_graph_node(k->graph, i);
        if (k->segment[i] == NOT_NEEDED || (d->op != LV_OP_ADD && d->op != LV_OP_SUB))
            continue;
        if (is_single_product(k, d->a, k->segment[i]))
            k->fused[i] = LV_FUSED_FIRST;
        else if (is_single_product(k, d->b, k->segment[i]))
            k->fused[i] = LV_FUSED_SECOND;
        if (k->fused[i] != LV_FUSED_NOT)
            k->segment[k->fused[i] == LV_FUSED_FIRST ? d->a : d->b] = NOT_NEEDED;
    }
}

static lv_status fail_slots(lv_error *err)
{
    return lv_fail(err, LV_ERR_LIMIT, "a program needs more than %d numbers", INT_MAX);
}

static lv_status take_slots(compiler *k, int count, lv_error *err)
{
    return lv_int_add(k->slots, count, &k->slots) ? LV_OK : fail_slots(err);
}

/* Whether a program contains only the needed inputs of this kind; it contains all of the
 * others. */
static bool is_chosen(int kind)
{
    return kind == LV_INPUT_P || kind == LV_INPUT_I;
}

/* Counts constants and chosen inputs; checks all inputs. */
static lv_status count_leaves(compiler *k, lv_error *err)
{
    for (int kind = 0; kind < LV_INPUT_KINDS; kind++) {
        if (k->layout->size[kind] < 0)
            return lv_fail(err, LV_ERR_USAGE, "a block of inputs has the size %d",
                           k->layout->size[kind]);
        k->input_size[kind] = is_chosen(kind) ? 0 : k->layout->size[kind];
    }
    for (lv_node i = 0; i < k->nodes; i++) {
        const lv_node_data *d = lv_graph_node(k->graph, i);
        if (k->segment[i] == NOT_NEEDED)
            continue;
        k->constant_count += d->op == LV_OP_CONST;
        if (d->op == LV_OP_INPUT && (d->b < 0 || d->b >= k->layout->size[d->a]))
            return lv_fail(err, LV_ERR_USAGE,
                           "input %d of kind %d is outside of the layout (size %d)", d->b,
                           d->a, k->layout->size[d->a]);
        if (d->op == LV_OP_INPUT && is_chosen(d->a))
            k->input_size[d->a]++;
    }
    return LV_OK;
}

/* Inputs come first, then constants; operations begin behind them. */
static lv_status place_blocks(compiler *k, lv_error *err)
{
    LV_TRY(count_leaves(k, err));
    for (int kind = 0; kind < LV_INPUT_KINDS; kind++) {
        k->input[kind] = k->slots;
        LV_TRY(take_slots(k, k->input_size[kind], err));
    }
    k->constants = k->slots;
    LV_TRY(take_slots(k, k->constant_count, err));
    /* the largest number, if every operation needs a slot, and machine code as many
     * again */
    int most = k->slots;
    if (!lv_int_add(most, k->nodes, &most) || !lv_int_add(most, k->nodes, &most))
        return fail_slots(err);
    return LV_OK;
}

/* Gives consecutive slots to the outputs of MAIN that are operations, in their order. */
static void place_outputs(compiler *k)
{
    for (int i = 0; i < k->output_count; i++) {
        const lv_node node = k->outputs[i];
        if (k->slot[node] == NO_SLOT && k->segment[node] == LV_SEGMENT_MAIN &&
            is_operation(k, node))
            k->slot[node] = k->slots++;
    }
}

/* Gives an input or a constant a slot if it has none: the next one of its block, or, if
 * the block contains all inputs, the one of its index. */
static void place_leaf(compiler *k, lv_node node, int next[LV_INPUT_KINDS], int *constant)
{
    const lv_node_data *d = lv_graph_node(k->graph, node);
    if (k->slot[node] != NO_SLOT)
        return;
    if (d->op == LV_OP_CONST)
        k->slot[node] = (*constant)++;
    else
        k->slot[node] = is_chosen(d->a) ? next[d->a]++ : k->input[d->a] + d->b;
}

/* Places inputs and constants in the order of their first use. */
static void place_leaves(compiler *k)
{
    lv_node operand[3];
    int next[LV_INPUT_KINDS], constant = k->constants;
    memcpy(next, k->input, sizeof next);
    for (int i = 0; i < k->operations; i++) {
        int arity = operands_of(k, k->order[i], operand);
        for (int j = 0; j < arity; j++)
            place_leaf(k, operand[j], next, &constant);
    }
    for (int i = 0; i < k->output_count; i++)
        place_leaf(k, k->outputs[i], next, &constant);
}

/* Lists for every operation the operations that use it, and counts the operands that each
 * waits for. An operation that uses another twice is listed twice. */
static lv_status find_users(compiler *k, lv_error *err)
{
    lv_node operand[3];
    int *end = k->users + 1; /* end[i] is first a count, then where the users of i end */
    for (lv_node i = 0; i < k->nodes; i++) {
        if (k->segment[i] == NOT_NEEDED || !is_operation(k, i))
            continue;
        for (int j = operands_of(k, i, operand) - 1; j >= 0; j--)
            if (is_operation(k, operand[j]))
                end[operand[j] + 1]++, k->waiting[i]++;
    }
    for (lv_node i = 0; i < k->nodes; i++)
        end[i + 1] += end[i];
    k->uses = lv_arena_alloc(&k->scratch, (size_t)end[k->nodes], sizeof *k->uses);
    if (!k->uses)
        return lv_fail_memory(err);
    for (lv_node i = 0; i < k->nodes; i++) {
        if (k->segment[i] == NOT_NEEDED || !is_operation(k, i))
            continue;
        int arity = operands_of(k, i, operand);
        for (int j = 0; j < arity; j++)
            if (is_operation(k, operand[j]))
                k->uses[end[operand[j]]++] = i;
    }
    return LV_OK;
}

static void push_ready(compiler *k, lv_node node)
{
    queue *q = &k->ready[kind_of(k, node)];
    k->next[node] = LV_NODE_NONE;
    if (q->count++ == 0)
        q->head = node;
    else
        k->next[q->tail] = node;
    q->tail = node;
}

/* Releases the slots of operands that are not used any more, so that the result can have
 * one of them. */
static void release_operands(compiler *k, lv_node node)
{
    lv_node operand[3];
    for (int j = operands_of(k, node, operand) - 1; j >= 0; j--)
        if (--k->uses_left[operand[j]] == 0 && is_operation(k, operand[j]) &&
            k->segment[operand[j]] == LV_SEGMENT_MAIN)
            k->free_slots[k->free_count++] = k->slot[operand[j]];
}

static int result_slot(compiler *k, lv_node node, lv_segment segment)
{
    if (k->slot[node] != NO_SLOT)
        return k->slot[node];
    if (segment == LV_SEGMENT_MAIN && k->free_count > 0)
        return k->free_slots[--k->free_count];
    k->shared += segment == LV_SEGMENT_MAIN;
    return k->slots++;
}

/* Schedules one operation: assigns its slot and queues the operations that become
 * ready. */
static void schedule_node(compiler *k, lv_node node, lv_segment segment)
{
    release_operands(k, node);
    k->slot[node] = result_slot(k, node, segment);
    k->order[k->operations++] = node;
    for (int u = k->users[node]; u < k->users[node + 1]; u++) {
        lv_node user = k->uses[u];
        if (--k->waiting[user] == 0 && k->segment[user] == segment)
            push_ready(k, user);
    }
}

/* The kind with the most operations that are ready. */
static int choose_kind(const compiler *k)
{
    int best = LV_OP_CONST;
    for (int kind = 0; kind < KINDS; kind++)
        if (k->ready[kind].count > k->ready[best].count)
            best = kind;
    return best;
}

static lv_op_run run_of(int kind, int first)
{
    lv_op_run run = {.op = (lv_op)kind, .first = first};
    if (kind >= LV_OP_COUNT) {
        run.op = kind == SUM_OF_PRODUCT ? LV_OP_ADD : LV_OP_SUB;
        run.fused = kind == MINUS_PRODUCT ? LV_FUSED_SECOND : LV_FUSED_FIRST;
    }
    return run;
}

static void schedule(compiler *k, lv_segment segment)
{
    int first_run = k->run_count;
    for (lv_node i = 0; i < k->nodes; i++)
        if (k->segment[i] == segment && k->waiting[i] == 0 && is_operation(k, i))
            push_ready(k, i);
    for (int kind = choose_kind(k); k->ready[kind].count > 0; kind = choose_kind(k)) {
        lv_op_run *run = &k->runs[k->run_count++];
        queue *q = &k->ready[kind];
        *run = run_of(kind, k->operand_count);
        while (q->count > 0) {
            lv_node node = q->head;
            q->head = k->next[node];
            q->count--;
            schedule_node(k, node, segment);
            run->count++;
        }
        k->operand_count += run->count * (lv_op_run_arity(run) + 1);
        k->segment_operations[segment] += (run->fused ? 2 : 1) * run->count;
    }
    k->segment_runs[segment] = k->run_count - first_run;
}

/* Marks the slots of inputs and results of INSTANCE that MAIN or the caller reads. */
static lv_status find_carried(compiler *k, lv_error *err)
{
    lv_node operand[3];
    k->carried = lv_arena_alloc(&k->scratch, (size_t)k->slots, sizeof *k->carried);
    if (!k->carried)
        return lv_fail_memory(err);
    for (int i = 0; i < k->output_count; i++)
        if (k->segment[k->outputs[i]] == LV_SEGMENT_INSTANCE)
            k->carried[k->slot[k->outputs[i]]] = true;
    for (int i = 0; i < k->operations; i++) {
        int arity = operands_of(k, k->order[i], operand);
        for (int j = 0; j < arity && k->segment[k->order[i]] == LV_SEGMENT_MAIN; j++)
            if (k->segment[operand[j]] == LV_SEGMENT_INSTANCE)
                k->carried[k->slot[operand[j]]] = true;
    }
    for (int s = 0; s < k->slots; s++)
        k->carried_count += k->carried[s];
    return LV_OK;
}

/* ---- the result ----------------------------------------------------------------- */

/* The offset of `count` more items in a block whose size is being added up. */
static bool reserve_items(size_t *offset, size_t *total, int count, size_t item)
{
    size_t bytes = 0,
           padding = (sizeof(double) - *total % sizeof(double)) % sizeof(double);
    *offset = *total + padding;
    return lv_size_mul((size_t)count, item, &bytes) && lv_size_add(*offset, bytes, total);
}

/* Writes constants, and the indices of chosen inputs. */
static void write_leaves(const compiler *k, double *constant,
                         int *const chosen[LV_INPUT_KINDS])
{
    for (lv_node i = 0; i < k->nodes; i++) {
        const lv_node_data *d = lv_graph_node(k->graph, i);
        if (k->segment[i] == NOT_NEEDED)
            continue;
        if (d->op == LV_OP_CONST)
            constant[k->slot[i] - k->constants] = d->value;
        else if (d->op == LV_OP_INPUT && is_chosen(d->a))
            chosen[d->a][k->slot[i] - k->input[d->a]] = d->b;
    }
}

static void write_operands(const compiler *k, int *slot)
{
    lv_node operand[3];
    for (int i = 0; i < k->operations; i++) {
        int arity = operands_of(k, k->order[i], operand);
        for (int j = 0; j < arity; j++)
            *slot++ = k->slot[operand[j]];
        *slot++ = k->slot[k->order[i]];
    }
}

static void write_counts(const compiler *k, lv_program *p)
{
    p->slots = k->slots;
    memcpy(p->input, k->input, sizeof p->input);
    memcpy(p->input_size, k->input_size, sizeof p->input_size);
    p->constants = k->constants;
    p->constant_count = k->constant_count;
    memcpy(p->run_count, k->segment_runs, sizeof p->run_count);
    p->operations = k->segment_operations[LV_SEGMENT_MAIN];
    p->spare = k->spare;
    p->spare_count = k->shared;
    p->output_count = k->output_count;
    p->carried_count = k->carried_count;
}

static lv_program *assemble(const compiler *k)
{
    size_t total = sizeof(lv_program), constant, run, operand, output, nodes, carried;
    size_t parameter, number;
    const int *sizes = k->input_size;
    bool fits = reserve_items(&constant, &total, k->constant_count, sizeof(double)) &&
                reserve_items(&run, &total, k->run_count, sizeof(lv_op_run)) &&
                reserve_items(&operand, &total, k->operand_count, sizeof(int)) &&
                reserve_items(&output, &total, k->output_count, sizeof(int)) &&
                reserve_items(&nodes, &total, k->output_count, sizeof(lv_node)) &&
                reserve_items(&carried, &total, k->carried_count, sizeof(int)) &&
                reserve_items(&parameter, &total, sizes[LV_INPUT_P], sizeof(int)) &&
                reserve_items(&number, &total, sizes[LV_INPUT_I], sizeof(int));
    char *block = fits ? lv_memory_zeroed(1, total) : NULL;
    if (!block)
        return NULL;

    lv_program *p = (lv_program *)(void *)block;
    double *constants = (double *)(void *)(block + constant);
    lv_op_run *runs = (lv_op_run *)(void *)(block + run);
    int *operands = (int *)(void *)(block + operand);
    int *outputs = (int *)(void *)(block + output);
    lv_node *output_nodes = (lv_node *)(void *)(block + nodes);
    int *carried_slots = (int *)(void *)(block + carried);
    int *const chosen[LV_INPUT_KINDS] = {[LV_INPUT_P] =
                                             (int *)(void *)(block + parameter),
                                         [LV_INPUT_I] = (int *)(void *)(block + number)};
    write_counts(k, p);
    write_leaves(k, constants, chosen);
    write_operands(k, operands);
    for (int i = 0; i < k->run_count; i++)
        runs[i] = k->runs[i];
    for (int i = 0; i < k->output_count; i++) {
        outputs[i] = k->slot[k->outputs[i]];
        output_nodes[i] = k->outputs[i];
    }
    for (int s = 0, i = 0; s < k->slots; s++)
        if (k->carried[s])
            carried_slots[i++] = s;

    p->constant = constants;
    p->operand = operands;
    p->output = outputs;
    p->nodes = output_nodes;
    p->carried = carried_slots;
    for (int kind = 0; kind < LV_INPUT_KINDS; kind++)
        p->chosen[kind] = chosen[kind];
    for (int segment = 0; segment < LV_SEGMENTS; runs += k->segment_runs[segment++])
        p->run[segment] = runs;
    return p;
}

static lv_status compile(compiler *k, lv_program **program, lv_error *err)
{
    LV_TRY(check_outputs(k, err));
    LV_TRY(allocate_scratch(k, err));
    classify(k);
    count_uses(k);
    fuse(k);
    count_uses(k); /* fusing x*x makes it two uses of x */
    LV_TRY(place_blocks(k, err));
    place_outputs(k);
    LV_TRY(find_users(k, err));
    for (int segment = 0; segment < LV_SEGMENTS; segment++)
        schedule(k, (lv_segment)segment);
    k->spare = k->slots;
    k->slots += k->shared;
    place_leaves(k);
    LV_TRY(find_carried(k, err));
    *program = assemble(k);
    return *program ? LV_OK : lv_fail_memory(err);
}

lv_status lv_program_compile(lv_program **program, const lv_graph *graph,
                             const lv_node *outputs, int count, const lv_layout *layout,
                             lv_error *err)
{
    assert(count >= 0 && (outputs || count == 0));
    compiler k = {
        .graph = graph, .layout = layout, .outputs = outputs, .output_count = count};
    *program = NULL;
    lv_status status = compile(&k, program, err);
    lv_arena_done(&k.scratch);
    return status;
}

void lv_program_free(lv_program *program)
{
    lv_memory_free(program);
}
