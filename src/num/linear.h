/* Square linear systems with a fixed pattern, solved again and again with other values.
 *
 * Created once: the pattern is analysed, a back end chosen (dense, banded or tridiagonal
 * after reordering, sparse), all memory taken. Then, as often as needed: clear, add
 * values through slots, factor, solve. Entry e of the pattern lives at storage[slot[e]]
 * whatever the back end, so assembly needs to know nothing else.
 *
 * Factoring and solving allocate nothing. One exception is left: the sparse back end
 * reserves what its factors need with pivots on the diagonal, twice, and what they can
 * need whatever rows become pivots, but of the latter no more than 8 times the former, or
 * a million entries if that is more. Should pivots ever have to be chosen that need more
 * than that, memory grows then, and stays. (A build with UMFPACK allocates whenever that
 * is used.)
 *
 * An lv_linear belongs to one thread at a time. */
#ifndef LV_NUM_LINEAR_H
#define LV_NUM_LINEAR_H

#include "base/status.h"
#include "num/pattern.h"

#include <stdbool.h>

typedef enum lv_back_end {
    LV_BACK_END_AUTO,
    LV_BACK_END_DENSE, /* LU, or L D L^T of symmetric matrices */
    /* after reverse Cuthill-McKee; tridiagonal is its narrowest case */
    LV_BACK_END_BANDED,
    LV_BACK_END_SPARSE /* own sparse LU, analysed once and refactored (num/sparse_lu.h) */
} lv_back_end;

typedef struct lv_linear lv_linear;

/* `order`, if not NULL, is a permutation of the unknowns that a caller knows to be good:
 * the sparse back end eliminates order[0] first, with pivots from the diagonal unless
 * they are small; the banded back end takes it if it gives the narrowest band; the dense
 * back end ignores it. Without it the sparse back end takes unknowns without a diagonal
 * entry for multipliers (num/kkt_order.h). LV_ERR_LIMIT if the matrix is too large for
 * the back end asked for. */
lv_status lv_linear_create(lv_linear **linear, const lv_pattern *pattern,
                           lv_back_end back_end, const int *order, lv_error *err);

/* The same for matrices that are symmetric, definite or not. All entries are stored as
 * ever, and both halves have to be filled. Dense ones get L D L^T factors in place of LU,
 * which take less time; the other back ends make no use of it. */
lv_status lv_linear_create_symmetric(lv_linear **linear, const lv_pattern *pattern,
                                     lv_back_end back_end, const int *order,
                                     lv_error *err);
void lv_linear_free(lv_linear *linear);

/* For tests, which compare all back ends: what LV_BACK_END_AUTO stands for from now on,
 * in the whole process. LV_BACK_END_AUTO: the cheapest one again. */
void lv_linear_force(lv_back_end back_end);

int lv_linear_size(const lv_linear *linear);
lv_back_end lv_linear_back_end(const lv_linear *linear); /* never AUTO */

/* The larger of the two half-bandwidths, 1 for a tridiagonal matrix; 0 for other back
 * ends. */
int lv_linear_bandwidth(const lv_linear *linear);

/* slot[e] for entry e of the pattern, in its order. */
const int *lv_linear_slots(const lv_linear *linear);
double *lv_linear_storage(lv_linear *linear);
void lv_linear_clear(lv_linear *linear);

/* Factors what is stored; the stored values remain. false if singular to working
 * precision (worst pivot below LV_LINEAR_SINGULAR, or something is not finite): there is
 * then nothing to solve with, and `lv_linear_worst_pivot` tells the unknown.
 *
 * Small pivots may be a matter of units, of equations or unknowns: where one falls below
 * LV_LINEAR_DEPENDENT, rows and columns are brought to one scale (num/equilibrate.h), and
 * the factors and the judgement are those of that matrix. Pivots that are not small need
 * no second look: they are the largest of their columns, so that rounding stays small
 * against them. */
#define LV_LINEAR_SINGULAR 7e-15
#define LV_LINEAR_DEPENDENT 1e-11
bool lv_linear_factor(lv_linear *linear);

/* Takes unknowns, with the equations of the same numbers, out of what is stored: they are
 * then 0, whatever the right side. lines[i] for all unknowns; NULL: none. To be said
 * again after other values were stored, all of which are to be cleared before if the
 * pattern lacks entries on the diagonal. */
void lv_linear_leave_out(lv_linear *linear, const bool *lines);

/* These lines will be left out again and again: memory is taken for a matrix without
 * them, which is then factored in place of the whole, and what is stored stays as it
 * is. */
lv_status lv_linear_expect_left_out(lv_linear *linear, const bool *lines, lv_error *err);

/* From now on dependent equations are let through: where a pivot falls below
 * LV_LINEAR_DEPENDENT the solution of least norm is taken, which satisfies all equations
 * if they are consistent. Up to LV_LINEAR_REDUNDANT_MOST unknowns; beyond it changes
 * nothing. The memory for it is reserved now, and not touched before it is needed. */
enum { LV_LINEAR_REDUNDANT_MOST = 600 };
lv_status lv_linear_allow_redundancy(lv_linear *linear, lv_error *err);

/* Number of dependent equations that the last factorisation let through, or that were
 * left out of it. */
int lv_linear_redundant(const lv_linear *linear);

/* x = A^-1 x with the last factors. */
void lv_linear_solve(const lv_linear *linear, double *x);

/* One step of iterative refinement: x += A^-1 (b - A x), residual in the stored
 * values. */
void lv_linear_refine(lv_linear *linear, double *x, const double *b);

/* Smallest pivot of the last factorisation relative to the largest entry of its column of
 * A (an estimate of how close to singular), and the unknown (original numbering) it
 * belongs to; -1 if the factorisation failed for lack of memory. `unknown` may be
 * NULL. */
double lv_linear_worst_pivot(const lv_linear *linear, int *unknown);

#endif
