/* The variational schemes of the Gear-Gupta-Leimkuhler principle, vi-a, vi-b, vi-b2 and
 * vi-s (theory 6): members of the family and methods of lv_scheme. The options are in
 * ggl_options.c, the descriptors in ggl_members.c. */
#ifndef LV_SCHEME_VARIATIONAL_H
#define LV_SCHEME_VARIATIONAL_H

#include "scheme/stepped.h"

/* A member of the family: the options, completed with defaults. */
typedef struct lv_ggl_member {
    /* option B: constraints hold at q1, their forces act at q0 and q1; otherwise option
     * A */
    bool ends;
    double theta;    /* forces are evaluated at (1 - theta) q0 + theta q1 */
    double kappa;    /* option B: the fraction of the constraint force that acts at q1 */
    bool projection; /* project the momenta onto the hidden constraint after every step */
    /* this times h times the force is added to p before the first step */
    double half_kick;
} lv_ggl_member;

/* Values of lv_scheme.family. */
enum { LV_GGL_S, LV_GGL_A, LV_GGL_B, LV_GGL_B2 };

lv_ggl_member lv_ggl_member_of(const lv_scheme *self, const lv_scheme_options *options);

/* Methods of lv_scheme that deal with options. */
void lv_ggl_claims(const lv_scheme *self, lv_claims *claims,
                   const lv_scheme_options *options);
lv_status lv_ggl_check(const lv_scheme *self, const lv_scheme_options *options,
                       lv_error *err);
bool lv_ggl_unstable(const lv_scheme *self, const lv_scheme_options *options,
                     char *buffer, size_t size);
double lv_ggl_default_value(const lv_scheme *self, lv_option option,
                            const lv_scheme_options *options);
const char *lv_ggl_why_no_option(const lv_scheme *self, lv_option option);

lv_status lv_variational_create(const lv_scheme *self, void **work, lv_system *system,
                                const lv_scheme_options *options, lv_error *err);
lv_status lv_variational_equations(const lv_scheme *self, lv_text *out,
                                   const lv_scheme_options *options, lv_error *err);

#endif
