/* Formulas with kinks, seen as smooth functions of free numbers.
 *
 * Where abs, min, max, sign, a comparison or a conditional decides, a formula is made of
 * several pieces,
 *
 *     f(x) = F(x, n_1(x), ..., n_k(x)),    F smooth, n_j the results of the decisions.
 *
 * What a derivative of f says at a point holds for one piece only. It holds for all of them if
 * it is true of F for arbitrary n_j, and if the operands of the decisions, the guards, do not
 * change either: then the n_j do not. */
#ifndef LV_EXPR_KINK_H
#define LV_EXPR_KINK_H

#include "expr/analyse.h"

/* smooth[i] is f[i] with its decisions replaced by fixed numbers; guards are appended. Functions
 * that are not defined everywhere (roots, logarithms) are treated as decisions too, for a piece
 * may be evaluated where it would never be taken. Decisions that need parameters only stay. A
 * formula without decisions has no guards and is itself. */
lv_status lv_kink_open(lv_graph *graph, lv_node *smooth, const lv_node *f, int m,
                       lv_node_list *guards, lv_error *err);

/* Does f[0], ..., f[m-1] jump where all inputs of the kinds `in` vanish, as sign(v) does at v = 0
 * and sign(v)*v^2 does not? Looks at signs and comparisons that are decided there. */
lv_status lv_kink_jumps(lv_graph *graph, bool *jumps, const lv_node *f, int m,
                        lv_kinds in, lv_error *err);

/* Does f[0], ..., f[m-1] decide something that parameters alone do not settle? */
lv_status lv_kink_any(lv_graph *graph, bool *any, const lv_node *f, int m, lv_error *err);

#endif
