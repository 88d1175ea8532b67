/* Structure certificates: of shipped models, of schemes that break their promises, and of motions that cannot be
 * judged. */
#include "certificates.h"
#include "deny.h"

#include <stdlib.h>

/* ---- shipped models -------------------------------------------------------------------------------- */

/* Large ones take seconds. */
static void shipped_models_keep_their_promises(void **state)
{
    enum { LARGE = 36 };
    int wrong = 0, certified = 0;
    (void)state;
    for (const char *const *name = lv_shipped_names(); *name; name++) {
        lv_model *model = read_shipped(*name, NULL, NULL);
        if (lv_model_coordinate_count(model) < LARGE) {
            lv_certificate *c = certify(model, NULL, 0, 0);
            const int bad = c->verdicts[LV_FINDING_BROKEN] + c->verdicts[LV_FINDING_OPEN];
            if (bad > 0) {
                print_message("%s\n", *name);
                show(c);
            }
            wrong += bad > 0;
            certified++;
            lv_certificate_free(c);
        }
        lv_model_free(model);
    }
    assert_int_equal(wrong, 0);
    assert_in_range(certified, 35, 1000);
}

/* ---- broken schemes ---------------------------------------------------------------------------------- */

static lv_certificate *certify_broken(const char *name, const char *scheme)
{
    static lv_model *model; /* lives as long as the certificate */
    lv_model_free(model);
    model = NULL;
    if (!name)
        return NULL;
    const method m = {scheme, 0, 0};
    model = read_shipped(name, NULL, NULL);
    lv_certificate *c = certify(model, &m, 0, 0);
    mend_scheme();
    return c;
}

static void order_three(const lv_scheme *self, lv_claims *claims,
                        const lv_scheme_options *options)
{
    base_scheme->claims(self, claims, options);
    claims->order = 3;
}

static void an_order_that_is_not_there_is_noticed(void **state)
{
    (void)state;
    break_scheme("rattle");
    broken_scheme.claims = order_three;
    lv_certificate *c = certify_broken("kepler", "rattle");
    assert_verdict(c, LV_PROPERTY_ORDER, LV_FINDING_BROKEN);
    assert_true(fabs(c->convergence.observed - 2) < 0.1);
    assert_int_equal(c->order, 3);
    lv_certificate_free(c);
}

static lv_status long_step(void *work, lv_state *state, double h, bool project,
                           lv_step_report *report, lv_error *err)
{
    return base_scheme->step(work, state, 1.001 * h, project, report, err);
}

/* Energy, form and constraints are kept; the motion is another one. */
static void a_wrong_limit_is_noticed(void **state)
{
    (void)state;
    break_scheme("em");
    broken_scheme.step = long_step;
    lv_certificate *c = certify_broken("pendulum3d", "em");
    assert_verdict(c, LV_PROPERTY_ORDER, LV_FINDING_BROKEN);
    assert_verdict(c, LV_PROPERTY_ENERGY, LV_FINDING_KEPT);
    assert_verdict(c, LV_PROPERTY_POSITION, LV_FINDING_KEPT);
    lv_certificate_free(c);
}

static void losses_are_noticed(void **state)
{
    (void)state;
    break_scheme("rattle");
    broken_scheme.step = lossy_step;
    broken_scheme.tangent = NULL; /* which knows nothing of them: differences do */
    lv_certificate *c = certify_broken("kepler", "rattle");
    assert_verdict(c, LV_PROPERTY_ENERGY, LV_FINDING_BROKEN);
    assert_verdict(c, LV_PROPERTY_MOMENTUM, LV_FINDING_BROKEN);
    assert_verdict(c, LV_PROPERTY_REVERSIBILITY, LV_FINDING_BROKEN);
    assert_verdict(c, LV_PROPERTY_SYMPLECTICITY, LV_FINDING_BROKEN);
    lv_certificate_free(c);
}

static void all_is_kept(const lv_scheme *self, lv_claims *claims,
                        const lv_scheme_options *options)
{
    base_scheme->claims(self, claims, options);
    claims->symplectic = claims->symmetric = true;
    claims->energy = claims->position = claims->velocity = LV_KEPT_EXACT;
}

static void claims_that_are_too_large_are_noticed(void **state)
{
    (void)state;
    break_scheme("em-g");
    broken_scheme.claims = all_is_kept;
    lv_certificate *c = certify_broken("pendulum3d", "em-g");
    assert_verdict(c, LV_PROPERTY_SYMPLECTICITY, LV_FINDING_BROKEN);
    assert_verdict(c, LV_PROPERTY_VELOCITY, LV_FINDING_BROKEN);
    assert_verdict(c, LV_PROPERTY_POSITION, LV_FINDING_KEPT);
    assert_non_null(strstr(finding(c, LV_PROPERTY_VELOCITY)->note, "'"));
    lv_certificate_free(c);
    break_scheme("rattle");
    broken_scheme.claims = all_is_kept;
    c = certify_broken("pendulum3d", "rattle");
    assert_verdict(c, LV_PROPERTY_ENERGY, LV_FINDING_BROKEN);
    assert_verdict(c, LV_PROPERTY_SYMPLECTICITY, LV_FINDING_KEPT);
    lv_certificate_free(c);
    break_scheme("vi-s");
    broken_scheme.claims = all_is_kept;
    c = certify_broken("pendulum3d", "vi-s");
    assert_verdict(c, LV_PROPERTY_REVERSIBILITY, LV_FINDING_BROKEN);
    lv_certificate_free(c);
}

/* One more digit in every call, whoever asks. */
static lv_status different_step(void *work, lv_state *state, double h, bool project,
                                lv_step_report *report, lv_error *err)
{
    static double calls;
    const lv_status status = base_scheme->step(work, state, h, project, report, err);
#ifdef _OPENMP
#pragma omp atomic
#endif
    calls += 1;
    state->q[0] += 1e-13 * fmod(calls, 997);
    return status;
}

static void other_bits_are_noticed(void **state)
{
    (void)state;
    break_scheme("rattle");
    broken_scheme.step = different_step;
    lv_certificate *c = certify_broken("kepler", "rattle");
    assert_verdict(c, LV_PROPERTY_REPEAT, LV_FINDING_BROKEN);
    assert_verdict(c, LV_PROPERTY_RESUME, LV_FINDING_BROKEN);
    lv_certificate_free(c);
}

/* ---- what cannot be judged, and what is not promised ------------------------------------------------------ */

static lv_certificate *certify_text(const char *text)
{
    lv_model *model = read_text(text);
    lv_certificate *c = certify(model, NULL, 0, 0);
    lv_model_free(model);
    return c;
}

#define STEPS(scheme, step, until)                                                       \
    "[run]\nscheme = \"" scheme "\"\nstep = " step "\nuntil = " until "\n"

/* Two rates, one of which the step does not see. */
static void a_step_that_is_too_large_is_open(void **state)
{
    (void)state;
    lv_certificate *c =
        certify_text("[coordinates]\nx = { value = 1 }\ny = { value = 1 }\n"
                     "[energy]\nkinetic = \"x'^2/2 + y'^2/2\"\n"
                     "potential = \"5000*x^2 + y^2/2 + x^2*y^2 + 100*x^4\"\n" STEPS(
                         "gauss", "0.2", "20"));
    assert_verdict(c, LV_PROPERTY_ORDER, LV_FINDING_OPEN);
    assert_false(c->convergence.asymptotic);
    assert_true(c->convergence.asymptotic_step > 0 &&
                c->convergence.asymptotic_step < 0.02); /* 0.02 * 100 is 2 */
    assert_verdict(c, LV_PROPERTY_SYMPLECTICITY, LV_FINDING_KEPT);
    assert_int_equal(c->verdicts[LV_FINDING_BROKEN], 0);
    lv_certificate_free(c);
}

/* Errors grow by 1e4 and more until the end: the order is seen before. */
static void chaos_shortens_the_time(void **state)
{
    (void)state;
    lv_certificate *c = certify_text(
        "[coordinates]\na = { value = 2.5 }\nb = { value = 2.9 }\n"
        "[energy]\nkinetic = \"a'^2 + b'^2/2 + a'*b'*cos(a - b)\"\n"
        "potential = \"-20*cos(a) - 10*cos(b)\"\n" STEPS("rattle", "0.02", "100"));
    assert_verdict(c, LV_PROPERTY_ORDER, LV_FINDING_KEPT);
    assert_below(c->convergence.span, 5);
    assert_non_null(strstr(finding(c, LV_PROPERTY_ORDER)->note, "sensitive"));
    assert_non_null(strstr(finding(c, LV_PROPERTY_ORDER)->note, " of 100"));
    lv_certificate_free(c);
}

static void a_symmetry_that_is_none_is_not_blamed_on_the_scheme(void **state)
{
    (void)state;
    lv_certificate *c = certify_text(
        "[coordinates]\nx = { value = [1, 0.2], velocity = [0, 1] }\n"
        "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"x[1]^2 + 1.3*x[2]^2\"\n"
        "[symmetries.spin]\non = \"x\"\ngenerator = [\"-x[2]\", \"x[1]\"]\n" STEPS(
            "rattle", "0.1", "20"));
    const lv_finding *f = finding(c, LV_PROPERTY_MOMENTUM);
    assert_verdict(c, LV_PROPERTY_MOMENTUM, LV_FINDING_MEASURED);
    assert_string_equal(f->name, "spin");
    assert_null(f->promise);
    assert_above(f->measured, 0.1);
    assert_non_null(strstr(f->note, "is no symmetry"));
    lv_certificate_free(c);
}

/* Where a spring takes hold the force has a kink: fourth order is too much to ask. */
static void kinks_have_no_order(void **state)
{
    (void)state;
    lv_certificate *c =
        certify_text("[coordinates]\nx = { value = 1.03 }\n"
                     "[energy]\nkinetic = \"x'^2/2\"\n"
                     "potential = \"x + 50*max(-x, 0)^2\"\n" STEPS("gauss", "0.01", "6"));
    assert_verdict(c, LV_PROPERTY_ORDER, LV_FINDING_OPEN);
    assert_int_equal(c->verdicts[LV_FINDING_BROKEN], 0);
    lv_certificate_free(c);
}

/* Forces do work, and no flow with friction is symplectic. */
static void friction_is_measured(void **state)
{
    (void)state;
    lv_certificate *c = certify_text(
        "[coordinates]\nx = { value = 1 }\n[energy]\nkinetic = \"x'^2/2\"\n"
        "potential = \"x^4\"\n[forces.drag]\non = \"x\"\nforce = \"-0.5*x'\"\n" STEPS(
            "lobatto", "0.05", "5"));
    assert_verdict(c, LV_PROPERTY_SYMPLECTICITY, LV_FINDING_MEASURED);
    assert_above(finding(c, LV_PROPERTY_SYMPLECTICITY)->measured, 1e-3);
    assert_verdict(c, LV_PROPERTY_BALANCE, LV_FINDING_MEASURED);
    assert_null(finding(c, LV_PROPERTY_ENERGY));
    assert_null(finding(c, LV_PROPERTY_POSITION));
    assert_verdict(c, LV_PROPERTY_ORDER, LV_FINDING_KEPT);
    lv_certificate_free(c);
}

/* A crank that turns as the time says has no directions, and no errors. */
static void a_prescribed_motion_has_no_form(void **state)
{
    (void)state;
    lv_certificate *c = certify_text(
        "[coordinates]\nx = { value = 0, velocity = 1 }\n[energy]\n"
        "kinetic = \"x'^2/2\"\npotential = \"0\"\n"
        "[constraints.drive]\nholonomic = \"x - t\"\n" STEPS("lobatto", "0.05", "5"));
    assert_null(finding(c, LV_PROPERTY_SYMPLECTICITY));
    assert_verdict(c, LV_PROPERTY_ORDER, LV_FINDING_KEPT);
    assert_int_equal(c->verdicts[LV_FINDING_BROKEN], 0);
    lv_certificate_free(c);
}

static void the_start_alone_is_nothing_to_judge(void **state)
{
    (void)state;
    lv_model *model = read_shipped("pendulum3d", NULL, NULL);
    lv_verify_request request = lv_verify_request_default(model);
    const double ends[] = {0, 0.9 * request.run.sim.step};
    for (int k = 0; k < 2; k++) {
        lv_certificate *c = NULL;
        lv_error err;
        request.run.until = ends[k];
        assert_int_equal(lv_verify(&c, model, &request, &err), LV_ERR_USAGE);
        assert_null(c);
        assert_non_null(strstr(err.text, "no whole step"));
    }
    lv_model_free(model);
}

/* A certificate warns of what the run warns of. */
static void warnings_are_those_of_the_run(void **state)
{
    (void)state;
    static const char *const names[] = {"bennett-linkage", "pendulum3d"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        lv_model *model = read_shipped(names[k], NULL, NULL);
        lv_verify_request request = lv_verify_request_default(model);
        lv_certificate *c = NULL;
        lv_run_summary *run = NULL;
        lv_error err;
        request.run.until = 50 * request.run.sim.step;
        assert_int_equal(lv_verify(&c, model, &request, &err), LV_OK);
        assert_int_equal(lv_run(&run, model, &request.run, &err), LV_OK);
        assert_int_equal(run->warning_count, k == 0); /* its joints are redundant */
        assert_int_equal(c->warning_count, run->warning_count);
        for (int w = 0; w < run->warning_count; w++)
            assert_string_equal(c->warnings[w], run->warnings[w]);
        lv_run_summary_free(run);
        lv_certificate_free(c);
        lv_model_free(model);
    }
}

/* ---- parts ----------------------------------------------------------------------------------------------- */

static void note_phase(void *user, int number, int count, const char *what)
{
    int *seen = user;
    assert_int_equal(number, *seen + 1);
    assert_in_range(count, number, 10);
    assert_non_null(what);
    *seen = number;
}

static void phases_are_told(void **state)
{
    (void)state;
    int seen = 0;
    lv_model *model = read_shipped("kepler", NULL, NULL);
    lv_verify_request request = lv_verify_request_default(model);
    lv_certificate *c = NULL;
    request.phase = note_phase;
    request.user = &seen;
    assert_int_equal(lv_verify(&c, model, &request, NULL), LV_OK);
    assert_int_equal(seen, 4);
    lv_certificate_free(c);
    lv_model_free(model);
}

static lv_status verify_it(void *user, lv_error *err)
{
    const lv_model *model = user;
    lv_verify_request request = lv_verify_request_default(model);
    lv_certificate *c = NULL;
    request.run.until = 0.5;
    request.threads = 1; /* allocations are counted by one */
    const lv_status status = lv_verify(&c, model, &request, err);
    lv_certificate_free(c);
    return status;
}

static void missing_memory_is_an_error(void **state)
{
    (void)state;
    lv_model *model = read_shipped("pendulum3d", NULL, NULL);
    lv_deny_sample(verify_it, model, 60);
    lv_model_free(model);
}

static void names_end(void **state)
{
    (void)state;
    assert_string_equal(lv_property_name(LV_PROPERTY_ORDER), "order");
    assert_string_equal(lv_property_name(LV_PROPERTY_RESUME), "resume");
    assert_null(lv_property_name(LV_PROPERTIES));
    assert_string_equal(lv_finding_verdict_name(LV_FINDING_OPEN), "open");
    assert_null(lv_finding_verdict_name((lv_finding_verdict)4));
}

static int free_last(void **state)
{
    (void)state;
    (void)certify_broken(NULL, NULL);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(shipped_models_keep_their_promises),
        RUN(an_order_that_is_not_there_is_noticed),
        RUN(a_wrong_limit_is_noticed),
        RUN(losses_are_noticed),
        RUN(claims_that_are_too_large_are_noticed),
        RUN(other_bits_are_noticed),
        RUN(a_step_that_is_too_large_is_open),
        RUN(chaos_shortens_the_time),
        RUN(a_symmetry_that_is_none_is_not_blamed_on_the_scheme),
        RUN(kinks_have_no_order),
        RUN(friction_is_measured),
        RUN(a_prescribed_motion_has_no_form),
        RUN(the_start_alone_is_nothing_to_judge),
        RUN(warnings_are_those_of_the_run),
        RUN(phases_are_told),
        RUN(missing_memory_is_an_error),
        RUN(names_end),
    };
    return cmocka_run_group_tests(tests, NULL, free_last);
}
