/* Changes of formulas along a direction, judged node by node: does f stay the same when its inputs
 * move by (dq, dv, dt)?
 *
 *     df = sum_k (df / du_k) du_k,    size = sum of the absolute values of the terms,
 *
 * from the inputs upwards. Wherever |df| <= LV_LIE_TOLERANCE * size the terms have cancelled and
 * what is left is rounding: the change of that node is zero from then on. A function of things that
 * do not change does not change, however steep it is, and strong terms that cancel do not hide weak
 * ones that do not: the terms of a sum are added from the largest down, and those that cancel are
 * dropped before smaller ones count.
 *
 * Nothing is lost to underflow or saturation. Numbers have exponents of their own (wide.h), and
 * derivatives have closed forms: that of tanh(1e4) is 4 exp(-2e4). A value that a sum has lost, such
 * as 1 + tanh(-1e4), is not zero but unknown; an arbitrary number of the size of its rounding takes
 * its place, and changes that depend on it are called guesses. Terms of which a summand was lost, such
 * as 1 in 1 + 1e12, may cancel because of that: x / sqrt(1 + x^2) is constant where x is large. Such a
 * zero is a guess, too, and not zero. A zero is therefore proven at the point, up to rounding; anything
 * else is proven unless it is a guess. */
#ifndef LV_EXPR_LIE_H
#define LV_EXPR_LIE_H

#include "expr/graph.h"
#include "expr/wide.h"

#define LV_LIE_TOLERANCE 1e-11

typedef struct lv_change {
    lv_wide d, size; /* both are zero where nothing changes */
    bool guess;
    bool blurred; /* its coefficients have lost a summand */
} lv_change;

/* A term to be added: size >= |d| */
static inline lv_change lv_change_of(double d)
{
    return (lv_change){lv_wide_of(d), lv_wide_of(fabs(d)), false, false};
}

lv_change lv_change_scaled(lv_change change, lv_wide factor);

/* The sum of terms, whose order is lost. */
lv_change lv_change_sum(lv_change *terms, int count);

typedef struct lv_lie lv_lie;

/* For formulas of a graph; nothing else of the graph is evaluated. */
lv_status lv_lie_create(lv_lie **lie, const lv_graph *graph, const lv_node *f, int m,
                        lv_error *err);
void lv_lie_free(lv_lie *lie);

/* Evaluates the formulas at a point, inputs[kind][index]. Arbitrary numbers differ from node to node
 * and with the salt. false if a formula has no finite value. */
bool lv_lie_place(lv_lie *lie, const double *const inputs[LV_INPUT_KINDS], int salt);

/* Moves the point. NULL: the inputs of this kind stay. */
void lv_lie_move(lv_lie *lie, const lv_change *dq, const lv_change *dv, double dt);

/* Of formula k, after place; the size is that of its rounding error, relative to 2^-53. */
lv_change lv_lie_value(const lv_lie *lie, int k);

/* Of formula k, after move. */
lv_change lv_lie_change(const lv_lie *lie, int k);

#endif
