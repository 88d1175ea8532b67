/* Statistics over the members of a sweep, row by row. */
#include "ensembles.h"

/* The number in a line and column of a CSV text. */
static double number_at(const lv_text *csv, int line, int column)
{
    const char *at = csv->data;
    for (int k = 0; k < line; k++)
        at = strchr(at, '\n') + 1;
    for (int k = 0; k < column; k++)
        at = strchr(at, ',') + 1;
    return strtod(at, NULL);
}

static lv_text series_of(const lv_model *m, lv_sweep_request request)
{
    char path[200];
    lv_error err;
    lv_sweep_summary *summary = NULL;
    request.series = temporary(path, "mean.csv");
    if (lv_sweep_run(&summary, m, &request, &err) != LV_OK)
        fail_with(&err);
    lv_sweep_summary_free(summary);
    return take_file(path);
}

/* mu(E,k) = mean_j (E_jk - E0)^2 for k = 50, 100 of the chaotic nonholonomic ensemble, with
 * h = 0.1 and 2 or 3 stages: from an independent program. */
static void the_mean_square_energy_error_is_the_known_one(void **state)
{
    (void)state;
    static const double known[2][2] = {{2.50199e-6, 2.45774e-6},
                                       {7.7861e-13, 5.7017e-13}};
    lv_error err;
    lv_model *m = NULL;
    assert_int_equal(lv_model_read(&m, "chaotic-nonholonomic", NULL, 0, &err), LV_OK);
    for (int k = 0; k < 2; k++) {
        lv_sweep_request request = lv_sweep_request_default();
        request.changes.every = 50;
        lv_scheme_option_set(&request.changes.options, LV_OPTION_STAGES, 2 + k);
        lv_text csv = series_of(m, request);
        assert_int_equal(strncmp(csv.data, "t,members,mu.E,mean.E,sd.E\n0,41,0,", 34), 0);
        assert_true(number_at(&csv, 2, 0) == 5 && number_at(&csv, 3, 0) == 10);
        for (int i = 0; i < 2; i++)
            assert_below(fabs(number_at(&csv, 2 + i, 2) / known[k][i] - 1), 1e-5);
        lv_text_done(&csv);
    }
    lv_model_free(m);
}

static void means_and_deviations_are_those_of_the_final_rows(void **state)
{
    (void)state;
    static const char *const channels[] = {"a'[1]", "lambda.rod", "height"};
    lv_sweep_summary *summary = NULL;
    lv_sweep_request request = lv_sweep_request_default();
    lv_model *m = read_text(pendulums);
    const table t = run_table(m, &request, &summary);
    lv_sweep_summary_free(summary);
    request.channels = channels;
    request.channel_count = 3;
    lv_text csv = series_of(m, request);
    assert_non_null(strstr(csv.data, "t,members,mu.E,mean.a'[1],sd.a'[1],mean.lambda.rod,"
                                     "sd.lambda.rod,mean.height,sd.height\n"));
    for (int c = 0; c < 3; c++) {
        double mean = 0, square = 0;
        for (int row = 0; row < 8; row++)
            mean += cell(&t, row, channels[c]) / 8;
        for (int row = 0; row < 8; row++)
            square += pow(cell(&t, row, channels[c]) - mean, 2);
        assert_close(number_at(&csv, 36, 3 + 2 * c), mean, 1e-14);
        assert_close(number_at(&csv, 36, 4 + 2 * c), sqrt(square / 7), 1e-14);
    }
    lv_text_done(&csv);
    lv_model_free(m);
}

static void a_series_is_that_of_the_members_that_ended_well(void **state)
{
    (void)state;
    lv_sweep_request request = lv_sweep_request_default();
    lv_model *m = read_text(troubles);
    lv_text csv = series_of(m, request);
    assert_true(number_at(&csv, 1, 1) == 2);
    assert_close(number_at(&csv, 1, 3), (1.0 + 2.0) / 8, 1e-15);
    lv_text_done(&csv);
    lv_model_free(m);
}

static void a_series_of_different_times_is_refused(void **state)
{
    (void)state;
    static const char text[] = "[parameters]\nh = 0.1\n"
                               "[coordinates]\nx = 1\n"
                               "[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n"
                               "[run]\nscheme = \"verlet\"\nstep = \"h\"\nuntil = 1\n"
                               "[sweep]\nmembers = 2\n[sweep.set]\nh = \"0.1/(1 + j)\"\n";
    char path[200];
    lv_error err;
    lv_sweep_summary *summary = NULL;
    lv_sweep_request request = lv_sweep_request_default();
    lv_model *m = read_text(text);
    const table t = run_table(m, &request, &summary);
    assert_true(cell(&t, 0, "steps") == 10 && cell(&t, 1, "steps") == 20);
    lv_sweep_summary_free(summary);
    request.series = temporary(path, "refused.csv");
    assert_int_equal(lv_sweep_run(&summary, m, &request, &err), LV_ERR_MODEL);
    assert_non_null(strstr(err.text, "different times"));
    assert_int_not_equal(access(path, F_OK), 0);
    lv_sweep_summary_free(summary);
    lv_model_free(m);
}

/* Nodes at multiples of the sampling time have times that are rounded differently. */
static void members_with_different_steps_have_a_series_of_samples(void **state)
{
    (void)state;
    static const char text[] = "[parameters]\nh = 0.1\n"
                               "[coordinates]\nx = 1\n"
                               "[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n"
                               "[run]\nscheme = \"verlet\"\nstep = \"h\"\nuntil = 2\n"
                               "sample = 0.1\n"
                               "[sweep]\nmembers = 3\n[sweep.set]\nh = \"0.1/(1 + j)\"\n";
    lv_sweep_request request = lv_sweep_request_default();
    lv_model *m = read_text(text);
    lv_text csv = series_of(m, request);
    for (int row = 0; row <= 20; row++)
        assert_close(number_at(&csv, 1 + row, 0), 0.1 * row, 1e-12);
    lv_text_done(&csv);
    lv_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_mean_square_energy_error_is_the_known_one),
        RUN(means_and_deviations_are_those_of_the_final_rows),
        RUN(a_series_is_that_of_the_members_that_ended_well),
        RUN(a_series_of_different_times_is_refused),
        RUN(members_with_different_steps_have_a_series_of_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
