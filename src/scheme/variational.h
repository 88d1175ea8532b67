/* The variational schemes of the Gear-Gupta-Leimkuhler principle, vi-a, vi-b, vi-b2 and vi-s (theory 6): members of the
 * family, methods of lv_scheme. Descriptors are in ggl_members.c. */
#ifndef LV_SCHEME_VARIATIONAL_H
#define LV_SCHEME_VARIATIONAL_H

#include "scheme/scheme.h"
#include "step/stepper.h"

/* One member of the family, with its options. */
typedef struct lv_ggl_member {
    bool ends;    /* option B: constraint at q1, its forces at q0 and q1; else option A */
    double theta; /* where forces are taken */
    double kappa; /* option B: the part of the constraint force at q1 */
    bool projection;  /* of the momenta onto the hidden constraint after every step */
    double half_kick; /* h times force that is added to p before the first step */
} lv_ggl_member;

/* lv_scheme.family */
enum { LV_GGL_S, LV_GGL_A, LV_GGL_B, LV_GGL_B2 };

lv_ggl_member lv_ggl_member_of(const lv_scheme *self, const lv_scheme_options *options);

lv_status lv_variational_create(const lv_scheme *self, void **work, lv_system *system,
                                const lv_scheme_options *options, lv_error *err);
lv_status lv_variational_equations(const lv_scheme *self, lv_text *out,
                                   const lv_scheme_options *options, lv_error *err);
void lv_variational_free(void *work);
lv_status lv_variational_step(void *work, lv_state *state, double h, bool project,
                              lv_step_report *report, lv_error *err);
lv_memory_view lv_variational_memory(void *work);
void lv_variational_forget(void *work);
void lv_variational_multipliers(void *work, double *lambda, double *gamma);
lv_stepper *lv_variational_stepper(void *work);

lv_status lv_variational_tangent(void *work, double *matrix, lv_error *err);

#endif
