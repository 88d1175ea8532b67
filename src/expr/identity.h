/* Formulas that are zero wherever they have a value, whatever their inputs are:
 *
 *     (x - y) (z - x) + (x - z) (x - y),    sin(x)^2 + cos(x)^2 - 1,    u' / (2 sqrt(u)) where u' is.
 *
 * Such a formula is zero in every field, too. It is evaluated with random inputs modulo four primes p
 * near 2^31, where nothing is rounded: constants are m 2^e, sine and cosine rational functions of the
 * tangent of half the angle, other functions unknowns that are equal where their operands are. A formula
 * of degree d that is not zero passes with the probability (d/p)^4, once in 1e30 for d of a hundred
 * (Schwartz 1980, Zippel 1979). The random numbers are the same on every run. */
#ifndef LV_EXPR_IDENTITY_H
#define LV_EXPR_IDENTITY_H

#include "expr/graph.h"

/* Are all f[k] zero? Nothing is said about formulas that are not: they may be zero for other reasons. */
lv_status lv_identity_zero(bool *zero, const lv_graph *graph, const lv_node *f, int m,
                           lv_error *err);

/* Which nodes of the graph do not know how a rotation has turned? axis[k] is the number of the first of three inputs Q
 * that are axis k of a right-handed orthonormal frame. turned[i] is false if node i has the value that it has where
 * the axes are unit vectors, whatever they are; inputs V are held. In the plane axis is NULL, and input Q number
 * `angle` is the angle of the frame, which is compared with 0. */
lv_status lv_identity_turned(bool *turned, const lv_graph *graph, const int *axis,
                             int angle, lv_error *err);

#endif
