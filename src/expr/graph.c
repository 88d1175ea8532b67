#include "expr/graph.h"

#include "expr/graph_private.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { FIRST_TABLE = 256 };

lv_graph *lv_graph_create(int node_limit)
{
    lv_graph *g = lv_memory_zeroed(1, sizeof *g);
    if (!g)
        return NULL;
    g->node_limit = node_limit > 0 ? node_limit : LV_NODE_LIMIT;
    g->table_size = FIRST_TABLE;
    g->table = lv_memory_resize(NULL, FIRST_TABLE * sizeof *g->table);
    if (!g->table || !LV_PUSH(g->spans, ((lv_span){NULL, 0, 0}))) {
        lv_graph_free(g);
        return NULL;
    }
    memset(g->table, -1, FIRST_TABLE * sizeof *g->table);
    return g;
}

void lv_graph_free(lv_graph *g)
{
    if (!g)
        return;
    LV_ARRAY_FREE(g->nodes);
    LV_ARRAY_FREE(g->spans);
    LV_ARRAY_FREE(g->replaced);
    lv_memory_free(g->table);
    lv_memory_free(g);
}

lv_graph *lv_graph_copy(const lv_graph *g)
{
    lv_graph *copy = lv_graph_create(g->node_limit);
    if (!copy)
        return NULL;
    size_t bytes = (size_t)g->table_size * sizeof *copy->table;
    int *table = lv_memory_resize(copy->table, bytes);
    copy->table = table ? table : copy->table;
    copy->spans.count = 0; /* the first span is copied with the others */
    if (!table || !LV_RESERVE(copy->nodes, g->nodes.count) ||
        !LV_RESERVE(copy->spans, g->spans.count)) {
        lv_graph_free(copy);
        return NULL;
    }
    copy->table_size = g->table_size;
    memcpy(table, g->table, bytes);
    for (int i = 0; i < g->nodes.count; i++)
        copy->nodes.data[copy->nodes.count++] = g->nodes.data[i];
    for (int i = 0; i < g->spans.count; i++)
        copy->spans.data[copy->spans.count++] = g->spans.data[i];
    copy->status = g->status;
    copy->failed_span = g->failed_span;
    return copy;
}

lv_status lv_graph_status(const lv_graph *g)
{
    return g->status;
}

lv_status lv_graph_check(const lv_graph *g, lv_error *err)
{
    if (g->status == LV_OK)
        return LV_OK;
    if (g->status == LV_ERR_MEMORY)
        return lv_fail_memory(err);
    lv_span span = g->spans.data[g->failed_span];
    lv_status status = lv_fail(err, g->status,
                               "this formula and its derivatives need more than %d "
                               "operations",
                               g->node_limit);
    if (span.snippet)
        lv_error_locate(err, span.snippet->source,
                        lv_snippet_offset(span.snippet, span.start), (size_t)span.length);
    lv_error_hint(err, "split it into several terms, or write repeated terms as a family "
                       "(for = \"i = 1..N\")");
    return status;
}

lv_node lv_graph_give_up(lv_graph *g, lv_status status)
{
    assert(status != LV_OK);
    if (g->status == LV_OK) {
        g->status = status;
        g->failed_span = g->span;
    }
    return LV_NODE_NONE;
}

int lv_graph_count(const lv_graph *g)
{
    return g->nodes.count;
}

const lv_node_data *lv_graph_node(const lv_graph *g, lv_node node)
{
    assert(node >= 0 && node < g->nodes.count);
    return &g->nodes.data[node];
}

static bool is_same_node(const lv_node_data *x, const lv_node_data *y)
{
    return x->op == y->op && x->a == y->a && x->b == y->b && x->c == y->c &&
           memcmp(&x->value, &y->value, sizeof x->value) == 0;
}

bool lv_graph_is_same(const lv_graph *g, const lv_graph *other)
{
    bool same = g->nodes.count == other->nodes.count;
    for (int k = 0; same && k < g->nodes.count; k++)
        same = is_same_node(&g->nodes.data[k], &other->nodes.data[k]);
    return same;
}

/* A mark is the span, complemented if new nodes are derived. */
static int current_mark(const lv_graph *g)
{
    return g->derived ? ~g->span : g->span;
}

int lv_graph_enter(lv_graph *g, const lv_snippet *snippet, int start, int length)
{
    int mark = current_mark(g);
    g->derived = false;
    if (LV_PUSH(g->spans, ((lv_span){snippet, start, length})))
        g->span = g->spans.count - 1;
    else
        lv_graph_give_up(g, LV_ERR_MEMORY);
    return mark;
}

int lv_graph_enter_node(lv_graph *g, lv_node like)
{
    assert(like < g->nodes.count);
    int mark = current_mark(g);
    g->derived = true;
    if (like >= 0)
        g->span = g->nodes.data[like].span;
    return mark;
}

void lv_graph_leave(lv_graph *g, int mark)
{
    assert((mark < 0 ? ~mark : mark) < g->spans.count);
    g->derived = mark < 0;
    g->span = mark < 0 ? ~mark : mark;
}

lv_span lv_graph_span(const lv_graph *g, lv_node node)
{
    return g->spans.data[lv_graph_node(g, node)->span];
}

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ (h >> 29);
}

static uint64_t hash_of(const lv_node_data *d)
{
    uint64_t bits = 0;
    memcpy(&bits, &d->value, sizeof bits);
    uint64_t h = mix((uint64_t)d->op, (uint64_t)(uint32_t)d->a);
    h = mix(h, (uint64_t)(uint32_t)d->b);
    h = mix(h, (uint64_t)(uint32_t)d->c);
    return mix(h, bits);
}

static bool is_equal_node(const lv_node_data *x, const lv_node_data *y)
{
    return x->op == y->op && x->a == y->a && x->b == y->b && x->c == y->c &&
           memcmp(&x->value, &y->value, sizeof x->value) == 0;
}

static bool grow_table(lv_graph *g)
{
    assert((g->table_size & (g->table_size - 1)) == 0);
    size_t size = (size_t)g->table_size * 2;
    int *table = lv_memory_resize(NULL, size * sizeof *table);
    if (!table)
        return false;
    memset(table, -1, size * sizeof *table);
    for (int i = 0; i < g->nodes.count; i++) {
        size_t at = hash_of(&g->nodes.data[i]) & (size - 1);
        while (table[at] >= 0)
            at = (at + 1) & (size - 1);
        table[at] = i;
    }
    lv_memory_free(g->table);
    g->table = table;
    g->table_size = (int)size;
    return true;
}

/* If a derived node is now written as well, it gets the place where it is written. */
static lv_node prefer_written_place(lv_graph *g, lv_node node)
{
    lv_node_data *d = &g->nodes.data[node];
    if (d->derived && !g->derived && g->span != 0) {
        d->span = g->span;
        d->derived = false;
    }
    return node;
}

lv_node lv_graph_intern(lv_graph *g, lv_op op, lv_node a, lv_node b, lv_node c,
                        double value)
{
    assert((int)op >= 0 && op < LV_OP_COUNT);
    assert(g->status != LV_OK || g->nodes.count <= g->table_size / 2);
    assert(op == LV_OP_CONST || op == LV_OP_INPUT || g->status != LV_OK ||
           (a < g->nodes.count && b < g->nodes.count && c < g->nodes.count));
    lv_node_data d = {op, a, b, c, value, g->span, g->derived};
    if (g->status != LV_OK)
        return LV_NODE_NONE;

    size_t mask = (size_t)g->table_size - 1, at = hash_of(&d) & mask;
    for (; g->table[at] >= 0; at = (at + 1) & mask)
        if (is_equal_node(&g->nodes.data[g->table[at]], &d))
            return prefer_written_place(g, g->table[at]);

    if (g->nodes.count >= g->node_limit)
        return lv_graph_give_up(g, LV_ERR_LIMIT);
    if (!LV_PUSH(g->nodes, d))
        return lv_graph_give_up(g, LV_ERR_MEMORY);
    g->table[at] = g->nodes.count - 1;
    if (g->nodes.count > g->table_size / 2 && !grow_table(g))
        return lv_graph_give_up(g, LV_ERR_MEMORY);
    return g->nodes.count - 1;
}

lv_node lv_graph_const(lv_graph *g, double value)
{
    if (value == 0)
        value = 0; /* there is only one zero: -0 becomes +0 */
    return lv_graph_intern(g, LV_OP_CONST, 0, 0, 0, value);
}

lv_node lv_graph_input(lv_graph *g, lv_input kind, int index)
{
    assert((int)kind >= 0 && kind < LV_INPUT_KINDS);
    assert(index >= 0);
    return lv_graph_intern(g, LV_OP_INPUT, (lv_node)kind, index, 0, 0);
}

bool lv_graph_is_const(const lv_graph *g, lv_node node, double value)
{
    return node >= 0 && g->nodes.data[node].op == LV_OP_CONST &&
           g->nodes.data[node].value == value;
}

bool lv_graph_is_input(const lv_graph *g, lv_node node, lv_input kind)
{
    return node >= 0 && g->nodes.data[node].op == LV_OP_INPUT &&
           g->nodes.data[node].a == (lv_node)kind;
}

/* Marks the operands of marked nodes, from the last node down. */
static void mark_operands(const lv_graph *g, unsigned char *needed, lv_node last)
{
    for (lv_node i = last; i >= 0; i--) {
        const lv_node_data *d = &g->nodes.data[i];
        int arity = needed[i] ? lv_op_arity(d->op) : 0;
        if (arity > 0)
            needed[d->a] = 1;
        if (arity > 1)
            needed[d->b] = 1;
        if (arity > 2)
            needed[d->c] = 1;
    }
}

lv_status lv_graph_evaluate(const lv_graph *g, double *values, const lv_node *nodes,
                            int count, const double *const inputs[LV_INPUT_KINDS],
                            lv_error *err)
{
    lv_node last = -1;
    for (int k = 0; k < count; k++)
        last = nodes[k] > last ? nodes[k] : last;

    double *w = lv_memory_zeroed((size_t)last + 1, sizeof *w);
    unsigned char *needed = lv_memory_zeroed((size_t)last + 1, 1);
    if (!w || !needed) {
        lv_memory_free(w);
        lv_memory_free(needed);
        return lv_fail_memory(err);
    }
    for (int k = 0; k < count; k++)
        needed[nodes[k]] = 1;
    mark_operands(g, needed, last);
    for (lv_node i = 0; i <= last; i++) {
        const lv_node_data *d = &g->nodes.data[i];
        if (!needed[i])
            continue;
        if (d->op == LV_OP_CONST)
            w[i] = d->value;
        else if (d->op == LV_OP_INPUT)
            w[i] = inputs[d->a] ? inputs[d->a][d->b] : (double)NAN;
        else
            w[i] = lv_op_value(d->op, w[d->a], w[d->b], w[d->c]);
    }
    for (int k = 0; k < count; k++)
        values[k] = w[nodes[k]];
    lv_memory_free(w);
    lv_memory_free(needed);
    return LV_OK;
}
