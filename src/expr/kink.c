#include "expr/kink.h"

#include <math.h>
#include <string.h>

typedef struct opening {
    lv_graph *g;
    unsigned char *seen; /* nodes below the formulas */
    lv_kinds *kinds;
    lv_node *image;
    lv_node last;
    int decisions; /* number of decisions replaced so far */
    lv_node_list *guards;
} opening;

static bool is_kink(lv_op op)
{
    switch ((int)op) {
    case LV_OP_ABS:
    case LV_OP_SIGN:
    case LV_OP_MIN:
    case LV_OP_MAX:
    case LV_OP_LESS:
    case LV_OP_LESS_EQUAL:
    case LV_OP_EQUAL:
    case LV_OP_SELECT:
        return true;
    default:
        return false;
    }
}

/* Whether an operation is not defined for all operands. An integer exponent is
 * harmless. */
static bool is_partial(const lv_graph *g, const lv_node_data *d)
{
    switch ((int)d->op) {
    case LV_OP_SQRT:
    case LV_OP_LOG:
    case LV_OP_ASIN:
    case LV_OP_ACOS:
        return true;
    case LV_OP_POW: {
        const lv_node_data *exponent = lv_graph_node(g, d->b);
        return exponent->op != LV_OP_CONST || floor(exponent->value) != exponent->value;
    }
    default:
        return false;
    }
}

static const lv_kinds moving = LV_KIND(Q) | LV_KIND(V) | LV_KIND(T);

/* Whether a node is a decision that does not depend on parameters only. */
static bool decides(const opening *o, lv_node i)
{
    const lv_node_data *d = lv_graph_node(o->g, i);
    return is_kink(d->op) && (o->kinds[d->op == LV_OP_SELECT ? d->a : i] & moving);
}

static bool opening_init(opening *o, const lv_node *f, int m)
{
    size_t count = (size_t)lv_graph_count(o->g) + 1;
    o->seen = lv_memory_zeroed(count, 1);
    o->kinds = lv_memory_zeroed(count, sizeof *o->kinds);
    o->image = lv_memory_zeroed(count, sizeof *o->image);
    if (!o->seen || !o->kinds || !o->image)
        return false;
    lv_analyse_kinds(o->g, o->kinds);
    o->last = -1;
    for (int i = 0; i < m; i++) {
        o->seen[f[i]] = 1;
        o->last = f[i] > o->last ? f[i] : o->last;
    }
    return true;
}

/* Marks the nodes that the formulas need; returns whether a decision is among them. */
static bool mark_needed(opening *o)
{
    bool found = false;
    for (lv_node i = o->last; i >= 0; i--) {
        const lv_node_data *d = lv_graph_node(o->g, i);
        int arity = o->seen[i] ? lv_op_arity(d->op) : 0;
        if (arity > 0)
            o->seen[d->a] = 1;
        if (arity > 1)
            o->seen[d->b] = 1;
        if (arity > 2)
            o->seen[d->c] = 1;
        found = found || (o->seen[i] && decides(o, i));
    }
    return found;
}

static void add_guard(opening *o, lv_node operand)
{
    lv_node node = o->image[operand];
    if (!(o->kinds[operand] & (LV_KIND(Q) | LV_KIND(V))) || node < 0)
        return;
    if (!LV_PUSH(*o->guards, node))
        lv_graph_give_up(o->g, LV_ERR_MEMORY);
}

/* A number in [0.3, 0.7), different for every decision. */
static lv_node free_number(opening *o)
{
    double whole, turn = modf(++o->decisions * 0.6180339887498949, &whole);
    return lv_graph_const(o->g, 0.3 + 0.4 * turn);
}

/* n b + (1 - n) c */
static lv_node mix_branches(opening *o, const lv_node_data *d)
{
    lv_node n = free_number(o);
    lv_node difference = lv_graph_sub(o->g, o->image[d->b], o->image[d->c]);
    lv_node part = lv_graph_mul(o->g, n, difference);
    return lv_graph_add(o->g, o->image[d->c], part);
}

static lv_node replace_decision(opening *o, const lv_node_data *d)
{
    add_guard(o, d->a);
    if (d->op == LV_OP_SELECT)
        return mix_branches(o, d);
    if (lv_op_arity(d->op) > 1)
        add_guard(o, d->b);
    return free_number(o);
}

static lv_node image_of(opening *o, lv_node i)
{
    const lv_node_data d = *lv_graph_node(o->g, i);
    int arity = lv_op_arity(d.op);
    if (arity == 0 || !(o->kinds[i] & moving))
        return i;
    if (decides(o, i) || is_partial(o->g, &d))
        return replace_decision(o, &d);
    return lv_graph_op(o->g, d.op, o->image[d.a], arity > 1 ? o->image[d.b] : 0,
                       arity > 2 ? o->image[d.c] : 0);
}

lv_status lv_kink_open(lv_graph *g, lv_node *smooth, const lv_node *f, int m,
                       lv_node_list *guards, lv_error *err)
{
    opening o = {.g = g, .guards = guards};
    memmove(smooth, f, (size_t)m * sizeof *smooth);
    if (!opening_init(&o, smooth, m)) {
        lv_graph_give_up(g, LV_ERR_MEMORY);
    } else if (mark_needed(&o)) {
        for (lv_node i = 0; i <= o.last && lv_graph_status(g) == LV_OK; i++)
            if (o.seen[i])
                o.image[i] = image_of(&o, i);
        for (int i = 0; i < m; i++)
            smooth[i] = lv_graph_status(g) == LV_OK ? o.image[smooth[i]] : LV_NODE_NONE;
    }
    lv_memory_free(o.seen);
    lv_memory_free(o.kinds);
    lv_memory_free(o.image);
    return lv_graph_check(g, err);
}

/* Whether the result of a node changes exactly where the inputs vanish. `image` holds its
 * operands there. */
static bool is_undecided(const opening *o, const lv_node_data *d)
{
    switch ((int)d->op) {
    case LV_OP_SIGN:
        return lv_graph_is_const(o->g, o->image[d->a], 0);
    case LV_OP_LESS:
    case LV_OP_LESS_EQUAL:
    case LV_OP_EQUAL:
        return o->image[d->a] == o->image[d->b];
    default:
        return false;
    }
}

/* The value of node i where the inputs of the kinds vanish. If `open`, results that
 * change exactly there are replaced by arbitrary numbers. */
static lv_node image_at_zero(opening *o, lv_node i, lv_kinds in, bool open)
{
    const lv_node_data d = *lv_graph_node(o->g, i);
    const int arity = lv_op_arity(d.op);
    if (d.op == LV_OP_INPUT && (o->kinds[i] & in))
        return lv_graph_const(o->g, 0);
    if (arity == 0)
        return i;
    if (open && (o->kinds[i] & in) && is_undecided(o, &d))
        return free_number(o);
    return lv_graph_op(o->g, d.op, o->image[d.a], arity > 1 ? o->image[d.b] : 0,
                       arity > 2 ? o->image[d.c] : 0);
}

static void build_at_zero(opening *o, lv_kinds in, bool open)
{
    for (lv_node i = 0; i <= o->last && lv_graph_status(o->g) == LV_OK; i++)
        if (o->seen[i])
            o->image[i] = image_at_zero(o, i, in, open);
}

static void compare_at_zero(opening *o, bool *jumps, const lv_node *f, int m, lv_kinds in)
{
    lv_node_list plain = {0};
    build_at_zero(o, in, false);
    for (int i = 0; i < m; i++)
        if (!LV_PUSH(plain, o->image[f[i]]))
            lv_graph_give_up(o->g, LV_ERR_MEMORY);
    build_at_zero(o, in, true);
    for (int i = 0; i < m && lv_graph_status(o->g) == LV_OK; i++)
        *jumps = *jumps || o->image[f[i]] != plain.data[i];
    LV_ARRAY_FREE(plain);
}

lv_status lv_kink_jumps(lv_graph *g, bool *jumps, const lv_node *f, int m, lv_kinds in,
                        lv_error *err)
{
    opening o = {.g = g};
    *jumps = false;
    if (!opening_init(&o, f, m)) {
        lv_graph_give_up(g, LV_ERR_MEMORY);
    } else if (mark_needed(&o)) {
        compare_at_zero(&o, jumps, f, m, in);
    }
    lv_memory_free(o.seen);
    lv_memory_free(o.kinds);
    lv_memory_free(o.image);
    return lv_graph_check(g, err);
}

lv_status lv_kink_any(lv_graph *g, bool *any, const lv_node *f, int m, lv_error *err)
{
    opening o = {.g = g};
    const bool begun = opening_init(&o, f, m);
    *any = begun && mark_needed(&o);
    lv_memory_free(o.seen);
    lv_memory_free(o.kinds);
    lv_memory_free(o.image);
    return begun ? LV_OK : lv_fail_memory(err);
}
