/* Random formulas with a point at which they are well defined, from fixed seeds.
 *
 * A formula is a list of unsimplified nodes, operands before results. All operations
 * occur; arguments are kept inside domains (log(2 + x^2), asin(x / (2 + x^2)), ...),
 * kinks and branch cuts stay at a distance from the point, values stay small. A branch
 * that is not taken may have no value at all. */
#ifndef LV_TESTS_RANDOM_FORMULA_H
#define LV_TESTS_RANDOM_FORMULA_H

#include "expr/analyse.h"
#include "reference.h"

enum {
    LV_RANDOM_NODES = 400,
    LV_RANDOM_Q = 3, /* as many V */
    LV_RANDOM_P = 2,
    LV_RANDOM_VARIABLES = 2 * LV_RANDOM_Q + 1 + LV_RANDOM_P
};

typedef struct lv_random_formula {
    lv_node_data nodes[LV_RANDOM_NODES];
    int count;                    /* the last node is the formula */
    bool usable[LV_RANDOM_NODES]; /* false: has no value at the point */
    double point[LV_INPUT_KINDS][LV_REFERENCE_INPUTS];
} lv_random_formula;

/* `size` is the number of random operations; helpers such as 2 + x^2 come on top. `kinds`
 * (of Q, V, T, P) may occur. */
void lv_random_formula_make(lv_random_formula *formula, uint64_t seed, int size,
                            lv_kinds kinds);

/* Builds it with the graph's constructors: the result is nodes[count - 1], the others are
 * given where `nodes` is not NULL. */
lv_node lv_random_formula_build(const lv_random_formula *formula, lv_graph *graph,
                                lv_node *nodes);

/* The variables Q0.., V0.., T, P0.. as nodes, LV_RANDOM_VARIABLES of them. */
void lv_random_variables(lv_graph *graph, lv_node *variables);

/* The point of the formula as complex numbers and as lv_graph_evaluate wants it. */
void lv_random_point(const lv_random_formula *formula, lv_reference_point point);
void lv_random_inputs(const lv_random_formula *formula,
                      const double *inputs[LV_INPUT_KINDS]);

/* splitmix64 (Steele, Lea, Flood 2014), and what is made of it. */
uint64_t lv_random_bits(uint64_t *state);
int lv_random_below(uint64_t *state, int n);
double lv_random_between(uint64_t *state, double low, double high);

/* 0 .. n - 1 in any order. */
void lv_random_order(uint64_t *state, int *order, int n);

#endif
