/* Coefficients of partitioned Runge-Kutta schemes.
 *
 *   Q_i = q0 + h sum_j a_ij  V_j     q1 = q0 + h sum_j b_j V_j     t_i = t0 + c_i h
 *   P_i = p0 + h sum_j ah_ij W_j     p1 = p0 + h sum_j b_j W_j
 *
 * V are velocities, W generalised forces. The pair is symplectic, and keeps bilinear momentum
 * maps, if b_i ah_ij + b_j a_ji = b_i b_j (ah is the conjugate of a). Entries are the nearest
 * doubles to the exact ones; those that are 0 or b_j by structure are exactly that. */
#ifndef LV_SCHEME_TABLEAU_H
#define LV_SCHEME_TABLEAU_H

#include "base/status.h"
#include "num/legendre.h"

#include <stdbool.h>

/* Which ends of a step the polynomials q~ and p~, of degree m in the local time, pass
 * through. They jump at the other ends. */
typedef enum lv_closure {
    LV_CLOSURE_C, /* q~(0) = q0, q~(1) = q1; p~ has degree m - 1 and jumps at both ends */
    LV_CLOSURE_LR, /* q~(1) = q1, p~(0) = p0 */
    LV_CLOSURE_RL, /* q~(0) = q0, p~(1) = p1 */
    LV_CLOSURE_RR  /* q~(1) = q1, p~(1) = p1: damps and is not symplectic */
} lv_closure;

/* A Galerkin scheme in time: integrals are computed by a rule, with one stage per
 * point. */
typedef struct lv_ansatz {
    lv_rule rule;
    int points;
    lv_closure closure;
    int degree; /* C: 1 .. points, others: 0 .. points */
} lv_ansatz;

typedef enum lv_family {
    LV_FAMILY_GAUSS,
    LV_FAMILY_LOBATTO,
    LV_FAMILY_LOBATTO_B,
    LV_FAMILY_RADAU,
    LV_FAMILY_RADAU_LEFT,
    LV_FAMILIES
} lv_family;

/* A family is an ansatz (closure C, degree stages - degree_loss, as many points as
 * stages) with its claims. */
typedef struct lv_family_row {
    const char *name;
    const char *title; /* for messages and tables */
    lv_rule rule;
    int degree_loss;
    bool mirrored;   /* a is the conjugate, ah the matrix of the collocation */
    int least;       /* smallest number of stages; the largest is LV_RULE_MOST */
    int order_loss;  /* order = 2 stages - order_loss */
    bool symmetric;  /* a step back undoes a step, so that steps can be composed */
    bool symplectic; /* b_i ah_ij + b_j a_ji = b_i b_j */
    /* the stages of q include both ends of the step, as constraints need it */
    bool constraints;
} lv_family_row;

extern const lv_family_row lv_family_table[LV_FAMILIES];

typedef struct lv_tableau {
    int stages;
    int order;          /* of q and p at the ends of a step; 0: not known */
    bool symmetric;     /* measured to rounding, like `symplectic` */
    bool symplectic;    /* ah is the conjugate of a */
    bool q_starts;      /* Q_1 = q0: c_1 = 0, a_1j = 0 */
    bool q_ends;        /* Q_s = q1: c_s = 1, a_sj = b_j */
    bool p_starts;      /* P_1 = p0 */
    bool p_ends;        /* P_s = p1 */
    lv_closure closure; /* closure and degree of its ansatz; degree -1: it has none */
    int degree;
    double *c, *b;  /* stages each */
    double *a, *ah; /* stages x stages by rows, like the products below */
    double *aah;    /* a ah */
    double *aha;    /* ah a */
    double *bah;    /* b^T ah: q1 = q0 + h v0 + h^2 sum_j bah_j M^-1 W_j for constant M */
} lv_tableau;

/* These functions create a tableau, which the caller frees with lv_tableau_free; on
 * failure *t is unchanged. */
lv_status lv_tableau_create(lv_tableau **t, lv_family family, int stages, lv_error *err);

/* `order` is 0, because rule, closure and degree determine it together. */
lv_status lv_tableau_ansatz(lv_tableau **t, const lv_ansatz *ansatz, lv_error *err);

/* A tableau with given a, b, c; ah becomes the conjugate of a, which needs b_j != 0 for
 * all j. The order of the pair may be lower than that of (a, b). c may be NULL: then c_i
 * is the sum of row i of a. */
lv_status lv_tableau_given(lv_tableau **t, int stages, const double *a, const double *b,
                           const double *c, lv_error *err);

void lv_tableau_free(lv_tableau *t);

#endif
