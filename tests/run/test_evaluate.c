/* A system at any state, and the last step as the scheme has it, against closed forms. */
#include "../claims/moving.h"
#include "check.h"

#include <math.h>

/* A bead of mass 2 in the plane x y, on a circle; with y' = w x as a rolling condition in the second model.
 *   L = (x'^2 + y'^2 + x^2 y'^2) - 3 y,   g = x^2 + y^2 - 4 */
#define BEAD                                                                             \
    "[coordinates]\nx = { value = 2, velocity = 0 }\ny = { value = 0, velocity = 1 }\n"  \
    "[energy]\nkinetic = \"x'^2 + y'^2 + x^2*y'^2\"\npotential = \"3*y\"\n"              \
    "[constraints]\n"

static const char bead[] = BEAD "circle = { holonomic = \"x^2 + y^2 - 4\" }\n";
static const char rolling[] = BEAD "roll = { nonholonomic = \"y' - x*x' - 1\" }\n";

static const double q[2] = {1.5, -0.5}, v[2] = {0.7, 0.3};

static lv_sim *sim_of(const lv_model *model, const char *scheme)
{
    const method m = {.scheme = scheme};
    return start(model, &m, 0.01);
}

/* p = (2 x', 2 y' + 2 x^2 y'), and back; T = 0.7825, V = -1.5. */
static void momenta_velocities_and_energies_are_those_of_the_state(void **state)
{
    (void)state;
    lv_model *model = read_text(bead);
    lv_sim *sim = sim_of(model, "lobatto");
    double p[2], back[2] = {0};
    lv_energies e;
    lv_error err;
    const double x0 = lv_sim_position(sim)[0], e0 = lv_sim_energies(sim).total;
    assert_int_equal(lv_sim_momentum_at(sim, p, 0, q, v, &err), LV_OK);
    assert_close(p[0], 1.4, 1e-15);
    assert_close(p[1], 1.95, 1e-15);
    assert_int_equal(lv_sim_velocity_at(sim, back, 0, q, p, &err), LV_OK);
    assert_close(back[0], 0.7, 1e-15);
    assert_close(back[1], 0.3, 1e-15);
    assert_int_equal(lv_sim_energies_at(sim, &e, 0, q, v, p, &err), LV_OK);
    assert_close(e.kinetic, 0.7825, 1e-15);
    assert_close(e.potential, -1.5, 1e-15);
    assert_close(e.total, 0.7825 - 1.5, 1e-15);
    assert_true(lv_sim_position(sim)[0] == x0 && lv_sim_energies(sim).total == e0);
    lv_sim_free(sim);
    lv_model_free(model);
}

static void holonomic_rows_and_forces_are_those_of_the_state(void **state)
{
    (void)state;
    lv_model *model = read_text(bead);
    lv_sim *sim = sim_of(model, "lobatto");
    double g = 0, rate = 0, force[2];
    const double lambda = -2;
    lv_error err;
    assert_int_equal(lv_sim_holonomic_count(sim), 1);
    assert_int_equal(lv_sim_constraints_at(sim, &g, &rate, 0, q, v, &err), LV_OK);
    assert_close(g, 2.25 + 0.25 - 4, 1e-15);
    assert_close(rate, 2 * (1.5 * 0.7 - 0.5 * 0.3), 1e-15);
    assert_int_equal(lv_sim_constraint_force_at(sim, force, 0, q, v, &lambda, &err),
                     LV_OK);
    assert_close(force[0], -6, 1e-15);
    assert_close(force[1], 2, 1e-15);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* There is no g; the force is lambda times the derivative by the velocities, (-x, 1). */
static void nonholonomic_rows_and_forces_are_those_of_the_state(void **state)
{
    (void)state;
    lv_model *model = read_text(rolling);
    lv_sim *sim = sim_of(model, "lobatto");
    double g = 17, rate = 0, force[2];
    const double lambda = 2;
    lv_error err;
    assert_int_equal(lv_sim_holonomic_count(sim), 0);
    assert_int_equal(lv_sim_constraint_count(sim), 1);
    assert_int_equal(lv_sim_constraints_at(sim, &g, &rate, 0, q, v, &err), LV_OK);
    assert_true(g == 17);
    assert_close(rate, 0.3 - 1.5 * 0.7 - 1, 1e-15);
    assert_int_equal(lv_sim_constraint_force_at(sim, force, 0, q, v, &lambda, &err),
                     LV_OK);
    assert_close(force[0], -3, 1e-15);
    assert_close(force[1], 2, 1e-15);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* Those of the scheme approach those of the accelerations as the step does 0; bob at rest: lambda = -m g / (2 l). */
static void multipliers_of_the_step_carry_the_weight(void **state)
{
    (void)state;
    static const char hanging[] =
        "[coordinates]\nx = 0\ny = -1\n[energy]\nkinetic = \"x'^2/2 + y'^2/2\"\n"
        "potential = \"3*y\"\n[constraints]\nrod = { holonomic = \"x^2 + y^2 - 1\" }\n";
    lv_model *model = read_text(hanging);
    lv_sim *sim = sim_of(model, "vi-a");
    double lambda = 1, gamma = 1;
    assert_true(lv_sim_step_multipliers(sim, &lambda, &gamma));
    assert_true(lambda == 0 && gamma == 0);
    step_times(sim, 3);
    assert_true(lv_sim_step_multipliers(sim, &lambda, &gamma));
    assert_close(lambda, -1.5, 1e-10);
    assert_close(gamma, 0, 1e-10);
    assert_null(lv_sim_carried_multipliers(sim));
    lv_sim_free(sim);
    lv_model_free(model);
}

static void carried_multipliers_are_close_to_those_of_the_motion(void **state)
{
    (void)state;
    lv_model *model = read_shipped("nonholonomic-particle", NULL, NULL);
    lv_sim *sim = sim_of(model, "lobatto");
    double lambda = 0;
    lv_error err;
    step_times(sim, 20);
    assert_int_equal(lv_sim_multipliers(sim, &lambda, &err), LV_OK);
    assert_non_null(lv_sim_carried_multipliers(sim));
    assert_close(lv_sim_carried_multipliers(sim)[0], lambda, 1e-3);
    assert_true(fabs(lambda) > 1e-2);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* After forgetting, a step needs as many iterations as one from a state that was set, and more than with history. */
static void what_is_forgotten_does_not_help(void **state)
{
    (void)state;
    lv_model *model = read_shipped("four-particles", NULL, NULL);
    lv_sim *with = sim_of(model, "vi-b"), *without = sim_of(model, "vi-b");
    long usual = 0, plain = 0;
    for (int n = 0; n < 100; n++) {
        lv_sim_forget(without);
        step_once(with);
        step_once(without);
        usual += lv_sim_iterations(with);
        plain += lv_sim_iterations(without);
    }
    assert_true(plain > usual);
    assert_close(lv_sim_position(with)[0], lv_sim_position(without)[0], 1e-10);
    lv_sim_free(without);
    lv_sim_free(with);
    lv_model_free(model);
}

/* x'' = -3: the raw polynomials of degree 2 are the motion, and its rates are h v and h F. */
static void points_of_a_step_lie_on_the_motion(void **state)
{
    (void)state;
    static const char falling[] = "[coordinates]\nx = { value = 1, velocity = 2 }\n"
                                  "[energy]\nkinetic = \"x'^2/2\"\npotential = \"3*x\"\n";
    lv_model *model = read_text(falling);
    const method m = galerkin("ansatz", "LR", 2, "gauss", -1, -1);
    const double h = 0.25;
    lv_sim *sim = start_dense(model, &m, h);
    lv_error err;
    step_once(sim);
    for (int k = 0; k <= 4; k++) {
        const double x = k / 4.0, t = x * h;
        double at = 0, p = 0, dq = 0, dp = 0;
        lv_step_point point = {&at, &p, &dq, &dp, NULL};
        assert_int_equal(lv_sim_step_point(sim, &point, x, LV_SAMPLE_RAW, &err), LV_OK);
        assert_close(at, 1 + 2 * t - 1.5 * t * t, 1e-14);
        assert_close(p, 2 - 3 * t, 1e-14);
        assert_close(dq, h * (2 - 3 * t), 1e-13);
        assert_close(dp, -3 * h, 1e-13);
    }
    lv_sim_free(sim);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(momenta_velocities_and_energies_are_those_of_the_state),
        RUN(holonomic_rows_and_forces_are_those_of_the_state),
        RUN(nonholonomic_rows_and_forces_are_those_of_the_state),
        RUN(multipliers_of_the_step_carry_the_weight),
        RUN(carried_multipliers_are_close_to_those_of_the_motion),
        RUN(what_is_forgotten_does_not_help),
        RUN(points_of_a_step_lie_on_the_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
