/* External generalised forces: the same as forces that a model declares with inputs of its own. */
#include "../model/reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 4000, FORCES_MOST = 24, STEPS = 60 };

/* A model, and the same forces written by hand: u is the input. */
typedef struct system_case {
    const char *name, *text, *by_hand;
    int count;
    const char *names[FORCES_MOST];
    const char *schemes[6];
    double size;                   /* of forces */
    const char *rotations, *poses; /* NULL: directors, separate */
} system_case;

static const char particles[] =
    "[coordinates]\n"
    "a = { value = [0, 0, 0], velocity = [0, 0.1, 0] }\n"
    "q = { count = 2, value = [\"i\", 0, 0], velocity = [0, 0, \"i/3\"] }\n"
    "[energy]\n"
    "kinetic = \"norm2(a')/2 + norm2(q_1') + norm2(q_2')\"\n"
    "potential = \"(norm2(q_1 - a) - 1)^2\"\n"
    "[constraints.rod]\n"
    "holonomic = \"norm2(q_2 - q_1) - 1\"\n";
static const char particles_by_hand[] = "[inputs]\n"
                                        "u = [0, 0, 0, 0, 0, 0, 0, 0, 0]\n"
                                        "[forces.one]\n"
                                        "on = \"a\"\n"
                                        "force = [\"u[1]\", \"u[2]\", \"u[3]\"]\n"
                                        "[forces.two]\n"
                                        "on = \"q_1\"\n"
                                        "force = [\"u[4]\", \"u[5]\", \"u[6]\"]\n"
                                        "[forces.three]\n"
                                        "on = \"q_2\"\n"
                                        "force = [\"u[7]\", \"u[8]\", \"u[9]\"]\n";

static const char angles[] =
    "[coordinates]\n"
    "alpha = 1\n"
    "beta = { value = 0.5, velocity = 1 }\n"
    "[energy]\n"
    "kinetic = \"alpha'^2 + beta'^2/2 + alpha'*beta'*cos(alpha - beta)\"\n"
    "potential = \"-19.62*cos(alpha) - 9.81*cos(beta)\"\n";
static const char angles_by_hand[] = "[inputs]\n"
                                     "u = [0, 0]\n"
                                     "[forces.one]\n"
                                     "on = \"alpha\"\n"
                                     "force = \"u[1]\"\n"
                                     "[forces.two]\n"
                                     "on = \"beta\"\n"
                                     "force = \"u[2]\"\n";

static const char bodies[] = "[gravity]\n"
                             "acceleration = [0, 0, -9.81]\n"
                             "[bodies.arm]\n"
                             "mass = 2\n"
                             "inertia = [0.2, 0.3, 0.25]\n"
                             "position = [0, 1, 0]\n"
                             "pivot = [0, -1, 0]\n"
                             "angular_velocity = [0, 3, 1]\n"
                             "[bodies.hand]\n"
                             "mass = 1\n"
                             "inertia = [0.1, 0.12, 0.15]\n"
                             "position = [0, 3, 0]\n"
                             "velocity = [-2, 0, 0]\n"
                             "angular_velocity = [0, 0, 1]\n"
                             "[joints.wrist]\n"
                             "type = \"spherical\"\n"
                             "between = [\"arm\", \"hand\"]\n"
                             "at = [0, 2, 0]\n";
static const char bodies_by_hand[] = "[inputs]\n"
                                     "u = [0, 0, 0, 0, 0, 0, 0, 0, 0]\n"
                                     "[loads.arm]\n"
                                     "body = \"arm\"\n"
                                     "torque = [\"u[1]\", \"u[2]\", \"u[3]\"]\n"
                                     "[loads.hand]\n"
                                     "body = \"hand\"\n"
                                     "force = [\"u[4]\", \"u[5]\", \"u[6]\"]\n"
                                     "torque = [\"u[7]\", \"u[8]\", \"u[9]\"]\n";

static const char planar[] = "[bodies.link]\n"
                             "count = 2\n"
                             "mass = 1\n"
                             "inertia = 0.1\n"
                             "position = [\"i - 0.5\", 0]\n"
                             "[joints.pin]\n"
                             "type = \"revolute\"\n"
                             "between = [\"link_1\", \"link_2\"]\n"
                             "at = [1, 0]\n";
static const char planar_by_hand[] = "[inputs]\n"
                                     "u = [0, 0, 0, 0, 0, 0]\n"
                                     "[loads.one]\n"
                                     "body = \"link_1\"\n"
                                     "force = [\"u[1]\", \"u[2]\"]\n"
                                     "torque = \"u[5]\"\n"
                                     "[loads.two]\n"
                                     "body = \"link_2\"\n"
                                     "force = [\"u[3]\", \"u[4]\"]\n"
                                     "torque = \"u[6]\"\n";

#define BODY_NAMES                                                                       \
    {                                                                                    \
        "arm.torque[1]", "arm.torque[2]", "arm.torque[3]", "hand.force[1]",              \
            "hand.force[2]", "hand.force[3]", "hand.torque[1]", "hand.torque[2]",        \
            "hand.torque[3]"                                                             \
    }

static system_case cases[] = {
    {"particles",
     particles,
     particles_by_hand,
     9,
     {"a[1]", "a[2]", "a[3]", "q_1[1]", "q_1[2]", "q_1[3]", "q_2[1]", "q_2[2]", "q_2[3]"},
     {"em", "rattle", "lobatto", "livens", "vi-b2"},
     2},
    {"angles",
     angles,
     angles_by_hand,
     2,
     {"alpha", "beta"},
     {"lobatto", "em", "livens"},
     2},
    {"directors", bodies, bodies_by_hand, 9, BODY_NAMES, {"em", "rattle", "lobatto"}, 2},
    {"exp", bodies, bodies_by_hand, 9, BODY_NAMES, {"rattle", "lobatto"}, 2, "exp"},
    {"coupled", bodies, bodies_by_hand, 9, BODY_NAMES, {"rattle"}, 2, "cay", "coupled"},
    {"planar",
     planar,
     planar_by_hand,
     6,
     {"link_1.force[1]", "link_1.force[2]", "link_2.force[1]", "link_2.force[2]",
      "link_1.torque", "link_2.torque"},
     {"em", "rattle", "lobatto"},
     2},
};
enum { CASES = sizeof cases / sizeof *cases };

static void check(lv_status status, const lv_error *err)
{
    if (status != LV_OK)
        fail_with(err);
}

static lv_model *with_forces(const char *text)
{
    lv_error err;
    lv_model *plain = read_text(text), *model = NULL;
    check(lv_model_with_forces(&model, plain, &err), &err);
    lv_model_free(plain);
    return model;
}

static lv_model *with_hands(const system_case *c)
{
    static char text[TEXT];
    snprintf(text, sizeof text, "%s%s", c->text, c->by_hand);
    return read_text(text);
}

static void choose(lv_scheme_options *options, lv_option option, const char *word)
{
    double value = 0;
    if (!word)
        return;
    assert_true(lv_option_parse(option, word, &value));
    lv_scheme_option_set(options, option, value);
}

static lv_sim *begin(const lv_model *model, const system_case *c, const char *scheme)
{
    lv_error err;
    lv_sim *sim = NULL;
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = scheme;
    options.step = 0.01;
    options.initial = LV_INITIAL_PROJECT;
    choose(&options.options, LV_OPTION_ROTATIONS, c->rotations);
    choose(&options.options, LV_OPTION_POSES, c->poses);
    check(lv_sim_create(&sim, model, &options, &err), &err);
    return sim;
}

/* Forces that change with the number of the step, in blocks of four. */
static void forces_at(double *force, const system_case *c, int step)
{
    for (int k = 0; k < c->count; k++)
        force[k] = c->size * sin(1.3 * k + 0.7 * (step / 4));
}

static void step_with(lv_sim *sim, const system_case *c, int step, bool external)
{
    lv_error err;
    double force[FORCES_MOST];
    forces_at(force, c, step);
    check(external ? lv_sim_set_force(sim, force, c->count, &err)
                   : lv_sim_set_input(sim, "u", force, c->count, &err),
          &err);
    check(lv_sim_step(sim, &err), &err);
}

static double total_work(const lv_sim *sim)
{
    double sum = 0;
    for (int k = 0; k < lv_sim_work_count(sim); k++)
        sum += lv_sim_work(sim)[k];
    return sum;
}

static void compare(const lv_model *model, const lv_model *by_hand, const system_case *c,
                    const char *scheme)
{
    lv_sim *sim = begin(model, c, scheme), *other = begin(by_hand, c, scheme);
    const int n = lv_model_coordinate_count(model);
    double moved = 0;
    for (int k = 0; k < STEPS; k++) {
        step_with(sim, c, k, true);
        step_with(other, c, k, false);
        for (int j = 0; j < n; j++) {
            assert_close(lv_sim_position(sim)[j], lv_sim_position(other)[j], 1e-13);
            assert_close(lv_sim_velocity(sim)[j], lv_sim_velocity(other)[j], 1e-12);
            moved = fmax(moved, fabs(lv_sim_velocity(sim)[j]));
        }
    }
    assert_true(moved > 0.01);
    assert_int_equal(lv_sim_work_count(sim), 1);
    assert_string_equal(lv_sim_work_name(sim, 0), "external");
    assert_true(fabs(lv_sim_work(sim)[0]) > 1e-3);
    assert_close(lv_sim_work(sim)[0], total_work(other), 1e-12);
    lv_sim_free(sim);
    lv_sim_free(other);
}

static void external_forces_are_those_that_formulas_would_give(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) {
        lv_model *model = with_forces(cases[k].text), *by_hand = with_hands(&cases[k]);
        for (int s = 0; cases[k].schemes[s]; s++)
            compare(model, by_hand, &cases[k], cases[k].schemes[s]);
        lv_model_free(model);
        lv_model_free(by_hand);
    }
}

static void forces_have_names(void **state)
{
    (void)state;
    char name[80];
    for (int k = 0; k < CASES; k++) {
        lv_model *model = with_forces(cases[k].text), *plain = read_text(cases[k].text);
        assert_int_equal(lv_model_force_count(model), cases[k].count);
        assert_int_equal(lv_model_force_count(plain), 0);
        for (int j = 0; j < cases[k].count; j++)
            assert_string_equal(lv_model_force_name(model, j, name, sizeof name),
                                cases[k].names[j]);
        assert_string_equal(lv_model_force_name(model, cases[k].count, name, sizeof name),
                            "");
        assert_string_equal(lv_model_force_name(plain, 0, name, sizeof name), "");
        lv_model_free(plain);
        lv_model_free(model);
    }
}

/* Forces that are not set are zero, and those that are set hold until they are set again. */
static void forces_are_zero_and_hold_until_they_are_set(void **state)
{
    (void)state;
    lv_error err;
    lv_model *model =
        with_forces("[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n");
    const system_case none = {"free"};
    const double force = 3, h = 0.01;
    lv_sim *sim = begin(model, &none, "rattle");
    check(lv_sim_step_many(sim, 100, &err), &err);
    assert_true(lv_sim_velocity(sim)[0] == 0 && lv_sim_force(sim)[0] == 0);
    check(lv_sim_set_force(sim, &force, 1, &err), &err);
    assert_true(lv_sim_force(sim)[0] == 3);
    check(lv_sim_step_many(sim, 100, &err), &err);
    assert_close(lv_sim_velocity(sim)[0], 100 * h * force, 1e-13);
    assert_close(lv_sim_work(sim)[0], 4.5, 1e-12);
    assert_close(lv_sim_balance(sim), 0, 1e-12);
    lv_sim_free(sim);
    lv_model_free(model);
}

static void saved_and_copied_states_have_them(void **state)
{
    (void)state;
    lv_error err;
    const system_case *c = &cases[2];
    lv_model *model = with_forces(c->text);
    lv_sim *sim = begin(model, c, "lobatto"), *other = begin(model, c, "lobatto");
    const int count = lv_sim_save_count(sim), n = lv_model_coordinate_count(model);
    double *numbers = malloc((size_t)count * sizeof *numbers);
    assert_non_null(numbers);
    step_with(sim, c, 0, true);
    check(lv_sim_save(sim, numbers, count, &err), &err);
    check(lv_sim_copy(other, sim, &err), &err);
    check(lv_sim_step_many(sim, 5, &err), &err);
    check(lv_sim_step_many(other, 5, &err), &err);
    assert_memory_equal(lv_sim_position(sim), lv_sim_position(other),
                        (size_t)n * sizeof *numbers);
    step_with(other, c, 9, true);
    check(lv_sim_restore(other, numbers, count, &err), &err);
    check(lv_sim_step_many(other, 5, &err), &err);
    assert_memory_equal(lv_sim_position(sim), lv_sim_position(other),
                        (size_t)n * sizeof *numbers);
    assert_memory_equal(lv_sim_force(sim), lv_sim_force(other),
                        (size_t)c->count * sizeof *numbers);
    free(numbers);
    lv_sim_free(sim);
    lv_sim_free(other);
    lv_model_free(model);
}

/* A parameter makes the model anew: external forces go on. */
static void other_parameters_leave_them(void **state)
{
    (void)state;
    lv_error err;
    const system_case none = {"free"};
    const double force = 2, mass = 4;
    lv_model *model = with_forces("[parameters]\nm = 1\n[coordinates]\nx = 0\n[energy]\n"
                                  "kinetic = \"m*x'^2/2\"\n");
    lv_sim *sim = begin(model, &none, "em");
    check(lv_sim_set_force(sim, &force, 1, &err), &err);
    check(lv_sim_set_parameter(sim, "m", &mass, 1, &err), &err);
    check(lv_sim_step_many(sim, 100, &err), &err);
    assert_close(lv_sim_velocity(sim)[0], 0.5, 1e-13);
    lv_sim_free(sim);
    lv_model_free(model);
}

static void what_cannot_be_is_refused_with_the_reason(void **state)
{
    (void)state;
    lv_error err;
    const system_case none = {"free"};
    const double force[2] = {1, (double)NAN};
    lv_model *plain = read_text("[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n");
    lv_model *model = NULL;
    lv_sim *sim = begin(plain, &none, "em");
    assert_int_equal(lv_sim_set_force(sim, force, 1, &err), LV_ERR_USAGE);
    assert_non_null(strstr(err.hint, "lv_model_with_forces"));
    assert_null(lv_sim_force(sim));
    lv_sim_free(sim);
    check(lv_model_with_forces(&model, plain, &err), &err);
    lv_model_free(plain);
    sim = begin(model, &none, "em");
    assert_int_equal(lv_sim_set_force(sim, force, 2, &err), LV_ERR_USAGE);
    assert_non_null(strstr(err.text, "have 1 number"));
    assert_int_equal(lv_sim_set_force(sim, force + 1, 1, &err), LV_ERR_USAGE);
    lv_sim_free(sim);
    lv_model_free(model);
    plain = read_text("[coordinates]\nexternal = 0\n[energy]\nkinetic = "
                      "\"external'^2/2\"\n");
    assert_int_equal(lv_model_with_forces(&model, plain, &err), LV_ERR_MODEL);
    assert_non_null(strstr(err.text, "external"));
    assert_int_equal(err.line, 2);
    assert_null(model);
    lv_model_free(plain);
}

/* A scheme that takes no forces says so. */
static void schemes_that_take_no_forces_refuse(void **state)
{
    (void)state;
    lv_error err;
    lv_sim *sim = NULL;
    lv_model *plain = read_shipped("steady-top", NULL, NULL), *model = NULL;
    check(lv_model_with_forces(&model, plain, &err), &err);
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = "bs99";
    options.step = 0.01;
    assert_int_equal(lv_sim_create(&sim, model, &options, &err), LV_ERR_MODEL);
    assert_non_null(strstr(err.text, "forces without a potential"));
    lv_model_free(model);
    lv_model_free(plain);
}

static bool push_at_first(void *user, lv_sim *sim)
{
    lv_error err;
    const system_case *c = user;
    double force[FORCES_MOST];
    forces_at(force, c, 0);
    if (lv_sim_steps(sim) == 0)
        check(lv_sim_set_force(sim, force, c->count, &err), &err);
    return true;
}

static lv_run_summary *run_until(const lv_model *model, system_case *c, double until,
                                 const char *path)
{
    lv_error err;
    lv_run_summary *summary = NULL;
    lv_run_request request = lv_run_request_default(model);
    request.sim.scheme = "lobatto";
    request.sim.step = 0.01;
    request.sim.initial = LV_INITIAL_PROJECT;
    request.until = until;
    request.hdf5 = path;
    request.before_step = push_at_first;
    request.user = c;
    check(lv_run(&summary, model, &request, &err), &err);
    return summary;
}

/* What a checkpoint holds is enough to go on: the model that is read from the file takes forces, too. */
static void resumed_runs_go_on_with_them(void **state)
{
    (void)state;
    static const char path[] = "external-forces.h5";
    lv_error err;
    system_case *c = &cases[2];
    lv_model *model = with_forces(c->text), *again = NULL;
    lv_run_summary *rest = NULL;
    const size_t size = (size_t)lv_model_coordinate_count(model) * sizeof(double);
    lv_run_summary *whole = run_until(model, c, 0.4, NULL);
    lv_run_summary_free(run_until(model, c, 0.2, path));
    check(lv_resume(&rest, &again, path, 0.4, NULL, NULL, &err), &err);
    assert_int_equal(lv_model_force_count(again), c->count);
    assert_memory_equal(whole->q, rest->q, size);
    assert_memory_equal(whole->p, rest->p, size);
    assert_string_equal(rest->works[0].name, "external");
    assert_true(whole->works[0].value == rest->works[0].value);
    lv_run_summary_free(rest);
    lv_model_free(again);
    lv_run_summary_free(whole);
    lv_model_free(model);
    (void)remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(external_forces_are_those_that_formulas_would_give),
        cmocka_unit_test(forces_have_names),
        cmocka_unit_test(forces_are_zero_and_hold_until_they_are_set),
        cmocka_unit_test(saved_and_copied_states_have_them),
        cmocka_unit_test(other_parameters_leave_them),
        cmocka_unit_test(what_cannot_be_is_refused_with_the_reason),
        cmocka_unit_test(schemes_that_take_no_forces_refuse),
        cmocka_unit_test(resumed_runs_go_on_with_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
