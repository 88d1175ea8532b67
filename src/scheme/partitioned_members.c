/* Descriptors of lobatto, rattle, verlet, gauss and radau: families of tableaux, their
 * claims and restrictions. */
#include "scheme/partitioned.h"
#include "scheme/partitioned_text.h"

#include "course/free_bodies.h"
#include "model/option.h"

/* Whether the chart leaves a step symmetric. The chart is centred at the start of a step,
 * so that the step back has it at the other end. This makes no difference for steps
 * without a chart and for a single stage in the middle with exp, where
 * tau(x/2) tau(x/2) = tau(x); cay does not have this property (theory 10.7). */
static bool has_symmetric_chart(int stages, const lv_scheme_options *options)
{
    const lv_rotations_as rotations = lv_rotations_of(options);
    return rotations == LV_ROTATIONS_EXP ? stages == 1 : rotations != LV_ROTATIONS_CAY;
}

static bool restarts_multipliers(const lv_scheme_options *options)
{
    return lv_scheme_option(options, LV_OPTION_MULTIPLIERS, 0) != 0;
}

static void claims(const lv_scheme *self, lv_claims *c, const lv_scheme_options *options)
{
    const lv_family_row *family = &lv_family_table[self->family];
    int stages = lv_scheme_stages(self, options);
    lv_kept kept = family->constraints ? LV_KEPT_EXACT : LV_KEPT_NOT;
    *c = (lv_claims){.order = 2 * stages - family->order_loss,
                     .symplectic = family->symplectic,
                     .symmetric = family->symmetric &&
                                  has_symmetric_chart(stages, options) &&
                                  !restarts_multipliers(options),
                     .energy = LV_KEPT_BOUNDED,
                     .momentum = LV_KEPT_EXACT,
                     .position = kept,
                     .velocity = kept};
}

static const lv_restriction lobatto_restrictions[] = {
    {LV_OPTION_COMPOSE, LV_TRAIT_NONHOLONOMIC,
     "gains no order by composition where multipliers of nonholonomic constraints are "
     "carried from step to step",
     "use lobatto with more stages"},
    {0}};

#define HOLONOMIC_REASON                                                                 \
    "does not take holonomic constraints: these need stages at both ends of a step, "    \
    "and "                                                                               \
    "it has "

static const lv_restriction gauss_restrictions[] = {
    {LV_ALWAYS, LV_TRAIT_HOLONOMIC, HOLONOMIC_REASON "none there", NULL}, {0}};
static const lv_restriction radau_restrictions[] = {
    {LV_ALWAYS, LV_TRAIT_HOLONOMIC, HOLONOMIC_REASON "one at the end only", NULL}, {0}};

static lv_status make_tableau(const lv_scheme *self, lv_tableau **tableau,
                              const lv_scheme_options *options, lv_error *err)
{
    return lv_tableau_create(tableau, (lv_family)self->family,
                             lv_scheme_stages(self, options), err);
}

static lv_status equations(const lv_scheme *self, lv_text *out,
                           const lv_scheme_options *options, lv_error *err)
{
    lv_tableau *tableau = NULL;
    LV_TRY(make_tableau(self, &tableau, options, err));
    const lv_status status = lv_partitioned_equations(out, tableau, -1, err);
    lv_tableau_free(tableau);
    return status;
}

/* Exact rotation needs bodies that share no kinetic energy with other coordinates, and
 * forces and constraints that act in kicks. */
static lv_status fits(const lv_scheme *self, const lv_system *system,
                      const lv_scheme_options *options, lv_error *err)
{
    int coupled = -1;
    if (lv_rotations_of(options) != LV_ROTATIONS_EXACT || !system->still)
        return LV_OK;
    const bool constant = system->mass_constant && system->quadratic;
    if (constant)
        LV_TRY(lv_free_bodies_find(NULL, &coupled, system, err));
    const char *reason = system->has_nonholonomic ? "there are nonholonomic constraints"
                         : !constant ? "the mass matrix is not constant in body axes"
                         : coupled >= 0
                             ? "a body shares kinetic energy with other coordinates"
                             : NULL;
    if (!reason)
        return LV_OK;
    lv_status status =
        lv_fail(err, LV_ERR_MODEL, "scheme '%s' cannot turn bodies exactly: %s",
                self->info.name, reason);
    lv_option_blame(LV_OPTION_ROTATIONS, err);
    lv_error_hint(err, "exp and cay take any mass matrix and all constraints");
    return status;
}

static lv_status create(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err)
{
    lv_tableau *tableau = NULL;
    lv_system *in = NULL;
    *work = NULL;
    LV_TRY(lv_scheme_moves_in(self, &in, system, options, err));
    LV_TRY(make_tableau(self, &tableau, options, err));
    LV_TRY(lv_partitioned_create(work, in, tableau, -1, lv_rotations_of(options), err));
    if (restarts_multipliers(options))
        lv_stepper_restart_multipliers(self->stepper(*work));
    return LV_OK;
}

#define METHODS                                                                          \
    .claims = claims, .fits = fits, .create = create, .tableau = make_tableau,           \
    .equations = equations, LV_PARTITIONED_METHODS

#define GROUP_TEXT                                                                       \
    "With rotations exp or cay a step has its chart where it begins: it keeps order,\n"  \
    "symplecticity and momenta, but is not symmetric, and is not composed. More stages " \
    "give the\n"                                                                         \
    "order that compositions would; rotations directors and exact can be composed."

static const char lobatto_text[] =
    "Positions and momenta use conjugate tableaux (Lobatto IIIA and IIIB) whose first "
    "and last\n"
    "stages are the ends of the step. Constraints hold at every stage, their time "
    "derivative at\n"
    "the nodes. The map is symplectic and symmetric, momentum maps of linear symmetries "
    "are kept\n"
    "exactly, the energy error stays bounded. With s stages the order is 2s - 2, with "
    "and without\n"
    "constraints, forces and a mass matrix that varies. For constant mass and forces of "
    "position\n"
    "only the multipliers and the inner stages are solved for.\n\n" GROUP_TEXT "\n\n"
    "Nonholonomic constraints, linear or not in the velocities, are integrated with the "
    "same\n"
    "order; the map is then symmetric, but not symplectic, and multipliers are carried "
    "from step\n"
    "to step. With 3 stages these can drift slowly, and the energy with them, in motions "
    "that keep\n"
    "rotating: prefer 2 or 4 stages for long nonholonomic runs. Where a motion settles "
    "down, as\n"
    "that of a sleigh that comes to run straight ahead, carried multipliers leave those "
    "of the\n"
    "motion at the rate at which it settles, with any step and any number of stages. A "
    "run\n"
    "reports how far they are apart, and warns. With multipliers = motion every step "
    "begins with\n"
    "those of the motion: they cannot leave it, and the map is not symmetric.";

static const char source[] =
    "Jay 1996; Martin de Diego, Sato Martin de Almagro 2018, sections 4 and 5";

const lv_scheme lv_scheme_lobatto = {
    .info = {.name = "lobatto",
             .summary = "Lobatto IIIA-IIIB, s stages, order 2s - 2",
             .text = lobatto_text,
             .source = source,
             .least_stages = 2,
             .most_stages = 20,
             .default_stages = 3,
             .holonomic = true,
             .composable = true,
             .options = LV_TAKES(STAGES) | LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS) |
                        LV_TAKES(POSES) | LV_TAKES(MULTIPLIERS),
             .nonholonomic = true,
             .mass = LV_MASS_VARYING,
             .composes_only = "without nonholonomic constraints",
             .any_lagrangian = true},
    .family = LV_FAMILY_LOBATTO,
    .restrictions = lobatto_restrictions,
    .moves = true,
    METHODS};

const lv_scheme lv_scheme_rattle = {
    .info = {.name = "rattle",
             .summary = "RATTLE: Lobatto IIIA-IIIB with two stages, order 2",
             .text = lobatto_text,
             .source = "Andersen 1983; Jay 1996",
             .least_stages = 2,
             .most_stages = 2,
             .default_stages = 2,
             .holonomic = true,
             .composable = true,
             .options = LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS) | LV_TAKES(POSES) |
                        LV_TAKES(MULTIPLIERS),
             .nonholonomic = true,
             .mass = LV_MASS_VARYING,
             .composes_only = "without nonholonomic constraints",
             .any_lagrangian = true},
    .family = LV_FAMILY_LOBATTO,
    .restrictions = lobatto_restrictions,
    .moves = true,
    .kicks = true,
    METHODS};

const lv_scheme lv_scheme_verlet = {
    .info = {.name = "verlet",
             .summary =
                 "Stoermer-Verlet (kick-drift-kick): rattle without constraints, order 2",
             .text = lobatto_text,
             .source = "Verlet 1967",
             .least_stages = 2,
             .most_stages = 2,
             .default_stages = 2,
             .holonomic = true,
             .composable = true,
             .options = LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS) | LV_TAKES(POSES) |
                        LV_TAKES(MULTIPLIERS),
             .nonholonomic = true,
             .mass = LV_MASS_VARYING,
             .composes_only = "without nonholonomic constraints",
             .any_lagrangian = true},
    .family = LV_FAMILY_LOBATTO,
    .restrictions = lobatto_restrictions,
    .moves = true,
    .kicks = true,
    METHODS};

const lv_scheme lv_scheme_gauss = {
    .info =
        {.name = "gauss",
         .summary =
             "Gauss collocation, s stages, order 2s; s = 1 is the implicit midpoint rule",
         .text =
             "Collocation at the Gauss points. The map is symplectic and symmetric and "
             "keeps "
             "momentum\nmaps of linear symmetries exactly; no step size is too large for "
             "linear "
             "stability. Without\nconstraints only: with them its order falls to s.\n\n"
             "With rotations exp or cay a step has its chart where it begins: it keeps "
             "order,\n"
             "symplecticity and momenta, but is not symmetric, and is not composed. More "
             "stages give the\n"
             "order that compositions would. A single stage with exp is symmetric and "
             "can be "
             "composed.",
         .source = "Hairer, Lubich, Wanner 2006, sections II.1 and IV.2",
         .least_stages = 1,
         .most_stages = 20,
         .default_stages = 2,
         .composable = true,
         .options =
             LV_TAKES(STAGES) | LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS) | LV_TAKES(POSES),
         .mass = LV_MASS_VARYING,
         .any_lagrangian = true},
    .family = LV_FAMILY_GAUSS,
    .restrictions = gauss_restrictions,
    .moves = true,
    METHODS};

const lv_scheme lv_scheme_radau = {
    .info = {.name = "radau",
             .summary = "Radau IIA and its symplectic conjugate, s stages, order 2s - 1",
             .text = "Positions use Radau IIA, momenta the conjugate tableau. The map is "
                     "symplectic but "
                     "not\nsymmetric. Without constraints only.",
             .source =
                 "Sun 1993; Martin de Diego, Sato Martin de Almagro 2018, section 4",
             .least_stages = 1,
             .most_stages = 20,
             .default_stages = 2,
             .options = LV_TAKES(STAGES) | LV_TAKES(ROTATIONS),
             .mass = LV_MASS_VARYING,
             .any_lagrangian = true},
    .family = LV_FAMILY_RADAU,
    .restrictions = radau_restrictions,
    METHODS};
