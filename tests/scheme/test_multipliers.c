/* The schemes' own multipliers, against those of other implementations, and what runs show of them. */
#include "multiplier_rows.h"
#include "watching.h"

static bool check_row(const multiplier_row *r)
{
    double lambda[MOST_MULTIPLIERS], gamma[MOST_MULTIPLIERS] = {0};
    lv_model *model = read_shipped(r->model, r->c ? "c" : NULL, r->c);
    const method m = member(r->scheme);
    lv_sim *sim = start(model, &m, r->step);
    sim->scheme->multipliers(sim->work, &sim->state, lambda, gamma);
    assert_true(largest(lambda, r->count) == 0 && largest(gamma, r->count) == 0);
    step_times(sim, r->steps);
    sim->scheme->multipliers(sim->work, &sim->state, lambda, gamma);
    for (int k = 0; k < r->count; k++)
        lambda[k] = -lambda[k];
    double d_lambda = distance(lambda, r->lambda, r->count);
    double d_gamma = distance(gamma, r->gamma, r->count);
    /* Rounding of positions is divided by h^2, or by h, and 13 digits are printed. After 1000 steps states
     * are reproducible to 1e-11 only, and the forces in stiff springs follow them. */
    double h = r->step, many = r->steps > 100 ? 1e-11 : 0;
    double digits = 1e-12 * largest(r->lambda, r->count);
    bool good =
        d_lambda <= 2e-14 / (h * h) + digits + 100 * many && d_gamma <= 2e-14 / h + many;
    print_message("    %-22s %-6s %5d steps: lambda %7.1e, gamma %7.1e%s\n", r->model,
                  r->scheme, r->steps, d_lambda, d_gamma, good ? "" : " !");
    lv_sim_free(sim);
    lv_model_free(model);
    return good;
}

static void multipliers_agree_with_another_implementation(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof multiplier_rows / sizeof *multiplier_rows; k++)
        wrong += !check_row(&multiplier_rows[k]);
    assert_int_equal(wrong, 0);
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
    assert_below(summary->invariant.max_deviation, 1e-13 * 5.7);
    assert_above(summary->energy.max_deviation, 1e-6);
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
