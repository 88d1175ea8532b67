#include "fused/fused_parts.h"

/* The part that an operation belongs to. NONE: it does not belong to a step (it is a
 * constant, an input, or depends on parameters alone), or it is not needed. */
typedef enum place { NONE, BEFORE, PASS, AFTER } place;

typedef struct split {
    const lv_graph *graph;
    int nodes;
    lv_kinds *kinds;
    bool *changes; /* for each node: it depends on unknowns of a pass */
    /* for each node: an output needs it; an output of a pass needs it */
    bool *needed, *early;
    bool *leaves; /* for each node: an operation of another part needs it */
} split;

static bool is_operation(const split *s, lv_node node)
{
    const lv_op op = lv_graph_node(s->graph, node)->op;
    return op != LV_OP_CONST && op != LV_OP_INPUT &&
           (s->kinds[node] & ~(LV_KIND(P) | LV_KIND(I))) != 0;
}

static place place_of(const split *s, lv_node node)
{
    if (!s->needed[node] || !is_operation(s, node))
        return NONE;
    return !s->early[node] ? AFTER : s->changes[node] ? PASS : BEFORE;
}

static int operands_of(const split *s, lv_node node, lv_node operand[3])
{
    const lv_node_data *d = lv_graph_node(s->graph, node);
    operand[0] = d->a;
    operand[1] = d->b;
    operand[2] = d->c;
    return d->op == LV_OP_CONST || d->op == LV_OP_INPUT ? 0 : lv_op_arity(d->op);
}

static void find_changes(const split *s, const bool *unknown)
{
    lv_node operand[3];
    for (lv_node i = 0; i < s->nodes; i++) {
        const lv_node_data *d = lv_graph_node(s->graph, i);
        s->changes[i] = d->op == LV_OP_INPUT && d->a == LV_INPUT_Q && unknown[d->b];
        for (int j = operands_of(s, i, operand) - 1; j >= 0; j--)
            s->changes[i] = s->changes[i] || s->changes[operand[j]];
    }
}

static void find_needed(const split *s)
{
    lv_node operand[3];
    for (lv_node i = s->nodes - 1; i >= 0; i--)
        for (int j = s->needed[i] ? operands_of(s, i, operand) - 1 : -1; j >= 0; j--) {
            s->needed[operand[j]] = true;
            s->early[operand[j]] = s->early[operand[j]] || s->early[i];
        }
}

static void find_leaves(const split *s)
{
    lv_node operand[3];
    for (lv_node i = 0; i < s->nodes; i++)
        for (int j = place_of(s, i) ? operands_of(s, i, operand) - 1 : -1; j >= 0; j--)
            if (place_of(s, operand[j]) && place_of(s, operand[j]) != place_of(s, i))
                s->leaves[operand[j]] = true;
}

static bool make_room(split *s, lv_arena *arena)
{
    const size_t n = (size_t)s->nodes + 1;
    s->kinds = lv_arena_alloc(arena, n, sizeof *s->kinds);
    s->changes = lv_arena_alloc(arena, n, sizeof *s->changes);
    s->needed = lv_arena_alloc(arena, n, sizeof *s->needed);
    s->early = lv_arena_alloc(arena, n, sizeof *s->early);
    s->leaves = lv_arena_alloc(arena, n, sizeof *s->leaves);
    return s->kinds && s->changes && s->needed && s->early && s->leaves;
}

/* A whole step computes the first `asked` outputs, but not the nodes behind them, which
 * parts compute for each other. Programs that keep their matrices never take it. */
static bool make_parts(const split *s, lv_fused_parts *parts, const lv_node_list *outputs,
                       int asked, int factors, lv_arena *arena)
{
    const bool keeps = factors >= 0;
    const size_t count = (size_t)outputs->count + 1;
    bool *whole = lv_arena_alloc(arena, count, sizeof *whole),
         *before = lv_arena_alloc(arena, count, sizeof *before),
         *first = lv_arena_alloc(arena, count, sizeof *first),
         *pass = lv_arena_alloc(arena, count, sizeof *pass),
         *both = lv_arena_alloc(arena, count, sizeof *both),
         *after = lv_arena_alloc(arena, count, sizeof *after);
    if (!whole || !before || !first || !pass || !both || !after)
        return false;
    for (int k = 0; k < outputs->count; k++) {
        const place p = place_of(s, outputs->data[k]);
        whole[k] = !keeps && k < asked;
        before[k] = p == BEFORE;
        first[k] = p == BEFORE || (keeps ? k >= factors && k < asked : p == PASS);
        pass[k] = p == PASS;
        both[k] = p == BEFORE || p == PASS;
        after[k] = p == AFTER;
    }
    parts->part[LV_RUN_WHOLE_STEP] = (lv_part){.wanted = whole};
    parts->part[LV_RUN_FIRST_PASS] = (lv_part){.wanted = first};
    parts->part[LV_RUN_NEXT_PASS] = (lv_part){.wanted = pass, .given = before};
    parts->part[LV_RUN_REST] = (lv_part){.wanted = after, .given = both};
    return true;
}

static bool find(split *s, lv_fused_parts *parts, lv_node_list *outputs,
                 const lv_pass_outputs *pass, lv_arena *arena)
{
    const int asked = outputs->count;
    lv_analyse_kinds(s->graph, s->kinds);
    find_changes(s, pass->unknown);
    for (int k = 0; k < (pass->factors >= 0 ? pass->factors : asked); k++) {
        const bool early = k >= pass->first && k < pass->behind;
        s->needed[outputs->data[k]] = true;
        s->early[outputs->data[k]] = s->early[outputs->data[k]] || early;
    }
    find_needed(s);
    find_leaves(s);
    for (int k = 0; k < asked; k++)
        s->leaves[outputs->data[k]] = false;
    for (lv_node i = 0; i < s->nodes; i++)
        if (s->leaves[i] && !LV_PUSH(*outputs, i))
            return false;
    return make_parts(s, parts, outputs, asked, pass->factors, arena);
}

lv_status lv_fused_parts_find(lv_fused_parts *parts, const lv_graph *graph,
                              lv_node_list *outputs, const lv_pass_outputs *pass,
                              lv_arena *arena, lv_error *err)
{
    split s = {.graph = graph, .nodes = lv_graph_count(graph)};
    lv_arena scratch = {0};
    const bool made = make_room(&s, &scratch) && find(&s, parts, outputs, pass, arena);
    lv_arena_done(&scratch);
    return made ? LV_OK : lv_fail_memory(err);
}
