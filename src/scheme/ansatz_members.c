/* Galerkin schemes in time (theory 8): q and p are polynomials in every step, the
 * equations of motion hold in the mean against polynomials, and integrals are computed by
 * a quadrature rule. Every member is a partitioned Runge-Kutta tableau with as many
 * stages as the rule has points. This file states the claims, the restrictions and the
 * descriptors. */
#include "scheme/ansatz.h"
#include "scheme/partitioned.h"
#include "scheme/partitioned_text.h"

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* The smallest of the orders that the degree, the rule and the multipliers allow. */
static int order_of(const lv_ansatz_member *m)
{
    const lv_ansatz *a = &m->ansatz;
    int order = m->jumps ? 2 * a->degree + 1 : 2 * a->degree;
    /* the order of the rule; with many points its error is hardly visible */
    if (m->rectangle)
        order = 1;
    else if (a->degree > 0)
        order = smaller(order, lv_rule_degree(a->rule, a->points) + 1);
    if (m->given_g && m->coefficients < lv_ansatz_most_coefficients(m))
        order = smaller(order, 2 * (m->coefficients + 1));
    return order;
}

static void claims(const lv_scheme *self, lv_claims *c, const lv_scheme_options *options)
{
    const lv_ansatz_member m = lv_ansatz_member_of(self, options);
    bool damps = m.ansatz.closure == LV_CLOSURE_RR;
    bool even = !m.rectangle && m.ansatz.rule != LV_RULE_RADAU_RIGHT;
    *c = (lv_claims){.order = order_of(&m),
                     .symplectic = !damps,
                     .symmetric = !m.jumps && even,
                     .energy = damps ? LV_KEPT_NOT : LV_KEPT_BOUNDED,
                     .momentum = damps ? LV_KEPT_NOT : LV_KEPT_EXACT,
                     .position = LV_KEPT_EXACT,
                     .velocity = LV_KEPT_EXACT};
}

static lv_status fits(const lv_scheme *self, const lv_system *system,
                      const lv_scheme_options *options, lv_error *err)
{
    const lv_ansatz_member m = lv_ansatz_member_of(self, options);
    if (!m.rectangle || system->separable)
        return LV_OK;
    lv_status status = lv_fail(err, LV_ERR_MODEL,
                               "scheme '%s' takes the rectangle rule only for a constant "
                               "mass matrix and forces of position and time",
                               self->info.name);
    lv_error_hint(err, "use quadrature = \"gauss\"");
    return status;
}

/* Whether there are as many multipliers as stages that constrain the step, so that the
 * multipliers can be values at the stages: Lobatto points, one more than the degree. */
static bool is_nodal(const lv_ansatz_member *m)
{
    return !m->jumps && !m->rectangle && m->ansatz.rule == LV_RULE_LOBATTO &&
           m->ansatz.points == m->ansatz.degree + 1 &&
           m->coefficients == m->ansatz.degree - 1;
}

static lv_status make_tableau(const lv_scheme *self, lv_tableau **tableau,
                              const lv_scheme_options *options, lv_error *err)
{
    const lv_ansatz_member m = lv_ansatz_member_of(self, options);
    return m.rectangle ? LV_OK : lv_tableau_ansatz(tableau, &m.ansatz, err);
}

static lv_status create(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err)
{
    lv_tableau *tableau = NULL;
    const lv_ansatz_member m = lv_ansatz_member_of(self, options);
    *work = NULL;
    if (m.rectangle)
        return lv_partitioned_create_panels(work, system, &m.ansatz, m.coefficients, err);
    LV_TRY(lv_tableau_ansatz(&tableau, &m.ansatz, err));
    return lv_partitioned_create(work, system, tableau,
                                 is_nodal(&m) ? -1 : m.coefficients,
                                 LV_ROTATIONS_DIRECTORS, err);
}

static lv_status equations(const lv_scheme *self, lv_text *out,
                           const lv_scheme_options *options, lv_error *err)
{
    lv_tableau *tableau = NULL;
    const lv_ansatz_member m = lv_ansatz_member_of(self, options);
    if (m.rectangle)
        return lv_partitioned_equations_of_panels(out, &m.ansatz, m.coefficients, err);
    LV_TRY(lv_tableau_ansatz(&tableau, &m.ansatz, err));
    const lv_status status =
        lv_partitioned_equations(out, tableau, is_nodal(&m) ? -1 : m.coefficients, err);
    lv_tableau_free(tableau);
    return status;
}

static const char ansatz_text[] =
    "q and p are polynomials of time in every step, the equations of motion hold in the "
    "mean.\n"
    "continuity says which of them pass through the states at the ends of a step: LR (q "
    "at the\n"
    "right, p at the left end; order 2m + 1 for degree m), RL, C (q at both ends, order "
    "2k for\n"
    "degree k), RR (both at the right end: damps, not symplectic). LR, RL and C are "
    "symplectic,\n"
    "keep momentum maps of linear symmetries exactly and the energy within bounds. "
    "Constraints\n"
    "hold at the nodes; multipliers are polynomials with degree_g coefficients and an "
    "impulse at\n"
    "the start of the step. Members with names of their own: gauss (C, points = degree), "
    "lobatto\n"
    "and rattle (C, Lobatto points), radau (C, Radau points).";

static const char dpg_text[] =
    "The discontinuous Petrov-Galerkin scheme of degree k: q is continuous, p is not. "
    "Order 2k with\n"
    "and without constraints; degree 1 is Stoermer-Verlet and RATTLE. It is the member "
    "of "
    "ansatz\n"
    "with continuity C and k + 1 Lobatto points.";

#define METHODS                                                                          \
    .claims = claims, .check = lv_ansatz_check,                                          \
    .default_value = lv_ansatz_default_value, .fits = fits, .create = create,            \
    .tableau = make_tableau, .equations = equations, LV_PARTITIONED_METHODS

const lv_scheme lv_scheme_ansatz = {
    .info =
        {.name = "ansatz",
         .summary = "Galerkin in time: polynomials of degree m, order 2m + 1 or 2m",
         .text = ansatz_text,
         .source =
             "Muehlebach, Heimsch, Glocker 2016: Variational integrators, a continuous "
             "time approach",
         .holonomic = true,
         .composable = true,
         .options = LV_TAKES(CONTINUITY) | LV_TAKES(DEGREE) | LV_TAKES(DEGREE_P) |
                    LV_TAKES(DEGREE_G) | LV_TAKES(QUADRATURE) | LV_TAKES(POINTS) |
                    LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS),
         .mass = LV_MASS_VARYING,
         .composes_only = "continuity = \"C\"",
         .any_lagrangian = true},
    .family = LV_CLOSURE_LR,
    METHODS};

const lv_scheme lv_scheme_dpg = {
    .info = {.name = "dpg",
             .summary = "discontinuous Petrov-Galerkin in time, degree k, order 2k",
             .text = dpg_text,
             .source =
                 "Knoll 2025, section 3; Muehlebach, Heimsch, Glocker 2016, appendix B",
             .holonomic = true,
             .composable = true,
             .options = LV_TAKES(DEGREE) | LV_TAKES(QUADRATURE) | LV_TAKES(POINTS) |
                        LV_TAKES(DEGREE_G) | LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS),
             .mass = LV_MASS_VARYING,
             .any_lagrangian = true},
    .family = LV_CLOSURE_C,
    METHODS};
