/* The implicit midpoint rule with projection, as the example of docs/tutorial/new-scheme.md.
 *
 *   q1 = q + h V,  p(z, V) = p + h/2 K,  K = F(z, V) + G(z)^T lambda,  z = q + h/2 V,  g(q1) = 0
 *   p1 = p + h K + G(q1)^T s,  with s such that the velocities of p1 satisfy the rates of the constraints
 *
 * Momentum maps of linear symmetries are kept: the first two lines keep them as the midpoint rule does, and forces of
 * constraints have none. Neither symplectic nor symmetric with constraints: the projection has no counterpart at the
 * start of the step. Source: Hairer, Lubich, Wanner 2006, sections II.1 and IV.4. */
#include "course/write.h"
#include "scheme/stepped.h"

static const char text[] =
    "carried q point, p momentum, v tangent, last_lambda multiplier g\n"
    "# the mean velocity, the multipliers, the middle and the end\n"
    "unknown V tangent, lambda multiplier g\n"
    "point z at 1/2 = q + 1/2 h V\n"
    "point q1 at 1 = q + h V\n"
    "# forces act in the middle\n"
    "let K = F(z, V) + GT(z; lambda)\n"
    "eq V: p(z, V) - p - 1/2 h K\n"
    "eq lambda: g(q1)\n"
    "# the projection: x is the velocity of the momentum at the end\n"
    "unknown x tangent, s impulse g\n"
    "let p1 = p + h K + GT(q1; s)\n"
    "eq x: p(q1, x) - p1\n"
    "eq s: rate(q1, x)\n"
    "assign q <- q1\n"
    "assign p <- p1\n"
    "assign v <- x\n"
    "assign last_lambda <- lambda\n";

static void claims(const lv_scheme *self, lv_claims *c, const lv_scheme_options *options)
{
    (void)self;
    (void)options;
    *c = (lv_claims){.order = 2,
                     .momentum = LV_KEPT_EXACT,
                     .position = LV_KEPT_EXACT,
                     .velocity = LV_KEPT_EXACT};
}

static lv_status create(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err)
{
    (void)self;
    (void)options;
    return lv_stepped_create(work, system, text, &(lv_step_table){0},
                             (lv_stepper_options){.checks_solution = true}, err);
}

static lv_status equations(const lv_scheme *self, lv_text *out,
                           const lv_scheme_options *options, lv_error *err)
{
    (void)self;
    (void)options;
    (void)err;
    lv_source_write(out, &(lv_step_source){.text = text});
    return LV_OK;
}

const lv_scheme lv_scheme_midpoint = {
    .info = {.name = "midpoint",
             .summary = "implicit midpoint rule with projection, order 2",
             .text =
                 "Forces and constraint forces act in the middle of the step; "
                 "constraints hold\n"
                 "at its end. Then momenta are projected onto the hidden constraints.\n"
                 "Momentum maps are kept to rounding. Without constraints this is gauss "
                 "with\n"
                 "one stage; with them the map is neither symplectic nor symmetric.",
             .source = "Hairer, Lubich, Wanner 2006, sections II.1 and IV.4",
             .least_stages = 1,
             .most_stages = 1,
             .default_stages = 1,
             .holonomic = true,
             .options = LV_TAKES(ROTATIONS),
             .mass = LV_MASS_VARYING,
             .any_lagrangian = true},
    .claims = claims,
    .create = create,
    .free = lv_stepped_free,
    .equations = equations,
    .multipliers = lv_stepped_multipliers,
    LV_STEPPED_METHODS};
