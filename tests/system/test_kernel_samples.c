/* Evaluation of all instances of a kernel, in blocks of lanes. */
#include "../model/reading.h"

#include "system/kernel_samples.h"

/* A family of n members whose term i is q_i^2*i + v_i*t + m. */
static lv_model *members(int n, const char *potential)
{
    char text[500];
    snprintf(text, sizeof text,
             "[parameters]\nm = 7\n[coordinates]\nx = 1\n"
             "q = { count = %d, value = \"i/2\", velocity = \"i + 1\" }\n"
             "[energy]\nkinetic = \"x'^2\"\n"
             "[energy.members]\nfor = \"i = 1..%d\"\nkinetic = \"q_i'^2\"\n"
             "lagrangian = \"%s\"\n",
             n, n, potential);
    return read_text(text);
}

typedef struct record {
    int count;
    double sum;
    bool in_order;
} record;

static lv_status visit(void *user, const lv_kernel *kernel, int instance,
                       const double *values, lv_error *err)
{
    record *r = user;
    double i = kernel->indices[instance];
    double expected = i * i / 4 * i + (i + 1) * 3 + 7;
    (void)err;
    r->in_order = r->in_order && instance == r->count;
    r->count++;
    r->sum += fabs(values[0] - expected) + fabs(values[1] - values[0]);
    return LV_OK;
}

static lv_status run(const lv_model *m, record *r, lv_visit each, lv_error *err)
{
    const lv_kernel *kernel = &m->kernels.data[m->kernels.count - 1];
    const lv_node nodes[] = {kernel->rows[0], kernel->rows[0]};
    lv_kernel_samples samples;
    lv_status status =
        lv_kernel_samples_init(&samples, m, kernel, kernel->graph, nodes, 2, err);
    if (status == LV_OK)
        status = lv_kernel_samples_run(&samples, m->start_q, m->start_v, 3, each, r, err);
    lv_kernel_samples_done(&samples);
    return status;
}

static void every_instance_is_visited_once_in_order(void **state)
{
    static const int counts[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 1003};
    (void)state;
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        lv_model *m = members(counts[k], "q_i^2*i + q_i'*t + m");
        record r = {.in_order = true};
        lv_error err;
        assert_int_equal(run(m, &r, visit, &err), LV_OK);
        assert_int_equal(r.count, counts[k]);
        assert_true(r.in_order);
        assert_close(r.sum, 0, 1e-9);
        lv_model_free(m);
    }
}

static lv_status stop_at_ten(void *user, const lv_kernel *kernel, int instance,
                             const double *values, lv_error *err)
{
    record *r = user;
    (void)kernel, (void)values;
    r->count++;
    return instance == 10 ? lv_fail(err, LV_ERR_USAGE, "enough") : LV_OK;
}

static void a_visit_that_fails_ends_the_evaluation(void **state)
{
    lv_model *m = members(20, "q_i");
    record r = {0};
    lv_error err;
    (void)state;
    assert_int_equal(run(m, &r, stop_at_ten, &err), LV_ERR_USAGE);
    assert_int_equal(r.count, 11);
    lv_model_free(m);
}

/* Instances before the one without a value are visited, and the message names that one. */
static void a_value_that_is_not_finite_names_its_instance(void **state)
{
    lv_model *m = members(20, "1/(q_i - 5.5)");
    record r = {0};
    lv_error err;
    (void)state;
    assert_int_equal(run(m, &r, stop_at_ten, &err), LV_ERR_DOMAIN);
    assert_int_equal(r.count, 10);
    assert_string_equal(err.text, "division by zero: 1/0");
    assert_string_equal(err.note, "in members (i = 11)");
    assert_int_equal(err.line, 11);
    lv_model_free(m);
}

/* 17 instances leave 7 spare lanes; what they compute must not count. */
static void spare_lanes_do_no_harm(void **state)
{
    lv_model *m = members(17, "1/(q_i - 9)");
    record r = {0};
    lv_error err;
    (void)state;
    assert_int_equal(run(m, &r, stop_at_ten, &err), LV_ERR_USAGE);
    lv_model_free(m);
}

static void local_numbers_lead_to_global_ones(void **state)
{
    lv_model *m = read_text("[coordinates]\nx = 1\na = [1, 2]\n"
                            "q = { count = 3, value = [0, 0] }\n"
                            "[energy]\nkinetic = \"x'^2 + norm2(a')\"\n"
                            "[energy.q]\nfor = \"i = 1..3\"\n"
                            "kinetic = \"norm2(q_i') + dot(a', q_{4-i}') + x'^2\"\n");
    const lv_kernel *kernel = &m->kernels.data[m->kernels.count - 1];
    static const int expected[3][7] = {
        {3, 4, 1, 2, 7, 8, 0}, {5, 6, 1, 2, 5, 6, 0}, {7, 8, 1, 2, 3, 4, 0}};
    (void)state;
    assert_int_equal(kernel->slot_count, 4);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 7; k++)
            assert_int_equal(lv_kernel_global(kernel, i, k), expected[i][k]);
    lv_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_instance_is_visited_once_in_order),
        RUN(a_visit_that_fails_ends_the_evaluation),
        RUN(a_value_that_is_not_finite_names_its_instance),
        RUN(spare_lanes_do_no_harm),
        RUN(local_numbers_lead_to_global_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
