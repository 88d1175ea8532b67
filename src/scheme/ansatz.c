/* Galerkin schemes in time: q and p are polynomials in every step, the equations of motion hold in the
 * mean against polynomials, integrals are taken by a rule (theory 8). Every member is a partitioned
 * Runge-Kutta tableau with as many stages as the rule has points; what is decided here is which
 * members are sound, and their order. */
#include "model/option.h"
#include "scheme/partitioned.h"
#include "scheme/partitioned_text.h"

#include <string.h>

/* A member: what the options say, completed with defaults. */
typedef struct member {
    lv_ansatz ansatz;
    int degree_p, coefficients;
    bool jumps;     /* LR, RL, RR */
    bool rectangle; /* the rule, instead of that in `ansatz`: as many panels as points */
    bool given_g;
} member;

/* As the words of the option are numbered. */
static const lv_closure closures[] = {LV_CLOSURE_LR, LV_CLOSURE_RL, LV_CLOSURE_RR,
                                      LV_CLOSURE_C};
static const lv_rule rules[] = {LV_RULE_GAUSS, LV_RULE_RADAU_RIGHT, LV_RULE_LOBATTO};
enum { CHOICE_LR = 0, CHOICE_C = 3 };
enum { CHOICE_GAUSS = 0, CHOICE_LOBATTO = 2, CHOICE_RECTANGLE = 3 };

/* Points that leave nothing of the degree untested: the fewest that make sense. */
static int least_points(const member *m)
{
    int degree = m->ansatz.degree;
    if (m->rectangle)
        return degree + 2;
    if (m->ansatz.rule == LV_RULE_LOBATTO)
        return m->jumps ? degree + 2 : degree + 1;
    if (m->ansatz.rule == LV_RULE_GAUSS && degree > 0)
        return degree;
    return m->jumps ? degree + 1 : degree;
}

static int default_points(const member *m)
{
    if (m->rectangle)
        return 1000;
    return m->jumps && m->ansatz.rule == LV_RULE_GAUSS ? m->ansatz.degree + 1
                                                       : least_points(m);
}

/* Coefficients of the multipliers up to which the equations are regular. */
static int most_coefficients(const member *m)
{
    bool full = m->jumps && m->ansatz.points > m->ansatz.degree;
    return full ? m->ansatz.degree : m->ansatz.degree > 0 ? m->ansatz.degree - 1 : 0;
}

static member member_of(const lv_scheme *self, const lv_scheme_options *o)
{
    bool dpg = self->family == LV_CLOSURE_C;
    int continuity =
        (int)lv_scheme_option(o, LV_OPTION_CONTINUITY, dpg ? CHOICE_C : CHOICE_LR);
    member m = {.ansatz.closure = closures[continuity]};
    m.jumps = m.ansatz.closure != LV_CLOSURE_C;
    m.ansatz.degree = (int)lv_scheme_option(o, LV_OPTION_DEGREE, 2);
    int rule = (int)lv_scheme_option(o, LV_OPTION_QUADRATURE,
                                     m.jumps ? CHOICE_GAUSS : CHOICE_LOBATTO);
    m.rectangle = rule == CHOICE_RECTANGLE;
    m.ansatz.rule = m.rectangle ? LV_RULE_GAUSS : rules[rule];
    m.ansatz.points = (int)lv_scheme_option(o, LV_OPTION_POINTS, default_points(&m));
    m.degree_p = (int)lv_scheme_option(o, LV_OPTION_DEGREE_P,
                                       m.jumps ? m.ansatz.degree : m.ansatz.degree - 1);
    m.given_g = lv_scheme_option_given(o, LV_OPTION_DEGREE_G);
    m.coefficients = (int)lv_scheme_option(o, LV_OPTION_DEGREE_G, most_coefficients(&m));
    return m;
}

/* As the options number it. */
static double otherwise(const lv_scheme *self, lv_option option,
                        const lv_scheme_options *options)
{
    const member m = member_of(self, options);
    const lv_ansatz *a = &m.ansatz;
    int number = 0;
    if (option == LV_OPTION_CONTINUITY)
        while (closures[number] != a->closure)
            number++;
    if (option == LV_OPTION_QUADRATURE && m.rectangle)
        number = CHOICE_RECTANGLE;
    else if (option == LV_OPTION_QUADRATURE)
        while (rules[number] != a->rule)
            number++;
    return option == LV_OPTION_DEGREE     ? a->degree
           : option == LV_OPTION_DEGREE_P ? m.degree_p
           : option == LV_OPTION_DEGREE_G ? m.coefficients
           : option == LV_OPTION_POINTS   ? a->points
                                          : number;
}

/* ---- what goes together -------------------------------------------------------------------------- */

static lv_status check_degrees(const member *m, lv_error *err)
{
    int degree = m->ansatz.degree, fitting = m->jumps ? degree : degree - 1;
    lv_status status = LV_OK;
    if (!m->jumps && degree < 1) {
        status = lv_fail(err, LV_ERR_MODEL,
                         "with continuity C the degree is at least 1: q has to pass "
                         "through both ends of a step");
        lv_error_hint(err, "degree = 1 is the Stoermer-Verlet scheme");
    } else if (m->degree_p != fitting) {
        status = lv_fail(
            err, LV_ERR_MODEL, "degree_p = %d does not go with degree = %d: %s",
            m->degree_p, degree,
            m->degree_p < fitting ? "the kinetic energy would not see all of q, and the "
                                    "equations would be singular"
                                  : "what p has more than that changes nothing, or the "
                                    "order falls");
        lv_error_hint(err, "degree_p = %d, or leave it out", fitting);
    }
    return status;
}

static lv_status check_points(const member *m, lv_error *err)
{
    const lv_ansatz *a = &m->ansatz;
    const char *rule = m->rectangle ? "rectangle" : lv_rule_name(a->rule);
    int least = least_points(m);
    lv_status status = LV_OK;
    if (a->rule == LV_RULE_LOBATTO && m->jumps && a->points == a->degree + 1) {
        status = lv_fail(err, LV_ERR_MODEL,
                         "%d Lobatto points with jumps lose one order, and the equations "
                         "become singular at moderate steps",
                         a->points);
        lv_error_hint(err, "points = %d, or quadrature = \"gauss\"", least);
    } else if (a->points < least) {
        status = lv_fail(err, LV_ERR_MODEL,
                         "%d points of the %s rule do not see all of degree %d",
                         a->points, rule, a->degree);
        lv_error_hint(err, "points = %d or more", least);
    } else if (!m->rectangle && a->points > LV_RULE_MOST) {
        status = lv_fail(err, LV_ERR_MODEL, "the %s rule has at most %d points, not %d",
                         rule, (int)LV_RULE_MOST, a->points);
        lv_error_hint(err, "%d are enough for the full order", least + 1);
    }
    return status;
}

static lv_status check(const lv_scheme *self, const lv_scheme_options *options,
                       lv_error *err)
{
    static const lv_option of_degrees[] = {LV_OPTION_DEGREE_P, LV_OPTION_DEGREE,
                                           LV_OPTION_CONTINUITY, LV_OPTIONS};
    static const lv_option of_points[] = {LV_OPTION_POINTS, LV_OPTION_QUADRATURE,
                                          LV_OPTION_DEGREE, LV_OPTIONS};
    static const lv_option of_multipliers[] = {LV_OPTION_DEGREE_G, LV_OPTION_DEGREE,
                                               LV_OPTIONS};
    member m = member_of(self, options);
    LV_TRY(lv_scheme_blame(check_degrees(&m, err), options, of_degrees, err));
    LV_TRY(lv_scheme_blame(check_points(&m, err), options, of_points, err));
    if (m.coefficients <= most_coefficients(&m))
        return LV_OK;
    lv_status status = lv_fail(
        err, LV_ERR_MODEL,
        "degree_g = %d: with degree %d and %d points more than %d coefficients of "
        "the multipliers make the equations singular",
        m.coefficients, m.ansatz.degree, m.ansatz.points, most_coefficients(&m));
    lv_error_hint(err, "degree_g = %d, or leave it out", most_coefficients(&m));
    return lv_scheme_blame(status, options, of_multipliers, err);
}

/* ---- claims ------------------------------------------------------------------------------------------ */

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* The order of the degree, of the rule, of the multipliers. */
static int order_of(const member *m)
{
    const lv_ansatz *a = &m->ansatz;
    int order = m->jumps ? 2 * a->degree + 1 : 2 * a->degree;
    if (m->rectangle)
        order = 1; /* that of the rule; with many points hardly seen */
    else if (a->degree > 0)
        order = smaller(order, lv_rule_degree(a->rule, a->points) + 1);
    if (m->given_g && m->coefficients < most_coefficients(m))
        order = smaller(order, 2 * (m->coefficients + 1));
    return order;
}

static void claims(const lv_scheme *self, lv_claims *c, const lv_scheme_options *options)
{
    member m = member_of(self, options);
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
    member m = member_of(self, options);
    if (!m.rectangle || system->separable)
        return LV_OK;
    lv_status status = lv_fail(err, LV_ERR_MODEL,
                               "scheme '%s' takes the rectangle rule only for a constant "
                               "mass matrix and forces of position and time",
                               self->info.name);
    lv_error_hint(err, "use quadrature = \"gauss\"");
    return status;
}

/* Multipliers at the stages where these are as many: Lobatto points, one more than the degree. */
static bool is_nodal(const member *m)
{
    return !m->jumps && !m->rectangle && m->ansatz.rule == LV_RULE_LOBATTO &&
           m->ansatz.points == m->ansatz.degree + 1 &&
           m->coefficients == m->ansatz.degree - 1;
}

static lv_status make_tableau(const lv_scheme *self, lv_tableau **tableau,
                              const lv_scheme_options *options, lv_error *err)
{
    const member m = member_of(self, options);
    return m.rectangle ? LV_OK : lv_tableau_ansatz(tableau, &m.ansatz, err);
}

static lv_status create(const lv_scheme *self, void **work, lv_system *system,
                        const lv_scheme_options *options, lv_error *err)
{
    lv_tableau *tableau = NULL;
    member m = member_of(self, options);
    *work = NULL;
    if (m.rectangle)
        return lv_partitioned_create_panels(work, system, &m.ansatz, m.coefficients, err);
    LV_TRY(lv_tableau_ansatz(&tableau, &m.ansatz, err));
    return lv_partitioned_create(work, system, tableau,
                                 is_nodal(&m) ? -1 : m.coefficients, err);
}

static lv_status equations(const lv_scheme *self, lv_text *out,
                           const lv_scheme_options *options, lv_error *err)
{
    lv_tableau *tableau = NULL;
    const member m = member_of(self, options);
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
    .claims = claims, .check = check, .otherwise = otherwise, .fits = fits,              \
    .create = create, .tableau = make_tableau, .equations = equations,                   \
    LV_PARTITIONED_METHODS

const lv_scheme lv_scheme_ansatz = {
    .info = {"ansatz", "Galerkin in time: polynomials of degree m, order 2m + 1 or 2m",
             ansatz_text,
             "Muehlebach, Heimsch, Glocker 2016: Variational integrators, a continuous "
             "time approach",
             0, 0, 0, true, true,
             LV_TAKES(CONTINUITY) | LV_TAKES(DEGREE) | LV_TAKES(DEGREE_P) |
                 LV_TAKES(DEGREE_G) | LV_TAKES(QUADRATURE) | LV_TAKES(POINTS) |
                 LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS),
             false, LV_MASS_VARYING, "continuity = \"C\"", NULL, true},
    .family = LV_CLOSURE_LR,
    METHODS};

const lv_scheme lv_scheme_dpg = {
    .info = {"dpg", "discontinuous Petrov-Galerkin in time, degree k, order 2k", dpg_text,
             "Knoll 2025, section 3; Muehlebach, Heimsch, Glocker 2016, appendix B", 0, 0,
             0, true, true,
             LV_TAKES(DEGREE) | LV_TAKES(QUADRATURE) | LV_TAKES(POINTS) |
                 LV_TAKES(DEGREE_G) | LV_TAKES(COMPOSE) | LV_TAKES(ROTATIONS),
             false, LV_MASS_VARYING, NULL, NULL, true},
    .family = LV_CLOSURE_C,
    METHODS};
