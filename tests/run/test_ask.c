/* What may be asked of a simulation between steps, against closed forms and against what runs report. */
#include "../model/reading.h"

#include <math.h>

static const char pendulum[] = "[parameters]\n"
                               "m = 2\n"
                               "[coordinates]\n"
                               "x = { value = [0.6, 0, -0.8], velocity = [0, 3, 0] }\n"
                               "[energy]\n"
                               "kinetic = \"m/2*norm2(x')\"\n"
                               "potential = \"9.81*m*x[3]\"\n"
                               "[constraints.rod]\n"
                               "holonomic = \"(norm2(x) - 1)/2\"\n"
                               "[outputs]\n"
                               "height = \"x[3] + 1\"\n"
                               "pull = \"lambda.rod*x\"\n"
                               "fall = \"x[3]''\"\n"
                               "energy = \"E\"\n";

static lv_sim *begin(const lv_model *model, const char *scheme, double step)
{
    lv_error err;
    lv_sim *sim = NULL;
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = scheme;
    options.options = (lv_scheme_options){0};
    options.step = step;
    if (lv_sim_create(&sim, model, &options, &err) != LV_OK)
        fail_with(&err);
    return sim;
}

/* m a = -m g e3 + lambda x with x . a = -|v|^2: lambda = m (g x3 - |v|^2) for a rod of length 1. */
static void a_pendulum_is_asked_for_everything(void **state)
{
    (void)state;
    lv_error err;
    double a[3], maps[8];
    const lv_output *outputs = NULL;
    int count = 0, rows = 0;
    lv_sparse matrix;
    lv_model *model = read_text(pendulum);
    lv_sim *changing = begin(model, "rattle", 0.01);
    const lv_sim *sim = changing; /* questions change nothing */
    const double g = 9.81, lambda = 2 * (g * -0.8 - 9), x[] = {0.6, 0, -0.8};

    assert_int_equal(lv_sim_accelerations(sim, a, &err), LV_OK);
    for (int k = 0; k < 3; k++)
        assert_close(a[k], lambda / 2 * x[k] - (k == 2 ? g : 0), 1e-13);

    assert_int_equal(lv_sim_outputs(sim, &outputs, &count, &err), LV_OK);
    assert_int_equal(count, 4);
    assert_string_equal(outputs[1].name, "pull");
    assert_int_equal(outputs[1].length, 3);
    assert_close(outputs[0].values[0], 0.2, 1e-15);
    assert_close(outputs[1].values[2], lambda * -0.8, 1e-12);
    assert_close(outputs[2].values[0], a[2], 1e-14);
    assert_close(outputs[3].values[0], 9 - 2 * g * 0.8, 1e-13);

    assert_int_equal(lv_sim_momentum_map_count(sim), 1);
    assert_string_equal(lv_sim_momentum_map_name(sim, 0), "L_z");
    assert_null(lv_sim_momentum_map_name(sim, 1));
    assert_int_equal(lv_sim_momentum_maps(sim, maps, 1, &err), LV_OK);
    assert_close(maps[0], 2 * 0.6 * 3, 1e-14);
    assert_int_equal(lv_sim_momentum_maps(sim, maps, 2, &err), LV_ERR_USAGE);

    assert_int_equal(lv_sim_mass_matrix(sim, &matrix, &err), LV_OK);
    assert_int_equal(matrix.rows, 3);
    assert_int_equal(matrix.start[3], 3);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(matrix.column[k], k);
        assert_close(matrix.values[k], 2, 1e-15);
    }
    assert_int_equal(lv_sim_constraint_matrix(sim, &matrix, &err), LV_OK);
    assert_int_equal(matrix.rows, 1);
    for (int k = 0; k < matrix.start[1]; k++)
        assert_close(matrix.values[k], x[matrix.column[k]], 1e-15);

    assert_int_equal(lv_model_constraint_find(model, "rod", &rows), 0);
    assert_int_equal(rows, 1);
    assert_int_equal(lv_model_constraint_find(model, "ro", &rows), -1);
    assert_int_equal(rows, 0);
    lv_sim_free(changing);
    lv_model_free(model);
}

/* At the end of a run its summary has the same bits. */
static void parts_and_outputs_are_those_of_runs(void **state)
{
    static const char *const models[] = {"double-rigid-pendulum", "rolling-disc-body",
                                         "double-pendulum", "slider-crank"};
    (void)state;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        lv_error err;
        lv_run_summary *summary = NULL;
        lv_sim *sim = NULL;
        const lv_part_result *parts = NULL;
        const lv_output *outputs = NULL;
        int count = 0;
        lv_model *model = read_shipped(models[m], NULL, NULL);
        lv_run_request request = lv_run_request_default(model);
        request.until = 7 * request.sim.step;
        assert_int_equal(lv_run(&summary, model, &request, &err), LV_OK);
        assert_int_equal(lv_sim_create(&sim, model, &request.sim, &err), LV_OK);
        assert_int_equal(lv_sim_step_many(sim, 7, &err), LV_OK);
        for (int again = 0; again < 2; again++) {
            if (lv_sim_parts(sim, &parts, &count, &err) != LV_OK)
                fail_with(&err);
            assert_int_equal(count, summary->part_count);
            for (int k = 0; k < count; k++) {
                assert_string_equal(parts[k].name, summary->parts[k].name);
                assert_int_equal(parts[k].count, summary->parts[k].count);
                for (int j = 0; j < parts[k].count; j++) {
                    const lv_output *x = &parts[k].values[j],
                                    *y = &summary->parts[k].values[j];
                    const size_t numbers = x->length > 0 ? (size_t)x->length : 1;
                    assert_string_equal(x->name, y->name);
                    if (strcmp(x->name, "quaternion") != 0) /* its sign has a history */
                        assert_memory_equal(x->values, y->values,
                                            numbers * sizeof(double));
                }
            }
            assert_int_equal(lv_sim_outputs(sim, &outputs, &count, &err), LV_OK);
            assert_int_equal(count, summary->output_count);
            for (int k = 0; k < count; k++)
                assert_true(outputs[k].values[0] == summary->outputs[k].values[0]);
        }
        lv_sim_free(sim);
        lv_run_summary_free(summary);
        lv_model_free(model);
    }
}

/* x = cos t: the error of Verlet's scheme is that of its step. */
static void steps_change_their_size(void **state)
{
    (void)state;
    lv_error err;
    lv_model *model =
        read_text("[coordinates]\nx = 1\n"
                  "[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n");
    lv_sim *sim = begin(model, "lobatto", 0.1), *other = begin(model, "lobatto", 0.1);
    assert_int_equal(lv_sim_step_many(sim, 5, &err), LV_OK);
    assert_int_equal(lv_sim_set_step(sim, 0.05, &err), LV_OK);
    assert_true(lv_sim_step_size(sim) == 0.05);
    assert_int_equal(lv_sim_step_many(sim, 10, &err), LV_OK);
    assert_close(lv_sim_time(sim), 1, 1e-15);
    assert_close(lv_sim_position(sim)[0], cos(1), 1e-6);
    assert_int_equal(lv_sim_copy(other, sim, &err), LV_OK); /* the size goes along */
    assert_true(lv_sim_step_size(other) == 0.05);
    assert_int_equal(lv_sim_step(sim, &err), LV_OK);
    assert_int_equal(lv_sim_step(other, &err), LV_OK);
    assert_true(lv_sim_position(sim)[0] == lv_sim_position(other)[0]);
    assert_true(lv_sim_time(sim) == lv_sim_time(other));
    assert_int_equal(lv_sim_set_step(sim, 0, &err), LV_ERR_USAGE);
    assert_int_equal(lv_sim_set_step(sim, -1, &err), LV_ERR_USAGE);
    assert_int_equal(lv_sim_set_step(sim, (double)NAN, &err), LV_ERR_USAGE);
    assert_true(lv_sim_step_size(sim) == 0.05);
    lv_sim_free(sim);
    lv_sim_free(other);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_is_asked_for_everything),
        cmocka_unit_test(parts_and_outputs_are_those_of_runs),
        cmocka_unit_test(steps_change_their_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
