#include "expr/import.h"

#include "base/memory.h"

typedef struct import {
    lv_graph *to;
    const lv_graph *from;
    lv_node *image;       /* of each node of `from`, NONE as long as there is none */
    unsigned char *below; /* is the node needed? */
    bool entered;         /* is a place entered already? */
    int place;            /* which: a span, complemented for derived nodes */
} import;

static void mark_below(import *m, lv_node last)
{
    for (lv_node i = last; i >= 0; i--) {
        const lv_node_data *d = lv_graph_node(m->from, i);
        const lv_node operands[3] = {d->a, d->b, d->c};
        int arity = m->below[i] ? lv_op_arity(d->op) : 0;
        for (int k = 0; k < arity; k++)
            m->below[operands[k]] = 1;
    }
}

/* Enters the place of a node; neighbours share theirs. */
static void enter(import *m, lv_node node)
{
    const lv_node_data *d = lv_graph_node(m->from, node);
    int place = d->derived ? ~d->span : d->span;
    if (m->entered && place == m->place)
        return;
    const lv_span span = lv_graph_span(m->from, node);
    lv_graph_enter(m->to, span.snippet, span.start, span.length);
    if (d->derived)
        lv_graph_enter_node(m->to, LV_NODE_NONE);
    m->entered = true;
    m->place = place;
}

static lv_node leaf(import *m, const lv_node_data *d,
                    const lv_node *const inputs[LV_INPUT_KINDS])
{
    if (d->op == LV_OP_CONST)
        return lv_graph_const(m->to, d->value);
    return inputs[d->a] ? inputs[d->a][d->b]
                        : lv_graph_input(m->to, (lv_input)d->a, d->b);
}

static void build(import *m, lv_node last, const lv_node *const inputs[LV_INPUT_KINDS])
{
    for (lv_node i = 0; i <= last && lv_graph_status(m->to) == LV_OK; i++) {
        const lv_node_data *d = lv_graph_node(m->from, i);
        int arity = lv_op_arity(d->op);
        if (!m->below[i])
            continue;
        enter(m, i);
        m->image[i] = arity == 0 ? leaf(m, d, inputs)
                                 : lv_graph_op(m->to, d->op, m->image[d->a],
                                               arity > 1 ? m->image[d->b] : 0,
                                               arity > 2 ? m->image[d->c] : 0);
    }
}

void lv_graph_import(lv_graph *to, lv_node *images, const lv_graph *from,
                     const lv_node *nodes, int count,
                     const lv_node *const inputs[LV_INPUT_KINDS])
{
    size_t size = (size_t)lv_graph_count(from);
import m = {.to = to, .from = from };
    lv_node last = -1;
    m.image = lv_memory_zeroed(size, sizeof *m.image);
    m.below = lv_memory_zeroed(size, 1);
    if (size > 0 && (!m.image || !m.below))
        lv_graph_give_up(to, LV_ERR_MEMORY);
    for (int k = 0; k < count && lv_graph_status(to) == LV_OK; k++) {
        last = nodes[k] > last ? nodes[k] : last;
        m.below[nodes[k]] = 1;
    }
    if (lv_graph_status(to) == LV_OK) {
        int mark = lv_graph_enter_node(to, LV_NODE_NONE);
        mark_below(&m, last);
        build(&m, last, inputs);
        lv_graph_leave(to, mark);
    }
    for (int k = 0; k < count; k++)
        images[k] = lv_graph_status(to) == LV_OK ? m.image[nodes[k]] : LV_NODE_NONE;
    lv_memory_free(m.image);
    lv_memory_free(m.below);
}
