/* Functions that change a simulation between steps, called wrongly. */
#ifndef LV_TESTS_MISUSE_LIVE_H
#define LV_TESTS_MISUSE_LIVE_H

#include "misuse.h"

static void wrong_inputs(void)
{
    const double one = 1;
    REFUSED(lv_sim_set_input, "sim", NULL, "u", &one, 1, e);
    REFUSED(lv_sim_set_input, "name", sim, NULL, &one, 1, e);
    REFUSED(lv_sim_set_input, "values", sim, "u", NULL, 1, e);
    REFUSED(lv_sim_set_input, "count", sim, "u", &one, -1, e);
    REFUSED(lv_sim_set_inputs, "sim", NULL, &one, 1, e);
    REFUSED(lv_sim_set_inputs, "values", sim, NULL, 0, e);
    REFUSED(lv_sim_set_inputs, "count", sim, &one, -1, e);
    REFUSED(lv_sim_set_inputs, "count", sim, &one, 1, e); /* it has none */
    assert_null(lv_sim_input(NULL, "u"));
    assert_null(lv_sim_input(sim, NULL));
    assert_null(lv_sim_input(sim, "u"));
    assert_null(lv_sim_inputs(NULL));
    REFUSED(lv_sim_set_parameter, "sim", NULL, "g", &one, 1, e);
    REFUSED(lv_sim_set_parameter, "name", sim, NULL, &one, 1, e);
    REFUSED(lv_sim_set_parameter, "values", sim, "g", NULL, 1, e);
    REFUSED(lv_sim_set_parameter, "count", sim, "g", &one, -1, e);
    assert_null(lv_sim_parameter(NULL, "g"));
    assert_null(lv_sim_parameter(sim, NULL));
    assert_null(lv_sim_parameter(sim, "there is none"));
}

static void wrong_forces(void)
{
    const double one = 1;
    char buffer[8] = "abc";
    lv_model *made = model;
    REFUSED(lv_model_with_forces, "model", NULL, model, e);
    REFUSED(lv_model_with_forces, "without", &made, NULL, e);
    assert_null(made);
    REFUSED(lv_sim_set_force, "sim", NULL, &one, 1, e);
    REFUSED(lv_sim_set_force, "force", sim, NULL, 1, e);
    REFUSED(lv_sim_set_force, "count", sim, &one, -1, e);
    assert_null(lv_sim_force(NULL));
    assert_int_equal(lv_model_force_count(NULL), 0);
    assert_string_equal(lv_model_force_name(NULL, 0, buffer, sizeof buffer), "");
    assert_string_equal(lv_model_force_name(model, 0, buffer, sizeof buffer), "");
    assert_string_equal(lv_model_force_name(model, 0, NULL, 8), "");
}

static void wrong_changes(void)
{
    lv_change_info info;
    REFUSED(lv_sim_change, "sim", NULL, 0, &info, e);
    REFUSED(lv_sim_change, "info", sim, 0, NULL, e);
    REFUSED(lv_sim_change, "change", sim, 0, &info, e); /* there was none */
    REFUSED(lv_sim_change, "change", sim, -1, &info, e);
    assert_int_equal(lv_sim_change_count(NULL), 0);
}

static void wrong_questions(void)
{
    const lv_output *outputs = NULL;
    const lv_part_result *parts = NULL;
    int count = 7;
    double values[8] = {0};
    REFUSED(lv_sim_outputs, "sim", NULL, &outputs, &count, e);
    REFUSED(lv_sim_outputs, "outputs", sim, NULL, &count, e);
    REFUSED(lv_sim_outputs, "count", sim, &outputs, NULL, e);
    REFUSED(lv_sim_parts, "sim", NULL, &parts, &count, e);
    REFUSED(lv_sim_parts, "parts", sim, NULL, &count, e);
    REFUSED(lv_sim_parts, "count", sim, &parts, NULL, e);
    REFUSED(lv_sim_momentum_maps, "sim", NULL, values, 1, e);
    REFUSED(lv_sim_momentum_maps, "values", sim, NULL, 1, e);
    REFUSED(lv_sim_momentum_maps, "count", sim, values, -1, e);
    REFUSED(lv_sim_accelerations, "sim", NULL, values, e);
    REFUSED(lv_sim_accelerations, "a", sim, NULL, e);
    assert_int_equal(lv_sim_momentum_map_count(NULL), 0);
    assert_null(lv_sim_momentum_map_name(NULL, 0));
    assert_null(lv_sim_momentum_map_name(sim, -1));
    assert_int_equal(lv_model_constraint_find(NULL, "rod", &count), -1);
    assert_int_equal(count, 0);
    assert_int_equal(lv_model_constraint_find(model, NULL, &count), -1);
}

static void wrong_matrices(void)
{
    lv_sparse matrix;
    REFUSED(lv_sim_mass_matrix, "sim", NULL, &matrix, e);
    REFUSED(lv_sim_mass_matrix, "matrix", sim, NULL, e);
    REFUSED(lv_sim_constraint_matrix, "sim", NULL, &matrix, e);
    REFUSED(lv_sim_constraint_matrix, "matrix", sim, NULL, e);
    REFUSED(lv_sim_set_step, "sim", NULL, 1, e);
    REFUSED(lv_sim_set_step, "step", sim, (double)INFINITY, e);
    assert_true(isnan(lv_sim_step_size(NULL)));
}

static void wrong_register(void)
{
    const lv_claims claims = {.order = 1};
    const lv_scheme_info none = {.name = NULL}, info = {.name = "mine"};
    REFUSED(lv_scheme_register, "info", NULL, &claims, "", e);
    REFUSED(lv_scheme_register, "info->name", &none, &claims, "", e);
    REFUSED(lv_scheme_register, "claims", &info, NULL, "", e);
    REFUSED(lv_scheme_register, "equations", &info, &claims, NULL, e);
}

static void wrong_tables(void)
{
    lv_run_summary *none = NULL;
    lv_input_table table = {.input = NULL, .path = "u.csv"};
    lv_run_request request = lv_run_request_default(model);
    request.table_count = -1;
    REFUSED(lv_run, "table_count", &none, model, &request, e);
    request.table_count = 1;
    REFUSED(lv_run, "tables", &none, model, &request, e);
    request.tables = &table;
    REFUSED(lv_run, "input", &none, model, &request, e);
    table = (lv_input_table){.input = "u"};
    REFUSED(lv_run, "path", &none, model, &request, e);
    table = (lv_input_table){.input = "u", .path = "u.csv", .kind = (lv_table_kind)2};
    REFUSED(lv_run, "kind", &none, model, &request, e);
}

#endif
