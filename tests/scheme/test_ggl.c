/* The GGL schemes vi-s, vi-a, vi-b, vi-b2, em and the related em-g: digits of other
 * implementations, what the tables of their source print, and what they refuse. */
#include "ggl_rows.h"
#include "watching.h"

#include "../claims/systems.h"
#include "../claims/two_form.h"

enum { MOST = 16 };

static const char *const all[] = {"vi-s", "vi-a", "vi-b", "vi-b2", "em", "em-g"};
enum { ALL = sizeof all / sizeof *all };

/* ---- states ---------------------------------------------------------------------------------- */

static bool check_state(const state_row *r)
{
    lv_model *model = read_shipped(r->model, NULL, NULL);
    const method m = member(r->scheme);
    lv_sim *sim = start(model, &m, r->step);
    step_times(sim, r->steps);
    const double *q = r->expected, *p = r->expected + r->positions;
    double error = fmax(distance(lv_sim_position(sim), q, r->positions) /
                            fmax(1, largest(q, r->positions)),
                        distance(lv_sim_momentum(sim), p, r->momenta) /
                            fmax(1, largest(p, r->momenta)));
    /* 13 digits are printed; constraints at the level of positions add rounding of 1e-16 / h. */
    double limit = r->steps > 100 ? 1e-11 : r->steps > 10 ? 2e-12 : 1e-13;
    bool good = error <= limit;
    print_message("    %-15s %-6s %5d steps: %7.1e%s\n", r->model, r->scheme, r->steps,
                  error, good ? "" : " !");
    lv_sim_free(sim);
    lv_model_free(model);
    return good;
}

static void states_agree_with_other_implementations(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof state_rows / sizeof *state_rows; k++)
        wrong += !check_state(&state_rows[k]);
    assert_int_equal(wrong, 0);
}

/* ---- what is kept ---------------------------------------------------------------------------- */

/* Printed digits of "0.402091" and the like: half a unit of the last one. */
typedef struct kept_row {
    const char *model, *scheme;
    double step;
    int steps;
    double least, most, energy_unit; /* range of the energy */
    double position, hidden;         /* largest |g|, |G M^-1 p|; 0: rounding */
    double low, high;                /* range of q[2]; 0, 0: not printed */
} kept_row;

static const kept_row kept_rows[] = {
    {"pendulum3d", "vi-s", 0.05, 200, -0.197774, 1.142666, 1e-6, 0, 0, 0, 0},
    {"pendulum3d", "vi-a", 0.05, 200, 0.402091, 0.500015, 1e-6, 6.5e-3, 3.3e-2, 0, 0},
    {"pendulum3d", "vi-b", 0.05, 200, -0.180239, 1.155262, 1e-6, 0, 3.2e-1, 0, 0},
    {"pendulum3d", "em", 0.05, 200, 0.5, 0.5, 1e-13, 0, 0, 0, 0},
    {"pendulum3d", "em-g", 0.05, 200, 0.5, 0.5, 1e-13, 0, 1.7e-2, 0, 0},
    {"pendulum3d", "vi-b2", 0.05, 200, 0.407921, 0.5, 1e-6, 0, 1.7e-2, 0, 0},
    {"pendulum3d", "B(1,0)", 0.05, 200, -0.149318, 1.171415, 1e-6, 0, 4.8e-1, 0, 0},
    {"steady-top", "vi-s", 0.002, 1000, 5.669055, 5.669248, 1e-6, 0, 3.7e-1, 0.037248699,
     0.038936705},
    {"steady-top", "vi-a", 0.002, 1000, 5.474053, 5.669055, 1e-6, 2.0e-2, 1.5e+1,
     0.036992069, 0.037503632},
    {"steady-top", "vi-b", 0.002, 1000, 5.669055, 6.176509, 1e-6, 0, 4.3e+1, 0.037240900,
     0.038893030},
    {"steady-top", "em", 0.002, 1000, 5.669055190632946, 5.669055190632946, 1e-12, 0, 0,
     0.037378758, 0.0375},
    {"steady-top", "em-g", 0.002, 1000, 5.669055190632946, 5.669055190632946, 1e-12, 0,
     3.2e-1, 0.037376533, 0.0375},
    {"steady-top", "vi-b2", 0.002, 1000, 5.669055, 5.669118, 1e-6, 0, 6.9e-1, 0.0375,
     0.037764122},
    {"steady-top", "B(1,0)", 0.002, 1000, 5.669055, 5.669346, 1e-6, 0, 7.4e-1,
     0.037240900, 0.038893030},
    {"four-particles", "vi-s", 0.01, 1000, 1.176196957, 1.176820088, 1e-9, 0, 0, 0, 0},
    {"four-particles", "vi-a", 0.01, 1000, 1.176423993, 1.176522468, 1e-9, 3.5e-5, 2.1e-4,
     0, 0},
    {"four-particles", "vi-b", 0.01, 1000, 1.176210395, 1.176909912, 1e-9, 0, 1.8e-2, 0,
     0},
    {"four-particles", "em", 0.01, 1000, 1.1764705882352942, 1.1764705882352942, 2e-12, 0,
     0, 0, 0},
    {"four-particles", "em-g", 0.01, 1000, 1.1764705882352942, 1.1764705882352942, 2e-12,
     0, 1.7e-5, 0, 0},
    {"four-particles", "vi-b2", 0.01, 1000, 1.176463016, 1.176523127, 1e-9, 0, 1.7e-5, 0,
     0},
    {"four-particles", "B(1,0)", 0.01, 1000, 1.176202999, 1.176821944, 1e-9, 0, 1.7e-2, 0,
     0},
};

/* Two digits are printed; 0 stands for rounding. */
static bool is_about(double value, double printed, double rounding)
{
    return printed > 0 ? fabs(value - printed) <= 0.051 * printed : value <= rounding;
}

static bool check_kept(const kept_row *r)
{
    lv_model *model = read_shipped(r->model, NULL, NULL);
    const method m = member(r->scheme);
    lv_sim *sim = start(model, &m, r->step);
    extremes x = watch(sim, r->steps);
    double unit = 0.51 * r->energy_unit;
    bool fast = strcmp(r->model, "steady-top") == 0; /* velocities of 100 */
    bool closed = strcmp(r->model, "four-particles") == 0;
    bool good = fabs(x.least - r->least) <= unit && fabs(x.most - r->most) <= unit &&
                is_about(x.position, r->position, 2e-15) &&
                is_about(x.hidden, r->hidden, fast ? 1e-12 : 2e-13) &&
                x.vertical <= 5e-12;
    if (closed)
        good = good && x.linear <= 5e-12 && x.angular <= 5e-12;
    if (r->high > 0)
        good = good && fabs(x.low - r->low) <= 6e-10 && fabs(x.high - r->high) <= 6e-10;
    print_message("    %-15s %-6s E %.9f .. %.9f, g %.1e, G v %.1e, J %.0e%s\n", r->model,
                  r->scheme, x.least, x.most, x.position, x.hidden,
                  closed ? fmax(x.linear, x.angular) : x.vertical, good ? "" : " !");
    lv_sim_free(sim);
    lv_model_free(model);
    return good;
}

static void what_is_kept_is_as_tabulated(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof kept_rows / sizeof *kept_rows; k++)
        wrong += !check_kept(&kept_rows[k]);
    assert_int_equal(wrong, 0);
}

/* ---- convergence --------------------------------------------------------------------------------- */

typedef struct error_row {
    const char *scheme;
    double q[4], p[4]; /* for steps halved each time; 0: not printed */
} error_row;

/* rounding: of the other implementation, which shows where errors are small. */
static bool agrees(double value, double printed, double relative, double rounding)
{
    return printed == 0 || fabs(value - printed) <= relative * printed + rounding;
}

/* Fourth particle with the velocity (0, 3, 2)/1.7, t = 0.1, first step 0.01. */
static const error_row particle_rows[] = {
    {"em",
     {4.924e-4, 1.188e-4, 2.941e-5, 7.334e-6},
     {5.714e-2, 1.471e-2, 3.705e-3, 9.280e-4}},
    {"em-g",
     {4.924e-4, 1.188e-4, 2.941e-5, 7.334e-6},
     {5.714e-2, 1.471e-2, 3.705e-3, 9.280e-4}},
    {"vi-a",
     {5.147e-4, 1.244e-4, 3.082e-5, 7.687e-6},
     {5.735e-2, 1.477e-2, 3.720e-3, 9.318e-4}},
    {"vi-b2",
     {5.145e-4, 1.244e-4, 3.081e-5, 7.685e-6},
     {5.731e-2, 1.476e-2, 3.717e-3, 9.311e-4}},
    {"vi-s", {6.463e-4, 1.590e-4, 3.960e-5, 9.889e-6}, {0.158, 0.0844, 0.0438, 0.0223}},
    {"vi-b", {6.463e-4, 1.590e-4, 3.960e-5, 9.889e-6}, {0.221, 0.0999, 0.0477, 0.0234}},
};

static void errors_of_the_four_particles_are_as_printed(void **state)
{
    static const double exact_q[3] = {0.9960177475251, 1.035403525134, 0.1128925233069};
    static const double exact_p[3] = {-0.1315420566204, 0.2298513020246, 1.953853288065};
    (void)state;
    lv_model *model = read_shipped("four-particles", NULL, NULL);
    int wrong = 0;
    for (size_t k = 0; k < sizeof particle_rows / sizeof *particle_rows; k++)
        for (int i = 0; i < 4; i++) {
            const error_row *r = &particle_rows[k];
            const double v[12] = {[10] = 3 / 1.7, [11] = 2 / 1.7};
            lv_sim *sim = start(model, &(method){r->scheme, 1, 0}, 0.01 / (1 << i));
            move_to(sim, 0, lv_model_start_position(model), v);
            step_times(sim, 10 << i);
            double q = relative_error(lv_sim_position(sim) + 9, exact_q, 3);
            double p = relative_error(lv_sim_momentum(sim) + 9, exact_p, 3);
            bool good = agrees(q, r->q[i], 1e-3, 0) && agrees(p, r->p[i], 4e-3, 0);
            if (!good)
                print_message("    %s step %d: q %.3e p %.3e\n", r->scheme, i, q, p);
            wrong += !good;
            lv_sim_free(sim);
        }
    lv_model_free(model);
    assert_int_equal(wrong, 0);
}

/* Height and momentum of the top's centre of mass, t = 0.001, first step 1e-4. */
static const error_row top_rows[] = {
    {"vi-s",
     {8.654e-6, 4.327e-6, 2.164e-6, 1.082e-6},
     {1.181e-5, 4.615e-6, 1.986e-6, 9.127e-7}},
    {"vi-a",
     {5.059e-9, 1.265e-9, 3.162e-10, 7.905e-11},
     {4.428e-7, 1.107e-7, 2.768e-8, 6.920e-9}},
    {"vi-b",
     {8.658e-6, 4.328e-6, 2.164e-6, 1.082e-6},
     {1.744e-5, 8.717e-6, 4.358e-6, 2.179e-6}},
    {"em",
     {2.427e-10, 6.067e-11, 1.516e-11, 3.7e-12},
     {5.305e-8, 1.326e-8, 3.316e-9, 8.2e-10}},
    {"em-g", {2.428e-10, 6.068e-11, 1.520e-11, 0}, {3.147e-7, 7.867e-8, 1.967e-8, 0}},
    {"vi-b2", {5.070e-10, 1.268e-10, 3.168e-11, 0}, {1.611e-7, 4.028e-8, 1.007e-8, 0}},
};

static void errors_of_the_top_are_as_printed(void **state)
{
    (void)state;
    lv_model *model = read_shipped("steady-top", NULL, NULL);
    const double *q0 = lv_model_start_position(model);
    const double angle = 10 * 0.001, mass = 0.706858347057704;
    const double exact[3] = {-mass * 10 * q0[1] * cos(angle),
                             -mass * 10 * q0[1] * sin(angle), 0};
    int wrong = 0;
    for (size_t k = 0; k < sizeof top_rows / sizeof *top_rows; k++)
        for (int i = 0; i < 4; i++) {
            const error_row *r = &top_rows[k];
            double end[24];
            end_state(end, model, r->scheme, 0.001, 10 << i);
            double q = relative_error(end + 2, &(double){0.0375}, 1);
            double p = relative_error(end + 12, exact, 3);
            bool good =
                agrees(q, r->q[i], 2e-3, 1e-13) && agrees(p, r->p[i], 1e-3, 1e-11);
            if (!good)
                print_message("    %s step %d: q %.3e p %.3e\n", r->scheme, i, q, p);
            wrong += !good;
        }
    lv_model_free(model);
    assert_int_equal(wrong, 0);
}

static void errors_of_the_pendulum_are_as_printed(void **state)
{
    static const error_row rows[] = {
        {"vi-s", {.0651, .0273, .0122, .0058}, {0}},
        {"vi-a", {.0148, .0037, .0009, .0002}, {0}},
        {"vi-b", {.0200, .0155, .0093, .0050}, {0}},
        {"vi-b2", {.0079, .0020, .0005, .0001}, {0}},
        {"em", {.0068, .0017, .0004, .0001}, {0}},
    };
    static const double exact[3] = {-0.9061288904274, -0.3945814687971, -0.1524332588862};
    (void)state;
    lv_model *model = read_shipped("pendulum3d", NULL, NULL);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int i = 0; i < 4; i++) {
            double end[6];
            end_state(end, model, rows[k].scheme, 1, 20 << i);
            assert_close(relative_error(end, exact, 3), rows[k].q[i], 5.1e-5);
        }
    lv_model_free(model);
}

/* ---- the symplectic form -------------------------------------------------------------------------- */

/* A point with any momenta; its positions are tangent to the constraints, or arbitrary too. */
static lv_status point_anywhere(lv_sim *sim, const lv_form_start *start, double e,
                                int curve, double *q, bool tangent)
{
    lv_error err;
    int n = sim->system->n;
    for (int k = 0; k < n; k++)
        q[k] = start->q[k] + e * lv_form_direction(curve, k);
    if (tangent && lv_system_project_position(sim->system, q, 0, &err) != LV_OK)
        fail_with(&err);
    move_to(sim, 0, q, start->v);
    for (int k = 0; k < n; k++)
        sim->state.p[k] =
            start->p[k] * (1 + e * lv_form_direction(curve + LV_FORM_CURVES, k)) +
            e * lv_form_direction(curve + 9, k) / 5;
    memcpy(sim->state.v, sim->state.p, (size_t)n * sizeof *sim->state.v);
    lv_mass_solve(sim->system->mass, sim->state.v);
    return LV_OK;
}

static lv_status point_tangent(lv_sim *sim, const lv_form_start *start, double e,
                               int curve, double *room, lv_error *err)
{
    (void)err;
    return point_anywhere(sim, start, e, curve, room, true);
}

static lv_status point_off(lv_sim *sim, const lv_form_start *start, double e, int curve,
                           double *room, lv_error *err)
{
    (void)err;
    return point_anywhere(sim, start, e, curve, room, false);
}

static double symplectic_defect(const char *model_name, const char *scheme, double step,
                                bool tangent)
{
    lv_model *model = read_shipped(model_name, NULL, NULL);
    lv_sim *sim = start(model, &(method){scheme, 1, 0}, step);
    step_times(sim, 3);
    double worst = two_form_defect_along(sim, 1e-3, tangent ? point_tangent : point_off);
    print_message("    %-15s %-6s %-10s %.1e\n", model_name, scheme,
                  tangent ? "tangent" : "arbitrary", worst);
    lv_sim_free(sim);
    lv_model_free(model);
    return worst;
}

static void variational_schemes_are_symplectic(void **state)
{
    static const struct {
        const char *name;
        double step;
    } models[] = {{"four-particles", 0.05}, {"pendulum3d", 0.05}, {"torus", 0.1}};
    (void)state;
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        for (int s = 0; s < 4; s++)
            assert_at_most(
                symplectic_defect(models[k].name, all[s], models[k].step, true), 1e-9);
        assert_at_most(symplectic_defect(models[k].name, "vi-a", models[k].step, false),
                       1e-9);
    }
}

/* Off the constraints the identity of option B fails, as theory says; energy-momentum schemes are
 * not symplectic at all. */
static void others_are_not(void **state)
{
    (void)state;
    assert_at_least(symplectic_defect("four-particles", "vi-b2", 0.05, false), 1e-4);
    assert_at_least(symplectic_defect("four-particles", "em", 0.05, true), 1e-4);
    assert_at_least(symplectic_defect("four-particles", "em-g", 0.05, true), 1e-4);
}

/* ---- forces, redundancy, scaling ----------------------------------------------------------------- */

/* Midpoint force of DRIVEN_PENDULUM, times the path. */
static double work(const double *before, const double *after, double t, double h)
{
    double dq[2] = {after[0] - before[0], after[1] - before[1]};
    double v[2] = {dq[0] / h, dq[1] / h}, speed2 = v[0] * v[0] + v[1] * v[1];
    return (-0.3 * v[0] * speed2 + 2 * sin(3 * (t + h / 2))) * dq[0] -
           0.3 * v[1] * speed2 * dq[1];
}

static void forces_do_their_work_exactly(void **state)
{
    static const char *const schemes[] = {"em", "em-g", "livens"};
    (void)state;
    lv_model *model = read_text(DRIVEN_PENDULUM);
    for (int s = 0; s < 3; s++) {
        const double h = 0.05;
        lv_sim *sim = start(model, &(method){schemes[s], 1, 0}, h);
        double worst = 0;
        for (int k = 0; k < 200; k++) {
            double q[2] = {lv_sim_position(sim)[0], lv_sim_position(sim)[1]};
            double t = lv_sim_time(sim), e = energy_of(sim);
            step_once(sim);
            double defect = energy_of(sim) - e - work(q, lv_sim_position(sim), t, h);
            worst = fmax(worst, fabs(defect));
        }
        print_message("    %-6s energy balance %.1e\n", schemes[s], worst);
        assert_at_most(worst, 1e-13);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

static void orders_are_kept_with_forces(void **state)
{
    static const int orders[ALL] = {1, 2, 1, 2, 2, 2};
    (void)state;
    lv_model *model = read_text(DRIVEN_PENDULUM);
    for (int s = 0; s < ALL; s++) {
        double order = measured_order(model, all[s], 2, 200);
        print_message("    %-6s order %.2f\n", all[s], order);
        assert_at_most(fabs(order - orders[s]), 0.15);
    }
    lv_model_free(model);
}

/* h c / m = 5: nothing that iterates on the damping would converge. vi-b takes forces at the end of the
 * step, explicitly in p1, and does not go that far. */
static void strong_damping_is_no_obstacle(void **state)
{
    static const char *const schemes[] = {"em", "em-g", "vi-a", "vi-b2", "vi-s"};
    const char text[] = "[coordinates]\nq = { value = [1, 0], velocity = [0, 1] }\n"
                        "[energy]\nkinetic = \"norm2(q')/2\"\npotential = \"9.81*q[2]\"\n"
                        "[constraints.rod]\nholonomic = \"(norm2(q) - 1)/2\"\n"
                        "[forces.drag]\non = \"q\"\n"
                        "force = [\"-500*q'[1]\", \"-500*q'[2]\"]\n";
    (void)state;
    lv_model *model = read_text(text);
    double exact[4], end[4];
    end_state(exact, model, "livens", 1, 4000);
    for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++) {
        end_state(end, model, schemes[s], 1, 100);
        double error = distance(end, exact, 2);
        print_message("    %-6s %.1e\n", schemes[s], error);
        assert_at_most(error, (strcmp(schemes[s], "vi-s") == 0 ? 1e-3 : 1e-5));
    }
    lv_model_free(model);
}

static void constraints_may_depend_on_time(void **state)
{
    static const int orders[ALL] = {1, 2, 1, 2, 2, 2};
    static const double exact[4] = {-0.44591997708, -1.329050797068, -0.1866414587154,
                                    0.06092144127158};
    (void)state;
    lv_model *model = read_shipped("rheonomic-pendulum", NULL, NULL);
    for (int s = 0; s < ALL; s++) {
        double coarse[4], fine[4];
        end_state(coarse, model, all[s], 1.2, 200);
        end_state(fine, model, all[s], 1.2, 400);
        double order = log2(distance(coarse, exact, 4) / distance(fine, exact, 4));
        print_message("    %-6s error %.1e, order %.2f\n", all[s],
                      distance(fine, exact, 4), order);
        assert_at_most(fabs(order - orders[s]), 0.1);
    }
    lv_sim *sim = start(model, &(method){"em", 1, 0}, 0.075);
    for (int k = 0; k < 100; k++) {
        double g, hidden;
        step_once(sim);
        lv_sim_residuals(sim, &g, &hidden);
        assert_true(g <= 2e-15 && hidden <= 2e-14);
    }
    lv_sim_free(sim);
    lv_model_free(model);
}

/* The rod of the pendulum three times over, once scaled. */
#define SWINGING                                                                         \
    "[coordinates]\nq = { value = [1, 0, 0], velocity = [0, 1, 0] }\n"                   \
    "[energy]\nkinetic = \"norm2(q')/2\"\npotential = \"9.81*q[3]\"\n"
#define ROD "[constraints.rod]\nholonomic = \"(norm2(q) - 1)/2\"\n"
#define MORE                                                                             \
    "[constraints.again]\nholonomic = \"(norm2(q) - 1)/2\"\n"                            \
    "[constraints.scaled]\nholonomic = \"30*(norm2(q) - 1)\"\n"

/* Where constraints are redundant momenta are projected, if the scheme knows how to. */
static void end_projected(double *end, const lv_model *model, const char *scheme,
                          double until, int steps)
{
    method m = {scheme, 1, 0, {0}};
    if (lv_scheme_find(scheme)->info.options & LV_TAKES(PROJECTION))
        lv_scheme_option_set(&m.more, LV_OPTION_PROJECTION, 1);
    lv_sim *sim = start(model, &m, until / steps);
    step_times(sim, steps);
    memcpy(end, lv_sim_position(sim), 3 * sizeof *end);
    memcpy(end + 3, lv_sim_momentum(sim), 3 * sizeof *end);
    lv_sim_free(sim);
}

static void redundant_and_scaled_constraints_change_nothing(void **state)
{
    (void)state;
    lv_model *once = read_text(SWINGING ROD), *often = read_text(SWINGING ROD MORE);
    lv_model *scaled =
        read_text(SWINGING "[constraints.rod]\nholonomic = \"1e4*(norm2(q) - 1)\"\n");
    for (int s = 0; s < ALL; s++) {
        double plain[6], redundant[6], large[6], projected[6];
        end_state(plain, once, all[s], 2, 40);
        end_projected(projected, once, all[s], 2, 40);
        end_state(redundant, often, all[s], 2, 40);
        end_state(large, scaled, all[s], 2, 40);
        double a = distance(redundant, projected, 6), b = distance(large, plain, 6);
        print_message("    %-6s redundant %.1e, scaled %.1e\n", all[s], a, b);
        assert_at_most(a, 1e-11);
        assert_at_most(b, 1e-11);
    }
    lv_model_free(once);
    lv_model_free(often);
    lv_model_free(scaled);
}

/* Along the axis y = 0, through the point where the gradient of x*y is zero: at the middle of a step it leaves nothing to
 * hold on to, and elsewhere the step passes. */
static void a_gradient_that_vanishes_is_named(void **state)
{
    static const char text[] = "[parameters]\na = -1\n[coordinates]\n"
                               "x = { value = \"a\", velocity = 1 }\n"
                               "y = { value = 0, velocity = 0 }\n"
                               "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = "
                               "\"y\"\n[constraints.c]\nholonomic = \"x*y\"\n";
    static const char *const starts[] = {"-1.005", "-1.003", "-1"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        const lv_setting setting = {"a", starts[k]};
        lv_error err;
        lv_model *model;
        lv_status status = LV_OK;
        assert_int_equal(
            lv_model_parse(&model, "cross", text, strlen(text), &setting, 1, NULL),
            LV_OK);
        lv_sim *sim = start(model, &(method){"em", 1, 0, {0}}, 0.01);
        for (int i = 0; i < 120 && status == LV_OK; i++)
            status = lv_sim_step(sim, &err);
        assert_int_equal(status, k == 0 ? LV_ERR_NUMERIC : LV_OK);
        if (k == 0) {
            assert_int_equal(err.why, LV_WHY_SINGULAR);
            assert_non_null(strstr(err.text, "the gradient of constraint 'c' nearly "
                                             "vanishes at the middle of the step"));
        }
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

/* ---- size of steps, of times, of systems -------------------------------------------------------------- */

/* Steps of several periods of the stiff spring. Newton's method may end where a rod turns by half in the
 * step: G vanishes at the midpoint, and q1 settles while the equations are far from satisfied. */
static void large_steps_keep_energy_and_constraints(void **state)
{
    static const struct {
        const char *scheme;
        double step, until;
    } cases[] = {{"em", 0.05, 100},  {"em", 0.25, 100},   {"em", 0.5, 400},
                 {"em", 0.675, 400}, {"em-g", 0.25, 100}, {"em-g", 0.41, 300},
                 {"em-g", 0.5, 400}, {"em-g", 0.675, 400}};
    (void)state;
    lv_model *model = read_shipped("four-particles", NULL, NULL);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *scheme = cases[k].scheme;
        lv_sim *sim = start(model, &(method){scheme, 1, 0}, cases[k].step);
        extremes x = watch(sim, (long)(cases[k].until / cases[k].step + 0.5));
        print_message("    %-5s step %g: E %.1e, g %.1e, J %.1e\n", scheme, cases[k].step,
                      x.most - x.least, x.position, fmax(x.linear, x.angular));
        assert_at_most(x.most - x.least, 1e-10);
        assert_at_most(x.position, 1e-13);
        assert_true(strcmp(scheme, "em") != 0 || x.hidden <= 1e-10);
        assert_true(x.linear <= 1e-10 && x.angular <= 1e-10);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

/* ---- refusals ------------------------------------------------------------------------------------------ */

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    lv_model *singular = read_shipped("mass-spring-redundant", NULL, NULL);
    lv_model *varying = read_shipped("two-link-arm", NULL, NULL);
    lv_model *rolling = read_shipped("nonholonomic-particle", NULL, NULL);
    lv_model *charge = read_text(CHARGE);
    for (int s = 0; s < ALL; s++) {
        check_refused(singular, all[s], "singular at the start");
        check_refused(rolling, all[s], "nonholonomic");
        check_refused(charge, all[s], "without linear terms");
    }
    check_refused(varying, "em-g", "is for constant mass matrices");
    lv_model_free(singular);
    lv_model_free(varying);
    lv_model_free(rolling);
    lv_model_free(charge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(states_agree_with_other_implementations),
        RUN(what_is_kept_is_as_tabulated),
        RUN(errors_of_the_four_particles_are_as_printed),
        RUN(errors_of_the_top_are_as_printed),
        RUN(errors_of_the_pendulum_are_as_printed),
        RUN(variational_schemes_are_symplectic),
        RUN(others_are_not),
        RUN(forces_do_their_work_exactly),
        RUN(orders_are_kept_with_forces),
        RUN(strong_damping_is_no_obstacle),
        RUN(constraints_may_depend_on_time),
        RUN(redundant_and_scaled_constraints_change_nothing),
        RUN(a_gradient_that_vanishes_is_named),
        RUN(large_steps_keep_energy_and_constraints),
        RUN(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
