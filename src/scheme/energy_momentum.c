/* Energy-momentum schemes: livens, em-g and em are one scheme (Gonzalez 1999; Kinon, Betsch 2023; Kinon, Betsch,
 * Schneider 2023; theory 5.6, 6.4, 6.5). Energy p . v - T + V, momentum maps and constraints are kept exactly; with em
 * the hidden constraints, too. Not symplectic. */
#include "base/memory.h"
#include "scheme/equivariance.h"
#include "scheme/scheme.h"
#include "scheme/transverse.h"
#include "step/stepper.h"
#include "system/blocks.h"
#include "system/definite.h"

#include <string.h>

/* V is the mean velocity of the step, D are discrete gradients. With hidden constraints q' = u + M^-1 G^T gamma; b is V
 * without that, and mu = y + 2 gamma / h makes gamma and mu independent of each other to first order. For constant masses
 * discrete gradients of the hidden constraint are taken along (q, v) -> (q1, v1). As v1 is a difference of positions,
 * whose rounding is divided by h, the constraint is asked once more of the momentum (theory 6.7). Otherwise gradients are
 * taken at the middle, x being the velocity there, w that of the momentum at the end, and `across` makes them do no
 * work. */
static const char equations[] =
    "carried q point, p momentum, v tangent, last_lambda multiplier g\n"
    "unknown V tangent, mu multiplier g\n"
    "when hidden: carried last_gamma multiplier g\n"
    "when hidden: unknown gamma impulse g, a tangent\n"
    "when varying: unknown w tangent, x tangent\n"
    "point z at 1/2 = q + 1/2 h V\n"
    "point q1 at 1 = q + h V\n"
    "when hidden: let y = mu - 2/h gamma\n"
    "when hidden: let b = V - a\n"
    "when constant: let v1 = 2 b - v\n"
    "when constant: let A = DwRT(q, v, q1, v1; gamma)\n"
    "when constant: let c = DqRT(q, v, q1, v1; gamma)\n"
    "when constant: let u = b\n"
    "when varying: let A = GT(z; gamma)\n"
    "when varying: let pm = 1/2 p + 1/2 p(q1, w)\n"
    "when varying: let dp = p(q1, w) - p\n"
    "when varying: let cm = RqT(z, x; gamma) - MqT(z, x; a)\n"
    "when varying: call da tangent, dc momentum = across(z, pm, V, dp, a, cm)\n"
    "when varying: let c = cm + dc\n"
    "when varying: let u = b - da\n"
    "when plain: let y = mu\n"
    "when plain: let c = 0\n"
    "when plain: let u = V\n"
    "let I = D2T(q, v, q1, u)\n"
    "let K = D1T(q, v, q1, u) - DV(q, q1) + f(z, V) + DgT(q, q1; y) - c\n"
    "let p1 = p + h K\n"
    "eq V: 2 I - p - p1\n"
    "eq mu: g(q1)\n"
    "when hidden: eq a: p(z, a) - A\n"
    "when constant: eq gamma: rate(q1, v1)\n"
    "when varying: eq gamma: rate(q1, w)\n"
    "when varying: eq w: p(q1, w) - p1\n"
    "when varying: eq x: p(z, x) - pm\n"
    "when constant: unknown s impulse g\n"
    "when constant: let p2 = p1 + GT(q1; s)\n"
    "when not constant: let p2 = p1\n"
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
    lv_stepper *stepper;
    lv_transverse transverse;
    lv_arena arena;
    int m;
    bool hidden;
} energy_momentum;

static void destroy(void *work)
{
    energy_momentum *w = work;
    if (!w)
        return;
    lv_stepper_free(w->stepper);
    lv_transverse_done(&w->transverse);
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}

static lv_status fill(energy_momentum *w, const lv_scheme *self, lv_system *s,
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
    const lv_opaque calls[] = {{"across", lv_transverse_apply, &w->transverse}, {0}};
    const lv_step_table table = {.facts = facts, .calls = calls};
    w->m = s->m;
    w->hidden = hidden;
    if (hidden && !constant)
        LV_TRY(lv_transverse_init(&w->transverse, s, &w->arena, err));
    return lv_stepper_create(
        &w->stepper, s, equations, &table,
        (lv_stepper_options){.adds_up = true, .checks_solution = true}, err);
}

static lv_status create(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err)
{
    energy_momentum *w = lv_memory_zeroed(1, sizeof *w);
    (void)options;
    *work = NULL;
    if (!w)
        return lv_fail_memory(err);
    lv_status status = fill(w, self, system, err);
    if (status == LV_OK)
        *work = w;
    else
        destroy(w);
    return status;
}

static lv_status step(void *work, lv_state *state, double h, bool project,
                      lv_step_report *report, lv_error *err)
{
    energy_momentum *w = work;
    (void)project;
    return lv_stepper_step(w->stepper, state, h, true, report, err);
}

static lv_memory_view memory(void *work)
{
    energy_momentum *w = work;
    return lv_stepper_memory(w->stepper);
}

static void forget(void *work)
{
    energy_momentum *w = work;
    lv_stepper_forget(w->stepper);
}

/* Before the first step they are 0; gamma is asked of em only. */
static void multipliers(void *work, double *lambda, double *gamma)
{
    energy_momentum *w = work;
    const double *l = lv_stepper_carried(w->stepper, "last_lambda"),
                 *g = lv_stepper_carried(w->stepper, "last_gamma");
    for (int r = 0; r < w->m; r++)
        lambda[r] = l ? l[r] : 0;
    for (int r = 0; r < w->m && w->hidden; r++)
        gamma[r] = g ? g[r] : 0;
}

/* ---- the descriptors ----------------------------------------------------------------------------------- */

static void claims(const lv_scheme *self, lv_claims *c, const lv_scheme_options *options)
{
    (void)options;
    *c = (lv_claims){.order = 2,
                     .symmetric = true,
                     .energy = LV_KEPT_EXACT,
                     .momentum = LV_KEPT_EXACT,
                     .position = LV_KEPT_EXACT,
                     .velocity = self->has_gamma ? LV_KEPT_EXACT : LV_KEPT_NOT};
}

static lv_status keeps(const lv_scheme *self, lv_system *system, bool *kept,
                       lv_error *err)
{
    return lv_equivariance_test(system, self->has_gamma, kept, err);
}

static lv_status add_rows(lv_blocks *blocks, const lv_plan *plan, lv_quantity quantity,
                          int row, lv_error *err)
{
    const lv_pattern *p = lv_plan_pattern(plan, quantity);
    const double *values = lv_plan_result(plan, quantity);
    for (int r = 0; r < p->rows; r++)
        for (int e = p->start[r]; e < p->start[r + 1]; e++)
            LV_TRY(lv_blocks_add(blocks, row + r, p->column[e], values[e], err));
    return LV_OK;
}

/* A singular M will do if it is definite where the constraints let the system move: if M over G has
 * full rank at the start. */
static lv_status covered(const lv_scheme *self, const lv_system *s, lv_error *err)
{
    const lv_point start = {.q = s->model->start_q, .v = s->model->start_v};
    lv_blocks blocks = {0};
    int rank = -1;
    lv_plan_run(s->node, &start);
    lv_status status = add_rows(&blocks, s->node, LV_Q_MASS, 0, err);
    if (status == LV_OK)
        status = add_rows(&blocks, s->node, LV_Q_RATE_V, s->n, err);
    if (status == LV_OK)
        status = lv_blocks_rank(&blocks, &rank, s->n + s->m, s->n, err);
    lv_blocks_done(&blocks);
    LV_TRY(status);
    if (rank < 0 || rank == s->n)
        return LV_OK;
    status = lv_fail(
        err, LV_ERR_MODEL,
        "scheme '%s' takes a singular mass matrix only where constraints hold what "
        "has no mass",
        self->info.name);
    if (lv_massless_note(s->model, err)) {
        lv_error_hint(err, "a line has no inertia about itself: give it a small one");
        return status;
    }
    lv_error_note(err, "at the start %d of %d directions are without mass and constraint",
                  s->n - rank, s->n);
    lv_error_hint(err, "is a kinetic energy missing?");
    return status;
}

static lv_status fits(const lv_scheme *self, const lv_system *system,
                      const lv_scheme_options *options, lv_error *err)
{
    (void)options;
    return system->mass_regular ? LV_OK : covered(self, system, err);
}

static const lv_restriction restrictions[] = {
    {LV_OPTION_COMPOSE, LV_TRAIT_HOLONOMIC,
     "is composed only without constraints: with them its momenta, which satisfy the "
     "rates "
     "of the constraints to second order, stay of second order",
     NULL},
    {LV_OPTION_COMPOSE, LV_TRAIT_MASS_VARIES,
     "is not composed where the mass matrix varies: its velocities are not those of its "
     "momenta, and stay of second order",
     NULL},
    {LV_OPTION_COMPOSE, LV_TRAIT_MASS_SINGULAR,
     "is composed only with a regular mass matrix: a singular one needs constraints",
     NULL},
    {0}};

static const lv_restriction em_restrictions[] = {
    {LV_OPTION_COMPOSE, LV_TRAIT_MASS_VARIES,
     "is not composed where the mass matrix varies: its velocities are not those of its "
     "momenta, and stay of second order",
     NULL},
    {0}};

/* An option that one could expect of em. */
static const char *lacks(const lv_scheme *self, lv_option option)
{
    (void)self;
    return option == LV_OPTION_PROJECTION
               ? "its momenta satisfy the hidden constraint, and changing them would "
                 "break the balance of energy"
               : NULL;
}

#define METHODS                                                                          \
    .claims = claims, .keeps = keeps, .fits = fits, .create = create, .free = destroy,   \
    .step = step, .memory = memory, .multipliers = multipliers, .forget = forget,        \
    .own_velocities = true

#define MOMENTA_TEXT                                                                     \
    "\n\n"                                                                               \
    "Momentum maps are kept to rounding where the formulas show the symmetry: written\n" \
    "with distances and scalar products, of velocities too. livens check names those\n"  \
    "of a model that are not."

static const char livens_text[] =
    "Positions, velocities and momenta are independent, tied by Livens' principle;\n"
    "forces and constraint forces are discrete gradients, which livens derives from\n"
    "the formulas. The energy p.v - T + V is kept to rounding whatever the step size,\n"
    "momentum maps too, constraints hold at the nodes. Second order, symmetric, not\n"
    "symplectic. The mass matrix may vary or be singular where constraints cover its\n"
    "kernel.\n"
    "\n"
    "Where the mass matrix varies, p = M v holds in the mean of a step, at the nodes to\n"
    "second order. The energy that is kept is then not T + V of the velocities, and it\n"
    "does not bound the motion: with steps that are too large p and M v come apart, T\n"
    "and V grow, and p.v - T + V stays what it was. A run reports |p - M v|, and "
    "warns." MOMENTA_TEXT;

static const char em_g_text[] =
    "Forces and constraint forces are discrete gradients, which livens derives from the\n"
    "formulas; the momentum is M v. The energy T + V is kept to rounding whatever the\n"
    "step size, momentum maps too, constraints hold at the nodes, their rates to second\n"
    "order. Second order, symmetric, not symplectic. The mass matrix is constant and\n"
    "regular; livens is the same scheme for those that vary or are "
    "singular." MOMENTA_TEXT;

static const char em_text[] =
    "Energy-momentum scheme with both sets of constraints: energy, momentum maps,\n"
    "positions and velocities of the constraints are all kept to rounding at the nodes,\n"
    "whatever the step size. Not symplectic. Discrete gradients of potential, "
    "constraints\n"
    "and hidden constraints are derived from the formulas.\n"
    "\n"
    "With a mass matrix that varies the state has velocities of its own, as with "
    "livens:\n"
    "kept are the energy p.v - T + V and the hidden constraint of the momenta. That "
    "energy\n"
    "is not T + V of the velocities and does not bound the motion: with steps that are "
    "too\n"
    "large p and M v come apart. A run reports |p - M v|, and warns.\n"
    "\n"
    "Momentum maps are kept to rounding where the formulas show the symmetry: written\n"
    "with distances and scalar products, of velocities too. livens check names those of "
    "a\n"
    "model that are not; with constraints and a mass matrix that varies, rotations "
    "about\n"
    "axes that are none of the coordinates' are among these.";

const lv_scheme lv_scheme_livens = {
    .info = {"livens",
             "energy-momentum scheme of Livens' principle, any mass matrix, order 2",
             livens_text, "Kinon, Betsch 2023 (Livens principle)", 1, 1, 1, true, true,
             LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS), false, LV_MASS_SINGULAR,
             "constant mass, without constraints", NULL, false},
    .restrictions = restrictions,
    METHODS};

const lv_scheme lv_scheme_em_g = {
    .info = {"em-g", "energy-momentum scheme of Gonzalez, constant mass, order 2",
             em_g_text, "Gonzalez 1999; Kinon, Betsch, Schneider 2023", 1, 1, 1, true,
             true, LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS), false, LV_MASS_CONSTANT,
             "without constraints", NULL, false},
    .restrictions = restrictions,
    METHODS};

const lv_scheme lv_scheme_em = {
    .info = {"em", "energy-momentum scheme with both constraint levels, order 2", em_text,
             "Kinon, Betsch, Schneider 2023", 1, 1, 1, true, true,
             LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS), false, LV_MASS_VARYING,
             "constant mass", NULL, false},
    .has_gamma = true,
    .lacks = lacks,
    .restrictions = em_restrictions,
    METHODS};
