/* Partitioned Runge-Kutta schemes: tableaux are data, the stage equations are solved in the
 * cheapest form the system allows. */
#include "base/memory.h"
#include "scheme/scheme.h"
#include "scheme/separable.h"
#include "scheme/stages.h"
#include "scheme/tableau.h"

typedef struct partitioned {
    lv_tableau *tableau;
    lv_separable *separable; /* one of the two */
    lv_stages *stages;
} partitioned;

static void claims(const lv_scheme *self, lv_claims *c, const lv_scheme_options *options)
{
    const lv_family_row *family = &lv_family_table[self->family];
    int stages = lv_scheme_stages(self, options);
    lv_kept kept = family->constraints ? LV_KEPT_EXACT : LV_KEPT_NOT;
    *c = (lv_claims){.order = 2 * stages - family->order_loss,
                     .symplectic = family->symplectic,
                     .symmetric = family->symmetric,
                     .energy = LV_KEPT_BOUNDED,
                     .momentum = LV_KEPT_EXACT,
                     .position = kept,
                     .velocity = kept};
}

static lv_status fits(const lv_scheme *self, const lv_system *system,
                      const lv_scheme_options *options, lv_error *err)
{
    const lv_family_row *family = &lv_family_table[self->family];
    lv_status status = LV_OK;
    (void)options;
    if (system->has_nonholonomic) {
        status = lv_fail(err, LV_ERR_MODEL,
                         "scheme '%s' does not take nonholonomic constraints",
                         self->info.name);
        lv_error_hint(err, "this version integrates holonomic constraints only");
    } else if (system->m > 0 && !family->constraints) {
        status =
            lv_fail(err, LV_ERR_MODEL,
                    "scheme '%s' does not take holonomic constraints: none of its stages "
                    "lies at the ends of a step, and its order would fall to half",
                    self->info.name);
        lv_error_hint(err, "use rattle or lobatto");
    } else if (!system->mass_regular) {
        status =
            lv_fail(err, LV_ERR_MODEL,
                    "scheme '%s' inverts the mass matrix, which is singular at the start",
                    self->info.name);
        lv_error_hint(err, "give every coordinate kinetic energy");
    }
    return status;
}

static void destroy(void *work)
{
    partitioned *w = work;
    if (!w)
        return;
    lv_separable_free(w->separable);
    lv_stages_free(w->stages);
    lv_tableau_free(w->tableau);
    lv_memory_free(w);
}

/* The reduced equations need a tableau whose first and last stages are the ends of the step, and
 * a mass matrix of small blocks. */
static bool use_separable(const lv_system *system, const lv_tableau *tableau)
{
    return system->separable && tableau->q_starts && tableau->q_ends &&
           (system->m == 0 || lv_saddle_schur(system->saddle) != NULL);
}

static lv_status create(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err)
{
    partitioned *w = lv_memory_zeroed(1, sizeof *w);
    *work = NULL;
    if (!w)
        return lv_fail_memory(err);
    lv_status status = lv_tableau_create(&w->tableau, (lv_family)self->family,
                                         lv_scheme_stages(self, options), err);
    if (status == LV_OK)
        status = use_separable(system, w->tableau)
                     ? lv_separable_create(&w->separable, system, w->tableau, err)
                     : lv_stages_create(&w->stages, system, w->tableau, err);
    if (status == LV_OK)
        *work = w;
    else
        destroy(w);
    return status;
}

static lv_status step(void *work, lv_state *state, double h, bool project,
                      lv_step_report *report, lv_error *err)
{
    partitioned *w = work;
    return w->separable ? lv_separable_step(w->separable, state, h, project, report, err)
                        : lv_stages_step(w->stages, state, h, project, report, err);
}

static lv_memory_view memory(void *work)
{
    partitioned *w = work;
    return w->separable ? lv_separable_memory(w->separable) : lv_stages_memory(w->stages);
}

static void forget(void *work)
{
    partitioned *w = work;
    if (w->separable)
        lv_separable_forget(w->separable);
    else
        lv_stages_forget(w->stages);
}

#define METHODS                                                                          \
    .claims = claims, .fits = fits, .create = create, .free = destroy, .step = step,     \
    .memory = memory, .forget = forget

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
    "only the multipliers and the inner stages are solved for.";

static const char source[] =
    "Jay 1996; Martin de Diego, Sato Martin de Almagro 2018, sections 4 and 5";

const lv_scheme lv_scheme_lobatto = {
    .info = {"lobatto", "Lobatto IIIA-IIIB, s stages, order 2s - 2", lobatto_text, source,
             2, 12, 3, true, true, LV_TAKES(STAGES) | LV_TAKES(COMPOSE)},
    .family = LV_FAMILY_LOBATTO,
    METHODS};

const lv_scheme lv_scheme_rattle = {
    .info = {"rattle", "RATTLE: Lobatto IIIA-IIIB with two stages, order 2", lobatto_text,
             "Andersen 1983; Jay 1996", 2, 2, 2, true, true, LV_TAKES(COMPOSE)},
    .family = LV_FAMILY_LOBATTO,
    METHODS};

const lv_scheme lv_scheme_verlet = {
    .info = {"verlet",
             "Stoermer-Verlet (kick-drift-kick): rattle without constraints, order 2",
             lobatto_text, "Verlet 1967", 2, 2, 2, true, true, LV_TAKES(COMPOSE)},
    .family = LV_FAMILY_LOBATTO,
    METHODS};

const lv_scheme lv_scheme_gauss = {
    .info =
        {"gauss",
         "Gauss collocation, s stages, order 2s; s = 1 is the implicit midpoint rule",
         "Collocation at the Gauss points. The map is symplectic and symmetric and keeps "
         "momentum\nmaps of linear symmetries exactly; no step size is too large for "
         "linear "
         "stability. Without\nconstraints only: with them its order falls to s.",
         "Hairer, Lubich, Wanner 2006, sections II.1 and IV.2", 1, 12, 2, false, true,
         LV_TAKES(STAGES) | LV_TAKES(COMPOSE)},
    .family = LV_FAMILY_GAUSS,
    METHODS};

const lv_scheme lv_scheme_radau = {
    .info = {"radau", "Radau IIA and its symplectic conjugate, s stages, order 2s - 1",
             "Positions use Radau IIA, momenta the conjugate tableau. The map is "
             "symplectic but "
             "not\nsymmetric. Without constraints only.",
             "Sun 1993; Martin de Diego, Sato Martin de Almagro 2018, section 4", 1, 12,
             2, false, false, LV_TAKES(STAGES)},
    .family = LV_FAMILY_RADAU,
    METHODS};
