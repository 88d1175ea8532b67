#include "scheme/ansatz.h"

/* In the order of the choices of the option `continuity`; `rules` in that of
 * `quadrature`. */
static const lv_closure closures[] = {LV_CLOSURE_LR, LV_CLOSURE_RL, LV_CLOSURE_RR,
                                      LV_CLOSURE_C};
static const lv_rule rules[] = {LV_RULE_GAUSS, LV_RULE_RADAU_RIGHT, LV_RULE_LOBATTO};
enum { CHOICE_LR = 0, CHOICE_C = 3 };
enum { CHOICE_GAUSS = 0, CHOICE_LOBATTO = 2, CHOICE_RECTANGLE = 3 };

/* The fewest points for which the rule determines every coefficient of the
 * polynomials. */
static int least_points(const lv_ansatz_member *m)
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

static int default_points(const lv_ansatz_member *m)
{
    if (m->rectangle)
        return 1000;
    return m->jumps && m->ansatz.rule == LV_RULE_GAUSS ? m->ansatz.degree + 1
                                                       : least_points(m);
}

int lv_ansatz_most_coefficients(const lv_ansatz_member *m)
{
    bool full = m->jumps && m->ansatz.points > m->ansatz.degree;
    return full ? m->ansatz.degree : m->ansatz.degree > 0 ? m->ansatz.degree - 1 : 0;
}

lv_ansatz_member lv_ansatz_member_of(const lv_scheme *self, const lv_scheme_options *o)
{
    bool dpg = self->family == LV_CLOSURE_C;
    int continuity =
        (int)lv_scheme_option(o, LV_OPTION_CONTINUITY, dpg ? CHOICE_C : CHOICE_LR);
    lv_ansatz_member m = {.ansatz.closure = closures[continuity]};
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
    m.coefficients =
        (int)lv_scheme_option(o, LV_OPTION_DEGREE_G, lv_ansatz_most_coefficients(&m));
    return m;
}

/* Choices are returned as their numbers. */
double lv_ansatz_default_value(const lv_scheme *self, lv_option option,
                               const lv_scheme_options *options)
{
    const lv_ansatz_member m = lv_ansatz_member_of(self, options);
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

/* ---- combinations of options ------------------------------------------------------------------ */

static lv_status check_degrees(const lv_ansatz_member *m, lv_error *err)
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

static lv_status check_points(const lv_ansatz_member *m, lv_error *err)
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

lv_status lv_ansatz_check(const lv_scheme *self, const lv_scheme_options *options,
                          lv_error *err)
{
    static const lv_option of_degrees[] = {LV_OPTION_DEGREE_P, LV_OPTION_DEGREE,
                                           LV_OPTION_CONTINUITY, LV_OPTIONS};
    static const lv_option of_points[] = {LV_OPTION_POINTS, LV_OPTION_QUADRATURE,
                                          LV_OPTION_DEGREE, LV_OPTIONS};
    static const lv_option of_multipliers[] = {LV_OPTION_DEGREE_G, LV_OPTION_DEGREE,
                                               LV_OPTIONS};
    const lv_ansatz_member m = lv_ansatz_member_of(self, options);
    LV_TRY(lv_scheme_blame(check_degrees(&m, err), options, of_degrees, err));
    LV_TRY(lv_scheme_blame(check_points(&m, err), options, of_points, err));
    if (m.coefficients <= lv_ansatz_most_coefficients(&m))
        return LV_OK;
    lv_status status = lv_fail(
        err, LV_ERR_MODEL,
        "degree_g = %d: with degree %d and %d points more than %d coefficients of "
        "the multipliers make the equations singular",
        m.coefficients, m.ansatz.degree, m.ansatz.points,
        lv_ansatz_most_coefficients(&m));
    lv_error_hint(err, "degree_g = %d, or leave it out", lv_ansatz_most_coefficients(&m));
    return lv_scheme_blame(status, options, of_multipliers, err);
}
