#include "expr/import.h"

#include "base/memory.h"

/* Each node has up to two images: one with `inputs`, one with `others`. */
typedef struct import {
    lv_graph *to;
    const lv_graph *from;
    const lv_node *const *inputs[2];
    /* nodes that are built with the second inputs; NULL: none */
    const bool *where;
    /* the two images of each node of `from`; LV_NODE_NONE: not built yet */
    lv_node *image[2];
    unsigned char *below[2]; /* whether that image is needed */
    bool entered;            /* whether a place was entered */
    /* the place that was entered: a span, complemented for derived nodes */
    int place;
} import;

/* Which image of a node is used below an image of this side. */
static int side_of(const import *m, lv_node node, int side)
{
    return m->where && m->where[node] ? 1 : side;
}

static void mark_below(import *m, lv_node last)
{
    for (lv_node i = last; i >= 0; i--) {
        const lv_node_data *d = lv_graph_node(m->from, i);
        const lv_node operands[3] = {d->a, d->b, d->c};
        for (int side = 0; side < 2; side++) {
            int arity = m->below[side][i] ? lv_op_arity(d->op) : 0;
            for (int k = 0; k < arity; k++)
                m->below[side_of(m, operands[k], side)][operands[k]] = 1;
        }
    }
}

/* Enters the place of a node unless it is entered already, as neighbours often share
 * it. */
static void enter_place(import *m, lv_node node)
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

static lv_node leaf(import *m, const lv_node_data *d, int side)
{
    const lv_node *const *inputs = m->inputs[side];
    if (d->op == LV_OP_CONST)
        return lv_graph_const(m->to, d->value);
    return inputs[d->a] ? inputs[d->a][d->b]
                        : lv_graph_input(m->to, (lv_input)d->a, d->b);
}

static lv_node image_of(import *m, lv_node node, int side)
{
    return m->image[side_of(m, node, side)][node];
}

static void build_image(import *m, lv_node node, int side)
{
    const lv_node_data *d = lv_graph_node(m->from, node);
    int arity = lv_op_arity(d->op);
    if (!m->below[side][node])
        return;
    enter_place(m, node);
    m->image[side][node] = arity == 0
                               ? leaf(m, d, side)
                               : lv_graph_op(m->to, d->op, image_of(m, d->a, side),
                                             arity > 1 ? image_of(m, d->b, side) : 0,
                                             arity > 2 ? image_of(m, d->c, side) : 0);
}

static void build_all(import *m, lv_node last)
{
    int mark = lv_graph_enter_node(m->to, LV_NODE_NONE);
    mark_below(m, last);
    for (lv_node i = 0; i <= last && lv_graph_status(m->to) == LV_OK; i++)
        for (int side = 0; side < 2; side++)
            build_image(m, i, side);
    lv_graph_leave(m->to, mark);
}

void lv_graph_import_where(lv_graph *to, lv_node *images, const lv_graph *from,
                           const lv_node *nodes, int count,
                           const lv_node *const inputs[LV_INPUT_KINDS],
                           const lv_node *const others[LV_INPUT_KINDS], const bool *where)
{
    size_t size = (size_t)lv_graph_count(from);
import m = {.to = to, .from = from, .inputs = {inputs, others }, .where = where };
    lv_node last = -1;
    lv_node *room = lv_memory_zeroed(2 * size + 1, sizeof *room);
    unsigned char *marks = lv_memory_zeroed(2 * size + 1, 1);
    if (!room || !marks)
        lv_graph_give_up(to, LV_ERR_MEMORY);
    for (int side = 0; side < 2; side++) {
        m.image[side] = room + (size_t)side * size;
        m.below[side] = marks + (size_t)side * size;
    }
    for (int k = 0; k < count && lv_graph_status(to) == LV_OK; k++) {
        last = nodes[k] > last ? nodes[k] : last;
        m.below[side_of(&m, nodes[k], 0)][nodes[k]] = 1;
    }
    if (lv_graph_status(to) == LV_OK)
        build_all(&m, last);
    for (int k = 0; k < count; k++)
        images[k] =
            lv_graph_status(to) == LV_OK ? image_of(&m, nodes[k], 0) : LV_NODE_NONE;
    lv_memory_free(room);
    lv_memory_free(marks);
}

void lv_graph_import(lv_graph *to, lv_node *images, const lv_graph *from,
                     const lv_node *nodes, int count,
                     const lv_node *const inputs[LV_INPUT_KINDS])
{
    lv_graph_import_where(to, images, from, nodes, count, inputs, inputs, NULL);
}
