/* Hash-consed expression graph over scalars.
 *
 * Equal expressions are the same node; operands have smaller numbers than results, so that a
 * loop over the numbers is a topological order. Constructors simplify: constants fold,
 * neutral and absorbing elements go, signs and constant factors move outwards, like terms are
 * collected. Simplification changes values by rounding only.
 *
 * Failure is sticky: without memory or beyond the node limit every constructor returns
 * LV_NODE_NONE, also for operands that are LV_NODE_NONE; check lv_graph_status once at the
 * end. Which nodes exist and how they are numbered depends only on the sequence of calls:
 * callers must not nest constructor calls in one argument list. */
#ifndef LV_EXPR_GRAPH_H
#define LV_EXPR_GRAPH_H

#include "base/source.h"
#include "base/status.h"
#include "expr/op.h"

#include <stdbool.h>

typedef int lv_node;
enum { LV_NODE_NONE = -1 };

/* Index k of V is the velocity of index k of Q, index k of A its acceleration, index k of M its
 * momentum. */
typedef enum lv_input {
    LV_INPUT_Q, /* coordinates */
    LV_INPUT_V, /* velocities */
    LV_INPUT_T, /* time, and behind it the inputs of the model, which steps do not change */
    LV_INPUT_P, /* parameters, the same for all instances */
    LV_INPUT_I, /* numbers of the instance: family indices */
    LV_INPUT_Y, /* multipliers to contract with */
    LV_INPUT_W, /* directions to contract with */
    LV_INPUT_M, /* momenta: only until a Hamiltonian has become a Lagrangian */
    LV_INPUT_R, /* references of turning angles: constant in a step (function.c, winding) */
    LV_INPUT_A, /* accelerations: outputs only */
    LV_INPUT_E, /* total, kinetic, potential energy of the model: outputs only */
    LV_INPUT_KINDS
} lv_input;

/* Where in a text a node comes from; snippet NULL: nowhere. */
typedef struct lv_span {
    const lv_snippet *snippet;
    int start;
    int length;
} lv_span;

typedef struct lv_node_data {
    lv_op op;
    lv_node a, b, c; /* operands, or kind and index of an input */
    double value;    /* of a constant */
    int span;        /* index into the graph's spans */
    bool derived;    /* made by differentiating what stands at the span */
} lv_node_data;

typedef struct lv_graph lv_graph;

/* node_limit <= 0: LV_NODE_LIMIT. NULL without memory. */
enum { LV_NODE_LIMIT = 4000000 };
lv_graph *lv_graph_create(int node_limit);
void lv_graph_free(lv_graph *graph);

/* A copy with the same nodes under the same numbers: derivatives of a shared graph are built
 * in a copy. NULL without memory. */
lv_graph *lv_graph_copy(const lv_graph *graph);

/* LV_OK, or what went wrong first (LV_ERR_MEMORY, LV_ERR_LIMIT). */
lv_status lv_graph_status(const lv_graph *graph);

/* The same as an error with a text; the limit names the place where it was passed. */
lv_status lv_graph_check(const lv_graph *graph, lv_error *err);

/* Makes the graph fail, for code that builds nodes and cannot go on. */
lv_node lv_graph_give_up(lv_graph *graph, lv_status status);

int lv_graph_count(const lv_graph *graph);
const lv_node_data *lv_graph_node(const lv_graph *graph, lv_node node);

/* Do two graphs have the same nodes under the same numbers, wherever these come from? */
bool lv_graph_is_same(const lv_graph *graph, const lv_graph *other);

/* Nodes made from now on come from here; returns a mark to restore with. With enter_node they
 * are derived from `like` and share its place. A node that is both written and derived counts
 * as written. */
int lv_graph_enter(lv_graph *graph, const lv_snippet *snippet, int start, int length);
void lv_graph_leave(lv_graph *graph, int mark);
int lv_graph_enter_node(lv_graph *graph, lv_node like);
lv_span lv_graph_span(const lv_graph *graph, lv_node node);

lv_node lv_graph_const(lv_graph *graph, double value);
lv_node lv_graph_input(lv_graph *graph, lv_input kind, int index);

lv_node lv_graph_add(lv_graph *graph, lv_node a, lv_node b);
lv_node lv_graph_sub(lv_graph *graph, lv_node a, lv_node b);
lv_node lv_graph_mul(lv_graph *graph, lv_node a, lv_node b);
lv_node lv_graph_div(lv_graph *graph, lv_node a, lv_node b);
lv_node lv_graph_neg(lv_graph *graph, lv_node a);
lv_node lv_graph_square(lv_graph *graph, lv_node a);
lv_node lv_graph_pow(lv_graph *graph, lv_node a, lv_node b);
lv_node lv_graph_select(lv_graph *graph, lv_node condition, lv_node a, lv_node b);

/* Any operation by number; a, b, c beyond its arity are ignored. */
lv_node lv_graph_op(lv_graph *graph, lv_op op, lv_node a, lv_node b, lv_node c);

bool lv_graph_is_const(const lv_graph *graph, lv_node node, double value);

/* Is this an input of the kind (in any index)? */
bool lv_graph_is_input(const lv_graph *graph, lv_node node, lv_input kind);

/* Values of nodes at one point: inputs[kind][index]. One-off evaluation, no program needed.
 * A NULL block means that no input of that kind occurs. */
lv_status lv_graph_evaluate(const lv_graph *graph, double *values, const lv_node *nodes,
                            int count, const double *const inputs[LV_INPUT_KINDS],
                            lv_error *err);

#endif
