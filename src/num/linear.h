/* Square linear systems with a fixed pattern, solved again and again with other values.
 *
 * Creation analyses the pattern, chooses a back end (dense, banded or tridiagonal after
 * reordering, sparse) and takes all memory. Then, as often as needed: clear, add values
 * through slots, factor, solve. Entry e of the pattern is storage[slot[e]] whatever the
 * back end, so that assembly needs to know nothing else.
 *
 * Factoring and solving allocate nothing, with one exception. The sparse back end
 * reserves twice what its factors need with pivots on the diagonal, and what they can
 * need with any pivot rows, but for the latter at most 8 times the former, or a million
 * entries if that is more. If pivots have to be chosen that need more, the memory grows
 * then and stays. (A build with UMFPACK allocates whenever that is used.)
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
    /* After reverse Cuthill-McKee; tridiagonal is its narrowest case */
    LV_BACK_END_BANDED,
    LV_BACK_END_SPARSE, /* own sparse LU, analysed once and refactored (num/sparse_lu.h) */
    LV_BACK_END_NESTED  /* what lv_linear_create_nested makes; elsewhere like AUTO */
} lv_back_end;

typedef struct lv_linear lv_linear;

/* `order`, if not NULL, is a permutation of the unknowns that the caller knows to be
 * good. The sparse back end eliminates order[0] first, with pivots from the diagonal
 * unless they are small; the banded back end uses it if it gives the narrowest band; the
 * dense back end ignores it. Without it the sparse back end takes unknowns without a
 * diagonal entry for multipliers (num/kkt_order.h). Returns LV_ERR_LIMIT if the matrix is
 * too large for the requested back end. */
lv_status lv_linear_create(lv_linear **linear, const lv_pattern *pattern,
                           lv_back_end back_end, const int *order, lv_error *err);

/* The same for symmetric matrices, definite or not. All entries are stored as for other
 * matrices: callers fill both halves. The dense back end computes L D L^T factors instead
 * of LU, which takes less time; the other back ends ignore the symmetry. */
lv_status lv_linear_create_symmetric(lv_linear **linear, const lv_pattern *pattern,
                                     lv_back_end back_end, const int *order,
                                     lv_error *err);

/* The same for matrices with lines, those of inner[i], that fall into many small sets which
 * only the other lines join. The sets have to be regular by themselves. They are
 * eliminated first, one by one, and what follows about pivots, dependent equations and
 * lines that are left out then holds for the smaller matrix that is left for the other
 * lines; the worst pivot is relative to the whole. Other lines that depend on a set are
 * left out. If there is only one set, or a large one, the system becomes one as those of
 * lv_linear_create; lv_linear_back_end tells. */
lv_status lv_linear_create_nested(lv_linear **linear, const lv_pattern *pattern,
                                  const bool *inner, lv_error *err);
void lv_linear_free(lv_linear *linear);

/* For tests, which compare all back ends: sets what LV_BACK_END_AUTO stands for from now
 * on, in the whole process. LV_BACK_END_AUTO restores the choice of the cheapest one. */
void lv_linear_force(lv_back_end back_end);

int lv_linear_size(const lv_linear *linear);
lv_back_end lv_linear_back_end(const lv_linear *linear); /* never AUTO */

/* The larger of the two half-bandwidths, 1 for a tridiagonal matrix; 0 for other back
 * ends. */
int lv_linear_bandwidth(const lv_linear *linear);

/* Numbers of multiplications in one factorisation and in one solution, for callers that
 * weigh one against the other: estimates from the pattern alone. */
typedef struct lv_linear_work {
    double factor, solve;
} lv_linear_work;

lv_linear_work lv_linear_count_work(const lv_linear *linear);

/* The number of entries of the pattern. */
int lv_linear_entries(const lv_linear *linear);

/* slot[e] for entry e of the pattern, in its order. */
const int *lv_linear_slots(const lv_linear *linear);
double *lv_linear_storage(lv_linear *linear);
void lv_linear_clear(lv_linear *linear);

/* Factors the stored values, which are kept. Returns false if the matrix is singular to
 * working precision (worst pivot below LV_LINEAR_SINGULAR, or a value is not finite):
 * solving is then not possible, and lv_linear_worst_pivot tells the unknown.
 *
 * A small pivot may be a matter of units, of equations or unknowns. Where one falls below
 * LV_LINEAR_DEPENDENT, rows and columns are therefore scaled (num/equilibrate.h), and the
 * scaled matrix is factored and judged. Other pivots need no second check: none is much
 * smaller than the largest of its column, so that rounding stays small against it. */
#define LV_LINEAR_SINGULAR 7e-15
#define LV_LINEAR_DEPENDENT 1e-11
bool lv_linear_factor(lv_linear *linear);

/* Removes unknowns, with the equations of the same numbers, from the stored matrix:
 * solutions are 0 there, whatever the right side. lines[i] is true for an unknown i to be
 * removed; NULL removes none. Call again after storing new values. If the pattern lacks
 * diagonal entries, clear all values first. */
void lv_linear_leave_out(lv_linear *linear, const bool *lines);

/* Announces that these lines will be left out repeatedly. Memory is taken for a smaller
 * matrix without them, which is then factored in place of the whole; the stored values
 * stay unchanged. */
lv_status lv_linear_expect_left_out(lv_linear *linear, const bool *lines, lv_error *err);

/* Accepts dependent equations from now on: where a pivot falls below LV_LINEAR_DEPENDENT
 * the solution of least norm is computed, which satisfies all equations if they are
 * consistent. This has no effect for more than LV_LINEAR_REDUNDANT_MOST unknowns. The
 * memory is reserved now, and not touched before it is needed. */
enum { LV_LINEAR_REDUNDANT_MOST = 600 };
lv_status lv_linear_allow_redundancy(lv_linear *linear, lv_error *err);

/* Number of dependent equations that the last factorisation accepted, or that were left
 * out of it. */
int lv_linear_redundant(const lv_linear *linear);

/* x = A^-1 x with the last factors. */
void lv_linear_solve(const lv_linear *linear, double *x);

/* One step of iterative refinement, x += A^-1 (b - A x), with the residual of the stored
 * values. */
void lv_linear_refine(lv_linear *linear, double *x, const double *b);

/* Smallest pivot of the last factorisation relative to the largest entry of its column of
 * A, an estimate of how close to singular the matrix is. `unknown`, which may be NULL,
 * receives the unknown (original numbering) it belongs to, or -1 if the factorisation
 * failed for lack of memory. */
double lv_linear_worst_pivot(const lv_linear *linear, int *unknown);

#endif
