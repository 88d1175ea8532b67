/* Runs, pages, sweeps, certificates and studies, used wrongly. */
#ifndef LV_TESTS_MISUSE_RUN_H
#define LV_TESTS_MISUSE_RUN_H

#include "misuse.h"

static void wrong_requests(void)
{
    lv_run_request request = lv_run_request_default(NULL);
    const lv_run_changes changes = {.scheme = "em"};
    assert_true(isnan(request.until));
    lv_run_request_change(NULL, &changes);
    lv_run_request_change(&request, NULL);
    request.sim.scheme = NULL;
    lv_run_request_change(&request, &changes);
    assert_string_equal(request.sim.scheme, "em");
}

static void wrong_run(void)
{
    lv_run_summary *summary = (lv_run_summary *)&summary;
    lv_run_request bad = asked;
    REFUSED(lv_run, "summary", NULL, model, &asked, e);
    REFUSED(lv_run, "model", &summary, NULL, &asked, e);
    assert_null(summary);
    REFUSED(lv_run, "request", &summary, model, NULL, e);
    bad.sim.scheme = NULL;
    REFUSED(lv_run, "scheme", &summary, model, &bad, e);
    bad = asked;
    bad.sim.initial = (lv_initial)9;
    lv_error err;
    assert_int_equal(lv_run(&summary, model, &bad, &err), LV_ERR_USAGE);
    assert_null(summary);
    lv_run_summary_free(NULL);
}

/* Numbers that no run can have are refused as those of a model file are. */
static void wrong_numbers(void)
{
    static const double numbers[] = {-1, (double)NAN, (double)INFINITY};
    lv_run_summary *summary = NULL;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        lv_run_request bad = asked;
        bad.until = numbers[k];
        assert_int_equal(lv_run(&summary, model, &bad, NULL), LV_ERR_MODEL);
        bad = asked;
        bad.sim.step = numbers[k];
        assert_int_equal(lv_run(&summary, model, &bad, NULL), LV_ERR_MODEL);
        bad = asked;
        bad.sample = numbers[k];
        assert_int_equal(lv_run(&summary, model, &bad, NULL), LV_ERR_MODEL);
        assert_null(summary);
    }
    lv_run_request bad = asked;
    bad.every = -3;
    assert_int_equal(lv_run(&summary, model, &bad, NULL), LV_ERR_MODEL);
}

static void wrong_resume(void)
{
    lv_run_summary *summary = (lv_run_summary *)&summary;
    lv_model *read = model;
    REFUSED(lv_resume, "summary", NULL, &read, "x.h5", 0, NULL, NULL, e);
    REFUSED(lv_resume, "model", &summary, NULL, "x.h5", 0, NULL, NULL, e);
    REFUSED(lv_resume, "path", &summary, &read, NULL, 0, NULL, NULL, e);
    assert_true(!summary && !read);
    REFUSED(lv_resume, "until", &summary, &read, "x.h5", (double)NAN, NULL, NULL, e);
}

static void wrong_report(void)
{
    lv_run_summary *summary = (lv_run_summary *)&summary;
    const char *const files[] = {"x.h5", NULL};
    lv_error err;
    REFUSED(lv_report, "page", NULL, NULL, files, 1, e);
    REFUSED(lv_report, "files", NULL, "x.html", NULL, 1, e);
    REFUSED(lv_report, "files", NULL, "x.html", files, 2, e);
    assert_int_equal(lv_report(NULL, "x.html", files, 0, &err), LV_ERR_USAGE);
    assert_int_equal(lv_report(NULL, "x.html", files, -1, &err), LV_ERR_USAGE);
    REFUSED(lv_run_report, "summary", NULL, NULL, model, &asked, "x.html", e);
    REFUSED(lv_run_report, "model", &summary, NULL, NULL, &asked, "x.html", e);
    assert_null(summary);
    REFUSED(lv_run_report, "request", &summary, NULL, model, NULL, "x.html", e);
    REFUSED(lv_run_report, "page", &summary, NULL, model, &asked, NULL, e);
    REFUSED(lv_summary_report, "summary", NULL, NULL, "x.html", e);
    lv_run_summary *done = NULL;
    lv_run_request kept = asked;
    kept.keep_rows = true;
    assert_int_equal(lv_run(&done, model, &kept, NULL), LV_OK);
    REFUSED(lv_summary_report, "page", NULL, done, NULL, e);
    lv_run_summary_free(done);
    lv_run_request bad = asked;
    bad.sim.scheme = NULL;
    REFUSED(lv_run_report, "scheme", &summary, NULL, model, &bad, "x.html", e);
    lv_certificate *certificate = (lv_certificate *)&certificate;
    const lv_verify_request verify = lv_verify_request_default(model);
    REFUSED(lv_verify_report, "certificate", NULL, NULL, model, &verify, "x.html", e);
    REFUSED(lv_verify_report, "model", &certificate, NULL, NULL, &verify, "x.html", e);
    assert_null(certificate);
    REFUSED(lv_verify_report, "request", &certificate, NULL, model, NULL, "x.html", e);
    REFUSED(lv_verify_report, "page", &certificate, NULL, model, &verify, NULL, e);
}

static void wrong_pages(void)
{
    lv_sweep_summary *sweep = (lv_sweep_summary *)&sweep;
    const lv_sweep_request members = lv_sweep_request_default();
    REFUSED(lv_sweep_report, "summary", NULL, NULL, model, &members, "x.html", e);
    REFUSED(lv_sweep_report, "model", &sweep, NULL, NULL, &members, "x.html", e);
    assert_null(sweep);
    REFUSED(lv_sweep_report, "request", &sweep, NULL, model, NULL, "x.html", e);
    REFUSED(lv_sweep_report, "page", &sweep, NULL, model, &members, NULL, e);
    lv_study *study = (lv_study *)&study;
    const lv_study_request runs = lv_study_request_default(model);
    REFUSED(lv_study_report, "study", NULL, NULL, model, &runs, "x.html", e);
    REFUSED(lv_study_report, "model", &study, NULL, NULL, &runs, "x.html", e);
    assert_null(study);
    REFUSED(lv_study_report, "request", &study, NULL, model, NULL, "x.html", e);
    REFUSED(lv_study_report, "page", &study, NULL, model, &runs, NULL, e);
}

static void wrong_members(void)
{
    lv_model *member = model;
    REFUSED(lv_sweep_member, "member", NULL, model, 0, e);
    REFUSED(lv_sweep_member, "model", &member, NULL, 0, e);
    assert_null(member);
    assert_int_equal(lv_sweep_member(&member, model, -1, NULL), LV_ERR_USAGE);
    assert_int_equal(lv_sweep_member(&member, model, 3, NULL), LV_ERR_USAGE);
    assert_int_equal(lv_sweep_members(NULL), 0);
}

static void wrong_parts(void)
{
    static const char *const paths[] = {"nowhere.h5", NULL};
    lv_sweep_parts *parts = (lv_sweep_parts *)&parts;
    REFUSED(lv_sweep_parts_read, "parts", NULL, paths, 1, e);
    REFUSED(lv_sweep_parts_read, "paths", &parts, NULL, 1, e);
    REFUSED(lv_sweep_parts_read, "a path in paths", &parts, paths, 2, e);
    assert_null(parts);
    assert_int_equal(lv_sweep_parts_read(&parts, paths, -1, NULL), LV_ERR_USAGE);
    assert_int_equal(lv_sweep_parts_read(&parts, paths, 0, NULL), LV_ERR_USAGE);
    assert_int_equal(lv_sweep_parts_read(&parts, paths, 1, NULL), LV_ERR_IO);
    assert_null(lv_sweep_parts_model(NULL));
    assert_null(lv_sweep_parts_name(NULL));
    lv_sweep_parts_free(NULL);
}

static void wrong_sweep(void)
{
    lv_sweep_summary *summary = (lv_sweep_summary *)&summary;
    const char *const names[] = {"E", NULL};
    const lv_initial beyond = (lv_initial)2;
    const lv_sweep_request good = lv_sweep_request_default();
    lv_sweep_request bad = good;
    REFUSED(lv_sweep_run, "summary", NULL, model, &good, e);
    REFUSED(lv_sweep_run, "model", &summary, NULL, &good, e);
    assert_null(summary);
    REFUSED(lv_sweep_run, "request", &summary, model, NULL, e);
    bad.channel_count = 2;
    REFUSED(lv_sweep_run, "channels", &summary, model, &bad, e);
    bad.channels = names;
    REFUSED(lv_sweep_run, "channels", &summary, model, &bad, e);
    bad.channel_count = -1;
    REFUSED(lv_sweep_run, "channel_count", &summary, model, &bad, e);
    bad = good;
    bad.changes.initial = &beyond;
    REFUSED(lv_sweep_run, "initial", &summary, model, &bad, e);
    lv_sweep_summary_free(NULL);
}

static void wrong_verify(void)
{
    lv_certificate *certificate = (lv_certificate *)&certificate;
    lv_verify_request bad = lv_verify_request_default(model);
    const lv_verify_request good = bad;
    REFUSED(lv_verify, "certificate", NULL, model, &good, e);
    REFUSED(lv_verify, "model", &certificate, NULL, &good, e);
    assert_null(certificate);
    REFUSED(lv_verify, "request", &certificate, model, NULL, e);
    bad.run.sim.scheme = NULL;
    REFUSED(lv_verify, "scheme", &certificate, model, &bad, e);
    bad = good;
    bad.threads = -1;
    REFUSED(lv_verify, "threads", &certificate, model, &bad, e);
    bad = good;
    bad.run.until = (double)NAN;
    assert_int_equal(lv_verify(&certificate, model, &bad, NULL), LV_ERR_MODEL);
    bad = good;
    bad.run.sim.step = -1;
    assert_int_equal(lv_verify(&certificate, model, &bad, NULL), LV_ERR_MODEL);
    assert_null(certificate);
    lv_certificate_free(NULL);
    assert_true(isnan(lv_verify_request_default(NULL).run.until));
    assert_null(lv_property_name((lv_property)-1));
    assert_null(lv_property_name(LV_PROPERTIES));
    assert_null(lv_finding_verdict_name((lv_finding_verdict)-1));
}

static void wrong_study(void)
{
    lv_study *study = (lv_study *)&study;
    const lv_study_choice nameless = {.scheme = NULL};
    const double negative = -1;
    const lv_study_request good = lv_study_request_default(model);
    lv_study_request bad = good;
    REFUSED(lv_study_make, "study", NULL, model, &good, e);
    REFUSED(lv_study_make, "model", &study, NULL, &good, e);
    assert_null(study);
    REFUSED(lv_study_make, "request", &study, model, NULL, e);
    bad.choice_count = 1;
    REFUSED(lv_study_make, "choices", &study, model, &bad, e);
    bad.choices = &nameless;
    REFUSED(lv_study_make, "scheme", &study, model, &bad, e);
    bad = good;
    bad.step_count = 1;
    REFUSED(lv_study_make, "steps", &study, model, &bad, e);
    bad.steps = &negative;
    assert_int_equal(lv_study_make(&study, model, &bad, NULL), LV_ERR_MODEL);
    bad = good;
    bad.tolerance_count = 1;
    REFUSED(lv_study_make, "tolerances", &study, model, &bad, e);
    bad.tolerances = &negative;
    assert_int_equal(lv_study_make(&study, model, &bad, NULL), LV_ERR_MODEL);
    bad = good;
    bad.threads = -1;
    REFUSED(lv_study_make, "threads", &study, model, &bad, e);
    bad = good;
    bad.run.sim.initial = (lv_initial)2;
    REFUSED(lv_study_make, "initial", &study, model, &bad, e);
    bad = good;
    bad.run.until = (double)NAN;
    assert_int_equal(lv_study_make(&study, model, &bad, NULL), LV_ERR_MODEL);
    bad.run.until = 0;
    assert_int_equal(lv_study_make(&study, model, &bad, NULL), LV_ERR_MODEL);
    assert_null(study);
    lv_study_free(NULL);
    assert_true(isnan(lv_study_request_default(NULL).run.until));
}

#endif
