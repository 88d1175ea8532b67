/* rattle and verlet with the axes of bodies as coordinates, which are solved on the group of rotations in three unknowns a
 * body: the same map as with nine coordinates and six constraints, which lobatto with two stages still takes. */
#include "../part/outputs.h"

#include <float.h>

enum { MOST = 64 };

/* Angular velocity in body axes, of a body whose axes begin at a coordinate. */
static void spin_of(double w[3], const lv_sim *sim, int axes)
{
    const double *e = lv_sim_position(sim) + axes, *d = lv_sim_velocity(sim) + axes;
    for (int k = 0; k < 3; k++) {
        const double *to = e + 3 * ((k + 2) % 3), *of = d + 3 * ((k + 1) % 3);
        w[k] = to[0] * of[0] + to[1] * of[1] + to[2] * of[2];
    }
}

/* ---- the same map --------------------------------------------------------------------------------------- */

#define CHAIN                                                                            \
    "[gravity]\nacceleration = [0, 0, -9.81]\n[bodies.a]\nmass = 2\ninertia = [0.3, "    \
    "0.5, 0.4]\nposition = [0.5, 0, 0]\nvelocity = [0, 1, -0.5]\nangular_velocity = "    \
    "[0.5, 1, 2]\n[bodies.b]\nmass = 1\ninertia = [0.2, 0.3, 0.25, 0.02, 0.01, 0.03]\n"  \
    "position = [1.5, 0, 0]\nvelocity = [0, 1.5, -1.5]\nangular_velocity = [3, 1, -1]\n" \
    "[joints.root]\ntype = \"spherical\"\nbetween = [\"ground\", \"a\"]\nat = [0, 0, "   \
    "0]\n[joints.elbow]\ntype = \"spherical\"\nbetween = [\"a\", \"b\"]\nat = [1, 0, "   \
    "0]\n[springs.s]\nbetween = [[1, 1, 1], \"point(b, [0.2, 0.1, 0])\"]\nstiffness = "  \
    "30\nlength = 0.5\n"
#define DRIVEN                                                                           \
    "[bodies.a]\nmass = 2\ninertia = [0.3, 0.5, 0.4]\nposition = [0, 0, 0]\n"            \
    "angular_velocity = [0.5, 1, 2]\n[particles.p]\nmass = 1\nposition = [1, 1, 0]\n"    \
    "[energy]\npotential = \"3*cos(4*t)*dot(a.e1, p) + dot(a - p, a - p)\"\n"

static const method by_rattle[] = {{"rattle", 0, 0}, {"rattle", 0, 4}, {"rattle", 0, 6}};
static const method by_lobatto[] = {
    {"lobatto", 2, 0}, {"lobatto", 2, 4}, {"lobatto", 2, 6}};

static double apart(const lv_sim *a, const lv_sim *b)
{
    double most = 0;
    for (int i = 0; i < a->system->n; i++) {
        const double v = fabs(lv_sim_velocity(b)[i]);
        most = worst_of(most, fabs(lv_sim_position(a)[i] - lv_sim_position(b)[i]));
        most = worst_of(most, fabs(lv_sim_velocity(a)[i] - lv_sim_velocity(b)[i]) /
                                  (v > 1 ? v : 1));
        most = worst_of(most, fabs(lv_sim_momentum(a)[i] - lv_sim_momentum(b)[i]) /
                                  (v > 1 ? v : 1));
    }
    return most;
}

static void check_same(const char *text, double bound)
{
    lv_model *model = read_text(text);
    for (int k = 0; k < 3; k++) {
        lv_sim *a = start(model, &by_rattle[k], 5e-3),
               *b = start(model, &by_lobatto[k], 5e-3);
        step_times(a, 50);
        step_times(b, 50);
        print_message("    composed to %d: %.1e\n", by_rattle[k].compose, apart(a, b));
        assert_below(apart(a, b), bound);
        lv_sim_free(a);
        lv_sim_free(b);
    }
    lv_model_free(model);
}

static void the_map_is_that_of_twelve_coordinates(void **state)
{
    (void)state;
    check_same(CHAIN, 1e-13);
    check_same(DRIVEN, 1e-13);
}

/* Where the map would be another one, steps are those of lobatto to the last bit. */
static void forces_of_velocities_stay_in_coordinates(void **state)
{
    (void)state;
    check_same(CHAIN "damping = 2\n", DBL_MIN);
}

/* ---- inside of a step ------------------------------------------------------------------------------------ */

static void dense_output_is_that_of_twelve_coordinates(void **state)
{
    (void)state;
    lv_model *model = read_text(CHAIN);
    lv_sim *a = start_dense(model, &by_rattle[0], 5e-3),
           *b = start_dense(model, &by_lobatto[0], 5e-3);
    double x[MOST], y[MOST], px[MOST], py[MOST], most = 0, size = 0;
    step_times(a, 3);
    step_times(b, 3);
    for (int kind = 0; kind < 2; kind++)
        for (double t = 0.0102; t < 0.015; t += 0.0011) {
            assert_int_equal(lv_sim_sample(a, t, (lv_sample)kind, x, NULL, px, NULL),
                             LV_OK);
            assert_int_equal(lv_sim_sample(b, t, (lv_sample)kind, y, NULL, py, NULL),
                             LV_OK);
            for (int i = 0; i < a->system->n; i++) {
                most = worst_of(most, fabs(x[i] - y[i]));
                most = worst_of(most, fabs(px[i] - py[i]));
                size = worst_of(size, fabs(y[i] - lv_sim_position(b)[i]));
            }
        }
    print_message("    %.1e\n", most);
    assert_below(most, 1e-12);
    assert_above(size, 1e-3);
    lv_sim_free(a);
    lv_sim_free(b);
    lv_model_free(model);
}

static void derivatives_are_those_of_twelve_coordinates(void **state)
{
    (void)state;
    static double x[48 * 48], y[48 * 48];
    lv_model *model = read_text(CHAIN);
    for (int k = 0; k < 2; k++) {
        lv_sim *a = start(model, &by_rattle[k], 5e-3),
               *b = start(model, &by_lobatto[k], 5e-3);
        double most = 0, size = 0;
        step_times(a, 3);
        step_times(b, 3);
        for (int again = 0; again < 2; again++) {
            lv_error err;
            if (lv_sim_tangent(a, x, &err) != LV_OK)
                fail_with(&err);
            assert_int_equal(lv_sim_tangent(b, y, NULL), LV_OK);
            for (int i = 0; i < 48 * 48; i++) {
                most = worst_of(most, fabs(x[i] - y[i]));
                size = worst_of(size, fabs(y[i]));
            }
        }
        print_message("    %.1e of %.1e\n", most, size);
        assert_below(most, 1e-11 * size);
        lv_sim_free(a);
        lv_sim_free(b);
    }
    lv_model_free(model);
}

/* ---- a free body ------------------------------------------------------------------------------------------ */

#define FREE                                                                             \
    "[bodies.b]\nmass = 1\ninertia = [1, 2, 3]\nposition = [0, 0, 0]\nangular_velocity " \
    "= [0.4, 1.1, 0.3]\n"

/* R row by row and omega at t = 4, h = 0.05, from the equation of Moser and Veselov solved elsewhere, and errors against
 * the motion. */
static const double free_end[] = {-0.129543170471, 0.718738058108, -0.683106266120,
                                  -0.633370590650, 0.470078371503, 0.614709703474,
                                  0.762928739716,  0.512290863156, 0.394332105772,
                                  -0.758596701874, 0.891364708695, 0.478005912130};
static const double free_true[] = {
    -0.131519046148760, 0.717027213151894,  -0.684525175650793, -0.632439001659255,
    0.471048573418222,  0.614926134312815,  0.763363379839749,  0.513794917335979,
    0.391524115782603,  -0.756946380254091, 0.892766586191614,  0.477133043144073};

/* R and omega of the only body, whose axes begin at a coordinate. */
static void read_body(double x[12], const lv_sim *sim, int axes)
{
    for (int k = 0; k < 9; k++)
        x[k] = lv_sim_position(sim)[axes + 3 * (k % 3) + k / 3];
    spin_of(x + 9, sim, axes);
}

static double off(const double *x, const double *y, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++)
        most = worst_of(most, fabs(x[k] - y[k]));
    return most;
}

static void a_free_body_has_the_digits_of_its_equation(void **state)
{
    (void)state;
    static const double errors[] = {4.55e-2, 1.13e-2, 2.81e-3};
    lv_model *model = read_text(FREE);
    for (int k = 0; k < 3; k++) {
        double x[12];
        lv_sim *sim = start(model, &(method){.scheme = k == 1 ? "verlet" : "rattle"},
                            0.2 / (1 << k));
        step_times(sim, 20 << k);
        read_body(x, sim, 3);
        assert_close(off(x, free_true, 12) / errors[k], 1, 5e-3);
        if (k == 2)
            assert_below(off(x, free_end, 12), 2e-12);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

static void a_free_body_keeps_energy_and_momentum_to_rounding(void **state)
{
    (void)state;
    static const double inertia[] = {1, 2, 3};
    lv_model *model = read_text(FREE);
    lv_sim *sim = start(model, &(method){.scheme = "rattle"}, 0.1);
    double first[3] = {0}, drift = 0, energy = 0;
    for (int n = 0; n <= 20000; n++) {
        double x[12], spatial[3] = {0}, e = 0;
        read_body(x, sim, 3);
        for (int i = 0; i < 3; i++) {
            e += inertia[i] * x[9 + i] * x[9 + i];
            for (int k = 0; k < 3; k++)
                spatial[i] += x[3 * i + k] * inertia[k] * x[9 + k];
        }
        for (int i = 0; n == 0 && i < 3; i++)
            first[i] = spatial[i];
        drift = worst_of(drift, off(spatial, first, 3));
        energy = worst_of(energy, fabs(e - 2.85) / 2.85);
        step_times(sim, 1);
    }
    print_message("    momentum %.1e, energy %.1e\n", drift, energy);
    assert_below(drift, 1e-14);
    assert_below(energy, 1e-13);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* ---- the heavy top: a flat body ------------------------------------------------------------------------------ */

#define TOP                                                                              \
    "[gravity]\nacceleration = [0, 0, -9.81]\n[bodies.top]\nmass = 15\ninertia = "       \
    "[0.234375, 0.46875, 0.234375]\nposition = [0, 1, 0]\nangular_velocity = [0, 150, "  \
    "-4.61538]\nvelocity = [4.61538, 0, 0]\n[joints.tip]\ntype = \"spherical\"\n"        \
    "between = [\"ground\", \"top\"]\nat = [0, 0, 0]\n"

/* x, R row 1, R row 3, v, omega at t = 0.1, h = 1e-3, from the equations of the scheme solved elsewhere. */
static const double top_end[] = {0.4213578700128,  0.8945361062629,
                                 -0.1492069032261, -0.7473141386772,
                                 0.4213578700128,  0.5137889873396,
                                 -0.6159419066149, -0.1492069032261,
                                 -0.7735327192209, 3.408163170394,
                                 -2.083757786135,  -2.868099216711,
                                 4.742795273775,   150,
                                 1.299811069066};

static void a_flat_top_has_the_digits_of_its_equations(void **state)
{
    (void)state;
    lv_model *model = read_text(TOP);
    lv_sim *sim = start(model, &(method){.scheme = "rattle"}, 1e-3);
    double x[12], y[15];
    step_times(sim, 100);
    read_body(x, sim, 3);
    memcpy(y, lv_sim_position(sim), 3 * sizeof *y);
    memcpy(y + 3, x, 3 * sizeof *y);
    memcpy(y + 6, x + 6, 3 * sizeof *y);
    memcpy(y + 9, lv_sim_velocity(sim), 3 * sizeof *y);
    memcpy(y + 12, x + 9, 3 * sizeof *y);
    for (int k = 0; k < 15; k++)
        assert_close(y[k], top_end[k], k < 9 ? 1e-12 : 3e-12);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* The top about its fixed point, R row by row and omega: the classical scheme of Runge and Kutta. */
static void top_rate(double f[12], const double x[12])
{
    static const double j[] = {15.234375, 0.46875, 15.234375};
    const double *w = x + 9, g = 15 * 9.81;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            f[3 * i + k] = x[3 * i + a] * w[b] - x[3 * i + b] * w[a];
        }
    /* e2 x R^T (0, 0, -m g) */
    const double torque[] = {-g * x[8], 0, g * x[6]};
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        f[9 + k] = ((j[a] - j[b]) * w[a] * w[b] + torque[k]) / j[k];
    }
}

static void top_step(double x[12], double h)
{
    static const double part[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    double f[12] = {0}, sum[12] = {0}, y[12];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 12; i++)
            y[i] = x[i] + part[s] * h * f[i];
        top_rate(f, y);
        for (int i = 0; i < 12; i++)
            sum[i] += weight[s] * f[i];
    }
    for (int i = 0; i < 12; i++)
        x[i] += h / 6 * sum[i];
}

enum { NODES = 250, FINE = 800 };
static double top_motion[NODES + 1][12]; /* at multiples of 4e-3 */

static void move_top(void)
{
    double x[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 150, -4.61538};
    memcpy(top_motion[0], x, sizeof x);
    for (int k = 1; k <= NODES; k++) {
        for (int i = 0; i < FINE; i++)
            top_step(x, 4e-3 / FINE);
        memcpy(top_motion[k], x, sizeof x);
    }
}

/* Euclidean norms: positions are R and its second column, velocities that of this column and omega. */
static void top_errors(const lv_sim *sim, const double *truth, double *q, double *v)
{
    double x[12], sum[2] = {0, 0};
    read_body(x, sim, 3);
    for (int k = 0; k < 12; k++)
        sum[k >= 9] += (x[k] - truth[k]) * (x[k] - truth[k]);
    for (int i = 0; i < 3; i++) {
        const double position = lv_sim_position(sim)[i] - truth[3 * i + 1],
                     velocity = lv_sim_velocity(sim)[i] -
                                (truth[3 * i + 2] * truth[9] - truth[3 * i] * truth[11]);
        sum[0] += position * position;
        sum[1] += velocity * velocity;
    }
    *q = worst_of(*q, sqrt(sum[0]));
    *v = worst_of(*v, sqrt(sum[1]));
}

static void a_flat_top_has_its_table_of_errors(void **state)
{
    (void)state;
    static const double q[] = {2.83, 2.61, 7.945e-1, 1.996e-1, 4.985e-2, 1.246e-2},
                        v[] = {12.4, 11.0, 3.355, 8.429e-1, 2.105e-1, 5.260e-2},
                        energy[] = {4.7e-1, 1.1e-1, 2.69e-2, 6.7e-3, 1.67e-3, 4.2e-4},
                        round_to[] = {5e-3, 5e-3, 7e-4, 7e-4, 5e-4, 5e-4};
    lv_model *model = read_text(TOP);
    move_top();
    for (int k = 0; k < 6; k++) {
        lv_sim *sim = start(model, &(method){.scheme = "rattle"}, 4e-3 / (1 << k));
        const double e = lv_sim_energies(sim).total;
        double worst_q = 0, worst_v = 0, worst_e = 0;
        for (int n = 1; n <= NODES; n++) {
            for (int i = 0; i < 1 << k; i++) {
                step_times(sim, 1);
                worst_e = worst_of(worst_e, fabs(lv_sim_energies(sim).total - e));
            }
            top_errors(sim, top_motion[n], &worst_q, &worst_v);
        }
        print_message("    %.2e  q %.4g  v %.4g  energy %.3g\n", 4e-3 / (1 << k), worst_q,
                      worst_v, worst_e);
        assert_close(worst_q / q[k], 1, round_to[k]);
        assert_close(worst_v / v[k], 1, round_to[k]);
        assert_close(worst_e / energy[k], 1, 2e-2);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

/* ---- steps that are too large -------------------------------------------------------------------------------- */

#define WHEEL                                                                            \
    "[bodies.wheel]\nmass = 1\ninertia = [1, 2, 3]\nposition = [0, 0, 0]\n"              \
    "angular_velocity = [0, 0, 10]\n"

/* About a principal axis the angle of a step is asin(h omega). */
static void a_step_turns_by_the_arcsine(void **state)
{
    (void)state;
    static const double turns[] = {0.1, 0.5, 0.9, 0.999};
    lv_model *model = read_text(WHEEL);
    for (int k = 0; k < 4; k++) {
        lv_sim *sim = start(model, &(method){.scheme = "verlet"}, turns[k] / 10);
        step_times(sim, 1);
        assert_close(lv_sim_position(sim)[4], turns[k], 1e-13);
        assert_close(lv_sim_position(sim)[3], sqrt(1 - turns[k] * turns[k]), 1e-12);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

static void steps_without_a_solution_say_so(void **state)
{
    (void)state;
    static const double turns[] = {1.001, 1.01, 1.5, 3, 10};
    lv_model *model = read_text(WHEEL);
    for (int k = 0; k < 5; k++) {
        lv_error err;
        char says[200];
        lv_sim *sim = start(model, &(method){.scheme = "rattle"}, turns[k] / 10);
        assert_int_equal(lv_sim_step(sim, &err), LV_ERR_NUMERIC);
        snprintf(says, sizeof says,
                 "the step is too large for body 'wheel', which turns by %.3g rad in it: "
                 "with directors that has to be below 1",
                 turns[k]);
        assert_non_null(strstr(err.text, says));
        assert_int_equal(err.about, LV_ABOUT_STEP);
        assert_true(lv_sim_position(sim)[3] == 1);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_map_is_that_of_twelve_coordinates),
        cmocka_unit_test(forces_of_velocities_stay_in_coordinates),
        cmocka_unit_test(dense_output_is_that_of_twelve_coordinates),
        cmocka_unit_test(derivatives_are_those_of_twelve_coordinates),
        cmocka_unit_test(a_free_body_has_the_digits_of_its_equation),
        cmocka_unit_test(a_free_body_keeps_energy_and_momentum_to_rounding),
        cmocka_unit_test(a_flat_top_has_the_digits_of_its_equations),
        cmocka_unit_test(a_flat_top_has_its_table_of_errors),
        cmocka_unit_test(a_step_turns_by_the_arcsine),
        cmocka_unit_test(steps_without_a_solution_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
