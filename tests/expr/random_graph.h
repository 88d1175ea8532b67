/* Random graphs over all operations and kinds of inputs, the same for the same seed
 * everywhere, with random points to evaluate them at. */
#ifndef LV_TESTS_RANDOM_GRAPH_H
#define LV_TESTS_RANDOM_GRAPH_H

#include "expr/program.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const lv_layout random_layout = {{5, 5, 1, 4, 2, 3, 3, 2, 3, 2, 3}};
enum { LARGEST_BLOCK = 5, RANDOM_OUTPUTS = 40 };

typedef struct random_source {
    uint64_t state;
} random_source;

static inline int random_below(random_source *r, int n)
{
    r->state = r->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((r->state >> 33) % (uint64_t)n);
}

/* In [-2, 2]; sometimes an integer. */
static inline double random_number(random_source *r)
{
    if (random_below(r, 8) == 0)
        return random_below(r, 5) - 2;
    return random_below(r, 1 << 30) * 0x1p-28 - 2;
}

static inline lv_node random_leaf(random_source *r, lv_graph *g)
{
    int kind = random_below(r, LV_INPUT_KINDS + 1);
    if (kind == LV_INPUT_KINDS)
        return lv_graph_const(g, random_number(r));
    return lv_graph_input(g, (lv_input)kind, random_below(r, random_layout.size[kind]));
}

/* `size` attempts to add a node; outputs are any nodes, some of them leaves. Without
 * memory NULL or a graph that has failed. */
static inline lv_graph *random_graph(uint64_t seed, int size, lv_node *outputs, int count)
{
    random_source r = {seed * 77 + 5};
    lv_graph *g = lv_graph_create(0);
    if (!g)
        return NULL;
    for (int i = 0; i < 20; i++)
        (void)random_leaf(&r, g);
    for (int i = 0; i < size && lv_graph_status(g) == LV_OK; i++) {
        int n = lv_graph_count(g);
        lv_op op = (lv_op)(LV_OP_ADD + random_below(&r, LV_OP_COUNT - LV_OP_ADD));
        lv_node a = random_below(&r, n);
        lv_node b = random_below(&r, 2) ? random_below(&r, n) : random_leaf(&r, g);
        lv_node c = random_below(&r, n);
        (void)lv_graph_op(g, op, a, b, c);
    }
    for (int i = 0; i < count && lv_graph_status(g) == LV_OK; i++)
        outputs[i] = random_below(&r, lv_graph_count(g));
    return g;
}

/* One value for every input. */
typedef struct random_point {
    double value[LV_INPUT_KINDS][LARGEST_BLOCK];
    const double *in[LV_INPUT_KINDS];
} random_point;

static inline void random_point_fill(random_point *point, random_source *r)
{
    for (int kind = 0; kind < LV_INPUT_KINDS; kind++) {
        for (int i = 0; i < LARGEST_BLOCK; i++)
            point->value[kind][i] = random_number(r);
        point->in[kind] = point->value[kind];
    }
}

/* Which bits a NaN has is not specified. */
static inline int same_bits(double x, double y)
{
    return (isnan(x) && isnan(y)) || memcmp(&x, &y, sizeof x) == 0;
}

#endif
