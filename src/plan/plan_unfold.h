/* A plan as formulas: what it evaluates, for all instances, as nodes of one graph.
 *
 * Callers that compile more than one evaluation, such as a whole step, build on these
 * nodes. Parameters stay inputs P. The numbers of instances, which each kernel numbers
 * for itself, become inputs I with one numbering for the whole graph. */
#ifndef LV_PLAN_PLAN_UNFOLD_H
#define LV_PLAN_PLAN_UNFOLD_H

#include "base/memory.h"
#include "plan/plan.h"

/* Identifies the number of an instance that an input I stands for. */
typedef struct lv_number_of {
    int kernel, instance, number;
} lv_number_of;

typedef struct lv_unfolding {
    lv_graph *graph;
    LV_ARRAY(lv_number_of)
    numbers; /* input I with index first_number + k is numbers[k] */
    int first_number;
    /* The graph has inputs R: references of angles that count turns, in the order of the
     * model's list */
    bool turns;
} lv_unfolding;

/* lv_point with nodes for numbers. */
typedef struct lv_point_nodes {
    const lv_node *q, *v, *y, *w, *x;
    lv_node t;
} lv_point_nodes;

/* Can the plan be unfolded? */
bool lv_plan_unfolds(const lv_plan *plan);

/* Number of operations of one evaluation of all instances. */
long lv_plan_operations(const lv_plan *plan);

/* Writes the nodes of each quantity of the plan to result[quantity], unless that is NULL.
 * The nodes are LV_NODE_NONE if the graph has failed. */
lv_status lv_plan_unfold(const lv_plan *plan, lv_unfolding *unfolding,
                         const lv_point_nodes *point,
                         lv_node *const result[LV_QUANTITIES], lv_error *err);

/* The value of an input I. */
double lv_number_value(const lv_model *model, const lv_number_of *number);

#endif
