/* Galerkin schemes in time (theory 8): how options select a member of the family, and the
 * methods of lv_scheme that deal with options. */
#ifndef LV_SCHEME_ANSATZ_H
#define LV_SCHEME_ANSATZ_H

#include "scheme/scheme.h"

/* A member of the family: the options, completed with defaults. */
typedef struct lv_ansatz_member {
    lv_ansatz ansatz;
    int degree_p, coefficients;
    bool jumps; /* closure LR, RL or RR */
    /* the rectangle rule with ansatz.points panels is used instead of ansatz.rule */
    bool rectangle;
    bool given_g;
} lv_ansatz_member;

lv_ansatz_member lv_ansatz_member_of(const lv_scheme *self,
                                     const lv_scheme_options *options);

/* The largest number of coefficients of the multipliers for which the equations are
 * regular. */
int lv_ansatz_most_coefficients(const lv_ansatz_member *member);

double lv_ansatz_default_value(const lv_scheme *self, lv_option option,
                               const lv_scheme_options *options);
lv_status lv_ansatz_check(const lv_scheme *self, const lv_scheme_options *options,
                          lv_error *err);

#endif
