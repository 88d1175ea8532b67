/* Simulations of bodies on groups as callers see them: states that are saved and copied, models without bodies, steps
 * that are too large. */
#include "groups.h"

#include "run/sim.h"

/* ---- states ------------------------------------------------------------------------------------------------- */

/* A torsion spring on a hinge counts turns; the second body swings on it. */
static const char hinged[] = "[gravity]\nacceleration = [0, 0, -9.81]\n"
                             "[bodies.a]\nmass = 1\ninertia = [0.1, 0.2, 0.25]\n"
                             "position = [0.5, 0, 0]\nspin = [0, 9, 0]\n"
                             "velocity = [0, 0, -4.5]\n"
                             "[bodies.b]\nmass = 0.5\ninertia = [0.05, 0.06, 0.04]\n"
                             "position = [1.2, 0.1, 0]\nvelocity = [0, 0, -9]\n"
                             "[joints.hinge]\ntype = \"revolute\"\n"
                             "between = [\"ground\", \"a\"]\nat = [0, 0, 0]\n"
                             "axis = [0, 1, 0]\n"
                             "[joints.ball]\ntype = \"spherical\"\n"
                             "between = [\"a\", \"b\"]\nat = [1, 0, 0]\n"
                             "[springs.torsion]\njoint = \"hinge\"\nstiffness = 0.4\n"
                             "[forces.drag]\non = \"a\"\nforce = \"-0.1*a'\"\n"
                             "[run]\ninitial = \"project\"\n";

/* The same without forces of velocities and angles. */
static const char chain[] = "[gravity]\nacceleration = [0, 0, -9.81]\n"
                            "[bodies.a]\nmass = 1\ninertia = [0.1, 0.2, 0.25]\n"
                            "position = [0.5, 0, 0]\nspin = [0, 9, 0]\n"
                            "velocity = [0, 0, -4.5]\n"
                            "[joints.hinge]\ntype = \"revolute\"\n"
                            "between = [\"ground\", \"a\"]\nat = [0, 0, 0]\n"
                            "axis = [0, 1, 0]\n";

static const struct {
    const char *model, *scheme;
    int stages, compose;
    double step;
} runs[] = {
    {"heavy-top", "gauss", 2, 0, 0.002},     {"heavy-top", "gauss", 1, 4, 0.002},
    {"heavy-top", "rattle", 0, 0, 0.001},    {hinged, "lobatto", 3, 0, 0.01},
    {hinged, "rattle", 0, 0, 0.01},          {"bennett-linkage", "lobatto", 2, 0, 0.005},
    {"ball-in-bowl", "lobatto", 4, 0, 0.01}, {"rolling-disc-body", "lobatto", 3, 0, 0.01},
    {"body-chain", "rattle", 0, 4, 0.005},
};
enum { RUNS = sizeof runs / sizeof *runs, EXACT = 3 };

static lv_model *model_of(const char *name)
{
    return strchr(name, '\n') ? read_text(name) : read_shipped(name, NULL, NULL);
}

static method method_of(int k)
{
    /* of steps with a chart a single stage with exp is symmetric */
    const bool composed = runs[k].compose != 0;
    method m = on_group(runs[k].scheme, runs[k].stages, k % 2 == 1 && !composed);
    m.compose = runs[k].compose;
    if (composed && m.stages != 1)
        lv_scheme_option_set(&m.more, LV_OPTION_ROTATIONS, EXACT);
    return m;
}

static void assert_same(lv_sim *a, lv_sim *b)
{
    const size_t bytes = (size_t)a->system->n * sizeof(double);
    assert_memory_equal(lv_sim_position(a), lv_sim_position(b), bytes);
    assert_memory_equal(lv_sim_velocity(a), lv_sim_velocity(b), bytes);
    assert_memory_equal(lv_sim_momentum(a), lv_sim_momentum(b), bytes);
    assert_true(lv_sim_time(a) == lv_sim_time(b));
    assert_int_equal(lv_sim_steps(a), lv_sim_steps(b));
    assert_int_equal(lv_sim_iterations(a), lv_sim_iterations(b));
    assert_true(lv_sim_balance(a) == lv_sim_balance(b));
}

/* Into a simulation that was elsewhere, into a new one, and back into the same one. */
static void simulations_go_on_from_saved_states_bit_for_bit(void **state)
{
    (void)state;
    for (int k = 0; k < RUNS; k++) {
        lv_model *model = model_of(runs[k].model);
        const method m = method_of(k);
        lv_sim *sim = start(model, &m, runs[k].step),
               *other = start(model, &m, runs[k].step),
               *third = start(model, &m, runs[k].step);
        const int count = lv_sim_save_count(sim);
        double *numbers = malloc((size_t)count * sizeof *numbers);
        assert_non_null(numbers);
        step_times(sim, 23);
        step_times(other, 5);
        assert_int_equal(lv_sim_save(sim, numbers, count, NULL), LV_OK);
        assert_int_equal(lv_sim_restore(other, numbers, count, NULL), LV_OK);
        assert_int_equal(lv_sim_copy(third, sim, NULL), LV_OK);
        step_times(sim, 20);
        step_times(other, 20);
        step_times(third, 20);
        assert_same(sim, other);
        assert_same(sim, third);
        assert_int_equal(lv_sim_restore(sim, numbers, count, NULL), LV_OK);
        step_times(sim, 20);
        assert_same(sim, other);
        free(numbers);
        lv_sim_free(sim);
        lv_sim_free(other);
        lv_sim_free(third);
        lv_model_free(model);
    }
}

/* A state that is set begins anew: as a simulation that starts there. */
static void states_that_are_set_begin_anew(void **state)
{
    (void)state;
    lv_model *model = read_shipped("heavy-top", NULL, NULL);
    const method m = on_group("gauss", 2, false);
    lv_sim *a = start(model, &m, 0.002), *b = start(model, &m, 0.002);
    step_times(a, 7);
    move_to(a, 0, lv_model_start_position(model), lv_model_start_velocity(model));
    step_times(a, 11);
    step_times(b, 11);
    const size_t bytes = (size_t)a->system->n * sizeof(double);
    assert_memory_equal(lv_sim_position(a), lv_sim_position(b), bytes);
    assert_memory_equal(lv_sim_velocity(a), lv_sim_velocity(b), bytes);
    lv_sim_free(a);
    lv_sim_free(b);
    lv_model_free(model);
}

/* ---- derivatives of steps ------------------------------------------------------------------------------------ */

static void apply(const double *matrix, int size, const double *x, double *to)
{
    for (int i = 0; i < size; i++) {
        to[i] = 0;
        for (int j = 0; j < size; j++)
            to[i] += matrix[(ptrdiff_t)i * size + j] * x[j];
    }
}

static double form_of(const double *a, const double *b, int n, double *size)
{
    double sum = 0;
    *size = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[n + i] - b[i] * a[n + i];
        *size += fabs(a[i] * b[n + i]) + fabs(b[i] * a[n + i]);
    }
    return sum;
}

/* Steps keep the symplectic form, composed ones, too; to ask for the derivative changes nothing. */
static void derivatives_of_steps_keep_the_form(void **state)
{
    (void)state;
    static const int which[] = {0, 1, 4, 8, 2, 4};
    for (int k = 0; k < 6; k++) {
        lv_model *model = model_of(which[k] == 4 ? chain : runs[which[k]].model);
        method m = method_of(which[k]);
        if (k >= 4) /* exact */
            lv_scheme_option_set(&m.more, LV_OPTION_ROTATIONS, EXACT);
        const int n = lv_model_coordinate_count(model);
        const size_t size = 2 * (size_t)n;
        double *matrix = calloc(size * (size + 6), sizeof *matrix),
               *x = matrix + size * size;
        lv_sim *sim = start(model, &m, runs[which[k]].step),
               *other = start(model, &m, runs[which[k]].step);
        assert_non_null(matrix);
        for (size_t i = 0; i < 2 * size; i++)
            x[i] = sin(1.7 * (double)i * (double)i + 0.3);
        for (int i = 0; i < 2; i++) {
            step_once(sim);
            step_once(other);
            assert_int_equal(lv_sim_tangent(sim, matrix, NULL), LV_OK);
            for (size_t a = 0; a < 2; a++)
                apply(matrix, 2 * n, x + (2 * (size_t)i + a) * size,
                      x + (2 * (size_t)i + a + 2) * size);
        }
        double scale, unused;
        const double was = form_of(x + 2 * size, x + 3 * size, n, &scale),
                     is = form_of(x + 4 * size, x + 5 * size, n, &unused);
        print_message("    %s: %.1e\n", runs[which[k]].scheme, fabs(is - was) / scale);
        assert_at_most(fabs(is - was) / scale, 1e-13);
        assert_at_least(fabs(was) / scale, 1e-4);
        step_times(sim, 10);
        step_times(other, 10);
        assert_same(sim, other);
        free(matrix);
        lv_sim_free(sim);
        lv_sim_free(other);
        lv_model_free(model);
    }
}

/* ---- models without bodies ----------------------------------------------------------------------------------- */

static void without_bodies_nothing_changes(void **state)
{
    (void)state;
    static const struct {
        const char *model, *scheme;
        int stages, compose;
    } list[] = {
        {"pendulum3d", "rattle", 0, 0},      {"torus", "lobatto", 4, 0},
        {"four-particles", "rattle", 0, 0},  {"two-link-arm", "gauss", 2, 0},
        {"kepler", "verlet", 0, 0},          {"nonholonomic-particle", "lobatto", 3, 0},
        {"andrews-bodies", "lobatto", 2, 0}, {"andrews-bodies", "rattle", 0, 4},
        {"kepler", "rattle", 0, 4},          {"two-link-arm", "gauss", 1, 6}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        lv_model *model = read_shipped(list[k].model, NULL, NULL);
        method plain = {.scheme = list[k].scheme, .stages = list[k].stages},
               turned = on_group(list[k].scheme, list[k].stages, k % 2 == 1);
        const double step = strcmp(list[k].model, "andrews-bodies") == 0 ? 1e-5 : 0.01;
        plain.compose = turned.compose = list[k].compose;
        lv_sim *a = start(model, &plain, step), *b = start(model, &turned, step);
        step_times(a, 30);
        step_times(b, 30);
        assert_same(a, b);
        lv_sim_free(a);
        lv_sim_free(b);
        lv_model_free(model);
    }
}

/* ---- steps that are too large ----------------------------------------------------------------------------------- */

static const char spinning[] = "[bodies.wheel]\nmass = 1\ninertia = [1, 2, 2.5]\n"
                               "position = [0, 0, 0]\n"
                               "angular_velocity = [0.4, 1.1, 0.3]\n";

/* The angle between two orientations. */
static double angle_between(const double *a, const double *b)
{
    double trace = -1;
    for (int k = 0; k < 9; k++)
        trace += a[k] * b[k];
    return acos(fmax(-1, fmin(1, trace / 2)));
}

/* Half a turn and more in a step, with the Cayley map a quarter, is refused, and the state stays; below it the body is
 * where it should be, or the step fails. The angular velocity is 1.21. */
static void too_large_steps_are_errors(void **state)
{
    (void)state;
    static const double steps[] = {0.2, 0.4, 0.6, 0.8, 1.2, 1.6, 2, 2.5, 3, 5, 8, 12, 40};
    lv_model *model = read_text(spinning);
    for (int k = 0; k < 12; k++) {
        const bool gauss = k < 6;
        const method m = on_group(gauss ? "gauss" : "lobatto",
                                  (k % 6) / 2 + (gauss ? 1 : 2), k % 2 == 0),
                     fine = on_group("gauss", 3, false);
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            lv_sim *sim = start(model, &m, steps[i]),
                   *expected = start(model, &fine, steps[i] / 64);
            lv_error err;
            const lv_status status = lv_sim_step(sim, &err);
            step_times(expected, 64);
            const double wrong =
                angle_between(lv_sim_position(sim) + 3, lv_sim_position(expected) + 3);
            if (status == LV_OK) {
                assert_at_most(1.21 * steps[i], k % 2 == 0 ? 1.6 : 3.2);
                assert_at_most(wrong, 0.4);
            } else {
                assert_int_equal(status, LV_ERR_NUMERIC);
                assert_memory_equal(err.hint, "try a smaller step", 18);
                assert_true((strstr(err.hint, "rotations = exp") != NULL) ==
                            (k % 2 == 0 && 1.21 * steps[i] > 0.8));
                assert_memory_equal(lv_sim_position(sim), lv_model_start_position(model),
                                    12 * sizeof(double));
            }
            lv_sim_free(sim);
            lv_sim_free(expected);
        }
    }
    lv_model_free(model);
}

static void refusals_name_the_body_and_its_angle(void **state)
{
    (void)state;
    lv_model *model = read_text(spinning);
    const method m = on_group("lobatto", 3, false);
    lv_sim *sim = start(model, &m, 10);
    lv_error err;
    assert_int_equal(lv_sim_step(sim, &err), LV_ERR_NUMERIC);
    assert_int_equal(err.about, LV_ABOUT_STEP);
    assert_string_equal(err.name, "wheel");
    assert_string_equal(
        err.text,
        "stopped at step 1, t = 0 (step 10): the step is too large for body 'wheel', "
        "which "
        "turns by 12.1 rad in it: with the exponential map that has to be below 3.14");
    lv_sim_free(sim);
    lv_model_free(model);
}

/* Of a step that cannot be solved, momenta of rotations are named by the angular velocities. */
static void momenta_of_rotations_have_names(void **state)
{
    (void)state;
    lv_model *model = read_text("[bodies.wheel]\nmass = 1\ninertia = [1, 2, 2.5]\n"
                                "position = [0, 0, 0]\n"
                                "angular_velocity = [0.4, 1.1, 0.3]\n");
    const method m = on_group("lobatto", 2, true);
    lv_sim *sim = start(model, &m, 1.2);
    lv_error err;
    assert_int_equal(lv_sim_step(sim, &err), LV_ERR_NUMERIC);
    assert_int_equal(err.about, LV_ABOUT_COORDINATE);
    assert_non_null(strstr(err.name, "wheel.omega["));
    assert_non_null(strstr(err.note, "momentum of wheel.omega["));
    assert_non_null(strstr(err.note, "body 'wheel' turns by 1.45 rad in the step: with "
                                     "the Cayley map there may be no solution"));
    lv_sim_free(sim);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(simulations_go_on_from_saved_states_bit_for_bit),
        RUN(states_that_are_set_begin_anew),
        RUN(derivatives_of_steps_keep_the_form),
        RUN(without_bodies_nothing_changes),
        RUN(too_large_steps_are_errors),
        RUN(refusals_name_the_body_and_its_angle),
        RUN(momenta_of_rotations_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
