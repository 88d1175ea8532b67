/* Parameters that change in a running simulation, against simulations that begin with the new values. */
#include "../model/reading.h"

#include <math.h>

static const char text[] = "[parameters]\n"
                           "m = 2\n"
                           "k = 3\n"
                           "w = \"2*k\"\n"
                           "l = 1\n"
                           "N = 2\n"
                           "up = [0, 1]\n"
                           "[inputs]\n"
                           "u = 0\n"
                           "[coordinates]\n"
                           "x = { value = [1, 0], velocity = [0, 0.5] }\n"
                           "y = { count = \"N\", value = 0.3 }\n"
                           "[energy]\n"
                           "kinetic = \"m/2*norm2(x') + (y_1'^2 + y_2'^2)/2\"\n"
                           "potential = \"w/2*(y_1^2 + y_2^2) + 9.81*dot(up, x)*m\"\n"
                           "[forces.push]\n"
                           "on = \"y_1\"\n"
                           "force = \"u\"\n"
                           "[constraints.rod]\n"
                           "holonomic = \"norm2(x) - l^2\"\n"
                           "[run]\n"
                           "scheme = \"lobatto\"\n"
                           "step = 0.01\n";

static lv_sim *begin(const lv_model *model)
{
    lv_error err;
    lv_sim *sim = NULL;
    const lv_sim_options options = lv_sim_options_default(model);
    if (lv_sim_create(&sim, model, &options, &err) != LV_OK)
        fail_with(&err);
    return sim;
}

static void set(lv_sim *sim, const char *name, double value)
{
    lv_error err;
    if (lv_sim_set_parameter(sim, name, &value, 1, &err) != LV_OK)
        fail_with(&err);
}

/* The motion goes on as that of a model that has the value from the beginning on and is put to the same state. */
static void motions_go_on_with_new_values(void **state)
{
    (void)state;
    lv_error err;
    const double push = 0.25;
    const lv_setting setting = {"k", "5.5"};
    lv_model *model = read_text(text), *other = read_with(text, &setting, 1);
    lv_sim *sim = begin(model), *wanted = begin(other);
    const double *q = lv_sim_position(sim);
    assert_int_equal(lv_sim_set_input(sim, "u", &push, 1, &err), LV_OK);
    assert_int_equal(lv_sim_set_input(wanted, "u", &push, 1, &err), LV_OK);
    assert_int_equal(lv_sim_step_many(sim, 20, &err), LV_OK);
    assert_int_equal(lv_sim_set_state(wanted, lv_sim_time(sim), lv_sim_position(sim),
                                      lv_sim_velocity(sim), &err),
                     LV_OK);
    set(sim, "k", 5.5);
    assert_true(lv_sim_parameter(sim, "w")[0] == 11); /* a formula of it follows */
    assert_ptr_equal(lv_sim_position(sim), q);
    assert_int_equal(lv_sim_steps(sim), 20);
    assert_true(lv_sim_input(sim, "u")[0] == push);
    assert_int_equal(lv_sim_step_many(sim, 30, &err), LV_OK);
    assert_int_equal(lv_sim_step_many(wanted, 30, &err), LV_OK);
    for (int i = 0; i < lv_model_coordinate_count(model); i++)
        assert_close(q[i], lv_sim_position(wanted)[i], 1e-12);
    assert_close(lv_sim_time(sim), 0.5, 1e-15);
    lv_sim_free(sim);
    lv_sim_free(wanted);
    lv_model_free(model);
    lv_model_free(other);
}

static void momenta_pass_through_a_change_of_the_mass(void **state)
{
    (void)state;
    lv_model *model = read_text(text);
    lv_sim *sim = begin(model);
    set(sim, "m", 4);
    assert_close(lv_sim_momentum(sim)[1], 1, 1e-15);
    assert_close(lv_sim_velocity(sim)[1], 0.25, 1e-15);
    set(sim, "m", 2);
    assert_close(lv_sim_velocity(sim)[1], 0.5, 1e-15);
    lv_sim_free(sim);
    lv_model_free(model);
}

static void what_cannot_change_is_refused_with_the_reason(void **state)
{
    static const struct {
        const char *name;
        double value;
        int count;
        const char *says;
    } wrong[] = {{"N", 3, 1, "sizes depend on 'N'"}, {"l", 1.5, 1, "would violate"},
                 {"q", 1, 1, "no parameter 'q'"},    {"u", 1, 1, "no parameter 'u'"},
                 {"up", 1, 1, "has 2 numbers"},      {"k", (double)NAN, 1, "values"}};
    (void)state;
    lv_error err;
    lv_model *model = read_text(text);
    lv_sim *sim = begin(model);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(lv_sim_set_parameter(sim, wrong[i].name, &wrong[i].value,
                                              wrong[i].count, &err),
                         LV_ERR_USAGE);
        if (!strstr(err.text, wrong[i].says))
            fail_msg("%s: %s", wrong[i].name, err.text);
    }
    assert_true(lv_sim_parameter(sim, "l")[0] == 1);
    assert_int_equal(lv_sim_step(sim, &err), LV_OK);
    lv_sim_free(sim);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions_go_on_with_new_values),
        cmocka_unit_test(momenta_pass_through_a_change_of_the_mass),
        cmocka_unit_test(what_cannot_change_is_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
