/* The variational schemes of the principle of Gear, Gupta and Leimkuhler (Kinon, Betsch,
 * Schneider 2023; theory 6) as texts of the step language. The members are in
 * ggl_members.c, their options in ggl_options.c. */
#include "scheme/variational.h"

#include "course/write.h"

#include <stdio.h>
#include <string.h>

/* vi-a, vi-b, vi-b2 (theory 6.2). V is the mean velocity of the step, u the velocity of
 * the momenta, a the term that gamma adds; forces are evaluated at Q. `ends` holds for
 * option B. Without the fact `gamma`, gamma vanishes: rate(Q, V) is then g(q1) - g(q). */
static const char theta_family[] =
    "carried q point, p momentum, v tangent\n"
    "carried last_lambda multiplier g, last_gamma impulse g\n"
    "# the mean velocity, multipliers of the constraints and of the hidden ones\n"
    "unknown V tangent\n"
    "unknown lambda multiplier g\n"
    "when gamma: unknown gamma impulse g\n"
    "when gamma: unknown a tangent\n"
    "# where forces are taken, and the end of the step\n"
    "point Q at theta = q + theta h V\n"
    "point q1 at 1 = q + h V\n"
    "# the velocity of the momenta\n"
    "when gamma: let u = V - a\n"
    "when not gamma: let u = V\n"
    "# forces, and those of the constraints at the start and at the end\n"
    "when gamma: let K = F(Q, u) - RqT(Q, u; gamma) + MqT(Q, u; a)\n"
    "when not gamma: let K = F(Q, u)\n"
    "when ends: let C1 = (1 - kappa) GT(q; lambda)\n"
    "when ends: let C2 = kappa GT(q1; lambda)\n"
    "when not ends: let C1 = (1 - theta) GT(Q; lambda)\n"
    "when not ends: let C2 = theta GT(Q; lambda)\n"
    "# equations of motion, constraints, hidden constraints\n"
    "eq V: p(Q, u) - p - (1 - theta) h K - h C1\n"
    "when gamma: eq a: p(Q, a) - GT(Q; gamma)\n"
    "when gamma: eq lambda: rate(Q, u)\n"
    "when not gamma: eq lambda: g(q1)\n"
    "when gamma: when ends: eq gamma: g(q1)\n"
    "when gamma: when not ends: eq gamma: g(Q)\n"
    "let P = p + h K + h C1 + h C2\n";

/* vi-s (theory 6.3): forces at q, the hidden constraint at qb. */
static const char euler[] = "carried q point, p momentum, v tangent\n"
                            "carried last_lambda multiplier g, last_gamma impulse g\n"
                            "# the velocity, multipliers of constraints and hidden ones\n"
                            "unknown u tangent\n"
                            "unknown lambda multiplier g\n"
                            "when gamma: unknown gamma impulse g\n"
                            "when gamma: unknown a tangent\n"
                            "when gamma: unknown w tangent\n"
                            "# forces at the start, then a position without gamma\n"
                            "let K = F(q, u) + GT(q; lambda)\n"
                            "point qb at 1 = q + h u\n"
                            "when gamma: point q1 at 1 = q + h u + h a\n"
                            "when not gamma: point q1 at 1 = q + h u\n"
                            "when gamma: let C = MqT(qb, w; a) - RqT(qb, w; gamma)\n"
                            "# equations of motion, hidden constraints, constraints\n"
                            "eq u: p(q, u) - p - h K\n"
                            "when gamma: eq a: p(qb, a) - GT(qb; gamma)\n"
                            "when gamma: eq w: p(qb, w) - p(q, u) - h C\n"
                            "when gamma: eq lambda: rate(qb, w)\n"
                            "when gamma: eq gamma: g(q1)\n"
                            "when gamma: let P = p(qb, w)\n"
                            "when not gamma: let P = p + h K\n";

/* The end of a step and the beginning of the first one, for both texts. The normal part
 * of the momentum is a gauge unless it is projected away or option A needs it. Where
 * constraints are dependent nothing keeps it small, so that it is projected away in those
 * steps (theory 6.2). */
static const char ends[] = "# the velocity of the momentum at the end\n"
                           "unknown x tangent\n"
                           "when ends: unknown s impulse g\n"
                           "when ends: let P1 = P + GT(q1; s)\n"
                           "when not ends: let P1 = P\n"
                           "eq x: p(q1, x) - P1\n"
                           "when projection: eq s: rate(q1, x)\n"
                           "when gauge: eq s dependent: rate(q1, x)\n"
                           "assign q <- q1\n"
                           "assign p <- P1\n"
                           "assign v <- x\n"
                           "assign last_lambda <- lambda\n"
                           "when gamma: assign last_gamma <- gamma\n"
                           "# before the first step\n"
                           "when half_kick: first p <- p + kick h F(q, v)\n";

/* Whether gamma is an unknown. It vanishes without constraints, and if the hidden
 * constraint in the middle follows from the constraints at the ends. */
static bool has_gamma(const lv_system *s, const lv_ggl_member *k, bool is_euler)
{
    if (s->m == 0)
        return false;
    return is_euler || !k->ends || k->theta != 0.5 || s->constraint_degree < 0 ||
           s->constraint_degree > 2 || s->rheonomic;
}

/* The text of a member, and the facts and coefficients with which it is read. */
typedef struct prepared {
    char text[sizeof theta_family + sizeof euler + sizeof ends];
    const char *holds[6], *fails[6]; /* facts that the member decides */
    lv_coefficient list[4];
} prepared;

static void prepared_init(prepared *x, const lv_ggl_member *k, bool is_euler)
{
    const struct {
        const char *name;
        bool holds;
    } facts[] = {{"ends", k->ends},
                 {"projection", k->projection},
                 {"gauge", k->ends && !k->projection},
                 {"half_kick", k->half_kick != 0}};
    const char **holds = x->holds, **fails = x->fails;
    *x = (prepared){.list = {{"theta", 0, 0, &k->theta},
                             {"kappa", 0, 0, &k->kappa},
                             {"kick", 0, 0, &k->half_kick}}};
    for (size_t f = 0; f < sizeof facts / sizeof *facts; f++)
        *(facts[f].holds ? holds++ : fails++) = facts[f].name;
    (void)snprintf(x->text, sizeof x->text, "%s%s", is_euler ? euler : theta_family,
                   ends);
}

lv_status lv_variational_equations(const lv_scheme *self, lv_text *out,
                                   const lv_scheme_options *options, lv_error *err)
{
    const lv_ggl_member member = lv_ggl_member_of(self, options);
    prepared x;
    (void)err;
    prepared_init(&x, &member, self->family == LV_GGL_S);
    lv_source_write(out, &(lv_step_source){.text = x.text,
                                           .holds = x.holds,
                                           .fails = x.fails,
                                           .coefficients = x.list});
    return LV_OK;
}

lv_status lv_variational_create(const lv_scheme *self, void **work, lv_system *system,
                                const lv_scheme_options *options, lv_error *err)
{
    const lv_ggl_member member = lv_ggl_member_of(self, options);
    const bool is_euler = self->family == LV_GGL_S;
    prepared x;
    prepared_init(&x, &member, is_euler);
    const char **end = x.holds;
    while (*end)
        end++;
    if (has_gamma(system, &member, is_euler))
        *end = "gamma";
    const lv_step_table table = {.coefficients = x.list, .facts = x.holds};
    return lv_stepped_create(work, system, x.text, &table,
                             (lv_stepper_options){.checks_solution = true}, err);
}
