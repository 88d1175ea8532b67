/* Detects formulas that are zero wherever they are defined, whatever their inputs are:
 *
 *     (x - y) (z - x) + (x - z) (x - y),    sin(x)^2 + cos(x)^2 - 1,
 *     u' / (2 sqrt(u)) if u' is zero.
 *
 * Such a formula is zero in every field. It is evaluated with random inputs modulo four
 * primes p near 2^31, where nothing is rounded: constants are m 2^e, sine and cosine are
 * rational functions of the tangent of half the angle, and other functions are unknowns
 * that are equal if their operands are. A formula of degree d that is not zero passes
 * with the probability (d/p)^4, once in 1e30 for d of a hundred (Schwartz 1980, Zippel
 * 1979). The random numbers are the same on every run. */
#ifndef LV_EXPR_IDENTITY_H
#define LV_EXPR_IDENTITY_H

#include "expr/graph.h"

#include <stdint.h>

/* Sets *zero to whether all f[k] are identically zero. If not, they may still vanish for
 * other reasons. */
lv_status lv_identity_zero(bool *zero, const lv_graph *graph, const lv_node *f, int m,
                           lv_error *err);

/* The values of a formula modulo the primes; UINT64_MAX: there is none. Formulas are the
 * same wherever they are defined if these values are. */
enum { LV_RESIDUES = 4 };
typedef struct lv_residues {
    uint64_t value[LV_RESIDUES];
} lv_residues;

lv_status lv_identity_values(lv_residues *values, const lv_graph *graph, const lv_node *f,
                             int m, lv_error *err);

/* Whether one formula is minus the other one, and not zero. */
bool lv_identity_opposite(const lv_residues *a, const lv_residues *b);

/* Finds the nodes of the graph that do not depend on a rotation of a frame. axis[k] is
 * the number of the first of three inputs Q that are axis k of a right-handed orthonormal
 * frame. turned[i] is false if node i has the same value for all axes as for the unit
 * vectors; inputs V are constant. In the plane axis is NULL, and input Q number `angle`
 * is the angle of the frame, which is compared with 0. */
lv_status lv_identity_turned(bool *turned, const lv_graph *graph, const int *axis,
                             int angle, lv_error *err);

#endif
