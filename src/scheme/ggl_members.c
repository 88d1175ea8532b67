/* Descriptors of the GGL family: its members, and the systems that they refuse (theory
 * 6). */
#include "scheme/variational.h"

static const char kick_hint[] = "leave half_kick out, or use vi-b2";

/* A half kick corrects forces that are evaluated at one end of the step, if they depend
 * on positions and time only. */
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

#define METHODS                                                                          \
    .claims = lv_ggl_claims, .check = lv_ggl_check,                                      \
    .why_no_option = lv_ggl_why_no_option, .default_value = lv_ggl_default_value,        \
    .unstable = lv_ggl_unstable, .create = lv_variational_create,                        \
    .free = lv_stepped_free, .equations = lv_variational_equations,                      \
    .multipliers = lv_stepped_multipliers, .has_gamma = true, LV_STEPPED_METHODS

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
    "for masses that vary nor forces of velocities. Steps in which constraints depend "
    "on\n"
    "each other, or nearly, project anyway.\n"
    "\n"
    "Steps have to be so small that G M^-1 G^T shrinks by less than about 0.35 of itself "
    "in\n"
    "one: beyond that there may be no solution. Mechanisms with light parts between "
    "heavy\n"
    "ones need small steps, and where constraints become dependent, as in dead points, "
    "no\n"
    "step is small enough in general; rattle, em and vi-b2 have no such limit.";

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
    "positions second order; not for masses that vary nor forces of velocities.\n"
    "Steps in which constraints depend on each other, or nearly, project anyway.";

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
    "scheme can then be composed. Steps in which constraints depend on each other, or\n"
    "nearly, do so anyway.";

static const char ggl_source[] = "Kinon, Betsch, Schneider 2023";

const lv_scheme lv_scheme_vi_s = {
    .info = {.name = "vi-s",
             .summary = "variational GGL scheme of symplectic-Euler type, order 1",
             .text = s_text,
             .source = ggl_source,
             .least_stages = 1,
             .most_stages = 1,
             .default_stages = 1,
             .holonomic = true,
             .options = LV_TAKES(PROJECTION) | LV_TAKES(HALF_KICK) | LV_TAKES(ROTATIONS),
             .mass = LV_MASS_VARYING},
    .family = LV_GGL_S,
    .restrictions = restrictions,
    .most_shrinking = 0.35,
    METHODS};

const lv_scheme lv_scheme_vi_a = {
    .info = {.name = "vi-a",
             .summary = "variational GGL scheme, option A (theta = 1/2), order 2",
             .text = a_text,
             .source = ggl_source,
             .least_stages = 1,
             .most_stages = 1,
             .default_stages = 1,
             .holonomic = true,
             .options = LV_TAKES(THETA) | LV_TAKES(ALLOW_UNSTABLE) | LV_TAKES(ROTATIONS),
             .mass = LV_MASS_VARYING},
    .family = LV_GGL_A,
    .restrictions = restrictions,
    METHODS};

const lv_scheme lv_scheme_vi_b = {
    .info = {.name = "vi-b",
             .summary = "variational GGL scheme, option B (theta = 1, 1/2), order 1",
             .text = b_text,
             .source = ggl_source,
             .least_stages = 1,
             .most_stages = 1,
             .default_stages = 1,
             .holonomic = true,
             .composable = true,
             .options = LV_TAKES(THETA) | LV_TAKES(VARTHETA) | LV_TAKES(PROJECTION) |
                        LV_TAKES(HALF_KICK) | LV_TAKES(ALLOW_UNSTABLE) |
                        LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS),
             .mass = LV_MASS_VARYING,
             .composes_only = "theta = 1/2, projection"},
    .family = LV_GGL_B,
    .restrictions = restrictions,
    METHODS};

const lv_scheme lv_scheme_vi_b2 = {
    .info = {.name = "vi-b2",
             .summary = "variational GGL scheme, option B (1/2, 1/2), order 2",
             .text = b2_text,
             .source = ggl_source,
             .least_stages = 1,
             .most_stages = 1,
             .default_stages = 1,
             .holonomic = true,
             .composable = true,
             .options = LV_TAKES(PROJECTION) | LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS),
             .mass = LV_MASS_VARYING,
             .composes_only = "projection"},
    .family = LV_GGL_B2,
    .restrictions = restrictions,
    METHODS};
