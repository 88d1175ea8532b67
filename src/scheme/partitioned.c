/* Partitioned Runge-Kutta schemes: tableaux are data, the stage equations are solved in the
 * cheapest form the system allows. */
#include "scheme/partitioned.h"

#include "base/memory.h"
#include "scheme/leapfrog.h"
#include "scheme/nystroem.h"
#include "scheme/separable.h"
#include "scheme/stages.h"

/* One of four ways: separable; leapfrog; stages; a series, with stages where it does not contract. */
typedef struct partitioned {
    lv_tableau *tableau;
    lv_multipliers *space;
    lv_separable *separable;
    lv_leapfrog *leapfrog;
    lv_nystroem *series;
    lv_stages *stages;
    double *memory; /* steps to take by stages, then what series and stages carry */
    int memory_size;
    bool by_series; /* was the last step */
    lv_form form;
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

void lv_partitioned_free(void *work)
{
    partitioned *w = work;
    if (!w)
        return;
    lv_separable_free(w->separable);
    lv_leapfrog_free(w->leapfrog);
    lv_nystroem_free(w->series);
    lv_stages_free(w->stages);
    lv_multipliers_free(w->space);
    lv_tableau_free(w->tableau);
    lv_memory_free(w->memory);
    lv_memory_free(w);
}

/* Reduced equations are for a constant mass matrix of small blocks, and forces of position and time. */
static bool is_reducible(const lv_system *system)
{
    return system->separable && !system->has_nonholonomic &&
           (system->m == 0 || lv_saddle_schur(system->saddle) != NULL);
}

/* A series integrates the kinetic energy exactly. So does the rule of stages, unless it has no more
 * points than a degree with jumps. */
static bool is_series(const lv_tableau *t)
{
    return t->degree >= 0 && (t->closure == LV_CLOSURE_C || t->stages > t->degree);
}

static lv_status make_series(partitioned *w, lv_system *system, int coefficients,
                             lv_error *err)
{
    const lv_tableau *t = w->tableau;
    const lv_galerkin galerkin = {.closure = t->closure,
                                  .degree = t->degree,
                                  .points = t->stages,
                                  .c = t->c,
                                  .b = t->b,
                                  .coefficients = coefficients};
    return lv_nystroem_create(&w->series, system, &galerkin, err);
}

static lv_status make_stages(partitioned *w, lv_system *system, int coefficients,
                             lv_error *err)
{
    if (system->m > 0)
        LV_TRY(coefficients < 0
                   ? lv_multipliers_nodal(&w->space, w->tableau, system->has_nonholonomic,
                                          err)
                   : lv_multipliers_smooth(&w->space, w->tableau, coefficients, err));
    return lv_stages_create(&w->stages, system, w->tableau, w->space, err);
}

static lv_status make_memory(partitioned *w, lv_error *err)
{
    int series = w->series ? lv_nystroem_memory_size(w->series) : 0;
    int stages = w->stages ? lv_stages_memory_size(w->stages) : 0;
    w->memory_size = 1 + series + stages;
    w->memory = lv_memory_zeroed((size_t)w->memory_size, sizeof *w->memory);
    if (!w->memory)
        return lv_fail_memory(err);
    if (w->series)
        lv_nystroem_use_memory(w->series, w->memory + 1);
    if (w->stages)
        lv_stages_use_memory(w->stages, w->memory + 1 + series);
    return LV_OK;
}

static lv_form forced = LV_FORM_CHEAPEST;

void lv_partitioned_force(lv_form form)
{
    forced = form;
}

/* The cheapest form that can take the system, or the forced one. */
static lv_form choose_form(const lv_tableau *t, const lv_system *system, int coefficients)
{
    const bool ends = t->q_starts && t->q_ends;
    const bool possible[] = {
        [LV_FORM_CHEAPEST] = false,
        [LV_FORM_RATTLE] =
            is_reducible(system) && coefficients < 0 && ends && t->stages == 2,
        [LV_FORM_SEPARABLE] = is_reducible(system) && coefficients < 0 && ends,
        [LV_FORM_LEAPFROG] = lv_leapfrog_fits(system) && ends && t->stages == 2,
        [LV_FORM_SERIES] = is_reducible(system) && !ends && is_series(t),
        [LV_FORM_STAGES] = true,
    };
    lv_form form = forced;
    if (!possible[form])
        for (form = LV_FORM_RATTLE; !possible[form];)
            form++;
    return form;
}

static lv_status fill(partitioned *w, lv_system *system, int coefficients, lv_error *err)
{
    const lv_tableau *t = w->tableau;
    const lv_form form = choose_form(t, system, coefficients);
    w->form = form;
    if (form == LV_FORM_RATTLE || form == LV_FORM_SEPARABLE)
        return lv_separable_create(&w->separable, system, t, form == LV_FORM_SEPARABLE,
                                   err);
    if (form == LV_FORM_LEAPFROG)
        return lv_leapfrog_create(&w->leapfrog, system, t, err);
    if (form == LV_FORM_SERIES)
        LV_TRY(make_series(w, system, coefficients, err));
    LV_TRY(make_stages(w, system, coefficients, err));
    return make_memory(w, err);
}

lv_form lv_partitioned_form(const void *work)
{
    const partitioned *w = work;
    return w->series && w->memory[0] > 0 ? LV_FORM_STAGES : w->form;
}

/* Takes w; hands it over if status is good. */
static lv_status finish(void **work, partitioned *w, lv_status status)
{
    *work = status == LV_OK ? w : NULL;
    if (status != LV_OK)
        lv_partitioned_free(w);
    return status;
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
    return finish(work, w, fill(w, system, coefficients, err));
}

lv_status lv_partitioned_create_panels(void **work, lv_system *system,
                                       const lv_ansatz *ansatz, int coefficients,
                                       lv_error *err)
{
    size_t points = (size_t)ansatz->points;
    partitioned *w = lv_memory_zeroed(1, sizeof *w);
    double *c = lv_memory_zeroed(2 * points, sizeof *c);
    lv_status status = w && c ? LV_OK : lv_fail_memory(err);
    for (size_t i = 0; status == LV_OK && i < points; i++) {
        c[i] = (double)i / (double)points;
        c[points + i] = 1 / (double)points;
    }
    const lv_galerkin galerkin = {.closure = ansatz->closure,
                                  .degree = ansatz->degree,
                                  .points = ansatz->points,
                                  .c = c,
                                  .b = c + points,
                                  .coefficients = coefficients};
    if (status == LV_OK) {
        w->form = LV_FORM_SERIES;
        status = lv_nystroem_create(&w->series, system, &galerkin, err);
    }
    if (status == LV_OK)
        status = make_memory(w, err);
    lv_memory_free(c);
    return finish(work, w, status);
}

static lv_status make_tableau(const lv_scheme *self, lv_tableau **tableau,
                              const lv_scheme_options *options, lv_error *err)
{
    return lv_tableau_create(tableau, (lv_family)self->family,
                             lv_scheme_stages(self, options), err);
}

static lv_status create(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err)
{
    lv_tableau *tableau = NULL;
    *work = NULL;
    LV_TRY(make_tableau(self, &tableau, options, err));
    return lv_partitioned_create(work, system, tableau, -1, err);
}

/* The step after the last one by the series, and some more, by stages. */
static lv_status change_to_stages(partitioned *w, lv_state *state, double h, bool project,
                                  lv_step_report *report, lv_error *err)
{
    enum { MORE = 20 };
    double *carried = w->memory + 1 + lv_nystroem_memory_size(w->series);
    const double known = carried[0];
    lv_stages_forget(w->stages);
    lv_status status = lv_stages_step(w->stages, state, h, project, report, err);
    if (status != LV_OK) {
        carried[0] = known; /* as if nothing had been tried */
        return status;
    }
    w->by_series = false;
    lv_nystroem_forget(w->series);
    w->memory[0] = MORE;
    return LV_OK;
}

/* By the series, until it does not contract. */
static lv_status series_step(partitioned *w, lv_state *state, double h, bool project,
                             lv_step_report *report, lv_error *err)
{
    if (w->memory[0] == 0) {
        lv_error *kept = w->stages ? NULL : err;
        lv_status status = lv_nystroem_step(w->series, state, h, project, report, kept);
        w->by_series = true;
        if (status == LV_OK || !w->stages)
            return status;
        return change_to_stages(w, state, h, project, report, err);
    }
    LV_TRY(lv_stages_step(w->stages, state, h, project, report, err));
    w->by_series = false;
    w->memory[0]--;
    return LV_OK;
}

lv_status lv_partitioned_step(void *work, lv_state *state, double h, bool project,
                              lv_step_report *report, lv_error *err)
{
    partitioned *w = work;
    if (w->separable)
        return lv_separable_step(w->separable, state, h, project, report, err);
    if (w->leapfrog)
        return lv_leapfrog_step(w->leapfrog, state, h, report, err);
    if (w->series)
        return series_step(w, state, h, project, report, err);
    return lv_stages_step(w->stages, state, h, project, report, err);
}

lv_memory_view lv_partitioned_memory(void *work)
{
    partitioned *w = work;
    if (w->separable)
        return lv_separable_memory(w->separable);
    return w->leapfrog ? lv_leapfrog_memory(w->leapfrog)
                       : (lv_memory_view){w->memory, w->memory_size};
}

void lv_partitioned_forget(void *work)
{
    partitioned *w = work;
    if (w->separable)
        lv_separable_forget(w->separable);
    if (w->leapfrog)
        lv_leapfrog_forget(w->leapfrog);
    if (w->series)
        lv_nystroem_forget(w->series);
    if (w->stages)
        lv_stages_forget(w->stages);
    if (w->memory)
        w->memory[0] = 0;
}

lv_slopes lv_partitioned_slopes(void *work, const lv_state *before, const lv_state *after,
                                double h)
{
    partitioned *w = work;
    if (w->separable)
        return lv_separable_slopes(w->separable, before, after, h);
    if (w->leapfrog)
        return lv_leapfrog_slopes(w->leapfrog, before, after, h);
    if (w->series && w->by_series)
        return lv_nystroem_slopes(w->series, before, h);
    return lv_stages_slopes(w->stages, before, h);
}

void lv_partitioned_stages(void *work, const lv_state *before, const lv_state *after,
                           double h, lv_stage_visit visit, void *user)
{
    partitioned *w = work;
    if (w->separable)
        lv_separable_visit(w->separable, before, after, h, visit, user);
    else if (w->leapfrog)
        lv_leapfrog_visit(w->leapfrog, before, after, h, visit, user);
    else if (w->series && w->by_series)
        lv_nystroem_visit(w->series, before, h, visit, user);
    else
        lv_stages_visit(w->stages, before, h, visit, user);
}

const double *lv_partitioned_carried(void *work)
{
    partitioned *w = work;
    if (w->leapfrog)
        return lv_leapfrog_carried(w->leapfrog);
    return w->stages ? lv_stages_carried(w->stages) : NULL;
}

#define METHODS                                                                          \
    .claims = claims, .create = create, .tableau = make_tableau, LV_PARTITIONED_METHODS

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
    "only the multipliers and the inner stages are solved for.\n\n"
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
    "reports how far they are apart, and warns.";

static const char source[] =
    "Jay 1996; Martin de Diego, Sato Martin de Almagro 2018, sections 4 and 5";

const lv_scheme lv_scheme_lobatto = {
    .info = {"lobatto", "Lobatto IIIA-IIIB, s stages, order 2s - 2", lobatto_text, source,
             2, 20, 3, true, true,
             LV_TAKES(STAGES) | LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS), true,
             LV_MASS_VARYING, "without nonholonomic constraints", NULL, true},
    .family = LV_FAMILY_LOBATTO,
    .restrictions = lobatto_restrictions,
    METHODS};

const lv_scheme lv_scheme_rattle = {
    .info = {"rattle", "RATTLE: Lobatto IIIA-IIIB with two stages, order 2", lobatto_text,
             "Andersen 1983; Jay 1996", 2, 2, 2, true, true,
             LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS), true, LV_MASS_VARYING,
             "without nonholonomic constraints", NULL, true},
    .family = LV_FAMILY_LOBATTO,
    .restrictions = lobatto_restrictions,
    METHODS};

const lv_scheme lv_scheme_verlet = {
    .info = {"verlet",
             "Stoermer-Verlet (kick-drift-kick): rattle without constraints, order 2",
             lobatto_text, "Verlet 1967", 2, 2, 2, true, true,
             LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS), true, LV_MASS_VARYING,
             "without nonholonomic constraints", NULL, true},
    .family = LV_FAMILY_LOBATTO,
    .restrictions = lobatto_restrictions,
    METHODS};

const lv_scheme lv_scheme_gauss = {
    .info =
        {"gauss",
         "Gauss collocation, s stages, order 2s; s = 1 is the implicit midpoint rule",
         "Collocation at the Gauss points. The map is symplectic and symmetric and keeps "
         "momentum\nmaps of linear symmetries exactly; no step size is too large for "
         "linear "
         "stability. Without\nconstraints only: with them its order falls to s.",
         "Hairer, Lubich, Wanner 2006, sections II.1 and IV.2", 1, 20, 2, false, true,
         LV_TAKES(STAGES) | LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS), false,
         LV_MASS_VARYING, NULL, NULL, true},
    .family = LV_FAMILY_GAUSS,
    .restrictions = gauss_restrictions,
    METHODS};

const lv_scheme lv_scheme_radau = {
    .info = {"radau", "Radau IIA and its symplectic conjugate, s stages, order 2s - 1",
             "Positions use Radau IIA, momenta the conjugate tableau. The map is "
             "symplectic but "
             "not\nsymmetric. Without constraints only.",
             "Sun 1993; Martin de Diego, Sato Martin de Almagro 2018, section 4", 1, 20,
             2, false, false, LV_TAKES(STAGES) | LV_TAKES(ROTATIONS), false,
             LV_MASS_VARYING, NULL, NULL, true},
    .family = LV_FAMILY_RADAU,
    .restrictions = radau_restrictions,
    METHODS};
