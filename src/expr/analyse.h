/* What formulas depend on and how (theory 3). Tables are indexed by node number and cover
 * all nodes that the graph has at the time of the call. */
#ifndef LV_EXPR_ANALYSE_H
#define LV_EXPR_ANALYSE_H

#include "base/memory.h"
#include "expr/graph.h"

/* A set of input kinds. */
typedef unsigned lv_kinds;
#define LV_KIND(kind) (1U << (unsigned)LV_INPUT_##kind)

/* kinds[i]: the kinds of inputs node i depends on. */
void lv_analyse_kinds(const lv_graph *graph, lv_kinds *kinds);

/* The kinds of inputs that the nodes f depend on, as one set. */
lv_status lv_analyse_reach(const lv_graph *graph, lv_kinds *kinds, const lv_node *f,
                           int m, lv_error *err);

/* Computes the polynomial degree of every node in the inputs of the kinds `in`, with all
 * others constant. A node that is not a polynomial, or has a degree of LV_DEGREE_NONE or
 * more, gets LV_DEGREE_NONE. */
enum { LV_DEGREE_NONE = 255 };
void lv_analyse_degrees(const lv_graph *graph, unsigned char *degrees, lv_kinds in);

typedef LV_ARRAY(lv_node) lv_node_list;

/* Lists the inputs of one kind that the nodes f depend on, by increasing index. */
lv_status lv_analyse_inputs(const lv_graph *graph, lv_node_list *inputs, const lv_node *f,
                            int m, lv_input kind, lv_error *err);

/* Finds the frontier of at-most-quadratic nodes below f: the largest nodes of degree 1 or
 * 2 (given by `degrees`) through which f depends on the inputs. They are listed by
 * increasing number. */
lv_status lv_analyse_frontier(const lv_graph *graph, lv_node_list *frontier, lv_node f,
                              const unsigned char *degrees, lv_error *err);

/* f with all inputs of the given kinds replaced by zero. */
lv_node lv_analyse_at_zero(lv_graph *graph, lv_node f, lv_kinds kinds);

#endif
