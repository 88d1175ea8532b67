/* Schemes that callers write: the implicit midpoint rule with projection, which livens does not have. */
#include "../model/reading.h"

#include <math.h>

static const char midpoint[] =
    "carried q point, p momentum, v tangent, last_lambda multiplier g\n"
    "unknown V tangent, lambda multiplier g\n"
    "point z at 1/2 = q + 1/2 h V\n"
    "point q1 at 1 = q + h V\n"
    "let K = F(z, V) + GT(z; lambda)\n"
    "eq V: p(z, V) - p - 1/2 h K\n"
    "eq lambda: g(q1)\n"
    "unknown x tangent, s impulse g\n"
    "let p1 = p + h K + GT(q1; s)\n"
    "eq x: p(q1, x) - p1\n"
    "eq s: rate(q1, x)\n"
    "assign q <- q1\n"
    "assign p <- p1\n"
    "assign v <- x\n"
    "assign last_lambda <- lambda\n";

static lv_scheme_info info_of(const char *name)
{
    return (lv_scheme_info){.name = name,
                            .summary = "a midpoint rule of the test",
                            .text = "",
                            .source = "",
                            .holonomic = true,
                            .mass = LV_MASS_VARYING,
                            .any_lagrangian = true};
}

static const lv_claims promised = {.order = 2,
                                   .momentum = LV_KEPT_EXACT,
                                   .position = LV_KEPT_EXACT,
                                   .velocity = LV_KEPT_EXACT};

static void add_once(void)
{
    static bool added;
    lv_error err;
    const lv_scheme_info info = info_of("own-midpoint");
    if (!added && lv_scheme_register(&info, &promised, midpoint, &err) != LV_OK)
        fail_with(&err);
    added = true;
}

static lv_run_summary *run(const lv_model *model, const char *scheme, double step)
{
    lv_error err;
    lv_run_summary *summary = NULL;
    lv_run_request request = lv_run_request_default(model);
    request.sim.scheme = scheme;
    request.sim.options = (lv_scheme_options){0};
    if (strcmp(scheme, "gauss") == 0)
        lv_scheme_option_set(&request.sim.options, LV_OPTION_STAGES, 1);
    request.sim.step = step;
    request.until = 1;
    if (lv_run(&summary, model, &request, &err) != LV_OK)
        fail_with(&err);
    return summary;
}

/* Without constraints it is Gauss' method with one stage; with them it keeps these, and has the order that it claims. */
static void registered_schemes_are_schemes(void **state)
{
    (void)state;
    add_once();
    lv_model *arm = read_shipped("two-link-arm", NULL, NULL);
    lv_run_summary *a = run(arm, "own-midpoint", 0.01), *b = run(arm, "gauss", 0.01);
    for (int i = 0; i < 2; i++)
        assert_close(a->q[i], b->q[i], 1e-10);
    lv_run_summary_free(a);
    lv_run_summary_free(b);
    lv_model_free(arm);

    lv_model *pendulum = read_shipped("pendulum3d", NULL, NULL);
    lv_run_summary *s[3] = {run(pendulum, "own-midpoint", 0.02),
                            run(pendulum, "own-midpoint", 0.01),
                            run(pendulum, "lobatto", 0.01)};
    double error[2] = {0};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++)
            error[k] = fmax(error[k], fabs(s[k]->q[i] - s[2]->q[i]));
        assert_true(s[k]->position_max < 1e-10);
    }
    assert_close(log2(error[0] / error[1]), 2, 0.1);
    for (int k = 0; k < 3; k++)
        lv_run_summary_free(s[k]);
    lv_model_free(pendulum);
}

static void registered_schemes_are_listed_and_explained(void **state)
{
    (void)state;
    lv_scheme_info info;
    char *text = NULL;
    lv_error err;
    bool found = false;
    add_once();
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        found = found || strcmp(info.name, "own-midpoint") == 0;
    assert_true(found);
    assert_int_equal(lv_scheme_equations(&text, "own-midpoint", NULL, &err), LV_OK);
    assert_non_null(strstr(text, "eq V: p(z, V)"));
    lv_equations_free(text);
}

static void mistakes_are_refused(void **state)
{
    (void)state;
    lv_error err;
    lv_scheme_info info = info_of("rattle");
    assert_int_equal(lv_scheme_register(&info, &promised, midpoint, &err), LV_ERR_USAGE);
    assert_non_null(strstr(err.text, "already"));
    info = info_of("two words");
    assert_int_equal(lv_scheme_register(&info, &promised, midpoint, &err), LV_ERR_USAGE);
    info = info_of("wrong");
    assert_int_equal(lv_scheme_register(&info, &promised, "eq V: nothing\n", &err),
                     LV_ERR_USAGE);
    const lv_claims none = {.order = 0};
    assert_int_equal(lv_scheme_register(&info, &none, midpoint, &err), LV_ERR_USAGE);
    lv_model *model = read_shipped("pendulum3d", NULL, NULL);
    lv_sim *sim = NULL;
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = "wrong";
    assert_int_equal(lv_sim_create(&sim, model, &options, &err), LV_ERR_MODEL);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registered_schemes_are_schemes),
        cmocka_unit_test(registered_schemes_are_listed_and_explained),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
