/* Legendre polynomials P_k on [-1, 1] and the quadrature rules made of their zeros.
 *
 * Rules live on [0, 1], the local time of a step: sum_i b_i f(c_i) = int_0^1 f for
 * polynomials f up to the degree given below. Nodes ascend, weights are positive. */
#ifndef LV_NUM_LEGENDRE_H
#define LV_NUM_LEGENDRE_H

#include "num/dd.h"

#include <stdbool.h>

/* value[k] = P_k(x) and derivative[k] = P_k'(x) for k = 0..degree, by recurrence; exact
 * at x = -1 and 1. derivative may be NULL. */
void lv_legendre(double *value, double *derivative, int degree, double x);

/* The same for L_k(t) = P_k(2t - 1) on [0, 1], derivatives in t. */
void lv_legendre_shifted(double *value, double *derivative, int degree, double t);

/* P_0(x) .. P_degree(x) in twofold precision. */
void lv_legendre_dd(lv_dd *value, int degree, lv_dd x);

typedef enum lv_rule {
    LV_RULE_GAUSS,       /* n points are exact to degree 2n - 1; all lie inside */
    LV_RULE_LOBATTO,     /* 2n - 3; both ends are nodes */
    LV_RULE_RADAU_RIGHT, /* 2n - 2; t = 1 is a node */
    LV_RULE_RADAU_LEFT,  /* 2n - 2; t = 0 is a node */
    LV_RULES
} lv_rule;

enum { LV_RULE_MOST = 40 }; /* largest number of points of a rule */

const char *lv_rule_name(lv_rule rule);
int lv_rule_least(lv_rule rule);
int lv_rule_degree(lv_rule rule, int points);

/* Nodes c and weights b, `points` each, correct to half a unit in the last place. Gauss
 * and Lobatto weights are symmetric, ends and a middle node are exact. false, and nothing
 * written, unless lv_rule_least <= points <= LV_RULE_MOST. */
bool lv_rule_nodes(double *c, double *b, lv_rule rule, int points);

/* The same in twofold precision, with x = 2c - 1 in place of c; x is antisymmetric for
 * Gauss and Lobatto. */
bool lv_rule_nodes_dd(lv_dd *x, lv_dd *b, lv_rule rule, int points);

#endif
