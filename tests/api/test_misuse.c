/* Public functions called wrongly: NULL for every pointer that must not be, enumerators and numbers out
 * of range. Functions with a status return LV_ERR_USAGE and name function and argument; others return a
 * neutral value. Nothing crashes, and nothing is written where it should not be.
 *
 * A function that a public header declares and that is not in the list below fails the last test. */
#include "misuse_evaluate.h"
#include "misuse_format.h"
#include "misuse_live.h"
#include "misuse_room.h"
#include "misuse_values.h"

#include <glob.h>

/* ---- models ------------------------------------------------------------------------------------ */

static void wrong_read(void)
{
    lv_model *read = model;
    const lv_setting no_name = {NULL, "1"}, no_value = {"g", NULL};
    REFUSED(lv_model_read, "model", NULL, "kepler", NULL, 0, e);
    REFUSED(lv_model_read, "path", &read, NULL, NULL, 0, e);
    assert_null(read);
    REFUSED(lv_model_read, "settings", &read, "kepler", NULL, 1, e);
    REFUSED(lv_model_read, "setting_count", &read, "kepler", &no_name, -1, e);
    REFUSED(lv_model_read, "settings", &read, "kepler", &no_name, 1, e);
    REFUSED(lv_model_read, "settings", &read, "kepler", &no_value, 1, e);
}

static void wrong_parse(void)
{
    lv_model *read = model;
    const lv_setting no_value = {"g", NULL};
    REFUSED(lv_model_parse, "model", NULL, "m", PENDULUM, 3, NULL, 0, e);
    REFUSED(lv_model_parse, "name", &read, NULL, PENDULUM, 3, NULL, 0, e);
    REFUSED(lv_model_parse, "text", &read, "m", NULL, 3, NULL, 0, e);
    REFUSED(lv_model_parse, "settings", &read, "m", PENDULUM, 3, NULL, 2, e);
    REFUSED(lv_model_parse, "setting_count", &read, "m", PENDULUM, 3, NULL, -2, e);
    REFUSED(lv_model_parse, "settings", &read, "m", PENDULUM, 3, &no_value, 1, e);
    assert_null(read);
}

static void wrong_model(void)
{
    char buffer[8] = "abc";
    static const int numbers[] = {-1, INT_MIN, INT_MAX, 1000};
    assert_string_equal(lv_model_title(NULL), "");
    assert_null(lv_model_description(NULL));
    assert_null(lv_model_run_options(NULL)->scheme);
    assert_int_equal(lv_model_coordinate_count(NULL), 0);
    assert_null(lv_model_start_position(NULL));
    assert_null(lv_model_start_velocity(NULL));
    assert_string_equal(lv_model_coordinate_name(NULL, 0, buffer, sizeof buffer), "");
    assert_string_equal(lv_model_coordinate_name(model, 0, NULL, 8), "");
    assert_string_equal(lv_model_constraint_name(NULL, 0, buffer, sizeof buffer), "");
    assert_string_equal(lv_model_constraint_name(model, 0, NULL, 8), "");
    assert_false(lv_model_coordinate_is_inner(NULL, 0));
    assert_false(lv_model_constraint_is_inner(NULL, 0));
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        assert_false(lv_model_coordinate_is_inner(model, numbers[k]));
        assert_false(lv_model_constraint_is_inner(model, numbers[k]));
        assert_string_equal(
            lv_model_coordinate_name(model, numbers[k], buffer, sizeof buffer), "");
        assert_string_equal(
            lv_model_constraint_name(model, numbers[k], buffer, sizeof buffer), "");
    }
    lv_model_coordinate_name(model, 0, buffer, 0);
    lv_model_constraint_name(model, 0, buffer, 0);
    assert_null(lv_shipped_text(NULL));
    lv_input_info input;
    assert_int_equal(lv_model_input_count(NULL), 0);
    assert_false(lv_model_input_describe(NULL, 0, &input));
    assert_false(lv_model_input_describe(model, 0, NULL));
    assert_false(lv_model_input_describe(model, -1, &input));
    assert_false(lv_model_input_describe(model, 0, &input)); /* it has none */
    lv_model_free(NULL);
}

static void wrong_inspect(void)
{
    lv_inspection *facts = (lv_inspection *)&facts;
    REFUSED(lv_model_inspect, "inspection", NULL, model, e);
    REFUSED(lv_model_inspect, "model", &facts, NULL, e);
    assert_null(facts);
    lv_inspection_free(NULL);
}

static void wrong_builder_model(void)
{
    lv_model *read = model;
    lv_builder *b = lv_builder_create("m");
    REFUSED(lv_builder_model, "model", NULL, b, e);
    REFUSED(lv_builder_model, "builder", &read, NULL, e);
    assert_null(read);
    lv_builder_free(b);
    lv_builder_free(NULL);
    assert_null(lv_builder_create(NULL));
    assert_null(lv_builder_source(NULL));
}

/* What was set wrongly is reported by lv_builder_model, with the first wrong argument. */
static void assert_misused(lv_builder *b, const char *function, const char *argument)
{
    lv_error err;
    lv_model *read = NULL;
    assert_int_equal(lv_builder_model(&read, b, &err), LV_ERR_USAGE);
    if (!strstr(err.text, function) || !strstr(err.text, argument))
        fail_msg("'%s' names not both %s and %s", err.text, function, argument);
    lv_builder_free(b);
}

static void wrong_builder_text(void)
{
    lv_builder *b = lv_builder_create("m");
    lv_builder_text(NULL, "energy", NULL, "kinetic", "0");
    lv_builder_text(b, NULL, NULL, "kinetic", "0");
    lv_builder_text(b, "energy", NULL, NULL, "0"); /* the first one is reported */
    assert_misused(b, "lv_builder_text", "section");
    b = lv_builder_create("m");
    lv_builder_text(b, "energy", NULL, NULL, "0");
    assert_misused(b, "lv_builder_text", "key");
    b = lv_builder_create("m");
    lv_builder_text(b, "energy", NULL, "kinetic", NULL);
    assert_misused(b, "lv_builder_text", "text");
}

static void wrong_builder_values(void)
{
    const double one = 1;
    lv_builder *b = lv_builder_create("m");
    lv_builder_number(NULL, "parameters", NULL, "g", 1);
    lv_builder_number(b, NULL, NULL, "g", 1);
    assert_misused(b, "lv_builder_number", "section");
    b = lv_builder_create("m");
    lv_builder_number(b, "parameters", NULL, NULL, 1);
    assert_misused(b, "lv_builder_number", "key");
    b = lv_builder_create("m");
    lv_builder_flag(NULL, "run", NULL, "x", true);
    lv_builder_flag(b, NULL, NULL, "x", true);
    assert_misused(b, "lv_builder_flag", "section");
    b = lv_builder_create("m");
    lv_builder_flag(b, "run", NULL, NULL, true);
    assert_misused(b, "lv_builder_flag", "key");
    b = lv_builder_create("m");
    lv_builder_numbers(NULL, "parameters", NULL, "g", &one, 1);
    lv_builder_numbers(b, NULL, NULL, "g", &one, 1);
    assert_misused(b, "lv_builder_numbers", "section");
    b = lv_builder_create("m");
    lv_builder_numbers(b, "parameters", NULL, NULL, &one, 1);
    assert_misused(b, "lv_builder_numbers", "key");
    b = lv_builder_create("m");
    lv_builder_numbers(b, "parameters", NULL, "g", NULL, 1);
    assert_misused(b, "lv_builder_numbers", "values");
    b = lv_builder_create("m");
    lv_builder_numbers(b, "parameters", NULL, "g", &one, -1);
    assert_misused(b, "lv_builder_numbers", "count");
}

static void wrong_builder_texts(void)
{
    const char *const texts[] = {"1", NULL};
    lv_builder *b = lv_builder_create("m");
    lv_builder_texts(NULL, "parameters", NULL, "g", texts, 1);
    lv_builder_texts(b, NULL, NULL, "g", texts, 1);
    assert_misused(b, "lv_builder_texts", "section");
    b = lv_builder_create("m");
    lv_builder_texts(b, "parameters", NULL, NULL, texts, 1);
    assert_misused(b, "lv_builder_texts", "key");
    b = lv_builder_create("m");
    lv_builder_texts(b, "parameters", NULL, "g", NULL, 1);
    assert_misused(b, "lv_builder_texts", "texts");
    b = lv_builder_create("m");
    lv_builder_texts(b, "parameters", NULL, "g", texts, 2);
    assert_misused(b, "lv_builder_texts", "texts");
    b = lv_builder_create("m");
    lv_builder_texts(b, "parameters", NULL, "g", texts, -1);
    assert_misused(b, "lv_builder_texts", "count");
}

/* ---- schemes ----------------------------------------------------------------------------------- */

static void wrong_claims(void)
{
    lv_claims claims;
    lv_scheme_options complete;
    REFUSED(lv_scheme_claims, "claims", NULL, "rattle", NULL, e);
    REFUSED(lv_scheme_claims, "name", &claims, NULL, NULL, e);
    REFUSED(lv_scheme_complete, "complete", NULL, "rattle", NULL, e);
    REFUSED(lv_scheme_complete, "name", &complete, NULL, NULL, e);
    REFUSED(lv_model_claims, "claims", NULL, model, e);
    REFUSED(lv_model_claims, "model", &claims, NULL, e);
    REFUSED(lv_model_try_scheme, "model", NULL, e);
}

static void wrong_fits(void)
{
    bool flags[2] = {false, false};
    REFUSED(lv_model_fitting_schemes, "model", NULL, flags, 2, e);
    REFUSED(lv_model_fitting_schemes, "fits", model, NULL, 2, e);
    REFUSED(lv_model_fitting_schemes, "count", model, flags, -1, e);
    REFUSED(lv_model_survey_schemes, "model", NULL, flags, 1, flags, 1, e);
    REFUSED(lv_model_survey_schemes, "fits", model, NULL, 1, flags, 1, e);
    REFUSED(lv_model_survey_schemes, "count", model, flags, -1, flags, 1, e);
    REFUSED(lv_model_survey_schemes, "kept", model, flags, 1, NULL, 1, e);
    REFUSED(lv_model_survey_schemes, "maps", model, flags, 1, flags, -1, e);
    lv_inspection *facts = NULL;
    lv_model *free_particle =
        read_text("[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n");
    assert_int_equal(lv_model_inspect(&facts, free_particle, NULL), LV_OK);
    REFUSED(lv_inspection_survey_schemes, "inspection", NULL, flags, 1, flags, e);
    REFUSED(lv_inspection_survey_schemes, "fits", facts, NULL, 1, flags, e);
    REFUSED(lv_inspection_survey_schemes, "count", facts, flags, -1, flags, e);
    assert_true(facts->momentum_count > 0);
    REFUSED(lv_inspection_survey_schemes, "kept", facts, flags, 1, NULL, e);
    const lv_scheme_options none = {0};
    REFUSED(lv_inspection_fitting_schemes, "inspection", NULL, &none, flags, 1, e);
    REFUSED(lv_inspection_fitting_schemes, "options", facts, NULL, flags, 1, e);
    REFUSED(lv_inspection_fitting_schemes, "fits", facts, &none, NULL, 1, e);
    REFUSED(lv_inspection_fitting_schemes, "count", facts, &none, flags, -1, e);
    lv_probe_info probe;
    REFUSED(lv_inspection_probe, "inspection", NULL, &probe, e);
    REFUSED(lv_inspection_probe, "info", facts, NULL, e);
    lv_inspection_free(facts);
    lv_model_free(free_particle);
    REFUSED(lv_model_kept_momenta, "model", NULL, "em", NULL, flags, 2, e);
    REFUSED(lv_model_kept_momenta, "scheme", model, NULL, NULL, flags, 2, e);
    REFUSED(lv_model_kept_momenta, "kept", model, "em", NULL, NULL, 2, e);
    REFUSED(lv_model_kept_momenta, "count", model, "em", NULL, flags, -1, e);
}

/* ---- simulations --------------------------------------------------------------------------------- */

static void wrong_sim_create(void)
{
    lv_sim *made = sim;
    const lv_sim_options good = lv_sim_options_default(model);
    lv_sim_options bad = good;
    REFUSED(lv_sim_create, "sim", NULL, model, &good, e);
    REFUSED(lv_sim_create, "model", &made, NULL, &good, e);
    assert_null(made);
    REFUSED(lv_sim_create, "options", &made, model, NULL, e);
    bad.scheme = NULL;
    REFUSED(lv_sim_create, "scheme", &made, model, &bad, e);
    bad = good;
    bad.initial = (lv_initial)2;
    REFUSED(lv_sim_create, "initial", &made, model, &bad, e);
    bad.initial = (lv_initial)-1;
    REFUSED(lv_sim_create, "initial", &made, model, &bad, e);
    assert_string_equal(lv_sim_options_default(NULL).scheme, "lobatto");
    lv_sim_free(NULL);
    lv_native_enable(true);
}

static void wrong_start(void)
{
    const lv_body_change rod = {.name = "rod", .position = 1};
    char text[8] = "abc";
    assert_string_equal(lv_body_change_text(NULL, text, sizeof text), "");
    assert_string_equal(lv_body_change_text(&rod, NULL, 8), "");
    assert_string_equal(lv_body_change_text(&rod, text, 0), "");
    double q[2], v[2];
    lv_start_change change;
    REFUSED(lv_model_start, "model", NULL, LV_INITIAL_CHECK, q, v, &change, e);
    REFUSED(lv_model_start, "initial", model, (lv_initial)7, q, v, &change, e);
    REFUSED(lv_model_start, "initial", model, (lv_initial)-7, q, v, &change, e);
    assert_int_equal(lv_model_start(model, LV_INITIAL_CHECK, NULL, NULL, NULL, NULL),
                     LV_OK);
    assert_int_equal(lv_sim_start_change(NULL).position_coordinate, -1);
}

static void wrong_steps(void)
{
    static const double times[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, -1,
                                   0.005};
    const double before = lv_sim_time(sim);
    REFUSED(lv_sim_step, "sim", NULL, e);
    REFUSED(lv_sim_step_many, "sim", NULL, 1, e);
    REFUSED(lv_sim_step_many, "count", sim, -1, e);
    REFUSED(lv_sim_advance, "sim", NULL, 1, e);
    for (size_t k = 0; k < sizeof times / sizeof *times; k++)
        REFUSED(lv_sim_advance, "", sim, times[k], e);
    assert_int_equal(lv_sim_advance(sim, 1e300, NULL), LV_ERR_LIMIT);
    assert_int_equal(lv_sim_advance(sim, before, NULL), LV_OK);
    assert_true(lv_sim_time(sim) == before);
}

static void wrong_sim(void)
{
    double position = 1, velocity = 1;
    assert_true(isnan(lv_sim_time(NULL)));
    assert_int_equal(lv_sim_steps(NULL), 0);
    assert_null(lv_sim_position(NULL));
    assert_null(lv_sim_velocity(NULL));
    assert_null(lv_sim_momentum(NULL));
    assert_int_equal(lv_sim_constraint_count(NULL), 0);
    assert_int_equal(lv_sim_iterations(NULL), 0);
    assert_true(isnan(lv_sim_energies(NULL).total));
    assert_int_equal(lv_sim_work_count(NULL), 0);
    assert_null(lv_sim_work_name(NULL, 0));
    assert_null(lv_sim_work_name(sim, -1));
    assert_null(lv_sim_work_name(sim, lv_sim_work_count(sim)));
    assert_null(lv_sim_work(NULL));
    assert_true(isnan(lv_sim_balance(NULL)));
    lv_sim_residuals(NULL, &position, &velocity);
    assert_true(isnan(position) && isnan(velocity));
    lv_sim_residuals(sim, NULL, &velocity);
    lv_sim_residuals(sim, &position, NULL);
    assert_true(position < 1e-12 && velocity < 1e-10);
}

static void wrong_states(void)
{
    double q[2] = {1, 0}, v[2] = {0, 1}, value = 0, lambda[1];
    const double t = lv_sim_time(sim);
    REFUSED(lv_sim_sample, "sim", NULL, t, LV_SAMPLE_RAW, q, v, NULL, e);
    REFUSED(lv_sim_sample, "kind", sim, t, (lv_sample)2, q, v, NULL, e);
    REFUSED(lv_sim_sample, "kind", sim, t, (lv_sample)-1, q, v, NULL, e);
    assert_int_equal(lv_sim_sample(sim, t, LV_SAMPLE_RAW, NULL, NULL, NULL, NULL), LV_OK);
    REFUSED(lv_sim_indicator, "sim", NULL, &value, e);
    REFUSED(lv_sim_indicator, "value", sim, NULL, e);
    REFUSED(lv_sim_set_state, "sim", NULL, 0, q, v, e);
    REFUSED(lv_sim_set_state, "q", sim, 0, NULL, v, e);
    REFUSED(lv_sim_set_state, "v", sim, 0, q, NULL, e);
    REFUSED(lv_sim_set_state, "t", sim, (double)NAN, q, v, e);
    REFUSED(lv_sim_multipliers, "sim", NULL, lambda, e);
    REFUSED(lv_sim_multipliers, "lambda", sim, NULL, e);
}

static void wrong_saved_states(void)
{
    double numbers[2000], matrix[16];
    const int count = lv_sim_save_count(sim);
    const double t = lv_sim_time(sim);
    assert_int_equal(lv_sim_save_count(NULL), 0);
    assert_in_range(count, 1, 2000);
    assert_int_equal(lv_sim_save(sim, numbers, count, NULL), LV_OK);
    REFUSED(lv_sim_save, "sim", NULL, numbers, count, e);
    REFUSED(lv_sim_save, "numbers", sim, NULL, count, e);
    REFUSED(lv_sim_save, "count", sim, numbers, -1, e);
    REFUSED(lv_sim_save, "count", sim, numbers, count + 1, e);
    REFUSED(lv_sim_restore, "sim", NULL, numbers, count, e);
    REFUSED(lv_sim_restore, "numbers", sim, NULL, count, e);
    REFUSED(lv_sim_restore, "count", sim, numbers, INT_MIN, e);
    REFUSED(lv_sim_restore, "count", sim, numbers, count - 1, e);
    for (int k = 0; k < 4; k++) {
        const double kept = numbers[k];
        numbers[k] = (double)NAN;
        REFUSED(lv_sim_restore, "numbers", sim, numbers, count, e);
        numbers[k] = kept;
    }
    REFUSED(lv_sim_copy, "sim", NULL, sim, e);
    REFUSED(lv_sim_copy, "from", sim, NULL, e);
    assert_true(lv_sim_time(sim) == t);
    REFUSED(lv_sim_tangent, "sim", NULL, matrix, e);
    REFUSED(lv_sim_tangent, "matrix", sim, NULL, e);
    assert_int_equal(lv_sim_tangent(sim, matrix, NULL), LV_OK);
}

static void wrong_views(void)
{
    lv_viewer *viewer = NULL;
    double numbers[100], q[2] = {1, 0};
    char buffer[8] = "abc";
    assert_null(lv_model_view(NULL));
    assert_string_equal(lv_view_kind_name((lv_view_kind)-1), "");
    assert_string_equal(lv_view_kind_name((lv_view_kind)1000), "");
    assert_int_equal(lv_view_json(NULL, NULL, 100), 4);
    assert_int_equal(lv_view_json(NULL, buffer, 0), 4);
    assert_string_equal(buffer, "abc");
    REFUSED(lv_viewer_create, "viewer", NULL, model, e);
    REFUSED(lv_viewer_create, "model", &viewer, NULL, e);
    assert_null(viewer);
    lv_viewer_free(NULL);
    assert_int_equal(lv_viewer_create(&viewer, model, NULL), LV_OK);
    REFUSED(lv_viewer_frame, "viewer", NULL, numbers, 0, q, q, e);
    REFUSED(lv_viewer_frame, "numbers", viewer, NULL, 0, q, q, e);
    REFUSED(lv_viewer_frame, "q", viewer, numbers, 0, NULL, q, e);
    REFUSED(lv_sim_view, "sim", NULL, numbers, e);
    REFUSED(lv_sim_view, "numbers", sim, NULL, e);
    REFUSED(lv_model_row_state, "model", NULL, q, NULL, q, NULL, NULL, e);
    REFUSED(lv_model_row_state, "q", model, NULL, NULL, q, NULL, NULL, e);
    REFUSED(lv_model_row_state, "row_q", model, q, NULL, NULL, NULL, NULL, e);
    lv_viewer_free(viewer);
}

/* ---- runs ----------------------------------------------------------------------------------------- */

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

/* ---- the list ------------------------------------------------------------------------------------- */

/* Public functions, and what calls them wrongly. */
static const struct {
    void (*misuse)(void);
    const char *functions; /* separated by blanks */
} list[] = {
    {right, "lv_version lv_version_number lv_shipped_names lv_sweep_threads "
            "lv_sweep_request_default "
            "lv_memory_budget lv_memory_set_budget lv_memory_used"},
    {wrong_status, "lv_status_name lv_status_meaning lv_subject_name lv_reason_name "
                   "lv_status_exit_code lv_error_clear"},
    {wrong_error_write, "lv_error_write"},
    {wrong_option_set, "lv_scheme_option_set"},
    {wrong_option, "lv_scheme_option lv_scheme_option_given"},
    {wrong_option_texts, "lv_option_parse lv_option_format"},
    {wrong_descriptions,
     "lv_option_describe lv_function_describe lv_section_describe "
     "lv_key_describe lv_word_describe lv_scheme_describe lv_group_describe"},
    {wrong_names, "lv_mass_kind_name"},
    {wrong_read, "lv_model_read"},
    {wrong_parse, "lv_model_parse"},
    {wrong_model,
     "lv_model_free lv_model_title lv_model_description lv_model_run_options "
     "lv_model_coordinate_count lv_model_start_position lv_model_start_velocity "
     "lv_model_coordinate_name lv_model_constraint_name lv_model_coordinate_is_inner "
     "lv_model_constraint_is_inner lv_shipped_text lv_model_input_count "
     "lv_model_input_describe"},
    {wrong_inspect, "lv_model_inspect lv_inspection_free"},
    {wrong_builder_model,
     "lv_builder_create lv_builder_free lv_builder_source lv_builder_model"},
    {wrong_builder_text, "lv_builder_text"},
    {wrong_builder_values, "lv_builder_number lv_builder_flag lv_builder_numbers"},
    {wrong_builder_texts, "lv_builder_texts"},
    {wrong_claims, "lv_scheme_claims lv_scheme_complete lv_model_claims "
                   "lv_model_try_scheme"},
    {wrong_fits,
     "lv_model_fitting_schemes lv_model_survey_schemes lv_inspection_survey_schemes "
     "lv_inspection_fitting_schemes "
     "lv_inspection_probe lv_model_kept_momenta"},
    {wrong_sim_create,
     "lv_sim_create lv_sim_free lv_sim_options_default lv_native_enable"},
    {wrong_start, "lv_model_start lv_sim_start_change lv_body_change_text"},
    {wrong_steps, "lv_sim_step lv_sim_step_many lv_sim_advance"},
    {wrong_sim, "lv_sim_time lv_sim_steps lv_sim_position lv_sim_velocity "
                "lv_sim_momentum lv_sim_constraint_count lv_sim_iterations "
                "lv_sim_energies lv_sim_residuals lv_sim_work_count lv_sim_work_name "
                "lv_sim_work lv_sim_balance"},
    {wrong_states, "lv_sim_sample lv_sim_indicator lv_sim_set_state lv_sim_multipliers"},
    {wrong_saved_states, "lv_sim_save_count lv_sim_save lv_sim_restore lv_sim_copy "
                         "lv_sim_tangent"},
    {wrong_forces, "lv_model_with_forces lv_model_force_count lv_model_force_name "
                   "lv_sim_set_force lv_sim_force"},
    {wrong_inputs, "lv_sim_set_input lv_sim_set_inputs lv_sim_input lv_sim_inputs "
                   "lv_sim_set_parameter lv_sim_parameter"},
    {wrong_questions,
     "lv_sim_outputs lv_sim_parts lv_sim_momentum_maps lv_sim_momentum_map_count "
     "lv_sim_momentum_map_name lv_sim_accelerations lv_model_constraint_find"},
    {wrong_matrices, "lv_sim_mass_matrix lv_sim_constraint_matrix lv_sim_set_step "
                     "lv_sim_step_size"},
    {wrong_register, "lv_scheme_register"},
    {wrong_tables, ""},
    {wrong_views, "lv_model_view lv_view_kind_name lv_view_json lv_viewer_create "
                  "lv_viewer_free lv_viewer_frame lv_sim_view lv_model_row_state"},
    {wrong_coefficients, "lv_scheme_coefficients lv_coefficients_free"},
    {wrong_equations, "lv_scheme_equations lv_equations_free lv_sim_equations"},
    {wrong_step_point, "lv_sim_step_point"},
    {wrong_evaluations, "lv_sim_momentum_at lv_sim_velocity_at lv_sim_energies_at "
                        "lv_sim_constraints_at lv_sim_constraint_force_at"},
    {wrong_step_multipliers, "lv_sim_step_multipliers lv_sim_carried_multipliers "
                             "lv_sim_holonomic_count lv_sim_forget"},
    {wrong_events, "lv_sim_event_count lv_sim_event lv_sim_stopped lv_sim_on_event"},
    {wrong_requests, "lv_run_request_default lv_run_request_change"},
    {wrong_run, "lv_run lv_run_summary_free"},
    {wrong_numbers, ""},
    {wrong_room, ""},
    {wrong_resume, "lv_resume"},
    {wrong_report, "lv_report lv_run_report lv_summary_report lv_verify_report"},
    {wrong_export, "lv_export_csv lv_export_vtk"},
    {wrong_import, "lv_import_urdf lv_import_urdf_text lv_import_free"},
    {wrong_pages, "lv_sweep_report lv_study_report"},
    {wrong_members, "lv_sweep_member lv_sweep_members"},
    {wrong_parts, "lv_sweep_parts_read lv_sweep_parts_free lv_sweep_parts_model "
                  "lv_sweep_parts_name"},
    {wrong_sweep, "lv_sweep_run lv_sweep_summary_free"},
    {wrong_verify, "lv_verify lv_certificate_free lv_verify_request_default "
                   "lv_property_name lv_finding_verdict_name"},
    {wrong_study, "lv_study_make lv_study_free lv_study_request_default"},
};
enum { LIST = sizeof list / sizeof list[0] };

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    for (int k = 0; k < LIST; k++)
        list[k].misuse();
}

static bool is_listed(const char *name, size_t length)
{
    for (int k = 0; k < LIST; k++)
        for (const char *at = list[k].functions; (at = strstr(at, name)); at += length)
            if ((at[length] == ' ' || at[length] == '\0') &&
                (at == list[k].functions || at[-1] == ' '))
                return true;
    return false;
}

/* The name before the first bracket behind LV_API at the beginning of a line; returns what follows. */
static const char *next_function(const char *text, char *name, size_t size)
{
    const char *at = strstr(text, "\nLV_API ");
    if (!at)
        return NULL;
    const char *end = strchr(at, '('), *begin = end;
    assert_non_null(end);
    while (begin[-1] == '_' || (begin[-1] >= 'a' && begin[-1] <= 'z') ||
           (begin[-1] >= '0' && begin[-1] <= '9'))
        begin--;
    assert_true((size_t)(end - begin) < size);
    memcpy(name, begin, (size_t)(end - begin));
    name[end - begin] = '\0';
    return end;
}

static int count_unlisted(const char *path)
{
    static char text[200000];
    char name[100];
    int missing = 0;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (const char *at = text; (at = next_function(at, name, sizeof name));)
        if (!is_listed(name, strlen(name))) {
            print_error("%s: %s is not called wrongly in tests/api/test_misuse.c; what "
                        "does it do about NULL?\n",
                        path, name);
            missing++;
        }
    return missing;
}

static void every_public_function_is_in_the_list(void **state)
{
    (void)state;
    glob_t headers;
    int missing = 0;
    assert_int_equal(glob(LIVENS_SOURCE_DIR "/include/livens/*.h", 0, NULL, &headers), 0);
    assert_true(headers.gl_pathc >= 10);
    for (size_t k = 0; k < headers.gl_pathc; k++)
        missing += count_unlisted(headers.gl_pathv[k]);
    globfree(&headers);
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(wrong_arguments_are_refused),
        RUN(every_public_function_is_in_the_list),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
