/* Galerkin schemes in time: members, methods of lv_scheme that are about options (theory 8). */
#ifndef LV_SCHEME_ANSATZ_H
#define LV_SCHEME_ANSATZ_H

#include "scheme/scheme.h"

/* A member: what the options say, completed with defaults. */
typedef struct lv_ansatz_member {
    lv_ansatz ansatz;
    int degree_p, coefficients;
    bool jumps;     /* LR, RL, RR */
    bool rectangle; /* the rule, instead of that in `ansatz`: as many panels as points */
    bool given_g;
} lv_ansatz_member;

lv_ansatz_member lv_ansatz_member_of(const lv_scheme *self,
                                     const lv_scheme_options *options);

/* Coefficients of the multipliers up to which the equations are regular. */
int lv_ansatz_most_coefficients(const lv_ansatz_member *member);

double lv_ansatz_default_value(const lv_scheme *self, lv_option option,
                               const lv_scheme_options *options);
lv_status lv_ansatz_check(const lv_scheme *self, const lv_scheme_options *options,
                          lv_error *err);

#endif
