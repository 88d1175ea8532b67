/* The members of the GGL family as descriptors: what they are, what they promise with which options, what
 * they refuse (theory 6). */
#include "expr/analyse.h"
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

/* Does lambda, and with it p, grow from step to step? */
static bool grows(const lv_scheme *self, const lv_ggl_member *k)
{
    return self->family == LV_GGL_A
               ? k->theta != 0.5
               : self->family == LV_GGL_B && k->kappa > 0.5 && !k->projection;
}

static void claims(const lv_scheme *self, lv_claims *c, const lv_scheme_options *options)
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

/* Why, for members that grow. */
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

static bool unstable(const lv_scheme *self, const lv_scheme_options *options,
                     char *buffer, size_t size)
{
    const lv_ggl_member k = lv_ggl_member_of(self, options);
    if (!grows(self, &k))
        return false;
    explain_growth(self, &k, buffer, size);
    return true;
}

static double otherwise(const lv_scheme *self, lv_option option,
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

/* Composing needs momenta without a zigzag. */
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

static lv_status check(const lv_scheme *self, const lv_scheme_options *options,
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

/* Options that a member could be expected to have. */
static const char *lacks(const lv_scheme *self, lv_option option)
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

/* ---- systems -------------------------------------------------------------------------------------- */

static const char kick_hint[] = "leave half_kick out, or use vi-b2";

/* A kick makes up for forces of positions and time that are taken at one end of the step. */
static const lv_restriction restrictions[] = {
    {LV_OPTION_HALF_KICK, LV_TRAIT_MASS_VARIES,
     "has half_kick for constant mass matrices: where they vary it does not make "
     "positions "
     "second order, and changes momenta of symmetries",
     kick_hint},
    {LV_OPTION_HALF_KICK, LV_TRAIT_VELOCITY_FORCES,
     "has half_kick for forces that do not depend on velocities: with others it does not "
     "make positions second order",
     kick_hint},
    {0}};

/* ---- descriptors ------------------------------------------------------------------------------------ */

#define METHODS(kind)                                                                    \
    .claims = claims, .check = check, .lacks = lacks, .otherwise = otherwise,            \
    .unstable = unstable, .create = lv_##kind##_create, .free = lv_##kind##_free,        \
    .step = lv_##kind##_step, .memory = lv_##kind##_memory,                              \
    .multipliers = lv_##kind##_multipliers, .has_gamma = true,                           \
    .equations = lv_##kind##_equations, .stepper = lv_##kind##_stepper,                  \
    .forget = lv_##kind##_forget, .tangent = lv_##kind##_tangent

static const char s_text[] =
    "The cheapest of the family: unknown are the multipliers only, one force\n"
    "evaluation per step; with masses that vary or forces of velocities the velocity is\n"
    "solved for, too. Symplectic, momentum maps exact, energy bounded. Constraints hold\n"
    "at the nodes, the hidden ones at an intermediate point, to second order at the "
    "nodes.\n"
    "\n"
    "projection: momenta are moved onto the hidden constraint after every step, which\n"
    "changes neither positions nor the symplectic form. half_kick: the first step "
    "begins\n"
    "with half a kick, which makes positions second order; momenta stay first order. "
    "Not\n"
    "for masses that vary nor forces of velocities.";

static const char a_text[] =
    "Discrete Lagrange-d'Alembert on the action of Gear, Gupta and Leimkuhler: a second\n"
    "set of multipliers keeps the hidden constraint. Symplectic everywhere, momentum "
    "maps\n"
    "exact, energy bounded. Constraints hold at the middle of a step only; at the nodes\n"
    "they zigzag within O(h^2). For theta other than 1/2 the zigzag grows by the factor\n"
    "(1 - theta)/theta per step, or its inverse, and the scheme is refused.";

static const char b_text[] =
    "Discrete Lagrange-d'Alembert on the action of Gear, Gupta and Leimkuhler, with the\n"
    "constraints at the nodes. Symplectic on vectors tangent to the constraints, "
    "momentum\n"
    "maps exact, energy bounded. Forces are taken at q0 + theta (q1 - q0); theta = 1/2 "
    "makes\n"
    "positions second order. vartheta is the part of the constraint forces that acts at "
    "the\n"
    "end of the step: it changes multipliers and momenta, and with these the velocities "
    "at\n"
    "the nodes, but no position. A disturbance of the multipliers is multiplied by\n"
    "-vartheta/(1 - vartheta) per step, so that values above 1/2 are refused without\n"
    "projection.\n"
    "\n"
    "projection: momenta are moved onto the hidden constraint after every step, which\n"
    "changes neither positions nor the symplectic form and removes the disturbances;\n"
    "with theta = 1/2 momenta are then second order for every vartheta, and the scheme "
    "can\n"
    "be composed. half_kick (theta = 1): the first step begins with half a kick, which "
    "makes\n"
    "positions second order; not for masses that vary nor forces of velocities.";

static const char b2_text[] =
    "The recommended member of the family: vi-b with theta = 1/2 and vartheta = 1/2. "
    "Forces\n"
    "are taken at the middle of the step, constraint forces act half at either end, and "
    "the\n"
    "constraints hold at the nodes. Symplectic on vectors tangent to the constraints, "
    "momentum\n"
    "maps exact, energy bounded; positions and momenta are second order. A disturbance "
    "of "
    "the\n"
    "multipliers alternates from step to step, and with it momenta: it neither grows nor "
    "fades.\n"
    "\n"
    "projection: momenta are moved onto the hidden constraint after every step, which\n"
    "changes neither positions nor the symplectic form and removes the disturbances; "
    "the\n"
    "scheme can then be composed.";

static const char ggl_source[] = "Kinon, Betsch, Schneider 2023";

const lv_scheme lv_scheme_vi_s = {
    .info = {"vi-s", "variational GGL scheme of symplectic-Euler type, order 1", s_text,
             ggl_source, 1, 1, 1, true, false,
             LV_TAKES(PROJECTION) | LV_TAKES(HALF_KICK) | LV_TAKES(ROTATIONS), false,
             LV_MASS_VARYING, NULL, NULL, false},
    .family = LV_GGL_S,
    .restrictions = restrictions,
    METHODS(variational)};

const lv_scheme lv_scheme_vi_a = {
    .info = {"vi-a", "variational GGL scheme, option A (theta = 1/2), order 2", a_text,
             ggl_source, 1, 1, 1, true, false,
             LV_TAKES(THETA) | LV_TAKES(ALLOW_UNSTABLE) | LV_TAKES(ROTATIONS), false,
             LV_MASS_VARYING, NULL, NULL, false},
    .family = LV_GGL_A,
    .restrictions = restrictions,
    METHODS(variational)};

const lv_scheme lv_scheme_vi_b = {
    .info = {"vi-b", "variational GGL scheme, option B (theta = 1, 1/2), order 1", b_text,
             ggl_source, 1, 1, 1, true, true,
             LV_TAKES(THETA) | LV_TAKES(VARTHETA) | LV_TAKES(PROJECTION) |
                 LV_TAKES(HALF_KICK) | LV_TAKES(ALLOW_UNSTABLE) | LV_TAKES(COMPOSE) |
                 LV_TAKES(ROTATIONS),
             false, LV_MASS_VARYING, "theta = 1/2, projection", NULL, false},
    .family = LV_GGL_B,
    .restrictions = restrictions,
    METHODS(variational)};

const lv_scheme lv_scheme_vi_b2 = {
    .info = {"vi-b2", "variational GGL scheme, option B (1/2, 1/2), order 2", b2_text,
             ggl_source, 1, 1, 1, true, true,
             LV_TAKES(PROJECTION) | LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS), false,
             LV_MASS_VARYING, "projection", NULL, false},
    .family = LV_GGL_B2,
    .restrictions = restrictions,
    METHODS(variational)};
