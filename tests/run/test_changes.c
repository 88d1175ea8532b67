/* What was changed from outside in a simulation: counted, named, saved, and said where promises are. */
#include "../model/reading.h"

#include <stdlib.h>

static const char spring[] = "[parameters]\n"
                             "m = 1\n"
                             "[inputs]\n"
                             "k = 1\n"
                             "shown = 0\n"
                             "[coordinates]\n"
                             "x = { value = [1, 0], velocity = [0, 1] }\n"
                             "[energy]\n"
                             "kinetic = \"m*norm2(x')\"\n"
                             "potential = \"k*norm2(x)^2\"\n"
                             "[outputs]\n"
                             "o = \"shown\"\n"
                             "[view.points]\n"
                             "a = \"[k, x[1]]\"\n";

static void check(lv_status status, const lv_error *err)
{
    if (status != LV_OK)
        fail_with(err);
}

static lv_sim *begin(const lv_model *model)
{
    lv_error err;
    lv_sim *sim = NULL;
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = "em";
    options.step = 0.125;
    check(lv_sim_create(&sim, model, &options, &err), &err);
    return sim;
}

static void set(lv_sim *sim, const char *name, double value)
{
    lv_error err;
    check(lv_sim_set_input(sim, name, &value, 1, &err), &err);
}

static void assert_change(const lv_sim *sim, int k, const char *kind, const char *name,
                          long long count, double first, double last)
{
    lv_error err;
    lv_change_info info;
    check(lv_sim_change(sim, k, &info, &err), &err);
    assert_string_equal(info.kind, kind);
    assert_string_equal(info.name, name);
    assert_int_equal(info.count, count);
    assert_true(info.first == first && info.last == last);
}

static void changes_are_counted_and_saved(void **state)
{
    (void)state;
    lv_error err;
    const double mass = 2;
    lv_model *model = read_text(spring);
    lv_sim *sim = begin(model), *other = begin(model);
    set(sim, "k", 2); /* before the first step: no change */
    assert_int_equal(lv_sim_change_count(sim), 0);
    check(lv_sim_step_many(sim, 2, &err), &err);
    set(sim, "k", 3);
    set(sim, "k", 3); /* the same: no change */
    check(lv_sim_step_many(sim, 2, &err), &err);
    set(sim, "k", 4);
    assert_int_equal(lv_sim_change_count(sim), 1);
    assert_change(sim, 0, "input", "k", 2, 0.25, 0.5);

    check(lv_sim_copy(other, sim, &err), &err);
    assert_change(other, 0, "input", "k", 2, 0.25, 0.5);
    check(lv_sim_set_parameter(sim, "m", &mass, 1, &err), &err);
    check(lv_sim_set_step(sim, 0.25, &err), &err);
    check(lv_sim_step(sim, &err), &err);
    set(sim, "shown", 1);
    assert_int_equal(lv_sim_change_count(sim), 4);
    assert_change(sim, 0, "input", "k", 2, 0.25, 0.5);
    assert_change(sim, 1, "input", "shown", 1, 0.75, 0.75);
    assert_change(sim, 2, "parameter", "m", 1, 0.5, 0.5);
    assert_change(sim, 3, "step", "step", 1, 0.5, 0.5);
    const double q[2] = {1, 0}, v[2] = {0, 1};
    check(lv_sim_set_state(sim, 7, q, v, &err), &err);
    assert_int_equal(lv_sim_change_count(sim), 0);
    lv_sim_free(other);
    lv_sim_free(sim);
    lv_model_free(model);
}

static lv_run_summary *run_with_table(const lv_model *model, double until,
                                      const char *path)
{
    lv_error err;
    lv_run_summary *summary = NULL;
    const lv_input_table table = {
        .input = "k", .path = "k.csv", .text = "t,k\n0,1\n0.5,2\n0.75,3\n"};
    lv_run_request request = lv_run_request_default(model);
    request.sim.scheme = "em";
    request.sim.step = 0.125;
    request.until = until;
    request.table_count = 1;
    request.tables = &table;
    request.hdf5 = path;
    check(lv_run(&summary, model, &request, &err), &err);
    return summary;
}

static void summaries_have_changes_and_checkpoints_keep_them(void **state)
{
    (void)state;
    static const char path[] = "changes.h5";
    lv_error err;
    lv_model *model = read_text(spring), *again = NULL;
    lv_run_summary *rest = NULL, *first = run_with_table(model, 0.625, path);
    assert_int_equal(first->change_count, 1);
    assert_int_equal(first->changes[0].count, 1);
    lv_run_summary_free(first);
    check(lv_resume(&rest, &again, path, 1, NULL, NULL, &err), &err);
    assert_int_equal(rest->change_count, 1);
    assert_string_equal(rest->changes[0].name, "k");
    assert_int_equal(rest->changes[0].count, 2);
    assert_true(rest->changes[0].first == 0.5 && rest->changes[0].last == 0.75);
    lv_run_summary_free(rest);
    lv_model_free(again);
    lv_model_free(model);
    (void)remove(path);
}

/* Promises of a certificate that hold for one system alone say so; the others do not. */
static void certificates_say_while_inputs_are_constant(void **state)
{
    (void)state;
    lv_error err;
    lv_certificate *c = NULL;
    int said = 0;
    lv_model *model = read_text(spring);
    lv_verify_request request = lv_verify_request_default(model);
    lv_run_request_change(
        &request.run, &(lv_run_changes){.scheme = "em", .step = 0.0625, .until = 0.5});
    check(lv_verify(&c, model, &request, &err), &err);
    for (int k = 0; k < c->count; k++) {
        const lv_finding *f = &c->findings[k];
        const bool needs = f->promise && (f->property == LV_PROPERTY_MOMENTUM ||
                                          f->property == LV_PROPERTY_ENERGY ||
                                          f->property == LV_PROPERTY_REVERSIBILITY ||
                                          f->property == LV_PROPERTY_SYMPLECTICITY);
        const bool says = f->note && strstr(f->note, "while inputs are constant");
        assert_int_equal(needs, says);
        said += says;
    }
    assert_true(said >= 2);
    lv_certificate_free(c);
    lv_model_free(model);
}

/* What is drawn follows inputs, in simulations and in frames that others ask for. */
static void pictures_follow_inputs(void **state)
{
    (void)state;
    lv_error err;
    lv_viewer *viewer = NULL;
    double numbers[8];
    const double inputs[2] = {9, 0};
    lv_model *model = read_text(spring);
    lv_sim *sim = begin(model);
    assert_true(lv_model_view(model)->number_count <= 8);
    check(lv_sim_view(sim, numbers, &err), &err);
    assert_true(numbers[0] == 1);
    set(sim, "k", 5);
    check(lv_sim_view(sim, numbers, &err), &err);
    assert_true(numbers[0] == 5);
    check(lv_viewer_create(&viewer, model, &err), &err);
    check(lv_viewer_frame(viewer, numbers, 0, lv_sim_position(sim), NULL, &err), &err);
    assert_true(numbers[0] == 1);
    check(lv_viewer_set_inputs(viewer, inputs, 2, &err), &err);
    check(lv_viewer_frame(viewer, numbers, 0, lv_sim_position(sim), NULL, &err), &err);
    assert_true(numbers[0] == 9);
    lv_viewer_free(viewer);
    lv_sim_free(sim);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(changes_are_counted_and_saved),
        RUN(summaries_have_changes_and_checkpoints_keep_them),
        RUN(certificates_say_while_inputs_are_constant),
        RUN(pictures_follow_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
