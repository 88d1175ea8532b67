/* Hash-consed expression graph over scalars.
 *
 * Equal expressions are the same node. Operands have smaller numbers than results, so
 * increasing numbers are a topological order. Constructors simplify: constants fold,
 * neutral and absorbing elements vanish, signs and constant factors move outwards, like
 * terms are collected. Simplification changes values by rounding only.
 *
 * Failure is sticky: without memory or beyond the node limit every constructor returns
 * LV_NODE_NONE, also for operands that are LV_NODE_NONE; check lv_graph_status once at
 * the end. Which nodes exist and how they are numbered depends only on the sequence of
 * calls: callers must not nest constructor calls in one argument list. */
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
    /* index 0 is time; the others are the inputs of the model, which are constant in a
     * step */
    LV_INPUT_T,
    LV_INPUT_P, /* parameters, the same for all instances */
    LV_INPUT_I, /* numbers of the instance: indices of its family, and data */
    LV_INPUT_Y, /* multipliers, for contracted derivatives */
    LV_INPUT_W, /* directions, for contracted derivatives */
    LV_INPUT_M, /* momenta: only until a Hamiltonian is transformed into a Lagrangian */
    /* references of angles that count turns, constant in a step (functions.c, winding) */
    LV_INPUT_R,
    LV_INPUT_A, /* accelerations: in outputs only */
    LV_INPUT_E, /* total, kinetic and potential energy of the model: in outputs only */
    LV_INPUT_KINDS
} lv_input;

/* The place in a text that a node comes from; snippet NULL: there is none. */
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
    bool derived;    /* the node results from differentiating the formula at the span */
} lv_node_data;

typedef struct lv_graph lv_graph;

/* Creates a graph. node_limit <= 0 means LV_NODE_LIMIT. NULL if there is no memory. */
enum { LV_NODE_LIMIT = 4000000 };
lv_graph *lv_graph_create(int node_limit);
void lv_graph_free(lv_graph *graph);

/* Makes a copy with the same nodes under the same numbers; derivatives of a shared graph
 * are built in a copy. NULL if there is no memory. */
lv_graph *lv_graph_copy(const lv_graph *graph);

/* LV_OK, or the first failure (LV_ERR_MEMORY, LV_ERR_LIMIT). */
lv_status lv_graph_status(const lv_graph *graph);

/* Returns the same status and fills err; for the limit, it names the place where it was
 * exceeded. */
lv_status lv_graph_check(const lv_graph *graph, lv_error *err);

/* Makes the graph fail, for code that builds nodes and cannot continue. */
lv_node lv_graph_give_up(lv_graph *graph, lv_status status);

int lv_graph_count(const lv_graph *graph);
const lv_node_data *lv_graph_node(const lv_graph *graph, lv_node node);

/* Whether two graphs have the same nodes under the same numbers, regardless of their
 * places in texts. */
bool lv_graph_is_same(const lv_graph *graph, const lv_graph *other);

/* lv_graph_enter sets the place of the nodes that are created from now on; it returns a
 * mark to restore the previous place with. After lv_graph_enter_node, new nodes count as
 * derived from `like` and have its place. A node that is both written and derived counts
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

/* Applies any operation by number; operands beyond its arity are ignored. */
lv_node lv_graph_op(lv_graph *graph, lv_op op, lv_node a, lv_node b, lv_node c);

bool lv_graph_is_const(const lv_graph *graph, lv_node node, double value);

/* Whether a node is an input of this kind, with any index. */
bool lv_graph_is_input(const lv_graph *graph, lv_node node, lv_input kind);

/* Evaluates nodes once at the point inputs[kind][index], without a program. A NULL block
 * means that no input of that kind occurs. */
lv_status lv_graph_evaluate(const lv_graph *graph, double *values, const lv_node *nodes,
                            int count, const double *const inputs[LV_INPUT_KINDS],
                            lv_error *err);

#endif
