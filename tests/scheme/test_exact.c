/* rotations = "exact": kicks, and free rotation between them. */
#include "../part/outputs.h"

#include <float.h>

/* ---- a top about its fixed point, written without the library ---------------------------------------------- */

typedef struct top {
    double inertia[3],
        pull; /* weight times the distance of the centre, along the second axis */
} top;

/* R row by row, and omega in body axes. */
static void top_rate(const top *t, double f[12], const double x[12])
{
    const double *w = x + 9, *j = t->inertia;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            f[3 * i + k] = x[3 * i + a] * w[b] - x[3 * i + b] * w[a];
        }
    const double torque[] = {-t->pull * x[8], 0, t->pull * x[6]};
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        f[9 + k] = ((j[a] - j[b]) * w[a] * w[b] + torque[k]) / j[k];
    }
}

/* The classical scheme of Runge and Kutta. */
static void move_top(const top *t, double x[12], double until, long steps)
{
    static const double part[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    const double h = until / (double)steps;
    for (long n = 0; n < steps; n++) {
        double f[12] = {0}, sum[12] = {0}, y[12];
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < 12; i++)
                y[i] = x[i] + part[s] * h * f[i];
            top_rate(t, f, y);
            for (int i = 0; i < 12; i++)
                sum[i] += weight[s] * f[i];
        }
        for (int i = 0; i < 12; i++)
            x[i] += h / 6 * sum[i];
    }
}

/* ---- simulations ---------------------------------------------------------------------------------------------- */

static method exact(const char *scheme, int compose)
{
    method m = {scheme, 0, compose};
    lv_scheme_option_set(&m.more, LV_OPTION_ROTATIONS, 3);
    return m;
}

static void read_body(double x[12], const lv_sim *sim, int axes)
{
    const double *e = lv_sim_position(sim) + axes, *d = lv_sim_velocity(sim) + axes;
    for (int k = 0; k < 9; k++)
        x[k] = e[3 * (k % 3) + k / 3];
    for (int k = 0; k < 3; k++) {
        const double *to = e + 3 * ((k + 2) % 3), *of = d + 3 * ((k + 1) % 3);
        x[9 + k] = to[0] * of[0] + to[1] * of[1] + to[2] * of[2];
    }
}

static double off(const double *x, const double *y, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++)
        most = worst_of(most, fabs(x[k] - y[k]));
    return most;
}

/* The error of R at the end. */
static double error_of(const lv_model *model, const method *m, double step, double until,
                       const double *truth)
{
    lv_sim *sim = start(model, m, step);
    double x[12];
    step_times(sim, lround(until / step));
    read_body(x, sim, lv_model_coordinate_count(model) - 9);
    lv_sim_free(sim);
    return off(x, truth, 9);
}

/* ---- the heavy top -------------------------------------------------------------------------------------------- */

#define TOP                                                                              \
    "[gravity]\nacceleration = [0, 0, -9.81]\n[bodies.top]\nmass = 15\ninertia = "       \
    "[0.234375, 0.46875, 0.234375]\nposition = [0, 1, 0]\nangular_velocity = [0, 150, "  \
    "-4.61538]\n"
#define ON_PIVOT TOP "pivot = [0, -1, 0]\n"
#define ON_JOINT                                                                         \
    TOP "velocity = [4.61538, 0, 0]\n[joints.tip]\ntype = \"spherical\"\nbetween = "     \
        "[\"ground\", \"top\"]\nat = [0, 0, 0]\n"

/* R at t = 0.5 and 0.1, from two independent integrations that agree to 7e-13. */
static const double at_half[] = {0.6652792324397,  -0.7024682970566,  0.2528672270479,
                                 -0.3746628825214, -0.02116518470192, 0.926919499966,
                                 -0.6457795810841, -0.7114002576517,  -0.2772695548881},
                    at_tenth[] = {-0.7168895366515, 0.4212966589254,  0.555498440518,
                                  0.2277430075553,  0.8945719743456,  -0.38454402248,
                                  -0.6589404485606, -0.1491647005619, -0.7372566563667};

static void a_symmetric_top_has_its_errors(void **state)
{
    (void)state;
    static const double steps[] = {4e-3, 2e-3, 1e-3, 5e-4},
                        errors[] = {1.3e-5, 3.2e-6, 7.9e-7, 2.0e-7};
    lv_model *model = read_text(ON_PIVOT);
    const method m = exact("verlet", 0);
    for (int k = 0; k < 4; k++) {
        const double error = error_of(model, &m, steps[k], 0.5, at_half);
        print_message("    %.0e: %.2e\n", steps[k], error);
        assert_close(error / errors[k], 1, 0.04);
    }
    lv_model_free(model);
}

/* With a constraint: as rattle. */
static void a_top_on_a_joint_converges(void **state)
{
    (void)state;
    lv_model *model = read_text(ON_JOINT);
    static const struct {
        int compose;
        double step, order, within;
    } rows[] = {{0, 1e-3, 2, 0.05}, {4, 2e-3, 4, 0.15}};
    for (int k = 0; k < 2; k++) {
        const method m = exact("rattle", rows[k].compose);
        const double coarse = error_of(model, &m, rows[k].step, 0.1, at_tenth),
                     fine = error_of(model, &m, rows[k].step / 2, 0.1, at_tenth);
        print_message("    composed to %d: %.2e %.2e\n", rows[k].compose, coarse, fine);
        assert_close(log2(coarse / fine), rows[k].order, rows[k].within);
        lv_sim *sim = start(model, &m, rows[k].step);
        step_times(sim, 50);
        const double *q = lv_sim_position(sim), *v = lv_sim_velocity(sim);
        assert_below(off(q, q + 6, 3), 1e-15); /* the centre is at the end of axis 2 */
        assert_below(off(v, v + 6, 3), 1e-13);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

/* ---- bodies without symmetry ------------------------------------------------------------------------------------ */

#define UNLIKE                                                                           \
    "[gravity]\nacceleration = [0, 0, -9.81]\n[bodies.top]\nmass = 1\ninertia = [0.3, "  \
    "0.5, 0.4]\nposition = [0, 1, 0]\nangular_velocity = [1, 3, 2]\npivot = [0, -1, "    \
    "0]\n"

static void compositions_have_their_orders(void **state)
{
    (void)state;
    static const struct {
        int compose;
        double step, within;
    } rows[] = {{0, 0.01, 0.05}, {4, 0.02, 0.15}, {6, 0.05, 0.2}, {8, 0.125, 0.3}};
    const top unlike = {{1.3, 0.5, 1.4}, 9.81};
    double truth[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 3, 2};
    move_top(&unlike, truth, 1, 40000);
    lv_model *model = read_text(UNLIKE);
    for (int k = 0; k < 4; k++) {
        const method m = exact("verlet", rows[k].compose);
        const double coarse = error_of(model, &m, rows[k].step, 1, truth),
                     fine = error_of(model, &m, rows[k].step / 2, 1, truth);
        const double order = rows[k].compose ? rows[k].compose : 2;
        print_message("    order %g: %.2e %.2e, %.2f\n", order, coarse, fine,
                      log2(coarse / fine));
        assert_close(log2(coarse / fine) / order, 1, rows[k].within);
    }
    lv_model_free(model);
}

#define FREE                                                                             \
    "[bodies.b]\nmass = 1\ninertia = [0.2, 0.3, 0.25, 0.02, 0.01, 0.03]\nposition = "    \
    "[0, 0, 0]\nangular_velocity = [0.4, 1.1, 0.3]\n"

/* The momentum is that of the axes in coordinates, of which it is a sum. */
static void spatial_momenta_are_kept_to_rounding(void **state)
{
    (void)state;
    lv_model *model = read_text(FREE);
    const method m = exact("verlet", 0);
    lv_sim *sim = start(model, &m, 0.1);
    double first[3] = {0}, drift = 0, energy = 0;
    const double e0 = lv_sim_energies(sim).total;
    for (int n = 0; n <= 20000; n++) {
        /* sum of e_k x (momentum of e_k) */
        const double *q = lv_sim_position(sim) + 3, *p = lv_sim_momentum(sim) + 3;
        double spatial[3] = {0};
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++) {
                const int a = (i + 1) % 3, b = (i + 2) % 3;
                spatial[i] += q[3 * k + a] * p[3 * k + b] - q[3 * k + b] * p[3 * k + a];
            }
        for (int i = 0; n == 0 && i < 3; i++)
            first[i] = spatial[i];
        drift = worst_of(drift, off(spatial, first, 3));
        energy = worst_of(energy, fabs(lv_sim_energies(sim).total - e0) / e0);
        step_times(sim, 1);
    }
    print_message("    momentum %.1e, energy %.1e\n", drift, energy);
    assert_below(drift, 1e-14);
    assert_below(energy, 1e-3);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* A symmetric body turns freely without an error, in steps of any size. */
static void symmetric_bodies_turn_freely_without_error(void **state)
{
    (void)state;
    lv_model *model = read_text("[bodies.b]\nmass = 1\ninertia = [1, 1, 1.6]\nposition = "
                                "[0, 0, 0]\nangular_velocity = [0.4, 1.1, 0.3]\n");
    const top b = {{1, 1, 1.6}, 0};
    double truth[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0.4, 1.1, 0.3};
    move_top(&b, truth, 4, 20000);
    for (int k = 0; k < 2; k++) {
        const method m = exact("rattle", 0);
        assert_below(error_of(model, &m, k == 0 ? 2 : 0.1, 4, truth), 1e-12);
    }
    lv_model_free(model);
}

/* ---- inside of steps ---------------------------------------------------------------------------------------------- */

/* How far axes and momenta of the top are from those of steps of half the size, in the middle of a step; at both ends of the
 * step they are those of the nodes. */
static double middle_error(const lv_model *model, double step)
{
    enum { N = 12 };
    const method m = exact("rattle", 0);
    lv_sim *sim = start_dense(model, &m, step), *fine = start_dense(model, &m, step / 64);
    double q[N], v[N], p[N], before[N];
    lv_error err;
    step_times(fine, 96);
    step_once(sim);
    memcpy(before, lv_sim_position(sim), sizeof before);
    step_once(sim);
    assert_int_equal(lv_sim_sample(sim, step, LV_SAMPLE_INTEGRATED, q, v, p, &err),
                     LV_OK);
    assert_below(off(q, before, N), 1e-14);
    assert_int_equal(
        lv_sim_sample(sim, step * (2 - 1e-15), LV_SAMPLE_INTEGRATED, q, v, p, &err),
        LV_OK);
    assert_below(off(q, lv_sim_position(sim), N), 1e-12);
    assert_below(off(p, lv_sim_momentum(sim), N), 1e-9);
    assert_int_equal(lv_sim_sample(sim, 1.5 * step, LV_SAMPLE_INTEGRATED, q, v, p, &err),
                     LV_OK);
    const double error = off(q, lv_sim_position(fine), N);
    lv_sim_free(sim);
    lv_sim_free(fine);
    return error;
}

static void there_is_dense_output(void **state)
{
    (void)state;
    lv_model *model = read_text(ON_JOINT);
    const double coarse = middle_error(model, 2e-3), fine = middle_error(model, 1e-3);
    print_message("    %.1e %.1e\n", coarse, fine);
    assert_close(log2(coarse / fine), 2, 0.2);
    lv_model_free(model);
}

/* ---- refusals --------------------------------------------------------------------------------------------------- */

static void check_refused(const char *text, const method *m, const char *says)
{
    lv_model *model = read_text(text);
    lv_sim *sim = NULL;
    lv_error err;
    assert_int_equal(try_start(&sim, model, m, 1e-3, &err), LV_ERR_MODEL);
    assert_string_equal(err.text, says);
    assert_int_equal(err.about, LV_ABOUT_OPTION);
    lv_model_free(model);
}

static void what_does_not_turn_freely_is_refused(void **state)
{
    (void)state;
    const method rattle = exact("rattle", 0), lobatto = exact("lobatto", 0),
                 em = exact("em", 0);
    check_refused(
        FREE, &lobatto,
        "steps of scheme 'lobatto' are no kicks between which bodies could turn "
        "exactly");
    check_refused(FREE, &em, "scheme 'em' moves bodies by their axes only");
    check_refused(
        FREE "[coordinates]\ns = { value = 0, velocity = 1 }\n[energy]\nkinetic "
             "= \"s'^2/2 + 0.1*s'*dot(b.e1', b.e2)\"\n",
        &rattle,
        "scheme 'rattle' cannot turn bodies exactly: a body shares kinetic energy "
        "with other coordinates");
    check_refused(FREE
                  "[coordinates]\ns = { value = 0, velocity = 1 }\n[energy]\nkinetic "
                  "= \"s'^2/2*(2 + sin(s))\"\n",
                  &rattle,
                  "scheme 'rattle' cannot turn bodies exactly: the mass matrix is not "
                  "constant in body axes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_symmetric_top_has_its_errors),
        cmocka_unit_test(a_top_on_a_joint_converges),
        cmocka_unit_test(compositions_have_their_orders),
        cmocka_unit_test(spatial_momenta_are_kept_to_rounding),
        cmocka_unit_test(symmetric_bodies_turn_freely_without_error),
        cmocka_unit_test(there_is_dense_output),
        cmocka_unit_test(what_does_not_turn_freely_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
