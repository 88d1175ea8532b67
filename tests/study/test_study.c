/* Studies: orders as promised, advice that holds in runs of the test's own against closed forms, the same bits for any
 * number of threads, and what is said where there is nothing to recommend. */
#include "../support/check.h"

#include <livens/livens.h>

#include <math.h>
#include <string.h>

static lv_model *read_model(const char *name)
{
    lv_model *model = NULL;
    lv_error err;
    if (lv_model_read(&model, name, NULL, 0, &err) != LV_OK)
        fail_msg("%s", err.text);
    return model;
}

static lv_model *parse_model(const char *text)
{
    lv_model *model = NULL;
    lv_error err;
    if (lv_model_parse(&model, "text", text, strlen(text), NULL, 0, &err) != LV_OK)
        fail_msg("%s", err.text);
    return model;
}

static lv_study *study(const lv_model *model, const lv_study_request *request)
{
    lv_study *s = NULL;
    lv_error err;
    if (lv_study_make(&s, model, request, &err) != LV_OK)
        fail_msg("%s", err.text);
    return s;
}

static lv_study_request request_of(const lv_model *model, double until, double step)
{
    lv_study_request r = lv_study_request_default(model);
    r.run.until = until > 0 ? until : r.run.until;
    r.run.sim.step = step > 0 ? step : r.run.sim.step;
    r.whole = true;
    return r;
}

static lv_study_choice choice(const char *scheme, int option, double value)
{
    lv_study_choice c = {.scheme = scheme};
    if (option < LV_OPTIONS)
        lv_scheme_option_set(&c.options, (lv_option)option, value);
    return c;
}

static const lv_study_method *find_method(const lv_study *s, const char *spec)
{
    for (int k = 0; k < s->method_count; k++)
        if (strcmp(s->methods[k].spec, spec) == 0)
            return &s->methods[k];
    fail_msg("there is no %s", spec);
    return NULL;
}

/* ---- orders ------------------------------------------------------------------------------------------ */

/* What is asymptotic has at least the order that is promised; these have exactly that. */
static void check_orders(const char *name, double until, double step,
                         const char *const *exact)
{
    lv_model *model = read_model(name);
    const double tolerance = 1e-4;
    lv_study_request r = request_of(model, until, step);
    r.tolerances = &tolerance;
    r.tolerance_count = 1;
    lv_study *s = study(model, &r);
    int asymptotic = 0;
    assert_true(s->reference.difference < 1e-9 && s->reference.difference >= 0);
    for (int k = 0; k < s->method_count; k++) {
        const lv_study_method *m = &s->methods[k];
        asymptotic += m->asymptotic;
        if (m->asymptotic && !(m->observed > m->order - 0.15))
            fail_msg("%s: %s has order %.3f", name, m->label, m->observed);
    }
    if (2 * asymptotic < s->method_count)
        fail_msg("%s: the order of %d methods only is seen", name, asymptotic);
    for (; *exact; exact++) {
        const lv_study_method *m = find_method(s, *exact);
        if (!m->asymptotic || !(fabs(m->observed - m->order) < 0.15))
            fail_msg("%s: %s has order %.3f", name, m->label, m->observed);
    }
    lv_study_free(s);
    lv_model_free(model);
}

static void orders_are_those_of_the_descriptors(void **state)
{
    (void)state;
    static const char *const pendulum[] = {"rattle",
                                           "rattle:compose=4",
                                           "lobatto:stages=3",
                                           "lobatto:stages=4",
                                           "em",
                                           "vi-a",
                                           "vi-b2",
                                           "livens",
                                           NULL};
    static const char *const particles[] = {"rattle", "lobatto:stages=3", "em",
                                            "em:compose=4", NULL};
    static const char *const top[] = {"rattle",
                                      "rattle:rotations=exp",
                                      "rattle:rotations=cay",
                                      "rattle:rotations=exact",
                                      "rattle:compose=4:rotations=exact",
                                      "lobatto:stages=3",
                                      "lobatto:stages=3:rotations=exp",
                                      "lobatto:stages=3:rotations=cay",
                                      "em",
                                      NULL};
    static const char *const cvt[] = {"rattle", "lobatto:stages=3", "lobatto:stages=4",
                                      NULL};
    check_orders("pendulum3d", 0.5, 0, pendulum);
    check_orders("four-particles", 0.2, 0, particles);
    check_orders("heavy-top", 0.02, 0, top);
    check_orders("cvt", 2, 0, cvt);
}

/* ---- advice ------------------------------------------------------------------------------------------ */

/* Where a run of the advice ends, without anything of the study. */
static void run_advice(const lv_model *model, const lv_study *s, const lv_study_advice *a,
                       double *q, int count)
{
    lv_sim_options options = lv_sim_options_default(model);
    lv_sim *sim = NULL;
    lv_error err;
    assert_true(a->method >= 0 && a->error <= a->tolerance && a->steps > 0);
    options.scheme = s->methods[a->method].scheme;
    options.options = s->methods[a->method].options;
    options.step = a->step;
    if (lv_sim_create(&sim, model, &options, &err) != LV_OK ||
        lv_sim_advance(sim, s->until, &err) != LV_OK)
        fail_msg("%s", err.text);
    memcpy(q, lv_sim_position(sim), (size_t)count * sizeof *q);
    lv_sim_free(sim);
}

/* The position on an ellipse by Kepler's equation, with the period 2 pi and the semi-major axis 1. */
static void find_planet(double *q, double t, double eccentricity)
{
    double x = t;
    for (int k = 0; k < 100; k++)
        x -= (x - eccentricity * sin(x) - t) / (1 - eccentricity * cos(x));
    q[0] = cos(x) - eccentricity;
    q[1] = sqrt(1 - eccentricity * eccentricity) * sin(x);
}

static void advice_holds_for_an_ellipse(void **state)
{
    (void)state;
    const double tolerances[] = {1e-3, 1e-6, 1e-9};
    lv_model *model = read_model("kepler");
    lv_study_request r = request_of(model, 10, 0);
    const lv_study_choice choices[] = {choice("verlet", LV_OPTIONS, 0),
                                       choice("gauss", LV_OPTIONS, 0)};
    r.choices = choices;
    r.choice_count = 2;
    lv_study *s = study(model, &r);
    double q[2], exact[2];
    find_planet(exact, 10, 0.6);
    assert_int_equal(s->advice_count, 3);
    for (int k = 0; k < 3; k++) {
        const lv_study_advice *a = &s->advices[k];
        run_advice(model, s, a, q, 2);
        const double error = fmax(fabs(q[0] - exact[0]), fabs(q[1] - exact[1]));
        assert_true(a->tolerance == tolerances[k]);
        if (!(error <= 1.6 * a->tolerance)) /* relative to the largest coordinate, 1.6 */
            fail_msg("an error of %g, not %g", error, a->tolerance);
        /* It is cheap, and no accident: a step that is three times as large does not do. */
        lv_study_advice larger = *a;
        larger.step *= 3;
        run_advice(model, s, &larger, q, 2);
        assert_true(fmax(fabs(q[0] - exact[0]), fabs(q[1] - exact[1])) > a->tolerance);
    }
    lv_study_free(s);
    lv_model_free(model);
}

/* The centre of the top after two seconds, by Euler's equations and quaternions (models/heavy-top.toml). */
static void advice_holds_for_a_top(void **state)
{
    (void)state;
    const double tolerance = 1e-6, centre[] = {-0.138912391, -0.712585790, -0.687695310};
    lv_model *model = read_model("heavy-top");
    lv_study_request r = request_of(model, 2, 0.004);
    lv_study_choice exact = choice("rattle", LV_OPTION_ROTATIONS, 3);
    lv_scheme_option_set(&exact.options, LV_OPTION_COMPOSE, 4);
    r.choices = &exact;
    r.choice_count = 1;
    r.tolerances = &tolerance;
    r.tolerance_count = 1;
    lv_study *s = study(model, &r);
    const lv_study_advice *a = &s->advices[0];
    lv_run_request run = lv_run_request_default(model);
    lv_run_summary *summary = NULL;
    assert_true(a->method >= 0);
    run.sim.scheme = s->methods[a->method].scheme;
    run.sim.options = s->methods[a->method].options;
    run.sim.step = a->step;
    assert_int_equal(lv_run(&summary, model, &run, NULL), LV_OK);
    assert_string_equal(summary->parts[0].values[0].name, "position");
    for (int i = 0; i < 3; i++)
        assert_true(fabs(summary->parts[0].values[0].values[i] - centre[i]) < 2e-6);
    lv_run_summary_free(summary);
    lv_study_free(s);
    lv_model_free(model);
}

/* ---- bits -------------------------------------------------------------------------------------------- */

static void clear_times(lv_study_run *run)
{
    run->seconds = 0;
    run->message = NULL;
}

static void results_do_not_depend_on_threads(void **state)
{
    (void)state;
    lv_model *model = read_model("double-pendulum");
    lv_study_request r = request_of(model, 0.8, 0.2);
    const lv_study_choice choices[] = {choice("rattle", LV_OPTIONS, 0),
                                       choice("lobatto", LV_OPTIONS, 0),
                                       choice("vi-s", LV_OPTIONS, 0)};
    r.choices = choices;
    r.choice_count = 3;
    r.threads = 1;
    lv_study *one = study(model, &r);
    for (int threads = 2; threads <= 3; threads++) {
        r.threads = threads;
        lv_study *other = study(model, &r);
        assert_int_equal(other->method_count, one->method_count);
        assert_memory_equal(&other->reference.difference, &one->reference.difference,
                            sizeof(double));
        for (int k = 0; k < one->method_count; k++) {
            const lv_study_method *a = &one->methods[k], *b = &other->methods[k];
            assert_int_equal(a->run_count, b->run_count);
            for (int i = 0; i < a->run_count; i++) {
                lv_study_run x = a->runs[i], y = b->runs[i];
                clear_times(&x);
                clear_times(&y);
                assert_memory_equal(&x, &y, sizeof x);
            }
        }
        lv_study_free(other);
    }
    lv_study_free(one);
    lv_model_free(model);
}

/* ---- what cannot be --------------------------------------------------------------------------------- */

static void runs_that_stop_say_why(void **state)
{
    (void)state;
    const double step = 0.3;
    lv_model *model = read_model("pendulum3d");
    lv_study_request r = request_of(model, 3, 0);
    const lv_study_choice choices[] = {choice("vi-s", LV_OPTIONS, 0),
                                       choice("lobatto", LV_OPTION_STAGES, 3)};
    r.choices = choices;
    r.choice_count = 2;
    r.steps = &step;
    r.step_count = 1;
    lv_study *s = study(model, &r);
    const lv_study_run *stopped = &find_method(s, "vi-s")->runs[0];
    assert_int_equal(stopped->status, LV_ERR_NUMERIC);
    assert_true(s->failed == 1 && strlen(stopped->message) > 10 && isnan(stopped->error));
    assert_int_equal(find_method(s, "lobatto:stages=3")->runs[0].status, LV_OK);
    assert_int_equal(s->method_count, 2);
    lv_study_free(s);
    lv_model_free(model);
}

static void tolerances_out_of_reach_get_a_reason(void **state)
{
    (void)state;
    const double step = 0.1, tolerances[] = {1e-8, 1e-15};
    lv_model *model = read_model("pendulum3d");
    lv_study_request r = request_of(model, 1, 0);
    const lv_study_choice rattle = choice("rattle", LV_OPTION_COMPOSE, 4);
    r.choices = &rattle;
    r.choice_count = 1;
    r.steps = &step;
    r.step_count = 1;
    r.tolerances = tolerances;
    r.tolerance_count = 2;
    lv_study *s = study(model, &r);
    assert_int_equal(s->advice_count, 2);
    assert_true(s->advices[0].method == -1 && strstr(s->advices[0].note, "smallest is"));
    assert_true(s->advices[1].method == -1 && strstr(s->advices[1].note, "reference"));
    assert_true(isnan(s->methods[0].costs[0].seconds));
    lv_study_free(s);
    lv_model_free(model);
}

static lv_status refuse(const lv_model *model, const lv_study_request *r, lv_error *err)
{
    lv_study *s = NULL;
    const lv_status status = lv_study_make(&s, model, r, err);
    assert_null(s);
    return status;
}

static void wrong_wishes_are_refused(void **state)
{
    (void)state;
    lv_error err;
    const double large = 20;
    lv_model *model = read_model("pendulum3d");
    lv_study_choice c = choice("ratle", LV_OPTIONS, 0);
    lv_study_request r = request_of(model, 1, 0);
    r.choices = &c;
    r.choice_count = 1;
    assert_int_equal(refuse(model, &r, &err), LV_ERR_MODEL);
    assert_non_null(strstr(err.hint, "rattle"));
    c.scheme = "gauss";
    assert_int_equal(refuse(model, &r, &err), LV_ERR_MODEL);
    assert_non_null(strstr(err.text, "constraints"));
    r = request_of(model, 1, 0);
    r.steps = &large;
    r.step_count = 1;
    assert_int_equal(refuse(model, &r, &err), LV_ERR_MODEL);
    assert_true(err.about == LV_ABOUT_STEP && strstr(err.text, "larger than"));
    lv_model_free(model);
}

/* Two billiard-like wells: errors double every third of a second. */
static const char chaos[] = "[coordinates]\nx = { value = 0.3, velocity = 2 }\ny = { "
                            "value = 0.1, velocity = 3 }\n"
                            "[energy]\nkinetic = \"x'^2/2 + y'^2/2\"\n"
                            "potential = \"8*x^2*y^2 + (x^4 + y^4)/20\"\n"
                            "[run]\nstep = 0.2\nuntil = 40\n";

static void chaos_shortens_a_study_or_ends_it(void **state)
{
    (void)state;
    lv_error err;
    const double tolerance = 1e-2;
    lv_model *model = parse_model(chaos);
    const lv_study_choice verlet = choice("verlet", LV_OPTION_COMPOSE, 4);
    lv_study_request r = request_of(model, 40, 0);
    r.choices = &verlet;
    r.choice_count = 1;
    r.tolerances = &tolerance;
    r.tolerance_count = 1;
    assert_int_equal(refuse(model, &r, &err), LV_ERR_NUMERIC);
    assert_non_null(strstr(err.text, "no reference"));
    assert_non_null(strstr(err.hint, "--until"));
    r.whole = false;
    lv_study *s = study(model, &r);
    assert_true(s->until < 30 && s->asked == 40 && s->shortened);
    assert_true(s->reference.difference < 1e-4);
    lv_study_free(s);
    lv_model_free(model);
}

static bool stop_later(void *user, const lv_sweep_progress *now)
{
    int *calls = user;
    assert_true(now->done <= now->members && now->share >= 0 && now->share <= 1);
    return --*calls > 0;
}

static void studies_end_when_they_are_told(void **state)
{
    (void)state;
    lv_model *model = read_model("pendulum3d");
    for (int calls = 1; calls < 3000; calls *= 4) {
        int left = calls;
        lv_study_request r = request_of(model, 1, 0);
        r.progress = stop_later;
        r.user = &left;
        lv_study *s = study(model, &r);
        assert_true(s->interrupted);
        for (int k = 0; k < s->method_count; k++)
            for (int i = 0; i < s->methods[k].run_count; i++)
                assert_true(s->methods[k].runs[i].status != LV_OK ||
                            s->methods[k].runs[i].error >= 0);
        lv_study_free(s);
    }
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_those_of_the_descriptors),
        cmocka_unit_test(advice_holds_for_an_ellipse),
        cmocka_unit_test(advice_holds_for_a_top),
        cmocka_unit_test(results_do_not_depend_on_threads),
        cmocka_unit_test(runs_that_stop_say_why),
        cmocka_unit_test(tolerances_out_of_reach_get_a_reason),
        cmocka_unit_test(wrong_wishes_are_refused),
        cmocka_unit_test(chaos_shortens_a_study_or_ends_it),
        cmocka_unit_test(studies_end_when_they_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
