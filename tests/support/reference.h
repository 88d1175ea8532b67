/* A second opinion on the value of formulas: long double complex arithmetic over a list
 * of nodes, with nothing simplified. A tiny imaginary part carries first derivatives
 * without cancellation: Im f(x + i h d) / h = f'(x) d + O(h^2). Comparisons, abs, sign,
 * min and max decide by real parts. */
#ifndef LV_TESTS_REFERENCE_H
#define LV_TESTS_REFERENCE_H

#include "expr/graph.h"

#include <complex.h>
#include <stdint.h>

typedef long double _Complex lv_complex;

/* Room for the inputs of each kind that tests use. */
enum { LV_REFERENCE_INPUTS = 48 };
typedef lv_complex lv_reference_point[LV_INPUT_KINDS][LV_REFERENCE_INPUTS];

/* The imaginary step: its square vanishes beside 1. */
#define LV_REFERENCE_STEP 1e-30L

/* The part of a graph below some nodes, renumbered, operands first. */
typedef struct lv_reference {
    lv_node_data *nodes;
    int count;
    int *outputs; /* where the wanted nodes ended up */
    lv_complex *values;
} lv_reference;

void lv_reference_init(lv_reference *reference, const lv_graph *graph,
                       const lv_node *outputs, int count);
void lv_reference_done(lv_reference *reference);

/* Evaluates; output k is then reference->values[reference->outputs[k]]. */
void lv_reference_run(lv_reference *reference, lv_reference_point point);

/* Operations (neither constants nor inputs): what one evaluation costs. */
int lv_reference_operations(const lv_reference *reference);

lv_complex lv_reference_make(long double re, long double im);
lv_complex lv_reference_op(lv_op op, lv_complex a, lv_complex b, lv_complex c);

/* values[i] of nodes[i]. The result is a fingerprint of all decisions taken, so that a
 * caller knows whether two points lie on the same side of every kink. */
uint64_t lv_reference_values(lv_complex *values, const lv_node_data *nodes, int count,
                             lv_reference_point point);

#endif
