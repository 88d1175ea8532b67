/* Descriptors of livens, em-g and em: their claims and the systems they refuse (theory
 * 5.6, 6.4). */
#include "scheme/energy_momentum.h"
#include "scheme/equivariance.h"
#include "system/blocks.h"
#include "system/mass_definite.h"

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

/* Refuses a singular M unless it is definite on the directions that the constraints leave
 * free, that is, unless M stacked on G has full rank at the start. */
static lv_status check_massless_directions(const lv_scheme *self, const lv_system *s,
                                           lv_error *err)
{
    const lv_point start = {.q = s->model->start_q, .v = s->model->start_v};
    lv_blocks blocks = {0};
    int rank = -1;
    lv_plan_run(s->dynamics_plan, &start);
    lv_status status = lv_blocks_add_result(&blocks, s->dynamics_plan, LV_Q_MASS, 0, err);
    if (status == LV_OK)
        status = lv_blocks_add_result(&blocks, s->dynamics_plan, LV_Q_RATE_V, s->n, err);
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
    return system->mass_regular ? LV_OK : check_massless_directions(self, system, err);
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

/* The reason why em has no projection. */
static const char *why_no_option(const lv_scheme *self, lv_option option)
{
    (void)self;
    return option == LV_OPTION_PROJECTION
               ? "its momenta satisfy the hidden constraint, and changing them would "
                 "break the balance of energy"
               : NULL;
}

#define METHODS                                                                          \
    .claims = claims, .keeps = keeps, .fits = fits, .create = lv_energy_momentum_create, \
    .free = lv_energy_momentum_free, .multipliers = lv_stepped_multipliers,              \
    .own_velocities = true, .equations = lv_energy_momentum_equations,                   \
    LV_STEPPED_METHODS

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
    .info = {.name = "livens",
             .summary =
                 "energy-momentum scheme of Livens' principle, any mass matrix, order 2",
             .text = livens_text,
             .source = "Kinon, Betsch 2023 (Livens principle)",
             .least_stages = 1,
             .most_stages = 1,
             .default_stages = 1,
             .holonomic = true,
             .composable = true,
             .options = LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS),
             .mass = LV_MASS_SINGULAR,
             .composes_only = "constant mass, without constraints"},
    .restrictions = restrictions,
    METHODS};

const lv_scheme lv_scheme_em_g = {
    .info = {.name = "em-g",
             .summary = "energy-momentum scheme of Gonzalez, constant mass, order 2",
             .text = em_g_text,
             .source = "Gonzalez 1999; Kinon, Betsch, Schneider 2023",
             .least_stages = 1,
             .most_stages = 1,
             .default_stages = 1,
             .holonomic = true,
             .composable = true,
             .options = LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS),
             .mass = LV_MASS_CONSTANT,
             .composes_only = "without constraints"},
    .restrictions = restrictions,
    METHODS};

const lv_scheme lv_scheme_em = {
    .info = {.name = "em",
             .summary = "energy-momentum scheme with both constraint levels, order 2",
             .text = em_text,
             .source = "Kinon, Betsch, Schneider 2023",
             .least_stages = 1,
             .most_stages = 1,
             .default_stages = 1,
             .holonomic = true,
             .composable = true,
             .options = LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS),
             .mass = LV_MASS_VARYING,
             .composes_only = "constant mass"},
    .has_gamma = true,
    .why_no_option = why_no_option,
    .restrictions = em_restrictions,
    METHODS};
