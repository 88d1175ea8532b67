#include "fused/node_measure.h"

#include "model/moving.h"

#include <float.h>

static lv_node size_of(lv_graph *g, lv_node x)
{
    return lv_graph_op(g, LV_OP_ABS, x, LV_NODE_NONE, LV_NODE_NONE);
}

lv_node lv_node_larger(lv_graph *g, lv_node x, lv_node y)
{
    return lv_graph_op(g, LV_OP_MAX, x, y, LV_NODE_NONE);
}

lv_node lv_node_extent(lv_graph *g, const lv_node *x, int count)
{
    lv_node largest = lv_graph_const(g, 0);
    for (int i = 0; i < count; i++) {
        const lv_node size = size_of(g, x[i]);
        largest = i > 0 ? lv_node_larger(g, largest, size) : size;
    }
    return largest;
}

lv_node lv_node_relative(lv_graph *g, lv_node x, lv_node y)
{
    const lv_node least = lv_graph_const(g, DBL_MIN);
    return lv_graph_div(g, x, lv_node_larger(g, y, least));
}

/* The size of a coordinate plus its displacement in a step. Rotations have size 1. */
static lv_node reach(lv_graph *g, const int *place, const lv_node *q, lv_node way, int i)
{
    lv_node size;
    if (place && place[i] < 0)
        size = lv_graph_const(g, 1);
    else
        size = size_of(g, q[place ? place[i] : i]);
    return lv_graph_add(g, size, way);
}

/* The largest reach of a group of coordinates, which begins at `first`. */
static lv_node reach_of_group(lv_graph *g, const lv_system *s, int first, int end,
                              const lv_node *q, const lv_node *v, lv_node h)
{
    const int *place = s->model->motion ? s->model->motion->place : NULL;
    lv_node largest = lv_graph_const(g, 0);
    for (int i = first; i < end; i++) {
        const lv_node moved = lv_graph_mul(g, h, size_of(g, v[i])),
                      size = reach(g, place, q, moved, i);
        largest = i > first ? lv_node_larger(g, largest, size) : size;
    }
    return largest;
}

/* No group counts as smaller than a hundredth of the largest coordinate. */
lv_node lv_node_relative_size(lv_graph *g, const lv_system *s, const lv_node *update,
                              const lv_node *q, const lv_node *v, lv_node h)
{
    const int groups = s->model->groups.count;
    const lv_node part = lv_graph_const(g, 0.01), pace = size_of(g, h);
    lv_node whole = lv_graph_const(g, 0), result = whole;
    for (int k = 0, i = 0; k < groups; i = s->group_end[k++]) {
        const lv_node size = reach_of_group(g, s, i, s->group_end[k], q, v, pace);
        whole = k > 0 ? lv_node_larger(g, whole, size) : size;
    }
    whole = lv_graph_mul(g, part, whole);
    for (int k = 0, i = 0; k < groups; i = s->group_end[k++]) {
        const int end = s->group_end[k];
        const lv_node size = reach_of_group(g, s, i, end, q, v, pace), /* the same node */
            change = lv_node_extent(g, update + i, end - i),
                      relative =
                          lv_node_relative(g, change, lv_node_larger(g, size, whole));
        result = k > 0 ? lv_node_larger(g, result, relative) : relative;
    }
    return result;
}
