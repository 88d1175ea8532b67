/* Energy-momentum schemes: livens, em-g and em are one scheme (Gonzalez 1999; Kinon,
 * Betsch 2023; Kinon, Betsch, Schneider 2023; theory 5.6, 6.4, 6.5). It keeps the energy
 * p . v - T + V, momentum maps and constraints exactly; em also keeps the hidden
 * constraints. It is not symplectic. */
#include "scheme/energy_momentum.h"

#include "base/memory.h"
#include "course/write.h"
#include "scheme/work_correction.h"

/* V is the mean velocity of the step, D denotes discrete gradients. With hidden
 * constraints q' = u + M^-1 G^T gamma; b is V without the gamma term, and
 * mu = y + 2 gamma / h makes gamma and mu independent of each other to first order. For a
 * constant mass matrix, discrete gradients of the hidden constraint are taken along
 * (q, v) -> (q1, v1). Since v1 is a difference of positions, whose rounding is divided by h, the
 * constraint is then imposed once more on the momentum (theory 6.7). Otherwise gradients
 * are taken at the midpoint, where x is the velocity; w is the velocity that belongs to
 * the momentum at the end, and the call `correct` changes the gradients so that they do
 * no work. */
static const char equations[] =
    "carried q point, p momentum, v tangent, last_lambda multiplier g\n"
    "# the mean velocity of the step, multipliers of the constraints\n"
    "unknown V tangent, mu multiplier g\n"
    "# multipliers of the hidden constraints, and what they add to the velocity\n"
    "when hidden: carried last_gamma multiplier g\n"
    "when hidden: unknown gamma impulse g, a tangent\n"
    "# velocities of the momenta at the end and in the middle\n"
    "when varying: unknown w tangent, x tangent\n"
    "# the middle and the end of the step\n"
    "point z at 1/2 = q + 1/2 h V\n"
    "point q1 at 1 = q + h V\n"
    "when hidden: let y = mu - 2/h gamma\n"
    "when hidden: let b = V - a\n"
    "# constant mass: discrete gradients of the hidden constraints by v and q\n"
    "when constant: let v1 = 2 b - v\n"
    "when constant: let A = DwRT(q, v, q1, v1; gamma)\n"
    "when constant: let c = DqRT(q, v, q1, v1; gamma)\n"
    "when constant: let u = b\n"
    "# otherwise gradients in the middle, which `correct` makes do no work\n"
    "when varying: let A = GT(z; gamma)\n"
    "when varying: let pm = 1/2 p + 1/2 p(q1, w)\n"
    "when varying: let dp = p(q1, w) - p\n"
    "when varying: let cm = RqT(z, x; gamma) - MqT(z, x; a)\n"
    "when varying: call da tangent, dc momentum = correct(z, pm, V, dp, a, cm)\n"
    "when varying: let c = cm + dc\n"
    "when varying: let u = b - da\n"
    "when plain: let y = mu\n"
    "when plain: let c = 0\n"
    "when plain: let u = V\n"
    "# momentum in the mean, forces, momentum at the end\n"
    "let I = D2T(q, v, q1, u)\n"
    "let K = D1T(q, v, q1, u) - DV(q, q1) + f(z, V) + DgT(q, q1; y) - c\n"
    "let p1 = p + h K\n"
    "# equations of motion, constraints, hidden constraints\n"
    "eq V: 2 I - p - p1\n"
    "eq mu: g(q1)\n"
    "when hidden: eq a: p(z, a) - A\n"
    "when constant: eq gamma: rate(q1, v1)\n"
    "when varying: eq gamma: rate(q1, w)\n"
    "when varying: eq w: p(q1, w) - p1\n"
    "when varying: eq x: p(z, x) - pm\n"
    "# the hidden constraints once more, of the momentum, against rounding\n"
    "when constant: unknown s impulse g\n"
    "when constant: let p2 = p1 + GT(q1; s)\n"
    "when not constant: let p2 = p1\n"
    "# the velocity at the end; regular: that of the momentum\n"
    "when regular: unknown e tangent\n"
    "when regular: eq e: p(q1, e) - p2\n"
    "when constant: eq s: rate(q1, e)\n"
    "when regular: let v2 = e\n"
    "when not regular: let v2 = 2 u - v\n"
    "assign q <- q1\n"
    "assign p <- p2\n"
    "assign v <- v2\n"
    "assign last_lambda <- y\n"
    "when hidden: assign last_gamma <- gamma\n";

typedef struct energy_momentum {
    lv_stepped base;
    lv_work_correction correction;
    lv_arena arena;
} energy_momentum;

void lv_energy_momentum_free(void *work)
{
    energy_momentum *w = work;
    if (!w)
        return;
    lv_stepper_free(w->base.stepper);
    lv_work_correction_done(&w->correction);
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}

static lv_status make_stepper(energy_momentum *w, const lv_scheme *self, lv_system *s,
                              lv_error *err)
{
    const bool hidden = self->has_gamma && s->m > 0,
               constant = s->mass_constant && s->quadratic;
    const char *facts[4];
    int count = 0;
    facts[count++] = hidden ? "hidden" : "plain";
    if (hidden)
        facts[count++] = constant ? "constant" : "varying";
    if (constant && s->mass_regular)
        facts[count++] = "regular";
    facts[count] = NULL;
    const lv_opaque calls[] = {{"correct", lv_work_correction_apply, &w->correction},
                               {0}};
    const lv_step_table table = {.facts = facts, .calls = calls};
    w->base.m = s->m;
    if (hidden && !constant)
        LV_TRY(lv_work_correction_init(&w->correction, s, &w->arena, err));
    return lv_stepper_create(
        &w->base.stepper, s, equations, &table,
        (lv_stepper_options){.adds_up = true, .checks_solution = true}, err);
}

lv_status lv_energy_momentum_equations(const lv_scheme *self, lv_text *out,
                                       const lv_scheme_options *options, lv_error *err)
{
    static const char *const hidden[] = {"hidden", NULL};
    static const char *const plain[] = {"plain", NULL};
    static const char *const others[] = {"hidden", "constant", "varying", NULL};
    const bool both = self->has_gamma;
    (void)options;
    (void)err;
    lv_source_write(out, &(lv_step_source){.text = equations,
                                           .holds = both ? hidden : plain,
                                           .fails = both ? plain : others});
    return LV_OK;
}

lv_status lv_energy_momentum_create(const lv_scheme *self, void **work, lv_system *system,
                                    const lv_scheme_options *options, lv_error *err)
{
    energy_momentum *w = lv_memory_zeroed(1, sizeof *w);
    (void)options;
    *work = NULL;
    if (!w)
        return lv_fail_memory(err);
    lv_status status = make_stepper(w, self, system, err);
    if (status == LV_OK)
        *work = w;
    else
        lv_energy_momentum_free(w);
    return status;
}
