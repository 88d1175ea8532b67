/* Formulas with kinks as smooth functions of additional numbers.
 *
 * If abs, min, max, sign, a comparison or a conditional decides, a formula consists of
 * several pieces,
 *
 *     f(x) = F(x, n_1(x), ..., n_k(x)),    F smooth, n_j the results of the decisions.
 *
 * A property of the derivative of f at a point holds for one piece only. It holds for all
 * pieces if it holds for F with arbitrary n_j, and if the operands of the decisions, the
 * guards, do not change either: then the n_j do not. */
#ifndef LV_EXPR_KINK_H
#define LV_EXPR_KINK_H

#include "expr/analyse.h"

/* Sets smooth[i] to f[i] with its decisions replaced by arbitrary constants; guards are
 * appended. Functions that are not defined everywhere (roots, logarithms) are treated as
 * decisions, too, since a piece may be evaluated where it would never be taken. Decisions
 * that depend on parameters only are kept. A formula without decisions has no guards and
 * is returned unchanged. */
lv_status lv_kink_open(lv_graph *graph, lv_node *smooth, const lv_node *f, int m,
                       lv_node_list *guards, lv_error *err);

/* Whether f[0], ..., f[m-1] jump where all inputs of the kinds `in` vanish, as sign(v)
 * does at v = 0 and sign(v)*v^2 does not. It examines signs and comparisons that change
 * their result there. */
lv_status lv_kink_jumps(lv_graph *graph, bool *jumps, const lv_node *f, int m,
                        lv_kinds in, lv_error *err);

/* Whether f[0], ..., f[m-1] contain a decision that does not depend on parameters
 * only. */
lv_status lv_kink_any(lv_graph *graph, bool *any, const lv_node *f, int m, lv_error *err);

#endif
