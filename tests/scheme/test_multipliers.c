/* The schemes' own multipliers, against those of another implementation (specification "GGL and
 * Livens", 11.1 to 11.4): there the constraint force is -G^T lambda. */
#include "watching.h"

enum { MOST = 9 };

typedef struct multiplier_row {
    const char *model, *scheme;
    double step;
    int steps, count;
    double lambda[MOST], gamma[MOST];
} multiplier_row;

static const multiplier_row rows[] = {
    {"pendulum3d", "vi-s", 0.05, 20, 1, {5.198479027138}, {0.0893376983755}},
    {"pendulum3d", "vi-a", 0.05, 20, 1, {6.950110851772}, {-0.02291485201551}},
    {"pendulum3d", "vi-b", 0.05, 20, 1, {5.364732301857}, {0.1341811660093}},
    {"pendulum3d", "em", 0.05, 20, 1, {7.034494644955}, {-0.01191394400496}},
    {"pendulum3d", "em-g", 0.05, 20, 1, {6.984137626347}, {0}},
    {"pendulum3d", "vi-b2", 0.05, 20, 1, {6.567506221385}, {0}},
    {"four-particles",
     "vi-s",
     0.01,
     100,
     2,
     {0.05437372690169, 0.8888454665301},
     {0.000540376287951, 0.005303895884775}},
    {"four-particles",
     "em",
     0.01,
     100,
     2,
     {0.01962638582572, 0.636728505911},
     {3.061546897139e-06, -7.616054343635e-06}},
    {"four-particles", "em-g", 0.01, 100, 2, {0.01973166430241, 0.6365154603566}, {0, 0}},
    {"steady-top",
     "em",
     0.002,
     10,
     9,
     {5.25388295392, 5.246040842911, 0.05811953499302, 0.009118222703224,
      -0.3486237711022, 0.5293961064188, 0.06471279744993, -0.3375966690444,
      -0.519700536993},
     {1.237083467473e-06, -1.237029591312e-06, 8.790578732564e-10, -5.319336476787e-07,
      3.406945380064e-05, 2.243630476121e-05, -3.719076368572e-05, -7.140759694684e-06,
      7.595629605412e-09}},
    {"mass-spring-redundant", "livens", 0.1, 10, 1, {-1.118669178578}, {0}},
};

static void check_row(const multiplier_row *r)
{
    double lambda[MOST], gamma[MOST] = {0};
    lv_model *model = read_shipped(r->model, NULL, NULL);
    lv_sim *sim = start(model, &(method){r->scheme, 1, 0}, r->step);
    sim->scheme->multipliers(sim->work, lambda, gamma);
    assert_true(largest(lambda, r->count) == 0 && largest(gamma, r->count) == 0);
    step_times(sim, r->steps);
    sim->scheme->multipliers(sim->work, lambda, gamma);
    for (int k = 0; k < r->count; k++) {
        /* rounding of positions is divided by h^2, or by h */
        assert_close(-lambda[k], r->lambda[k], 2e-14 / (r->step * r->step));
        assert_close(gamma[k], r->gamma[k], 2e-14 / r->step);
    }
    lv_sim_free(sim);
    lv_model_free(model);
}

static void multipliers_agree_with_another_implementation(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        check_row(&rows[k]);
}

/* The summary and the rows of a run show gamma where a scheme has it. */
static void runs_report_gamma(void **state)
{
    (void)state;
    lv_error err;
    lv_run_summary *summary = NULL;
    lv_model *model = read_shipped("pendulum3d", NULL, NULL);
    lv_run_request request = lv_run_request_default(model);
    request.sim.scheme = "em";
    request.until = 1;
    if (lv_run(&summary, model, &request, &err) != LV_OK)
        fail_with(&err);
    assert_non_null(summary->gamma);
    assert_close(summary->gamma[0], -0.01191394400496, 1e-12);
    assert_null(summary->invariant.name);
    lv_run_summary_free(summary);
    request.sim.scheme = "rattle";
    if (lv_run(&summary, model, &request, &err) != LV_OK)
        fail_with(&err);
    assert_null(summary->gamma);
    lv_run_summary_free(summary);
    lv_model_free(model);
}

/* A shortened last step keeps another invariant; the monitor does not mistake it for a deviation. */
static void runs_report_the_invariant_of_a_scheme(void **state)
{
    (void)state;
    lv_error err;
    lv_run_summary *summary = NULL;
    lv_model *model = read_shipped("steady-top", NULL, NULL);
    lv_run_request request = lv_run_request_default(model);
    request.sim.scheme = "bs99";
    request.until = 0.1991;
    if (lv_run(&summary, model, &request, &err) != LV_OK)
        fail_with(&err);
    assert_string_equal(summary->invariant.name, "E.modified");
    assert_close(summary->invariant.initial, 5.669055190632946, 1e-9);
    assert_true(summary->invariant.max_deviation < 1e-13 * 5.7);
    assert_true(summary->energy.max_deviation > 1e-6);
    lv_run_summary_free(summary);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(multipliers_agree_with_another_implementation),
        RUN(runs_report_gamma),
        RUN(runs_report_the_invariant_of_a_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
