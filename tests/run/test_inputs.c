/* Inputs: numbers that change between steps, against closed forms, and against simulations that begin with the new
 * values. */
#include "../model/reading.h"

#include <math.h>
#include <stdlib.h>

static const char cart[] = "[inputs]\n"
                           "u = 0\n"
                           "[coordinates]\n"
                           "x = 0\n"
                           "[energy]\n"
                           "kinetic = \"x'^2\"\n"
                           "[forces.drive]\n"
                           "on = \"x\"\n"
                           "force = \"u\"\n";

/* A pendulum in coordinates of the plane whose gravity, a vector, is the input; a damper beside it. */
static const char pendulum[] = "[parameters]\n"
                               "g = 9.81\n"
                               "[inputs]\n"
                               "gravity = [0, \"-g\"]\n"
                               "c = 0.1\n"
                               "[coordinates]\n"
                               "x = { value = [1, 0], velocity = [0, 1] }\n"
                               "y = 0.5\n"
                               "[energy]\n"
                               "kinetic = \"norm2(x')/2 + (1 + y^2)*y'^2/2\"\n"
                               "potential = \"y^4 - dot(gravity, x) + y*x[1]\"\n"
                               "[forces.drag]\n"
                               "on = \"x\"\n"
                               "force = \"-c*x'\"\n"
                               "[constraints.rod]\n"
                               "holonomic = \"norm2(x) - 1\"\n";

/* The same, unconstrained and with a constant mass matrix. */
static const char separable[] = "[inputs]\n"
                                "k = 1\n"
                                "[coordinates]\n"
                                "x = { value = [1, 0], velocity = [0, 1] }\n"
                                "[energy]\n"
                                "kinetic = \"norm2(x')\"\n"
                                "potential = \"k*norm2(x)^2\"\n";

static lv_sim *begin(const lv_model *model, const char *scheme, double step)
{
    lv_error err;
    lv_sim *sim = NULL;
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = scheme;
    options.step = step;
    if (lv_sim_create(&sim, model, &options, &err) != LV_OK)
        fail_with(&err);
    return sim;
}

static void take_steps(lv_sim *sim, int count)
{
    lv_error err;
    for (int k = 0; k < count; k++)
        if (lv_sim_step(sim, &err) != LV_OK)
            fail_with(&err);
}

static void set(lv_sim *sim, const char *name, double value)
{
    lv_error err;
    if (lv_sim_set_input(sim, name, &value, 1, &err) != LV_OK)
        fail_with(&err);
}

static lv_error refusal(lv_sim *sim, const char *name, const double *values, int count)
{
    lv_error err;
    assert_int_equal(lv_sim_set_input(sim, name, values, count, &err), LV_ERR_USAGE);
    return err;
}

/* x'' = u/2 with u constant in every step: parabolas, which these schemes follow exactly. */
static void a_force_that_changes_at_every_step_gives_parabolas(void **state)
{
    static const char *const schemes[] = {"verlet", "rattle", "lobatto", "gauss",
                                          "radau",  "em",     "livens",  "vi-b2"};
    (void)state;
    lv_model *model = read_text(cart);
    for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++) {
        const double h = 0.125;
        double x = 0, v = 0;
        lv_sim *sim = begin(model, schemes[s], h);
        for (int k = 0; k < 40; k++) {
            const double u = sin(k);
            set(sim, "u", u);
            assert_true(lv_sim_input(sim, "u")[0] == u);
            take_steps(sim, 1);
            x += h * v + h * h / 2 * u / 2;
            v += h * u / 2;
            assert_close(lv_sim_position(sim)[0], x, 1e-13);
            assert_close(lv_sim_velocity(sim)[0], v, 1e-13);
        }
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

typedef struct pairing {
    const char *text, *scheme;
} pairing;

static const pairing pairings[] = {
    {pendulum, "lobatto"}, {separable, "gauss"},  {pendulum, "em"},
    {pendulum, "livens"},  {pendulum, "vi-s"},    {pendulum, "vi-a"},
    {pendulum, "vi-b"},    {pendulum, "rattle"},  {pendulum, "dpg"},
    {separable, "verlet"}, {separable, "rattle"}, {separable, "lobatto"},
    {separable, "em"},     {separable, "vi-b2"},  {separable, "ansatz"},
};
enum { PAIRINGS = sizeof pairings / sizeof *pairings };

/* A simulation that begins at the state of another one, with the same inputs, and that knows nothing of its past. */
static lv_sim *without_past(const lv_model *model, const char *scheme, const lv_sim *sim)
{
    lv_error err;
    lv_sim *fresh = begin(model, scheme, 0.01);
    if (lv_sim_copy(fresh, sim, &err) != LV_OK)
        fail_with(&err);
    lv_sim_forget(fresh);
    return fresh;
}

static void change_all(lv_sim *sim, const lv_model *model, int k)
{
    lv_error err;
    const int count = lv_model_input_count(model);
    double values[8];
    assert_in_range(count, 1, 8);
    for (int j = 0; j < count; j++)
        values[j] = lv_sim_inputs(sim)[j] + 0.3 * sin(1 + k + j);
    if (lv_sim_set_inputs(sim, values, count, &err) != LV_OK)
        fail_with(&err);
}

/* Nothing that was evaluated with old values is used again. */
static void steps_after_a_change_are_those_of_a_simulation_without_past(void **state)
{
    (void)state;
    for (int p = 0; p < PAIRINGS; p++) {
        lv_model *model = read_text(pairings[p].text);
        lv_sim *sim = begin(model, pairings[p].scheme, 0.01);
        for (int k = 0; k < 6; k++) {
            take_steps(sim, 3);
            change_all(sim, model, k);
            lv_sim *fresh = without_past(model, pairings[p].scheme, sim);
            take_steps(sim, 1);
            take_steps(fresh, 1);
            for (int i = 0; i < lv_model_coordinate_count(model); i++) {
                assert_close(lv_sim_position(sim)[i], lv_sim_position(fresh)[i], 1e-12);
                assert_close(lv_sim_velocity(sim)[i], lv_sim_velocity(fresh)[i], 1e-10);
            }
            lv_sim_free(fresh);
        }
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

/* Inputs belong to what is saved, restored and copied. */
static void saved_states_have_inputs_and_go_on_bit_for_bit(void **state)
{
    (void)state;
    for (int p = 0; p < PAIRINGS; p++) {
        lv_error err;
        lv_model *model = read_text(pairings[p].text);
        const int n = lv_model_coordinate_count(model);
        lv_sim *sim = begin(model, pairings[p].scheme, 0.01);
        lv_sim *other = begin(model, pairings[p].scheme, 0.01);
        take_steps(sim, 5);
        change_all(sim, model, p);
        const int count = lv_sim_save_count(sim);
        const size_t inputs = (size_t)lv_model_input_count(model) * sizeof(double);
        double *numbers = malloc((size_t)count * sizeof *numbers);
        double *changed = malloc(inputs);
        assert_non_null(numbers);
        assert_non_null(changed);
        memcpy(changed, lv_sim_inputs(sim), inputs);
        assert_int_equal(lv_sim_save(sim, numbers, count, &err), LV_OK);
        for (int way = 0; way < 2; way++) {
            assert_int_equal(way ? lv_sim_restore(other, numbers, count, &err)
                                 : lv_sim_copy(other, sim, &err),
                             LV_OK);
            assert_memory_equal(lv_sim_inputs(other), changed, inputs);
            assert_int_equal(lv_sim_restore(sim, numbers, count, &err), LV_OK);
            take_steps(sim, 4);
            take_steps(other, 4);
            assert_memory_equal(lv_sim_position(sim), lv_sim_position(other),
                                (size_t)n * sizeof(double));
            assert_memory_equal(lv_sim_momentum(sim), lv_sim_momentum(other),
                                (size_t)n * sizeof(double));
            assert_true(lv_sim_balance(sim) == lv_sim_balance(other));
            change_all(other, model, p);
            assert_int_equal(lv_sim_restore(sim, numbers, count, &err), LV_OK);
        }
        free(changed);
        free(numbers);
        lv_sim_free(other);
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

/* ---- what a change does to the state ---------------------------------------------------------------- */

static int work_number(const lv_sim *sim, const char *name)
{
    for (int k = 0; k < lv_sim_work_count(sim); k++)
        if (strcmp(lv_sim_work_name(sim, k), name) == 0)
            return k;
    fail_msg("no work has the name %s", name);
    return -1;
}

static void a_changed_potential_is_work_of_the_input(void **state)
{
    (void)state;
    lv_model *model = read_text(separable);
    lv_sim *sim = begin(model, "em", 0.01);
    double expected = 0;
    const int k = work_number(sim, "k");
    for (int step = 0; step < 20; step++) {
        const double *x = lv_sim_position(sim), r2 = x[0] * x[0] + x[1] * x[1];
        const double old = lv_sim_input(sim, "k")[0], new = 1 + 0.5 * sin(step);
        set(sim, "k", new);
        expected += (new - old) * r2 * r2;
        assert_close(lv_sim_work(sim)[k], expected, 1e-13);
        take_steps(sim, 1);
        assert_close(lv_sim_balance(sim), 0, 1e-12);
    }
    lv_sim_free(sim);
    lv_model_free(model);
}

/* Momenta pass through a change of the mass. */
static void a_changed_mass_changes_velocities_and_not_momenta(void **state)
{
    (void)state;
    lv_model *model = read_text("[inputs]\nm = 2\n"
                                "[coordinates]\nx = { value = 0, velocity = 3 }\n"
                                "[energy]\nkinetic = \"m*x'^2/2\"\n"
                                "potential = \"x^2/2\"\n");
    lv_sim *sim = begin(model, "lobatto", 0.01);
    set(sim, "m", 4);
    assert_close(lv_sim_momentum(sim)[0], 6, 1e-15);
    assert_close(lv_sim_velocity(sim)[0], 1.5, 1e-15);
    assert_close(lv_sim_work(sim)[work_number(sim, "m")], 4.5 - 9, 1e-14);
    take_steps(sim, 100); /* x = 3 sin(t/2) */
    assert_close(lv_sim_position(sim)[0], 3 * sin(0.5), 1e-9);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* v1 - v0 = z M^-1 G^T: masses 1 and 3, x' + y' becomes 2; the impulse of the constraint is the same on both. */
static void velocities_are_moved_onto_constraints_that_changed(void **state)
{
    (void)state;
    lv_model *model = read_text("[inputs]\nu = 0\n"
                                "[coordinates]\nx = 0\ny = 0\n"
                                "[energy]\nkinetic = \"x'^2/2 + 3*y'^2/2\"\n"
                                "[constraints.pace]\nnonholonomic = \"x' + y' - u\"\n");
    lv_sim *sim = begin(model, "lobatto", 0.1);
    take_steps(sim, 2);
    set(sim, "u", 2);
    assert_close(lv_sim_velocity(sim)[0], 1.5, 1e-14);
    assert_close(lv_sim_velocity(sim)[1], 0.5, 1e-14);
    assert_close(lv_sim_work(sim)[work_number(sim, "u")], 1.5, 1e-13);
    take_steps(sim, 10);
    assert_close(lv_sim_position(sim)[0], 1.5, 1e-12);
    assert_close(lv_sim_velocity(sim)[0], 1.5, 1e-13);
    lv_sim_free(sim);
    lv_model_free(model);
}

static void positions_do_not_jump(void **state)
{
    (void)state;
    lv_model *model = read_text("[inputs]\nl = 1\n"
                                "[coordinates]\nx = [0, -1]\n"
                                "[energy]\nkinetic = \"norm2(x')/2\"\n"
                                "potential = \"9.81*x[2]\"\n"
                                "[constraints.rope]\nholonomic = \"norm2(x) - l^2\"\n");
    lv_sim *sim = begin(model, "rattle", 0.1);
    const double longer = 1.5, same = 1 + 1e-14;
    lv_error err = refusal(sim, "l", &longer, 1);
    assert_non_null(strstr(err.text, "'l'"));
    assert_non_null(strstr(err.text, "rope"));
    assert_true(lv_sim_input(sim, "l")[0] == 1);
    assert_int_equal(lv_sim_set_input(sim, "l", &same, 1, &err), LV_OK);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* ---- what may be said of inputs ----------------------------------------------------------------------- */

static void inputs_are_described(void **state)
{
    (void)state;
    lv_input_info info;
    lv_model *model = read_text(pendulum);
    assert_int_equal(lv_model_input_count(model), 3);
    assert_true(lv_model_input_describe(model, 0, &info));
    assert_string_equal(info.name, "gravity");
    assert_int_equal(info.length, 2);
    assert_true(info.values[1] == -9.81);
    assert_true(lv_model_input_describe(model, 1, &info));
    assert_int_equal(info.length, 0);
    assert_int_equal(info.first, 2);
    assert_false(lv_model_input_describe(model, 2, &info));
    lv_model_free(model);
}

static void wrong_values_are_refused_with_the_reason(void **state)
{
    (void)state;
    const double values[] = {1, 2, (double)NAN};
    lv_model *model = read_text(pendulum);
    lv_sim *sim = begin(model, "rattle", 0.01);
    lv_error err = refusal(sim, "gravit", values, 2);
    assert_non_null(strstr(err.hint, "did you mean 'gravity'?"));
    err = refusal(sim, "wind", values, 2);
    assert_non_null(strstr(err.hint, "gravity"));
    err = refusal(sim, "gravity", values, 1);
    assert_non_null(strstr(err.text, "has 2 numbers"));
    err = refusal(sim, "gravity", values + 1, 2);
    assert_non_null(strstr(err.text, "not a number"));
    assert_int_equal(lv_sim_set_inputs(sim, values, 3, &err), LV_ERR_USAGE);
    assert_int_equal(lv_sim_set_inputs(sim, values, 2, &err), LV_ERR_USAGE);
    assert_true(lv_sim_input(sim, "gravity")[0] == 0);
    assert_null(lv_sim_input(sim, "g"));
    lv_sim_free(sim);
    lv_model_free(model);
}

/* A force that is zero by chance breaks the symmetry all the same. */
static void symmetries_hold_for_all_values_of_inputs(void **state)
{
    (void)state;
    static const char *const forces[] = {"u", "0"};
    char text[400];
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text,
                 "[inputs]\nu = 0\n[coordinates]\nx = 0\ny = 0\n"
                 "[energy]\nkinetic = \"x'^2 + y'^2\"\n"
                 "[forces.drive]\non = \"x\"\nforce = \"%s\"\n",
                 forces[k]);
        inspected i = inspect_text(text);
        assert_int_equal(i.at->momentum_count, 1 + k); /* y; x and y */
        inspected_free(&i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_force_that_changes_at_every_step_gives_parabolas),
        cmocka_unit_test(steps_after_a_change_are_those_of_a_simulation_without_past),
        cmocka_unit_test(saved_states_have_inputs_and_go_on_bit_for_bit),
        cmocka_unit_test(a_changed_potential_is_work_of_the_input),
        cmocka_unit_test(a_changed_mass_changes_velocities_and_not_momenta),
        cmocka_unit_test(velocities_are_moved_onto_constraints_that_changed),
        cmocka_unit_test(positions_do_not_jump),
        cmocka_unit_test(inputs_are_described),
        cmocka_unit_test(wrong_values_are_refused_with_the_reason),
        cmocka_unit_test(symmetries_hold_for_all_values_of_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
