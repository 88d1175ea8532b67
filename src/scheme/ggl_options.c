/* The options of the GGL family: the claims of its members with them, refused values, and
 * the reasons (theory 6). */
#include "model/option.h"
#include "scheme/variational.h"

#include <stdio.h>

lv_ggl_member lv_ggl_member_of(const lv_scheme *self, const lv_scheme_options *options)
{
    const int family = self->family;
    const bool s = family == LV_GGL_S;
    const double theta = s ? 0 : family == LV_GGL_B ? 1 : 0.5;
    const bool kick = lv_scheme_option(options, LV_OPTION_HALF_KICK, 0) != 0;
    return (lv_ggl_member){
        .ends = family != LV_GGL_A,
        .theta = lv_scheme_option(options, LV_OPTION_THETA, theta),
        .kappa = lv_scheme_option(options, LV_OPTION_VARTHETA, s ? 0 : 0.5),
        .projection = lv_scheme_option(options, LV_OPTION_PROJECTION, 0) != 0,
        .half_kick = !kick ? 0
                     : s   ? -0.5
                           : 0.5};
}

/* ---- options ------------------------------------------------------------------------------------- */

/* Whether lambda, and with it p, grows from step to step. */
static bool grows(const lv_scheme *self, const lv_ggl_member *k)
{
    return self->family == LV_GGL_A
               ? k->theta != 0.5
               : self->family == LV_GGL_B && k->kappa > 0.5 && !k->projection;
}

void lv_ggl_claims(const lv_scheme *self, lv_claims *c, const lv_scheme_options *options)
{
    const lv_ggl_member k = lv_ggl_member_of(self, options);
    const bool unstable = grows(self, &k);
    const bool centred = k.theta == 0.5 && (k.kappa == 0.5 || k.projection);
    *c = (lv_claims){.order = centred ? 2 : 1,
                     .symplectic = true,
                     .symmetric = centred && k.ends,
                     .energy = unstable ? LV_KEPT_NOT : LV_KEPT_BOUNDED,
                     .momentum = LV_KEPT_EXACT,
                     .position = k.ends ? LV_KEPT_EXACT : LV_KEPT_NOT,
                     .velocity = k.projection ? LV_KEPT_EXACT : LV_KEPT_NOT};
}

/* The reason for the growth, for members that grow. */
static void explain_growth(const lv_scheme *self, const lv_ggl_member *k, char *buffer,
                           size_t size)
{
    if (self->family == LV_GGL_A)
        snprintf(buffer, size,
                 "constraints hold at q0 + theta (q1 - q0) only: in every step g at the "
                 "nodes is multiplied by about %.3g, normal momenta by %.3g",
                 -(1 - k->theta) / k->theta, -k->theta / (1 - k->theta));
    else
        snprintf(buffer, size,
                 "disturbances of multipliers and momenta are multiplied by "
                 "-vartheta/(1 - vartheta) = %.3g in every step",
                 -k->kappa / (1 - k->kappa));
}

bool lv_ggl_unstable(const lv_scheme *self, const lv_scheme_options *options,
                     char *buffer, size_t size)
{
    const lv_ggl_member k = lv_ggl_member_of(self, options);
    if (!grows(self, &k))
        return false;
    explain_growth(self, &k, buffer, size);
    return true;
}

double lv_ggl_default_value(const lv_scheme *self, lv_option option,
                            const lv_scheme_options *options)
{
    const lv_ggl_member k = lv_ggl_member_of(self, options);
    return option == LV_OPTION_THETA      ? k.theta
           : option == LV_OPTION_VARTHETA ? k.kappa
                                          : 0;
}

static lv_status refuse_growth(const lv_scheme *self, const lv_ggl_member *k,
                               lv_option option, double value, lv_error *err)
{
    char reason[300];
    lv_option_info info = {0};
    (void)lv_option_describe((int)option, &info);
    lv_status status = lv_fail(err, LV_ERR_MODEL, "scheme '%s' is unstable with %s = %g",
                               self->info.name, info.name, value);
    lv_option_blame(option, err);
    explain_growth(self, k, reason, sizeof reason);
    lv_error_note(err, "%s", reason);
    return status;
}

static lv_status check_a(const lv_scheme *self, const lv_ggl_member *k, bool allowed,
                         lv_error *err)
{
    if (k->theta == 0 || k->theta == 1) {
        lv_status status = lv_fail(
            err, LV_ERR_MODEL,
            "with theta = %g the equations of scheme 'vi-a' are singular", k->theta);
        lv_option_blame(LV_OPTION_THETA, err);
        return status;
    }
    if (k->theta == 0.5 || allowed)
        return LV_OK;
    lv_status status = refuse_growth(self, k, LV_OPTION_THETA, k->theta, err);
    lv_error_hint(err, "theta = 1/2, or scheme vi-b; allow_unstable = true to see it");
    return status;
}

static lv_status check_b(const lv_scheme *self, const lv_ggl_member *k, bool allowed,
                         lv_error *err)
{
    if (k->kappa == 1) {
        lv_status status =
            lv_fail(err, LV_ERR_MODEL,
                    "with vartheta = 1 the equations of scheme 'vi-b' are singular");
        lv_option_blame(LV_OPTION_VARTHETA, err);
        lv_error_note(err, "multipliers would act at the end of the step only");
        lv_error_hint(err, "vartheta from 0 to 1/2");
        return status;
    }
    if (k->half_kick != 0 && k->theta != 1) {
        lv_status status = lv_fail(
            err, LV_ERR_MODEL, "half_kick goes with theta = 1, not with %g", k->theta);
        lv_option_blame(LV_OPTION_HALF_KICK, err);
        lv_error_hint(err, "theta = 1/2 is of second order without");
        return status;
    }
    if (k->kappa <= 0.5 || k->projection || allowed)
        return LV_OK;
    lv_status status = refuse_growth(self, k, LV_OPTION_VARTHETA, k->kappa, err);
    lv_error_hint(err, "vartheta up to 1/2, projection = true, or allow_unstable = true");
    return status;
}

/* Refuses to compose steps whose momenta zigzag. */
static lv_status check_compose(const lv_scheme *self, const lv_ggl_member *k,
                               const lv_scheme_options *options, lv_error *err)
{
    if (lv_scheme_option(options, LV_OPTION_COMPOSE, 0) == 0 || k->projection ||
        !(self->family == LV_GGL_B || self->family == LV_GGL_B2))
        return LV_OK;
    lv_status status = lv_fail(
        err, LV_ERR_MODEL, "composing scheme '%s' raises its order only with projection",
        self->info.name);
    lv_option_blame(LV_OPTION_COMPOSE, err);
    lv_error_hint(err, "projection = true");
    return status;
}

lv_status lv_ggl_check(const lv_scheme *self, const lv_scheme_options *options,
                       lv_error *err)
{
    const lv_ggl_member k = lv_ggl_member_of(self, options);
    const bool allowed = lv_scheme_option(options, LV_OPTION_ALLOW_UNSTABLE, 0) != 0;
    if (self->family == LV_GGL_A)
        return check_a(self, &k, allowed, err);
    if (self->family == LV_GGL_B)
        LV_TRY(check_b(self, &k, allowed, err));
    return check_compose(self, &k, options, err);
}

/* Reasons for the lack of options that a member could be expected to have. */
const char *lv_ggl_why_no_option(const lv_scheme *self, lv_option option)
{
    const int family = self->family;
    if (option == LV_OPTION_PROJECTION && family == LV_GGL_A)
        return "its momenta are not free: projecting them would change the motion";
    if (option == LV_OPTION_HALF_KICK && family != LV_GGL_S)
        return "it is of second order without";
    if ((option == LV_OPTION_THETA || option == LV_OPTION_VARTHETA) &&
        family == LV_GGL_B2)
        return "it is vi-b with theta = 1/2, vartheta = 1/2";
    return NULL;
}
