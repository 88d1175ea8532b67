/* Changes of formulas along a direction, judged node by node: does f stay the same if its
 * inputs move by (dq, dv, dt)?
 *
 *     df = sum_k (df / du_k) du_k,    size = sum of the absolute values of the terms,
 *
 * from the inputs upwards. If |df| <= LV_LIE_TOLERANCE * size, the terms have cancelled
 * and the rest is rounding: the change of that node is set to zero. So a function of
 * things that do not change does not change, however steep it is. Strong terms that
 * cancel do not hide weak ones that do not: the terms of a sum are added from the largest
 * down, and those that cancel are dropped before smaller ones are added.
 *
 * Nothing is lost to underflow or saturation. Numbers have an extended exponent (wide.h),
 * and derivatives have closed forms: that of tanh(1e4) is 4 exp(-2e4). A value that a sum
 * has lost, such as 1 + tanh(-1e4), is not zero but unknown. It is replaced by an
 * arbitrary number of the size of its rounding, and changes that depend on it are called
 * guesses. If a summand was lost, such as 1 in 1 + 1e12, terms may cancel because of
 * that: x / sqrt(1 + x^2) is constant where x is large. Such a zero is a guess, too, and
 * not treated as zero. A zero is therefore proven at the point, up to rounding; any other
 * change is proven unless it is a guess. */
#ifndef LV_EXPR_LIE_H
#define LV_EXPR_LIE_H

#include "expr/graph.h"
#include "expr/wide.h"

#define LV_LIE_TOLERANCE 1e-11

typedef struct lv_change {
    lv_wide d, size; /* both are zero if nothing changes */
    bool guess;
    bool blurred; /* its coefficients have lost a summand in a sum */
} lv_change;

/* A change by the number d. */
static inline lv_change lv_change_of(double d)
{
    return (lv_change){lv_wide_of(d), lv_wide_of(fabs(d)), false, false};
}

lv_change lv_change_scaled(lv_change change, lv_wide factor);

/* The sum of terms; it reorders the array. */
lv_change lv_change_sum(lv_change *terms, int count);

typedef struct lv_lie lv_lie;

/* Prepares the formulas f of a graph; only nodes that these need are evaluated. */
lv_status lv_lie_create(lv_lie **lie, const lv_graph *graph, const lv_node *f, int m,
                        lv_error *err);
void lv_lie_free(lv_lie *lie);

/* Evaluates the formulas at a point, inputs[kind][index]. The arbitrary numbers differ
 * from node to node and with the salt. Returns false if a formula has no finite value. */
bool lv_lie_place(lv_lie *lie, const double *const inputs[LV_INPUT_KINDS], int salt);

/* Computes the changes if the point moves. NULL: the inputs of this kind do not
 * change. */
void lv_lie_move(lv_lie *lie, const lv_change *dq, const lv_change *dv, double dt);

/* The value of formula k, after lv_lie_place; `size` is its rounding error relative to
 * 2^-53. */
lv_change lv_lie_value(const lv_lie *lie, int k);

/* The change of formula k, after lv_lie_move. */
lv_change lv_lie_change(const lv_lie *lie, int k);

#endif
