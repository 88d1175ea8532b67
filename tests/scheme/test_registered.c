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

/* The same with forces at q + theta (q1 - q), and a projection that can be left out. */
static const char with_options[] =
    "carried q point, p momentum, v tangent, last_lambda multiplier g\n"
    "unknown V tangent, lambda multiplier g\n"
    "point z at theta = q + theta h V\n"
    "point q1 at 1 = q + h V\n"
    "let K = F(z, V) + GT(z; lambda)\n"
    "eq V: p(z, V) - p - theta h K\n"
    "eq lambda: g(q1)\n"
    "unknown x tangent\n"
    "when projection: unknown s impulse g\n"
    "when not projection: let p1 = p + h K\n"
    "when projection: let p1 = p + h K + GT(q1; s)\n"
    "when projection: eq s: rate(q1, x)\n"
    "eq x: p(q1, x) - p1\n"
    "assign q <- q1\n"
    "assign p <- p1\n"
    "assign v <- x\n"
    "assign last_lambda <- lambda\n";

static void promise(const lv_scheme_options *options, lv_claims *claims)
{
    const bool centred = options->value[LV_OPTION_THETA] == 0.5;
    const bool projects = options->value[LV_OPTION_PROJECTION] != 0;
    claims->order = centred ? 2 : 1;
    claims->symmetric = centred && !projects;
}

static lv_scheme_info info_with_options(const char *name, const double *defaults)
{
    lv_scheme_info info = info_of(name);
    info.options =
        1u << LV_OPTION_THETA | 1u << LV_OPTION_PROJECTION | 1u << LV_OPTION_COMPOSE;
    info.composable = true;
    info.defaults = defaults;
    info.promise = promise;
    return info;
}

static const lv_claims symmetric = {.order = 2, .symmetric = true};

static lv_run_summary *run_own(const lv_model *model, lv_option option, double value,
                               double step)
{
    lv_error err;
    lv_run_summary *summary = NULL;
    lv_run_request request = lv_run_request_default(model);
    request.sim.scheme = "own-theta";
    request.sim.options = (lv_scheme_options){0};
    if (option != LV_OPTIONS)
        lv_scheme_option_set(&request.sim.options, option, value);
    request.sim.step = step;
    request.until = 1;
    if (lv_run(&summary, model, &request, &err) != LV_OK)
        fail_with(&err);
    return summary;
}

/* With theta = 1/2 and the projection it is the scheme above; with others it is what it promises to be. */
static void registered_schemes_have_options(void **state)
{
    (void)state;
    lv_error err;
    lv_claims claims;
    lv_scheme_options given = {0}, all;
    const double defaults[LV_OPTION_ROOM] = {[LV_OPTION_THETA] = 0.5};
    const lv_scheme_info info = info_with_options("own-theta", defaults);
    add_once();
    if (lv_scheme_register(&info, &symmetric, with_options, &err) != LV_OK)
        fail_with(&err);
    assert_int_equal(lv_scheme_complete(&all, "own-theta", NULL, &err), LV_OK);
    assert_true(all.value[LV_OPTION_THETA] == 0.5);
    lv_model *pendulum = read_shipped("pendulum3d", NULL, NULL);
    lv_run_summary *a = run(pendulum, "own-midpoint", 0.01);
    lv_run_summary *b = run_own(pendulum, LV_OPTION_PROJECTION, 1, 0.01);
    assert_memory_equal(a->q, b->q, 3 * sizeof *a->q);
    assert_true(b->velocity_max < 1e-10);
    lv_run_summary_free(a);
    lv_run_summary_free(b);

    lv_scheme_option_set(&given, LV_OPTION_THETA, 1);
    assert_int_equal(lv_scheme_claims(&claims, "own-theta", &given, &err), LV_OK);
    assert_int_equal(claims.order, 1);
    lv_scheme_option_set(&given, LV_OPTION_COMPOSE, 4);
    assert_int_equal(lv_scheme_claims(&claims, "own-theta", &given, &err), LV_ERR_MODEL);
    assert_non_null(strstr(err.text, "not symmetric"));
    lv_model_free(pendulum);

    /* The orders: 1 with theta = 1, 4 composed. */
    lv_model *arm = read_shipped("two-link-arm", NULL, NULL);
    const struct {
        lv_option option;
        double value, order;
    } cases[] = {{LV_OPTIONS, 0, 2}, {LV_OPTION_THETA, 1, 1}, {LV_OPTION_COMPOSE, 4, 4}};
    lv_run_summary *exact = run(arm, "lobatto", 0.001);
    for (int k = 0; k < 3; k++) {
        double error[2] = {0};
        for (int j = 0; j < 2; j++) {
            lv_run_summary *s =
                run_own(arm, cases[k].option, cases[k].value, j ? 0.005 : 0.01);
            for (int i = 0; i < 2; i++)
                error[j] = fmax(error[j], fabs(s->q[i] - exact->q[i]));
            lv_run_summary_free(s);
        }
        assert_close(log2(error[0] / error[1]), cases[k].order, 0.15);
    }
    lv_run_summary_free(exact);
    lv_model_free(arm);
}

static void options_that_cannot_be_are_refused(void **state)
{
    (void)state;
    lv_error err;
    const double wrong[LV_OPTION_ROOM] = {[LV_OPTION_THETA] = 2};
    const lv_claims plain = {.order = 2};
    lv_scheme_info info = info_with_options("refused", wrong);
    assert_int_equal(lv_scheme_register(&info, &symmetric, with_options, &err),
                     LV_ERR_USAGE);
    assert_non_null(strstr(err.text, "the default of 'theta' is 2"));
    info.defaults = NULL;
    assert_int_equal(lv_scheme_register(&info, &plain, with_options, &err), LV_ERR_USAGE);
    assert_non_null(strstr(err.text, "symmetric"));
    info.options |= 1u << LV_OPTION_STAGES;
    assert_int_equal(lv_scheme_register(&info, &symmetric, with_options, &err),
                     LV_ERR_USAGE);
    assert_non_null(strstr(err.text, "'stages'"));
    info = info_of("refused"); /* the text has theta, and the descriptor does not */
    assert_int_equal(lv_scheme_register(&info, &symmetric, with_options, &err),
                     LV_ERR_USAGE);
    assert_non_null(strstr(err.text, "line 3"));
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
        cmocka_unit_test(registered_schemes_have_options),
        cmocka_unit_test(options_that_cannot_be_are_refused),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
