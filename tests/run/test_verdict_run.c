/* Warnings about whole runs: motions that run away, and requests that cannot go well. */
#include "../claims/pairs.h"

#include "run/verdict.h"

/* ---- runaways ------------------------------------------------------------------------------------- */

/* Runs; `says` is in a warning, or there is none. */
static void run_warns(const char *text, const method *m, double step, double until,
                      const char *says)
{
    lv_error err;
    lv_run_summary *summary = NULL;
    lv_model *model = read_text(text);
    lv_run_request request = lv_run_request_default(model);
    request.sim.scheme = m->scheme;
    request.sim.options = method_options(m);
    request.sim.step = step;
    request.until = until;
    bool said = false;
    if (lv_run(&summary, model, &request, &err) != LV_OK)
        fail_with(&err);
    for (int k = 0; k < summary->warning_count; k++) {
        said = said || (says && strstr(summary->warnings[k], says));
        if (!says)
            fail_msg("%s: '%s'", m->scheme, summary->warnings[k]);
    }
    if (says && !said)
        fail_msg("%s: no warning says '%s'", m->scheme, says);
    lv_run_summary_free(summary);
    lv_model_free(model);
}

/* Leaves to infinity in finite time. */
#define BLOW_UP                                                                          \
    "[coordinates]\nx = { value = 1, velocity = 1 }\n"                                   \
    "[energy]\nkinetic = \"x'^2/2\"\npotential = \"-x^4\"\n"

/* h omega = 2.1: explicit schemes take steps of any size. */
static void runaways_are_told(void **state)
{
    (void)state;
    static const char *const schemes[] = {"rattle", "verlet", "vi-s"};
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
        run_warns("[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\n"
                  "potential = \"100*x^2/2\"\n",
                  &(method){schemes[k], 0, 0}, 0.21, 10, "have run away");
}

/* A fall that misses the centre by little, after which the energy is another one. With a coarse step it
 * changes in one step, with a fine one in many, and many steps are compared in lanes. */
#define FALL                                                                             \
    "[coordinates]\nr = { value = [2, 0], velocity = [0, 0.02] }\n"                      \
    "[energy]\nkinetic = \"dot(r', r')/2\"\npotential = \"-1/norm(r)\"\n"

static void leaps_of_the_energy_are_told(void **state)
{
    (void)state;
    const method verlet = {"verlet", 0, 0};
    run_warns(FALL, &verlet, 0.01, 4,
              "leapt in the step to t = 3.14: it was off by 0.45");
    run_warns(FALL, &verlet, 0.001, 4,
              "leapt in the step to t = 3.143: it was off by 1.8");
    run_warns(FALL, &verlet, 3e-4, 4,
              "leapt in the step to t = 3.1434: it was off by 6.5");
    run_warns(FALL, &verlet, 5e-5, 4, "which is as much as there is");
    run_warns(FALL, &verlet, 3e-4, 3, NULL);
    run_warns(FALL, &(method){"em", 0, 0}, 0.01, 3, NULL);
}

/* The motion leaves to infinity, and so does the branch of solutions; implicit equations have others behind. */
static void a_motion_that_ends_has_no_further_steps(void **state)
{
    (void)state;
    static const char *const schemes[] = {"em", "livens", "vi-a", "vi-b2", "gauss"};
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        lv_error err;
        lv_run_summary *summary = NULL;
        lv_model *model = read_text(BLOW_UP);
        lv_run_request request = lv_run_request_default(model);
        request.sim.scheme = schemes[k];
        request.sim.step = 0.01;
        request.until = 10;
        assert_int_equal(lv_run(&summary, model, &request, &err), LV_ERR_NUMERIC);
        assert_says(err.text, "t = 0.7");
        assert_says(err.text, "a solution that does not belong to the motion");
        assert_says(err.hint, "smaller step");
        lv_run_summary_free(summary);
        lv_model_free(model);
    }
}

/* In livens G v is carried with the factor -1, and where the mass matrix varies it grows in the long run,
 * while energy and momenta stay; em and lobatto keep it. */
static void rates_that_grow_are_told(void **state)
{
    (void)state;
    const method livens = {"livens", 0, 0};
    run_warns(TURNING_PAIR, &livens, 0.05, 2100, "the rate of constraint 'shell'");
    run_warns(TURNING_PAIR, &livens, 0.05, 500, NULL);
    run_warns(TURNING_PAIR, &(method){"em", 0, 0}, 0.05, 1500, NULL);
}

static void a_fall_from_rest_is_no_runaway(void **state)
{
    (void)state;
    run_warns("[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n"
              "potential = \"9.81*x\"\n",
              &(method){"rattle", 0, 0}, 0.001, 100, NULL);
}

/* From the far end of an orbit of eccentricity 0.99 to the near one; a pendulum from rest at V = 0. */
static void close_encounters_are_no_runaways(void **state)
{
    (void)state;
    run_warns("[coordinates]\nx = { value = [1.99, 0], velocity = [0, 0.0708881] }\n"
              "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"-1/norm(x)\"\n",
              &(method){"lobatto", 4, 0}, 1e-4, 4, NULL);
    run_warns("[coordinates]\nx = 1.5707963267948966\n[energy]\nkinetic = \"x'^2/2\"\n"
              "potential = \"-9.81*cos(x)\"\n",
              &(method){"em", 0, 0}, 0.001, 20, NULL);
}

static void energies_that_are_not_finite_end_a_run_with_advice(void **state)
{
    (void)state;
    lv_error err;
    lv_run_summary *summary = NULL;
    lv_model *model = read_text(BLOW_UP);
    lv_run_request request = lv_run_request_default(model);
    request.sim.scheme = "rattle";
    request.sim.step = 0.01;
    request.until = 10;
    assert_int_equal(lv_run(&summary, model, &request, &err), LV_ERR_NUMERIC);
    assert_says(err.text, "no longer finite at t = 0.8");
    assert_says(err.note, "have run away: 28 at most up to t = 0.32");
    assert_says(err.hint, "smaller step");
    lv_run_summary_free(summary);
    lv_model_free(model);
}

/* ---- what was asked for ------------------------------------------------------------------------- */

static void unstable_parameters_are_told(void **state)
{
    (void)state;
    method b = {"vi-b", 0, 0}, a = {"vi-a", 0, 0};
    lv_scheme_option_set(&b.more, LV_OPTION_THETA, 0.5);
    lv_scheme_option_set(&b.more, LV_OPTION_VARTHETA, 0.8);
    lv_scheme_option_set(&b.more, LV_OPTION_ALLOW_UNSTABLE, 1);
    run_warns(SPHERICAL_PENDULUM, &b, 0.01, 0.1,
              "scheme 'vi-b' is unstable with these parameters");
    run_warns(SPHERICAL_PENDULUM, &b, 0.01, 0.1, "= -4 in every step");
    lv_scheme_option_set(&a.more, LV_OPTION_THETA, 0.3);
    lv_scheme_option_set(&a.more, LV_OPTION_ALLOW_UNSTABLE, 1);
    run_warns(SPHERICAL_PENDULUM, &a, 0.01, 0.05, "by about -2.33, normal momenta");
    lv_scheme_option_set(&b.more, LV_OPTION_VARTHETA, 0.4);
    run_warns(SPHERICAL_PENDULUM, &b, 0.01, 0.1, NULL); /* allowed, and stable */
}

static void no_step_is_small_enough_for_unstable_parameters(void **state)
{
    (void)state;
    lv_error err;
    lv_status status = LV_OK;
    method m = {"vi-a", 0, 0};
    lv_model *model = read_text(SPHERICAL_PENDULUM);
    lv_scheme_option_set(&m.more, LV_OPTION_THETA, 0.3);
    lv_scheme_option_set(&m.more, LV_OPTION_ALLOW_UNSTABLE, 1);
    lv_sim *sim = start(model, &m, 0.05);
    for (int k = 0; k < 200 && status == LV_OK; k++)
        status = lv_sim_step(sim, &err);
    assert_int_equal(status, LV_ERR_NUMERIC);
    assert_says(err.hint, "no step is small enough");
    lv_sim_free(sim);
    lv_model_free(model);
}

/* The advice for unstable parameters does not take the place of a better one. */
static void contradictions_are_told_with_unstable_parameters_too(void **state)
{
    (void)state;
    lv_error err;
    lv_status status = LV_OK;
    method m = {"vi-a", 0, 0};
    lv_model *model =
        read_text("[coordinates]\nx = { value = [1, 0], velocity = [0, 0] }\n"
                  "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"9.81*x[2]\"\n"
                  "[constraints]\nrod = { holonomic = \"norm2(x) - 1\" }\n"
                  "again = { holonomic = \"norm2(x) - 1 + max(0, t - 0.2)^2\" }\n");
    lv_scheme_option_set(&m.more, LV_OPTION_THETA, 0.49);
    lv_scheme_option_set(&m.more, LV_OPTION_ALLOW_UNSTABLE, 1);
    lv_sim *sim = start(model, &m, 0.01);
    for (int k = 0; k < 100 && status == LV_OK; k++)
        status = lv_sim_step(sim, &err);
    assert_int_equal(status, LV_ERR_NUMERIC);
    assert_says(err.text, "contradict each other");
    assert_says(err.hint, "remove one of them");
    lv_sim_free(sim);
    lv_model_free(model);
}

static void negative_masses_are_told(void **state)
{
    (void)state;
    run_warns("[coordinates]\nx = { value = 1, velocity = 1 }\ny = 1\n"
              "[energy]\nkinetic = \"x'^2/2 - y'^2/2\"\npotential = \"x^2 - y^2\"\n",
              &(method){"rattle", 0, 0}, 0.01, 1,
              "the velocity of 'y' can make the kinetic energy negative");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(runaways_are_told),
        RUN(leaps_of_the_energy_are_told),
        RUN(a_motion_that_ends_has_no_further_steps),
        RUN(rates_that_grow_are_told),
        RUN(a_fall_from_rest_is_no_runaway),
        RUN(close_encounters_are_no_runaways),
        RUN(energies_that_are_not_finite_end_a_run_with_advice),
        RUN(unstable_parameters_are_told),
        RUN(no_step_is_small_enough_for_unstable_parameters),
        RUN(contradictions_are_told_with_unstable_parameters_too),
        RUN(negative_masses_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
