/* Galerkin schemes in time and their kin: members that are known under other names, adjoints,
 * symplecticity on a curved constraint, stability, and options that do not go together.
 * Specification "Galerkin in time", 6 to 8. */
#include "../claims/two_form.h"
#include "galerkin_rows.h"
#include "printed.h"

/* ---- the same scheme -------------------------------------------------------------------------------- */

/* Largest distance of the states of two methods over some steps. */
static double apart(const char *text, const method *a, const method *b, double h)
{
    lv_model *model = read_text(text);
    lv_sim *one = start(model, a, h), *two = start(model, b, h);
    int n = lv_model_coordinate_count(model);
    double worst = 0;
    for (int k = 0; k < 30; k++) {
        step_once(one);
        step_once(two);
        worst = fmax(worst, distance(lv_sim_position(one), lv_sim_position(two), n));
        worst = fmax(worst, distance(lv_sim_momentum(one), lv_sim_momentum(two), n));
    }
    lv_sim_free(one);
    lv_sim_free(two);
    lv_model_free(model);
    return worst;
}

static void check_same(const char *text, method a, method b, double h)
{
    char one[METHOD_NAME], two[METHOD_NAME];
    double d = apart(text, &a, &b, h);
    if (!(d < 3e-13))
        fail_msg("%s and %s are %.1e apart", method_name(&a, one, sizeof one),
                 method_name(&b, two, sizeof two), d);
}

static const char *const free_systems[] = {HENON_HEILES, TWO_LINK_ARM, COUPLED_FREE};
static const double free_steps[] = {0.2, 0.05, 0.1};
enum { FREE = 3 };

static void jumps_with_radau_points_are_radau(void **state)
{
    (void)state;
    for (int k = 0; k < FREE; k++)
        for (int m = 0; m <= 3; m++) {
            const method radau = {"radau", m + 1, 0};
            check_same(free_systems[k], radau,
                       galerkin("ansatz", "LR", m, "radau", -1, -1), free_steps[k]);
            check_same(free_systems[k], radau,
                       galerkin("ansatz", "C", m + 1, "radau", m + 1, -1), free_steps[k]);
        }
}

static void any_continuity_with_as_many_gauss_points_as_the_degree_is_gauss(void **state)
{
    (void)state;
    static const char *const continuities[] = {"LR", "RL", "RR", "C"};
    for (int k = 0; k < FREE; k++)
        for (int m = 1; m <= 3; m++)
            for (int c = 0; c < 4; c++)
                check_same(free_systems[k], (method){"gauss", m, 0},
                           galerkin("ansatz", continuities[c], m, "gauss", m, -1),
                           free_steps[k]);
}

static void continuous_with_lobatto_points_is_lobatto(void **state)
{
    (void)state;
    static const char *const systems[] = {HENON_HEILES, TWO_LINK_ARM,   COUPLED_FREE,
                                          TORUS,        COUPLED_FORCED, MOVING_PIVOT};
    static const double steps[] = {0.2, 0.05, 0.1, 0.1, 0.1, 0.05};
    for (int k = 0; k < 6; k++)
        for (int d = 1; d <= 4; d++) {
            const method lobatto = {"lobatto", d + 1, 0};
            check_same(systems[k], lobatto, galerkin("ansatz", "C", d, "lobatto", -1, -1),
                       steps[k]);
            check_same(systems[k], lobatto, galerkin("dpg", NULL, d, NULL, -1, -1),
                       steps[k]);
        }
}

static void degree_one_is_verlet_and_rattle(void **state)
{
    (void)state;
    check_same(HENON_HEILES, (method){"verlet", 2, 0},
               galerkin("dpg", NULL, 1, NULL, -1, -1), 0.2);
    check_same(TORUS, (method){"rattle", 2, 0}, galerkin("dpg", NULL, 1, NULL, -1, -1),
               0.1);
    check_same(HENON_HEILES, (method){"gauss", 1, 0},
               galerkin("ansatz", "C", 1, "gauss", 1, -1), 0.2);
}

/* Symplectic Euler: q1 = q0 + h v(p0), then the force there; and the other way round. */
static void degree_zero_is_symplectic_euler(void **state)
{
    (void)state;
    static const char *const continuities[] = {"LR", "RL"};
    lv_model *model = read_text(HENON_HEILES);
    for (int c = 0; c < 2; c++) {
        const method m = galerkin("ansatz", continuities[c], 0, "gauss", -1, -1);
        lv_sim *sim = start(model, &m, 0.1);
        double q[] = {0.3, 0.2}, v[] = {0.25, 0.35};
        for (int k = 0; k < 20; k++) {
            for (int i = 0; c == 0 && i < 2; i++)
                q[i] += 0.1 * v[i];
            v[0] += 0.1 * (-q[0] - 2 * q[0] * q[1]);
            v[1] += 0.1 * (-q[1] - q[0] * q[0] + q[1] * q[1]);
            for (int i = 0; c == 1 && i < 2; i++)
                q[i] += 0.1 * v[i];
        }
        step_times(sim, 20);
        assert_below(distance(lv_sim_position(sim), q, 2), 1e-14);
        assert_below(distance(lv_sim_velocity(sim), v, 2), 1e-14);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

/* ---- adjoints ----------------------------------------------------------------------------------------- */

/* A step of LR, undone by one of RL. Gauss points mirror themselves. */
static double adjoint_defect(const char *text, int degree, double h)
{
    lv_error err;
    const method lr = galerkin("ansatz", "LR", degree, "gauss", -1, -1);
    const method rl = galerkin("ansatz", "RL", degree, "gauss", -1, -1);
    lv_model *model = read_text(text);
    lv_sim *there = start(model, &lr, h), *back = start(model, &rl, h);
    int n = lv_model_coordinate_count(model);
    double q[MOST], v[MOST];
    memcpy(q, lv_sim_position(there), (size_t)n * sizeof *q);
    memcpy(v, lv_sim_velocity(there), (size_t)n * sizeof *v);
    step_once(there);
    move_to(back, h, lv_sim_position(there), lv_sim_velocity(there));
    if (lv_sim_step_by(back, -h, &err) != LV_OK)
        fail_with(&err);
    double defect = fmax(distance(lv_sim_position(back), q, n),
                         distance(lv_sim_velocity(back), v, n));
    lv_sim_free(there);
    lv_sim_free(back);
    lv_model_free(model);
    return defect;
}

static void left_right_and_right_left_are_adjoint(void **state)
{
    (void)state;
    for (int m = 0; m <= 3; m++) {
        assert_below(adjoint_defect(HENON_HEILES, m, 0.3), 1e-14);
        assert_below(adjoint_defect(TWO_LINK_ARM, m, 0.05), 1e-13);
        assert_below(adjoint_defect(TORUS, m, 0.1), 1e-12);
        assert_below(adjoint_defect(MOVING_PIVOT, m, 0.05), 1e-12);
    }
}

/* LR over half a step, then RL: order 2m + 2, errors as printed (11, item 10). */
static void both_halves_together_gain_an_order(void **state)
{
    (void)state;
    static const char *const printed[3][3] = {{"4.1e-2", "9.1e-3", "2.2e-3"},
                                              {"3.6e-5", "2.1e-6", "1.3e-7"},
                                              {"6.3e-8", "8.9e-10", "1.4e-11"}};
    const double end[] = {-0.3483438696341, -0.4520625733385, 0.1270757828474,
                          -0.227892253953};
    lv_model *model = read_text(HENON_HEILES);
    for (int m = 0; m <= 2; m++)
        for (int k = 0; k < 3; k++) {
            int steps = 8 << k;
            const method lr = galerkin("ansatz", "LR", m, "gauss", -1, -1);
            const method rl = galerkin("ansatz", "RL", m, "gauss", -1, -1);
            lv_sim *one = start(model, &lr, 2.0 / steps),
                   *two = start(model, &rl, 2.0 / steps);
            for (int i = 0; i < steps; i++) {
                step_once(one);
                move_to(two, 0, lv_sim_position(one), lv_sim_velocity(one));
                step_once(two);
                move_to(one, 0, lv_sim_position(two), lv_sim_velocity(two));
            }
            double error = fmax(distance(lv_sim_position(one), end, 2),
                                distance(lv_sim_momentum(one), end + 2, 2));
            if (!as_printed(printed[m][k], error))
                fail_msg("degree %d, %d steps: %.3e", m, steps, error);
            lv_sim_free(one);
            lv_sim_free(two);
        }
    lv_model_free(model);
}

/* ---- the symplectic form -------------------------------------------------------------------------------- */

/* On the torus, whose gradients turn within a step: gradients at another place than the node would
 * show, as 1.4e-6 (specification, 6). */
static void the_symplectic_form_is_kept_on_a_torus_with_large_steps(void **state)
{
    (void)state;
    static const member members[] = {
        {"LR", 1, "gauss", 2},  {"LR", 2, "gauss", 3},  {"LR", 2, "radau", 3},
        {"LR", 3, "gauss", 4},  {"RL", 1, "gauss", 2},  {"RL", 2, "gauss", 3},
        {"C", 1, "lobatto", 2}, {"C", 2, "lobatto", 3}, {"C", 2, "gauss", 2},
        {"C", 2, "gauss", 3},   {"C", 3, "lobatto", 4}, {"C", 3, "radau", 3},
    };
    lv_model *model = read_text(TORUS);
    for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
        const method m = method_of(&members[k]);
        lv_sim *sim = start(model, &m, 0.4);
        double defect = two_form_defect(sim, 4e-3);
        if (!(defect < 3e-10))
            fail_msg("%s%d: %.1e", members[k].continuity, members[k].degree, defect);
        lv_sim_free(sim);
    }
    const method damped = galerkin("ansatz", "RR", 2, "gauss", 3, -1);
    lv_sim *sim = start(model, &damped, 0.4);
    double defect = two_form_defect(sim, 4e-3);
    print_message("RR %.1e\n", defect);
    assert_above(defect, 1e-7);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* ---- stability ------------------------------------------------------------------------------------------ */

/* Half the trace of the step of an oscillator with unit frequency: beyond 1 in size it grows. */
static double half_trace(const method *m, double x)
{
    lv_model *model =
        read_text("[coordinates]\nx = 1\n"
                  "[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n");
    lv_sim *sim = start(model, m, x);
    double trace = 0;
    for (int sign = 1; sign >= -1; sign -= 2) {
        move_to(sim, 0, (double[]){1}, (double[]){sign});
        step_once(sim);
        trace += (lv_sim_position(sim)[0] + sign * lv_sim_velocity(sim)[0]) / 2;
    }
    lv_sim_free(sim);
    lv_model_free(model);
    return trace / 2;
}

/* First windows of instability (8); 0: none. */
typedef struct window {
    member member;
    double from, to;
} window;

static const window windows[] = {
    {{"C", 1, "lobatto", 2}, 2, 0},         {{"LR", 0, "gauss", 1}, 2, 0},
    {{"LR", 1, "gauss", 2}, 2.604, 4.605},  {{"LR", 2, "gauss", 3}, 3.051, 3.228},
    {{"LR", 3, "gauss", 4}, 3.136, 3.146},  {{"C", 1, "gauss", 2}, 3.463, 0},
    {{"C", 2, "gauss", 3}, 3.161, 3.463},   {{"C", 3, "gauss", 4}, 3.141, 3.161},
    {{"C", 2, "lobatto", 3}, 2.826, 3.463}, {{"C", 3, "lobatto", 4}, 3.111, 3.161},
    {{"C", 4, "lobatto", 5}, 3.138, 3.141}, {{"C", 1, "gauss", 1}, 0, 0},
    {{"C", 2, "gauss", 2}, 0, 0},           {{"C", 3, "gauss", 3}, 0, 0},
};

static void stability_ends_where_it_is_said_to(void **state)
{
    (void)state;
    const double near = 3e-3; /* they were looked for on a grid */
    for (size_t k = 0; k < sizeof windows / sizeof *windows; k++) {
        const window *w = &windows[k];
        const method m = method_of(&w->member);
        double last = w->from > 0 ? w->from - near : 12;
        for (int i = 1; i <= 8; i++)
            assert_below(fabs(half_trace(&m, last * i / 8)), 1 + 1e-12);
        bool narrow = w->to > 0 && w->to - w->from < 2 * near;
        if (w->from > 0)
            assert_above(fabs(half_trace(&m, narrow ? w->to : w->from + near)), 1);
        if (w->to > 0 && !narrow)
            assert_above(fabs(half_trace(&m, w->to - near)), 1);
        if (w->to > 0)
            assert_below(fabs(half_trace(&m, w->to + near)), 1);
    }
}

/* ---- options -------------------------------------------------------------------------------------------- */

typedef struct refusal {
    member member;
    int degree_p, degree_g; /* -1: not given */
    const char *text, *hint;
} refusal;

static const refusal refusals[] = {
    {{"C", 0, NULL, -1},
     -1,
     -1,
     "with continuity C the degree is at least 1",
     "degree = 1"},
    {{"LR", 2, NULL, -1},
     1,
     -1,
     "degree_p = 1 does not go with degree = 2",
     "degree_p = 2"},
    {{"LR", 2, NULL, -1},
     3,
     -1,
     "degree_p = 3 does not go with degree = 2",
     "degree_p = 2"},
    {{"C", 3, NULL, -1}, 1, -1, "would be singular", "degree_p = 2"},
    {{"C", 3, NULL, -1},
     3,
     -1,
     "degree_p = 3 does not go with degree = 3",
     "degree_p = 2"},
    {{"LR", 2, "gauss", 1}, -1, -1, "1 points of the", "points = 2"},
    {{"LR", 2, "radau", 2}, -1, -1, "2 points of the", "points = 3"},
    {{"LR", 2, "lobatto", 3},
     -1,
     -1,
     "3 Lobatto points with jumps lose one order",
     "points = 4"},
    {{"C", 3, "gauss", 2}, -1, -1, "2 points of the", "points = 3"},
    {{"C", 3, "lobatto", 3}, -1, -1, "3 points of the", "points = 4"},
    {{"C", 3, "radau", 2}, -1, -1, "2 points of the", "points = 3"},
    {{"LR", 2, "rectangle", 3}, -1, -1, "3 points of the rectangle rule", "points = 4"},
    {{"LR", 2, "gauss", 500}, -1, -1, "has at most", "enough"},
    {{"LR", 2, "gauss", 3}, -1, 3, "degree_g = 3", "degree_g = 2"},
    {{"LR", 2, "gauss", 2}, -1, 2, "degree_g = 2", "degree_g = 1"},
    {{"C", 3, "lobatto", 4}, -1, 3, "degree_g = 3", "degree_g = 2"},
    {{"C", 1, "lobatto", 2}, -1, 1, "degree_g = 1", "degree_g = 0"},
};

static void options_that_do_not_go_together_are_refused(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
        const refusal *r = &refusals[k];
        lv_claims claims;
        lv_error err;
        method m = galerkin("ansatz", r->member.continuity, r->member.degree,
                            r->member.rule, r->member.points, r->degree_g);
        if (r->degree_p >= 0)
            lv_scheme_option_set(&m.more, LV_OPTION_DEGREE_P, r->degree_p);
        lv_status status = lv_scheme_claims(&claims, m.scheme, &m.more, &err);
        if (status != LV_ERR_MODEL || !strstr(err.text, r->text) ||
            !strstr(err.hint, r->hint))
            fail_msg("row %d: %s: '%s', hint '%s'", (int)k, lv_status_name(status),
                     err.text, err.hint);
    }
}

/* The degree of p may be said, where it is right. */
static void degrees_that_fit_may_be_given(void **state)
{
    (void)state;
    method lr = galerkin("ansatz", "LR", 2, "gauss", 3, 2);
    method c = galerkin("ansatz", "C", 3, "lobatto", 4, 2);
    lv_scheme_option_set(&lr.more, LV_OPTION_DEGREE_P, 2);
    lv_scheme_option_set(&c.more, LV_OPTION_DEGREE_P, 2);
    check_same(TORUS, lr, galerkin("ansatz", "LR", 2, NULL, -1, -1), 0.1);
    check_same(TORUS, c, (method){"lobatto", 4, 0}, 0.1);
}

/* Rectangles are for constant masses and forces of position and time. */
static void rectangles_are_refused_where_they_cannot_be(void **state)
{
    (void)state;
    static const char *const systems[] = {TWO_LINK_ARM, DRIVEN_PENDULUM, CHARGE};
    const method m = galerkin("ansatz", "LR", 2, "rectangle", 100, -1);
    for (int k = 0; k < 3; k++) {
        lv_sim *sim = NULL;
        lv_error err;
        lv_model *model = read_text(systems[k]);
        assert_int_equal(try_start(&sim, model, &m, 0.01, &err), LV_ERR_MODEL);
        assert_null(sim);
        assert_non_null(strstr(err.text, "rectangle"));
        assert_string_equal(err.hint, "use quadrature = \"gauss\"");
        lv_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(jumps_with_radau_points_are_radau),
        RUN(any_continuity_with_as_many_gauss_points_as_the_degree_is_gauss),
        RUN(continuous_with_lobatto_points_is_lobatto),
        RUN(degree_one_is_verlet_and_rattle),
        RUN(degree_zero_is_symplectic_euler),
        RUN(left_right_and_right_left_are_adjoint),
        RUN(both_halves_together_gain_an_order),
        RUN(the_symplectic_form_is_kept_on_a_torus_with_large_steps),
        RUN(stability_ends_where_it_is_said_to),
        RUN(options_that_do_not_go_together_are_refused),
        RUN(degrees_that_fit_may_be_given),
        RUN(rectangles_are_refused_where_they_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
