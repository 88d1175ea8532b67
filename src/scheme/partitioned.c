/* Partitioned Runge-Kutta schemes: tableaux are data, the stage equations are solved in the
 * cheapest form the system allows. */
#include "scheme/partitioned.h"

#include "base/memory.h"
#include "scheme/separable.h"
#include "scheme/stages.h"

typedef struct partitioned {
    lv_tableau *tableau;
    lv_multipliers *space;
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
    if (system->has_nonholonomic && !family->constraints) {
        status = lv_fail(err, LV_ERR_MODEL,
                         "scheme '%s' does not take nonholonomic constraints: they need "
                         "stages at both ends of a step",
                         self->info.name);
        lv_error_hint(err, "use lobatto");
    } else if (system->has_nonholonomic &&
               lv_scheme_option(options, LV_OPTION_COMPOSE, 0) > 0) {
        status = lv_fail(err, LV_ERR_MODEL,
                         "composing does not raise the order where multipliers of "
                         "nonholonomic constraints are carried from step to step");
        lv_error_hint(err, "use lobatto with more stages");
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

void lv_partitioned_free(void *work)
{
    partitioned *w = work;
    if (!w)
        return;
    lv_separable_free(w->separable);
    lv_stages_free(w->stages);
    lv_multipliers_free(w->space);
    lv_tableau_free(w->tableau);
    lv_memory_free(w);
}

/* The reduced equations need a tableau whose first and last stages are the ends of the step, and
 * a mass matrix of small blocks. */
static bool use_separable(const lv_system *system, const lv_tableau *tableau, bool nodal)
{
    return system->separable && !system->has_nonholonomic && nodal && tableau->q_starts &&
           tableau->q_ends && (system->m == 0 || lv_saddle_schur(system->saddle) != NULL);
}

static lv_status fill(partitioned *w, lv_system *system, int coefficients, lv_error *err)
{
    bool nodal = coefficients < 0;
    if (use_separable(system, w->tableau, nodal))
        return lv_separable_create(&w->separable, system, w->tableau, err);
    if (system->m > 0)
        LV_TRY(nodal ? lv_multipliers_nodal(&w->space, w->tableau,
                                            system->has_nonholonomic, err)
                     : lv_multipliers_smooth(&w->space, w->tableau, coefficients, err));
    return lv_stages_create(&w->stages, system, w->tableau, w->space, err);
}

lv_status lv_partitioned_create(void **work, lv_system *system, lv_tableau *tableau,
                                int coefficients, lv_error *err)
{
    partitioned *w = lv_memory_zeroed(1, sizeof *w);
    *work = NULL;
    if (!w) {
        lv_tableau_free(tableau);
        return lv_fail_memory(err);
    }
    w->tableau = tableau;
    lv_status status = fill(w, system, coefficients, err);
    if (status == LV_OK)
        *work = w;
    else
        lv_partitioned_free(w);
    return status;
}

static lv_status create(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err)
{
    lv_tableau *tableau = NULL;
    *work = NULL;
    LV_TRY(lv_tableau_create(&tableau, (lv_family)self->family,
                             lv_scheme_stages(self, options), err));
    return lv_partitioned_create(work, system, tableau, -1, err);
}

lv_status lv_partitioned_step(void *work, lv_state *state, double h, bool project,
                              lv_step_report *report, lv_error *err)
{
    partitioned *w = work;
    return w->separable ? lv_separable_step(w->separable, state, h, project, report, err)
                        : lv_stages_step(w->stages, state, h, project, report, err);
}

lv_memory_view lv_partitioned_memory(void *work)
{
    partitioned *w = work;
    return w->separable ? lv_separable_memory(w->separable) : lv_stages_memory(w->stages);
}

void lv_partitioned_forget(void *work)
{
    partitioned *w = work;
    if (w->separable)
        lv_separable_forget(w->separable);
    else
        lv_stages_forget(w->stages);
}

lv_slopes lv_partitioned_slopes(void *work, const lv_state *before, const lv_state *after)
{
    partitioned *w = work;
    return w->separable ? lv_separable_slopes(w->separable, before, after)
                        : lv_stages_slopes(w->stages, before, after);
}

const double *lv_partitioned_carried(void *work)
{
    partitioned *w = work;
    return w->stages ? lv_stages_carried(w->stages) : NULL;
}

#define METHODS .claims = claims, .fits = fits, .create = create, LV_PARTITIONED_METHODS

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
