/* The shipped models with nonholonomic constraints against closed forms, and against end states that
 * tests/models/good/start.py computed from formulas of its own. */
#include "../claims/moving.h"
#include "run/sim.h"

enum { MOST = 8 };

static const double pi = 3.14159265358979323846;

/* ---- closed forms: positions at time t ---------------------------------------------------------- */

static void knife_edge(double t, double *q)
{
    double w = 2, a = 9.81 * sin(pi / 6);
    q[0] = a / (2 * w * w) * pow(sin(w * t), 2);
    q[1] = a / (2 * w * w) * (w * t - sin(2 * w * t) / 2);
    q[2] = w * t;
}

static void penny(double t, double *q)
{
    q[0] = sin(t);
    q[1] = 1 - cos(t);
    q[2] = t;
    q[3] = 2 * t;
}

static void disc(double t, double *q)
{
    double radius = 0.5, roll = 2, swing = 9.81 * sin(0.2) / (1.5 * radius);
    q[0] = radius * (roll * sin(t) + swing / 2 * pow(sin(t), 2));
    q[1] = radius * (roll * (1 - cos(t)) + swing / 2 * (t - sin(2 * t) / 2));
    q[2] = cos(t);
    q[3] = sin(t);
    q[4] = roll * t + swing * (1 - cos(t));
}

static void appell_hamel(double t, double *q)
{
    double way = t + 0.5 * 9.81 * 0.5 / (1 + 0.5 * 0.25) * t * t / 2;
    q[0] = 0.5 + 0.8 * way;
    q[1] = 0.6 * way;
    q[2] = -0.5 * way;
}

/* The velocity turns at 2/7 of the table's 3.5 rad/s. */
static void ball(double t, double *q)
{
    q[0] = 0.3 + sin(t) * 0.05 - (1 - cos(t)) * 0.2;
    q[1] = 0.1 + sin(t) * 0.2 + (1 - cos(t)) * 0.05;
}

/* Downhill is along q[0]; the ball drifts along q[1]. */
static void ball_on_slope(double t, double *q)
{
    double drift = 5.0 / 7 * 9.81 * sin(0.1), u = 0.2 - drift;
    q[0] = 0.3 + sin(t) * 0.05 - (1 - cos(t)) * u;
    q[1] = 0.1 + sin(t) * u + (1 - cos(t)) * 0.05 + drift * t;
}

/* u^2 + b^2 w^2 = c^2, u = c tanh(x), w = c/b / cosh(x), x = a c t/b^2 + k */
typedef struct sleigh {
    double a, b, c, k;
} sleigh;

static sleigh sleigh_of(void)
{
    sleigh s = {.a = 0.2, .b = sqrt(0.04 + 0.05)};
    s.c = sqrt(1 + pow(s.b * 0.1, 2));
    s.k = log(s.b * 0.1 / (s.c + 1));
    return s;
}

static double gudermann(double x)
{
    return 2 * atan(tanh(x / 2));
}

static double sleigh_heading(double t)
{
    sleigh s = sleigh_of();
    double x = s.a * s.c * t / (s.b * s.b) + s.k;
    return s.b / s.a * (gudermann(x) - gudermann(s.k));
}

/* ---- helpers ------------------------------------------------------------------------------------------ */

static lv_model *read_set(const char *name, const char *setting)
{
    char parameter[20] = "";
    const char *equals = setting ? strchr(setting, '=') : NULL;
    if (!equals)
        return read_shipped(name, NULL, NULL);
    snprintf(parameter, sizeof parameter, "%.*s", (int)(equals - setting), setting);
    return read_shipped(name, parameter, equals + 1);
}

static double residual(lv_sim *sim)
{
    double position, velocity;
    lv_sim_residuals(sim, &position, &velocity);
    return fmax(position, velocity);
}

/* ---- closed forms --------------------------------------------------------------------------------------- */

typedef struct motion_row {
    const char *model, *setting;
    void (*at)(double t, double *q);
    int count; /* coordinates that it gives */
    double until;
    int steps;
} motion_row;

static const motion_row motions[] = {
    {"knife-edge", NULL, knife_edge, 3, 5, 100},
    {"rolling-penny", NULL, penny, 4, 5, 20},
    {"rolling-disc", NULL, disc, 5, 5, 50},
    {"turntable-ball", NULL, ball, 2, 5, 20},
    {"turntable-ball", "slope=0.1", ball_on_slope, 2, 5, 20},
};

/* Distance from the closed form at the end. */
static double error_of(const motion_row *r, int stages, int steps)
{
    double q[MOST] = {0};
    lv_model *model = read_set(r->model, r->setting);
    lv_sim *sim = start(model, &(method){"lobatto", stages, 0}, r->until / steps);
    step_times(sim, steps);
    r->at(r->until, q);
    double error = distance(lv_sim_position(sim), q, r->count);
    lv_sim_free(sim);
    lv_model_free(model);
    return error;
}

static void closed_forms_are_approached_with_the_order(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof motions / sizeof *motions; k++)
        for (int s = 2; s <= 4; s++) {
            const motion_row *r = &motions[k];
            double coarse = error_of(r, s, r->steps), fine = error_of(r, s, 2 * r->steps);
            double order = log2(coarse / fine);
            print_message("%-16s %-10s s=%d %8.1e %8.1e order %.2f\n", r->model,
                          r->setting ? r->setting : "", s, coarse, fine, order);
            assert_below(coarse, 0.05);
            assert_close(order, 2 * s - 2, 0.1);
        }
}

static void many_stages_reach_closed_forms(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof motions / sizeof *motions; k++)
        assert_below(error_of(&motions[k], 7, 4 * motions[k].steps), 2e-13);
}

/* A constant acceleration, though the multiplier is not constant: three stages have no error. */
static void appell_hamel_is_exact_from_three_stages_on(void **state)
{
    (void)state;
    const motion_row r = {"appell-hamel", NULL, appell_hamel, 3, 4, 0};
    assert_close(log2(error_of(&r, 2, 40) / error_of(&r, 2, 80)), 2, 0.01);
    for (int s = 3; s <= 5; s++)
        assert_below(error_of(&r, s, 40), 1e-12);
}

/* ---- computed elsewhere ------------------------------------------------------------------------------------ */

typedef struct end_row {
    const char *model, *setting;
    double until;
    int steps;
    double tolerance;
    int count;
    double q[MOST];
} end_row;

static const end_row ends[] = {
    {"chaplygin-sleigh",
     NULL,
     6,
     120,
     1e-12,
     3,
     {-2.29378355538479, -4.21451117331394, 4.66708041857528}},
    {"appell-hamel",
     "k=4",
     4,
     80,
     1e-12,
     3,
     {1.87840068315808, 2.33652642171751, -6.21663479536617}},
    {"snakeboard",
     NULL,
     10,
     100,
     1e-10,
     5,
     {1.6745154841876, -0.041853714608, -0.095967767743, 0.63906167550933,
      0.27388357521829}},
};

static void ends_agree_with_another_program(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        const end_row *r = &ends[k];
        lv_model *model = read_set(r->model, r->setting);
        lv_sim *sim = start(model, &(method){"lobatto", 6, 0}, r->until / r->steps);
        step_times(sim, r->steps);
        double error = distance(lv_sim_position(sim), r->q, r->count);
        print_message("%-18s %8.1e\n", r->model, error);
        assert_below(error, r->tolerance);
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

/* ---- what is known of these motions ------------------------------------------------------------------------ */

/* It turns round and goes ahead, with the energy it had. */
static void the_sleigh_turns_and_goes_ahead(void **state)
{
    (void)state;
    sleigh s = sleigh_of();
    lv_model *model = read_shipped("chaplygin-sleigh", NULL, NULL);
    lv_sim *sim = start(model, &(method){"lobatto", 4, 0}, 0.05);
    double energy = lv_sim_energies(sim).total;
    for (int k = 1; k <= 200; k++) {
        step_once(sim);
        const double *q = lv_sim_position(sim), *v = lv_sim_velocity(sim);
        double x = s.a * s.c * (0.05 * k) / (s.b * s.b) + s.k;
        assert_close(cos(q[2]) * v[0] + sin(q[2]) * v[1], s.c * tanh(x), 1e-7);
        assert_close(v[2], s.c / s.b / cosh(x), 1e-7);
        assert_close(q[2], sleigh_heading(0.05 * k), 1e-7);
        assert_close(lv_sim_energies(sim).total, energy, 1e-9);
        assert_below(residual(sim), 1e-13);
    }
    /* pi b/a from the far past on */
    assert_close(lv_sim_position(sim)[2], 1.5 * (pi / 2 - gudermann(s.k)), 1e-6);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* How far the carried multiplier is from that of the motion, at time t. */
static double lag_at(const lv_model *model, double t, double step)
{
    double lambda;
    lv_error err;
    lv_sim *sim = start(model, &(method){"rattle", 2, 0}, step);
    step_times(sim, lround(t / step));
    if (lv_sim_multipliers(sim, &lambda, &err) != LV_OK)
        fail_with(&err);
    double lag = fabs(sim->scheme->nonholonomic_multipliers(sim->work)[0] - lambda);
    lv_sim_free(sim);
    return lag;
}

/* The step undoes itself backwards in time: what the motion damps, at the rate a c/b^2, the carried
 * multiplier has to amplify. A smaller step begins lower and grows as fast (theory 7.5). */
static void carried_multipliers_leave_motions_that_settle(void **state)
{
    (void)state;
    sleigh s = sleigh_of();
    lv_model *model = read_shipped("chaplygin-sleigh", NULL, NULL);
    for (double step = 0.025; step > 0.01; step /= 2) {
        double early = lag_at(model, 5, step), late = lag_at(model, 7, step);
        assert_close(log(late / early) / 2, s.a * s.c / (s.b * s.b), 0.02);
    }
    lv_model_free(model);
}

/* In the mean it travels at g sin(alpha)/(2 w) across the slope, and not down. */
static void the_knife_edge_does_not_slide_down(void **state)
{
    (void)state;
    double a = 9.81 / 2, w = 2, lowest = 0;
    lv_model *model = read_shipped("knife-edge", NULL, NULL);
    lv_sim *sim = start(model, &(method){"lobatto", 4, 0}, pi / 20);
    for (int k = 0; k < 2000; k++) { /* 200 turns */
        step_once(sim);
        lowest = fmax(lowest, lv_sim_position(sim)[0]);
    }
    assert_close(lowest, a / (2 * w * w), 1e-4);
    assert_close(lv_sim_position(sim)[1], a / (2 * w) * lv_sim_time(sim), 1e-4);
    assert_below(fabs(lv_sim_position(sim)[0]), 1e-3);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* Its rate of rolling is constant, but it is no momentum map: schemes keep it nearly. */
static void the_penny_keeps_rolling(void **state)
{
    static const double near[] = {[2] = 1e-5, [3] = 1e-6, [4] = 1e-12, [5] = 1e-12};
    (void)state;
    lv_model *model = read_shipped("rolling-penny", NULL, NULL);
    for (int s = 2; s <= 5; s++) {
        lv_sim *sim = start(model, &(method){"lobatto", s, 0}, 0.1);
        for (int k = 0; k < 500; k++) {
            step_once(sim);
            assert_close(lv_sim_velocity(sim)[2], 1, 1e-14);
            assert_close(lv_sim_velocity(sim)[3], 2, near[s]);
            assert_below(residual(sim), 1e-14);
        }
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

static void turning_the_disc_has_a_momentum(void **state)
{
    (void)state;
    lv_model *model = read_shipped("rolling-disc", NULL, NULL);
    for (int s = 2; s <= 5; s++) {
        lv_sim *sim = start(model, &(method){"lobatto", s, 0}, 0.1);
        for (int k = 0; k < 500; k++) {
            step_once(sim);
            const double *d = lv_sim_position(sim) + 2, *p = lv_sim_momentum(sim) + 2;
            assert_close(d[0] * p[1] - d[1] * p[0], 0.0625, 2e-14);
            assert_below(residual(sim), 1e-13);
        }
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

/* The table does work; less its rate times the angular momentum the energy stays. */
static void the_ball_keeps_its_moving_energy_only(void **state)
{
    (void)state;
    for (int s = 2; s <= 4; s += 2) {
        double swing = 0, moved = 0, before = 0;
        lv_model *model = read_shipped("turntable-ball", NULL, NULL);
        lv_sim *sim = start(model, &(method){"lobatto", s, 0}, 0.05);
        double first = lv_sim_energies(sim).total;
        for (int k = 0; k <= 4000; k++) {
            const double *x = lv_sim_position(sim), *v = lv_sim_velocity(sim);
            double energy = lv_sim_energies(sim).total;
            double moving = energy - 3.5 * (x[0] * v[1] - x[1] * v[0]);
            if (k == 0)
                before = moving;
            moved = fmax(moved, fabs(moving - before));
            swing = fmax(swing, fabs(energy - first));
            assert_close(lv_sim_momentum(sim)[4], 0.004, 1e-16);
            step_once(sim);
        }
        assert_above(swing, 0.1);
        assert_below(moved, (s == 2 ? 2e-3 : 1e-10));
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

/* ---- multipliers of the motion -------------------------------------------------------------------------------- */

static method with_multipliers(int stages, bool on_group)
{
    method m = {"lobatto", stages, 0};
    lv_scheme_option_set(&m.more, LV_OPTION_MULTIPLIERS, 1);
    if (on_group)
        lv_scheme_option_set(&m.more, LV_OPTION_ROTATIONS, 1);
    return m;
}

/* The error of the sleigh's heading at t = 2. */
static double heading_error(const lv_model *model, int stages, int steps)
{
    const method m = with_multipliers(stages, false);
    lv_sim *sim = start(model, &m, 2.0 / steps);
    step_times(sim, steps);
    const double error = fabs(lv_sim_position(sim)[2] - sleigh_heading(2));
    lv_sim_free(sim);
    return error;
}

/* Steps that begin with the multipliers of the motion have the order of the scheme, and the sleigh stays on its way when
 * those that are carried have left it. */
static void multipliers_of_the_motion_do_not_leave_it(void **state)
{
    (void)state;
    lv_model *model = read_shipped("chaplygin-sleigh", NULL, NULL);
    for (int stages = 2; stages <= 4; stages++) {
        const double order =
            log2(heading_error(model, stages, 16) / heading_error(model, stages, 32));
        print_message("    %d stages: order %.2f\n", stages, order);
        assert_close(order, 2 * stages - 2, 0.25);
    }
    const method m = with_multipliers(4, false);
    lv_sim *sim = start(model, &m, 0.05);
    const double energy = lv_sim_energies(sim).total;
    step_times(sim, 800);
    assert_close(lv_sim_energies(sim).total, energy, 1e-9);
    assert_close(lv_sim_position(sim)[2], sleigh_heading(40), 1e-6);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* On groups steps are not symmetric, and carried multipliers leave a steady motion, too. */
static void bodies_on_groups_stay_on_their_way(void **state)
{
    (void)state;
    lv_model *model = read_shipped("bicycle", NULL, NULL);
    const method carried = {"lobatto", 4, 0}, motion = with_multipliers(4, true);
    lv_sim *sim = start(model, &motion, 0.02), *expected = start(model, &carried, 0.02);
    const double energy = lv_sim_energies(sim).total;
    step_times(sim, 10);
    step_times(expected, 10);
    for (int k = 0; k < 3; k++)
        assert_close(lv_sim_position(sim)[k], lv_sim_position(expected)[k], 1e-6);
    step_times(sim, 240);
    assert_close(lv_sim_energies(sim).total, energy, 1e-12 * energy);
    lv_sim_free(expected);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* What a step with them keeps, and what it does not have. */
static void multipliers_of_the_motion_cost_the_symmetry(void **state)
{
    (void)state;
    lv_model *model = read_shipped("chaplygin-sleigh", NULL, NULL);
    const method m = with_multipliers(4, false);
    double tangent[36];
    lv_claims claims;
    lv_error err;
    assert_int_equal(lv_scheme_claims(&claims, "lobatto", &m.more, NULL), LV_OK);
    assert_false(claims.symmetric);
    lv_sim *sim = start(model, &m, 0.05);
    step_once(sim);
    assert_int_equal(lv_sim_tangent(sim, tangent, &err), LV_ERR_MODEL);
    assert_non_null(strstr(err.text, "multipliers of the motion"));
    lv_sim_free(sim);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(closed_forms_are_approached_with_the_order),
        RUN(many_stages_reach_closed_forms),
        RUN(appell_hamel_is_exact_from_three_stages_on),
        RUN(ends_agree_with_another_program),
        RUN(the_sleigh_turns_and_goes_ahead),
        RUN(carried_multipliers_leave_motions_that_settle),
        RUN(multipliers_of_the_motion_do_not_leave_it),
        RUN(bodies_on_groups_stay_on_their_way),
        RUN(multipliers_of_the_motion_cost_the_symmetry),
        RUN(the_knife_edge_does_not_slide_down),
        RUN(the_penny_keeps_rolling),
        RUN(turning_the_disc_has_a_momentum),
        RUN(the_ball_keeps_its_moving_energy_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
