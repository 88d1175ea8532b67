/* Linear systems whose entries are formulas, rewritten with more unknowns and simpler
 * entries.
 *
 * Terms of rank one: a force along a direction a that depends on one number s(x), as that
 * of a spring on its length, adds c a_i b_j to the entries (i, j) of a matrix, where b is
 * the gradient of s. With s as an unknown of its own and the equation s - b x = 0 these
 * terms become a column c a and a row -b. What is left of the entries is zero, or the
 * same formula in each direction of space, and equal formulas are computed once.
 *
 * Pairs: what acts between two points acts on both with opposite signs. Where a column of
 * multipliers has the entries a and -a in two rows, it acts on a new unknown, which has the
 * entries 1 and -1. Likewise rows, which then read a new unknown: the difference of two
 * others. The same numbers 1 and -1 in each direction of space make eliminations the same
 * formulas, too. */
#ifndef LV_FUSED_NODE_SPLIT_H
#define LV_FUSED_NODE_SPLIT_H

#include "base/arena.h"
#include "fused/node_system.h"

/* How a system is rewritten: not at all; terms of rank one; these, and pairs. */
typedef enum lv_node_form {
    LV_NODE_PLAIN,
    LV_NODE_TERMS,
    LV_NODE_PAIRS,
    LV_NODE_FORMS
} lv_node_form;

/* Rewrites a system. Unknowns of rank 0 may be vectors, those of higher ranks are
 * multipliers. The new unknowns are behind the others; with pairs they are eliminated
 * after the vectors and before the multipliers, otherwise with the vectors. All arrays of
 * the system are replaced by others in the arena. */
lv_status lv_node_rewrite(lv_node_system *system, lv_node_form form, lv_arena *arena,
                          lv_error *err);

#endif
