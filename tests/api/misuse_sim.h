/* Schemes and simulations, used wrongly. */
#ifndef LV_TESTS_MISUSE_SIM_H
#define LV_TESTS_MISUSE_SIM_H

#include "misuse.h"

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
    REFUSED(lv_viewer_set_inputs, "viewer", NULL, numbers, 0, e);
    REFUSED(lv_viewer_set_inputs, "values", viewer, NULL, 0, e);
    REFUSED(lv_viewer_set_inputs, "count", viewer, numbers, -1, e);
    REFUSED(lv_viewer_set_inputs, "count", viewer, numbers, 1, e); /* it has none */
    REFUSED(lv_sim_view, "sim", NULL, numbers, e);
    REFUSED(lv_sim_view, "numbers", sim, NULL, e);
    REFUSED(lv_model_row_state, "model", NULL, q, NULL, q, NULL, NULL, e);
    REFUSED(lv_model_row_state, "q", model, NULL, NULL, q, NULL, NULL, e);
    REFUSED(lv_model_row_state, "row_q", model, q, NULL, NULL, NULL, NULL, e);
    lv_viewer_free(viewer);
}

#endif
