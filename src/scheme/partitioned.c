/* Partitioned Runge-Kutta schemes: tableaux are data, the stage equations are solved in the
 * cheapest form the system allows. */
#include "scheme/partitioned.h"

#include "base/memory.h"
#include "scheme/dense.h"
#include "scheme/partitioned_text.h"

#include <string.h>

typedef struct partitioned {
    lv_tableau *tableau; /* NULL: the velocities are a series, */
    lv_galerkin rule;    /* with this rule */
    double *points;      /* of the rule */
    lv_stepper *stepper;
    int n, m;
    int coefficients; /* of multipliers that are polynomials; -1: they are not */
    double *velocities, *forces, *start, *slopes, *lambda; /* room for dense output */
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
    lv_stepper_free(w->stepper);
    lv_tableau_free(w->tableau);
    lv_memory_free(w->points);
    lv_memory_free(w->velocities);
    lv_memory_free(w);
}

/* Takes w; hands it over if status is good. */
static lv_status finish(void **work, partitioned *w, lv_status status)
{
    *work = status == LV_OK ? w : NULL;
    if (status != LV_OK)
        lv_partitioned_free(w);
    return status;
}

/* Room for a series or for values at stages, of velocities and of forces. */
static lv_status make_room(partitioned *w, int values, lv_error *err)
{
    const size_t s = (size_t)values, n = (size_t)w->n,
                 k = w->coefficients > 0 ? (size_t)w->coefficients : 0;
    w->velocities =
        lv_memory_zeroed((4 * s + 4) * n + k * (size_t)w->m + 1, sizeof *w->velocities);
    if (!w->velocities)
        return lv_fail_memory(err);
    w->forces = w->velocities + s * n;
    w->slopes = w->forces + s * n;
    w->start = w->slopes + 2 * (s + 1) * n;
    w->lambda = w->start + n;
    return LV_OK;
}

static lv_status fill(partitioned *w, lv_system *system, int coefficients, lv_error *err)
{
    w->n = system->n;
    w->m = system->m;
    w->coefficients = system->m > 0 ? coefficients : -1;
    w->rule.coefficients = w->coefficients;
    LV_TRY(make_room(w, w->tableau ? w->tableau->stages : w->rule.degree + 1, err));
    return w->tableau ? lv_partitioned_stepper(&w->stepper, system, w->tableau,
                                               w->coefficients, err)
                      : lv_series_stepper(&w->stepper, system, &w->rule, err);
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

/* Left ends of equal panels; `points` is the caller's to free. */
static lv_status make_panels(lv_galerkin *rule, double **points, const lv_ansatz *ansatz,
                             lv_error *err)
{
    const size_t count = (size_t)ansatz->points;
    double *c = *points = lv_memory_zeroed(2 * count, sizeof *c);
    if (!c)
        return lv_fail_memory(err);
    for (size_t i = 0; i < count; i++) {
        c[i] = (double)i / (double)count;
        c[count + i] = 1 / (double)count;
    }
    *rule = (lv_galerkin){.closure = ansatz->closure,
                          .degree = ansatz->degree,
                          .points = ansatz->points,
                          .c = c,
                          .b = c + count};
    return LV_OK;
}

lv_status lv_partitioned_equations_of_panels(lv_text *out, const lv_ansatz *ansatz,
                                             int coefficients, lv_error *err)
{
    lv_galerkin rule = {.degree = 0};
    double *points = NULL;
    LV_TRY(make_panels(&rule, &points, ansatz, err));
    rule.coefficients = coefficients;
    const lv_status status = lv_series_equations(out, &rule, err);
    lv_memory_free(points);
    return status;
}

lv_status lv_partitioned_create_panels(void **work, lv_system *system,
                                       const lv_ansatz *ansatz, int coefficients,
                                       lv_error *err)
{
    partitioned *w = lv_memory_zeroed(1, sizeof *w);
    *work = NULL;
    if (!w)
        return lv_fail_memory(err);
    lv_status status = make_panels(&w->rule, &w->points, ansatz, err);
    if (status == LV_OK)
        status = fill(w, system, coefficients, err);
    return finish(work, w, status);
}

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

static lv_status create(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err)
{
    lv_tableau *tableau = NULL;
    *work = NULL;
    LV_TRY(make_tableau(self, &tableau, options, err));
    return lv_partitioned_create(work, system, tableau, -1, err);
}

lv_status lv_partitioned_step(void *work, lv_state *state, double h, bool project,
                              lv_step_report *report, lv_error *err)
{
    partitioned *w = work;
    return lv_stepper_step(w->stepper, state, h, project, report, err);
}

lv_memory_view lv_partitioned_memory(void *work)
{
    partitioned *w = work;
    return lv_stepper_memory(w->stepper);
}

lv_stepper *lv_partitioned_work_stepper(void *work)
{
    partitioned *w = work;
    return w->stepper;
}

void lv_partitioned_forget(void *work)
{
    partitioned *w = work;
    lv_stepper_forget(w->stepper);
}

/* Members 1 .. count of a family, one behind the other. */
static void copy_family(const partitioned *w, double *to, const char *name, int count,
                        int size)
{
    for (int k = 0; k < count; k++)
        memcpy(to + (ptrdiff_t)k * size, lv_stepper_value(w->stepper, name, k + 1),
               (size_t)size * sizeof *to);
}

lv_slopes lv_partitioned_slopes(void *work, const lv_state *before, const lv_state *after,
                                double h)
{
    partitioned *w = work;
    (void)after;
    lv_stepper_show(w->stepper);
    const double *start = lv_stepper_value(w->stepper, "p0", 0);
    memcpy(w->start, start ? start : before->p, (size_t)w->n * sizeof(double));
    copy_family(w, w->lambda, "y", w->coefficients, w->m);
    lv_slopes slopes = {.closure = w->rule.closure,
                        .degree = w->rule.degree,
                        .v = w->velocities,
                        .w = w->forces,
                        .q = before->q,
                        .p = w->start,
                        .h = h,
                        .lambda = w->lambda,
                        .lambda_terms = w->coefficients > 0 ? w->coefficients : 0};
    if (!w->tableau) {
        copy_family(w, w->velocities, "V",
                    lv_dense_velocity_terms(w->rule.closure, w->rule.degree), w->n);
        copy_family(w, w->forces, "S",
                    lv_dense_force_terms(w->rule.closure, w->rule.degree), w->n);
        return slopes;
    }
    copy_family(w, w->velocities, "V", w->tableau->stages, w->n);
    copy_family(w, w->forces, "W", w->tableau->stages, w->n);
    return lv_slopes_of_stages(w->tableau, w->n, w->velocities, w->forces, w->slopes,
                               slopes);
}

void lv_partitioned_stages(void *work, const lv_state *before, const lv_state *after,
                           double h, lv_stage_visit visit, void *user)
{
    partitioned *w = work;
    const lv_tableau *t = w->tableau;
    const int count = t ? t->stages : w->rule.points;
    const double *c = t ? t->c : w->rule.c, *b = t ? t->b : w->rule.b;
    (void)after;
    lv_stepper_show(w->stepper);
    for (int i = 0; i < count; i++) {
        const lv_stage_point stage = {before->t + c[i] * h, b[i],
                                      lv_stepper_value(w->stepper, "Q", i + 1),
                                      lv_stepper_value(w->stepper, t ? "V" : "U", i + 1)};
        visit(user, &stage);
    }
}

const double *lv_partitioned_carried(void *work)
{
    partitioned *w = work;
    return lv_stepper_carried(w->stepper, "l");
}

lv_status lv_partitioned_tangent(void *work, double *matrix, lv_error *err)
{
    partitioned *w = work;
    return lv_stepper_tangent(w->stepper, matrix, err);
}

#define METHODS                                                                          \
    .claims = claims, .create = create, .tableau = make_tableau, .equations = equations, \
    LV_PARTITIONED_METHODS

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
